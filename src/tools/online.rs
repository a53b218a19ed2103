//! `amazons online`: the real platform from one's own machine, through the local AI interface.
//!
//! [`session`] decides, without network, clock or thread, what is sent and what is certain; `driver` ties it to the
//! network (`client`), the engines (`engines`), what is kept (`ledger`, `contest`, `state`),
//! the times at which something may be asked (`timing`, `lookout`) and what people see (`screen`).

mod account;
mod backoff;
mod client;
mod contest;
mod driver;
mod engines;
mod ledger;
mod logs;
mod lookout;
mod news;
pub mod poll;
pub mod request;
mod screen;
pub mod seat;
pub mod session;
mod state;
mod timing;

use crate::botzone::options::{DAY_MS, MAX_MEMORY_MB, Options};
use crate::budget::Budget;
use crate::cli::number;
use crate::tools::analysis::glossary::Language;
use crate::tools::platform::address::MatchAddress;
use crate::tools::player::spec::MAX_THREADS;
use crate::tools::support::error::ToolError;
use crate::tools::thinking::level::Strength;
use crate::tools::thinking::root_parallel::Means;
use account::Account;
use client::Client;
use contest::Plan;
use driver::Driver;
use engines::Engines;
use ledger::Ledger;
use screen::Screen;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
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
    Match {
        #[command(flatten)]
        plan: Plan,
        #[command(flatten)]
        seat: SeatArgs,
    },
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

    /// Plays as a plan has it; returns the exit code.
    fn play(&self, plan: Plan) -> Result<u8, ToolError> {
        let thinking = self.thinking(plan.limit_seconds)?;
        let client = Arc::new(self.url.client()?);
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        let threads = self.threads.map_or_else(cores, usize::from);
        let engines = Engines {
            strength: Strength::Budget(Budget::Time(thinking)),
            means: Means::new((self.memory_mb as usize) << 20, threads, 0),
            shared_by: self.threads.is_none().then_some(plan.concurrent.into()),
            ponder: self.ponder,
            workers: BTreeMap::new(),
        };
        let ledger = Ledger::open(Arc::clone(&client), plan, thinking)?;
        let is_full = !self.plain && io::stdout().is_terminal();
        let screen = Screen::open(is_full, self.lang.unwrap_or_else(Language::of_user))?;
        Driver::new(client, ledger, engines, screen, thinking)?.run()
    }
}

/// Least time of a turn that is left to the network.
const MARGIN: Duration = Duration::from_secs(1);

impl UrlArgs {
    fn client(&self) -> Result<Client, ToolError> {
        Ok(Client::new(Account::find(self.url_file.as_deref())?))
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
        } => seat.play(Plan {
            limit_seconds,
            ..Plan::default()
        }),
        Command::Match { plan, seat } => seat.play(plan),
        Command::Log(args) => logs::run(&args),
        Command::Abort { game, url } => {
            let done = url.client()?.abort(game.id);
            done.map_err(|trouble| trouble.text(Language::En))?;
            Ok(0)
        }
    }
}
