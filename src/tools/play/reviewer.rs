//! The review of a game: a thread beside the game searches every position.

use super::game::Game;
use crate::board::Move;
use crate::botzone::options::Options;
use crate::budget::Budget;
use crate::tools::analysis::analysed::{Analysis, Source};
use crate::tools::analysis::ply::Ply;
use crate::tools::analysis::position::{Searcher, means};
use crate::tools::record::replayed::Replayed;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// Iterations for each position: a game takes seconds.
const ITERATIONS: u64 = 10_000;

/// A running review. Dropping it breaks it off.
pub struct Job {
    found: Receiver<Analysis>,
    stop: Arc<AtomicBool>,
}

impl Job {
    /// Begins to review the moves on the board of a game.
    #[must_use]
    pub fn begin(game: &Game) -> Job {
        let (sender, found) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let (moves, stopped) = (game.moves().to_vec(), Arc::clone(&stop));
        thread::spawn(move || {
            if let Some(review) = review(&moves, &stopped) {
                // A receiver that has gone wants no review.
                let _ = sender.send(review);
            }
        });
        Job { found, stop }
    }

    /// Waits for the review, with a time limit.
    #[must_use]
    pub fn wait(&self, timeout: Duration) -> Option<Analysis> {
        self.found.recv_timeout(timeout).ok()
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Reviews the game of legal moves from the start; nothing if it is broken off.
fn review(moves: &[Move], stop: &AtomicBool) -> Option<Analysis> {
    let game = Replayed::of_moves(moves).expect("the moves were played");
    let searcher = Searcher {
        budget: Budget::Iterations(ITERATIONS),
        means: means(Options::default().memory, 1),
        multipv: 1,
        stop,
    };
    let positions = (0..=game.plies())
        .map(|at| searcher.position(&game.board_at(at), game.move_at(at)))
        .collect::<Option<Vec<_>>>()?;
    let source = Source {
        title: String::new(),
        game,
    };
    Some(Analysis::new(&source, 0, positions))
}

/// The biggest mistakes of both, in the order of the game.
pub fn mistakes(analysis: &Analysis) -> impl Iterator<Item = &Ply> {
    let found = &analysis.summary.review;
    let mut plies = [found.black.biggest.as_slice(), &found.white.biggest].concat();
    plies.sort_unstable();
    plies.into_iter().map(|ply| &analysis.plies[ply - 1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Player;

    #[test]
    fn a_move_into_the_corner_is_a_mistake() {
        // Black walls an amazon of its own in.
        let game = Game::of_people(&["a3 a1 b1", "h6 h4 e7", "f1 c4 b3", "f8 f5 d7"]);
        let review = Job::begin(&game)
            .wait(Duration::from_secs(600))
            .expect("found");
        let worst = mistakes(&review).max_by(|a, b| a.loss.partial_cmp(&b.loss).expect("numbers"));
        let worst = worst.expect("a mistake");
        assert_eq!(worst.player, Player::Black);
        assert!(worst.loss > Some(0.02));
        assert_ne!(worst.turn.as_ref(), worst.principal_variation.first());
        assert_eq!(review.summary.review.black.moves, 2);
    }
}
