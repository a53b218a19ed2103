//! Positions as they are found, in any order, and the games that they make, in theirs.

use super::game::Analysis;
use super::input::Source;
use super::position::Position;

/// A position that is to be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Number of its game.
    pub game: usize,
    /// Plies before it.
    pub at: usize,
}

/// What has been found of some games.
pub struct Found<'a> {
    sources: &'a [Source],
    /// Plies of the first game that are left out.
    skipped: usize,
    /// By game, from the first position that is wanted.
    positions: Vec<Vec<Option<Position>>>,
    /// Number of games that were handed on.
    taken: usize,
}

/// What is left when the search was broken off.
pub struct Rest {
    /// Number of the first game that is not whole.
    pub game: usize,
    /// The plies of it that are done, if there are any.
    pub part: Option<Analysis>,
    /// The first ply that is not.
    pub next: usize,
}

impl<'a> Found<'a> {
    /// Nothing yet; of the first game so many plies are left out.
    #[must_use]
    pub fn new(sources: &'a [Source], skipped: usize) -> Found<'a> {
        let mut found = Found {
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
        self.positions
            .iter()
            .enumerate()
            .flat_map(of_game)
            .collect()
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

    /// The next game of which everything has been found.
    pub fn next_whole(&mut self) -> Option<Analysis> {
        let positions = self.positions.get_mut(self.taken)?;
        if !positions.iter().all(Option::is_some) {
            return None;
        }
        let positions = positions.iter_mut().filter_map(Option::take).collect();
        let game = self.taken;
        self.taken += 1;
        Some(Analysis::new(
            &self.sources[game],
            self.from(game),
            positions,
        ))
    }

    /// What is left of the first game that is not whole; nothing if all are.
    #[must_use]
    pub fn rest(mut self) -> Option<Rest> {
        let (game, from) = (self.taken, self.from(self.taken));
        let positions = self.positions.get_mut(game)?.iter_mut();
        let positions: Vec<Position> = positions.map_while(Option::take).collect();
        // The last one is not done: what its move was worth, the next would tell.
        let done = positions.len().saturating_sub(1);
        Some(Rest {
            game,
            part: (done > 0).then(|| Analysis::new(&self.sources[game], from, positions)),
            next: from + done + 1,
        })
    }
}
