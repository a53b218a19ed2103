//! Trains a network on self-play games, writes its weights and reports its held-out losses.
//!
//! The code is generic over the network: the value network and the policy network implement
//! [`TrainableNetwork`].

pub mod adam;
mod checkpoint;
pub mod curves;
pub mod hidden_layer;
pub mod learner;
pub mod network;
mod training_run;
pub mod weights;

use crate::samples::Dataset;
use crate::{plots, prepare_output, provenance};
use base::error::Result;
use base::files::OutputFile;
use base::progress;
use base::workers;
use engine::console::{print, print_error};
use learner::evaluate;
use network::TrainableNetwork;
use rayon::ThreadPoolBuilder;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use training_run::{Epoch, Settings, TrainingRun};

/// Command-line options of a training run of the network `N`.
#[derive(Debug, clap::Args)]
pub struct TrainerArgs<N: TrainableNetwork> {
    /// Files of self-play games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[arg(long, value_name = "FILE", required = true,
        help = format!("File for the weights; the bot is compiled with those in {}", N::INFO.weights_path))]
    out: Option<PathBuf>,
    /// File for a plot (SVG) of the losses and, for the value network, its calibration
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// File for a checkpoint, written after every epoch; if the file exists, the training resumes from it
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings<N>,
    /// Number of threads; more than 8 gain little [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// A note, written into the header of the weights
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

