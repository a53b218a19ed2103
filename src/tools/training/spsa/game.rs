//! Games of two settings of the search, as the arena plays them with `self:` players.

use crate::board::Board;
use crate::mcts::{Params, Search};
use crate::movegen;
use crate::tools::player::openings;
use crate::tools::player::schedule::Fixture;
use serde::{Deserialize, Serialize};

/// Memory of a search, in bytes: what the arena gives a `self:` player.
const MEMORY: usize = 64 << 20;

/// What all games share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// Iterations a move.
    pub iterations: u64,
    /// Random plies of an opening.
    pub plies: usize,
    /// Seed of openings and searches.
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
        broken_off: impl Fn() -> bool,
    ) -> Option<usize> {
        let mut board = Board::start();
        for turn in openings::opening(self.seed, game.opening, self.plies) {
            board.play(turn).expect("an opening is legal");
        }
        let seed = self.seed.wrapping_add(game.number as u64);
        let mut searches = game
            .players
            .map(|player| Search::new(board.clone(), MEMORY, seed, settings[player]));
        while movegen::count(searches[0].board()) > 0 {
            let colour = searches[0].board().to_move();
            let mover = &mut searches[colour as usize];
            mover.run(|iterations| iterations < self.iterations && !broken_off());
            if broken_off() {
                return None;
            }
            let turn = mover.best_move().expect("there is a move");
            for search in &mut searches {
                search.advance_root(turn).expect("the best move is legal");
            }
        }
        let winner = !searches[0].board().to_move();
        Some(game.players[winner as usize])
    }
}
