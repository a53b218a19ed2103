//! Records what a bot did in a case, and detects symptoms in the record.

use super::case::Case;
use super::symptom::Symptom;
use crate::platform::process::stderr_buffer::StderrBuffer;
use crate::platform::process::{Limits, TurnReport};
use analysis::refusal::is_giving_up;
use engine::board::MAX_ARROWS;
use engine::botzone::Form;
use record::judge::{Coordinates, Verdict};
use record::log::LogEntry;
use serde_json::Value;
use std::time::Duration;

/// Minimum CPU time in 100 ms between two turns that counts as pondering (thinking in the opponent's turn).
const MIN_PONDERING: Duration = Duration::from_millis(30);

/// Minimum number of turns after the first before the bot's memory growth is judged.
const MIN_TURNS: usize = 6;

/// Maximum number of plies in a game: each arrow takes a square that is empty at the start.
const LONGEST_GAME: usize = MAX_ARROWS;

/// Maximum length of debug text that Botzone shows, in bytes.
const MAX_DEBUG: usize = 1024;

/// Record of one turn of the bot.
#[derive(Default)]
pub struct Turn {
    /// Moves of both players before this turn, starting with black.
    pub moves: Vec<Coordinates>,
    /// Input that the bot was sent in this turn.
    pub input: String,
    /// Whether a new process was started for this turn.
    pub began_process: bool,
    /// Time limit of this turn.
    pub limit: Duration,
    /// Answer, verdict, time and memory of the bot.
    pub report: TurnReport,
    /// Whether the judge rejected the answer.
    pub is_refused: bool,
}

/// Record of a case that was played.
pub struct Trace<'c> {
    /// The case that was played.
    pub case: &'c Case,
    /// Limits of time and memory for each turn.
    pub limits: Limits,
    /// Turns of the bot, in order.
    pub turns: Vec<Turn>,
    /// CPU time that the bot used between its first two turns, while it had nothing to do.
    pub idle: Duration,
    /// What the bot wrote to standard error.
    pub words: StderrBuffer,
    /// Entries of the game's match log.
    pub log: Vec<LogEntry>,
    /// If the bot was late in the first or second turn: report on that turn, repeated with an input that ends after the turn.
    pub once_input_ends: Option<TurnReport>,
}

/// A symptom that was detected in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The symptom that was detected.
    pub symptom: Symptom,
    /// Index of the turn in the trace.
    pub turn: usize,
}

impl<'c> Trace<'c> {
    /// Creates the record of a case before its first turn.
    #[must_use]
    pub fn new(case: &'c Case, limits: Limits) -> Trace<'c> {
        Trace {
            case,
            limits,
            turns: Vec::new(),
            idle: Duration::ZERO,
            words: StderrBuffer::default(),
            log: Vec::new(),
            once_input_ends: None,
        }
    }

    /// Tests if the bot's first output was an answer in the format of the case's interaction, legal or not.
    #[must_use]
    pub fn is_understood(&self) -> bool {
        let answered = |turn: &Turn| turn.report.response.is_some();
        self.turns.first().is_some_and(answered)
    }

    /// Tests if the bot printed anything in its first turn.
    #[must_use]
    pub fn has_spoken(&self) -> bool {
        let spoken = |turn: &Turn| !turn.report.output.trim().is_empty();
        self.turns.first().is_some_and(spoken)
    }

    /// Tests if the case ended because the bot was late in its first turn, or in its second turn without a new process.
    #[must_use]
    pub fn is_early_and_late(&self) -> bool {
        let is_late = |turn: &Turn| turn.report.verdict == Verdict::TimeLimitExceeded;
        match &self.turns[..] {
            [only] => is_late(only),
            [_, second] => is_late(second) && !second.began_process,
            _ => false,
        }
    }

    /// Tests if the bot has a fault, a symptom that loses games.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.symptoms().any(|seen| seen.symptom.is_fault())
    }

    /// Returns all symptoms: first those of single turns in order, then those of the whole case.
    pub fn symptoms(&self) -> impl Iterator<Item = Seen> {
        let turns = self.turns.iter().enumerate();
        let of_turns = turns.flat_map(|(number, turn)| {
            let refused = turn.is_refused.then(|| self.of_refused(number, turn));
            let lost = self.loses_marker(number).then_some(Symptom::MarkerLost);
            let others = of_answer(turn, self.case.form);
            let found = refused.into_iter().chain(lost).chain(others);
            found.map(move |symptom| Seen {
                symptom,
                turn: number,
            })
        });
        let of_all = |is_seen: bool, symptom| is_seen.then_some(Seen { symptom, turn: 0 });
        let idle = of_all(self.idle > MIN_PONDERING, Symptom::Ponders);
        // Standard error after a rejected answer, such as a crash, belongs to that fault, so it is no symptom of its own.
        let is_loud = !self.words.is_empty() && !self.turns.iter().any(|turn| turn.is_refused);
        let speaks = of_all(is_loud, Symptom::Speaks);
        of_turns.chain(idle).chain(self.of_memory()).chain(speaks)
    }

