//! `amazons tune`: fits the phase weights to games of self-play and writes the table of the bot.

pub mod fit;
pub mod output;
pub mod plot;
pub mod regressors;

use crate::console::print;
use crate::eval::weights::knots;
use crate::tools::support::error::ToolError;
use crate::tools::training::samples::Data;
use crate::tools::training::{plots, provenance, share, target};
use regressors::{Regression, Sample};
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
    if args.out.is_some() && args.out == args.plot {
        return Err("--plot: expected another file than --out".into());
    }
    let out = target(
        &args.out,
        "a table of weights",
        output::FIRST_LINE.as_bytes(),
    )?;
    let plot = target(&args.plot, plots::WHAT, plots::FIRST_WORD)?;
    let target_mix = args.target_mix;
    let mut data = Data::read(&args.files, &Regression { target_mix })?;
    let before = knots();
    let after = &output::rounded(&fit::fit(&mut data.train, &data.held_out, before));
    let measures = fit::compared(&data.held_out, before, after);
    let (losses, table) = (measures.means(), measures.table());
    let summary = data.summary();
    let mut text = format!("{summary}\nlog-loss of the held-out results:\n{table}");
    if let Some(target) = out {
        let table = output::source(&facts(&data, losses, args), after);
        target.write(table.as_bytes())?;
        text += "the table is written\n";
    }
    if let Some(target) = plot {
        target.write(plot::svg([before, after], &data.held_out).as_bytes())?;
        text += "the plot is written\n";
    }
    print(text)?;
    Ok(0)
}

/// What the header of the written table says. The losses are those of the held-out results, before and after.
fn facts(
    data: &Data<Sample>,
    [before, after]: [f64; 2],
    args: &Args,
) -> Vec<(&'static str, String)> {
    let (games, held_out) = (data.games, data.held_out_games);
    let losses = format!("{before:.4} before, {after:.4} after");
    let mut facts = vec![
        ("games", format!("{games}, {held_out} of them held out")),
        ("positions", data.positions().to_string()),
        ("commit", provenance::commit()),
        ("held-out log-loss", losses),
    ];
    if args.target_mix > 0.0 {
        let name = "share of the search's win probability in the targets";
        facts.push((name, args.target_mix.to_string()));
    }
    let note = args.note.as_deref().map(provenance::one_line);
    facts.extend(note.map(|note| ("note", note)));
    facts
}
