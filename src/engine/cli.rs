//! Command line of the bot: parses its commands and options.
//!
//! With the feature `tools`, `tools::cli` parses the command line instead; its options of the bot are built from
//! [`FLAGS`].

use crate::bitboard;
use crate::botzone::options::{DAY_MS, MAX_MEMORY_MB, Options};
use std::fmt;
use std::time::Duration;

/// Command that the program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Play one session with Botzone.
    Bot(Options),
    /// Run the benchmark of the search.
    Bench {
        /// Number of iterations per position.
        iterations: u64,
    },
    /// Count the sequences of legal moves from the start position (perft).
    Perft {
        /// Length of the longest sequences, in plies.
        depth: u64,
    },
    /// Print the [`help`] text.
    Help,
    /// Print the [`version`].
    Version,
}

/// An option of the bot that takes a number.
#[derive(Debug)]
pub struct Flag {
    /// Name without the two dashes.
    pub name: &'static str,
    /// Description for the help text.
    pub about: &'static str,
    /// Default value, for the help text.
    pub default: &'static str,
    /// Smallest number allowed.
    pub min: u64,
    /// Largest number allowed.
    pub max: u64,
    /// Stores the number in the options.
    pub set: fn(&mut Options, u64),
}

/// All options of the bot.
pub const FLAGS: [Flag; 5] = [
    Flag {
        name: "time-ms",
        about: "Milliseconds to think a turn",
        default: "960, less where the machine stalls",
        min: 1,
        max: DAY_MS,
        set: |options, ms| {
            (options.time, options.adapts_to_stalls) = (Duration::from_millis(ms), false);
        },
    },
    Flag {
        name: "first-time-ms",
        about: "Milliseconds to think on the first turn of a game",
        default: "1940",
        min: 1,
        max: DAY_MS,
        set: |options, ms| options.first_time = Duration::from_millis(ms),
    },
    Flag {
        name: "memory-mb",
        about: "MiB for the search tree, at most 32768",
        default: "176",
        min: 1,
        max: MAX_MEMORY_MB as u64,
        set: |options, mb| options.memory = (mb as usize) << 20,
    },
    Flag {
        name: "seed",
        about: "Seed of every random choice",
        default: "from the time",
        min: 0,
        max: u64::MAX,
        set: |options, seed| options.seed = Some(seed),
    },
    Flag {
        name: "iterations",
        about: "Iterations to think a turn, whatever the time",
        default: "by time",
        min: 1,
        max: u64::MAX,
        set: |options, iterations| options.iterations = Some(iterations),
    },
];

/// Writes the description and the default value.
impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [default: {}]", self.about, self.default)
    }
}

/// Default number of iterations per position of `bench`.
pub const BENCH_ITERATIONS: u64 = 50_000;

/// Maximum depth of `perft`, in plies.
pub const MAX_PERFT: u64 = 10;

/// Returns the text of `--version`. `build` names the commit and the target of the build.
#[must_use]
pub fn version(build: &str) -> String {
    let vectors = bitboard::vectors_in_use();
    format!(
        "amazons {} ({build}, {vectors})\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// Returns the text of `--help` for a build without the tools.
#[must_use]
pub fn help() -> String {
    let flags = FLAGS
        .iter()
        .map(|flag| format!("  --{:13} N  {flag}\n", flag.name));
    USAGE.to_owned() + &flags.collect::<String>()
}

/// First part of the [`help`] text.
const USAGE: &str = "\
A Botzone bot for the Game of the Amazons on 8x8.

Usage:
  amazons [OPTIONS]           play: turns on standard input, moves on standard output
  amazons bench [ITERATIONS]  search fixed positions, print a signature and the speed
  amazons perft DEPTH         count the sequences of moves from the start position
  amazons --help | --version

Options of the bot:
";

/// Parses a command line without the program name.
///
/// # Errors
/// If an argument is unknown, missing or superfluous, or a number is out of range; the message says what was expected.
pub fn parse(args: impl IntoIterator<Item = String>) -> Result<Command, String> {
    command(args.into_iter().collect()).map_err(|fault| format!("{fault}; see amazons --help"))
}

fn command(args: Vec<String>) -> Result<Command, String> {
    if args.iter().any(|word| word == "--help" || word == "-h") {
        return Ok(Command::Help);
    }
    // `max_words` is the maximum number of words of the command, including its name.
    let (command, max_words) = match args.first().map_or("", String::as_str) {
        "help" => (Command::Help, usize::MAX),
        "--version" | "-V" => (Command::Version, 1),
        "bench" => {
            let iterations = match args.get(1) {
                Some(word) => parse_named("bench", word, 1, u64::MAX)?,
                None => BENCH_ITERATIONS,
            };
            (Command::Bench { iterations }, 2)
        }
        "perft" => {
            let word = args.get(1).ok_or("perft: expected a depth")?;
            let depth = parse_named("perft", word, 0, MAX_PERFT)?;
            (Command::Perft { depth }, 2)
        }
        _ => return parse_bot(args).map(Command::Bot),
    };
    match args.get(max_words) {
        Some(extra) => Err(format!("unexpected argument \"{extra}\"")),
        None => Ok(command),
    }
}

/// Parses the options of the bot.
fn parse_bot(args: Vec<String>) -> Result<Options, String> {
    let mut options = Options::default();
    let mut args = args.into_iter();
    while let Some(word) = args.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        let flag = FLAGS
            .iter()
            .find(|flag| name.strip_prefix("--") == Some(flag.name))
            .ok_or_else(|| format!("unknown argument \"{name}\""))?;
        let value = value
            .or_else(|| args.next())
            .ok_or_else(|| format!("{name}: expected a number after it"))?;
        (flag.set)(&mut options, parse_named(name, &value, flag.min, flag.max)?);
    }
    Ok(options)
}

/// Parses the number of the option or command `name`, which errors mention.
fn parse_named(name: &str, word: &str, min: u64, max: u64) -> Result<u64, String> {
    number(word, min, max).map_err(|expected| format!("{name} \"{word}\": {expected}"))
}

/// Parses a number from `min` to `max`.
///
/// # Errors
/// If `word` is not such a number; the message says what was expected.
pub fn number(word: &str, min: u64, max: u64) -> Result<u64, String> {
    let number = word.parse().ok();
    let number = number.filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| format!("expected a number from {min} to {max}"))
}