    /// Returns the symptom for which an answer was rejected.
    fn of_refused(&self, number: usize, turn: &Turn) -> Symptom {
        match turn.report.verdict {
            Verdict::TimeLimitExceeded => self.of_late(number, turn),
            Verdict::MemoryLimitExceeded => Symptom::TooMuchMemory,
            Verdict::RuntimeError | Verdict::OutputLimitExceeded | Verdict::CompileError => {
                Symptom::Crashed
            }
            Verdict::NotJson | Verdict::Ok => {
                let response = turn.report.response.as_ref();
                let is_below = turn.report.output.lines().skip(1).any(is_answer);
                match response.and_then(Coordinates::read) {
                    Some(answer) if is_giving_up(answer) => Symptom::GaveUp,
                    Some(_) => Symptom::Illegal,
                    None if is_below && response.is_none() => Symptom::AnswerNotFirst,
                    None => Symptom::NoMove,
                }
            }
        }
    }

    /// Returns the symptom that explains a late answer. Uses the report on the repeated turn (`once_input_ends`), if there is
    /// one.
    fn of_late(&self, number: usize, turn: &Turn) -> Symptom {
        if turn.report.output.lines().any(is_answer) {
            return match turn.began_process {
                true => Symptom::GoesOn,
                false => Symptom::MarkerLost,
            };
        }
        match &self.once_input_ends {
            Some(ended) if number > 0 && ended.wall * 2 < turn.limit => Symptom::WaitsForMore,
            Some(ended) if number == 0 && ended.keep_running => Symptom::NotFlushed,
            Some(ended) if number == 0 && ended.response.is_some() => Symptom::WaitsForTheEnd,
            _ => Symptom::Late,
        }
    }

    /// Tests if a bot that was kept running fails to print the marker that asks to be kept running again.
    fn loses_marker(&self, number: usize) -> bool {
        let turn = &self.turns[number];
        !turn.began_process && !turn.is_refused && !turn.report.keep_running && !self.case.fresh
    }

    /// Returns a symptom if memory grows so fast that the longest possible game would exceed the memory limit.
    fn of_memory(&self) -> Option<Seen> {
        let last = self.turns.len().checked_sub(1)?;
        let middle = last / 2;
        let [then, now] = [middle, last].map(|turn| self.turns[turn].report.memory);
        if last < MIN_TURNS
            || self.turns[middle..=last]
                .iter()
                .any(|turn| turn.began_process)
        {
            return None;
        }
        let growth = now.saturating_sub(then) / (last - middle) as u64;
        let left = (LONGEST_GAME - self.turns[last].moves.len()) as u64 / 2;
        (now + growth * left > self.limits.memory).then_some(Seen {
            symptom: Symptom::Grows,
            turn: last,
        })
    }
}

/// Returns the symptoms of a turn that don't lead to a rejected answer, such as a blank after the last number.
fn of_answer(turn: &Turn, form: Form) -> impl Iterator<Item = Symptom> {
    let report = &turn.report;
    let line = report.output.lines().find(|line| !line.trim().is_empty());
    let trailing = form == Form::Simple && line.is_some_and(|line| line.ends_with([' ', '\t']));
    let unusual = form == Form::Json && !line.is_some_and(is_plain);
    let debug = report.debug.as_ref().map(|debug| debug.to_string().len());
    let found = [
        (trailing && !turn.is_refused, Symptom::BlankAtTheEnd),
        (unusual && !turn.is_refused, Symptom::UnusualAnswer),
        (debug > Some(MAX_DEBUG), Symptom::LongDebug),
        (report.process_stats.has_socket, Symptom::Network),
        (report.process_stats.processes > 1, Symptom::Processes),
        (
            report.process_stats.threads > report.process_stats.processes,
            Symptom::Threads,
        ),
    ];
    found
        .into_iter()
        .filter_map(|(is_seen, symptom)| is_seen.then_some(symptom))
}

/// Tests if a line is a JSON answer in the standard form: an object with six plain integers.
fn is_plain(line: &str) -> bool {
    let answer: Value = serde_json::from_str(line).unwrap_or_default();
    let response = &answer["response"];
    Coordinates::NAMES
        .iter()
        .all(|name| response[name].is_i64())
}

/// Tests if a line looks like an attempt at an answer: it contains exactly six integers, or is a JSON object with a response.
fn is_answer(line: &str) -> bool {
    let numbers = line.split(|character: char| !character.is_ascii_digit() && character != '-');
    let count = numbers.filter(|word| word.parse::<i64>().is_ok()).count();
    let is_object = || {
        let value: Option<Value> = serde_json::from_str(line).ok();
        value.is_some_and(|value| value.get("response").is_some())
    };
    count == 6 || is_object()
}
