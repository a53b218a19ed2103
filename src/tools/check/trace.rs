//! Records what a bot did in a case, and detects symptoms in the record.

use super::case::Case;
use super::symptom::Symptom;
use crate::platform::process::stderr_buffer::StderrBuffer;
use crate::platform::process::{Limits, TurnReport};
use analysis::rejection::is_giving_up;
use engine::board::MAX_ARROWS;
use engine::botzone::Form;
use record::judge::{Coordinates, Verdict};
use record::log::LogEntry;
use serde_json::Value;
use std::time::Duration;

/// Minimum CPU time in 100 ms between two turns that counts as pondering (thinking in the opponent's turn).
const MIN_PONDERING_CPU: Duration = Duration::from_millis(30);

/// Minimum number of turns after the first before the bot's memory growth is judged.
const MIN_TURNS_FOR_GROWTH: usize = 6;

/// Maximum number of plies in a game: each arrow takes a square that is empty at the start.
const MAX_PLIES: usize = MAX_ARROWS;

/// Maximum length of debug text that Botzone shows, in bytes.
const MAX_DEBUG_BYTES: usize = 1024;

/// Record of one turn of the bot.
#[derive(Default)]
pub struct Turn {
    /// Moves of both players before this turn, starting with black.
    pub moves: Vec<Coordinates>,
    /// Input that the bot was sent in this turn.
    pub input: String,
    /// Whether a new process was started for this turn.
    pub is_new_process: bool,
    /// Time limit of this turn.
    pub limit: Duration,
    /// Answer, verdict, time and memory of the bot.
    pub report: TurnReport,
    /// Whether the judge rejected the answer.
    pub is_rejected: bool,
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
    pub stderr: StderrBuffer,
    /// Entries of the game's match log.
    pub log: Vec<LogEntry>,
    /// If the bot was late in the first or second turn: report on that turn, repeated with an input that ends after the turn.
    pub report_at_input_end: Option<TurnReport>,
}

/// A symptom that was detected in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
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
            stderr: StderrBuffer::default(),
            log: Vec::new(),
            report_at_input_end: None,
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
    pub fn has_output(&self) -> bool {
        let spoken = |turn: &Turn| !turn.report.output.trim().is_empty();
        self.turns.first().is_some_and(spoken)
    }

    /// Tests if the case ended because the bot was late in its first turn, or in its second turn without a new process.
    #[must_use]
    pub fn is_early_timeout(&self) -> bool {
        let is_late = |turn: &Turn| turn.report.verdict == Verdict::TimeLimitExceeded;
        match &self.turns[..] {
            [only] => is_late(only),
            [_, second] => is_late(second) && !second.is_new_process,
            _ => false,
        }
    }

    /// Tests if the bot has a fault, a symptom that loses games.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.symptoms().any(|found| found.symptom.is_fault())
    }

    /// Returns all symptoms: first those of single turns in order, then those of the whole case.
    pub fn symptoms(&self) -> impl Iterator<Item = Detection> {
        let turns = self.turns.iter().enumerate();
        let of_turns = turns.flat_map(|(number, turn)| {
            let why_rejected = || self.rejection_symptom(number, turn);
            let rejected = turn.is_rejected.then(why_rejected);
            let lost = self.loses_marker(number).then_some(Symptom::MarkerLost);
            let others = answer_symptoms(turn, self.case.form);
            let found = rejected.into_iter().chain(lost).chain(others);
            found.map(move |symptom| Detection {
                symptom,
                turn: number,
            })
        });
        let of_case = |is_found: bool, symptom| is_found.then_some(Detection { symptom, turn: 0 });
        let idle = of_case(self.idle > MIN_PONDERING_CPU, Symptom::Ponders);
        // Standard error after a rejected answer, such as a crash, belongs to that fault, so it is no symptom of its own.
        let has_stderr = !self.stderr.is_empty() && !self.turns.iter().any(|turn| turn.is_rejected);
        let stderr = of_case(has_stderr, Symptom::WritesStderr);
        let memory = self.memory_symptom();
        of_turns.chain(idle).chain(memory).chain(stderr)
    }

    /// Returns the symptom for which an answer was rejected.
    fn rejection_symptom(&self, number: usize, turn: &Turn) -> Symptom {
        match turn.report.verdict {
            Verdict::TimeLimitExceeded => self.lateness_symptom(number, turn),
            Verdict::MemoryLimitExceeded => Symptom::TooMuchMemory,
            Verdict::RuntimeError | Verdict::OutputLimitExceeded | Verdict::CompileError => {
                Symptom::Crashed
            }
            Verdict::NotJson | Verdict::Ok => {
                let response = turn.report.response.as_ref();
                let has_answer_below = turn.report.output.lines().skip(1).any(looks_like_answer);
                match response.and_then(Coordinates::read) {
                    Some(answer) if is_giving_up(answer) => Symptom::GaveUp,
                    Some(_) => Symptom::Illegal,
                    None if has_answer_below && response.is_none() => Symptom::AnswerNotFirst,
                    None => Symptom::NoMove,
                }
            }
        }
    }

    /// Returns the symptom that explains a late answer, with the help of the repeated turn (`report_at_input_end`), if any.
    fn lateness_symptom(&self, number: usize, turn: &Turn) -> Symptom {
        if turn.report.output.lines().any(looks_like_answer) {
            return match turn.is_new_process {
                true => Symptom::KeepsRunningUnasked,
                false => Symptom::MarkerLost,
            };
        }
        match &self.report_at_input_end {
            Some(ended) if number > 0 && ended.wall * 2 < turn.limit => Symptom::WaitsForMore,
            Some(ended) if number == 0 && ended.keep_running => Symptom::NotFlushed,
            Some(ended) if number == 0 && ended.response.is_some() => Symptom::WaitsForEndOfInput,
            _ => Symptom::Late,
        }
    }

    /// Tests if a bot that was kept running fails to print the marker that asks to be kept running again.
    fn loses_marker(&self, number: usize) -> bool {
        let turn = &self.turns[number];
        !turn.is_new_process && !turn.is_rejected && !turn.report.keep_running && !self.case.fresh
    }

    /// Returns a symptom if memory grows so fast that the longest possible game would exceed the memory limit.
    fn memory_symptom(&self) -> Option<Detection> {
        let last = self.turns.len().checked_sub(1)?;
        let middle = last / 2;
        let [earlier, now] = [middle, last].map(|turn| self.turns[turn].report.memory);
        if last < MIN_TURNS_FOR_GROWTH
            || self.turns[middle..=last]
                .iter()
                .any(|turn| turn.is_new_process)
        {
            return None;
        }
        let growth = now.saturating_sub(earlier) / (last - middle) as u64;
        let remaining_turns = (MAX_PLIES - self.turns[last].moves.len()) as u64 / 2;
        (now + growth * remaining_turns > self.limits.memory).then_some(Detection {
            symptom: Symptom::MemoryGrows,
            turn: last,
        })
    }
}

