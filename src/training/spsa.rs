//! `amazons spsa`: tunes search parameters by SPSA (simultaneous perturbation stochastic approximation, Spall 1992),
//! with games of the engine against itself.

pub mod conditions;
mod file;
pub mod optimizer;
mod tuning;

use analysis::networks::{ChosenNetworks, NetworkFiles};
use base::error::Result;
use base::progress;
use base::workers;
use clap::builder::PossibleValuesParser;
use conditions::Conditions;
use engine::console::print;
use engine::mcts::Params;
use file::TuningHeader;
use optimizer::Schedule;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use tuning::Tuning;

/// Tune parameters of the search through games of the engine against itself
///
/// A step changes every parameter at random up or down, and plays this setting against the setting with all changes
/// reversed. It then shifts the parameters towards the winner (SPSA; Spall 1992). The last line printed is the tuned
/// setting as a player for `amazons arena`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Names of the parameters to tune
    #[arg(long, value_name = "NAME,…", required = true, value_delimiter = ',',
        value_parser = PossibleValuesParser::new(Params::TABLE.iter().map(|entry| entry.0)))]
    params: Vec<String>,
    /// Start values of parameters, instead of their defaults. A parameter that is not tuned has its start value in all
    /// games
    #[arg(long, value_name = "NAME=VALUE,…", value_delimiter = ',', value_parser = parse_start)]
    start: Vec<(String, f32)>,
    #[command(flatten)]
    schedule: Schedule,
    #[command(flatten)]
    conditions: Conditions,
    /// Number of games played at the same time, each on its own core [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// File to which every finished step is appended
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Resume after the last step in the file
    #[arg(long, requires = "out")]
    resume: bool,
    #[command(flatten)]
    networks: NetworkFiles,
}

/// Parses `NAME=VALUE`, a search parameter and its start value, from the command line.
///
/// # Errors
/// If the word has another form, no parameter has this name, or the value is outside the parameter's range.
fn parse_start(word: &str) -> Result<(String, f32), String> {
    let (name, value) = word
        .split_once('=')
        .and_then(|(name, value)| Some((name, value.parse().ok()?)))
        .ok_or("expected NAME=VALUE with a number for a value")?;
    Params::default()
        .set(name, value)
        .map_err(|error| format!("{error}; known: {}", Params::names()))?;
    Ok((name.to_owned(), value))
}

/// Tunes the parameters until all pairs of games are played or Ctrl-C is pressed. Prints the result and returns the
/// exit code: 0, or 130 after Ctrl-C.
///
/// # Errors
/// - If a file can't be read or written, or the file to resume belongs to another tuning run.
/// - If a tuned parameter starts at 0 or below, where its logarithm is undefined.
pub fn run(args: &Args) -> Result<u8> {
    let stop = workers::stop_on_interrupt()?;
    let networks = args.networks.read()?;
    let header = build_header(args, &networks)?;
    let mut tuning = Tuning::new(header, networks, args.out.as_deref(), args.resume)?;
    let progress = progress::bar(
        2 * tuning.header.pairs(),
        "games, {per_sec}, {eta} to go\n{msg}",
    )
    .with_position(2 * tuning.state.pairs_played)
    .with_message(tuning.format_values());
    let concurrency = args.concurrency.map(usize::from);
    while let Some(trial) = tuning.state.next_trial() {
        let Some(result) = tuning.play(&trial, concurrency, stop, &progress)? else {
            break;
        };
        tuning.record(&trial, result)?;
        progress.set_message(tuning.format_values());
    }
    progress.finish_and_clear();
    print(tuning.report())?;
    Ok(workers::exit_code(stop.load(Ordering::SeqCst)))
}

/// Converts the command line into the header of the tuning file.
///
/// # Errors
/// If a tuned parameter starts at 0 or below, where its logarithm is undefined.
fn build_header(args: &Args, networks: &ChosenNetworks) -> Result<TuningHeader> {
    let mut fixed: BTreeMap<String, f32> = args.start.iter().cloned().collect();
    let mut tuned = BTreeMap::new();
    for &(name, default, ..) in Params::TABLE {
        if args.params.iter().any(|param| param == name) {
            let start = fixed.remove(name).unwrap_or(default);
            if start <= 0.0 {
                let fault = format!("{name} begins with {start}: expected --start above 0");
                return Err(fault.into());
            }
            tuned.insert(name.to_owned(), start);
        }
    }
    Ok(TuningHeader {
        tuned,
        fixed,
        networks: networks.descriptions().collect(),
        schedule: args.schedule,
        conditions: Conditions {
            seed: args.schedule.seed,
            ..args.conditions
        },
        lengthened: None,
    })
}
