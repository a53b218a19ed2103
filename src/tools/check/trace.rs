//! Record of a played test case: [`Trace`] contains the bot's turns, and [`Trace::symptoms`] detects problems in
//! this record.

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

/// CPU time that shows pondering (thinking during the opponent's turn): a bot is reported if it uses more than this in
/// the pause of 100 ms after its first turn.
const MIN_PONDERING_CPU: Duration = Duration::from_millis(30);

/// Minimum number of turns after the bot's first turn in a test case for a report that the bot's memory grows. If there
/// are fewer, a growth is not reported.
const MIN_TURNS_FOR_GROWTH: usize = 6;

/// Maximum number of plies in a game. Each ply puts an arrow on one of the squares that are empty at the start, and no
/// arrow is removed.
const MAX_PLIES: usize = MAX_ARROWS;

/// Maximum length, in bytes, of the debug text of a bot's answer: Botzone shows no more of it.
const MAX_DEBUG_BYTES: usize = 1024;

/// Record of one turn of the bot: what the bot was sent, and what it answered.
#[derive(Default)]
pub struct Turn {
    /// Moves of both players before this turn, in order, beginning with black's first move.
    pub moves: Vec<Coordinates>,
    /// Text that was written to the bot's standard input in this turn.
    pub input: String,
    /// Whether a new process of the bot was started for this turn; otherwise the process of an earlier turn was used
    /// again.
    pub is_new_process: bool,
    /// Time limit of this turn.
    pub limit: Duration,
    /// Report on the turn: the bot's answer, a verdict such as a time-out, and the time and memory that the bot used.
    pub report: TurnReport,
    /// Whether Botzone's judge rejects the bot's answer. If so, the bot loses the game at once.
    pub is_rejected: bool,
}

/// Record of a played test case: the bot's turns with their time and memory, its CPU time in a pause between two turns,
/// its standard error, and the match log.
pub struct Trace<'c> {
    /// Test case that was played.
    pub case: &'c Case,
    /// Limits of time and memory that apply to each turn of the bot.
    pub limits: Limits,
    /// Turns of the bot, in the order in which they were played.
    pub turns: Vec<Turn>,
    /// CPU time that the bot used in a pause of 100 ms after its first turn. 0 if the bot's process had ended or the
    /// game ended with the first turn.
    pub pondering_cpu: Duration,
    /// Text that the bot wrote to standard error during the whole case.
    pub stderr: StderrBuffer,
    /// Match log of the game in Botzone's format: alternately an output of the judge and an answer of the bot or its
    /// opponent.
    pub log: Vec<LogEntry>,
    /// Report on the last turn of a second run of the case. In this run, the bot's input is closed after the last turn,
    /// to find out if the bot waits for the end of its input. The second run takes place if the bot exceeded the time
    /// limit in one of two turns: its first turn, or its second turn if that was played by the same process. `None` if
    /// there was no second run or Ctrl-C has stopped it.
    pub report_at_input_end: Option<TurnReport>,
}

/// A symptom that was detected in a test case, and the turn in which it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
    /// Symptom that was detected.
    pub symptom: Symptom,
    /// Index in [`Trace::turns`] of the turn in which the symptom shows. 0 for the two symptoms that belong to no
    /// single turn: pondering, and output to standard error.
    pub turn: usize,
}

impl<'c> Trace<'c> {
    /// Creates the record of `case`, without any turns; the caller adds them. `limits` are the limits of time and
    /// memory for each turn.
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

    /// Tests if the bot's first answer had the format of the case's protocol (simple or JSON). An illegal move in this
    /// format counts as readable, too.
    #[must_use]
    pub fn is_first_answer_readable(&self) -> bool {
        let answered = |turn: &Turn| turn.report.response.is_some();
        self.turns.first().is_some_and(answered)
    }

    /// Tests if the bot printed anything except whitespace in its first turn.
    #[must_use]
    pub fn has_output(&self) -> bool {
        let spoken = |turn: &Turn| !turn.report.output.trim().is_empty();
        self.turns.first().is_some_and(spoken)
    }

    /// Tests if the bot exceeded the time limit in its first turn, or in its second turn in the same process. Such an
    /// early time-out suggests a problem with the bot's input or output.
    #[must_use]
    pub fn is_early_timeout(&self) -> bool {
        let is_late = |turn: &Turn| turn.report.verdict == Verdict::TimeLimitExceeded;
        match &self.turns[..] {
            [only] => is_late(only),
            [_, second] => is_late(second) && !second.is_new_process,
            _ => false,
        }
    }

