//! Record of what a bot did in a test case, and the symptoms that show in it.

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

/// Minimum CPU time within 100 ms between two turns that counts as pondering (thinking in the opponent's turn).
const MIN_PONDERING_CPU: Duration = Duration::from_millis(30);

/// Minimum number of turns, besides the first, before the growth of the bot's memory is judged.
const MIN_TURNS_FOR_GROWTH: usize = 6;

/// Maximum number of plies in a game: each turn's arrow takes one of the squares that are empty at the start.
const MAX_PLIES: usize = MAX_ARROWS;

/// Maximum length in bytes of the debug text that Botzone shows.
const MAX_DEBUG_BYTES: usize = 1024;

/// Record of one turn of the bot.
#[derive(Default)]
pub struct Turn {
    /// Moves of both players before this turn, in order, beginning with black's first move.
    pub moves: Vec<Coordinates>,
    /// Text that was written to the bot's standard input in this turn.
    pub input: String,
    /// Whether a new process was started for this turn.
    pub is_new_process: bool,
    /// Time limit of this turn, before which the bot must have answered.
    pub limit: Duration,
    /// The bot's answer, and the verdict, time and memory of the turn.
    pub report: TurnReport,
    /// Whether the judge rejected the answer, so that the bot lost the game.
    pub is_rejected: bool,
}

/// Record of a test case that was played.
pub struct Trace<'c> {
    /// Test case that was played.
    pub case: &'c Case,
    /// Limits of time and memory for each of the bot's turns.
    pub limits: Limits,
    /// Turns of the bot, in the order in which they were played.
    pub turns: Vec<Turn>,
    /// CPU time that the bot used during 100 ms between its first two turns; zero if its process had ended.
    pub pondering_cpu: Duration,
    /// Text that the bot wrote to standard error during the whole case.
    pub stderr: StderrBuffer,
    /// Entries of the match log of the game, with both players' answers.
    pub log: Vec<LogEntry>,
    /// Report on the late turn, played again with the bot's input closed after it; `None` unless the bot was late in
    /// its first turn, or in its second without a new process.
    pub report_at_input_end: Option<TurnReport>,
}

/// A detected symptom and the turn in which it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
    /// Symptom that was detected.
    pub symptom: Symptom,
    /// Index in [`Trace::turns`] of the turn that shows the symptom; 0 for pondering and for standard error.
    pub turn: usize,
}

impl<'c> Trace<'c> {
    /// Creates the record of `case` before the bot's first turn.
    #[must_use]
    pub fn new(case: &'c Case, limits: Limits) -> Trace<'c> {
        Trace {
            case,
            limits,
            turns: Vec::new(),
            pondering_cpu: Duration::ZERO,
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

    /// Tests if the bot was late in its first turn, or in its second turn without a new process, and the case ended
    /// there.
    #[must_use]
    pub fn is_early_timeout(&self) -> bool {
        let is_late = |turn: &Turn| turn.report.verdict == Verdict::TimeLimitExceeded;
        match &self.turns[..] {
            [only] => is_late(only),
            [_, second] => is_late(second) && !second.is_new_process,
            _ => false,
        }
    }

    /// Tests if the bot has a fault in this case: a symptom that loses games.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.symptoms().any(|found| found.symptom.is_fault())
    }

    /// Returns all symptoms in this case: first the symptoms of single turns, in order, then those of the whole case.
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
        let idle = of_case(self.pondering_cpu > MIN_PONDERING_CPU, Symptom::Ponders);
        // Standard error next to a rejected answer, for example after a crash, belongs to that fault and is no symptom
        // of its own.
        let has_stderr = !self.stderr.is_empty() && !self.turns.iter().any(|turn| turn.is_rejected);
        let stderr = of_case(has_stderr, Symptom::WritesStderr);
        let memory = self.memory_symptom();
        of_turns.chain(idle).chain(memory).chain(stderr)
    }

    /// Returns the symptom that made the judge reject the answer of `turn`, the turn with index `number`.
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

    /// Returns the symptom that explains a late answer in the turn with index `number`. If the turn was repeated with
    /// the input closed after it (`report_at_input_end`), the result of the repetition tells what the bot waited for.
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

    /// Tests if the bot was kept running until the turn with index `number`, but then did not print the line
    /// `>>>BOTZONE_REQUEST_KEEP_RUNNING<<<`, which asks for it again.
    fn loses_marker(&self, number: usize) -> bool {
        let turn = &self.turns[number];
        !turn.is_new_process && !turn.is_rejected && !turn.report.keep_running && !self.case.fresh
    }

    /// Returns [`Symptom::MemoryGrows`] if the bot's memory would exceed the limit in the longest possible game, at the
    /// average growth per turn since the middle of the case.
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

/// Returns the symptoms of a turn that don't make the judge reject the answer, such as a blank after the last number.
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

/// Tests if `line` is a JSON answer in the standard form: an object whose `response` holds six plain integers.
fn is_standard_json(line: &str) -> bool {
    let answer: Value = serde_json::from_str(line).unwrap_or_default();
    let response = &answer["response"];
    Coordinates::NAMES
        .iter()
        .all(|name| response[name].is_i64())
}

/// Tests if `line` looks like an attempt at an answer: it contains exactly six integers, or is a JSON object with the
/// key `response`.
fn looks_like_answer(line: &str) -> bool {
    let numbers = line.split(|character: char| !character.is_ascii_digit() && character != '-');
    let count = numbers.filter(|word| word.parse::<i64>().is_ok()).count();
    let is_object = || {
        let value: Option<Value> = serde_json::from_str(line).ok();
        value.is_some_and(|value| value.get("response").is_some())
    };
    count == 6 || is_object()
}
