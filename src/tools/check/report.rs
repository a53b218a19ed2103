//! The report of a check: a table with a line for each group of cases, then the findings, most urgent first.

use super::case::{Case, CaseRunner};
use super::missing_moves::MissingMoves;
use super::summary_table::{self, Row};
use super::symptom::{Severity, Symptom, SymptomInfo};
use super::texts;
use super::trace::{Detection, Trace, Turn};
use analysis::diagnosis::Mistake;
use analysis::glossary::{COLON, Language, Term};
use analysis::rejection::{MAX_SUSPECTS, PERHAPS};
use engine::board::{Board, Move};
use engine::botzone::Form;
use engine::console::{quoted, visible};
use record::checked_game::board_after;
use record::judge::Coordinates;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Number of findings whose faults are reported with all their evidence; later findings show one line of evidence.
const MAX_FULL_FINDINGS: usize = 2;

/// Maximum number of lines shown of a crashed bot's standard error.
const MAX_STDERR_LINES: usize = 8;

/// Maximum number of earlier cases whose last positions are compared with an illegal answer, because a bot may answer for an
/// old position.
const MAX_EARLIER_CASES: usize = 3;

/// Results of a check.
pub struct Report<'c> {
    /// The bot and the options of the command line.
    pub(super) runner: &'c CaseRunner<'c>,
    pub(super) forms: Vec<Form>,
    pub(super) traces: Vec<Trace<'c>>,
    /// A first turn in an interaction that the bot only half understands: it prints something, but no valid answer.
    pub(super) unreadable_answer: Option<Trace<'c>>,
    /// Number of planned cases that were not played, because time was up.
    pub(super) not_played: usize,
    /// Names of files that the bot has written into its folder.
    pub(super) files: Vec<String>,
    /// Kinds of moves that the bot never makes.
    never: Vec<MissingMoves>,
}

/// An occurrence of a symptom: the case's index in the report, the case as played, and the turn.
type Occurrence<'r> = (usize, &'r Trace<'r>, Detection);

/// A symptom of the bot, with evidence.
pub(super) struct Finding<'r> {
    pub(super) symptom: Symptom,
    /// Cases in which the symptom occurred.
    pub(super) cases: Vec<&'r Case>,
    /// Evidence from the first of `cases`, as lines of text.
    evidence: String,
    /// Kind of move that the bot never makes, if its absence explains every occurrence of the symptom.
    never: Option<&'r MissingMoves>,
}

