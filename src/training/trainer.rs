//! Trains a network on self-play games, writes its weights and reports its held-out losses. The code is generic over the
//! network, which implements [`Head`](head::Head): the value network or the policy network.

pub mod adam;
mod checkpoint;
pub mod curves;
pub mod head;
pub mod hidden_layer;
pub mod learner;
mod training_run;
pub mod weights;

use crate::samples::Dataset;
use crate::{output_file, plots, provenance};
use base::error::ToolError;
use base::files::OutputFile;
use base::progress;
use base::workers;
use engine::console::{complain, print};
use head::Head;
use learner::evaluate;
use rayon::ThreadPoolBuilder;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use training_run::{Epoch, Settings, TrainingRun};

/// Command-line options of a training run, for either network.
#[derive(Debug, clap::Args)]
pub struct TrainerArgs<H: Head> {
    /// Files of self-play games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[arg(long, value_name = "FILE", required = true,
        help = format!("File for the weights; the bot compiles in {}", H::INFO.weights_path))]
    out: Option<PathBuf>,
    /// File for a plot (SVG) of the losses and, for the value network, its calibration
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// File for a checkpoint, written after every epoch; if the file exists, the training resumes from it
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings<H>,
    /// Number of threads; more than 8 gain little [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Generation of the network, written into the header of the weights
    #[arg(long, value_name = "N")]
    generation: Option<u32>,
    /// A note, written into the header of the weights
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

/// Trains a network, writes the weights and the other requested files, prints a report, and returns the exit code.
///
/// # Errors
/// If a file can't be read or written, the checkpoint belongs to another training run, or there are too few games.
pub fn run<H: Head>(args: &TrainerArgs<H>) -> Result<u8, ToolError> {
    let stop = workers::stop_on_interrupt()?;
    let targets = OutputFiles::new(args)?;
    let threads = args.threads.map_or(0, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let settings = args.settings.clone();
    let data = Dataset::read(&args.files, &settings.head)?;
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
    Ok(if is_finished {
        0
    } else {
        workers::EXIT_INTERRUPTED
    })
}

/// Output files of a training run, checked before the training begins.
struct OutputFiles {
    weights: OutputFile,
    plot: Option<OutputFile>,
    checkpoint: Option<OutputFile>,
}

impl OutputFiles {
    fn new<H: Head>(args: &TrainerArgs<H>) -> Result<OutputFiles, ToolError> {
        let (out, plot, checkpoint) = (&args.out, &args.plot, &args.checkpoint);
        if plot.is_some() && plot == out {
            return Err("--plot: expected another file than --out".into());
        }
        if checkpoint.is_some() && (checkpoint == out || checkpoint == plot) {
            return Err("--checkpoint: expected another file than --out and --plot".into());
        }
        let weights = format!("weights of the {}", H::INFO.name);
        let first = format!("# {}", H::INFO.first_line());
        let run_state = format!("the state of a training of the {}", H::INFO.name);
        Ok(OutputFiles {
            weights: output_file(out, &weights, first.as_bytes())?.ok_or("expected --out FILE")?,
            plot: output_file(plot, plots::FILE_KIND, plots::FILE_PREFIX)?,
            checkpoint: output_file(checkpoint, &run_state, H::INFO.magic)?,
        })
    }
}

/// Trains until the run is over or `stop` is set. Returns true if the run is over. Prints a line for each epoch, including
/// the epochs that were read from the checkpoint.
fn train<H: Head>(
    run: &mut TrainingRun<H>,
    data: &Dataset<H::Sample>,
    checkpoint: Option<&OutputFile>,
    stop: &AtomicBool,
) -> Result<bool, ToolError> {
    print(format_args!(
        "{}:\nepoch  train loss  held-out loss\n",
        H::INFO.loss_name
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

/// Formats the number and the losses of a finished epoch as a line of the report.
fn epoch_line(number: usize, epoch: &Epoch) -> String {
    format!("{number:>5}{:>12.4}{:>15.4}\n", epoch.train, epoch.held_out)
}

/// Writes the best weights and the plot, and prints the losses on the held-out set. Warns if the head's baseline or the
/// compiled-in weights have a smaller held-out loss than the new weights.
fn write_results<H: Head>(
    run: &TrainingRun<H>,
    data: &Dataset<H::Sample>,
    targets: &OutputFiles,
    args: &TrainerArgs<H>,
) -> Result<(), ToolError> {
    let info = H::INFO;
    let metrics = evaluate::<H>(&run.best, &data.held_out);
    let (means, table) = (metrics.means(), metrics.table());
    let (settings, best, epochs) = (&run.settings, run.best_epoch(), run.epochs.len());
    let trained = format!(
        "epoch {best} of {epochs}; batch {}, rate {}, seed {}",
        settings.batch, settings.rate, settings.seed
    );
    let generation = args.generation.map(|number| format!("generation {number}"));
    let facts = generation.into_iter().chain(settings.head.header_line());
    let title = info.table_title;
    let header = provenance::header(
        &info.first_line(),
        data.summary(),
        facts.chain([trained]),
        [title, &table],
        args.note.as_ref(),
    );
    let weights = H::write(&run.best, &header);
    targets.weights.write(weights.as_bytes())?;
    let mut report = format!("{title}\n{table}the weights of epoch {best} are written\n");
    let compiled_in = H::parse(info.compiled_in).expect("the trainer wrote the file");
    let compiled_in = evaluate::<H>(&compiled_in, &data.held_out).means()[info.loss_metric];
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
        complain(format_args!(
            "warning: {worse} (loss {loss:.4}) than {better}"
        ));
    }
    Ok(())
}
