//! `amazons online`: the real platform from one's own machine, through the local AI interface.
//!
//! [`session`] decides, without network, clock or thread, what is sent and what is certain; `driver` ties it to the
//! network (`errands`, [`client`]), the engines (`engines`), what is kept (`ledger`, [`contest`], [`state`]),
//! the times at which something may be asked (`timing`, `lookout`) and what people see (`screen`).

pub mod account;
pub mod backoff;
pub mod client;
pub mod contest;
mod driver;
mod engines;
mod errands;
mod ledger;
mod logs;
mod lookout;
pub mod news;
pub mod poll;
pub mod request;
mod screen;
pub mod seat;
pub mod session;
pub mod state;
mod timing;

use crate::botzone::options::{DAY_MS, MAX_MEMORY_MB, Options};
use crate::budget::Budget;
use crate::cli::number;
use crate::tools::analysis::glossary::Language;
use crate::tools::platform::address::{Id, MatchAddress};
use crate::tools::player::spec::{EngineSpec, MAX_THREADS};
use crate::tools::support::error::ToolError;
use crate::tools::thinking::level::Strength;
use crate::tools::thinking::root_parallel::Means;
use account::Account;
use client::Client;
use contest::{Contest, Plan};
use driver::{Driver, Orders};
use engines::Threads;
use state::StateFile;
use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// Play on Botzone itself, from this machine, through the local AI interface
///
/// Botzone gives every account a secret URL for local AIs. It is read from --url-file, else from the variable
/// AMAZONS_BOTZONE_URL, else at the terminal without echo. Whoever has it plays as you: it stands in no argument, no
/// message and no file of this program.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Take your seat in all matches that come, several at once: tables with "use my local AI"
    Serve {
        #[command(flatten)]
        seat: SeatArgs,
        /// Seconds of a turn at the table, from which the time to think is reckoned
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=600))]
        limit_seconds: u32,
    },
    /// Start matches against bots on the platform and play them, with both colours in turn
    Match(Box<MatchArgs>),
    /// Fetch public match logs as files that replay, analyze and review read
    Log(logs::Args),
    /// End a match
    Abort {
        /// Id or address of the match
        #[arg(value_name = "MATCH")]
        game: MatchAddress,
        #[command(flatten)]
        url: UrlArgs,
    },
}

/// Where the secret URL is.
#[derive(Debug, clap::Args)]
struct UrlArgs {
    /// File with the account's secret URL
    #[arg(long, value_name = "FILE")]
    url_file: Option<PathBuf>,
}

/// How a seat is played.
#[derive(Debug, clap::Args)]
struct SeatArgs {
    #[command(flatten)]
    url: UrlArgs,
    /// Milliseconds to think about a move [default: three quarters of the turn]
    #[arg(long, value_name = "N", value_parser = |word: &str| number(word, 1, DAY_MS))]
    time_ms: Option<u64>,
    /// Threads of each search [default: all cores, shared among the matches at a time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Think on the opponent's time, too, while one match runs alone
    #[arg(long)]
    ponder: bool,
    /// MiB for the trees of each match, at most 32768
    #[arg(long, value_name = "N", default_value_t = Options::default().memory as u64 >> 20, value_parser = |word: &str| number(word, 1, MAX_MEMORY_MB as u64))]
    memory_mb: u64,
    /// Language [default: the user's own]
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<Language>,
    /// Print a line for each event, at a terminal too
    #[arg(long)]
    plain: bool,
}

/// The arguments of `amazons online match`.
#[derive(Debug, clap::Args)]
struct MatchArgs {
    /// Versions of bots to play against: their ids, separated by commas
    #[arg(long, value_name = "BOT", required = true, value_delimiter = ',')]
    against: Vec<Id>,
    /// Games against each bot; you are black in half of them
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Matches at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    concurrent: u16,
    /// Seconds of your turns, as asked of the platform
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=600))]
    limit_seconds: u32,
    /// Append every finished game to this file, a journal of the arena
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Resume after the games in the file, and the matches that were under way
    #[arg(long, requires = "out")]
    resume: bool,
    /// Write the match log of every game into this folder
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
    #[command(flatten)]
    seat: SeatArgs,
}

