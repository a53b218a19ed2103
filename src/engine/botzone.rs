//! The Botzone session: reads turns, follows the game, searches, and writes answers.
//!
//! The bot understands the platform's two interaction formats, [`simple`] and [`json`], and recognises the format of
//! each input line. After every answer it asks to be kept running; from then on, the platform sends only the opponent's
//! move. Input that cannot be parsed is reported in the log and never ends the session.

mod content;
pub mod json;
mod lines;
pub mod options;
mod replayed_game;
mod safety_margin;
pub mod simple;
mod warning_log;

pub use content::{Entry, Turn};

use crate::board::{Board, Move, Player};
use crate::budget::Budget;
use crate::clock::{Clock, ClockGaps, SystemTime, TimeSource};
use crate::console::quoted;
use crate::inspect::BLOCK_BYTES;
use crate::mcts::{Params, Report, Search};
use crate::movegen;
use content::MAX_ENTRIES;
use lines::Lines;
use options::{Options, seed_from_time};
use replayed_game::ReplayedGame;
use safety_margin::SafetyMargin;
use std::io::{self, BufRead, Write};
use std::time::Duration;
use warning_log::WarningLog;

/// Output line after every answer: it asks the platform to keep the process running for the next turn.
pub const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// Interaction format of the platform: the syntax of the turns that the bot reads and of the answers that it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Plain text: a move is a line of six decimal coordinates, for example `0 2 0 5 3 5`.
    Simple,
    /// JSON: every turn and every answer is one object on a line of its own.
    Json,
}

impl Form {
    /// All interaction formats, for iteration.
    pub const ALL: [Form; 2] = [Form::Simple, Form::Json];

    /// Returns the name of the format as users write it on the command line: `simple` or `json`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Form::Simple => "simple",
            Form::Json => "json",
        }
    }
}

/// A game that the bot plays on the platform: the bot's options, its search tree, and the timing of earlier turns.
pub struct Session<T = SystemTime> {
    options: Options,
    time: T,
    search: Search,
    /// The bot's colour; `None` until the first turn reveals it.
    me: Option<Player>,
    /// Number of answers written so far.
    answers: u64,
    /// CPU time of the process, since its start, when the last answer was written; zero before the first.
    cpu_before: Duration,
    /// Part of a turn's time that the search leaves unused, adapted after every turn.
    margin: SafetyMargin,
}

impl Session {
    /// Creates a session that reads the time from the operating system. No turn has been read yet.
    #[must_use]
    pub fn new(options: Options) -> Session {
        Session::with_time(options, SystemTime::default())
    }
}

impl<T: TimeSource> Session<T> {
    /// Creates a session that reads the time from `time`, for tests with a simulated clock.
    #[must_use]
    pub fn with_time(options: Options, time: T) -> Session<T> {
        let seed = options.seed.unwrap_or_else(seed_from_time);
        let search = Search::new(Board::start(), options.memory, seed, Params::default());
        Session {
            options,
            time,
            search,
            me: None,
            answers: 0,
            cpu_before: Duration::ZERO,
            margin: SafetyMargin::UNKNOWN,
        }
    }

