//! Record of a bot's turns in a test case ([`Trace`]), and detection of the symptoms in this record
//! ([`Trace::symptoms`]).

use super::case::Case;
use super::symptom::Symptom;
use crate::platform::process::stderr_buffer::StderrBuffer;
use crate::platform::process::{Limits, TurnReport};
use analysis::rejection::is_giving_up;
use engine::board::MAX_ARROWS;
use engine::botzone::Protocol;
use record::judge::{Coordinates, Verdict};
use record::log::LogEntry;
use serde_json::Value;
use std::time::Duration;

/// Threshold of the CPU time that a bot uses in a pause of 100 ms between two turns. A bot that uses more is reported
/// as pondering (thinking during the opponent's turn).
const MIN_PONDERING_CPU: Duration = Duration::from_millis(30);

/// Minimum number of turns after the first that a case must have before a growth of the bot's memory is reported.
const MIN_TURNS_FOR_GROWTH: usize = 6;

/// Maximum number of plies in a game. Each ply puts an arrow on one of the squares that are empty at the start, and no
/// arrow is removed.
const MAX_PLIES: usize = MAX_ARROWS;

/// Maximum length in bytes of the debug text that Botzone shows.
const MAX_DEBUG_BYTES: usize = 1024;

/// Record of one turn of the bot: what the bot was sent, and what it answered.
#[derive(Default)]
pub struct Turn {
    /// Moves of both players before this turn, in order, beginning with black's first move.
    pub moves: Vec<Coordinates>,
    /// Text that was written to the bot's standard input in this turn.
    pub input: String,
    /// Whether a new process was started for this turn.
    pub is_new_process: bool,
    /// Time limit of this turn.
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
    /// CPU time that the bot used in a pause of 100 ms after its first turn. 0 if the bot's process had ended or the
    /// game ended with the first turn.
    pub pondering_cpu: Duration,
    /// Text that the bot wrote to standard error during the whole case.
    pub stderr: StderrBuffer,
    /// Entries of the game's match log in Botzone's format, with the answers of the bot and of its opponent.
    pub log: Vec<LogEntry>,
    /// Report on the last turn when it was played again, this time with the bot's input closed after it. Present only
    /// if the bot exceeded the time limit in its first turn, or in its second turn in the same process; otherwise
    /// `None`.
    pub report_at_input_end: Option<TurnReport>,
}

/// Symptom that was detected in a case, and the turn that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
    /// Symptom that was detected.
    pub symptom: Symptom,
    /// Index in [`Trace::turns`] of the turn that shows the symptom. 0 for symptoms that belong to no single turn:
    /// pondering, and output to standard error.
    pub turn: usize,
}

impl<'c> Trace<'c> {
    /// Creates a record of `case` without turns. `limits` are the time and memory limits of each turn.
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

    /// Tests if the bot's first answer was in the format of the case's protocol (simple or JSON). The move itself may
    /// be illegal.
    #[must_use]
    pub fn is_first_answer_readable(&self) -> bool {
        let answered = |turn: &Turn| turn.report.response.is_some();
        self.turns.first().is_some_and(answered)
    }

    /// Tests if the bot printed anything except blanks in its first turn.
    #[must_use]
    pub fn has_output(&self) -> bool {
        let spoken = |turn: &Turn| !turn.report.output.trim().is_empty();
        self.turns.first().is_some_and(spoken)
    }

    /// Tests if the case ended because the bot exceeded the time limit in its first turn, or in its second turn in the
    /// same process.
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

