//! [`OrderedResults`]: collects analysed positions, which parallel searches deliver in any order, into games in their
//! original order.

use analysis::analysed::{Analysis, TitledGame};
use analysis::position::SearchedPosition;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Analysed positions of several games, collected while searches finish in any order.
pub struct OrderedResults<'a> {
    sources: &'a [TitledGame],
    /// Number of positions at the beginning of the first game that are not analysed.
    skipped: usize,
    /// Analysed positions that are not returned yet. The key has the index of the game, then the number of plies played
    /// before the position.
    positions: BTreeMap<(usize, usize), SearchedPosition>,
    /// Index of the first game that [`OrderedResults::next_finished`] has not returned.
    next_game: usize,
}

/// State of the first unfinished game after an interruption.
pub struct UnfinishedGame {
    /// Index of the game in the list of all games.
    pub game: usize,
    /// Analysis of the finished plies of the game; `None` if no ply is finished.
    pub analysis: Option<Analysis>,
    /// First ply of the game that is not finished, counted from 1.
    pub ply: usize,
}

impl<'a> OrderedResults<'a> {
    /// Creates an empty collection for the positions of `sources`. The first `skipped` positions of the first game are
    /// left out.
    #[must_use]
    pub const fn new(sources: &'a [TitledGame], skipped: usize) -> OrderedResults<'a> {
        OrderedResults {
            sources,
            skipped,
            positions: BTreeMap::new(),
            next_game: 0,
        }
    }

    /// Returns all positions to analyse, in the order of the games. Each element has the index of the game, then the
    /// number of plies played before the position.
    #[must_use]
    pub fn tasks(&self) -> Vec<(usize, usize)> {
        let of_game = |game| self.positions_to_analyse(game).map(move |at| (game, at));
        (0..self.sources.len()).flat_map(of_game).collect()
    }

    /// Returns the range of positions to analyse in the game with index `game`. A position is identified by the number
    /// of plies played before it.
    fn positions_to_analyse(&self, game: usize) -> RangeInclusive<usize> {
        let first = if game == 0 { self.skipped } else { 0 };
        first..=self.sources[game].game.plies()
    }

    /// Stores the result for `task`, one of the elements of [`OrderedResults::tasks`].
    pub fn insert(&mut self, task: (usize, usize), position: SearchedPosition) {
        self.positions.insert(task, position);
    }

    /// Returns the next game in order with its analysis. `None` if one of its positions is not analysed yet, or if all
    /// games have been returned.
    pub fn next_finished(&mut self) -> Option<(&'a TitledGame, Analysis)> {
        let (game, source) = (self.next_game, self.sources.get(self.next_game)?);
        let mut positions_to_analyse = self.positions_to_analyse(game);
        let (from, is_found) = (*positions_to_analyse.start(), |at| {
            self.positions.contains_key(&(game, at))
        });
        if !positions_to_analyse.all(is_found) {
            return None;
        }
        let analysis = Analysis::new(source, from, self.take_finished());
        self.next_game += 1;
        Some((source, analysis))
    }

    /// Returns the analysed part of the first unfinished game; `None` if all games are finished.
    #[must_use]
    pub fn into_unfinished(mut self) -> Option<UnfinishedGame> {
        let (game, source) = (self.next_game, self.sources.get(self.next_game)?);
        let (from, positions) = (
            *self.positions_to_analyse(game).start(),
            self.take_finished(),
        );
        // A ply is finished if the position before it and the position after it are searched. Both are needed for the
        // loss in win probability.
        let finished = positions.len().saturating_sub(1);
        Some(UnfinishedGame {
            game,
            analysis: (finished > 0).then(|| Analysis::new(source, from, positions)),
            ply: from + finished + 1,
        })
    }

    /// Removes the next game's analysed positions and returns them in the order of the game, up to the first position
    /// that is not analysed yet.
    fn take_finished(&mut self) -> Vec<SearchedPosition> {
        let positions = self.positions_to_analyse(self.next_game);
        let found = positions.map_while(|at| self.positions.remove(&(self.next_game, at)));
        found.collect()
    }
}
