//! Formats the record of one test case as text, for `amazons check --repeat`: all input and output of the bot, its
//! standard error, and the symptoms found.

use super::texts;
use super::trace::Trace;
use analysis::glossary::{Language, Term};
use engine::console::escaped;

/// Returns everything recorded about a played case as text for the user: for each turn the bot's input, output and
/// verdict, then the bot's standard error and the symptoms with advice.
#[must_use]
pub fn to_text(trace: &Trace, language: Language) -> String {
    let case = trace.case;
    let colour = Term::from(case.colour()).text(language);
    let opponent = case.opponent.name(language);
    let mut text = texts::POSITION.fill(language, &[&case.name, &colour, &opponent]) + "\n";
    for (number, turn) in (1..).zip(&trace.turns) {
        let report = &turn.report;
        let sent = texts::SENT.fill(language, &[&number]);
        text += &format!("\n{sent}\n{}", indented(&turn.input, language));
        let [wall, cpu] = [report.wall_time, report.cpu_time].map(|time| time.as_millis());
        let memory = report.peak_memory / 1_000_000;
        let cost = texts::PRINTED.fill(language, &[&wall, &cpu, &memory, &report.verdict.name()]);
        text += &format!("{cost}\n{}", indented(&report.output, language));
        if turn.is_rejected {
            let rejection = report.rejection(&turn.moves, trace.limits);
            text += &rejection.explanation(language);
        }
    }
    if !trace.stderr.is_empty() {
        text += &format!("\n{}{}\n", texts::STDERR.text(language), trace.stderr);
    }
    for found in trace.symptoms() {
        let info = found.symptom.info();
        let advice = texts::ADVICE.fill(language, &[&info.advice.text(language)]);
        text += &format!("\n{}\n  {advice}\n", info.description.text(language));
    }
    text
}

/// Returns `text` with four blanks before each line and with its control characters escaped. If `text` is empty,
/// returns an indented remark that nothing was printed.
fn indented(text: &str, language: Language) -> String {
    if text.is_empty() {
        return format!("    {}\n", texts::NO_OUTPUT.text(language));
    }
    let lines = text.lines().map(|line| format!("    {}\n", escaped(line)));
    lines.collect()
}
