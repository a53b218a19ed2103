//! What was seen of a bot in a case.

use super::case::Case;
use super::symptom::Symptom;
use crate::platform::process::utterances::Utterances;
use crate::platform::process::{Limits, TurnReport};
use analysis::refusal::is_giving_up;
use engine::board::MAX_ARROWS;
use engine::botzone::Form;
use record::judge::{Coordinates, Verdict};
use record::log::LogEntry;
use serde_json::Value;
use std::time::Duration;

/// CPU time that a bot left alone for 100 ms has to use to count as pondering.
const LEAST_PONDERING: Duration = Duration::from_millis(30);

/// Turns of a process after the first from which the growth of its memory is told.
const LEAST_TURNS: usize = 6;

/// Plies of the longest game: an arrow on every square that is free at its start.
const LONGEST_GAME: usize = MAX_ARROWS;

/// Bytes of the debug text that the platform shows.
const MAX_DEBUG: usize = 1024;

/// A turn of the bot.
#[derive(Default)]
pub struct Turn {
    /// The moves before it, black's first.
    pub moves: Vec<Coordinates>,
    /// What the bot was sent.
    pub input: String,
    /// Whether a process began with it.
    pub began_process: bool,
    /// Its time limit.
    pub limit: Duration,
    /// How the bot did.
    pub report: TurnReport,
    /// Whether the judge refused the answer.
    pub is_refused: bool,
}

/// What was seen of a bot in a case.
pub struct Trace<'c> {
    /// The case.
    pub case: &'c Case,
    /// The limits of a turn.
    pub limits: Limits,
    /// The bot's turns.
    pub turns: Vec<Turn>,
    /// CPU time that a kept bot used after its first turn, while nothing was asked of it.
    pub idle: Duration,
    /// The bot's standard error.
    pub words: Utterances,
    /// The game as a match log.
    pub log: Vec<LogEntry>,
    /// A late turn of a process, its first or second, played once more with an input that ends behind it.
    pub once_input_ends: Option<TurnReport>,
}

/// Something that was seen in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// What it is.
    pub symptom: Symptom,
    /// Number of the turn in its trace.
    pub turn: usize,
}

impl<'c> Trace<'c> {
    /// A case in which nothing has happened yet.
    #[must_use]
    pub fn new(case: &'c Case, limits: Limits) -> Trace<'c> {
        Trace {
            case,
            limits,
            turns: Vec::new(),
            idle: Duration::ZERO,
            words: Utterances::default(),
            log: Vec::new(),
            once_input_ends: None,
        }
    }

    /// Tests if the bot gave an answer in the case's interaction, be it a legal move or not.
    #[must_use]
    pub fn is_understood(&self) -> bool {
        let answered = |turn: &Turn| turn.report.response.is_some();
        self.turns.first().is_some_and(answered)
    }

    /// Tests if the bot printed anything in its first turn.
    #[must_use]
    pub fn has_spoken(&self) -> bool {
        let spoken = |turn: &Turn| !turn.report.said.trim().is_empty();
        self.turns.first().is_some_and(spoken)
    }

    /// Tests if it ended by a late turn, the first or the second of one process.
    #[must_use]
    pub fn is_early_and_late(&self) -> bool {
        let is_late = |turn: &Turn| turn.report.verdict == Verdict::TimeLimitExceeded;
        match &self.turns[..] {
            [only] => is_late(only),
            [_, second] => is_late(second) && !second.began_process,
            _ => false,
        }
    }

    /// Tests if it shows a fault.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.symptoms().any(|seen| seen.symptom.is_fault())
    }

    /// Everything that was seen, turn by turn.
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
        let idle = of_all(self.idle > LEAST_PONDERING, Symptom::Ponders);
        // The last words of a bot that crashed belong to the crash.
        let is_loud = !self.words.is_empty() && !self.turns.iter().any(|turn| turn.is_refused);
        let speaks = of_all(is_loud, Symptom::Speaks);
        of_turns.chain(idle).chain(self.of_memory()).chain(speaks)
    }

    /// Why an answer was refused.
    fn of_refused(&self, number: usize, turn: &Turn) -> Symptom {
        match turn.report.verdict {
            Verdict::TimeLimitExceeded => self.of_late(number, turn),
            Verdict::MemoryLimitExceeded => Symptom::TooMuchMemory,
            Verdict::RuntimeError | Verdict::OutputLimitExceeded | Verdict::CompileError => {
                Symptom::Crashed
            }
            Verdict::NotJson | Verdict::Ok => {
                let response = turn.report.response.as_ref();
                let is_below = turn.report.said.lines().skip(1).any(is_answer);
                match response.and_then(Coordinates::read) {
                    Some(answer) if is_giving_up(answer) => Symptom::GaveUp,
                    Some(_) => Symptom::Illegal,
                    None if is_below && response.is_none() => Symptom::AnswerNotFirst,
                    None => Symptom::NoMove,
                }
            }
        }
    }

    /// What a late answer was waiting for.
    fn of_late(&self, number: usize, turn: &Turn) -> Symptom {
        if turn.report.said.lines().any(is_answer) {
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

    /// Tests if a bot that was kept running does not ask for it again.
    fn loses_marker(&self, number: usize) -> bool {
        let turn = &self.turns[number];
        !turn.began_process && !turn.is_refused && !turn.report.keep_running && !self.case.fresh
    }

    /// Memory that grows so fast that a game to the last square would end by it.
    fn of_memory(&self) -> Option<Seen> {
        let last = self.turns.len().checked_sub(1)?;
        let middle = last / 2;
        let [then, now] = [middle, last].map(|turn| self.turns[turn].report.memory);
        if last < LEAST_TURNS
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

/// What is odd about an answer that the judge took.
fn of_answer(turn: &Turn, form: Form) -> impl Iterator<Item = Symptom> {
    let report = &turn.report;
    let line = report.said.lines().find(|line| !line.trim().is_empty());
    let trailing = form == Form::Simple && line.is_some_and(|line| line.ends_with([' ', '\t']));
    let unusual = form == Form::Json && !line.is_some_and(is_plain);
    let debug = report.debug.as_ref().map(|debug| debug.to_string().len());
    let found = [
        (trailing && !turn.is_refused, Symptom::BlankAtTheEnd),
        (unusual && !turn.is_refused, Symptom::UnusualAnswer),
        (debug > Some(MAX_DEBUG), Symptom::LongDebug),
        (report.company.has_socket, Symptom::Network),
        (report.company.processes > 1, Symptom::Processes),
        (
            report.company.threads > report.company.processes,
            Symptom::Threads,
        ),
    ];
    found
        .into_iter()
        .filter_map(|(is_seen, symptom)| is_seen.then_some(symptom))
}

/// Tests if a line holds an answer in JSON as it should be written.
fn is_plain(line: &str) -> bool {
    let answer: Value = serde_json::from_str(line).unwrap_or_default();
    let response = &answer["response"];
    Coordinates::NAMES
        .iter()
        .all(|name| response[name].is_i64())
}

/// Tests if a line was meant as an answer: it holds six numbers, with anything between them, or is an object with a response.
fn is_answer(line: &str) -> bool {
    let numbers = line.split(|character: char| !character.is_ascii_digit() && character != '-');
    let count = numbers.filter(|word| word.parse::<i64>().is_ok()).count();
    let is_object = || {
        let value: Option<Value> = serde_json::from_str(line).ok();
        value.is_some_and(|value| value.get("response").is_some())
    };
    count == 6 || is_object()
}
