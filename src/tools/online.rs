//! `amazons online`: [`run`] plays matches on Botzone from this machine, through Botzone's interface for local AIs.
//!
//! - `driver` contains the main loop, which searches for moves and talks to Botzone.
//! - `client` and [`poll`] send requests and parse the replies; [`backoff`] computes the delays after errors.
//! - [`session`] stores a match's moves, and whether Botzone has received our answer.
//! - `store` saves finished and running matches to files.
//! - `messages` contains the texts for the user.

pub mod backoff;
mod client;
mod driver;
mod messages;
pub mod poll;
pub mod session;
mod store;

use crate::platform::address::MatchAddress;
use crate::platform::http::HttpClient;
use crate::platform::source::fetch;
use crate::player::spec::MAX_THREADS;
use analysis::glossary::Language;
use analysis::tree_parallel::SearchSettings;
use base::error::{Result, ToolError, ok_or_print};
use base::files::write_new;
use client::Client;
use driver::Driver;
use engine::botzone::options::{DAY_MS, MAX_MEMORY_MIB, Options, seed_from_time};
use engine::cli::parse_number;
use engine::console::{escaped, print};
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use store::{MatchPlan, MatchStore};

/// Play on Botzone itself, from this machine, through the local AI interface
///
/// Botzone gives every account a secret URL for local AIs. The URL is read from --url-file, else from the variable
/// AMAZONS_BOTZONE_URL, else at the terminal without echo. Anyone who has the URL can play as you, so it never appears in
/// an argument, a message or a file of this program.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Play every match that starts at a table where you have ticked "use my local AI", also several at once
    Serve {
        #[command(flatten)]
        args: PlayArgs,
        /// Time limit of a turn on Botzone in seconds, as set at the game table; the default of --time-ms depends on it
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=600))]
        limit_seconds: u32,
    },
    /// Start matches against bots on the platform and play them, with alternating colours
    Match {
        #[command(flatten)]
        plan: MatchPlan,
        #[command(flatten)]
        args: PlayArgs,
    },
    /// Download public match logs to files, for replay, analyze and review
    Log {
        /// Ids or addresses of matches
        #[arg(required = true, value_name = "MATCH")]
        matches: Vec<MatchAddress>,
        /// Folder for the match logs; each file is named after the id of its match
        #[arg(long, value_name = "DIR", default_value = ".")]
        dir: PathBuf,
    },
    /// Abort a match
    Abort {
        /// Id or address of the match
        #[arg(value_name = "MATCH")]
        game: MatchAddress,
        /// File with the account's secret URL
        #[arg(long, value_name = "FILE")]
        url_file: Option<PathBuf>,
    },
}

/// Options of the commands `serve` and `match`: the account, and the time, threads and memory of the search.
#[derive(Debug, clap::Args)]
struct PlayArgs {
    /// File with the account's secret URL
    #[arg(long, value_name = "FILE")]
    url_file: Option<PathBuf>,
    /// Thinking time of a turn in milliseconds; divided by the number of running matches [default: three quarters of the
    /// time limit]
    #[arg(long, value_name = "N", value_parser = |word: &str| parse_number(word, 1, DAY_MS))]
    time_ms: Option<u64>,
    /// Number of threads of a search [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
    /// Memory for the search tree of each match in MiB, at most 32768
    #[arg(long, value_name = "N", default_value_t = Options::default().memory as u64 >> 20, value_parser = |word: &str| parse_number(word, 1, MAX_MEMORY_MIB as u64))]
    memory_mb: u64,
    /// Language [default: the user's own]
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<Language>,
}

impl PlayArgs {
    /// Returns the time that the search may use in a turn. `limit_seconds` is the time limit of the turn. If
    /// `--time-ms` is given, its value is returned. Otherwise the result is three quarters of the limit, or less if the
    /// limit is below 4 s: then 1 s is left for the network, but the search gets at least a quarter.
    ///
    /// # Errors
    /// If the value of `--time-ms` is not less than the limit.
    fn think_time(&self, limit_seconds: u32) -> Result<Duration, String> {
        let limit = Duration::from_secs(limit_seconds.into());
        // Reserve one second of the limit for the network, but use at least a quarter of the limit for thinking.
        let left = limit.saturating_sub(Duration::from_secs(1));
        let default = (limit * 3 / 4).min(left.max(limit / 4));
        let think_time = self.time_ms.map_or(default, Duration::from_millis);
        if think_time >= limit {
            let ms = think_time.as_millis();
            let fault = format!("--time-ms {ms} leaves no time in a turn of {limit_seconds} s");
            return Err(format!("{fault}: expected less, or more --limit-seconds"));
        }
        Ok(think_time)
    }

    /// Plays matches on Botzone. `plan` tells which: a number of games against each of some bots, or all matches that
    /// are started at tables (Botzone's pages where players meet). Returns the exit code: 0, or 130 if games of `plan`
    /// were not played because of Ctrl-C.
    ///
    /// # Errors
    /// - If `--time-ms` is not less than the time limit of a turn.
    /// - If the user gave no secret URL, or Botzone rejects it.
    /// - If Botzone rejects a request for news of the matches, or several consecutive starts of matches.
    /// - If a file can't be read or written, or belongs to other matches.
    fn play(&self, plan: MatchPlan) -> Result<u8> {
        let think_time = self.think_time(plan.limit_seconds)?;
        let client = Client::with_secret_url(self.url_file.as_deref())?;
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        let threads = self.threads.map_or_else(cores, usize::from);
        let search_settings =
            SearchSettings::new((self.memory_mb as usize) << 20, threads, seed_from_time());
        let (store, unfinished) = MatchStore::open_files(plan, think_time)?;
        let language = self.lang.unwrap_or_else(Language::of_system);
        Driver::new(client, store, search_settings, think_time, language)?.run(unfinished)
    }
}

/// Runs the subcommand of `amazons online` given in `args`. Returns the exit code: 0, 2 if a log of
/// `amazons online log` could not be saved, or 130 if Ctrl-C left games unplayed.
///
/// # Errors
/// - If the user gave no secret URL, or Botzone rejects the URL or a request.
/// - If a file can't be read or written, or belongs to other matches.
pub fn run(args: Args) -> Result<u8> {
    match args.command {
        Command::Serve {
            args,
            limit_seconds,
        } => args.play(MatchPlan {
            limit_seconds,
            ..MatchPlan::default()
        }),
        Command::Match { plan, args } => args.play(plan),
        Command::Log { matches, dir } => save_logs(&matches, &dir),
        Command::Abort { game, url_file } => {
            Client::with_secret_url(url_file.as_deref())?.abort_match(game.id)?;
            Ok(0)
        }
    }
}

/// Downloads the public logs of `matches` to new files in `folder`. Each file is named after its match's id. Prints an
/// error for each log that can't be downloaded or written, and skips the log. Returns the exit code: 0, or 2 if a log
/// was skipped.
///
/// # Errors
/// If the folder can't be created, or standard output can't be written.
fn save_logs(matches: &[MatchAddress], folder: &Path) -> Result<u8> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut code = 0;
    for address in matches {
        let path = folder.join(format!("{}.json", address.id));
        let log = fetch(&HttpClient::new(address.origin.clone()), address).map_err(ToolError::from);
        let written = log.and_then(|text| write_new(&path, "this very log", &text));
        match ok_or_print(address, written) {
            Some(()) => print(format_args!("{}\n", escaped(&path.display().to_string())))?,
            None => code = 2,
        }
    }
    Ok(code)
}
