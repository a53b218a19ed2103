//! `amazons train order`: trains the order network on the visits of self-play's searches and writes its weights.

mod course;
mod learner;
mod measure;
mod model;
mod moves;
mod output;
mod samples;

use super::course::Ended;
use super::output::Remarks;
use super::rate;
use crate::console::print;
use crate::eval::order;
use crate::tools::support::error::ToolError;
use crate::tools::support::files::Target;
use crate::tools::support::progress;
use crate::tools::support::workers;
use course::{Course, Settings};
use rayon::ThreadPoolBuilder;
use samples::Data;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Train the order network on games of self-play
///
/// The order network foresees which amazon's moves a search visits. It learns the shares of the visits, which files of
/// games hold since version 4. One game in ten is held out: the weights of the epoch that foresees these games best are
/// written, and the training ends when epochs bring nothing more. The weights depend on the games, their order and the
/// options, not on the number of threads.
///
/// Ctrl-C ends the training and writes the best weights so far.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of self-play games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File for the weights; the bot compiles in src/eval/order/weights.txt
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Most epochs, passes over the positions; the learning rate falls to zero over them
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    epochs: u16,
    /// Positions of a batch
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,
    /// Learning rate at the start
    #[arg(long, value_name = "F", default_value_t = 0.003, value_parser = rate)]
    rate: f32,
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

/// Trains, writes the weights and reports on standard output. Returns the exit code.
///
/// # Errors
/// If a file can't be read or written, holds no shares of visits, or there are too few games.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    let stop = workers::stop_on_interrupt()?;
    let target = Target::replacing(&args.out, "weights of an order network", output::is_weights)?;
    let threads = args.threads.map_or(0, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let data = samples::read(&args.files)?;
    let mut course = Course::new(Settings {
        epochs: args.epochs.into(),
        batch: args.batch as usize,
        rate: args.rate,
        seed: args.seed,
    });
    check(&data, course.settings.batch)?;
    print(format_args!("{}\n", output::games(&data)))?;
    let ended = pool.install(|| train(&mut course, &data, stop))?;
    if course.best_epoch() > 0 {
        conclude(&course, &data, &target, args)?;
    }
    Ok(match ended {
        Ended::Whole => 0,
        Ended::BrokenOff => workers::INTERRUPTED,
    })
}

/// Checks that the positions suffice for a step and a measurement.
fn check(data: &Data, batch: usize) -> Result<(), String> {
    let train = data.train.len();
    if data.held_out.is_empty() || train == 0 {
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
    if u32::try_from(data.positions()).is_err() {
        let positions = data.positions();
        return Err(format!(
            "{positions} positions: expected {} at most",
            u32::MAX
        ));
    }
    Ok(())
}

/// Trains to the end, or until `stop` is set. Prints a line for each epoch.
fn train(course: &mut Course, data: &Data, stop: &AtomicBool) -> Result<Ended, ToolError> {
    print(output::EPOCHS_HEAD)?;
    let all = (course.steps(data.train.len()) * course.settings.epochs) as u64;
    let progress = progress::bar(all, "steps, {per_sec}, {eta} to go\n{msg}");
    while !course.is_over() {
        let number = course.epochs.len() + 1;
        let ended = course.epoch(data, stop, |loss| {
            progress.inc(1);
            progress.set_message(format!("epoch {number}, divergence {loss:.4}"));
        });
        if ended == Ended::BrokenOff {
            progress.finish_and_clear();
            print(format_args!("broken off in epoch {number}\n"))?;
            return Ok(ended);
        }
        progress.suspend(|| print(output::epoch(course)))?;
    }
    progress.finish_and_clear();
    Ok(Ended::Whole)
}

/// Writes the best weights, and prints how well they foresee.
fn conclude(course: &Course, data: &Data, target: &Target, args: &Args) -> Result<(), ToolError> {
    let remarks = Remarks {
        generation: args.generation,
        note: args.note.clone(),
    };
    let header = output::header(data, course, &remarks);
    let text = order::write(&header, course.best.order_weights());
    target.write(text.as_bytes())?;
    let (head, table) = (output::TABLE_HEAD, output::table(&course.measured));
    let best = course.best_epoch();
    Ok(print(format_args!(
        "{head}\n{table}the weights of epoch {best} are written\n"
    ))?)
}
