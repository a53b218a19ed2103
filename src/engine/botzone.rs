//! The conversation with Botzone: read a turn, follow the game, think, answer.
//!
//! The bot understands both forms of interaction, in any order of lines; see [`simple`] and [`json`]. After every
//! answer it asks to be kept running; the platform then sends the opponent's move alone. Input that can't be
//! understood is reported on the log and never ends the session.

mod complaints;
mod content;
pub mod json;
mod lines;
mod margin;
pub mod options;
pub mod simple;
mod situation;

pub use content::{Entry, Turn};

use crate::board::{Board, Move, Player};
use crate::budget::Budget;
use crate::clock::{Clock, Gaps, SystemTime, TimeSource};
use crate::console::quoted;
use crate::inspect::LINE_BYTES;
use crate::mcts::{Params, Report, Search};
use crate::movegen;
use complaints::Complaints;
use content::MAX_ENTRIES;
use lines::Lines;
use margin::Margin;
use options::{Options, seed_from_time};
use situation::Situation;
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// The line after every answer that asks the platform to keep the bot running.
pub const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// One of the two forms of interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Lines of six numbers.
    Simple,
    /// A JSON object on one line.
    Json,
}

impl Form {
    /// Both forms.
    pub const ALL: [Form; 2] = [Form::Simple, Form::Json];

    /// The word for it on the command line.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Form::Simple => "simple",
            Form::Json => "json",
        }
    }
}

/// A game as the bot follows it, and the search that goes with it.
pub struct Session<T = SystemTime> {
    options: Options,
    time: T,
    search: Search,
    /// The bot's colour, known from the first turn on.
    me: Option<Player>,
    answers: u64,
    /// CPU time of the process at the last answer.
    cpu_before: Duration,
    margin: Margin,
}

impl Session {
    /// A session that waits for its first turn.
    #[must_use]
    pub fn new(options: Options) -> Session {
        Session::with_time(options, SystemTime::default())
    }
}

