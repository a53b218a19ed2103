//! [`EngineThread`]: runs searches on threads of their own, so that the interface never blocks. A search finds the
//! bot's move, or a hint for a person.

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

/// Strength of the search for a hint and a win probability: a fixed number of iterations.
const ADVICE_STRENGTH: Strength = Strength::Budget(Budget::Iterations(40_000));

/// A search that is running on its own thread.
struct RunningSearch {
    /// Whether the search chooses the bot's move. If false, its result is a hint for a person.
    is_bots_move: bool,
    /// Time at which the search began.
    start: Instant,
    /// Flag that is set to stop the search.
    stop: Arc<AtomicBool>,
    /// Channel on which the search sends its result. A search that was stopped sends no result and closes the channel.
    result: Receiver<ChosenMove>,
}

/// Result of a finished search.
pub enum SearchResult {
    /// A hint and a win probability for the current position are now available in [`EngineThread::advice`].
    Advice,
    /// Move that the bot plays.
    Move(Move),
}

/// Searches the current position of a game, with at most one search at a time, and stores the results: the hint, the
/// win probability, and the bot's move until it is played.
pub struct EngineThread {
    search_settings: SearchSettings,
    /// Search for a bot of the strongest level, which plays as on Botzone. Its search tree is kept from one turn to the
    /// next; all other searches begin with an empty tree.
    full_strength_search: Arc<Mutex<RootParallel>>,
    /// The running search; `None` if no search is running.
    search: Option<RunningSearch>,
    /// Best move and win probability of the current position; `None` until a search for a hint has found them.
    pub advice: Option<ChosenMove>,
    /// Win probability of black, from 0 to 1, according to the last finished search; `None` before the first search.
    pub black_win_probability: Option<f32>,
    /// Minimum duration of a turn in games between two bots.
    pub pace: Duration,
    /// Time at which the current turn began.
    turn_start: Instant,
    /// Move that the bot has found but not played yet, because the turn has not lasted its minimum duration; `None` if
    /// no move waits.
    pending_move: Option<Move>,
}

impl EngineThread {
    /// Creates an `EngineThread` without a running search. `seed` is the random seed of its searches. `pace` is the
    /// minimum duration of a turn between two bots.
    ///
    /// `threads` is the number of threads of a search for a hint, for a bot of the strongest level, or for a bot whose
    /// strength is a search budget. A search for a bot of any other level uses one thread.
    #[must_use]
    pub fn new(seed: u64, threads: usize, pace: Duration) -> EngineThread {
        let search_settings = SearchSettings::new(Options::default().memory, threads, seed);
        let full_strength_search = RootParallel::new(&Board::start(), &search_settings);
        EngineThread {
            search_settings,
            full_strength_search: Arc::new(Mutex::new(full_strength_search)),
            search: None,
            advice: None,
            black_win_probability: None,
            pace,
            turn_start: Instant::now(),
            pending_move: None,
        }
    }

    /// Returns how long the bot has been searching for its move; `None` if no such search is running.
    #[must_use]
    pub fn thinking_time(&self) -> Option<Duration> {
        let search = self.search.as_ref().filter(|search| search.is_bots_move)?;
        Some(search.start.elapsed())
    }

    /// Tests if a search is running, or if the bot's move is found but not played yet, because the turn has not lasted
    /// its minimum duration.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.search.is_some() || self.pending_move.is_some()
    }

    /// Starts a search for a hint and a win probability in the position `board`. Does nothing if a search is running or
    /// if [`EngineThread::advice`] already has them.
    pub fn request_advice(&mut self, board: &Board) {
        if self.advice.is_none() && self.search.is_none() {
            self.start_search(board, ADVICE_STRENGTH, false);
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
        let (board, search_settings, full_strength_search) = (
            board.clone(),
            self.search_settings.clone(),
            self.full_strength_search.clone(),
        );
        thread::spawn(move || {
            let is_stopped = || stop.load(Ordering::Relaxed);
            // Only the strongest level reuses its search tree. With a tree from a hint or an undone move, the other
            // levels would play better than intended.
            let chosen_move = match strength.method() {
                Method::Botzone => {
                    let mut full_strength_search = full_strength_search
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner);
                    full_strength_search.choose_move(&board, strength, &is_stopped)
                }
                _ => {
                    let mut search = RootParallel::new(&board, &search_settings);
                    search.choose_move(&board, strength, &is_stopped)
                }
            };
            // `send` fails if the search was cancelled, because the receiver was dropped. The error is ignored.
            chosen_move.map(|chosen_move| sender.send(chosen_move))
        });
    }

    /// Waits up to `timeout` for the result of the running search. If a bot is to move in `game` and no search is
    /// running, starts a search for the bot's move first.
    ///
    /// Returns `None` if no search is running, if no result has arrived in time, or if the bot's move has to wait for
    /// the minimum duration of the turn.
    pub fn wait_for_result(&mut self, game: &Game, timeout: Duration) -> Option<SearchResult> {
        if self.pending_move.is_some() {
            return self.take_pending_move(game, timeout);
        }
        if let Some(strength) = game.bot_to_move()
            && self.search.is_none()
        {
            self.start_search(game.board(), strength, true);
        }
        let chosen_move = self.search.as_ref()?.result.recv_timeout(timeout).ok()?;
        let is_bots_move = self.search.take()?.is_bots_move;
        self.black_win_probability = Some(chosen_move.black_wins);
        if !is_bots_move {
            self.advice = Some(chosen_move);
            return Some(SearchResult::Advice);
        }
        self.pending_move = Some(chosen_move.turn);
        self.take_pending_move(game, Duration::ZERO)
    }

    /// Waits up to `timeout` until the turn has lasted its minimum duration, and returns the bot's move. Returns `None`
    /// if the turn has to last even longer. Only games between two bots have a minimum duration.
    fn take_pending_move(&mut self, game: &Game, timeout: Duration) -> Option<SearchResult> {
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

    /// Cancels the running search, and discards the hint and the bot's move that is not played yet. Call this function
    /// after every change of the position.
    pub fn cancel(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop.store(true, Ordering::Relaxed);
        }
        self.advice = None;
        self.pending_move = None;
        self.turn_start = Instant::now();
    }
}
