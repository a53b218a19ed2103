//! `amazons tune`: fits the phase weights to games of self-play and writes the table of the bot.

pub mod fit;
pub mod output;
pub mod plot;
pub mod samples;

use crate::console::print;
use crate::eval::weights::{Knots, SPACING, knots};
use crate::tools::support::error::ToolError;
use crate::tools::support::files::Target;
use crate::tools::training::{plots, provenance, share};
use output::Provenance;
use samples::{Data, Split};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Names of the two kinds of positions in reports.
const KINDS: [&str; 2] = ["turn to begin", "arrow to be shot"];

/// Fit the phase weights of the evaluation to games of self-play
///
/// Logistic regression of the results, starting from the compiled-in table. Positions before noise, which spoils the
/// result, are left out. One game in ten is held out: these games stop the fit and measure it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of self-play games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File for the table; the bot compiles in src/eval/weights/table.rs
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// File for a plot (SVG) of the weights and the calibration
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// A note for the table's header
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Share of the search's win probability in the target, 0 to 1; the game's result has the rest
    #[arg(long, value_name = "F", default_value_t = 0.0, value_parser = share)]
    target_mix: f32,
}

/// Fits, writes the requested files and reports on standard output. Returns the exit code.
///
/// # Errors
/// If a file can't be read or written, or there are too few games.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    let targets = Targets::new(args)?;
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
    let mut text = report(&data, before, after);
    if let Some(target) = &targets.table {
        let table = output::source(&provenance(&data, before, after, args), after);
        target.write(table.as_bytes())?;
        text += "the table is written\n";
    }
    if let Some(target) = &targets.plot {
        let held_out = data.kinds.each_ref().map(|split| &split.held_out[..]);
        let fits = plot::Fits {
            before,
            after,
            held_out,
        };
        target.write(plot::svg(&fits).as_bytes())?;
        text += "the plot is written\n";
    }
    print(text)?;
    Ok(0)
}

/// The files that are asked for, checked before the work.
struct Targets {
    table: Option<Target>,
    plot: Option<Target>,
}

impl Targets {
    fn new(args: &Args) -> Result<Targets, ToolError> {
        if args.out.is_some() && args.out == args.plot {
            return Err("--plot: expected another file than --out".into());
        }
        let target = |path: &Option<PathBuf>, what, start: &'static str| {
            let ours = move |old: &[u8]| old.starts_with(start.as_bytes());
            let target = path.as_ref();
            target
                .map(|path| Target::replacing(path, what, ours))
                .transpose()
        };
        Ok(Targets {
            table: target(&args.out, "a table of weights", output::FIRST_LINE)?,
            plot: target(&args.plot, "a plot", plots::START)?,
        })
    }
}

/// What the header of the written table says.
fn provenance(data: &Data, before: [&Knots; 2], after: [&Knots; 2], args: &Args) -> Provenance {
    Provenance {
        games: data.games,
        held_out_games: data.held_out_games,
        positions: data.positions(),
        target_mix: args.target_mix,
        commit: provenance::commit(),
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
