//! `amazons train`: command line for training the value network or, as `amazons train policy`, the policy network.

use super::policy::PolicyTraining;
use super::trainer::{self, TrainerArgs};
use super::value::ValueTraining;
use base::error::Result;

/// Train the value network on self-play games
///
/// The training target is a mean of the game's result and the search's win probability (--target-mix). A random move
/// (noise) may change the result: in all positions of a game before its last random move, the target is the win
/// probability alone. One game in ten is held out: the weights of the epoch that predicts these games best are written,
/// and the training ends early if five epochs in a row bring no improvement. The weights depend on the games, their
/// order and the options, not on the number of threads.
///
/// Ctrl-C ends the training and writes the best weights so far.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Subcommand>,
    #[command(flatten)]
    value: TrainerArgs<ValueTraining>,
}

#[derive(Debug, clap::Subcommand)]
enum Subcommand {
    /// Train the policy network on self-play games
    ///
    /// The policy network orders moves: it predicts which amazon moves and arrows a search visits. The training target is
    /// their shares of the visits, which files of games hold. One game in ten is held out: the weights of the epoch that
    /// predicts these games best are written, and the training ends early if five epochs in a row bring no improvement. The
    /// weights depend on the games, their order and the options, not on the number of threads.
    ///
    /// Ctrl-C ends the training and writes the best weights so far.
    Policy(Box<TrainerArgs<PolicyTraining>>),
}

/// Trains the network that the command line names and writes its weights. Returns the exit code: 0, or 130 if Ctrl-C
/// ended the training early.
///
/// # Errors
/// - If a file can't be read or written.
/// - If the checkpoint belongs to another training run.
/// - If the training set or the held-out set is empty, or a batch would be larger than the training set.
pub fn run(args: &Args) -> Result<u8> {
    match &args.command {
        Some(Subcommand::Policy(args)) => trainer::run(args),
        None => trainer::run(&args.value),
    }
}
