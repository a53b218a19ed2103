//! [`Session`] plays a game on Botzone: it reads turns from the platform, updates the position, searches, and writes
//! moves.
//!
//! The platform has two protocols, [`simple`] and [`json`]; the bot recognises the protocol of each input line. After
//! every answer the bot asks to be kept running. A bot that is kept running receives only the opponent's newest move in
//! the next turn, instead of all moves of the game. Invalid input causes a warning and never ends the [`Session`].

mod content;
pub mod json;
mod lines;
pub mod options;
mod replayed_game;
mod safety_margin;
pub mod simple;
mod warning_log;

pub use content::{SentMove, TurnInput};

use crate::board::{Board, Move, Player};
use crate::budget::Budget;
use crate::clock::{Clock, ClockGaps, SystemTime, TimeSource};
use crate::console::quoted;
use crate::inspect::BLOCK_BYTES;
use crate::mcts::{Params, Report, Search};
use crate::movegen;
use content::MAX_SENT_MOVES;
use lines::Lines;
use options::{Options, seed_from_time};
use replayed_game::ReplayedGame;
use safety_margin::SafetyMargin;
use std::io::{self, BufRead, Write};
use std::time::Duration;
use warning_log::WarningLog;

/// Line that the bot prints after every answer. It asks the platform to keep the process running for the next turn.
pub const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// Protocol between Botzone and a bot: plain text or JSON. It determines the syntax of the bot's input and of its
/// answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Plain text: a move is a line of six coordinates from 0 to 7, such as `0 2 0 5 3 5`: column and row of the
    /// amazon's start, of its destination, and of the arrow. Square a1 is `0 0`.
    Simple,
    /// JSON: the input of a turn is one object on one line, and so is the answer, such as
    /// `{"response":{"x0":0,"y0":2,"x1":0,"y1":5,"x2":3,"y2":5},"debug":"…"}`.
    Json,
}

impl Protocol {
    /// Both protocols: first simple, then JSON.
    pub const ALL: [Protocol; 2] = [Protocol::Simple, Protocol::Json];

    /// Returns the name that selects this protocol on the command line: `simple` or `json`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Protocol::Simple => "simple",
            Protocol::Json => "json",
        }
    }
}

/// Session of the bot with Botzone: one run of its process, in which it plays one game, or the rest of a game if
/// Botzone starts a new process for a later turn. It contains the bot's options, the search tree, and measurements of
/// earlier turns. `T` is the source of wall time and CPU time: the operating system, or a simulated clock in tests.
pub struct Session<T = SystemTime> {
    options: Options,
    time: T,
    search: Search,
    /// Colour that the bot plays; `None` before the first turn, because the colour follows from the first turn's input.
    me: Option<Player>,
    /// Number of answers that the bot has written in this session.
    answer_count: u64,
    /// CPU time that the bot's process had used in total when it wrote its last answer; zero before its first answer.
    /// The difference from a later total is the CPU time used since this answer.
    cpu_at_last_answer: Duration,
    /// Safety margin: the time by which the bot shortens its search, because the operating system may suspend the
    /// process near the end of the turn. It is adjusted after every turn. It does not apply to the game's first turn,
    /// whose separate time limit already leaves more time unused.
    margin: SafetyMargin,
}

impl Session {
    /// Creates a session for a game that has not begun; call [`Session::run`] to play it. `options` are the bot's
    /// limits of time and memory and its random seed. The session reads the time from the operating system.
    #[must_use]
    pub fn new(options: Options) -> Session {
        Session::with_time_source(options, SystemTime::default())
    }
}

impl<T: TimeSource> Session<T> {
    /// Creates a session for a game that has not begun; call [`Session::run`] to play it. `options` are the bot's
    /// limits of time and memory and its random seed. `time` is the source of the time, such as a simulated clock in
    /// tests.
    #[must_use]
    pub fn with_time_source(options: Options, time: T) -> Session<T> {
        let seed = options.seed.unwrap_or_else(seed_from_time);
        let search = Search::new(Board::start(), options.memory, seed, Params::default());
        Session {
            options,
            time,
            search,
            me: None,
            answer_count: 0,
            cpu_at_last_answer: Duration::ZERO,
            margin: SafetyMargin::INITIAL,
        }
    }

