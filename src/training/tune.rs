//! `amazons tune`: fits the weights of the linear evaluation, which depend on the number of arrows, to self-play games.
//! Writes them as Rust source code.

pub mod fit;
pub mod output;
pub mod regressors;

use crate::samples::Dataset;
use crate::{prepare_output, provenance};
use base::error::Result;
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
    /// A note, written into the header of the weights
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
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
/// - If a file can't be read or written.
/// - If the training set or the held-out set is empty.
pub fn run(args: &Args) -> Result<u8> {
    let prefix = format!("//! {FIRST_LINE}\n");
    let out = prepare_output(&args.out, "a table of weights", prefix.as_bytes())?;
    let mut data = Dataset::read(&args.files, &RegressionSampler)?;
    let before = knots();
    // To four decimals, the precision with which `output::to_source` writes them.
    let rounded = |weight: f64| (weight * 1e4).round() / 1e4;
    let after = fit::fit(&mut data.train, &data.held_out, before).map(|row| row.map(rounded));
    let table = fit::compare(&data.held_out, before, &after).table();
    let games = data.summary();
    let mut text = format!("{games}\n{LOSS_TABLE_TITLE}\n{table}");
    if let Some(target) = out {
        let loss_table = [LOSS_TABLE_TITLE, &table];
        let header = provenance::header(FIRST_LINE, games, [], loss_table, args.note.as_ref());
        target.write(output::to_source(&header, &after).as_bytes())?;
        text += "the table is written\n";
    }
    print(text)?;
    Ok(0)
}
