//! `amazons train`: the command line of the trainer, for either of the engine's networks.

use super::order::Order;
use super::trainer::{self, TrainerArgs};
use super::value::Value;
use base::error::ToolError;

/// Train the network of the evaluation on games of self-play
///
/// The network learns the results of the games, mixed with the win probabilities of the search. Before noise, which
/// spoils the result, it learns the win probabilities alone. One game in ten is held out: the weights of the epoch that
/// predicts these games best are written, and the training ends when epochs bring nothing more. The weights depend on the
/// games, their order and the options, not on the number of threads.
///
/// Ctrl-C ends the training and writes the best weights so far.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Subcommand>,
    #[command(flatten)]
    value: TrainerArgs<Value>,
}

#[derive(Debug, clap::Subcommand)]
enum Subcommand {
    /// Train the order network on games of self-play
    ///
    /// The order network predicts which amazon's moves a search visits. It learns the shares of the visits, which files of
    /// games hold. One game in ten is held out: the weights of the epoch that predicts these games best
    /// are written, and the training ends when epochs bring nothing more. The weights depend on the games, their order
    /// and the options, not on the number of threads.
    ///
    /// Ctrl-C ends the training and writes the best weights so far.
    Order(Box<TrainerArgs<Order>>),
}

/// Trains a network and writes its weights. Returns the exit code.
///
/// # Errors
/// If a file can't be read or written, the state of another training is there, or there are too few games.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    match &args.command {
        Some(Subcommand::Order(args)) => trainer::run(args),
        None => trainer::run(&args.value),
    }
}
