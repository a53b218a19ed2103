//! Command-line arguments of `amazons arena` ([`Args`]) and of its subcommand `report`.

use super::stats::{Sprt, parse_sprt};
use crate::platform::process::{LaunchArgs, Limits};
use crate::player::spec::PlayerSpec;
use base::schedule::{Shard, parse_shard};
use std::path::PathBuf;

/// Maximum number of random plies (turns) at the start of a game. With more, the bots would have few moves left to
/// choose: after about 36 random plies, most games are almost decided.
const MAX_OPENING_PLIES: usize = 20;

/// Play bots against each other under Botzone's conditions
///
/// A player is a command line, or `self:` with settings of this program's own bot, for example
/// `self:iterations=2000,explore_amazon=0.6` or `self:level=5`, the bot of `amazons play --level 5`. A name and flags may
/// precede the player: `@old,json,fresh path/to/bot` (json: uses the JSON interaction; fresh: restarted for every turn).
#[derive(Clone, Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Subcommand>,
    /// First bot (bot A); results are from its point of view
    #[arg(long, value_name = "SPEC", requires = "b")]
    #[arg(required_unless_present = "players")]
    pub(super) a: Option<PlayerSpec>,
    /// Second bot (bot B)
    #[arg(long, value_name = "SPEC", requires = "a")]
    pub(super) b: Option<PlayerSpec>,
    /// A bot of a tournament, instead of --a and --b; repeat the option for each bot
    #[arg(long = "player", value_name = "SPEC", conflicts_with_all = ["a", "b"])]
    pub(super) players: Vec<PlayerSpec>,
    /// Let the first bot play against each of the others, but not the others among themselves
    #[arg(long)]
    pub(super) gauntlet: bool,
    /// Number of games between each two bots, with alternating colours
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) games: u32,
    /// Number of random plies at the start of each game, 0 to 20
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=MAX_OPENING_PLIES as i64))]
    pub(super) plies: u8,
    /// Random seed of the openings and of bots given as `self:`
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Number of games played in parallel [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) concurrency: Option<u16>,
    #[command(flatten)]
    pub(super) limits: Limits,
    #[command(flatten)]
    pub(super) launch: LaunchArgs,
    /// Stop when a sequential probability ratio test accepts one of two hypotheses: the first bot is stronger than the
    /// second by ELO0 points, or by ELO1 points (two players only)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = parse_sprt)]
    pub(super) sprt: Option<Sprt>,
    /// Append every finished game to this file, as a line of JSON
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Do not play again the games that the file of --out already contains
    #[arg(long, requires = "out")]
    pub(super) resume: bool,
    /// Write a match log of every game, in Botzone's format, into this folder
    #[arg(long, value_name = "DIR")]
    pub(super) export: Option<PathBuf>,
    /// Write the bots' standard error into this folder, up to 1 MiB per bot and game
    #[arg(long, value_name = "DIR")]
    pub(super) stderr: Option<PathBuf>,
    /// Play only part I of N of the games (I from 1 to N), such as 2/8, to divide them among machines: every N-th pair
    /// of games
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = parse_shard)]
    pub(super) shard: Shard,
    /// Print games and result as lines of JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Clone, Debug, clap::Subcommand)]
pub(super) enum Subcommand {
    /// Report on the games of one or more files, for example of all shards
    Report {
        /// Files that `amazons arena --out` wrote
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Print the result as a line of JSON
        #[arg(long)]
        json: bool,
    },
}
