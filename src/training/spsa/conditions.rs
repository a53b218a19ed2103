//! [`Conditions`] under which two settings of the search parameters play against each other in a tuning run: search
//! iterations, random openings and seed.

use analysis::level::Strength;
use analysis::tree_parallel::{SearchSettings, TreeParallel};
use base::openings;
use base::schedule::ScheduledGame;
use engine::board::Board;
use engine::budget::Budget;
use engine::eval::Networks;
use engine::mcts::Params;
use engine::movegen;
use serde::{Deserialize, Serialize};

/// Memory limit, in bytes, of the search tree of each of the two engines that play a game. The `self:` players of
/// `amazons arena` have the same limit.
const TREE_BYTES: usize = 64 << 20;

/// Conditions of all games of a tuning run: search iterations per move, random opening plies and seed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, clap::Args)]
pub struct Conditions {
    /// Search iterations per move
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub iterations: u64,
    /// Number of random opening plies, 0 to 20
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=20))]
    pub plies: u8,
    /// Seed of the random openings and of the searches; set from `--seed`.
    #[arg(skip)]
    pub seed: u64,
}

impl Conditions {
    /// Plays a game between two engines with the search parameters `settings[0]` and `settings[1]`. `game.players`
    /// contains the indices in `settings` of the black and the white engine; `game.opening` is the number of the random
    /// opening. The game ends when a player can't move.
    ///
    /// Returns the winner's index in `settings`, 0 or 1. Returns `None` if `is_cancelled` returned true before the game
    /// ended.
    ///
    /// # Panics
    /// If a search returns an illegal move.
    pub fn play(
        &self,
        game: ScheduledGame,
        settings: [Params; 2],
        networks: &Networks,
        is_cancelled: impl Fn() -> bool,
    ) -> Option<usize> {
        let mut board = Board::start();
        for turn in openings::random_opening(self.seed, game.opening, self.plies.into()) {
            board.play(turn).expect("an opening is legal");
        }
        let seed = self.seed.wrapping_add(game.number as u64);
        let strength = Strength::Budget(Budget::Iterations(self.iterations));
        let mut engines = game.players.map(|player| {
            let settings = SearchSettings {
                params: settings[player],
                networks: networks.clone(),
                ..SearchSettings::new(TREE_BYTES, 1, seed)
            };
            TreeParallel::new(&board, &settings)
        });
        while movegen::count(&board) > 0 {
            let engine = &mut engines[board.to_move() as usize];
            let thought = engine.choose_move(&board, strength, &is_cancelled)?;
            board.play(thought.turn).expect("the best move is legal");
        }
        Some(game.players[!board.to_move() as usize])
    }
}
