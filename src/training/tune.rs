//! `amazons tune`: fits the phase weights to games of self-play and writes the table of the bot.

pub mod fit;
pub mod output;
pub mod plot;
pub mod regressors;

use crate::samples::Data;
use crate::{plots, provenance, share, target};
use base::error::ToolError;
use engine::console::print;
use engine::eval::weights::knots;
use regressors::Regression;
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
    /// File for the table; the bot compiles in src/engine/eval/weights/table.rs
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

/// How the header of a table begins.
const TITLE: &str = "The table of the phase weights, rewritten by `amazons tune`.";

/// What stands above the measures.
const MEASURE: &str = "log-loss of the held-out results:";

/// Fits, writes the requested files and reports on standard output. Returns the exit code.
///
/// # Errors
/// If a file can't be read or written, or there are too few games.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    if args.out.is_some() && args.out == args.plot {
        return Err("--plot: expected another file than --out".into());
    }
    let start = format!("//! {TITLE}\n");
    let out = target(&args.out, "a table of weights", start.as_bytes())?;
    let plot = target(&args.plot, plots::WHAT, plots::FIRST_WORD)?;
    let target_mix = args.target_mix;
    let mut data = Data::read(&args.files, &Regression { target_mix })?;
    let before = knots();
    let after = &output::rounded(&fit::fit(&mut data.train, &data.held_out, before));
    let table = fit::compared(&data.held_out, before, after).table();
    let games = data.summary();
    let mut text = format!("{games}\n{MEASURE}\n{table}");
    if let Some(target) = out {
        let name = "share of the search's win probability in the targets";
        let mixed = (target_mix > 0.0).then(|| format!("{name}: {target_mix}"));
        let measured = [MEASURE, &table];
        let header = provenance::header(TITLE, games, mixed, measured, args.note.as_ref());
        target.write(output::source(&header, after).as_bytes())?;
        text += "the table is written\n";
    }
    if let Some(target) = plot {
        target.write(plot::svg([before, after], &data.held_out).as_bytes())?;
        text += "the plot is written\n";
    }
    print(text)?;
    Ok(0)
}
