//! Runs each search of the engine on its own thread, so that the interface never blocks: moves of the bot, and hints for
//! people.

use super::game::Game;
use analysis::level::{Method, Strength};
use analysis::root_parallel::{ChosenMove, RootParallel, SearchSettings};
use engine::board::{Board, Move};
use engine::botzone::options::Options;
use engine::budget::Budget;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Search budget for hints and win probabilities.
const ADVICE: Strength = Strength::Budget(Budget::Iterations(40_000));

/// A search that is running.
struct Question {
    /// Whether the search chooses the bot's move; if not, its result is advice for a person.
    plays: bool,
    since: Instant,
    /// Flag that stops the search.
    stop: Arc<AtomicBool>,
    answer: Receiver<ChosenMove>,
}

/// Result of a search.
pub enum Answer {
    /// A hint and a win probability for the current position are available in [`EngineThread::advice`].
    Advice,
    /// The bot plays this move.
    Move(Move),
}

/// Starts searches and stores their latest results for one game.
pub struct EngineThread {
    settings: SearchSettings,
    /// Search of the strongest level, as uploaded to Botzone; it reuses its trees from turn to turn.
    uploaded: Arc<Mutex<RootParallel>>,
    question: Option<Question>,
    /// Best move and win probability of the current position, if a person asked for advice and the search has finished.
    pub advice: Option<ChosenMove>,
    /// Win probability of black from 0 to 1, according to the last search.
    pub black_wins: Option<f32>,
    /// Minimum duration of a turn between two bots.
    pub pace: Duration,
    /// Time at which the current turn began.
    since: Instant,
    /// The bot's next move, while it waits for the end of the minimum duration of a turn.
    held: Option<Move>,
}

impl EngineThread {
    /// Creates an engine that is idle. `seed` determines all its random choices, and `pace` is the minimum duration of a turn
    /// between two bots. `threads` is the number of search threads for hints, the strongest level, and bots with a search
    /// budget.
    #[must_use]
    pub fn new(seed: u64, threads: usize, pace: Duration) -> EngineThread {
        let settings = SearchSettings::new(Options::default().memory, threads, seed);
        let uploaded = RootParallel::new(&Board::start(), &settings);
        EngineThread {
            settings,
            uploaded: Arc::new(Mutex::new(uploaded)),
            question: None,
            advice: None,
            black_wins: None,
            pace,
            since: Instant::now(),
            held: None,
        }
    }

    /// Returns how long the bot has been searching for its move, or `None` if it isn't searching.
    #[must_use]
    pub fn thinking(&self) -> Option<Duration> {
        let question = self.question.as_ref().filter(|question| question.plays)?;
        Some(question.since.elapsed())
    }

    /// Tests if a search is running, or if a move waits for the end of its minimum duration.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.question.is_some() || self.held.is_some()
    }

    /// Starts a search for advice, unless any search is running or advice is available.
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
        let (board, settings, uploaded) =
            (board.clone(), self.settings.clone(), self.uploaded.clone());
        thread::spawn(move || {
            let is_stopped = || stop.load(Ordering::Relaxed);
            // Except at the strongest level, each search starts with an empty tree, so that earlier hints and undo don't change
            // the bot's strength.
            let thought = match strength.method() {
                Method::Uploaded => {
                    let mut uploaded = uploaded.lock().unwrap_or_else(PoisonError::into_inner);
                    uploaded.think(&board, strength, &is_stopped)
                }
                _ => RootParallel::new(&board, &settings).think(&board, strength, &is_stopped),
            };
            // If the search was cancelled, nobody receives the result, and `send` fails.
            thought.map(|thought| sender.send(thought))
        });
    }

    /// Starts a search if a bot is to move; then waits up to `timeout` for advice or for the bot's move.
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

    /// Waits up to `timeout` for the end of the turn's minimum duration, which only games between two bots have; then returns
    /// the bot's move.
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

    /// Cancels the running search and drops advice and waiting moves, because the position on the board has changed.
    pub fn forget(&mut self) {
        if let Some(question) = self.question.take() {
            question.stop.store(true, Ordering::Relaxed);
        }
        self.advice = None;
        self.held = None;
        self.since = Instant::now();
    }
}
