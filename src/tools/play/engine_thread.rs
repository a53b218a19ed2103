//! [`EngineThread`]: runs searches on separate threads, so that the interface never waits for them. A search finds the
//! bot's move, or a hint (a suggested move) for a person.

use super::game::Game;
use analysis::level::{Method, Strength};
use analysis::tree_parallel::{ChosenMove, SearchSettings, TreeParallel};
use engine::board::{Board, Move};
use engine::botzone::options::Options;
use engine::budget::Budget;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Strength of a search for advice, which is a suggested move and a win probability: 40,000 search iterations.
const ADVICE_STRENGTH: Strength = Strength::Budget(Budget::Iterations(40_000));

/// A running search for the bot's move or for a hint; it runs on its own thread.
struct RunningSearch {
    /// True if the search finds the move that the bot is to play; false if it finds a hint for a person.
    is_bots_move: bool,
    /// Time at which the search began.
    start: Instant,
    /// Flag that stops the search: [`EngineThread::cancel`] sets it, and the search reads it.
    stop: Arc<AtomicBool>,
    /// Channel on which the search sends the move that it found. If the search is stopped, it closes the channel
    /// without sending a move.
    result: Receiver<ChosenMove>,
}

/// Result of a finished search for a hint or for the bot's move.
pub enum SearchResult {
    /// A search for a hint has finished. This variant holds no result: the suggested move and the win probability are
    /// in [`EngineThread::advice`].
    Advice,
    /// A search for the bot's move has finished. The bot is to play this move now.
    Move(Move),
}

/// Runs searches of the current position on a separate thread, at most one search at a time. Keeps their results: the
/// suggested move, the win probability, and the bot's move until it is played.
pub struct EngineThread {
    search_settings: SearchSettings,
    /// Search for the moves of a bot of level 15, which plays as on Botzone. It keeps its tree (the positions already
    /// searched) from one turn to the next. Searches for hints or other bots begin with an empty tree.
    full_strength_search: Arc<Mutex<TreeParallel>>,
    /// The running search; `None` if no search is running.
    search: Option<RunningSearch>,
    /// Suggested move and black's win probability in the current position; `None` until a search for a hint has found
    /// them.
    pub advice: Option<ChosenMove>,
    /// Win probability of black, from 0 to 1, as the last finished search found it; `None` before the first search is
    /// finished.
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
    /// Creates an `EngineThread` that runs no search yet.
    ///
    /// - `seed`: random seed of all searches.
    /// - `threads`: number of threads of a search for a hint, for a bot of level 15, or for a bot with a fixed time or
    ///   number of iterations. For a bot of a lower level, a search uses one thread.
    /// - `pace`: minimum duration of a turn between two bots.
    #[must_use]
    pub fn new(seed: u64, threads: usize, pace: Duration) -> EngineThread {
        let search_settings = SearchSettings::new(Options::default().memory, threads, seed);
        let full_strength_search = TreeParallel::new(&Board::start(), &search_settings);
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

    /// Tests if a search is running, or if a move of the bot is found and waits to be played until the turn has lasted
    /// its minimum duration.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.search.is_some() || self.pending_move.is_some()
    }

    /// Starts a search for a hint and a win probability in the position `board`. Does nothing if any search is running,
    /// or if [`EngineThread::advice`] already has the hint.
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
        let (board, search_settings) = (board.clone(), self.search_settings.clone());
        let full_strength_search = Arc::clone(&self.full_strength_search);
        thread::spawn(move || {
            let is_stopped = || stop.load(Ordering::Relaxed);
            // Only level 15 uses the search tree kept from earlier turns. Every other strength begins with an empty
            // tree: with a tree that earlier searches have grown, the bot would play better than its strength allows.
            let chosen_move = match strength.method() {
                Method::Botzone => {
                    let search = full_strength_search.lock();
                    let mut search = search.unwrap_or_else(PoisonError::into_inner);
                    search.choose_move(&board, strength, &is_stopped)
                }
                _ => {
                    let mut search = TreeParallel::new(&board, &search_settings);
                    search.choose_move(&board, strength, &is_stopped)
                }
            };
            // The error of `send` is ignored: it only means that nobody waits for the move, because `cancel` has
            // dropped the receiver of the channel.
            chosen_move.map(|chosen_move| sender.send(chosen_move))
        });
    }

    /// Waits up to `timeout` for the result of the running search for a hint or for the bot's move, and returns the
    /// result. If no search is running and a bot is to move in `game`, first starts a search for the bot's move.
    ///
    /// Returns `None` in three cases: no search is running, no result has arrived in time, or the bot's move must wait
    /// until the turn has lasted its minimum duration.
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

    /// Waits until the turn has lasted its minimum duration, then returns the move that the bot has found. If the rest
    /// of the minimum duration is longer than `timeout`, waits for `timeout` only, and returns `None`. Only games
    /// between two bots have a minimum duration.
    fn take_pending_move(&mut self, game: &Game, timeout: Duration) -> Option<SearchResult> {
        let pace = match game.has_human() {
            true => Duration::ZERO,
            false => self.pace,
        };
        let remaining = pace.saturating_sub(self.turn_start.elapsed());
        thread::sleep(remaining.min(timeout));
        let turn = self.pending_move.take_if(|_| remaining <= timeout)?;
        self.advice = None;
        self.turn_start = Instant::now();
        Some(SearchResult::Move(turn))
    }

    /// Cancels the running search. Discards the hint, and the move that a bot has found but not yet played. Call this
    /// function after every change of the position.
    pub fn cancel(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop.store(true, Ordering::Relaxed);
        }
        self.advice = None;
        self.pending_move = None;
        self.turn_start = Instant::now();
    }
}