/// Returns the interactions in which the bot gave an answer; the simple interaction comes first.
#[must_use]
pub fn understood_forms(traces: &[Trace]) -> Vec<Form> {
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
        runner: &'c CaseRunner<'c>,
        mut traces: Vec<Trace<'c>>,
        planned: usize,
        files: Vec<String>,
    ) -> Report<'c> {
        let forms = understood_forms(&traces);
        let not_played = planned - traces.len();
        // Failures in an interaction that the bot doesn't understand are no faults, because the bot can be uploaded for the
        // other one.
        let counts = forms.first().map_or(&[Form::Simple][..], |_| &forms);
        let is_of_others = |trace: &mut Trace| !counts.contains(&trace.case.form);
        let mut others = traces
            .extract_if(.., is_of_others)
            .collect::<Vec<_>>()
            .into_iter();
        let unreadable_answer = others.find(|trace| !forms.is_empty() && trace.has_output());
        Report {
            runner,
            forms,
            never: MissingMoves::all(traces.iter().flat_map(|trace| &trace.turns)),
            traces,
            unreadable_answer,
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
            let occurrences: Vec<_> = self.occurrences(symptom).collect();
            let &(_, trace, found) = occurrences.first()?;
            let turns: Vec<&Turn> = occurrences
                .iter()
                .filter_map(|(_, trace, found)| trace.turns.get(found.turn))
                .collect();
            let never = self.never.iter().find(|never| never.explains(&turns));
            let suspects = match never {
                Some(never) => PERHAPS.of(language, &[&never.describe(language)]) + "\n",
                None => self.suspects(&occurrences, language),
            };
            let cases = occurrences.iter().map(|(_, trace, _)| trace.case).collect();
            let evidence = self.evidence(trace, found, language) + &suspects;
            Some((symptom, cases, evidence, never))
        });
        let unreadable = self.unreadable_answer.as_ref().map(|trace| {
            let evidence = self.refused(trace, &trace.turns[0], language);
            (Symptom::UnreadableAnswer, vec![trace.case], evidence, None)
        });
        let files = (!self.files.is_empty()).then(|| {
            let names = visible(&self.files.join(", ")).to_string();
            (Symptom::Files, Vec::new(), names, None)
        });
        // For a bot without faults, reports at most one kind of move that never occurs: the kind with the highest expected
        // number.
        let mut significant = self.never.iter().filter(|never| never.is_significant());
        let never = significant.next().filter(|_| self.is_ready()).map(|never| {
            let description = never.describe(language);
            (Symptom::MissingMoves, Vec::new(), description, Some(never))
        });
        let all = of_turns.chain(unreadable).chain(files).chain(never);
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
            let is_understood = !Row::Interaction.covers(finding);
            let severity = finding.symptom.info().severity;
            (severity, is_understood, Reverse(finding.cases.len()))
        });
        findings
    }

    /// Returns the first occurrence of a symptom in each case.
    fn occurrences(&self, symptom: Symptom) -> impl Iterator<Item = Occurrence<'_>> {
        let traces = self.traces.iter().enumerate();
        traces.filter_map(move |(number, trace)| {
            let mut detections = trace.symptoms().filter(|found| found.symptom == symptom);
            detections.next().map(|found| (number, trace, found))
        })
    }

    /// Returns the report as text. `repeat_command` returns the command line that plays a case again; match logs were written
    /// to `folder`.
    #[must_use]
    pub fn text(
        &self,
        language: Language,
        repeat_command: &dyn Fn(&str) -> String,
        folder: Option<&str>,
    ) -> String {
        let findings = self.findings(language);
        let rows = self.rows(&findings, language);
        let is_complete = rows.iter().all(|(_, state, _)| *state != texts::NOT_RUN);
        let verdict = match self.is_ready() {
            true if is_complete => texts::READY,
            true => texts::INCOMPLETE,
            false => texts::NOT_READY,
        };
        let bot = visible(&self.runner.bot.name);
        let mut text = COLON.of(language, &[&bot, &verdict.text(language)]) + "\n";
        text += &summary_table::to_text(rows, language);
        for (number, finding) in findings.iter().enumerate() {
            let heading = match finding.symptom.info().severity {
                Severity::Fault if number == 0 => texts::FIX_FIRST,
                Severity::Fault => texts::THEN,
                Severity::Warning => texts::MAY_HURT,
                Severity::Note => texts::WORTH_KNOWING,
            };
            let in_full = number < MAX_FULL_FINDINGS && finding.symptom.is_fault();
            let description = self.describe(finding, in_full, repeat_command, language);
            text += &format!(
                "\n{}",
                COLON.of(language, &[&heading.text(language), &description])
            );
        }
        if let Some(folder) = folder {
            text += &format!("\n{}\n", texts::LOGS.of(language, &[&visible(folder)]));
        }
        text
    }

    /// Describes one finding: symptom, evidence, advice, and for faults the command line that plays the first case again.
    fn describe(
        &self,
        finding: &Finding,
        in_full: bool,
        repeat_command: &dyn Fn(&str) -> String,
        language: Language,
    ) -> String {
        let SymptomInfo { term, advice, .. } = finding.symptom.info();
        let what = term.text(language);
        let cases = finding.cases.len();
        let mut lines = vec![match cases {
            0 => what.to_owned(),
            _ => texts::IN_CASES.of(language, &[&what, &cases, &self.traces.len()]),
        }];
        let max_lines = if in_full { usize::MAX } else { 1 };
        lines.extend(finding.evidence.lines().take(max_lines).map(str::to_owned));
        lines.push(texts::ADVICE.of(language, &[&advice.text(language)]));
        if finding.symptom.is_fault() {
            let command = repeat_command(&finding.cases[0].name);
            lines.push(texts::REPEAT_COMMAND.of(language, &[&command]));
        }
        lines.join("\n  ") + "\n"
    }

    /// Returns the evidence for a symptom, as lines of text.
    fn evidence(&self, trace: &Trace, found: Detection, language: Language) -> String {
        let Some(turn) = trace.turns.get(found.turn) else {
            return String::new();
        };
        let report = &turn.report;
        match found.symptom {
            Symptom::Ponders => format!("CPU {} / 100 ms", trace.idle.as_millis()),
            Symptom::MemoryGrows => {
                let memory = trace
                    .turns
                    .iter()
                    .map(|turn| megabytes(turn.report.memory).to_string());
                memory.collect::<Vec<_>>().join(" → ") + " MB"
            }
            Symptom::Processes => report.process_stats.processes.to_string(),
            Symptom::WritesStderr => texts::BYTES.of(language, &[&trace.stderr.total_bytes()]),
            Symptom::Threads => report.process_stats.threads.to_string(),
            Symptom::TrailingBlank | Symptom::MarkerLost | Symptom::UnusualAnswer => {
                format!("\"{}\"", quoted(&report.output))
            }
            Symptom::Network | Symptom::LongDebug => String::new(),
            _ => self.refused(trace, turn, language),
        }
    }

    /// Explains why an answer was rejected; for a crashed bot, adds the end of its standard error.
    fn refused(&self, trace: &Trace, turn: &Turn, language: Language) -> String {
        let refused = turn.report.rejection(&turn.moves, trace.limits);
        let mut description = refused.turn_and_diagram(language);
        if turn.report.exit_reason.is_some() && !trace.stderr.is_empty() {
            let stderr = trace.stderr.to_string();
            let lines: Vec<&str> = stderr.lines().collect();
            description += &format!("{}\n", texts::STDERR.text(language));
            description += &lines[lines.len().saturating_sub(MAX_STDERR_LINES)..].join("\n");
            description += "\n";
        }
        description
    }

    /// Returns the bot's likely mistakes, one per line: those that would explain most of the illegal answers.
    fn suspects(&self, occurrences: &[Occurrence], language: Language) -> String {
        let mut fits: BTreeMap<Mistake, usize> = BTreeMap::new();
        for &(number, trace, found) in occurrences {
            let turn = &trace.turns[found.turn];
            let refused = turn.report.rejection(&turn.moves, trace.limits);
            for mistake in refused.suspects(&self.earlier_positions(number)) {
                *fits.entry(mistake).or_default() += 1;
            }
        }
        let mut fits: Vec<(Mistake, usize)> = fits.into_iter().collect();
        fits.sort_by_key(|&(_, count)| Reverse(count));
        let line = |&(mistake, count): &(Mistake, usize)| {
            let mistake = mistake.term().text(language);
            let text = texts::FITS_ANSWERS.of(language, &[&mistake, &count, &occurrences.len()]);
            PERHAPS.of(language, &[&text]) + "\n"
        };
        // A mistake in the bot's code shows in every game, so a mistake that fits less than three quarters of the answers fits
        // by chance.
        let is_likely = |count: usize| 4 * count >= 3 * occurrences.len();
        let likely = fits.iter().filter(|&&(_, count)| is_likely(count));
        likely.take(MAX_SUSPECTS).map(line).collect()
    }

    /// Returns the last positions of up to [`MAX_EARLIER_CASES`] cases before case `number`, before and after the bot's answer.
    fn earlier_positions(&self, number: usize) -> Vec<Board> {
        let before = self.traces[number.saturating_sub(MAX_EARLIER_CASES)..number].iter();
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
            let info = finding.symptom.info();
            let cases: Vec<&str> = finding.cases.iter().map(|case| &*case.name).collect();
            json!({
                "symptom": info.key,
                "severity": key(info.severity.term()),
                "said": info.term.text(language),
                "cases": cases,
                "shown": finding.evidence,
                "never": finding.never.map(|never| never.json(language)),
                "advice": info.advice.text(language),
            })
        });
        let forms: Vec<&str> = self.forms.iter().map(|form| form.key()).collect();
        json!({
            "bot": self.runner.bot.name,
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