impl SeatArgs {
    /// The longest time to think, where a turn has so many seconds.
    fn thinking(&self, limit_seconds: u32) -> Result<Duration, String> {
        let limit = Duration::from_secs(limit_seconds.into());
        match self.time_ms.map(Duration::from_millis) {
            Some(ours) if ours >= limit => Err(format!(
                "--time-ms {} leaves nothing of a turn of {limit_seconds} s: expected less, or more --limit-seconds",
                ours.as_millis()
            )),
            Some(ours) => Ok(ours),
            None => Ok(limit
                .mul_f64(0.75)
                .min(limit.saturating_sub(MARGIN).max(limit / 4))),
        }
    }

    /// Threads of the searches, of which there are at least so many at a time.
    fn threads(&self, concurrent: u16) -> Threads {
        let shared = || Threads::Shared {
            all: thread::available_parallelism().map_or(1, NonZero::get),
            matches: concurrent.into(),
        };
        self.threads
            .map_or_else(shared, |count| Threads::Each(count.into()))
    }

    fn language(&self) -> Language {
        self.lang.unwrap_or_else(Language::of_user)
    }

    /// What the program is told to do, but for games and their files.
    fn orders(&self, limit_seconds: u32, concurrent: u16) -> Result<Orders, ToolError> {
        let thinking = self.thinking(limit_seconds)?;
        Ok(Orders {
            client: Client::new(self.url.account()?),
            engine: EngineSpec {
                strength: Strength::Budget(Budget::Time(thinking)),
                means: Means::new((self.memory_mb as usize) << 20, 1, 0),
                files: Vec::new(),
            },
            threads: self.threads(concurrent),
            thinking,
            ponder: self.ponder,
            contest: None,
            state: None,
            is_full: !self.plain && io::stdout().is_terminal(),
            language: self.language(),
        })
    }
}

/// Least time of a turn that is left to the network.
const MARGIN: Duration = Duration::from_secs(1);

impl UrlArgs {
    fn account(&self) -> Result<Account, ToolError> {
        Account::find(self.url_file.as_deref())
    }
}

/// Plays online; returns the exit code.
///
/// # Errors
/// If there is no URL, the platform refuses for good, or a file can't be read or written.
pub fn run(args: Args) -> Result<u8, ToolError> {
    match args.command {
        Command::Serve {
            seat,
            limit_seconds,
        } => Driver::new(seat.orders(limit_seconds, 1)?)?.run(),
        Command::Match(args) => play(*args),
        Command::Log(args) => logs::run(&args),
        Command::Abort { game, url } => abort(&game, &url),
    }
}

/// Plays the games of a plan.
fn play(args: MatchArgs) -> Result<u8, ToolError> {
    let thinking = args.seat.thinking(args.limit_seconds)?;
    let plan = Plan {
        bots: args.against,
        games: args.games as usize,
        concurrent: args.concurrent.into(),
        seconds: args.limit_seconds,
        thinking: format!("{} ms to think", thinking.as_millis()),
    };
    let orders = args.seat.orders(args.limit_seconds, args.concurrent)?;
    let out = args.out.as_deref();
    let contest = Contest::new(plan, out, args.resume, args.export)?;
    let state = out.map(|out| StateFile::open(&StateFile::beside(out)));
    let orders = Orders {
        contest: Some(contest),
        state: state.transpose()?,
        ..orders
    };
    Driver::new(orders)?.run()
}

/// Ends a match.
fn abort(game: &MatchAddress, url: &UrlArgs) -> Result<u8, ToolError> {
    let client = Client::new(url.account()?);
    let done = client.abort(game.id);
    done.map_err(|trouble| trouble.text(Language::En))?;
    Ok(0)
}
