//! The trainer: trains a network on games of self-play, writes its weights and says what they are worth. What it trains
//! is a [head](head::Head).

pub mod activation;
pub mod adam;
mod checkpoint;
mod course;
pub mod curves;
pub mod head;
mod header;
pub mod images;
mod learner;
pub mod passes;

use crate::console::{complain, print};
use crate::tools::support::error::ToolError;
use crate::tools::support::files::Target;
use crate::tools::support::progress;
use crate::tools::support::workers;
use crate::tools::training::plots;
use crate::tools::training::samples::Data;
use checkpoint::Checkpoint;
use course::{Course, Epoch, MAX_SAMPLES, Settings};
use head::{Head, HeadWeights};
use passes::measure;
use rayon::ThreadPoolBuilder;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// The options of a training.
#[derive(Debug, clap::Args)]
pub struct TrainerArgs<H: Head> {
    /// Files of self-play games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[arg(long, value_name = "FILE", required = true, help = H::OUT_HELP)]
    out: Option<PathBuf>,
    /// File for a plot (SVG) of the losses and, if results are predicted, the calibration
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// File for the state of the training, written after every epoch; if it is there, the training goes on from it
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Most epochs, passes over the positions; the learning rate falls to zero over them
    #[arg(long, default_value = H::EPOCHS, value_parser = clap::value_parser!(u16).range(1..=1000))]
    epochs: u16,
    /// Positions of a batch
    #[arg(long, default_value = H::BATCH, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,
    /// Learning rate at the start
    #[arg(long, value_name = "F", default_value_t = 0.003, value_parser = rate)]
    rate: f32,
    #[command(flatten)]
    head: H::Options,
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
pub fn run<H: Head>(args: &TrainerArgs<H>) -> Result<u8, ToolError> {
    let stop = workers::stop_on_interrupt()?;
    let targets = Targets::new(args)?;
    let threads = args.threads.map_or(0, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let settings = Settings {
        epochs: args.epochs.into(),
        batch: args.batch as usize,
        rate: args.rate,
        head: args.head.clone().into(),
        seed: args.seed,
    };
    let data = Data::read(&args.files, &settings.head)?;
    check(data.train.len(), settings.batch)?;
    let mut course = match &targets.checkpoint {
        Some(checkpoint) => checkpoint.open(settings, &data)?,
        None => Course::new(settings),
    };
    print(format_args!("{}\n", data.summary()))?;
    let is_whole = pool.install(|| train(&mut course, &data, targets.checkpoint.as_ref(), stop))?;
    if course.best_epoch() > 0 {
        pool.install(|| conclude(&course, &data, &targets, args))?;
    }
    Ok(if is_whole { 0 } else { workers::INTERRUPTED })
}

/// The files that are asked for, checked before the work.
struct Targets {
    weights: Target,
    plot: Option<Target>,
    checkpoint: Option<Checkpoint>,
}

impl Targets {
    fn new<H: Head>(args: &TrainerArgs<H>) -> Result<Targets, ToolError> {
        let (plot, checkpoint) = (&args.plot, &args.checkpoint);
        let out = args.out.as_ref().ok_or("expected --out FILE")?;
        if plot.as_ref() == Some(out) {
            return Err("--plot: expected another file than --out".into());
        }
        if checkpoint.is_some() && (checkpoint.as_ref() == Some(out) || checkpoint == plot) {
            return Err("--checkpoint: expected another file than --out and --plot".into());
        }
        let checkpoint = checkpoint.as_deref().map(Checkpoint::new::<H>);
        let what = format!("weights of {}", H::FILE);
        Ok(Targets {
            weights: Target::replacing(out, &what, header::is_weights::<H>)?,
            plot: plots::target(plot.as_deref())?,
            checkpoint: checkpoint.transpose()?,
        })
    }
}

/// Checks that so many positions to train with suffice for a step, and are not too many.
fn check(train: usize, batch: usize) -> Result<(), String> {
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

/// Trains to the end, or until `stop` is set; returns which: true at the end. Prints a line for each epoch, also for
/// those of the checkpoint.
fn train<H: Head>(
    course: &mut Course<H>,
    data: &Data<H::Sample>,
    checkpoint: Option<&Checkpoint>,
    stop: &AtomicBool,
) -> Result<bool, ToolError> {
    print(format_args!(
        "{}:\nepoch  train loss  held-out loss\n",
        H::LOSS
    ))?;
    for (number, epoch) in (1..).zip(&course.epochs) {
        print(line(number, epoch))?;
    }
    let steps = course.steps(data.train.len());
    let all = (steps * course.settings.epochs) as u64;
    let progress = progress::bar(all, "steps, {per_sec}, {eta} to go\n{msg}")
        .with_position((steps * course.epochs.len()) as u64);
    progress.reset_eta();
    while !course.is_over() {
        let number = course.epochs.len() + 1;
        let is_whole = course.epoch(data, stop, |loss| {
            progress.inc(1);
            progress.set_message(format!("epoch {number}, train loss {loss:.4}"));
        });
        if !is_whole {
            progress.finish_and_clear();
            print(format_args!("broken off in epoch {number}\n"))?;
            return Ok(false);
        }
        if let Some(checkpoint) = checkpoint {
            checkpoint.write(course, data)?;
        }
        progress.suspend(|| print(line(number, &course.epochs[number - 1])))?;
    }
    progress.finish_and_clear();
    Ok(true)
}

/// The line of a finished epoch.
fn line(number: usize, epoch: &Epoch) -> String {
    format!("{number:>5}{:>12.4}{:>15.4}\n", epoch.train, epoch.held_out)
}

/// Measures the best weights, writes them and the plot, and prints how well they predict.
fn conclude<H: Head>(
    course: &Course<H>,
    data: &Data<H::Sample>,
    targets: &Targets,
    args: &TrainerArgs<H>,
) -> Result<(), ToolError> {
    let measures = measure::<H>(&course.best, &data.held_out);
    let table = measures.table();
    let header = header::header(data, course, &table, args);
    targets
        .weights
        .write(course.best.write(&header).as_bytes())?;
    let (head, best) = (H::TABLE_HEAD, course.best_epoch());
    let mut report = format!("{head}\n{table}the weights of epoch {best} are written\n");
    let measures = measures.means();
    let others = others::<H>(data, measures);
    if let Some(target) = &targets.plot {
        target.write(curves::svg(course, data, others[0].1).as_bytes())?;
        report += "the plot is written\n";
    }
    print(report)?;
    if let Some(warning) = warning(measures[H::LOSS_COLUMN], &others) {
        complain(warning);
    }
    Ok(())
}

/// What else predicts the held-out samples, with the losses: the head's baseline, if it has one, and the compiled-in
/// weights.
fn others<H: Head>(data: &Data<H::Sample>, measures: [f64; 2]) -> Vec<(&'static str, f64)> {
    let baseline = H::BASELINE.map(|(name, column)| (name, measures[column]));
    let weights = H::Weights::parse(H::Weights::COMPILED_IN).expect("the trainer wrote the file");
    let compiled_in = measure::<H>(&weights, &data.held_out);
    let compiled_in = (H::COMPILED_IN, compiled_in.means()[H::LOSS_COLUMN]);
    baseline.into_iter().chain([compiled_in]).collect()
}

/// Says what predicts the held-out games better than what was trained, if anything does.
fn warning(loss: f64, others: &[(&str, f64)]) -> Option<String> {
    let better = others.iter().filter(|(_, other)| *other < loss);
    let better: Vec<String> = better
        .map(|(name, other)| format!("{name} ({other:.4})"))
        .collect();
    let names = better.join(" and ");
    (!better.is_empty()).then(|| {
        format!(
            "warning: the new weights predict the held-out games worse (loss {loss:.4}) than {names}"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::warning;

    #[test]
    fn only_what_is_better_is_warned_of() {
        let start = "warning: the new weights predict the held-out games worse (loss 0.3000) than ";
        for (linear, compiled_in, better) in [
            (0.31, 0.3, None),
            (0.29, 0.2, Some("one (0.2900) and other (0.2000)")),
            (0.4, 0.2, Some("other (0.2000)")),
        ] {
            let warned = warning(0.3, &[("one", linear), ("other", compiled_in)]);
            assert_eq!(warned, better.map(|better| format!("{start}{better}")));
        }
    }
}
