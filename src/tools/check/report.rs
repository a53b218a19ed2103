//! What a check found: a line for each group, then what to mend, the worst first.

use super::case::{Case, Conditions};
use super::never::Never;
use super::symptom::{About, Severity, Symptom};
use super::table::{self, Row};
use super::trace::{Seen, Trace, Turn};
use super::words;
use analysis::diagnosis::Mistake;
use analysis::glossary::{COLON, Language, Term};
use analysis::refusal::{MOST_SUSPECTS, PERHAPS};
use engine::board::{Board, Move};
use engine::botzone::Form;
use engine::console::{quoted, visible};
use record::judge::Coordinates;
use record::replayed::board_after;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Faults that are told with everything that shows them.
const TOLD_IN_FULL: usize = 2;

/// Last lines of a crashed bot's standard error.
const LAST_WORDS: usize = 8;

/// Cases before one whose last positions a bot may have kept.
const REMEMBERED: usize = 3;

/// What a check found.
pub struct Report<'c> {
    /// The bot, and what the user has asked for.
    pub(super) conditions: &'c Conditions<'c>,
    pub(super) forms: Vec<Form>,
    pub(super) traces: Vec<Trace<'c>>,
    /// A first turn in an interaction in which the bot answers, but not so that it can be read.
    pub(super) half_answer: Option<Trace<'c>>,
    /// Cases that there was no time for.
    pub(super) not_played: usize,
    /// Files that the bot has written into its folder.
    pub(super) files: Vec<String>,
    /// Kinds of moves that the bot never makes.
    never: Vec<Never>,
}

/// Where a symptom was seen: the number of a case, the case, the turn.
type Place<'r> = (usize, &'r Trace<'r>, Seen);

/// A symptom with what shows it.
pub(super) struct Finding<'r> {
    pub(super) symptom: Symptom,
    /// The cases in which it was seen.
    pub(super) cases: Vec<&'r Case>,
    /// What was seen in the first of them, line by line.
    evidence: String,
    /// A kind of moves that the bot never makes, if that explains all of it.
    never: Option<&'r Never>,
}

/// The interactions in which a bot answered; simple first.
#[must_use]
pub fn understood(traces: &[Trace]) -> Vec<Form> {
    let answers = |form: &Form| {
        let mut of_form = traces.iter().filter(|trace| trace.case.form == *form);
        of_form.any(Trace::is_understood)
    };
    Form::ALL.into_iter().filter(answers).collect()
}

