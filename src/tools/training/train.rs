//! `amazons train`: trains the network on games of self-play and writes the weights of the bot.

mod adam;
mod checkpoint;
mod course;
mod learner;
mod measure;
mod model;
mod order;
mod output;
mod plot;
mod samples;

use crate::console::print;
use crate::eval::network;
use crate::tools::support::error::ToolError;
use crate::tools::support::files::Target;
use crate::tools::support::progress;
use crate::tools::support::workers;
use crate::tools::training::{plots, share};
use checkpoint::Checkpoint;
use course::{Course, Ended, MAX_SAMPLES, Settings};
use output::{Comparison, Remarks};
use plot::Training;
use rayon::ThreadPoolBuilder;
use samples::Data;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Train the network of the evaluation on games of self-play
///
/// The network learns the results of the games, mixed with the win probabilities of the search. Before noise, which
/// spoils the result, it learns the win probabilities alone. One game in ten is held out: the network of the epoch that
/// predicts these games best is written, and the training ends when epochs bring nothing more. The weights depend on the
/// games, their order and the options, not on the number of threads.
///
/// Ctrl-C ends the training and writes the best network so far.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Subcommand>,
    /// Files of self-play games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File for the weights; the bot compiles in src/eval/network/weights.txt
    #[arg(long, value_name = "FILE", required = true)]
    out: Option<PathBuf>,
    /// File for a plot (SVG) of the losses and the calibration
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// File for the state of the training, written after every epoch; if it is there, the training goes on from it
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Most epochs, passes over the positions; the learning rate falls to zero over them
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    epochs: u16,
    /// Positions of a batch
    #[arg(long, default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,
    /// Learning rate at the start
    #[arg(long, value_name = "F", default_value_t = 0.003, value_parser = rate)]
    rate: f32,
    /// Share of the search's win probability in the target, 0 to 1; the game's result has the rest
    #[arg(long, value_name = "F", default_value_t = 0.5, value_parser = share)]
    target_mix: f32,
    /// That share from 50 arrows on; in between it changes evenly [default: the same]
    #[arg(long, value_name = "F", value_parser = share)]
    late_target_mix: Option<f32>,
    /// Threads; more than 8 gain little [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seed of the first weights, and of the order of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Generation of the network, for the header
    #[arg(long, value_name = "N")]
    generation: Option<u32>,
    /// A note for the header
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

#[derive(Debug, clap::Subcommand)]
enum Subcommand {
    Order(order::Args),
}

/// Reads a number above 0 and up to 1 on the command line.
fn rate(word: &str) -> Result<f32, String> {
    let rate = word.parse().ok();
    rate.filter(|&rate| 0.0 < rate && rate <= 1.0)
        .ok_or_else(|| "expected a number above 0, up to 1".to_owned())
}

/// Trains, writes the files and reports on standard output. Returns the exit code.
///
/// # Errors
/// If a file can't be read or written, the state of another training is there, or there are too few games.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    if let Some(Subcommand::Order(args)) = &args.command {
        return order::run(args);
    }
    let stop = workers::stop_on_interrupt()?;
    let targets = Targets::new(args)?;
    let threads = args.threads.map_or(0, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let data = samples::read(&args.files)?;
    let settings = settings(args);
    check(&data, settings.batch)?;
    let mut course = match &targets.checkpoint {
        Some(checkpoint) => checkpoint.open(settings, &data)?,
        None => Course::new(settings),
    };
    print(format_args!("{}\n", output::games(&data)))?;
    let ended = pool.install(|| train(&mut course, &data, targets.checkpoint.as_ref(), stop))?;
    if course.best_epoch() > 0 {
        pool.install(|| conclude(&course, &data, &targets, args))?;
    }
    Ok(match ended {
        Ended::Whole => 0,
        Ended::BrokenOff => workers::INTERRUPTED,
    })
}

/// The files that are asked for, checked before the work.
struct Targets {
    weights: Target,
    plot: Option<Target>,
    checkpoint: Option<Checkpoint>,
}

