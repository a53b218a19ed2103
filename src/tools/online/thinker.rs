//! The engine of one match, in a thread of its own: it keeps its trees from turn to turn, and may go on thinking while the
//! opponent does.

use crate::board::{Board, Move};
use crate::tools::player::engine::Engine;
use crate::tools::player::spec::EngineSpec;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

/// What was thought of.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The board that it is about.
    pub board: Board,
    /// The move to play.
    pub turn: Move,
    /// Our win probability.
    pub chance: f32,
}

/// The engine of one match. Dropped, it stops thinking.
pub struct Thinker {
    boards: Sender<Board>,
    calls: Arc<Calls>,
}

/// What breaks a thought off.
#[derive(Default)]
struct Calls {
    is_dropped: AtomicBool,
    /// Boards that were asked about.
    boards: AtomicU64,
}

impl Thinker {
    /// Starts the engine; it passes its thoughts to `report`. It thinks on the opponent's time as long as `may_ponder` is
    /// set.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(
        spec: EngineSpec,
        seed: u64,
        may_ponder: Arc<AtomicBool>,
        report: impl Fn(Thought) + Send + 'static,
    ) -> io::Result<Thinker> {
        let (boards, tasks) = mpsc::channel::<Board>();
        let calls = Arc::new(Calls::default());
        let heard = Arc::clone(&calls);
        thread::Builder::new().spawn(move || {
            let mut engine = Engine::new(spec, seed);
            for (number, board) in (1..).zip(tasks) {
                let is_dropped = || heard.is_dropped.load(Ordering::Relaxed);
                if let Some((turn, chance)) = engine.think(&board, &is_dropped) {
                    report(Thought {
                        board,
                        turn,
                        chance,
                    });
                }
                engine.ponder(&|| {
                    let is_asked = heard.boards.load(Ordering::Relaxed) > number;
                    is_dropped() || is_asked || !may_ponder.load(Ordering::Relaxed)
                });
            }
        })?;
        Ok(Thinker { boards, calls })
    }

    /// Asks for a thought about a board with a move.
    pub fn ask(&self, board: Board) {
        self.calls.boards.fetch_add(1, Ordering::Relaxed);
        // The thread lives as long as this value.
        let _ = self.boards.send(board);
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.calls.is_dropped.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::mcts::Params;
    use crate::movegen;
    use std::time::Duration;

    /// Waits for ever if pondering is not broken off by the next board.
    #[test]
    fn a_board_ends_pondering_and_is_thought_about() {
        let spec = EngineSpec {
            budget: Budget::Iterations(200),
            memory: 8 << 20,
            threads: 2,
            seed: 1,
            params: Params::default(),
        };
        let (sender, thoughts) = mpsc::channel();
        let may_ponder = Arc::new(AtomicBool::new(true));
        let report = move |thought| sender.send(thought).expect("the test listens");
        let thinker = Thinker::start(spec, 1, Arc::clone(&may_ponder), report);
        let thinker = thinker.expect("a thread");
        let mut board = Board::start();
        for _ in 0..6 {
            thinker.ask(board.clone());
            let thought = thoughts.recv().expect("a thought");
            assert_eq!(thought.board, board);
            board.play(thought.turn).expect("legal");
            let reply = movegen::moves(&board)[0];
            board.play(reply).expect("legal");
            thread::sleep(Duration::from_millis(1));
        }
    }
}