/// Trains a network, writes the weights and the other requested files, and prints a report. Returns the exit code: 0,
/// or 130 if Ctrl-C ended the training early.
///
/// # Errors
/// - If a file can't be read or written.
/// - If the checkpoint belongs to another training run.
/// - If the training set or the held-out set is empty, or a batch would be larger than the training set.
pub fn run<N: TrainableNetwork>(args: &TrainerArgs<N>) -> Result<u8> {
    let stop = workers::stop_on_interrupt()?;
    let targets = OutputFiles::new(args)?;
    let threads = args.threads.map_or(0, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let settings = args.settings.clone();
    let data = Dataset::read(&args.files, &settings.network)?;
    let (batch, max_batch) = (settings.batch, data.train.len());
    if max_batch < batch as usize {
        let expected = format!("expected {max_batch} at most, the positions to train with");
        return Err(format!("--batch {batch}: {expected}").into());
    }
    let mut run = match &args.checkpoint {
        Some(path) => checkpoint::resume_or_start(path, settings, &data)?,
        None => TrainingRun::new(settings),
    };
    print(format_args!("{}\n", data.summary()))?;
    let is_finished = pool.install(|| train(&mut run, &data, targets.checkpoint.as_ref(), stop))?;
    if run.best_epoch() > 0 {
        pool.install(|| write_results(&run, &data, &targets, args))?;
    }
    Ok(workers::exit_code(!is_finished))
}

/// Output files of a training run. They are checked before the training begins, but not changed yet, so that the user
/// learns at once of a path that can't be written.
struct OutputFiles {
    /// File for the trained weights (`--out`).
    weights: OutputFile,
    /// File for the SVG plot; `None` without `--plot`.
    plot: Option<OutputFile>,
    /// File for the checkpoint; `None` without `--checkpoint`.
    checkpoint: Option<OutputFile>,
}

impl OutputFiles {
    /// Checks that the output files named in `args` can be created, or replaced if they exist, and returns them. Does
    /// not change them yet. An existing file can be replaced if it is empty, or if its first bytes show that it has the
    /// same format.
    ///
    /// # Errors
    /// If two options name the same file, a file can't be written, or an existing file has another format.
    fn new<N: TrainableNetwork>(args: &TrainerArgs<N>) -> Result<OutputFiles> {
        let (out, plot, checkpoint) = (&args.out, &args.plot, &args.checkpoint);
        if plot.is_some() && plot == out {
            return Err("--plot: expected another file than --out".into());
        }
        if checkpoint.is_some() && (checkpoint == out || checkpoint == plot) {
            return Err("--checkpoint: expected another file than --out and --plot".into());
        }
        let weights = format!("weights of the {}", N::INFO.name);
        let first = format!("# {}", N::INFO.first_line());
        let run_state = format!("the state of a training of the {}", N::INFO.name);
        Ok(OutputFiles {
            weights: prepare_output(out, &weights, first.as_bytes())?
                .ok_or("expected --out FILE")?,
            plot: prepare_output(plot, plots::FILE_DESCRIPTION, plots::FILE_PREFIX)?,
            checkpoint: prepare_output(checkpoint, &run_state, N::INFO.magic)?,
        })
    }
}

/// Trains epoch by epoch, and writes the checkpoint after each epoch. Returns true when the run is complete, or false
/// if it ended early because `stop` was set.
///
/// Prints the losses of each epoch. If the run was resumed from a checkpoint, first prints the losses of the epochs
/// that were done before.
///
/// # Errors
/// If the checkpoint or the standard output can't be written.
fn train<N: TrainableNetwork>(
    run: &mut TrainingRun<N>,
    data: &Dataset<N::Sample>,
    checkpoint: Option<&OutputFile>,
    stop: &AtomicBool,
) -> Result<bool> {
    print(format_args!(
        "{}:\nepoch  train loss  held-out loss\n",
        N::INFO.loss_name
    ))?;
    for (number, epoch) in (1..).zip(&run.epochs) {
        print(epoch_line(number, epoch))?;
    }
    let steps = run.steps_per_epoch(data.train.len());
    let all = (steps * usize::from(run.settings.epochs)) as u64;
    let progress = progress::bar(all, "steps, {per_sec}, {eta} to go\n{msg}")
        .with_position((steps * run.epochs.len()) as u64);
    progress.reset_eta();
    while !run.is_complete() {
        let number = run.epochs.len() + 1;
        let is_finished = run.train_epoch(data, stop, |loss| {
            progress.inc(1);
            progress.set_message(format!("epoch {number}, train loss {loss:.4}"));
        });
        if !is_finished {
            progress.finish_and_clear();
            print(format_args!("broken off in epoch {number}\n"))?;
            return Ok(false);
        }
        if let Some(checkpoint) = checkpoint {
            checkpoint.write(&checkpoint::to_bytes(run, data)?)?;
        }
        progress.suspend(|| print(epoch_line(number, &run.epochs[number - 1])))?;
    }
    progress.finish_and_clear();
    Ok(true)
}

/// Formats a line of the report on the training: the epoch's number `number` (from 1), its mean training loss and its
/// mean held-out loss.
fn epoch_line(number: usize, epoch: &Epoch) -> String {
    format!("{number:>5}{:>12.4}{:>15.4}\n", epoch.train, epoch.held_out)
}

/// Writes the best weights and the plot, and prints the losses on the held-out set.
///
/// Prints a warning if the new weights have a larger held-out loss than the compiled-in weights or, for the value
/// network, than the linear evaluation.
///
/// # Errors
/// If a file or the standard output can't be written.
fn write_results<N: TrainableNetwork>(
    run: &TrainingRun<N>,
    data: &Dataset<N::Sample>,
    targets: &OutputFiles,
    args: &TrainerArgs<N>,
) -> Result<()> {
    let info = N::INFO;
    let metrics = evaluate::<N>(&run.best, &data.held_out);
    let (means, table) = (metrics.means(), metrics.table());
    let (settings, best, epochs) = (&run.settings, run.best_epoch(), run.epochs.len());
    let trained = format!(
        "epoch {best} of {epochs}; batch {}, rate {}, seed {}",
        settings.batch, settings.rate, settings.seed
    );
    let facts = settings.network.header_line().into_iter();
    let title = info.table_title;
    let header = provenance::header(
        &info.first_line(),
        data.summary(),
        facts.chain([trained]),
        [title, &table],
        args.note.as_ref(),
    );
    let weights = N::write(&run.best, &header);
    targets.weights.write(weights.as_bytes())?;
    let mut report = format!("{title}\n{table}the weights of epoch {best} are written\n");
    let compiled_in = N::parse(info.compiled_in).expect("the trainer wrote the file");
    let compiled_in = evaluate::<N>(&compiled_in, &data.held_out).means()[info.loss_metric];
    let baseline = info
        .baseline
        .map(|(name, column)| (name.to_owned(), means[column]));
    let compiled_in = (format!("the compiled-in {}", info.name), compiled_in);
    let others: Vec<_> = baseline.into_iter().chain([compiled_in]).collect();
    if let Some(target) = &targets.plot {
        let (name, loss) = &others[0];
        target.write(curves::svg(run, data, (name, *loss)).as_bytes())?;
        report += "the plot is written\n";
    }
    print(report)?;
    let loss = means[info.loss_metric];
    let better = others.iter().filter(|(_, other)| *other < loss);
    let better = better.map(|(name, other)| format!("{name} ({other:.4})"));
    let better = better.collect::<Vec<_>>().join(" and ");
    if !better.is_empty() {
        let worse = "the new weights predict the held-out games worse";
        print_error(format_args!(
            "warning: {worse} (loss {loss:.4}) than {better}"
        ));
    }
    Ok(())
}
