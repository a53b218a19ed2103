//! Table at the top of the report of `amazons check`: one line for the protocols, one for each group of test cases, and
//! one each for time, memory and other properties.

use super::Args;
use super::case::Group;
use super::report::{Finding, Report, megabytes};
use super::symptom::{Severity, Symptom};
use super::texts;
use super::trace::{Trace, Turn};
use analysis::glossary::{Language, SEMICOLON, Term};
use engine::botzone::Protocol;
use ratatui::text::Span;
use std::fmt::Display;

/// Line of the summary table in a check report. Its subject is: the protocols, a group of test cases, or the bot's
/// time, memory or other behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    Interaction,
    Group(Group),
    Time,
    Memory,
    Manners,
}

/// Lines of the summary table in a check report, from top to bottom. First: the subject of the line; second: its title
/// for the user.
const ROWS: [(Row, Term); 8] = [
    (Row::Interaction, texts::INTERACTION),
    (Row::Group(Group::FirstTurns), texts::FIRST_TURNS),
    (Row::Group(Group::Histories), texts::HISTORIES),
    (Row::Group(Group::RarePositions), texts::RARE_POSITIONS),
    (Row::Group(Group::Games), texts::GAMES),
    (Row::Time, texts::TIME),
    (Row::Memory, texts::MEMORY),
    (Row::Manners, texts::MANNERS),
];

/// Line of the summary table, such as `("games", "ok", "20 cases, 310 turns")`. First: title; second: "ok", a severity,
/// or "-" if no case was played; third: remark.
pub type Line = (Term, Term, String);

/// Returns the summary table of a check report as text with aligned columns.
#[must_use]
pub fn to_text(rows: Vec<Line>, language: Language) -> String {
    let names = rows.iter().map(|&(name, ..)| name);
    let states = [texts::OK, texts::FAULT, texts::WARNING, texts::NOTE];
    let (names, states) = (max_width(names, language), max_width(states, language));
    let line = |(name, state, remark): Line| {
        let name = padded(name.text(language), names);
        let state = padded(state.text(language), states);
        format!("  {name}  {state}  {remark}\n")
    };
    rows.into_iter().map(line).collect()
}

