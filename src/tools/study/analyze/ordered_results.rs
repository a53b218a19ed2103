//! [`OrderedResults`]: collects the positions that parallel searches have analysed in any order, and returns the games
//! in the order of the command line.

use analysis::analysed::{Analysis, TitledGame};
use analysis::position::SearchedPosition;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Collects the analysed positions of several games while parallel searches finish them in any order. Returns each game
/// when it is complete, in the order of the list `sources`.
pub struct OrderedResults<'a> {
    sources: &'a [TitledGame],
    /// Number of positions at the beginning of the first game that are not analysed, one less than `--from-ply`. The
    /// option resumes an interrupted analysis, whose interrupted game is now the first. All other games are analysed
    /// from their start.
    skipped: usize,
    /// Analysed positions; those of a game are removed when the game is returned. First part of the key: index (from 0)
    /// of the game in `sources`. Second part: number of plies before the position.
    positions: BTreeMap<(usize, usize), SearchedPosition>,
    /// Index in `sources` of the next game that [`OrderedResults::next_finished`] will return.
    next_game: usize,
}

/// The first game, in the order of the command line, that was not analysed completely before Ctrl-C ended the analysis.
pub struct UnfinishedGame {
    /// Index of the game in the list of all games, from 0.
    pub index: usize,
    /// Analysis of the plies before [`UnfinishedGame::ply`], which is the first ply that is not analysed. `None` if no
    /// ply is analysed.
    pub analysis: Option<Analysis>,
    /// Ply of the game, counted from 1, at which Ctrl-C ended the analysis: the first ply that is still to be analysed.
    pub ply: usize,
}

impl<'a> OrderedResults<'a> {
    /// Creates a collection for the games `sources`, without analysed positions yet. `skipped`: number of positions at
    /// the beginning of the first game that are not analysed.
    #[must_use]
    pub const fn new(sources: &'a [TitledGame], skipped: usize) -> OrderedResults<'a> {
        OrderedResults {
            sources,
            skipped,
            positions: BTreeMap::new(),
            next_game: 0,
        }
    }

    /// Returns all positions to analyse, game by game. First: index of the game. Second: number of plies before the
    /// position.
    #[must_use]
    pub fn tasks(&self) -> Vec<(usize, usize)> {
        let of_game = |game| self.positions_to_analyse(game).map(move |at| (game, at));
        (0..self.sources.len()).flat_map(of_game).collect()
    }

    /// Returns which positions of the game with the index `game` are to be analysed, as a range: a position's number is
    /// the number of plies before it.
    fn positions_to_analyse(&self, game: usize) -> RangeInclusive<usize> {
        let first = if game == 0 { self.skipped } else { 0 };
        first..=self.sources[game].game.plies()
    }

    /// Stores an analysed position. `task` says which position it is, as [`OrderedResults::tasks`] does. First: index
    /// of the game. Second: number of plies before the position.
    pub fn insert(&mut self, task: (usize, usize), position: SearchedPosition) {
        self.positions.insert(task, position);
    }

    /// Returns the next game in the order of the command line, with its analysis, if all its positions are analysed.
    /// Returns `None` if some position is missing, or if all games have been returned.
    pub fn next_finished(&mut self) -> Option<(&'a TitledGame, Analysis)> {
        let (game, source) = (self.next_game, self.sources.get(self.next_game)?);
        let mut positions_to_analyse = self.positions_to_analyse(game);
        let from = *positions_to_analyse.start();
        if !positions_to_analyse.all(|at| self.positions.contains_key(&(game, at))) {
            return None;
        }
        let analysis = Analysis::new(source, from, self.take_finished());
        self.next_game += 1;
        Some((source, analysis))
    }

    /// Returns the first game that [`OrderedResults::next_finished`] has not returned, with the analysis of its first
    /// plies. Returns `None` if all games have been returned.
    #[must_use]
    pub fn into_unfinished(mut self) -> Option<UnfinishedGame> {
        let (game, source) = (self.next_game, self.sources.get(self.next_game)?);
        let from = *self.positions_to_analyse(game).start();
        let positions = self.take_finished();
        // A ply counts as analysed only if the position before it and the position after it are analysed, because its
        // loss in win probability is the difference of both positions' values.
        let finished = positions.len().saturating_sub(1);
        Some(UnfinishedGame {
            index: game,
            analysis: (finished > 0).then(|| Analysis::new(source, from, positions)),
            ply: from + finished + 1,
        })
    }

    /// Removes analysed positions of the game with the index `next_game` from `positions`, and returns them in the
    /// order of play. Stops before the first position of the game that is not analysed.
    fn take_finished(&mut self) -> Vec<SearchedPosition> {
        let positions = self.positions_to_analyse(self.next_game);
        let found = positions.map_while(|at| self.positions.remove(&(self.next_game, at)));
        found.collect()
    }
}
