//! The review of a game: a thread beside the game searches every position.

use super::game::Game;
use crate::board::{Move, Player};
use crate::botzone::options::Options;
use crate::budget::Budget;
use crate::tools::analysis::game::{Analysis, Source};
use crate::tools::analysis::position::Searcher;
use crate::tools::analysis::review::Side;
use crate::tools::record::replayed::Replayed;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// Iterations for each position: a game takes seconds.
const ITERATIONS: u64 = 10_000;

/// The result of a review.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// What black did and what white did.
    pub sides: [Side; 2],
    /// The biggest mistakes of both, in the order of the game.
    pub mistakes: Vec<Mistake>,
}

/// A move that lost win probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistake {
    /// Number of the ply, from 1.
    pub ply: usize,
    /// Who made it.
    pub player: Player,
    /// The move.
    pub turn: Move,
    /// A better one.
    pub better: Move,
    /// The loss of win probability.
    pub loss: f32,
}

/// A running review. Dropping it breaks it off.
pub struct Job {
    found: Receiver<Findings>,
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
    pub fn wait(&self, timeout: Duration) -> Option<Findings> {
        self.found.recv_timeout(timeout).ok()
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Reviews the game of legal moves from the start; nothing if it is broken off.
fn review(moves: &[Move], stop: &AtomicBool) -> Option<Findings> {
    let game = Replayed::of_moves(moves).expect("the moves were played");
    let searcher = Searcher {
        budget: Budget::Iterations(ITERATIONS),
        memory: Options::default().memory,
        threads: 1,
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
    let analysis = Analysis::new(&source, 0, positions);
    let found = &analysis.summary.review;
    let mut plies = [found.black.biggest.as_slice(), &found.white.biggest].concat();
    plies.sort_unstable();
    let mistakes = plies.iter().filter_map(|&ply| mistake(&analysis, ply));
    Some(Findings {
        mistakes: mistakes.collect(),
        sides: [found.black.clone(), found.white.clone()],
    })
}

fn mistake(analysis: &Analysis, ply: usize) -> Option<Mistake> {
    let found = &analysis.plies[ply - 1];
    Some(Mistake {
        ply,
        player: found.player,
        turn: found.turn?,
        better: *found.principal_variation.first()?,
        loss: found.loss?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::seat::Seat;
    use super::*;

    #[test]
    fn a_move_into_the_corner_is_a_mistake() {
        // Black walls an amazon of its own in.
        let line = ["a3 a1 b1", "h6 h4 e7", "f1 c4 b3", "f8 f5 d7"];
        let line = line.map(|text| text.parse().expect("a move")).to_vec();
        let game = Game::with_moves([Seat::Human; 2], line).expect("legal");
        let review = Job::begin(&game)
            .wait(Duration::from_secs(600))
            .expect("found");
        let worst = review
            .mistakes
            .iter()
            .max_by(|a, b| a.loss.total_cmp(&b.loss));
        let worst = worst.expect("a mistake");
        assert_eq!(worst.player, Player::Black);
        assert!(worst.loss > 0.02 && worst.turn != worst.better);
        assert_eq!(review.sides[0].moves, 2);
    }
}
