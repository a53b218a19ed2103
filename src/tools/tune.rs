//! `amazons tune`: fits the phase weights to games of self-play and writes the table of the bot.

pub mod fit;
pub mod output;
pub mod plot;
pub mod samples;

use super::ToolError;
use crate::eval::weights::{Knots, SPACING, knots};
use output::Provenance;
use samples::{Data, Split};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// What the two kinds of positions are called in reports.
const KINDS: [&str; 2] = ["turn to begin", "arrow to be shot"];

/// Fit the phase weights of the evaluation to games of self-play
///
/// Logistic regression of the result, beginning with the table that is compiled in. One game in ten
/// is held out: it stops the fit and judges it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of self-play games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where the table is written; the bot compiles in src/eval/weights/table.rs
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Where a plot (SVG) of the weights and of the calibration is written
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// What else the table's header is to say
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Share of the search's win probability in the target, 0 to 1; the result has the rest
    #[arg(long, value_name = "F", default_value_t = 0.0, value_parser = share)]
    target_mix: f32,
}

/// Reads a number from 0 to 1 on the command line.
fn share(word: &str) -> Result<f32, String> {
    let share = word
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Fits, reports on standard output and writes the files that are asked for. Returns the exit code.
///
/// # Errors
/// If a file can't be read or written, or there are too few games.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    let mut data = samples::read(&args.files, args.target_mix)?;
    let empty = |split: &Split| split.fit.is_empty() || split.held_out.is_empty();
    if data.kinds.iter().any(empty) {
        let (games, held_out) = (data.games, data.held_out_games);
        return Err(format!(
            "{games} games, {held_out} of them held out: expected positions to fit and to hold out"
        )
        .into());
    }
    let before = [false, true].map(knots);
    let after = [0, 1].map(|kind: usize| {
        let split = &mut data.kinds[kind];
        let table = fit::fit(&mut split.fit, &split.held_out, before[kind]);
        output::rounded(&table)
    });
    let after = after.each_ref();
    print!("{}", report(&data, before, after));
    if let Some(path) = &args.out {
        write(
            path,
            &output::source(&provenance(&data, before, after, args), after),
        )?;
    }
    if let Some(path) = &args.plot {
        let held_out = data.kinds.each_ref().map(|split| &split.held_out[..]);
        write(
            path,
            &plot::svg(&plot::Fits {
                before,
                after,
                held_out,
            }),
        )?;
    }
    Ok(0)
}

/// Writes a file; an error names it.
fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// What the header of the written table says.
fn provenance(data: &Data, before: [&Knots; 2], after: [&Knots; 2], args: &Args) -> Provenance {
    Provenance {
        games: data.games,
        held_out_games: data.held_out_games,
        positions: data.positions(),
        target_mix: args.target_mix,
        commit: output::commit(),
        loss: [before, after].map(|tables| overall(data, tables)),
        note: args.note.clone(),
    }
}

/// Log-loss of all held-out positions under the tables of both kinds.
fn overall(data: &Data, tables: [&Knots; 2]) -> f64 {
    let mut total = (0, 0.0);
    for (split, table) in data.kinds.iter().zip(tables) {
        for (count, loss) in fit::losses(&split.held_out, table) {
            total = (total.0 + count, total.1 + loss);
        }
    }
    total.1 / total.0.max(1) as f64
}

/// The report: sizes, then the log-loss of held-out results by kind and phase, before and after.
fn report(data: &Data, before: [&Knots; 2], after: [&Knots; 2]) -> String {
    let mut text = format!(
        "{} games, {} of them held out; {} positions\nlog-loss of the held-out results:\n",
        data.games,
        data.held_out_games,
        data.positions()
    );
    for (kind, split) in data.kinds.iter().enumerate() {
        let bins = [before, after].map(|tables| fit::losses(&split.held_out, tables[kind]));
        writeln!(text, "{:<18}positions  before   after", KINDS[kind])
            .expect("a string takes everything");
        let phases = bins[0].iter().zip(&bins[1]).enumerate();
        for (phase, (&(count, before), &(_, after))) in phases.filter(|(_, (bin, _))| bin.0 > 0) {
            let first = phase * SPACING;
            let name = format!("  {first:>2} to {:>2} arrows", first + SPACING - 1);
            text += &row(
                &name,
                count,
                [before, after].map(|loss| loss / count as f64),
            );
        }
        let losses = [before, after].map(|tables| fit::loss(&split.held_out, tables[kind]));
        text += &row("  all", split.held_out.len(), losses);
    }
    let count = data.kinds.iter().map(|split| split.held_out.len()).sum();
    text + &row(
        "overall",
        count,
        [before, after].map(|tables| overall(data, tables)),
    )
}

/// A line of the report.
fn row(name: &str, count: usize, [before, after]: [f64; 2]) -> String {
    format!("{name:<18}{count:>9}  {before:.4}  {after:.4}\n")
}
