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
use samples::Data;
use std::fmt::Write as _;
use std::path::PathBuf;

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
    if data.fit.is_empty() || data.held_out.is_empty() {
        let (games, held_out) = (data.games, data.held_out_games);
        return Err(format!(
            "{games} games, {held_out} of them held out: expected positions to fit and to hold out"
        )
        .into());
    }
    let before = knots();
    let after = &output::rounded(&fit::fit(&mut data.fit, &data.held_out, before));
    let losses = [before, after].map(|table| fit::loss(&data.held_out, table));
    let mut text = report(&data, before, after, losses);
    if let Some(target) = &targets.table {
        let table = output::source(&provenance(&data, losses, args), after);
        target.write(table.as_bytes())?;
        text += "the table is written\n";
    }
    if let Some(target) = &targets.plot {
        let fit = plot::Fit {
            before,
            after,
            held_out: &data.held_out,
        };
        target.write(plot::svg(&fit).as_bytes())?;
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

/// What the header of the written table says. `loss`: log-loss of the held-out results, before and after.
fn provenance(data: &Data, loss: [f64; 2], args: &Args) -> Provenance {
    Provenance {
        games: data.games,
        held_out_games: data.held_out_games,
        positions: data.positions(),
        target_mix: args.target_mix,
        commit: provenance::commit(),
        loss,
        note: args.note.clone(),
    }
}

/// The report: sizes, then the log-loss of the held-out results by phase and overall, before and after.
fn report(data: &Data, before: &Knots, after: &Knots, overall: [f64; 2]) -> String {
    let mut text = format!(
        "{} games, {} of them held out; {} positions\nlog-loss of the held-out results:\n",
        data.games,
        data.held_out_games,
        data.positions()
    );
    writeln!(text, "{:<18}positions  before   after", "").expect("a string takes everything");
    let [before, after] = [before, after].map(|table| fit::losses(&data.held_out, table));
    let phases = before.iter().zip(&after).enumerate();
    for (phase, (&(count, before), &(_, after))) in phases.filter(|(_, (bin, _))| bin.0 > 0) {
        let first = phase * SPACING;
        let name = format!("{first:>2} to {:>2} arrows", first + SPACING - 1);
        let losses = [before, after].map(|loss| loss / count as f64);
        text += &row(&name, count, losses);
    }
    text + &row("overall", data.held_out.len(), overall)
}

/// A line of the report.
fn row(name: &str, count: usize, [before, after]: [f64; 2]) -> String {
    format!("{name:<18}{count:>9}  {before:.4}  {after:.4}\n")
}
