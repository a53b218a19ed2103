//! The bot beside the game: it thinks in a thread of its own, and can be told to stop at any time.

use crate::board::{Board, Move, Player};
use crate::botzone::options::Options;
use crate::budget::Budget;
use crate::clock::{Clock, SystemTime};
use crate::eval::{MAX_LOG_ODDS, evaluate_board, log_odds, probability};
use crate::mcts::Params;
use crate::tools::thinking::level::{Method, Strength, glance};
use crate::tools::thinking::root_parallel::RootParallel;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Budget of the search for hints and win probabilities.
pub const ADVICE: Strength = Strength::Budget(Budget::Iterations(40_000));

/// The bot's result on a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thought {
    /// The move it would play.
    pub turn: Move,
    /// Win probability of black.
    pub black_wins: f32,
}

/// A position to think about.
struct Assignment {
    number: u64,
    board: Board,
    strength: Strength,
}

/// The bot, seen from outside its thread.
pub struct Bot {
    tasks: Sender<Assignment>,
    thoughts: Receiver<(u64, Thought)>,
    /// Number of the current task. Work on any other task stops.
    wanted: Arc<AtomicU64>,
    since: Option<Instant>,
}

impl Bot {
    /// Starts the bot's thread; `seed` decides all its random choices. With a budget of its own, or as strong as it is
    /// uploaded, it searches by so many `threads`. The levels below keep to one, which is what they are measured with.
    #[must_use]
    pub fn new(seed: u64, threads: usize) -> Bot {
        let (tasks, task_list) = mpsc::channel::<Assignment>();
        let (sender, thoughts) = mpsc::channel();
        let wanted = Arc::new(AtomicU64::new(0));
        let still_wanted = Arc::clone(&wanted);
        thread::spawn(move || {
            let mut mind = Mind {
                seed,
                threads,
                search: None,
            };
            for task in task_list {
                let is_wanted = || still_wanted.load(Ordering::Relaxed) == task.number;
                let thought = mind.think(&task, is_wanted);
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

    /// Asks for a thought about a position with a move. An earlier question is dropped.
    pub fn ask(&mut self, board: &Board, strength: Strength) {
        self.cancel();
        let task = Assignment {
            number: self.wanted.load(Ordering::Relaxed),
            board: board.clone(),
            strength,
        };
        self.tasks.send(task).expect("the bot's thread lives");
        self.since = Some(Instant::now());
    }

    /// Drops the question.
    pub fn cancel(&mut self) {
        self.wanted.fetch_add(1, Ordering::Relaxed);
        self.since = None;
    }

    /// Time that the bot has been thinking, if it is.
    #[must_use]
    pub fn thinking(&self) -> Option<Duration> {
        self.since.map(|since| since.elapsed())
    }

    /// Waits for the thought that was asked for, with a time limit.
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

/// State of the bot's thread between two tasks.
struct Mind {
    seed: u64,
    threads: usize,
    /// The last search of a bot as it is uploaded, for its next turn.
    search: Option<RootParallel>,
}

impl Mind {
    /// Thinks about a position; nothing if the thought is no longer wanted.
    ///
    /// Every level but the uploaded bot begins anew each time, so that it is as strong after a hint or an undo as
    /// before.
    fn think(&mut self, task: &Assignment, is_wanted: impl Fn() -> bool) -> Option<Thought> {
        if !is_wanted() {
            return None;
        }
        let clock = Clock::of_wall();
        match task.strength.method() {
            Method::Glance(count) => {
                // The seed depends on the position.
                let seed = self.seed ^ task.board.empty();
                let turn = glance(&task.board, count, &mut SmallRng::seed_from_u64(seed))?;
                let black_wins = probability(log_odds(
                    evaluate_board(&task.board).clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS),
                ));
                Some(Thought { turn, black_wins })
            }
            Method::Search(budget) => {
                let threads = match task.strength {
                    Strength::Level(_) => 1,
                    Strength::Budget(_) => self.threads,
                };
                let mut search = self.new_search(task, threads);
                spend(budget, &mut search, &clock, is_wanted)
            }
            Method::Uploaded => self.search_on(task, &clock, is_wanted),
        }
    }

    fn new_search(&self, task: &Assignment, threads: usize) -> RootParallel {
        let memory = Options::default().memory;
        RootParallel::new(&task.board, memory, self.seed, Params::default(), threads)
    }

    /// Continues the search of the turn before, if the position follows by one move.
    fn search_on(
        &mut self,
        task: &Assignment,
        clock: &Clock<SystemTime>,
        is_wanted: impl Fn() -> bool,
    ) -> Option<Thought> {
        let mut known = self.search.take();
        let follows = |search: &mut RootParallel| search.follow_turn(&task.board);
        let is_first = !known.as_mut().is_some_and(follows);
        let mut search = known
            .filter(|_| !is_first)
            .unwrap_or_else(|| self.new_search(task, self.threads));
        let budget = Options::default().budget(is_first);
        let thought = spend(budget, &mut search, clock, is_wanted)?;
        search.advance_root(thought.turn);
        self.search = Some(search);
        Some(thought)
    }
}

/// Runs a search; nothing if it is no longer wanted.
fn spend(
    budget: Budget,
    search: &mut RootParallel,
    clock: &Clock<SystemTime>,
    is_wanted: impl Fn() -> bool,
) -> Option<Thought> {
    search.spend(budget, clock, || !is_wanted());
    let turn = search.best_move()?;
    let win_probability = search.report().win_probability;
    let black_wins = match search.board().to_move() {
        Player::Black => win_probability,
        Player::White => 1.0 - win_probability,
    };
    is_wanted().then_some(Thought { turn, black_wins })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::thinking::level::LEVELS;

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn the_same_question_has_the_same_answer() {
        let mut bot = Bot::new(1, 2);
        let answers = [(); 2].map(|()| {
            bot.ask(&Board::start(), Strength::Level(3));
            bot.wait(LONG).expect("an answer")
        });
        assert_eq!(answers[0], answers[1]);
        assert_eq!(Board::start().check(answers[0].turn), Ok(()));
        assert_eq!(bot.thinking(), None);
    }

    #[test]
    fn every_level_plays_a_whole_turn_after_another() {
        let mut bot = Bot::new(1, 2);
        for level in 1..=LEVELS.len() as u8 {
            let mut board = Board::start();
            for _ in 0..2 {
                bot.ask(&board, Strength::Level(level));
                let thought = bot.wait(LONG).expect("an answer");
                board.play(thought.turn).expect("legal");
                assert!((0.0..=1.0).contains(&thought.black_wins));
            }
        }
    }

    #[test]
    fn what_is_dropped_is_never_answered() {
        let mut bot = Bot::new(1, 2);
        bot.ask(&Board::start(), Strength::Budget(Budget::Time(LONG)));
        assert!(bot.thinking().is_some());
        let mut board = Board::start();
        board
            .play("c1 c6 f6".parse().expect("a move"))
            .expect("legal");
        bot.ask(&board, Strength::Budget(Budget::Iterations(5)));
        let thought = bot.wait(LONG).expect("an answer");
        assert_eq!(board.check(thought.turn), Ok(()));
        bot.ask(&board, Strength::Budget(Budget::Time(LONG)));
        bot.cancel();
        assert_eq!(bot.wait(LONG), None);
    }
}