/// Returns the symptoms of a turn that don't lead to a rejected answer, such as a blank after the last number.
fn answer_symptoms(turn: &Turn, form: Form) -> impl Iterator<Item = Symptom> {
    let report = &turn.report;
    let line = report.output.lines().find(|line| !line.trim().is_empty());
    let has_blank = form == Form::Simple && line.is_some_and(|line| line.ends_with([' ', '\t']));
    let is_unusual = form == Form::Json && !line.is_some_and(is_standard_json);
    let debug = report.debug.as_ref().map(|debug| debug.to_string().len());
    let found = [
        (has_blank && !turn.is_rejected, Symptom::TrailingBlank),
        (is_unusual && !turn.is_rejected, Symptom::UnusualAnswer),
        (debug > Some(MAX_DEBUG_BYTES), Symptom::LongDebug),
        (report.process_stats.has_socket, Symptom::Network),
        (report.process_stats.processes > 1, Symptom::Processes),
        (
            report.process_stats.threads > report.process_stats.processes,
            Symptom::Threads,
        ),
    ];
    found
        .into_iter()
        .filter_map(|(is_found, symptom)| is_found.then_some(symptom))
}

/// Tests if a line is a JSON answer in the standard form: an object with six plain integers.
fn is_standard_json(line: &str) -> bool {
    let answer: Value = serde_json::from_str(line).unwrap_or_default();
    let response = &answer["response"];
    Coordinates::NAMES
        .iter()
        .all(|name| response[name].is_i64())
}

/// Tests if a line looks like an attempt at an answer: it contains exactly six integers, or is a JSON object with a response.
fn looks_like_answer(line: &str) -> bool {
    let numbers = line.split(|character: char| !character.is_ascii_digit() && character != '-');
    let count = numbers.filter(|word| word.parse::<i64>().is_ok()).count();
    let is_object = || {
        let value: Option<Value> = serde_json::from_str(line).ok();
        value.is_some_and(|value| value.get("response").is_some())
    };
    count == 6 || is_object()
}