    /// Plays one game: reads turns from `input` and writes answers to `output` until the input ends. Writes warnings
    /// about invalid input to `log`, and ignores errors of `log`.
    ///
    /// # Errors
    /// The error of `input` if it cannot be read, or of `output` if it cannot be written.
    pub fn run(
        mut self,
        input: impl BufRead,
        mut output: impl Write,
        log: impl Write,
    ) -> io::Result<()> {
        let mut lines = Lines::new(input);
        let mut log = WarningLog::new(log);
        if let Some(memory_warning) = self.memory_warning() {
            log.warn(memory_warning);
        }
        while let Some((protocol, turn)) = self.read_turn(&mut lines, &mut log)? {
            let clock = Clock::start(self.time, self.cpu_at_last_answer);
            let is_first = self.answer_count == 0 && turn.is_first();
            self.update_position(turn, &mut log);
            let (answer, gaps) = self.choose_move(clock, is_first);
            self.write_answer(protocol, answer, clock, &mut output)?;
            self.margin.update(gaps);
            self.cpu_at_last_answer = self.time.cpu();
            self.answer_count += 1;
            let played = answer.map_or(Ok(()), |answer| self.search.advance_root(answer));
            debug_assert_eq!(played, Ok(()), "the answer is legal");
        }
        Ok(())
    }

    /// Returns a warning if the search tree could not allocate as much memory as [`Options::memory`] asks for,
    /// otherwise `None`.
    fn memory_warning(&self) -> Option<String> {
        let (wanted, got) = (self.options.memory, self.search.tree().capacity());
        (got + BLOCK_BYTES <= wanted).then(|| {
            format!(
                "wanted {} MiB for the tree, got {}; see --memory-mb",
                wanted >> 20,
                got >> 20
            )
        })
    }

    /// Reads the input of the next turn. Returns its protocol and the moves that it contains, or `None` at the end of
    /// the input. Writes a warning to `log` for each line that it ignores.
    ///
    /// # Errors
    /// The error of the input if it cannot be read.
    fn read_turn(
        &self,
        lines: &mut Lines<impl BufRead>,
        log: &mut WarningLog<impl Write>,
    ) -> io::Result<Option<(Protocol, TurnInput)>> {
        let mut ignored = 0;
        let mut number = 0;
        while let Some(line) = lines.next()? {
            let is_json = line.text.starts_with('{');
            if line.is_truncated {
                let protocol = [Protocol::Simple, Protocol::Json][usize::from(is_json)];
                let sent = simple::too_long_move(&line);
                return Ok(Some((protocol, TurnInput::Request(sent))));
            }
            if is_json {
                return Ok(Some((Protocol::Json, json::parse_turn(&line.text))));
            }
            match simple::parse_numbers(&line.text)[..] {
                [turn] if self.me.is_none() && turn > 0 => {
                    let moves = simple::read_moves(turn, Vec::new(), lines)?;
                    return Ok(Some((Protocol::Simple, TurnInput::History(moves))));
                }
                // A line with a single number is the number of a turn. Normally it precedes all moves of the game. But
                // some judge programs also send it to a bot that was kept running, and then send only the opponent's
                // newest move. The line after the number shows which of the two it is.
                [turn] if self.me.is_some() => {
                    number = turn;
                    continue;
                }
                // After the moves of the first turn, Botzone may send lines with texts that the bot has stored (`data`,
                // `globaldata`). The bot reads these lines while it waits for the input of its second turn. Therefore,
                // until its second answer, it ignores lines that do not consist of six numbers.
                ref numbers if numbers.len() != 6 && self.answer_count < 2 => {}
                _ => {
                    let sent = simple::parse_move(&line);
                    let board = self.search.board();
                    let turn = match self.me {
                        Some(me)
                            if number > 0 && replayed_game::begins_history(me, board, &sent) =>
                        {
                            TurnInput::History(simple::read_moves(number, vec![sent], lines)?)
                        }
                        _ => TurnInput::Request(sent),
                    };
                    return Ok(Some((Protocol::Simple, turn)));
                }
            }
            log.warn(format_args!(
                "ignored \"{}\": expected a turn number, six coordinates or a JSON object",
                quoted(&line.text)
            ));
            ignored += 1;
            if self.answer_count == 0 && ignored == MAX_SENT_MOVES {
                break;
            }
        }
        // At the end of the input, if the bot has not answered yet and has read only lines that it could not use:
        // answer as if the game had just begun.
        let unanswered = self.answer_count == 0 && ignored > 0;
        Ok(unanswered.then(|| (Protocol::Simple, TurnInput::History(Vec::new()))))
    }