impl Report<'_> {
    /// Returns the lines of the report's summary table from top to bottom. `findings` are the problems found in all test
    /// cases.
    #[must_use]
    pub(super) fn rows(&self, findings: &[Finding], language: Language) -> Vec<Line> {
        let line = |(row, name): (Row, Term)| {
            let findings = findings.iter().filter(|finding| row.covers(finding));
            let mut symptoms: Vec<Symptom> = findings.map(|finding| finding.symptom).collect();
            symptoms.sort_unstable();
            let state = self.state(row, &symptoms);
            (name, state, self.remark(row, &symptoms, language))
        };
        ROWS.map(line).into()
    }

    /// Returns the word in the second column of the summary table for the line `row`: the worst severity of `symptoms`,
    /// the symptoms that belong to the line, or "ok" if there are none. There are two exceptions: "-" for a group of
    /// which no case was played, and "FAULT" for the line of the protocols if the bot understands none.
    fn state(&self, row: Row, symptoms: &[Symptom]) -> Term {
        let worst = symptoms.iter().map(|symptom| symptom.info().severity).min();
        match row {
            Row::Interaction if self.protocols.is_empty() => texts::FAULT,
            Row::Group(group) if self.cases_of(group).next().is_none() => texts::NOT_RUN,
            _ => worst.map_or(texts::OK, Severity::label),
        }
    }

    fn remark(&self, row: Row, symptoms: &[Symptom], language: Language) -> String {
        match row {
            Row::Interaction => self.interaction(language),
            Row::Group(group) => self.group(group, language),
            Row::Time => self.time(language),
            Row::Memory => {
                let most = self.turns().map(|turn| turn.report.peak_memory).max();
                let most = megabytes(most.unwrap_or_default());
                let allowed = megabytes(self.runner.args.limits.memory_bytes);
                texts::MEGABYTES.fill(language, &[&most, &allowed])
            }
            Row::Manners => {
                let describe = |symptom: &Symptom| symptom.info().description.text(language);
                let remarks: Vec<&str> = symptoms.iter().map(describe).collect();
                remarks.join(SEMICOLON.text(language))
            }
        }
    }

    fn interaction(&self, language: Language) -> String {
        let protocols = match self.protocols[..] {
            [] => return texts::NO_INTERACTION.text(language).to_owned(),
            [Protocol::Simple] => texts::SIMPLE_ALONE,
            [Protocol::Json] => texts::JSON_ALONE,
            _ => texts::BOTH,
        };
        let kept = match self.turns().any(|turn| turn.report.keep_running) {
            true => texts::KEPT_RUNNING,
            false => texts::NOT_KEPT_RUNNING,
        };
        protocols.text(language).to_owned() + kept.text(language)
    }

    /// Returns the records of the played cases that belong to `group`.
    fn cases_of(&self, group: Group) -> impl Iterator<Item = &Trace<'_>> {
        let traces = self.traces.iter();
        traces.filter(move |trace| trace.case.group == group)
    }

    fn group(&self, group: Group, language: Language) -> String {
        let turns: usize = self.cases_of(group).map(|trace| trace.turns.len()).sum();
        let mut text = texts::CASES.fill(language, &[&self.cases_of(group).count(), &turns]);
        let failed = self.cases_of(group).filter(|trace| trace.has_failed());
        let failed = failed.count();
        if failed > 0 {
            text += &texts::FAILED.fill(language, &[&failed]);
        }
        if group == Group::Games && self.not_played > 0 {
            text += &texts::NOT_PLAYED.fill(language, &[&self.not_played]);
        }
        text
    }

    fn time(&self, language: Language) -> String {
        let slowest = |is_first: bool| {
            let is_counted = |turn: &&Turn| (turn.moves.len() <= 1) == is_first;
            let turns = self.turns().filter(is_counted);
            turns.fold([0, 0], |[wall, cpu], Turn { report, .. }| {
                [
                    wall.max(report.wall_time.as_millis()),
                    cpu.max(report.cpu_time.as_millis()),
                ]
            })
        };
        let ([first, first_cpu], [later, later_cpu]) = (slowest(true), slowest(false));
        let Args { limits, slower, .. } = self.runner.args;
        let limits = [limits.first, limits.later].map(|limit| limit.as_millis());
        let figures: [&dyn Display; 6] = [
            &first, &limits[0], &later, &limits[1], &first_cpu, &later_cpu,
        ];
        let mut text = texts::TIMES.fill(language, &figures);
        if *slower > 1.0 {
            text += &texts::SLOWER.fill(language, &[slower]);
        }
        text
    }

    fn turns(&self) -> impl Iterator<Item = &Turn> {
        self.traces.iter().flat_map(|trace| &trace.turns)
    }
}

impl Row {
    /// Tests if the problem `finding` belongs to this line of the summary table. There are two cases:
    /// - The line of a group of test cases: a problem belongs to it if it is a fault (makes the bot lose a game) and
    ///   occurred in a case of the group.
    /// - A line with another subject, such as the bot's memory: a problem of any severity belongs to it if its symptom
    ///   concerns this subject.
    #[must_use]
    pub(super) fn covers(self, finding: &Finding) -> bool {
        let symptom = finding.symptom;
        match self {
            Row::Group(group) => {
                symptom.is_fault() && finding.cases.iter().any(|case| case.group == group)
            }
            Row::Interaction => {
                let remarks = Symptom::UnreadableAnswer..=Symptom::TrailingBlank;
                symptom <= Symptom::NoMove || remarks.contains(&symptom)
            }
            Row::Time => matches!(symptom, Symptom::Late | Symptom::Ponders),
            Row::Memory => matches!(symptom, Symptom::TooMuchMemory | Symptom::MemoryGrows),
            Row::Manners => symptom >= Symptom::Network && symptom != Symptom::MemoryGrows,
        }
    }
}

/// Returns the width of the widest text of `terms` in `language`, in terminal columns.
fn max_width(terms: impl IntoIterator<Item = Term>, language: Language) -> usize {
    let widths = terms.into_iter().map(|term| width(term.text(language)));
    widths.max().unwrap_or_default()
}

/// Returns the width of `text` in columns of a terminal. A Chinese character is two columns wide.
fn width(text: &str) -> usize {
    Span::raw(text).width()
}

/// Returns `text`, padded on the right with spaces to a width of `columns` terminal columns. A wider text is returned
/// unchanged.
fn padded(text: &str, columns: usize) -> String {
    text.to_owned() + &" ".repeat(columns.saturating_sub(width(text)))
}
