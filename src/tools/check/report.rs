//! Report of `amazons check`, as text or JSON ([`Report`]): a table with a line for each group of test cases, then a
//! section for each problem found, most urgent first.

use super::case::{Case, CaseRunner};
use super::missing_moves::MissingMoves;
use super::summary_table::{self, Row};
use super::symptom::{Severity, Symptom};
use super::texts;
use super::trace::{Detection, Trace, Turn};
use analysis::diagnosis::Mistake;
use analysis::glossary::{COLON, Language, Term};
use analysis::rejection::{MAX_MISTAKES, PERHAPS};
use engine::board::{Board, Move};
use engine::botzone::Protocol;
use engine::console::{escaped, quoted};
use record::checked_game::board_after;
use record::judge::Coordinates;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Maximum number of faults (symptoms that make the bot lose a game) that the report describes in full: the most urgent
/// ones. Of every further fault, and of every warning and note, the report shows only the first line of the evidence.
const MAX_FULL_FINDINGS: usize = 2;

/// Maximum number of lines shown of a crashed bot's standard error.
const MAX_STDERR_LINES: usize = 8;

/// Maximum number of earlier test cases that are used to explain an illegal answer: those directly before the case with
/// the answer. If the answer would be legal in a position at the end of an earlier case, the bot may have failed to
/// reset its board between the two cases.
const MAX_EARLIER_CASES: usize = 3;

/// Results of a check of a bot. From them, [`Report::text`] and [`Report::json`] write the report for the user.
pub struct Report<'c> {
    /// Object that has played the test cases; it contains the bot that was checked and the command-line options of the
    /// check.
    pub(super) runner: &'c CaseRunner<'c>,
    /// Botzone protocols (simple, JSON) that the bot understands.
    pub(super) protocols: Vec<Protocol>,
    /// Records of the played test cases that decide if the bot is ready for Botzone. These are the cases in the
    /// protocols (simple, JSON) that the bot understands; if it understands none, those in the simple protocol.
    pub(super) traces: Vec<Trace<'c>>,
    /// Record of a test case that shows an unreadable answer, for a note in the report. Exists only if the bot
    /// understands exactly one of Botzone's two protocols. It is the first case in the other protocol in which the bot
    /// printed anything in its first turn. `None` if there is no such case.
    pub(super) unreadable_answer: Option<Trace<'c>>,
    /// Number of planned test cases that were not started, because the time limit of the check had passed.
    pub(super) not_played: usize,
    /// Names of files that the bot created or changed in the current folder.
    pub(super) files: Vec<String>,
    /// Kinds of moves that the bot never makes although they were legal. They are sorted by the number of such moves
    /// that a random player would be expected to make, largest first.
    missing_moves: Vec<MissingMoves>,
}

/// A symptom in a test case, as a tuple of three parts. First: index of the case in `Report::traces`; second: record of
/// the case; third: the symptom, and the turn that shows it.
type Occurrence<'r> = (usize, &'r Trace<'r>, Detection);

/// Problem that the check found, shown as one section of the report: a symptom, the cases with this symptom, and
/// evidence.
pub(super) struct Finding<'r> {
    pub(super) symptom: Symptom,
    /// Test cases in which the symptom occurred. Empty if the symptom belongs to no single case, for example if the bot
    /// has written files.
    pub(super) cases: Vec<&'r Case>,
    /// Text for the user, often of several lines: details of the symptom in the first of `cases`, such as the position
    /// and the illegal answer. Possible mistakes in the bot's code may follow. If `cases` is empty, the text is about
    /// the whole check: for example, the names of the files that the bot has written.
    evidence: String,
    /// Kind of moves that the bot never makes. There are three cases:
    /// - The symptom is [`Symptom::MissingMoves`]: the kind that this symptom reports.
    /// - In all turns with another symptom, only moves of this kind were legal: the kind is a possible reason for the
    ///   symptom.
    /// - Otherwise: `None`.
    missing_moves: Option<&'r MissingMoves>,
}

/// Returns those of Botzone's protocols (simple, JSON) that the bot understands, the simple one first. A bot
/// understands a protocol if its first answer was readable in at least one test case with this protocol. `traces` are
/// the records of the played test cases.
#[must_use]
pub fn understood_protocols(traces: &[Trace]) -> Vec<Protocol> {
    let is_understood = |protocol: &Protocol| {
        let is_of = |trace: &&Trace| trace.case.protocol == *protocol;
        let mut of_protocol = traces.iter().filter(is_of);
        of_protocol.any(Trace::is_first_answer_readable)
    };
    Protocol::ALL.into_iter().filter(is_understood).collect()
}