impl<'c> Report<'c> {
    /// The report on all cases that were played, of so many planned.
    #[must_use]
    pub fn new(
        conditions: &'c Conditions<'c>,
        mut traces: Vec<Trace<'c>>,
        planned: usize,
        files: Vec<String>,
    ) -> Report<'c> {
        let forms = understood(&traces);
        let not_played = planned - traces.len();
        // What a bot can't do in an interaction that it does not understand is no fault.
        let counts = forms.first().map_or(&[Form::Simple][..], |_| &forms);
        let is_of_others = |trace: &mut Trace| !counts.contains(&trace.case.form);
        let mut others = traces
            .extract_if(.., is_of_others)
            .collect::<Vec<_>>()
            .into_iter();
        let half_answer = others.find(|trace| !forms.is_empty() && trace.has_spoken());
        Report {
            conditions,
            forms,
            never: Never::all(traces.iter().flat_map(|trace| &trace.turns)),
            traces,
            half_answer,
            not_played,
            files,
        }
    }

    /// Tests if the bot has no fault.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        !self.forms.is_empty() && self.failed().next().is_none()
    }

    /// The cases that failed.
    pub fn failed(&self) -> impl Iterator<Item = &Trace<'c>> {
        self.traces.iter().filter(|trace| trace.has_failed())
    }

    /// Everything that was found, what should be mended first in front.
    fn findings(&self, language: Language) -> Vec<Finding<'_>> {
        let of_turns = Symptom::ALL.iter().filter_map(|&symptom| {
            let places: Vec<_> = self.places(symptom).collect();
            let &(_, trace, seen) = places.first()?;
            let turns: Vec<&Turn> = places
                .iter()
                .filter_map(|(_, trace, seen)| trace.turns.get(seen.turn))
                .collect();
            let never = self.never.iter().find(|never| never.explains(&turns));
            let suspects = match never {
                Some(never) => PERHAPS.of(language, &[&never.told(language)]) + "\n",
                None => self.suspects(&places, language),
            };
            let cases = places.iter().map(|(_, trace, _)| trace.case).collect();
            let evidence = self.evidence(trace, seen, language) + &suspects;
            Some((symptom, cases, evidence, never))
        });
        let half = self.half_answer.as_ref().map(|trace| {
            let evidence = self.refused(trace, &trace.turns[0], language);
            (Symptom::HalfAnswer, vec![trace.case], evidence, None)
        });
        let files = (!self.files.is_empty()).then(|| {
            let names = visible(&self.files.join(", ")).to_string();
            (Symptom::Files, Vec::new(), names, None)
        });
        // The widest of the kinds that a bot without faults never makes.
        let mut telling = self.never.iter().filter(|never| never.is_telling());
        let never = telling.next().filter(|_| self.is_ready()).map(|never| {
            let told = never.told(language);
            (Symptom::Never, Vec::new(), told, Some(never))
        });
        let all = of_turns.chain(half).chain(files).chain(never);
        let finding = |(symptom, cases, evidence, never)| Finding {
            symptom,
            cases,
            evidence,
            never,
        };
        let mut findings: Vec<Finding> = all.map(finding).collect();
        // Who can't be understood fails everywhere; then comes what fails most often.
        findings.sort_by_key(|finding| {
            let is_understood = !Row::Interaction.holds(finding);
            let severity = finding.symptom.about().severity;
            (severity, is_understood, Reverse(finding.cases.len()))
        });
        findings
    }

    /// Where a symptom was seen: once for each case.
    fn places(&self, symptom: Symptom) -> impl Iterator<Item = Place<'_>> {
        let traces = self.traces.iter().enumerate();
        traces.filter_map(move |(number, trace)| {
            let mut seen = trace.symptoms().filter(|seen| seen.symptom == symptom);
            seen.next().map(|seen| (number, trace, seen))
        })
    }

    /// The report for people. `again`: the command line that plays a case again; `folder`: where logs were kept.
    #[must_use]
    pub fn text(
        &self,
        language: Language,
        again: &dyn Fn(&str) -> String,
        folder: Option<&str>,
    ) -> String {
        let findings = self.findings(language);
        let rows = self.rows(&findings, language);
        let is_whole = rows.iter().all(|(_, state, _)| *state != words::NOT_TRIED);
        let verdict = match self.is_ready() {
            true if is_whole => words::READY,
            true => words::SO_FAR,
            false => words::NOT_READY,
        };
        let bot = visible(&self.conditions.bot.name);
        let mut text = COLON.of(language, &[&bot, &verdict.text(language)]) + "\n";
        text += &table::shown(rows, language);
        for (number, finding) in findings.iter().enumerate() {
            let heading = match finding.symptom.about().severity {
                Severity::Fault if number == 0 => words::MEND_FIRST,
                Severity::Fault => words::THEN,
                Severity::Warning => words::MAY_HURT,
                Severity::Note => words::WORTH_KNOWING,
            };
            let in_full = number < TOLD_IN_FULL && finding.symptom.is_fault();
            let told = self.told(finding, in_full, again, language);
            text += &format!(
                "\n{}",
                COLON.of(language, &[&heading.text(language), &told])
            );
        }
        if let Some(folder) = folder {
            text += &format!("\n{}\n", words::LOGS.of(language, &[&visible(folder)]));
        }
        text
    }

    /// What is said of a finding.
    fn told(
        &self,
        finding: &Finding,
        in_full: bool,
        again: &dyn Fn(&str) -> String,
        language: Language,
    ) -> String {
        let About { term, advice, .. } = finding.symptom.about();
        let what = term.text(language);
        let cases = finding.cases.len();
        let mut lines = vec![match cases {
            0 => what.to_owned(),
            _ => words::IN_CASES.of(language, &[&what, &cases, &self.traces.len()]),
        }];
        let shown = if in_full { usize::MAX } else { 1 };
        lines.extend(finding.evidence.lines().take(shown).map(str::to_owned));
        lines.push(words::DO.of(language, &[&advice.text(language)]));
        if finding.symptom.is_fault() {
            lines.push(words::AGAIN.of(language, &[&again(&finding.cases[0].name)]));
        }
        lines.join("\n  ") + "\n"
    }

    /// What shows a symptom, line by line.
    fn evidence(&self, trace: &Trace, seen: Seen, language: Language) -> String {
        let Some(turn) = trace.turns.get(seen.turn) else {
            return String::new();
        };
        let report = &turn.report;
        match seen.symptom {
            Symptom::Ponders => format!("CPU {} / 100 ms", trace.idle.as_millis()),
            Symptom::Grows => {
                let memory = trace
                    .turns
                    .iter()
                    .map(|turn| megabytes(turn.report.memory).to_string());
                memory.collect::<Vec<_>>().join(" → ") + " MB"
            }
            Symptom::Processes => report.company.processes.to_string(),
            Symptom::Speaks => words::BYTES.of(language, &[&trace.words.total()]),
            Symptom::Threads => report.company.threads.to_string(),
            Symptom::BlankAtTheEnd | Symptom::MarkerLost | Symptom::UnusualAnswer => {
                format!("\"{}\"", quoted(&report.said))
            }
            Symptom::Network | Symptom::LongDebug => String::new(),
            _ => self.refused(trace, turn, language),
        }
    }

    /// Why an answer was refused, with the last words of a bot that has crashed.
    fn refused(&self, trace: &Trace, turn: &Turn, language: Language) -> String {
        let refused = turn.report.refused(&turn.moves, trace.limits);
        let mut told = refused.seen(language);
        if turn.report.why.is_some() && !trace.words.is_empty() {
            let said = trace.words.to_string();
            let lines: Vec<&str> = said.lines().collect();
            told += &format!("{}\n", words::LAST_WORDS.text(language));
            told += &lines[lines.len().saturating_sub(LAST_WORDS)..].join("\n");
            told += "\n";
        }
        told
    }

    /// The mistakes that make most of the illegal answers legal, a line each.
    fn suspects(&self, places: &[Place], language: Language) -> String {
        let mut fits: BTreeMap<Mistake, usize> = BTreeMap::new();
        for &(number, trace, seen) in places {
            let turn = &trace.turns[seen.turn];
            let refused = turn.report.refused(&turn.moves, trace.limits);
            for mistake in refused.suspects(&self.remembered(number)) {
                *fits.entry(mistake).or_default() += 1;
            }
        }
        let mut fits: Vec<(Mistake, usize)> = fits.into_iter().collect();
        fits.sort_by_key(|&(_, count)| Reverse(count));
        let line = |&(mistake, count): &(Mistake, usize)| {
            let mistake = mistake.term().text(language);
            let said = words::FITS.of(language, &[&mistake, &count, &places.len()]);
            PERHAPS.of(language, &[&said]) + "\n"
        };
        // A bot makes its mistake in every game: what fits fewer than three quarters of the answers fits them by chance.
        let is_likely = |count: usize| 4 * count >= 3 * places.len();
        let likely = fits.iter().filter(|&&(_, count)| is_likely(count));
        likely.take(MOST_SUSPECTS).map(line).collect()
    }

    /// Positions of the cases before, as the bot saw them last: when it was asked, and after its answer.
    fn remembered(&self, number: usize) -> Vec<Board> {
        let before = self.traces[number.saturating_sub(REMEMBERED)..number].iter();
        let last = before.filter_map(|trace| trace.turns.last());
        last.flat_map(|turn| [board(turn), after_answer(turn)])
            .collect()
    }

    /// The report as JSON.
    #[must_use]
    pub fn json(&self, language: Language) -> Value {
        let key = |term: Term| term.text(Language::En).to_lowercase();
        let findings = self.findings(language);
        let rows = self
            .rows(&findings, language)
            .into_iter()
            .map(|(of, state, said)| json!({ "of": key(of), "state": key(state), "said": said }));
        let findings = findings.iter().map(|finding| {
            let about = finding.symptom.about();
            let cases: Vec<&str> = finding.cases.iter().map(|case| &*case.name).collect();
            json!({
                "symptom": about.key,
                "severity": key(about.severity.term()),
                "said": about.term.text(language),
                "cases": cases,
                "shown": finding.evidence,
                "never": finding.never.map(|never| never.json(language)),
                "advice": about.advice.text(language),
            })
        });
        let forms: Vec<&str> = self.forms.iter().map(|form| form.key()).collect();
        json!({
            "bot": self.conditions.bot.name,
            "ready": self.is_ready(),
            "forms": forms,
            "rows": rows.collect::<Vec<_>>(),
            "findings": findings.collect::<Vec<_>>(),
            "cases": self.traces.len(),
            "not_played": self.not_played,
        })
    }
}

pub const fn megabytes(bytes: u64) -> u64 {
    bytes / 1_000_000
}

/// The position of a turn.
fn board(turn: &Turn) -> Board {
    board_after(&Board::start(), &turn.moves)
}

/// The position after the bot's answer, as if it were its turn once more.
fn after_answer(turn: &Turn) -> Board {
    let mut board = board(turn);
    let player = board.to_move();
    let answer = turn.report.response.as_ref().and_then(Coordinates::read);
    if let Some(answer) = answer.and_then(|answer| Move::from_coordinates(answer.numbers()).ok()) {
        // An illegal answer changes nothing.
        let _ = board.play(answer);
    }
    board.set_to_move(player);
    board
}
