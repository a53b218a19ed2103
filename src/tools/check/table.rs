//! The table at the top of a report: one line for each group of cases, then lines for time, memory and other properties.

use super::Args;
use super::case::Group;
use super::report::{Finding, Report, megabytes};
use super::symptom::{Severity, Symptom};
use super::trace::{Trace, Turn};
use super::words;
use analysis::glossary::{Language, SEMICOLON, Term};
use engine::botzone::Form;
use ratatui::text::Span;
use std::fmt::Display;

/// Subject of one line in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    Interaction,
    Group(Group),
    Time,
    Memory,
    Manners,
}

/// Lines of the table in order, with their titles.
const ROWS: [(Row, Term); 8] = [
    (Row::Interaction, words::INTERACTION),
    (Row::Group(Group::FirstTurns), words::FIRST_TURNS),
    (Row::Group(Group::Histories), words::HISTORIES),
    (Row::Group(Group::RarePositions), words::RARE_POSITIONS),
    (Row::Group(Group::Games), words::GAMES),
    (Row::Time, words::TIME),
    (Row::Memory, words::MEMORY),
    (Row::Manners, words::MANNERS),
];

/// Returns the table as text, with aligned columns. Each row is a title, a state and a remark.
#[must_use]
pub fn shown(rows: Vec<(Term, Term, String)>, language: Language) -> String {
    let names = rows.iter().map(|&(name, ..)| name);
    let states = [words::OK, words::FAULT, words::WARNING, words::NOTE];
    let (names, states) = (columns(names, language), columns(states, language));
    let line = |(name, state, said): (Term, Term, String)| {
        let name = padded(name.text(language), names);
        let state = padded(state.text(language), states);
        format!("  {name}  {state}  {said}\n")
    };
    rows.into_iter().map(line).collect()
}

impl Report<'_> {
    /// Returns the rows of the table: title, state and remark.
    #[must_use]
    pub(super) fn rows(
        &self,
        findings: &[Finding],
        language: Language,
    ) -> Vec<(Term, Term, String)> {
        let line = |(row, name): (Row, Term)| {
            let findings = findings.iter().filter(|finding| row.holds(finding));
            let mut symptoms: Vec<Symptom> = findings.map(|finding| finding.symptom).collect();
            symptoms.sort_unstable();
            let state = self.state(row, &symptoms);
            (name, state, self.said_of(row, &symptoms, language))
        };
        ROWS.map(line).into()
    }

    /// Returns the state of a row: its worst severity, "ok" without symptoms, or "-" if its cases were not played.
    fn state(&self, row: Row, symptoms: &[Symptom]) -> Term {
        let worst = symptoms
            .iter()
            .map(|symptom| symptom.about().severity)
            .min();
        match row {
            Row::Interaction if self.forms.is_empty() => words::FAULT,
            Row::Group(group) if self.of_group(group).next().is_none() => words::NOT_TRIED,
            _ => worst.map_or(words::OK, Severity::term),
        }
    }

    fn said_of(&self, row: Row, symptoms: &[Symptom], language: Language) -> String {
        match row {
            Row::Interaction => self.interaction(language),
            Row::Group(group) => self.group(group, language),
            Row::Time => self.time(language),
            Row::Memory => {
                let most = self.turns().map(|turn| turn.report.memory).max();
                let most = megabytes(most.unwrap_or_default());
                let allowed = megabytes(self.conditions.args.limits.memory);
                words::MEGABYTES.of(language, &[&most, &allowed])
            }
            Row::Manners => {
                let said = symptoms
                    .iter()
                    .map(|symptom| symptom.about().term.text(language));
                said.collect::<Vec<_>>().join(SEMICOLON.text(language))
            }
        }
    }

    fn interaction(&self, language: Language) -> String {
        let forms = match self.forms[..] {
            [] => return words::NO_INTERACTION.text(language).to_owned(),
            [Form::Simple] => words::SIMPLE_ALONE,
            [Form::Json] => words::JSON_ALONE,
            _ => words::BOTH,
        };
        let kept = self.turns().any(|turn| turn.report.keep_running);
        let kept = if kept { words::KEPT } else { words::NOT_KEPT };
        forms.text(language).to_owned() + kept.text(language)
    }

    /// Returns the played cases of a group.
    fn of_group(&self, group: Group) -> impl Iterator<Item = &Trace<'_>> {
        let traces = self.traces.iter();
        traces.filter(move |trace| trace.case.group == group)
    }

    fn group(&self, group: Group, language: Language) -> String {
        let turns: usize = self.of_group(group).map(|trace| trace.turns.len()).sum();
        let mut text = words::CASES.of(language, &[&self.of_group(group).count(), &turns]);
        let failed = self
            .of_group(group)
            .filter(|trace| trace.has_failed())
            .count();
        if failed > 0 {
            text += &words::FAILED.of(language, &[&failed]);
        }
        if group == Group::Games && self.not_played > 0 {
            text += &words::NOT_PLAYED.of(language, &[&self.not_played]);
        }
        text
    }

    fn time(&self, language: Language) -> String {
        let slowest = |is_first: bool| {
            let turns = self
                .turns()
                .filter(|turn| (turn.moves.len() <= 1) == is_first);
            turns.fold([0, 0], |[wall, cpu], Turn { report, .. }| {
                [
                    wall.max(report.wall.as_millis()),
                    cpu.max(report.cpu.as_millis()),
                ]
            })
        };
        let ([first, first_cpu], [later, later_cpu]) = (slowest(true), slowest(false));
        let Args { limits, slower, .. } = self.conditions.args;
        let limits = [limits.first, limits.later].map(|limit| limit.as_millis());
        let figures: [&dyn Display; 6] = [
            &first, &limits[0], &later, &limits[1], &first_cpu, &later_cpu,
        ];
        let mut text = words::TIMES.of(language, &figures);
        if *slower > 1.0 {
            text += &words::SLOWER.of(language, &[slower]);
        }
        text
    }

    fn turns(&self) -> impl Iterator<Item = &Turn> {
        self.traces.iter().flat_map(|trace| &trace.turns)
    }
}

impl Row {
    /// Tests if a finding counts for the state of this row.
    #[must_use]
    pub(super) fn holds(self, finding: &Finding) -> bool {
        let symptom = finding.symptom;
        match self {
            Row::Group(group) => {
                symptom.is_fault() && finding.cases.iter().any(|case| case.group == group)
            }
            Row::Interaction => {
                let others = [
                    Symptom::HalfAnswer,
                    Symptom::UnusualAnswer,
                    Symptom::BlankAtTheEnd,
                ];
                symptom <= Symptom::NoMove || others.contains(&symptom)
            }
            Row::Time => matches!(symptom, Symptom::Late | Symptom::Ponders),
            Row::Memory => matches!(symptom, Symptom::TooMuchMemory | Symptom::Grows),
            Row::Manners => symptom >= Symptom::Network && symptom != Symptom::Grows,
        }
    }
}

/// Returns the width of the widest of `terms` in a terminal, in columns.
fn columns(terms: impl IntoIterator<Item = Term>, language: Language) -> usize {
    let widths = terms.into_iter().map(|term| width(term.text(language)));
    widths.max().unwrap_or_default()
}

/// Returns the width of a text in a terminal, in columns; Chinese characters take two.
fn width(text: &str) -> usize {
    Span::raw(text).width()
}

/// Pads a text with blanks on its right to a width of `columns`.
fn padded(text: &str, columns: usize) -> String {
    text.to_owned() + &" ".repeat(columns.saturating_sub(width(text)))
}
