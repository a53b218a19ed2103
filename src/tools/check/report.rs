//! The report of a check: a table with a line for each group of cases, then the findings, most urgent first.

use super::case::{Case, Conditions};
use super::never::Never;
use super::symptom::{About, Severity, Symptom};
use super::table::{self, Row};
use super::trace::{Seen, Trace, Turn};
use super::words;
use analysis::diagnosis::Mistake;
use analysis::glossary::{COLON, Language, Term};
use analysis::refusal::{MAX_SUSPECTS, PERHAPS};
use engine::board::{Board, Move};
use engine::botzone::Form;
use engine::console::{quoted, visible};
use record::judge::Coordinates;
use record::replayed::board_after;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Number of faults that are reported with all their evidence; later faults show one line of evidence.
const DETAILED_FAULTS: usize = 2;

/// Maximum number of lines shown of a crashed bot's standard error.
const MAX_STDERR_LINES: usize = 8;

/// Number of earlier cases whose last positions are compared with an illegal answer: a bot may answer for an old position.
const COMPARED_CASES: usize = 3;

/// Results of a check.
pub struct Report<'c> {
    /// The bot and the options of the command line.
    pub(super) conditions: &'c Conditions<'c>,
    pub(super) forms: Vec<Form>,
    pub(super) traces: Vec<Trace<'c>>,
    /// A first turn in an interaction that the bot only half understands: it prints something, but no valid answer.
    pub(super) half_answer: Option<Trace<'c>>,
    /// Number of planned cases that were not played, because time was up.
    pub(super) not_played: usize,
    /// Names of files that the bot has written into its folder.
    pub(super) files: Vec<String>,
    /// Kinds of moves that the bot never makes.
    never: Vec<Never>,
}

/// An occurrence of a symptom: the case's index in the report, the case as played, and the turn.
type Place<'r> = (usize, &'r Trace<'r>, Seen);

/// A symptom of the bot, with evidence.
pub(super) struct Finding<'r> {
    pub(super) symptom: Symptom,
    /// Cases in which the symptom occurred.
    pub(super) cases: Vec<&'r Case>,
    /// Evidence from the first of `cases`, as lines of text.
    evidence: String,
    /// Kind of move that the bot never makes, if its absence explains every occurrence of the symptom.
    never: Option<&'r Never>,
}

/// Returns the interactions in which the bot gave an answer; the simple interaction comes first.
#[must_use]
pub fn understood(traces: &[Trace]) -> Vec<Form> {
    let answers = |form: &Form| {
        let mut of_form = traces.iter().filter(|trace| trace.case.form == *form);
        of_form.any(Trace::is_understood)
    };
    Form::ALL.into_iter().filter(answers).collect()
}

impl<'c> Report<'c> {
    /// Creates the report on the cases that were played, out of `planned` cases. `files` names files that the bot wrote.
    #[must_use]
    pub fn new(
        conditions: &'c Conditions<'c>,
        mut traces: Vec<Trace<'c>>,
        planned: usize,
        files: Vec<String>,
    ) -> Report<'c> {
        let forms = understood(&traces);
        let not_played = planned - traces.len();
        // Failures in an interaction that the bot doesn't understand are no faults, because the bot can be uploaded for the
        // other one.
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

    /// Tests if the bot understands an interaction and has no fault.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        !self.forms.is_empty() && self.failed().next().is_none()
    }

    /// Returns the cases that failed.
    pub fn failed(&self) -> impl Iterator<Item = &Trace<'c>> {
        self.traces.iter().filter(|trace| trace.has_failed())
    }

    /// Returns all findings, most urgent first.
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
        // For a bot without faults, reports at most one kind of move that never occurs: the kind with the highest expected
        // number.
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
        // Within one severity, interaction problems come first, because they make every case fail; then the most frequent
        // findings.
        findings.sort_by_key(|finding| {
            let is_understood = !Row::Interaction.holds(finding);
            let severity = finding.symptom.about().severity;
            (severity, is_understood, Reverse(finding.cases.len()))
        });
        findings
    }

    /// Returns the first occurrence of a symptom in each case.
    fn places(&self, symptom: Symptom) -> impl Iterator<Item = Place<'_>> {
        let traces = self.traces.iter().enumerate();
        traces.filter_map(move |(number, trace)| {
            let mut seen = trace.symptoms().filter(|seen| seen.symptom == symptom);
            seen.next().map(|seen| (number, trace, seen))
        })
    }

    /// Returns the report as text. `again` returns the command line that plays a case again; `folder` is where match logs were
    /// written.
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
            let in_full = number < DETAILED_FAULTS && finding.symptom.is_fault();
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

    /// Describes one finding: symptom, evidence, advice, and for faults the command line that plays the first case again.
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

    /// Returns the evidence for a symptom, as lines of text.
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
            Symptom::Processes => report.process_stats.processes.to_string(),
            Symptom::Speaks => words::BYTES.of(language, &[&trace.words.total()]),
            Symptom::Threads => report.process_stats.threads.to_string(),
            Symptom::BlankAtTheEnd | Symptom::MarkerLost | Symptom::UnusualAnswer => {
                format!("\"{}\"", quoted(&report.output))
            }
            Symptom::Network | Symptom::LongDebug => String::new(),
            _ => self.refused(trace, turn, language),
        }
    }

    /// Explains why an answer was rejected; for a crashed bot, adds the end of its standard error.
    fn refused(&self, trace: &Trace, turn: &Turn, language: Language) -> String {
        let refused = turn.report.refused(&turn.moves, trace.limits);
        let mut told = refused.seen(language);
        if turn.report.why.is_some() && !trace.words.is_empty() {
            let said = trace.words.to_string();
            let lines: Vec<&str> = said.lines().collect();
            told += &format!("{}\n", words::LAST_WORDS.text(language));
            told += &lines[lines.len().saturating_sub(MAX_STDERR_LINES)..].join("\n");
            told += "\n";
        }
        told
    }

    /// Returns the bot's likely mistakes, one per line: those that would explain most of the illegal answers.
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
        // A mistake in the bot's code shows in every game, so a mistake that fits less than three quarters of the answers fits
        // by chance.
        let is_likely = |count: usize| 4 * count >= 3 * places.len();
        let likely = fits.iter().filter(|&&(_, count)| is_likely(count));
        likely.take(MAX_SUSPECTS).map(line).collect()
    }

    /// Returns the last positions, before and after the bot's answer, of up to [`COMPARED_CASES`] cases before case `number`.
    fn remembered(&self, number: usize) -> Vec<Board> {
        let before = self.traces[number.saturating_sub(COMPARED_CASES)..number].iter();
        let last = before.filter_map(|trace| trace.turns.last());
        last.flat_map(|turn| [board(turn), after_answer(turn)])
            .collect()
    }

    /// Returns the report as JSON.
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

/// Returns the position before the bot's answer in a turn.
fn board(turn: &Turn) -> Board {
    board_after(&Board::start(), &turn.moves)
}

/// Returns the position after the bot's answer in a turn, with the bot to move again.
fn after_answer(turn: &Turn) -> Board {
    let mut board = board(turn);
    let player = board.to_move();
    let answer = turn.report.response.as_ref().and_then(Coordinates::read);
    if let Some(answer) = answer.and_then(|answer| Move::from_coordinates(answer.numbers()).ok()) {
        // An illegal answer leaves the board unchanged.
        let _ = board.play(answer);
    }
    board.set_to_move(player);
    board
}