impl Targets {
    fn new(args: &Args) -> Result<Targets, ToolError> {
        let Args {
            out,
            plot,
            checkpoint,
            ..
        } = args;
        let out = out.as_ref().ok_or("expected --out FILE")?;
        if plot.as_ref() == Some(out) {
            return Err("--plot: expected another file than --out".into());
        }
        if checkpoint.is_some() && (checkpoint.as_ref() == Some(out) || checkpoint == plot) {
            return Err("--checkpoint: expected another file than --out and --plot".into());
        }
        let is_plot = |old: &[u8]| old.starts_with(plots::START.as_bytes());
        let plot = plot.as_ref();
        let plot = plot.map(|path| Target::replacing(path, "a plot", is_plot));
        let checkpoint = checkpoint.as_deref().map(Checkpoint::new);
        Ok(Targets {
            weights: Target::replacing(out, "weights of a network", output::is_weights)?,
            plot: plot.transpose()?,
            checkpoint: checkpoint.transpose()?,
        })
    }
}

/// What the training depends on, from the command line.
fn settings(args: &Args) -> Settings {
    Settings {
        epochs: args.epochs.into(),
        batch: args.batch as usize,
        rate: args.rate,
        target_mix: [
            args.target_mix,
            args.late_target_mix.unwrap_or(args.target_mix),
        ],
        seed: args.seed,
    }
}

/// Checks that the positions suffice for a step and a measurement.
fn check(data: &Data, batch: usize) -> Result<(), String> {
    let (train, held_out) = (data.train.len(), data.held_out.len());
    if held_out == 0 || train == 0 {
        let games = output::games(data);
        return Err(format!(
            "{games}: expected positions to train with and to hold out"
        ));
    }
    if train < batch {
        return Err(format!(
            "--batch {batch}: expected {train} at most, the positions to train with"
        ));
    }
    if train > MAX_SAMPLES {
        return Err(format!(
            "{train} positions to train with: expected {MAX_SAMPLES} at most"
        ));
    }
    Ok(())
}

/// Trains to the end, or until `stop` is set. Prints a line for each epoch, also for those of the checkpoint.
fn train(
    course: &mut Course,
    data: &Data,
    checkpoint: Option<&Checkpoint>,
    stop: &AtomicBool,
) -> Result<Ended, ToolError> {
    print(output::EPOCHS_HEAD)?;
    for number in 1..=course.epochs.len() {
        print(output::epoch(course, number))?;
    }
    let steps = course.steps(data.train.len());
    let all = (steps * course.settings.epochs) as u64;
    let progress = progress::bar(all, "steps, {per_sec}, {eta} to go\n{msg}")
        .with_position((steps * course.epochs.len()) as u64);
    progress.reset_eta();
    while !course.is_over() {
        let number = course.epochs.len() + 1;
        let ended = course.epoch(data, stop, |loss| {
            progress.inc(1);
            progress.set_message(format!("epoch {number}, train loss {loss:.4}"));
        });
        if ended == Ended::BrokenOff {
            progress.finish_and_clear();
            print(format_args!("broken off in epoch {number}\n"))?;
            return Ok(ended);
        }
        if let Some(checkpoint) = checkpoint {
            checkpoint.write(course, data)?;
        }
        progress.suspend(|| print(output::epoch(course, number)))?;
    }
    progress.finish_and_clear();
    Ok(Ended::Whole)
}

/// Measures the best network, writes it and the plot, and prints the comparison.
fn conclude(course: &Course, data: &Data, targets: &Targets, args: &Args) -> Result<(), ToolError> {
    let held_out = &data.held_out;
    let linear = measure::linear(held_out);
    let network = measure::network(&course.best, held_out);
    let comparison = Comparison {
        linear: measure::losses(held_out, &linear),
        network: measure::losses(held_out, &network),
    };
    let remarks = Remarks {
        generation: args.generation,
        note: args.note.clone(),
    };
    let header = output::header(data, course, &comparison, &remarks);
    let text = network::write(&header, &course.best.network());
    targets.weights.write(text.as_bytes())?;
    let best = course.best_epoch();
    let mut report = format!(
        "log-loss of the held-out results:\n{}the network of epoch {best} is written\n",
        output::table(&comparison)
    );
    if let Some(target) = &targets.plot {
        let training = Training {
            epochs: &course.epochs,
            linear_loss: measure::mean(&comparison.linear),
            linear: measure::calibration(held_out, &linear),
            network: measure::calibration(held_out, &network),
        };
        target.write(plot::svg(&training).as_bytes())?;
        report += "the plot is written\n";
    }
    Ok(print(report)?)
}