    /// Tests if the bot has a fault in this case: a symptom that makes it lose a game on Botzone.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.symptoms().any(|found| found.symptom.is_fault())
    }

    /// Returns all symptoms of problems in this case. First come symptoms of single turns, in the order of the turns;
    /// then those of the whole case: pondering, growing memory, and output to standard error.
    pub fn symptoms(&self) -> impl Iterator<Item = Detection> {
        let turns = self.turns.iter().enumerate();
        let of_turns = turns.flat_map(|(turn, played)| {
            let why_rejected = || self.rejection_symptom(turn, played);
            let rejected = played.is_rejected.then(why_rejected);
            let lost = self.loses_marker(turn).then_some(Symptom::MarkerLost);
            let others = answer_symptoms(played, self.case.protocol);
            let found = rejected.into_iter().chain(lost).chain(others);
            found.map(move |symptom| Detection { symptom, turn })
        });
        let of_case = |is_found: bool, symptom| is_found.then_some(Detection { symptom, turn: 0 });
        let idle = of_case(self.pondering_cpu > MIN_PONDERING_CPU, Symptom::Ponders);
        // Do not report output to standard error if the judge rejected an answer. In this case the output is probably
        // about that fault, such as the message of a crash.
        let has_stderr = !self.stderr.is_empty() && !self.turns.iter().any(|turn| turn.is_rejected);
        let stderr = of_case(has_stderr, Symptom::WritesStderr);
        let memory = self.memory_symptom();
        of_turns.chain(idle).chain(memory).chain(stderr)
    }

    /// Returns the symptom that tells why the judge rejected the bot's answer in `turn`: for example, the answer was
    /// late or illegal. `number` is the index of `turn` in `self.turns`, from 0.
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

    /// Returns the symptom that tells why the bot exceeded the time limit in `turn`, for example because its answer was
    /// not flushed. `number` is the index of `turn` in `self.turns`, from 0.
    ///
    /// If the case was played a second time, with the bot's input closed after this turn, the symptom also depends on
    /// that run's report, `report_at_input_end`. An answer in that run shows that the bot waited for the end of its
    /// input, or did not flush its output.
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

    /// Tests if the bot has ceased to ask to be kept running: it was kept running after its previous turn, but in the
    /// turn with index `number` it did not print the line `>>>BOTZONE_REQUEST_KEEP_RUNNING<<<`, which it must print in
    /// each turn. Always false if the judge rejected the answer of this turn, or if every turn of the case starts a new
    /// process.
    fn loses_marker(&self, number: usize) -> bool {
        let turn = &self.turns[number];
        !turn.is_new_process && !turn.is_rejected && !turn.report.keep_running && !self.case.fresh
    }

    /// Returns [`Symptom::MemoryGrows`] if the bot's memory would exceed the memory limit in a game of maximum length;
    /// otherwise `None`. The estimate assumes that the memory continues to grow at the same rate per turn as in the
    /// second half of the bot's turns. Also returns `None` if the bot has played fewer than `MIN_TURNS_FOR_GROWTH`
    /// turns after its first one, or if a new process was started in the second half of its turns.
    fn memory_symptom(&self) -> Option<Detection> {
        let last = self.turns.len().checked_sub(1)?;
        let middle = last / 2;
        let [earlier, now] = [middle, last].map(|turn| self.turns[turn].report.peak_memory);
        let mut second_half = self.turns[middle..=last].iter();
        if last < MIN_TURNS_FOR_GROWTH || second_half.any(|turn| turn.is_new_process) {
            return None;
        }
        let growth = now.saturating_sub(earlier) / (last - middle) as u64;
        let remaining_turns = (MAX_PLIES - self.turns[last].moves.len()) as u64 / 2;
        let (symptom, turn) = (Symptom::MemoryGrows, last);
        let is_exceeded = now + growth * remaining_turns > self.limits.memory_bytes;
        is_exceeded.then_some(Detection { symptom, turn })
    }
}

/// Returns those symptoms of `turn` that do not make the judge reject the answer, such as a space after the last
/// number, or an open network socket. `protocol` is the protocol (simple or JSON) of the bot's input and output.
fn answer_symptoms(turn: &Turn, protocol: Protocol) -> impl Iterator<Item = Symptom> {
    let report = &turn.report;
    let line = report.output.lines().find(|line| !line.trim().is_empty());
    let has_blank =
        protocol == Protocol::Simple && line.is_some_and(|line| line.ends_with([' ', '\t']));
    let is_unusual = protocol == Protocol::Json && !line.is_some_and(is_json_response);
    let debug = report.debug.as_ref().map(|debug| debug.to_string().len());
    let stats = report.process_stats;
    let found = [
        (has_blank && !turn.is_rejected, Symptom::TrailingBlank),
        (is_unusual && !turn.is_rejected, Symptom::UnusualAnswer),
        (debug > Some(MAX_DEBUG_BYTES), Symptom::LongDebug),
        (stats.has_socket, Symptom::Network),
        (stats.processes > 1, Symptom::Processes),
        (stats.threads > stats.processes, Symptom::Threads),
    ];
    let found = found.into_iter();
    found.filter_map(|(is_found, symptom)| is_found.then_some(symptom))
}

/// Tests if `line` is a JSON object with six integers under the key `response`, as in `{"response":{"x0":2,…,"y2":5}}`.
fn is_json_response(line: &str) -> bool {
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