impl<T: TimeSource> Session<T> {
    /// A session with another source of time.
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
            margin: Margin::UNKNOWN,
        }
    }

    /// Plays until the input ends. Complaints about the input go to `log`; a log that can't be written is ignored.
    ///
    /// # Errors
    /// If the input can't be read or the output not written.
    pub fn run(
        mut self,
        input: impl BufRead,
        mut output: impl Write,
        log: impl Write,
    ) -> io::Result<()> {
        let mut lines = Lines::new(input);
        let mut log = Complaints::new(log);
        if let Some(shortage) = self.shortage() {
            log.complain(shortage);
        }
        while let Some((form, turn)) = self.read_turn(&mut lines, &mut log)? {
            let clock = Clock::start(self.time, self.cpu_before);
            let is_first = self.answers == 0 && turn.is_first();
            self.follow(turn, &mut log);
            let (answer, gaps) = self.think(clock, is_first);
            self.write_answer(form, answer, clock, &mut output)?;
            self.margin.learn(gaps);
            self.cpu_before = self.time.cpu();
            self.answers += 1;
            let played = answer.map_or(Ok(()), |answer| self.search.advance_root(answer));
            debug_assert_eq!(played, Ok(()), "the answer is legal");
        }
        Ok(())
    }

    /// The complaint about a tree that is smaller than asked for.
    fn shortage(&self) -> Option<String> {
        let (wanted, got) = (self.options.memory, self.search.tree().capacity());
        (got + LINE_BYTES <= wanted).then(|| {
            format!(
                "wanted {} MiB for the tree, got {}; see --memory-mb",
                wanted >> 20,
                got >> 20
            )
        })
    }

    /// Waits for the next turn; nothing when the input has ended.
    fn read_turn(
        &self,
        lines: &mut Lines<impl BufRead>,
        log: &mut Complaints<impl Write>,
    ) -> io::Result<Option<(Form, Turn)>> {
        let mut ignored = 0;
        let mut number = 0;
        while let Some(line) = lines.next()? {
            let is_json = line.text.starts_with('{');
            if line.is_cut {
                let form = if is_json { Form::Json } else { Form::Simple };
                return Ok(Some((form, Turn::Request(simple::too_long(&line)))));
            }
            if is_json {
                return Ok(Some((Form::Json, json::turn(&line.text))));
            }
            match simple::numbers(&line.text)[..] {
                [turn] if self.me.is_none() && turn > 0 => {
                    let entries = simple::history(turn, Vec::new(), lines)?;
                    return Ok(Some((Form::Simple, Turn::History(entries))));
                }
                // Some drivers send the turn's number even to a bot that was kept running, alone or with the record.
                [turn] if self.me.is_some() => {
                    number = turn;
                    continue;
                }
                // Lines of `data` and `globaldata` may follow the first turn's record.
                ref numbers if numbers.len() != 6 && self.answers < 2 => {}
                _ => {
                    let entry = simple::entry(&line);
                    let board = self.search.board();
                    let turn = match self.me {
                        Some(me) if number > 0 && situation::begins_record(me, board, &entry) => {
                            Turn::History(simple::history(number, vec![entry], lines)?)
                        }
                        _ => Turn::Request(entry),
                    };
                    return Ok(Some((Form::Simple, turn)));
                }
            }
            log.complain(format_args!(
                "ignored \"{}\": expected a turn number, six coordinates or a JSON object",
                quoted(&line.text)
            ));
            ignored += 1;
            if self.answers == 0 && ignored == MAX_ENTRIES {
                break;
            }
        }
        // Whatever came was meant as a turn: it gets the best answer possible.
        let unanswered = self.answers == 0 && ignored > 0;
        Ok(unanswered.then(|| (Form::Simple, Turn::History(Vec::new()))))
    }

    /// Brings board and tree to the position of a turn, with the bot to move.
    fn follow(&mut self, turn: Turn, log: &mut Complaints<impl Write>) {
        let (entries, is_record) = match turn {
            Turn::Request(entry) => (vec![entry], false),
            Turn::History(entries) => (entries, true),
        };
        let board = self.search.board();
        let game = match (self.me, &entries[..]) {
            (Some(me), [entry]) if !is_record || !situation::begins_record(me, board, entry) => {
                Situation::of_request(me, board.clone(), entry)
            }
            _ => Situation::of_record(&entries),
        };
        for fault in &game.faults {
            log.complain(format_args!("ignored {fault}"));
        }
        self.me = Some(game.me);
        self.go_to(game.board, game.last);
    }

    /// Brings the search to a position. The tree is kept if the position, with the same player to move, is at its root
    /// or one move below.
    fn go_to(&mut self, position: Board, last: Option<Move>) {
        if *self.search.board() == position {
            return;
        }
        let leads_there = |turn: &Move| {
            let mut next = self.search.board().clone();
            next.play(*turn).is_ok() && next == position
        };
        let step = last.filter(leads_there);
        if step.is_none_or(|turn| self.search.advance_root(turn).is_err()) {
            self.search.set_board(position);
        }
    }

    /// The move to answer with, nothing if there is none; and how the clock was looked at.
    fn think(&mut self, clock: Clock<T>, is_first: bool) -> (Option<Move>, Gaps) {
        // An only move needs no search.
        let only = movegen::only_move(self.search.board());
        let budget = self.budget(is_first);
        let mut gaps = budget.spend(&mut self.search, &clock, || only.is_some());
        let answer = only.or_else(|| self.search.varied_move());
        // The last look: once the answer is out, the platform may stop the process at any moment.
        gaps.look(clock.elapsed());
        (answer, gaps)
    }

    /// What the turn may take, with room for stalls of the machine.
    fn budget(&self, is_first: bool) -> Budget {
        match self.options.budget(is_first) {
            Budget::Time(time) if self.options.heeds_stalls && !is_first => {
                Budget::Time(self.margin.shorten(time))
            }
            budget => budget,
        }
    }

    /// Prints the answer and the marker in one write.
    fn write_answer(
        &self,
        form: Form,
        answer: Option<Move>,
        clock: Clock<T>,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let coordinates = answer.map_or([-1; 6], |answer| answer.coordinates().map(i64::from));
        let answer = match form {
            Form::Simple => simple::answer(coordinates),
            Form::Json => json::answer(
                coordinates,
                &debug_text(&self.search.report(), clock.elapsed()),
            ),
        };
        output.write_all(format!("{answer}\n{KEEP_RUNNING}\n").as_bytes())?;
        output.flush()
    }
}

/// The debug text, which the replay shows beside a move.
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