impl<'c> Report<'c> {
    /// Creates the report. `runner` contains the bot and the options of the check, `traces` the records of the played
    /// cases. `planned` is the number of all planned cases, played or not; `files` are the names of the files that the
    /// bot wrote to the current folder.
    #[must_use]
    pub fn new(
        runner: &'c CaseRunner<'c>,
        traces: Vec<Trace<'c>>,
        planned: usize,
        files: Vec<String>,
    ) -> Report<'c> {
        let known = understood_protocols(&traces);
        let not_played = planned - traces.len();
        // Do not count failures in a protocol that the bot does not understand: its author can upload the bot for the
        // other protocol. If the bot understands none, report its failures in the simple protocol.
        let counted = known.first().map_or(&[Protocol::Simple][..], |_| &known);
        let is_counted = |trace: &Trace| counted.contains(&trace.case.protocol);
        let (traces, others): (Vec<_>, Vec<_>) = traces.into_iter().partition(is_counted);
        let mut others = others.into_iter();
        let unreadable_answer = others.find(|trace| !known.is_empty() && trace.has_output());
        Report {
            runner,
            protocols: known,
            missing_moves: MissingMoves::find(traces.iter().flat_map(|trace| &trace.turns)),
            traces,
            unreadable_answer,
            not_played,
            files,
        }
    }

    /// Tests if the bot is ready for Botzone: it understands a protocol, and has no fault (a symptom that makes it lose
    /// a game) in any played case.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        !self.protocols.is_empty() && self.failed().next().is_none()
    }

    /// Returns the records of the played cases in which the bot has a fault: a symptom that makes it lose a game.
    pub fn failed(&self) -> impl Iterator<Item = &Trace<'c>> {
        self.traces.iter().filter(|trace| trace.has_failed())
    }

    /// Returns the problems found, with texts in `language`, sorted by severity: first faults, then warnings, then
    /// notes.
    fn findings(&self, language: Language) -> Vec<Finding<'_>> {
        let of_turns = Symptom::ALL.iter().filter_map(|&symptom| {
            let occurrences: Vec<_> = self.occurrences(symptom).collect();
            let &(_, trace, found) = occurrences.first()?;
            let turns = occurrences.iter();
            let turns = turns.filter_map(|(_, trace, found)| trace.turns.get(found.turn));
            let turns: Vec<&Turn> = turns.collect();
            let mut all = self.missing_moves.iter();
            let missing_moves = all.find(|never| never.explains(&turns));
            let mistakes = match missing_moves {
                Some(never) => PERHAPS.fill(language, &[&never.describe(language)]) + "\n",
                None => self.likely_mistakes(&occurrences, language),
            };
            let cases = occurrences.iter().map(|(_, trace, _)| trace.case).collect();
            let evidence = self.evidence(trace, found, language) + &mistakes;
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
        // If the bot has no fault, report one kind of moves that it never makes: the kind that a random player would be
        // expected to make most often. Report none if chance may be the reason.
        let all = self.missing_moves.iter();
        let mut significant = all.filter(|never| never.is_significant());
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
        // Sort the problems: worst severity first. Among those of equal severity, put problems with reading the bot's
        // answers first, because they make every case fail; then those that occurred in most cases.
        findings.sort_by_key(|finding| {
            let is_understood = !Row::Interaction.covers(finding);
            let severity = finding.symptom.info().severity;
            (severity, is_understood, Reverse(finding.cases.len()))
        });
        findings
    }

    /// Returns the test cases that show `symptom`, in the order in which they were planned, each with the first turn
    /// that shows it.
    fn occurrences(&self, symptom: Symptom) -> impl Iterator<Item = Occurrence<'_>> {
        let traces = self.traces.iter().enumerate();
        traces.filter_map(move |(number, trace)| {
            let mut detections = trace.symptoms().filter(|found| found.symptom == symptom);
            detections.next().map(|found| (number, trace, found))
        })
    }

    /// Returns the whole report as text for the user. `repeat_command` is a function that returns, for the name of a
    /// test case, the command line that plays the case again. `folder` is the folder with the match logs of failed
    /// cases; `None` if no case failed.
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
        let mut text = COLON.fill(language, &[&bot, &verdict.text(language)]) + "\n";
        text += &summary_table::to_text(rows, language);
        for (number, finding) in findings.iter().enumerate() {
            let heading = match finding.symptom.info().severity {
                Severity::Fault if number == 0 => texts::FIX_FIRST,
                Severity::Fault => texts::THEN,
                Severity::Warning => texts::MAY_HURT,
                Severity::Note => texts::WORTH_KNOWING,
            };
            let in_full = number < MAX_FULL_FINDINGS && finding.symptom.is_fault();
            let description = self.describe_finding(finding, in_full, repeat_command, language);
            text += "\n";
            text += &COLON.fill(language, &[&heading.text(language), &description]);
        }
        if let Some(folder) = folder {
            text += &format!("\n{}\n", texts::LOGS.fill(language, &[&escaped(folder)]));
        }
        text
    }

    /// Returns the section of the report about the problem `finding`: its symptom, evidence and advice. If `in_full` is
    /// false, the section contains only the first line of the evidence. If the symptom is a fault, the section ends
    /// with a command line. With this command line, the user can play the first test case with the fault again. The
    /// function `repeat_command` returns the command line for the name of a case.
    fn describe_finding(
        &self,
        finding: &Finding,
        in_full: bool,
        repeat_command: &dyn Fn(&str) -> String,
        language: Language,
    ) -> String {
        let info = finding.symptom.info();
        let what = info.description.text(language);
        let cases = finding.cases.len();
        let mut lines = vec![match cases {
            0 => what.to_owned(),
            _ => texts::IN_CASES.fill(language, &[&what, &cases, &self.traces.len()]),
        }];
        let max_lines = if in_full { usize::MAX } else { 1 };
        lines.extend(finding.evidence.lines().take(max_lines).map(str::to_owned));
        lines.push(texts::ADVICE.fill(language, &[&info.advice.text(language)]));
        if finding.symptom.is_fault() {
            let command = repeat_command(&finding.cases[0].name);
            lines.push(texts::REPEAT_COMMAND.fill(language, &[&command]));
        }
        lines.join("\n  ") + "\n"
    }

    /// Returns details of the symptom in `found` as text for the user: for example, the position with the illegal
    /// answer, or the bot's memory in each turn. `trace` is the record of the test case in which the symptom occurred.
    /// The text is empty for symptoms that need no such details.
    fn evidence(&self, trace: &Trace, found: Detection, language: Language) -> String {
        let Some(turn) = trace.turns.get(found.turn) else {
            return String::new();
        };
        let report = &turn.report;
        match found.symptom {
            Symptom::Ponders => format!("CPU {} / 100 ms", trace.pondering_cpu.as_millis()),
            Symptom::MemoryGrows => {
                let turns = trace.turns.iter();
                let memory = turns.map(|turn| megabytes(turn.report.peak_memory).to_string());
                memory.collect::<Vec<_>>().join(" → ") + " MB"
            }
            Symptom::Processes => report.process_stats.processes.to_string(),
            Symptom::WritesStderr => texts::BYTES.fill(language, &[&trace.stderr.total_bytes()]),
            Symptom::Threads => report.process_stats.threads.to_string(),
            Symptom::TrailingBlank | Symptom::MarkerLost | Symptom::UnusualAnswer => {
                format!("\"{}\"", quoted(&report.output))
            }
            Symptom::Network | Symptom::LongDebug => String::new(),
            _ => self.explain_rejection(trace, turn, language),
        }
    }

    /// Returns lines of text that explain why the judge rejected the bot's answer in `turn`. If the bot crashed, they
    /// end with the last [`MAX_STDERR_LINES`] lines of its standard error.
    fn explain_rejection(&self, trace: &Trace, turn: &Turn, language: Language) -> String {
        let refused = turn.report.rejection(&turn.moves, trace.limits);
        let mut description = refused.headline(language) + &refused.diagram(language);
        if turn.report.exit_reason.is_some() && !trace.stderr.is_empty() {
            let stderr = trace.stderr.to_string();
            let lines: Vec<&str> = stderr.lines().collect();
            description += &format!("{}\n", texts::STDERR.text(language));
            description += &lines[lines.len().saturating_sub(MAX_STDERR_LINES)..].join("\n");
            description += "\n";
        }
        description
    }

    /// Returns text for the user about mistakes in the bot's code that may have caused its rejected answers: at most
    /// `MAX_MISTAKES` lines, one for each mistake. `occurrences` are the test cases and turns with these answers. A
    /// mistake is mentioned only if it would explain at least three quarters of the answers.
    fn likely_mistakes(&self, occurrences: &[Occurrence], language: Language) -> String {
        let mut fits: BTreeMap<Mistake, usize> = BTreeMap::new();
        for &(number, trace, found) in occurrences {
            let turn = &trace.turns[found.turn];
            let refused = turn.report.rejection(&turn.moves, trace.limits);
            for mistake in refused.likely_mistakes(&self.earlier_positions(number)) {
                *fits.entry(mistake).or_default() += 1;
            }
        }
        let mut fits: Vec<(Mistake, usize)> = fits.into_iter().collect();
        fits.sort_by_key(|&(_, count)| Reverse(count));
        let line = |&(mistake, count): &(Mistake, usize)| {
            let mistake = mistake.advice().text(language);
            let text = texts::FITS_ANSWERS.fill(language, &[&mistake, &count, &occurrences.len()]);
            PERHAPS.fill(language, &[&text]) + "\n"
        };
        // Ignore a suspected mistake that would explain less than three quarters of the rejected answers. If the bot's
        // code really contained the mistake, it would explain almost all of them.
        let is_likely = |count: usize| 4 * count >= 3 * occurrences.len();
        let likely = fits.iter().filter(|&&(_, count)| is_likely(count));
        likely.take(MAX_MISTAKES).map(line).collect()
    }

    /// Returns the last positions of earlier test cases: of the [`MAX_EARLIER_CASES`] cases directly before the case
    /// with index `number` in `self.traces`. Each case contributes two positions: before and after the bot's last
    /// answer. The positions are in the order of the cases. There are fewer if there are fewer earlier cases.
    fn earlier_positions(&self, number: usize) -> Vec<Board> {
        let before = self.traces[number.saturating_sub(MAX_EARLIER_CASES)..number].iter();
        let last = before.filter_map(|trace| trace.turns.last());
        last.flat_map(|turn| [board_before(turn), board_after_answer(turn)])
            .collect()
    }

    /// Returns the whole report as JSON, for `amazons check --json`: the bot, the lines of the summary table, and the
    /// problems found. Its texts for the user are in `language`.
    #[must_use]
    pub fn json(&self, language: Language) -> Value {
        let key = |term: Term| term.text(Language::En).to_lowercase();
        let findings = self.findings(language);
        let row = |(of, state, said)| json!({ "of": key(of), "state": key(state), "said": said });
        let rows = self.rows(&findings, language).into_iter().map(row);
        let findings = findings.iter().map(|finding| {
            let info = finding.symptom.info();
            let cases: Vec<&str> = finding.cases.iter().map(|case| &*case.name).collect();
            json!({
                "symptom": info.key,
                "severity": key(info.severity.label()),
                "said": info.description.text(language),
                "cases": cases,
                "shown": finding.evidence,
                "never": finding.missing_moves.map(|never| never.json(language)),
                "advice": info.advice.text(language),
            })
        });
        let protocols: Vec<&str> = self.protocols.iter().map(|known| known.key()).collect();
        json!({
            "bot": self.runner.bot.name,
            "ready": self.is_ready(),
            "forms": protocols,
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

/// Returns the position before the bot's answer in `turn`; the bot is to move.
fn board_before(turn: &Turn) -> Board {
    board_after(&Board::start(), &turn.moves)
}

/// Returns the position after the bot's answer in `turn`, but with the bot to move again, as if the opponent had
/// passed. A bot that fails to reset its board may start the next test case from this position. If the answer is
/// illegal or unreadable, returns the position before the answer.
fn board_after_answer(turn: &Turn) -> Board {
    let mut board = board_before(turn);
    let player = board.to_move();
    let answer = turn.report.response.as_ref().and_then(Coordinates::read);
    if let Some(answer) = answer.and_then(|answer| Move::from_coordinates(answer.numbers()).ok()) {
        // Ignore an error: an illegal answer leaves the board unchanged.
        let _ = board.play(answer);
    }
    board.set_to_move(player);
    board
}
