//! The table of a report: a line for each group of cases, and for what was measured in all of them.

use super::case::Group;
use super::report::{Report, has_failed, megabytes};
use super::symptom::{Severity, Symptom};
use super::trace::{Trace, Turn};
use super::words;
use crate::botzone::Form;
use crate::tools::analysis::glossary::{Language, SEMICOLON, Term};
use ratatui::text::Span;
use std::collections::BTreeSet;
use std::fmt::Display;

/// A line of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    Interaction,
    Group(Group),
    Time,
    Memory,
    Manners,
}

impl<'c> Report<'c> {
    /// The table as text.
    #[must_use]
    pub fn table(&self, language: Language) -> String {
        let rows = self.rows(language);
        let names = rows.iter().map(|(row, ..)| row.term());
        let states = [words::OK, words::FAULT, words::WARNING, words::NOTE];
        let (names, states) = (columns(names, language), columns(states, language));
        let line = |(row, state, said): (Row, Term, String)| {
            let name = padded(row.term().text(language), names);
            let state = padded(state.text(language), states);
            format!("  {name}  {state}  {said}\n")
        };
        rows.into_iter().map(line).collect()
    }

    /// The lines of the table: of what, how bad, what is said.
    #[must_use]
    pub fn rows(&self, language: Language) -> Vec<(Row, Term, String)> {
        let found: Vec<(Symptom, Group)> = self.seen_by_group();
        let line = |row: Row| (row, self.state(row, &found), self.said_of(row, language));
        Row::ALL.into_iter().map(line).collect()
    }

    /// How things stand in a line of the table.
    fn state(&self, row: Row, found: &[(Symptom, Group)]) -> Term {
        let is_played = |group| self.traces.iter().any(|trace| trace.case.group == group);
        let symptoms = found
            .iter()
            .filter(|&&(symptom, group)| row.holds(symptom, group));
        match row {
            Row::Interaction if self.forms.is_empty() => words::FAULT,
            Row::Group(group) if !is_played(group) => words::NOT_TRIED,
            _ => match symptoms.map(|(symptom, _)| symptom.severity()).min() {
                None => words::OK,
                Some(Severity::Fault) => words::FAULT,
                Some(Severity::Warning) => words::WARNING,
                Some(Severity::Note) => words::NOTE,
            },
        }
    }

    fn seen_by_group(&self) -> Vec<(Symptom, Group)> {
        let of = |trace: &Trace| {
            let group = trace.case.group;
            trace
                .symptoms()
                .map(move |seen| (seen.symptom, group))
                .collect::<Vec<_>>()
        };
        let files = (!self.files.is_empty()).then_some((Symptom::Files, Group::Games));
        let never = self.never_made().map(|_| (Symptom::Never, Group::Games));
        let half = self.half_answer.as_ref();
        let half = half.map(|trace| (Symptom::HalfAnswer, trace.case.group));
        self.traces
            .iter()
            .flat_map(of)
            .chain(files)
            .chain(half)
            .chain(never)
            .collect()
    }

    fn said_of(&self, row: Row, language: Language) -> String {
        match row {
            Row::Interaction => self.interaction(language),
            Row::Group(group) => self.group(group, language),
            Row::Time => self.time(language),
            Row::Memory => {
                let turns = self.turns().map(|(_, turn)| turn.report.memory);
                let most = megabytes(turns.max().unwrap_or_default());
                words::MEGABYTES.of(language, &[&most, &megabytes(self.limits.memory)])
            }
            Row::Manners => self.manners(language),
        }
    }

    fn interaction(&self, language: Language) -> String {
        let forms = match self.forms[..] {
            [] => return words::NO_INTERACTION.text(language).to_owned(),
            [Form::Simple] => words::SIMPLE_ALONE,
            [Form::Json] => words::JSON_ALONE,
            _ => words::BOTH,
        };
        let kept = self.turns().any(|(_, turn)| turn.report.keep_running);
        let kept = if kept { words::KEPT } else { words::NOT_KEPT };
        forms.text(language).to_owned() + kept.text(language)
    }

    fn group(&self, group: Group, language: Language) -> String {
        let of_group = || self.traces.iter().filter(|trace| trace.case.group == group);
        let turns: usize = of_group().map(|trace| trace.turns.len()).sum();
        let mut text = words::CASES.of(language, &[&of_group().count(), &turns]);
        let failed = of_group().filter(|trace| has_failed(trace)).count();
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
            let turns = self.turns().map(|(_, turn)| turn);
            let turns = turns.filter(move |turn| (turn.moves.len() <= 1) == is_first);
            turns.fold([0, 0], |[wall, cpu], Turn { report, .. }| {
                [
                    wall.max(report.wall.as_millis()),
                    cpu.max(report.cpu.as_millis()),
                ]
            })
        };
        let ([first, first_cpu], [later, later_cpu]) = (slowest(true), slowest(false));
        let limits = [self.limits.first, self.limits.later].map(|limit| limit.as_millis());
        let figures: [&dyn Display; 6] = [
            &first, &limits[0], &later, &limits[1], &first_cpu, &later_cpu,
        ];
        let mut text = words::TIMES.of(language, &figures);
        if self.slower > 1.0 {
            text += &words::SLOWER.of(language, &[&self.slower]);
        }
        text
    }

    /// What else was seen.
    fn manners(&self, language: Language) -> String {
        let found = self.seen_by_group().into_iter().map(|(symptom, _)| symptom);
        let of_manners = |symptom: &Symptom| Row::Manners.holds(*symptom, Group::Games);
        let found: BTreeSet<Symptom> = found.filter(of_manners).collect();
        let said: Vec<&str> = found
            .into_iter()
            .map(|symptom| symptom.term().text(language))
            .collect();
        said.join(SEMICOLON.text(language))
    }

    fn turns(&self) -> impl Iterator<Item = (&Trace<'c>, &Turn)> {
        self.traces
            .iter()
            .flat_map(|trace| trace.turns.iter().map(move |turn| (trace, turn)))
    }
}

impl Row {
    /// All lines, in order.
    const ALL: [Row; 8] = [
        Row::Interaction,
        Row::Group(Group::ALL[0]),
        Row::Group(Group::ALL[1]),
        Row::Group(Group::ALL[2]),
        Row::Group(Group::ALL[3]),
        Row::Time,
        Row::Memory,
        Row::Manners,
    ];

    /// What the line is about.
    pub const fn term(self) -> Term {
        match self {
            Row::Interaction => words::INTERACTION,
            Row::Group(Group::FirstTurns) => words::FIRST_TURNS,
            Row::Group(Group::Histories) => words::HISTORIES,
            Row::Group(Group::RarePositions) => words::RARE_POSITIONS,
            Row::Group(Group::Games) => words::GAMES,
            Row::Time => words::TIME,
            Row::Memory => words::MEMORY,
            Row::Manners => words::MANNERS,
        }
    }

    /// Tests if a symptom that was seen in a group of cases shows in this line.
    #[must_use]
    pub fn holds(self, symptom: Symptom, group: Group) -> bool {
        match self {
            Row::Group(own) => own == group && symptom.is_fault(),
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

/// Columns of the widest of some terms.
fn columns(terms: impl IntoIterator<Item = Term>, language: Language) -> usize {
    let widths = terms.into_iter().map(|term| width(term.text(language)));
    widths.max().unwrap_or_default()
}

/// Columns that a text takes in a terminal.
fn width(text: &str) -> usize {
    Span::raw(text).width()
}

/// A text with blanks behind it up to a width.
fn padded(text: &str, columns: usize) -> String {
    text.to_owned() + &" ".repeat(columns.saturating_sub(width(text)))
}
