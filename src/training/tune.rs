//! `amazons tune`: fits the weights of the linear evaluation, which depend on the number of arrows, to self-play games.
//! Writes them as Rust source code.

pub mod fit;
pub mod output;
pub mod plot;
pub mod regressors;

use crate::samples::Dataset;
use crate::{parse_fraction, plots, prepare_output, provenance};
use base::error::ToolError;
use engine::console::print;
use engine::eval::weights::knots;
use regressors::RegressionSampler;
use std::path::PathBuf;

/// Fit the weights of the linear evaluation to self-play games
///
/// Logistic regression of the results, starting from the compiled-in weights. The weights depend on the number of
/// arrows. A random move (noise) may change the result: all positions of a game before its last random move are left
/// out. One game in ten is held out: these games decide when the fit stops, and measure its loss.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of self-play games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File for the fitted weights, as Rust source code; to use them in the bot, write them to
    /// src/engine/eval/weights/table.rs and compile it again
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// File for a plot (SVG) of the weights, and of the predicted win probabilities beside the results of the games
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// A note, written into the header of the weights
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Weight of the search's win probability in the training target, 0 to 1; the game's result has the remaining weight
    #[arg(long, value_name = "F", default_value_t = 0.0, value_parser = parse_fraction)]
    target_mix: f32,
}

/// First line of a file of fitted weights, without its comment marker `//!`. An existing output file is overwritten
/// only if it begins with this line or is empty.
const FIRST_LINE: &str = "Weights of the linear evaluation, rewritten by `amazons tune`.";

/// Title, in the report and in the header of the weights file, of the table with the log-losses of the predictions for
/// held-out games.
const LOSS_TABLE_TITLE: &str = "log-loss of the held-out results:";

/// Fits the weights, writes the requested files, prints the held-out losses, and returns the exit code 0.
///
/// # Errors
/// - If a file can't be read or written, or `--out` and `--plot` name the same file.
/// - If the training set or the held-out set is empty.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    if args.out.is_some() && args.out == args.plot {
        return Err("--plot: expected another file than --out".into());
    }
    let prefix = format!("//! {FIRST_LINE}\n");
    let out = prepare_output(&args.out, "a table of weights", prefix.as_bytes())?;
    let plot = prepare_output(&args.plot, plots::FILE_DESCRIPTION, plots::FILE_PREFIX)?;
    let target_mix = args.target_mix;
    let mut data = Dataset::read(&args.files, &RegressionSampler { target_mix })?;
    let before = knots();
    let after = &output::round_weights(&fit::fit(&mut data.train, &data.held_out, before));
    let table = fit::compare(&data.held_out, before, after).table();
    let games = data.summary();
    let mut text = format!("{games}\n{LOSS_TABLE_TITLE}\n{table}");
    if let Some(target) = out {
        let name = "share of the search's win probability in the targets";
        let mix_line = (target_mix > 0.0).then(|| format!("{name}: {target_mix}"));
        let loss_table = [LOSS_TABLE_TITLE, &table];
        let header =
            provenance::header(FIRST_LINE, games, mix_line, loss_table, args.note.as_ref());
        target.write(output::to_source(&header, after).as_bytes())?;
        text += "the table is written\n";
    }
    if let Some(target) = plot {
        target.write(plot::svg([before, after], &data.held_out).as_bytes())?;
        text += "the plot is written\n";
    }
    print(text)?;
    Ok(0)
}
