//! The bot beside the game: it thinks in a thread of its own, and can be told to stop at any time.

use crate::board::{Board, Move, Player};
use crate::mcts::{Params, Search};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Memory of the search tree in bytes.
const MEMORY: usize = 128 << 20;

/// Iterations a move of every level, from 1: each thinks four times as long as the one before.
pub const LEVELS: [u64; 8] = [10, 40, 160, 640, 2_560, 10_240, 40_960, 163_840];

/// What hints and win probabilities are searched with.
pub const ADVICE: Strength = Strength::Level(7);

/// How long the bot thinks about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// One of the levels, from 1.
    Level(u8),
    /// So much time.
    Time(Duration),
    /// So many iterations.
    Iterations(u64),
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strength::Level(level) => write!(f, "level {level}"),
            Strength::Time(time) => write!(f, "{} ms", time.as_millis()),
            Strength::Iterations(iterations) => write!(f, "{iterations} iterations"),
        }
    }
}

impl Strength {
    /// Tests if there is something left to do after so many iterations since `start`.
    fn allows(self, iterations: u64, start: Instant) -> bool {
        match self {
            Strength::Level(level) => iterations < LEVELS[usize::from(level) - 1],
            Strength::Iterations(limit) => iterations < limit,
            Strength::Time(time) => start.elapsed() < time,
        }
    }
}

/// What the bot has found out about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thought {
    /// The move it would play.
    pub turn: Move,
    /// Win probability of black.
    pub black_wins: f32,
}

/// A position to think about.
struct Task {
    number: u64,
    board: Board,
    strength: Strength,
}

/// The bot, seen from outside its thread.
pub struct Bot {
    tasks: Sender<Task>,
    thoughts: Receiver<(u64, Thought)>,
    /// Number of the task that is wanted; whoever works on another one stops.
    wanted: Arc<AtomicU64>,
    since: Option<Instant>,
}

impl Bot {
    /// Starts the bot's thread; `seed` decides all its random choices.
    #[must_use]
    pub fn new(seed: u64) -> Bot {
        let (tasks, task_list) = mpsc::channel::<Task>();
        let (sender, thoughts) = mpsc::channel();
        let wanted = Arc::new(AtomicU64::new(0));
        let still_wanted = Arc::clone(&wanted);
        thread::spawn(move || {
            for task in task_list {
                let is_wanted = || still_wanted.load(Ordering::Relaxed) == task.number;
                let thought = think(&task, seed, is_wanted);
                if let Some(thought) = thought
                    && sender.send((task.number, thought)).is_err()
                {
                    break;
                }
            }
        });
        Bot {
            tasks,
            thoughts,
            wanted,
            since: None,
        }
    }

    /// Asks for a thought about a position in which there is a move; what was asked before is dropped.
    pub fn ask(&mut self, board: &Board, strength: Strength) {
        self.cancel();
        let task = Task {
            number: self.wanted.load(Ordering::Relaxed),
            board: board.clone(),
            strength,
        };
        self.tasks.send(task).expect("the bot's thread lives");
        self.since = Some(Instant::now());
    }

    /// Drops what was asked.
    pub fn cancel(&mut self) {
        self.wanted.fetch_add(1, Ordering::Relaxed);
        self.since = None;
    }

    /// For how long the bot has been thinking, if it is.
    #[must_use]
    pub fn thinking(&self) -> Option<Duration> {
        self.since.map(|since| since.elapsed())
    }

    /// Waits so long for the thought that was asked for.
    pub fn wait(&mut self, timeout: Duration) -> Option<Thought> {
        self.since?;
        while let Ok((number, thought)) = self.thoughts.recv_timeout(timeout) {
            if number == self.wanted.load(Ordering::Relaxed) {
                self.since = None;
                return Some(thought);
            }
        }
        None
    }
}

/// Searches a position; nothing if the thought is no longer wanted.
///
/// Every search begins anew, so that a level is as strong after a hint or an undo as before.
fn think(task: &Task, seed: u64, is_wanted: impl Fn() -> bool) -> Option<Thought> {
    if !is_wanted() {
        return None;
    }
    let start = Instant::now();
    let mut search = Search::new(task.board.clone(), MEMORY, seed, Params::default());
    search.run(|iterations| {
        is_wanted() && (iterations == 0 || task.strength.allows(iterations, start))
    });
    let turn = search.best_move()?;
    let win_probability = search.report().win_probability;
    let black_wins = match task.board.to_move() {
        Player::Black => win_probability,
        Player::White => 1.0 - win_probability,
    };
    is_wanted().then_some(Thought { turn, black_wins })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn the_same_question_has_the_same_answer() {
        let mut bot = Bot::new(1);
        let answers = [(); 2].map(|()| {
            bot.ask(&Board::start(), Strength::Level(3));
            bot.wait(LONG).expect("an answer")
        });
        assert_eq!(answers[0], answers[1]);
        assert_eq!(Board::start().check(answers[0].turn), Ok(()));
        assert_eq!(bot.thinking(), None);
    }

    #[test]
    fn what_is_dropped_is_never_answered() {
        let mut bot = Bot::new(1);
        bot.ask(&Board::start(), Strength::Time(LONG));
        assert!(bot.thinking().is_some());
        let mut board = Board::start();
        board
            .play("c1 c6 f6".parse().expect("a move"))
            .expect("legal");
        bot.ask(&board, Strength::Iterations(5));
        let thought = bot.wait(LONG).expect("an answer");
        assert_eq!(board.check(thought.turn), Ok(()));
        bot.ask(&board, Strength::Time(LONG));
        bot.cancel();
        assert_eq!(bot.wait(LONG), None);
    }
}