    /// Plays one game: reads turns from `input` and writes answers to `output` until the input ends. Warnings about the
    /// input go to `log`; failures to write them are ignored.
    ///
    /// # Errors
    /// If the input cannot be read or the output cannot be written.
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
        while let Some((form, turn)) = self.read_turn(&mut lines, &mut log)? {
            let clock = Clock::start(self.time, self.cpu_before);
            let is_first = self.answers == 0 && turn.is_first();
            self.follow(turn, &mut log);
            let (answer, gaps) = self.think(clock, is_first);
            self.write_answer(form, answer, clock, &mut output)?;
            self.margin.update(gaps);
            self.cpu_before = self.time.cpu();
            self.answers += 1;
            let played = answer.map_or(Ok(()), |answer| self.search.advance_root(answer));
            debug_assert_eq!(played, Ok(()), "the answer is legal");
        }
        Ok(())
    }

    /// Returns a warning if the search tree got less memory than [`Options::memory`] asks for, otherwise `None`.
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

    /// Reads the next turn and the format in which it was written. Returns `None` at the end of the input.
    fn read_turn(
        &self,
        lines: &mut Lines<impl BufRead>,
        log: &mut WarningLog<impl Write>,
    ) -> io::Result<Option<(Form, Turn)>> {
        let mut ignored = 0;
        let mut number = 0;
        while let Some(line) = lines.next()? {
            let is_json = line.text.starts_with('{');
            if line.is_truncated {
                let form = if is_json { Form::Json } else { Form::Simple };
                return Ok(Some((form, Turn::Request(simple::too_long_entry(&line)))));
            }
            if is_json {
                return Ok(Some((Form::Json, json::turn(&line.text))));
            }
            match simple::parse_numbers(&line.text)[..] {
                [turn] if self.me.is_none() && turn > 0 => {
                    let entries = simple::read_record(turn, Vec::new(), lines)?;
                    return Ok(Some((Form::Simple, Turn::History(entries))));
                }
                // Some judge programs send the turn number to a running bot, too, with or without the whole record.
                [turn] if self.me.is_some() => {
                    number = turn;
                    continue;
                }
                // The first turn's record may be followed by lines of `data` and `globaldata` (stored text); ignore
                // them.
                ref numbers if numbers.len() != 6 && self.answers < 2 => {}
                _ => {
                    let entry = simple::parse_entry(&line);
                    let board = self.search.board();
                    let turn = match self.me {
                        Some(me)
                            if number > 0 && replayed_game::begins_record(me, board, &entry) =>
                        {
                            Turn::History(simple::read_record(number, vec![entry], lines)?)
                        }
                        _ => Turn::Request(entry),
                    };
                    return Ok(Some((Form::Simple, turn)));
                }
            }
            log.warn(format_args!(
                "ignored \"{}\": expected a turn number, six coordinates or a JSON object",
                quoted(&line.text)
            ));
            ignored += 1;
            if self.answers == 0 && ignored == MAX_ENTRIES {
                break;
            }
        }
        // If all lines were ignored, they were probably meant as the first turn, so the bot still answers.
        let unanswered = self.answers == 0 && ignored > 0;
        Ok(unanswered.then(|| (Form::Simple, Turn::History(Vec::new()))))
    }

    /// Updates the search to the position in which the bot must answer `turn`. Keeps the search tree if possible, see
    /// [`Session::set_position`]. Logs invalid entries.
    fn follow(&mut self, turn: Turn, log: &mut WarningLog<impl Write>) {
        let (entries, is_record) = match turn {
            Turn::Request(entry) => (vec![entry], false),
            Turn::History(entries) => (entries, true),
        };
        let board = self.search.board();
        let game = match (self.me, &entries[..]) {
            (Some(me), [entry])
                if !is_record || !replayed_game::begins_record(me, board, entry) =>
            {
                ReplayedGame::of_request(me, board.clone(), entry)
            }
            _ => ReplayedGame::of_record(&entries),
        };
        for fault in &game.faults {
            log.warn(format_args!("ignored {fault}"));
        }
        self.me = Some(game.me);
        self.set_position(game.board, game.last);
    }

    /// Makes `position` the root of the search. Keeps the search tree if `position`, with the same side to move, is the
    /// root or results from the root by `last`, the last move that was played.
    fn set_position(&mut self, position: Board, last: Option<Move>) {
        if *self.search.board() == position {
            return;
        }
        let reaches_position = |turn: &Move| {
            let mut next = self.search.board().clone();
            next.play(*turn).is_ok() && next == position
        };
        let step = last.filter(reaches_position);
        if step.is_none_or(|turn| self.search.advance_root(turn).is_err()) {
            self.search.set_board(position);
        }
    }

    /// Searches the current position. `is_first` says that this is the first turn of the game, which has a longer limit.
    /// Returns the move to play (`None` if there is no legal move), and the gaps between the clock readings of the turn,
    /// by which the safety margin is updated.
    fn think(&mut self, clock: Clock<T>, is_first: bool) -> (Option<Move>, ClockGaps) {
        // If only one move is legal, play it without a search.
        let only = movegen::only_move(self.search.board());
        let budget = self.budget(is_first);
        let mut gaps = budget.spend(&mut self.search, &clock, || only.is_some());
        let answer = only.or_else(|| self.search.varied_move());
        // Read the clock before answering: afterwards the platform may suspend the process at any moment.
        gaps.record(clock.elapsed());
        (answer, gaps)
    }

    /// Returns the search budget of a turn. A time budget is reduced by the safety margin, except on the first turn or
    /// if [`Options::adapts_to_stalls`] is false.
    fn budget(&self, is_first: bool) -> Budget {
        match self.options.budget(is_first) {
            Budget::Time(time) if self.options.adapts_to_stalls && !is_first => {
                Budget::Time(self.margin.shorten(time))
            }
            budget => budget,
        }
    }

    /// Writes the answer and [`KEEP_RUNNING`] in one write and flushes the output. If `answer` is `None`, writes six
    /// times -1.
    fn write_answer(
        &self,
        form: Form,
        answer: Option<Move>,
        clock: Clock<T>,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let coordinates = answer.map_or([-1; 6], |answer| answer.coordinates().map(i64::from));
        let answer = match form {
            Form::Simple => simple::format_answer(coordinates),
            Form::Json => json::format_answer(
                coordinates,
                &debug_text(&self.search.report(), clock.elapsed()),
            ),
        };
        output.write_all(format!("{answer}\n{KEEP_RUNNING}\n").as_bytes())?;
        output.flush()
    }
}

/// Formats the text that Botzone's replay shows beside a move: win probability of the bot in percent, size and depth of
/// the search, and the time used.
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
