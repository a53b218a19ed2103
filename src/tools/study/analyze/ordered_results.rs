//! Sorts analysed positions, which arrive in any order, into games in their original order.

use analysis::analysed::{Analysis, Source};
use analysis::position::SearchedPosition;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Analysed positions of several games, as the searches finish them.
pub struct OrderedResults<'a> {
    sources: &'a [Source],
    /// Number of plies of the first game that are not analysed.
    skipped: usize,
    /// Analysed positions, by index of their game and number of plies before them.
    positions: BTreeMap<(usize, usize), SearchedPosition>,
    /// Number of games that were returned as finished.
    next_game: usize,
}

/// The finished part of the first unfinished game, after the search was interrupted.
pub struct UnfinishedGame {
    /// Index of the first unfinished game.
    pub game: usize,
    /// Analysis of the finished plies; `None` if there are none.
    pub part: Option<Analysis>,
    /// Number of the first unfinished ply, from 1.
    pub next: usize,
}

impl<'a> OrderedResults<'a> {
    /// Returns an empty collection that expects every position of `sources`, except the first `skipped` plies of the first
    /// game.
    #[must_use]
    pub const fn new(sources: &'a [Source], skipped: usize) -> OrderedResults<'a> {
        OrderedResults {
            sources,
            skipped,
            positions: BTreeMap::new(),
            next_game: 0,
        }
    }

    /// Returns all positions to analyse, in order: the index of the game and the number of plies before the position.
    #[must_use]
    pub fn tasks(&self) -> Vec<(usize, usize)> {
        let of_game = |game| self.positions_to_analyse(game).map(move |at| (game, at));
        (0..self.sources.len()).flat_map(of_game).collect()
    }

    /// Returns the positions of a game to analyse, each as the number of plies before it.
    fn positions_to_analyse(&self, game: usize) -> RangeInclusive<usize> {
        let first = if game == 0 { self.skipped } else { 0 };
        first..=self.sources[game].game.plies()
    }

    /// Stores an analysed position.
    pub fn insert(&mut self, task: (usize, usize), position: SearchedPosition) {
        self.positions.insert(task, position);
    }

    /// Returns the next game, with its source, if all its positions are analysed.
    pub fn next_finished(&mut self) -> Option<(&'a Source, Analysis)> {
        let (game, source) = (self.next_game, self.sources.get(self.next_game)?);
        let mut positions_to_analyse = self.positions_to_analyse(game);
        let (from, is_found) = (*positions_to_analyse.start(), |at| {
            self.positions.contains_key(&(game, at))
        });
        if !positions_to_analyse.all(is_found) {
            return None;
        }
        let analysis = Analysis::new(source, from, self.take());
        self.next_game += 1;
        Some((source, analysis))
    }

    /// Returns the finished part of the first unfinished game; `None` if all games are finished.
    #[must_use]
    pub fn into_unfinished(mut self) -> Option<UnfinishedGame> {
        let (game, source) = (self.next_game, self.sources.get(self.next_game)?);
        let (from, positions) = (*self.positions_to_analyse(game).start(), self.take());
        // The last ply is unfinished: its loss is computed from the position after it, which was not searched.
        let done = positions.len().saturating_sub(1);
        Some(UnfinishedGame {
            game,
            part: (done > 0).then(|| Analysis::new(source, from, positions)),
            next: from + done + 1,
        })
    }

    /// Removes and returns the positions of the next game, up to the first one that is not analysed.
    fn take(&mut self) -> Vec<SearchedPosition> {
        let positions = self.positions_to_analyse(self.next_game);
        let found = positions.map_while(|at| self.positions.remove(&(self.next_game, at)));
        found.collect()
    }
}
