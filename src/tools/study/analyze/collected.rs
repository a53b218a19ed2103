//! Collects results, which come in any order, into games, in theirs.

use crate::tools::analysis::analysed::{Analysis, Source};
use crate::tools::analysis::position::Position;

/// A position to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Number of its game.
    pub game: usize,
    /// Plies before it.
    pub at: usize,
}

/// Results on some games.
pub struct Collected<'a> {
    sources: &'a [Source],
    /// Skipped plies of the first game.
    skipped: usize,
    /// By game, from the first wanted position on.
    positions: Vec<Vec<Option<Position>>>,
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
    pub fn new(sources: &'a [Source], skipped: usize) -> Collected<'a> {
        let mut found = Collected {
            sources,
            skipped,
            positions: Vec::new(),
            taken: 0,
        };
        let wanted = |(game, source): (usize, &Source)| source.game.plies() + 1 - found.from(game);
        let counts = sources.iter().enumerate().map(wanted);
        found.positions = counts.map(|count| vec![None; count]).collect();
        found
    }

    /// All positions that are wanted, in order.
    #[must_use]
    pub fn tasks(&self) -> Vec<Task> {
        let of_game = |(game, positions): (usize, &Vec<_>)| {
            let from = self.from(game);
            (from..from + positions.len()).map(move |at| Task { game, at })
        };
        let games = self.positions.iter().enumerate();
        games.flat_map(of_game).collect()
    }

    /// Plies of a game that are left out.
    const fn from(&self, game: usize) -> usize {
        if game == 0 { self.skipped } else { 0 }
    }

    /// Takes what was found in a position.
    pub fn put(&mut self, task: Task, position: Position) {
        let from = self.from(task.game);
        self.positions[task.game][task.at - from] = Some(position);
    }

    /// The next finished game, and where it comes from.
    pub fn next_whole(&mut self) -> Option<(&'a Source, Analysis)> {
        let positions = self.positions.get_mut(self.taken)?;
        if !positions.iter().all(Option::is_some) {
            return None;
        }
        let positions = positions.iter_mut().filter_map(Option::take).collect();
        let game = self.taken;
        self.taken += 1;
        let (source, from) = (&self.sources[game], self.from(game));
        Some((source, Analysis::new(source, from, positions)))
    }

    /// The first unfinished game; nothing if all are finished.
    #[must_use]
    pub fn rest(mut self) -> Option<Rest> {
        let (game, from) = (self.taken, self.from(self.taken));
        let positions = self.positions.get_mut(game)?.iter_mut();
        let positions: Vec<Position> = positions.map_while(Option::take).collect();
        // The last ply is not finished: its loss depends on the next one's.
        let done = positions.len().saturating_sub(1);
        Some(Rest {
            game,
            part: (done > 0).then(|| Analysis::new(&self.sources[game], from, positions)),
            next: from + done + 1,
        })
    }
}