    /// Sets the root of the search tree to the current position, which results from the moves in `turn`. The bot is to
    /// move in this position. Also sets the bot's colour. Skips invalid moves, and writes a warning about each to
    /// `log`.
    fn update_position(&mut self, turn: TurnInput, log: &mut WarningLog<impl Write>) {
        let (moves, is_history) = match turn {
            TurnInput::Request(sent) => (vec![sent], false),
            TurnInput::History(moves) => (moves, true),
        };
        let board = self.search.board();
        let game = match (self.me, &moves[..]) {
            (Some(me), [sent])
                if !is_history || !replayed_game::begins_history(me, board, sent) =>
            {
                ReplayedGame::replay_request(me, board.clone(), sent)
            }
            _ => ReplayedGame::replay_history(&moves),
        };
        for error in &game.errors {
            log.warn(format_args!("ignored {error}"));
        }
        self.me = Some(game.me);
        self.set_position(game.board, game.last_move);
    }

    /// Makes `position` the root of the search tree. Keeps the tree if `position` is already the root or results from
    /// the root by the move `last_move`; otherwise empties the tree.
    fn set_position(&mut self, position: Board, last_move: Option<Move>) {
        if *self.search.board() == position {
            return;
        }
        let reaches_position = |turn: &Move| {
            let mut next = self.search.board().clone();
            next.play(*turn).is_ok() && next == position
        };
        let step = last_move.filter(reaches_position);
        if step.is_none_or(|turn| self.search.advance_root(turn).is_err()) {
            self.search.set_board(position);
        }
    }

    /// Searches the current position and chooses the bot's move. `is_first` is true in the first turn of the game,
    /// which has its own time limit. Returns a pair:
    ///
    /// - first, the move; `None` if no move is legal
    /// - second, the last reading of the turn's clock and the longest gap between two readings; a long gap shows that
    ///   the operating system suspended the process
    fn choose_move(&mut self, clock: Clock<T>, is_first: bool) -> (Option<Move>, ClockGaps) {
        // `Budget::spend` runs the search. It calls the closure below before each iteration, and stops if the closure
        // returns true. The closure returns true if exactly one move is legal: this move is played without a search.
        let only_move = movegen::only_move(self.search.board());
        let budget = self.budget(is_first);
        let mut gaps = budget.spend(&mut self.search, &clock, || only_move.is_some());
        let answer = only_move.or_else(|| self.search.varied_move());
        // `gaps` holds the longest interval between two readings of the clock; a long one shows that the process was
        // suspended. Read the clock once more, so that the interval after the end of the search counts, too. Do this
        // before the answer is written: afterwards, the platform may suspend the process at any time.
        gaps.record(clock.elapsed());
        (answer, gaps)
    }

    /// Returns the limit of the search in one turn: the number of iterations or the time that the options set.
    /// `is_first` is true in the first turn of the game. In all other turns, if [`Options::adapts_to_stalls`] is true,
    /// the time is shortened by the safety margin, in case the operating system suspends the process.
    fn budget(&self, is_first: bool) -> Budget {
        match self.options.budget(is_first) {
            Budget::Time(time) if self.options.adapts_to_stalls && !is_first => {
                Budget::Time(self.margin.subtract_from(time))
            }
            budget => budget,
        }
    }

    /// Writes the answer and the line [`KEEP_RUNNING`] to `output` and flushes it. The answer `None` (no legal move) is
    /// written as -1 for all six coordinates.
    ///
    /// # Errors
    /// The error of `output` if it cannot be written.
    fn write_answer(
        &self,
        protocol: Protocol,
        answer: Option<Move>,
        clock: Clock<T>,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let coordinates = answer.map_or([-1; 6], |answer| answer.coordinates().map(i64::from));
        let answer = match protocol {
            Protocol::Simple => simple::format_answer(coordinates),
            Protocol::Json => json::format_answer(
                coordinates,
                &debug_text(&self.search.report(), clock.elapsed()),
            ),
        };
        output.write_all(format!("{answer}\n{KEEP_RUNNING}\n").as_bytes())?;
        output.flush()
    }
}

/// Formats the text that Botzone's replay shows beside the bot's move, such as `win probability 51.3%, 900 visits, 4000
/// iterations, depth 9, 930 ms`.
fn debug_text(report: &Report, elapsed: Duration) -> String {
    let tenths = (1000.0 * report.win_probability) as u32;
    format!(
        "win probability {}.{}%, {} visits, {} iterations, depth {}, {} ms",
        tenths / 10,
        tenths % 10,
        report.visits,
        report.iterations,
        report.depth,
        elapsed.as_millis() as u64
    )
}
