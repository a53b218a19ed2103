//! Report of a check, as text or JSON: a table with one line for each group of test cases, then the findings, most
//! urgent first.

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
use engine::console::{escaped, quoted};
use record::checked_game::board_after;
use record::judge::Coordinates;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Number of findings at the top of the report whose faults are shown with all evidence; later ones show one line of
/// evidence.
const MAX_FULL_FINDINGS: usize = 2;

/// Maximum number of lines shown of a crashed bot's standard error.
const MAX_STDERR_LINES: usize = 8;

/// Maximum number of preceding cases whose last positions are compared with an illegal answer: a bot may answer for an
/// old position.
const MAX_EARLIER_CASES: usize = 3;

/// Results of a check, from which its report is written.
pub struct Report<'c> {
    /// The bot that was checked, and the command-line options.
    pub(super) runner: &'c CaseRunner<'c>,
    /// Interactions (simple, JSON) that the bot understands.
    pub(super) forms: Vec<Form>,
    /// Records of the played cases in these interactions; of all simple cases if the bot understands none.
    pub(super) traces: Vec<Trace<'c>>,
    /// First case in which the bot printed something but no valid answer, in an interaction that it doesn't understand;
    /// `None` if it understands no interaction at all, or printed nothing.
    pub(super) unreadable_answer: Option<Trace<'c>>,
    /// Number of planned cases that were not played, because the time limit was reached.
    pub(super) not_played: usize,
    /// Names of files that the bot created or changed in the current folder.
    pub(super) files: Vec<String>,
    /// Kinds of moves that the bot never makes, in descending order of the number expected from random play.
    missing_moves: Vec<MissingMoves>,
}

/// One occurrence of a symptom: (index of the case in the report, record of the case, symptom and turn).
type Occurrence<'r> = (usize, &'r Trace<'r>, Detection);

/// A symptom that the bot showed, with evidence; becomes one section of the report.
pub(super) struct Finding<'r> {
    pub(super) symptom: Symptom,
    /// Cases in which the symptom occurred; empty if it concerns the check as a whole.
    pub(super) cases: Vec<&'r Case>,
    /// Evidence from the first of `cases`, as lines of text for the user.
    evidence: String,
    /// Kind of move that the bot never makes, if its absence would explain all occurrences of the symptom.
    missing_moves: Option<&'r MissingMoves>,
}

/// Returns the interactions (simple, JSON) in which the bot gave an answer in at least one case, simple first.
#[must_use]
pub fn understood_forms(traces: &[Trace]) -> Vec<Form> {
    let answers = |form: &Form| {
        let mut of_form = traces.iter().filter(|trace| trace.case.form == *form);
        of_form.any(Trace::is_understood)
    };
    Form::ALL.into_iter().filter(answers).collect()
}

