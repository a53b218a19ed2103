//! Games of two settings of the search, as the arena plays them with `self:` players.

use analysis::level::Strength;
use analysis::root_parallel::{Means, RootParallel};
use base::openings;
use base::schedule::Fixture;
use engine::board::Board;
use engine::budget::Budget;
use engine::eval::Networks;
use engine::mcts::Params;
use engine::movegen;
use serde::{Deserialize, Serialize};

/// Memory of a search, in bytes: what the arena gives a `self:` player.
const MEMORY: usize = 64 << 20;

/// What all games share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, clap::Args)]
pub struct Conditions {
    /// Iterations a move
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub iterations: u64,
    /// Random plies of an opening, 0 to 20
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=20))]
    pub plies: u8,
    /// Seed of openings and searches.
    #[arg(skip)]
    pub seed: u64,
}

impl Conditions {
    /// Plays a game; returns the number of the player who won. Nothing if it was broken off.
    ///
    /// # Panics
    /// If the search breaks the rules.
    pub fn play(
        &self,
        game: Fixture,
        settings: [Params; 2],
        networks: &Networks,
        broken_off: impl Fn() -> bool,
    ) -> Option<usize> {
        let mut board = Board::start();
        for turn in openings::opening(self.seed, game.opening, self.plies.into()) {
            board.play(turn).expect("an opening is legal");
        }
        let seed = self.seed.wrapping_add(game.number as u64);
        let strength = Strength::Budget(Budget::Iterations(self.iterations));
        let mut engines = game.players.map(|player| {
            let means = Means {
                params: settings[player],
                networks: networks.clone(),
                ..Means::new(MEMORY, 1, seed)
            };
            RootParallel::new(&board, &means)
        });
        while movegen::count(&board) > 0 {
            let mover = &mut engines[board.to_move() as usize];
            let thought = mover.think(&board, strength, &broken_off)?;
            board.play(thought.turn).expect("the best move is legal");
        }
        Some(game.players[!board.to_move() as usize])
    }
}
