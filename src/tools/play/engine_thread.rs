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
const ADVICE_BUDGET: Strength = Strength::Budget(Budget::Iterations(40_000));

/// A search that is running on its own thread.
struct RunningSearch {
    /// Whether the search chooses the bot's move; if not, its result is advice for a person.
    is_bots_move: bool,
    start: Instant,
    /// Flag that stops the search.
    stop: Arc<AtomicBool>,
    result: Receiver<ChosenMove>,
}

/// Result of a search.
pub enum SearchResult {
    /// A hint and a win probability for the current position are available in [`EngineThread::advice`].
    Advice,
    /// The bot plays this move.
    Move(Move),
}

/// Starts searches and stores their latest results for one game.
pub struct EngineThread {
    search_settings: SearchSettings,
    /// Search of the strongest level, as uploaded to Botzone; it reuses its trees from turn to turn.
    uploaded: Arc<Mutex<RootParallel>>,
    search: Option<RunningSearch>,
    /// Best move and win probability of the current position, if a person asked for advice and the search has finished.
    pub advice: Option<ChosenMove>,
    /// Win probability of black from 0 to 1, according to the last search.
    pub black_wins: Option<f32>,
    /// Minimum duration of a turn between two bots.
    pub pace: Duration,
    /// Time at which the current turn began.
    turn_start: Instant,
    /// The bot's next move, while it waits for the end of the minimum duration of a turn.
    pending_move: Option<Move>,
}

impl EngineThread {
    /// Creates an engine that is idle. `seed` determines all its random choices, and `pace` is the minimum duration of a turn
    /// between two bots. `threads` is the number of search threads for hints, the strongest level, and bots with a search
    /// budget.
    #[must_use]
    pub fn new(seed: u64, threads: usize, pace: Duration) -> EngineThread {
        let search_settings = SearchSettings::new(Options::default().memory, threads, seed);
        let uploaded = RootParallel::new(&Board::start(), &search_settings);
        EngineThread {
            search_settings,
            uploaded: Arc::new(Mutex::new(uploaded)),
            search: None,
            advice: None,
            black_wins: None,
            pace,
            turn_start: Instant::now(),
            pending_move: None,
        }
    }

    /// Returns how long the bot has been searching for its move, or `None` if it isn't searching.
    #[must_use]
    pub fn thinking_time(&self) -> Option<Duration> {
        let search = self.search.as_ref().filter(|search| search.is_bots_move)?;
        Some(search.start.elapsed())
    }

    /// Tests if a search is running, or if a move waits for the end of its minimum duration.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.search.is_some() || self.pending_move.is_some()
    }

    /// Starts a search for advice, unless any search is running or advice is available.
    pub fn request_advice(&mut self, board: &Board) {
        if self.advice.is_none() && self.search.is_none() {
            self.start_search(board, ADVICE_BUDGET, false);
        }
    }

    fn start_search(&mut self, board: &Board, strength: Strength, is_bots_move: bool) {
        let (sender, result) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        self.search = Some(RunningSearch {
            is_bots_move,
            start: Instant::now(),
            stop: Arc::clone(&stop),
            result,
        });
        let (board, search_settings, uploaded) = (
            board.clone(),
            self.search_settings.clone(),
            self.uploaded.clone(),
        );
        thread::spawn(move || {
            let is_stopped = || stop.load(Ordering::Relaxed);
            // Except at the strongest level, each search starts with an empty tree, so that earlier hints and undo don't change
            // the bot's strength.
            let thought = match strength.method() {
                Method::Uploaded => {
                    let mut uploaded = uploaded.lock().unwrap_or_else(PoisonError::into_inner);
                    uploaded.think(&board, strength, &is_stopped)
                }
                _ => {
                    RootParallel::new(&board, &search_settings).think(&board, strength, &is_stopped)
                }
            };
            // If the search was cancelled, nobody receives the result, and `send` fails.
            thought.map(|thought| sender.send(thought))
        });
    }

    /// Starts a search if a bot is to move; then waits up to `timeout` for advice or for the bot's move.
    pub fn wait(&mut self, game: &Game, timeout: Duration) -> Option<SearchResult> {
        if self.pending_move.is_some() {
            return self.release_when_due(game, timeout);
        }
        if let Some(strength) = game.bot_to_move()
            && self.search.is_none()
        {
            self.start_search(game.board(), strength, true);
        }
        let thought = self.search.as_ref()?.result.recv_timeout(timeout).ok()?;
        let is_bots_move = self.search.take()?.is_bots_move;
        self.black_wins = Some(thought.black_wins);
        if !is_bots_move {
            self.advice = Some(thought);
            return Some(SearchResult::Advice);
        }
        self.pending_move = Some(thought.turn);
        self.release_when_due(game, Duration::ZERO)
    }

    /// Waits up to `timeout` for the end of the turn's minimum duration, which only games between two bots have; then returns
    /// the bot's move.
    fn release_when_due(&mut self, game: &Game, timeout: Duration) -> Option<SearchResult> {
        let pace = if game.has_human() {
            Duration::ZERO
        } else {
            self.pace
        };
        let remaining = pace.saturating_sub(self.turn_start.elapsed());
        thread::sleep(remaining.min(timeout));
        let turn = self.pending_move.take_if(|_| remaining <= timeout)?;
        self.advice = None;
        self.turn_start = Instant::now();
        Some(SearchResult::Move(turn))
    }

    /// Cancels the running search and drops advice and waiting moves, because the position on the board has changed.
    pub fn cancel(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop.store(true, Ordering::Relaxed);
        }
        self.advice = None;
        self.pending_move = None;
        self.turn_start = Instant::now();
    }
}