impl<'c> Report<'c> {
    /// Creates the report on the played cases `traces` out of `planned` cases. `files` names the files that the bot
    /// wrote.
    #[must_use]
    pub fn new(
        runner: &'c CaseRunner<'c>,
        mut traces: Vec<Trace<'c>>,
        planned: usize,
        files: Vec<String>,
    ) -> Report<'c> {
        let forms = understood_forms(&traces);
        let not_played = planned - traces.len();
        // Failures in an interaction that the bot doesn't understand are no faults: the bot can be uploaded for the
        // other interaction.
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
            missing_moves: MissingMoves::find(traces.iter().flat_map(|trace| &trace.turns)),
            traces,
            unreadable_answer,
            not_played,
            files,
        }
    }

    /// Tests if the bot is ready for Botzone: if it understands an interaction and has no fault in any played case.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        !self.forms.is_empty() && self.failed().next().is_none()
    }

    /// Returns the records of the cases in which the bot has a fault.
    pub fn failed(&self) -> impl Iterator<Item = &Trace<'c>> {
        self.traces.iter().filter(|trace| trace.has_failed())
    }

    /// Returns all findings: faults first, then warnings, then notes, with texts in `language`.
    fn findings(&self, language: Language) -> Vec<Finding<'_>> {
        let of_turns = Symptom::ALL.iter().filter_map(|&symptom| {
            let occurrences: Vec<_> = self.occurrences(symptom).collect();
            let &(_, trace, found) = occurrences.first()?;
            let turns: Vec<&Turn> = occurrences
                .iter()
                .filter_map(|(_, trace, found)| trace.turns.get(found.turn))
                .collect();
            let missing_moves = self
                .missing_moves
                .iter()
                .find(|never| never.explains(&turns));
            let suspects = match missing_moves {
                Some(never) => PERHAPS.of(language, &[&never.describe(language)]) + "\n",
                None => self.suspects(&occurrences, language),
            };
            let cases = occurrences.iter().map(|(_, trace, _)| trace.case).collect();
            let evidence = self.evidence(trace, found, language) + &suspects;
            Some((symptom, cases, evidence, missing_moves))
        });
        let unreadable = self.unreadable_answer.as_ref().map(|trace| {
            let evidence = self.explain_rejection(trace, &trace.turns[0], language);
            (Symptom::UnreadableAnswer, vec![trace.case], evidence, None)
        });
        let files = (!self.files.is_empty()).then(|| {
            let names = escaped(&self.files.join(", ")).to_string();
            (Symptom::Files, Vec::new(), names, None)
        });
        // For a bot without faults, at most one kind of missing moves is reported: the one most expected from random
        // play.
        let mut significant = self
            .missing_moves
            .iter()
            .filter(|never| never.is_significant());
        let missing_moves = significant.next().filter(|_| self.is_ready()).map(|never| {
            let description = never.describe(language);
            (Symptom::MissingMoves, Vec::new(), description, Some(never))
        });
        let all = of_turns.chain(unreadable).chain(files).chain(missing_moves);
        let finding = |(symptom, cases, evidence, missing_moves)| Finding {
            symptom,
            cases,
            evidence,
            missing_moves,
        };
        let mut findings: Vec<Finding> = all.map(finding).collect();
        // Within one severity, interaction problems come first, because they make every case fail; then findings in
        // descending order of their number of cases.
        findings.sort_by_key(|finding| {
            let is_understood = !Row::Interaction.covers(finding);
            let severity = finding.symptom.info().severity;
            (severity, is_understood, Reverse(finding.cases.len()))
        });
        findings
    }

    /// Returns the first occurrence of `symptom` in each case, in the order of the cases.
    fn occurrences(&self, symptom: Symptom) -> impl Iterator<Item = Occurrence<'_>> {
        let traces = self.traces.iter().enumerate();
        traces.filter_map(move |(number, trace)| {
            let mut detections = trace.symptoms().filter(|found| found.symptom == symptom);
            detections.next().map(|found| (number, trace, found))
        })
    }

    /// Returns the report as text. `repeat_command` turns a case's name into the command line that plays it again;
    /// `folder` holds the match logs of failed cases, if any were written.
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
        let bot = escaped(&self.runner.bot.name);
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
            text += &format!("\n{}\n", texts::LOGS.of(language, &[&escaped(folder)]));
        }
        text
    }

    /// Describes one finding: symptom, evidence, advice, and for faults the command line that plays the first case
    /// again. Without `in_full`, shows only the first line of evidence.
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

    /// Returns the evidence for the symptom `found` in `trace`, as lines of text; empty if there is nothing to show.
    fn evidence(&self, trace: &Trace, found: Detection, language: Language) -> String {
        let Some(turn) = trace.turns.get(found.turn) else {
            return String::new();
        };
        let report = &turn.report;
        match found.symptom {
            Symptom::Ponders => format!("CPU {} / 100 ms", trace.pondering_cpu.as_millis()),
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
            _ => self.explain_rejection(trace, turn, language),
        }
    }

    /// Explains why the judge rejected the answer of `turn`; for a crashed bot, adds the last [`MAX_STDERR_LINES`]
    /// lines of its standard error.
    fn explain_rejection(&self, trace: &Trace, turn: &Turn, language: Language) -> String {
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

    /// Returns the bot's likely mistakes, one per line: each would explain at least three quarters of the rejected
    /// answers `occurrences`.
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
        // A mistake in the bot's code shows in every game, so a mistake that explains less than three quarters of the
        // answers fits by chance.
        let is_likely = |count: usize| 4 * count >= 3 * occurrences.len();
        let likely = fits.iter().filter(|&&(_, count)| is_likely(count));
        likely.take(MAX_SUSPECTS).map(line).collect()
    }

    /// Returns the positions before and after the bot's last answer in each of up to [`MAX_EARLIER_CASES`] cases that
    /// precede the case with index `number`.
    fn earlier_positions(&self, number: usize) -> Vec<Board> {
        let before = self.traces[number.saturating_sub(MAX_EARLIER_CASES)..number].iter();
        let last = before.filter_map(|trace| trace.turns.last());
        last.flat_map(|turn| [board(turn), after_answer(turn)])
            .collect()
    }

    /// Returns the report as JSON, with texts in `language`, for `amazons check --json`.
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
                "never": finding.missing_moves.map(|never| never.json(language)),
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

/// Returns the position before the bot's answer in `turn`, with the bot to move.
fn board(turn: &Turn) -> Board {
    board_after(&Board::start(), &turn.moves)
}

/// Returns the position after the bot's answer in `turn`, but with the bot to move again. After an illegal answer, this
/// is the position before the answer.
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
