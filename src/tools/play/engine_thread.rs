//! The engine in a thread for each question, so that nobody waits for it: the bot's moves, at a pace between bots, and
//! advice for people.

use super::game::Game;
use analysis::level::{Method, Strength};
use analysis::root_parallel::{Means, RootParallel, Thought};
use engine::board::{Board, Move};
use engine::botzone::options::Options;
use engine::budget::Budget;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Budget of the search for hints and win probabilities.
const ADVICE: Strength = Strength::Budget(Budget::Iterations(40_000));

/// A question that the engine thinks about.
struct Question {
    /// Whether it is about the bot's own move, not for advice.
    plays: bool,
    since: Instant,
    /// Breaks the search off when set.
    stop: Arc<AtomicBool>,
    answer: Receiver<Thought>,
}

/// An answer of the engine.
pub enum Answer {
    /// Advice on the position is there.
    Advice,
    /// The bot moves.
    Move(Move),
}

/// The engine, and what it thinks about a game.
pub struct EngineThread {
    means: Means,
    /// The bot as it is uploaded: it goes on with its trees from turn to turn.
    uploaded: Arc<Mutex<RootParallel>>,
    question: Option<Question>,
    /// Advice on the position, if it was asked for and is known.
    pub advice: Option<Thought>,
    /// Win probability of black, from the last thought.
    pub black_wins: Option<f32>,
    /// Least time of a turn between two bots.
    pub pace: Duration,
    /// When the last turn began.
    since: Instant,
    /// A move that is known but not due yet.
    held: Option<Move>,
}

impl EngineThread {
    /// An engine that nobody has asked yet; `seed` decides all its random choices. With a budget of its own, or as strong
    /// as it is uploaded, it searches by so many `threads`. `pace` is the least time of a turn between two bots.
    #[must_use]
    pub fn new(seed: u64, threads: usize, pace: Duration) -> EngineThread {
        let means = Means::new(Options::default().memory, threads, seed);
        let uploaded = RootParallel::new(&Board::start(), &means);
        EngineThread {
            means,
            uploaded: Arc::new(Mutex::new(uploaded)),
            question: None,
            advice: None,
            black_wins: None,
            pace,
            since: Instant::now(),
            held: None,
        }
    }

    /// Returns how long the bot has been thinking about its move, if it is.
    #[must_use]
    pub fn thinking(&self) -> Option<Duration> {
        let question = self.question.as_ref().filter(|question| question.plays)?;
        Some(question.since.elapsed())
    }

    /// Tests if the engine is busy with something.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.question.is_some() || self.held.is_some()
    }

    /// Asks for advice, unless it is known or on its way.
    pub fn ask_advice(&mut self, board: &Board) {
        if self.advice.is_none() && self.question.is_none() {
            self.ask(board, ADVICE, false);
        }
    }

    fn ask(&mut self, board: &Board, strength: Strength, plays: bool) {
        let (sender, answer) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        self.question = Some(Question {
            plays,
            since: Instant::now(),
            stop: Arc::clone(&stop),
            answer,
        });
        let (board, means, uploaded) = (board.clone(), self.means.clone(), self.uploaded.clone());
        thread::spawn(move || {
            let is_stopped = || stop.load(Ordering::Relaxed);
            // Whatever is not the uploaded bot begins anew: it is as strong after a hint or an undo as before.
            let thought = match strength.method() {
                Method::Uploaded => {
                    let mut uploaded = uploaded.lock().unwrap_or_else(PoisonError::into_inner);
                    uploaded.think(&board, strength, &is_stopped)
                }
                _ => RootParallel::new(&board, &means).think(&board, strength, &is_stopped),
            };
            // Whoever has dropped the question wants no answer.
            thought.map(|thought| sender.send(thought))
        });
    }

    /// Lets the bot begin if it is to move, then waits for advice or its move, with a time limit.
    pub fn wait(&mut self, game: &Game, timeout: Duration) -> Option<Answer> {
        if self.held.is_some() {
            return self.release(game, timeout);
        }
        if let Some(strength) = game.bot_to_move()
            && self.question.is_none()
        {
            self.ask(game.board(), strength, true);
        }
        let thought = self.question.as_ref()?.answer.recv_timeout(timeout).ok()?;
        let plays = self.question.take()?.plays;
        self.black_wins = Some(thought.black_wins);
        if !plays {
            self.advice = Some(thought);
            return Some(Answer::Advice);
        }
        self.held = Some(thought.turn);
        self.release(game, Duration::ZERO)
    }

    /// Plays the move that was held back, if it is due within so much time. People don't wait for it.
    fn release(&mut self, game: &Game, timeout: Duration) -> Option<Answer> {
        let pace = if game.has_human() {
            Duration::ZERO
        } else {
            self.pace
        };
        let early = pace.saturating_sub(self.since.elapsed());
        thread::sleep(early.min(timeout));
        let turn = self.held.take_if(|_| early <= timeout)?;
        self.advice = None;
        self.since = Instant::now();
        Some(Answer::Move(turn))
    }

    /// Drops all thoughts about a position that is no longer on the board.
    pub fn forget(&mut self) {
        if let Some(question) = self.question.take() {
            question.stop.store(true, Ordering::Relaxed);
        }
        self.advice = None;
        self.held = None;
        self.since = Instant::now();
    }
}
