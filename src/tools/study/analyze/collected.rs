//! Collects results, which come in any order, into games, in theirs.

use analysis::analysed::{Analysis, Source};
use analysis::position::Position;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Results on some games.
pub struct Collected<'a> {
    sources: &'a [Source],
    /// Skipped plies of the first game.
    skipped: usize,
    /// By number of the game, and plies before the position.
    positions: BTreeMap<(usize, usize), Position>,
    /// Number of games that were handed on.
    taken: usize,
}

/// The unfinished game after an interrupted search.
pub struct Rest {
    /// Number of the first game that is not whole.
    pub game: usize,
    /// The plies of it that are done, if there are any.
    pub part: Option<Analysis>,
    /// The first ply that is not.
    pub next: usize,
}

impl<'a> Collected<'a> {
    /// An empty collection; so many plies of the first game are skipped.
    #[must_use]
    pub const fn new(sources: &'a [Source], skipped: usize) -> Collected<'a> {
        Collected {
            sources,
            skipped,
            positions: BTreeMap::new(),
            taken: 0,
        }
    }

    /// All positions that are wanted, in order: the number of the game, and plies before the position.
    #[must_use]
    pub fn tasks(&self) -> Vec<(usize, usize)> {
        let of_game = |game| self.wanted(game).map(move |at| (game, at));
        (0..self.sources.len()).flat_map(of_game).collect()
    }

    /// Plies before the positions of a game that are wanted.
    fn wanted(&self, game: usize) -> RangeInclusive<usize> {
        let first = if game == 0 { self.skipped } else { 0 };
        first..=self.sources[game].game.plies()
    }

    /// Takes what was found in a position.
    pub fn put(&mut self, task: (usize, usize), position: Position) {
        self.positions.insert(task, position);
    }

    /// The next finished game, and where it comes from.
    pub fn next_whole(&mut self) -> Option<(&'a Source, Analysis)> {
        let (game, source) = (self.taken, self.sources.get(self.taken)?);
        let mut wanted = self.wanted(game);
        let (from, is_found) = (*wanted.start(), |at| {
            self.positions.contains_key(&(game, at))
        });
        if !wanted.all(is_found) {
            return None;
        }
        let analysis = Analysis::new(source, from, self.take());
        self.taken += 1;
        Some((source, analysis))
    }

    /// The first unfinished game; nothing if all are finished.
    #[must_use]
    pub fn rest(mut self) -> Option<Rest> {
        let (game, source) = (self.taken, self.sources.get(self.taken)?);
        let (from, positions) = (*self.wanted(game).start(), self.take());
        // The last ply is not finished: its loss depends on the next one's.
        let done = positions.len().saturating_sub(1);
        Some(Rest {
            game,
            part: (done > 0).then(|| Analysis::new(source, from, positions)),
            next: from + done + 1,
        })
    }

    /// Removes what was found in the first positions of the game that is next, up to one that is not searched.
    fn take(&mut self) -> Vec<Position> {
        let positions = self.wanted(self.taken);
        let found = positions.map_while(|at| self.positions.remove(&(self.taken, at)));
        found.collect()
    }
}