    /// Returns all symptoms in this case. Symptoms of single turns come first, in the order of the turns; symptoms of
    /// the whole case follow.
    pub fn symptoms(&self) -> impl Iterator<Item = Detection> {
        let turns = self.turns.iter().enumerate();
        let of_turns = turns.flat_map(|(number, turn)| {
            let why_rejected = || self.rejection_symptom(number, turn);
            let rejected = turn.is_rejected.then(why_rejected);
            let lost = self.loses_marker(number).then_some(Symptom::MarkerLost);
            let others = answer_symptoms(turn, self.case.protocol);
            let found = rejected.into_iter().chain(lost).chain(others);
            found.map(move |symptom| Detection {
                symptom,
                turn: number,
            })
        });
        let of_case = |is_found: bool, symptom| is_found.then_some(Detection { symptom, turn: 0 });
        let idle = of_case(self.pondering_cpu > MIN_PONDERING_CPU, Symptom::Ponders);
        // Ignore output to standard error if an answer was rejected: it belongs to the fault, for example as the
        // message of a crash.
        let has_stderr = !self.stderr.is_empty() && !self.turns.iter().any(|turn| turn.is_rejected);
        let stderr = of_case(has_stderr, Symptom::WritesStderr);
        let memory = self.memory_symptom();
        of_turns.chain(idle).chain(memory).chain(stderr)
    }

    /// Returns the symptom that describes why the judge rejected the bot's answer in `turn`. `number` is the index of
    /// `turn` in the case, from 0.
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

    /// Returns the symptom that describes why the bot exceeded the time limit in `turn`, such as an answer that was not
    /// flushed. `number` is the index of `turn` in the case, from 0. If the turn was played again with the bot's input
    /// closed after it, the symptom also depends on whether the bot answered then.
    fn lateness_symptom(&self, number: usize, turn: &Turn) -> Symptom {
        if turn.report.output.lines().any(looks_like_answer) {
            return match turn.is_new_process {
                true => Symptom::KeepsRunningUnasked,
                false => Symptom::MarkerLost,
            };
        }
        match &self.report_at_input_end {
            Some(ended) if number > 0 && ended.wall_time * 2 < turn.limit => Symptom::WaitsForMore,
            Some(ended) if number == 0 && ended.keep_running => Symptom::NotFlushed,
            Some(ended) if number == 0 && ended.response.is_some() => Symptom::WaitsForEndOfInput,
            _ => Symptom::Late,
        }
    }

    /// Tests if the bot's process was kept running for the turn with index `number`, but the bot did not ask to be kept
    /// running again. It asks by printing the line `>>>BOTZONE_REQUEST_KEEP_RUNNING<<<`.
    fn loses_marker(&self, number: usize) -> bool {
        let turn = &self.turns[number];
        !turn.is_new_process && !turn.is_rejected && !turn.report.keep_running && !self.case.fresh
    }

    /// Returns [`Symptom::MemoryGrows`] if the bot would exceed the memory limit in a game of maximum length, and
    /// `None` otherwise. The estimate uses the average growth per turn in the second half of the case.
    fn memory_symptom(&self) -> Option<Detection> {
        let last = self.turns.len().checked_sub(1)?;
        let middle = last / 2;
        let [earlier, now] = [middle, last].map(|turn| self.turns[turn].report.peak_memory);
        if last < MIN_TURNS_FOR_GROWTH
            || self.turns[middle..=last]
                .iter()
                .any(|turn| turn.is_new_process)
        {
            return None;
        }
        let growth = now.saturating_sub(earlier) / (last - middle) as u64;
        let remaining_turns = (MAX_PLIES - self.turns[last].moves.len()) as u64 / 2;
        (now + growth * remaining_turns > self.limits.memory_bytes).then_some(Detection {
            symptom: Symptom::MemoryGrows,
            turn: last,
        })
    }
}

/// Returns the symptoms of a turn that do not make the judge reject the answer, such as a blank after the last number.
/// `protocol` is the protocol (simple or JSON).
fn answer_symptoms(turn: &Turn, protocol: Protocol) -> impl Iterator<Item = Symptom> {
    let report = &turn.report;
    let line = report.output.lines().find(|line| !line.trim().is_empty());
    let has_blank =
        protocol == Protocol::Simple && line.is_some_and(|line| line.ends_with([' ', '\t']));
    let is_unusual = protocol == Protocol::Json && !line.is_some_and(is_standard_json);
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

/// Tests if `line` is a JSON object with six integers under the key `response`, as in `{"response":{"x0":2,…,"y2":5}}`.
fn is_standard_json(line: &str) -> bool {
    let answer: Value = serde_json::from_str(line).unwrap_or_default();
    let response = &answer["response"];
    Coordinates::KEYS.iter().all(|name| response[name].is_i64())
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
