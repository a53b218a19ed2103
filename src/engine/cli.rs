//! The command line of the bot: what the program is asked to do, and with which options.
//!
//! With the feature `tools`, `tools::cli` reads the whole command line; it derives its own options from [`FLAGS`].

use crate::bitboard;
use crate::botzone::options::{DAY_MS, MAX_MEMORY_MB, Options};
use std::fmt;
use std::time::Duration;

/// The task of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Play on Botzone's terms.
    Bot(Options),
    /// Search fixed positions, with a number of iterations each.
    Bench {
        /// Iterations for each position.
        iterations: u64,
    },
    /// Count sequences of moves.
    Perft {
        /// Longest sequence, in plies.
        depth: u64,
    },
    /// Print [`help`].
    Help,
    /// Print [`version`].
    Version,
}

/// An option of the bot: a number behind a name.
#[derive(Debug)]
pub struct Flag {
    /// Its name, without the two dashes.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// The default, in words.
    pub default: &'static str,
    /// Smallest number.
    pub min: u64,
    /// Largest number.
    pub max: u64,
    /// Writes the number into the options.
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
            (options.time, options.heeds_stalls) = (Duration::from_millis(ms), false);
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

/// Description and default.
impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [default: {}]", self.about, self.default)
    }
}

/// Iterations per position of a plain `bench`.
pub const BENCH_ITERATIONS: u64 = 50_000;

/// Deepest `perft`.
pub const MAX_PERFT: u64 = 10;

/// What `--version` prints. `build` tells where the program comes from and what it was built for.
#[must_use]
pub fn version(build: &str) -> String {
    let vectors = bitboard::vectors_in_use();
    format!(
        "amazons {} ({build}, {vectors})\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// What `--help` prints where there are no tools.
#[must_use]
pub fn help() -> String {
    let flags = FLAGS
        .iter()
        .map(|flag| format!("  --{:13} N  {flag}\n", flag.name));
    USAGE.to_owned() + &flags.collect::<String>()
}

/// The beginning of [`help`].
const USAGE: &str = "\
A Botzone bot for the Game of the Amazons on 8x8.

Usage:
  amazons [OPTIONS]           play: turns on standard input, moves on standard output
  amazons bench [ITERATIONS]  search fixed positions, print a signature and the speed
  amazons perft DEPTH         count the sequences of moves from the start position
  amazons --help | --version

Options of the bot:
";

/// Reads a command line, program name left out.
///
/// # Errors
/// If a word is unknown, missing or one too many, or a number is out of range; the message says what was expected.
pub fn parse(args: impl IntoIterator<Item = String>) -> Result<Command, String> {
    command(args.into_iter().collect()).map_err(|fault| format!("{fault}; see amazons --help"))
}

fn command(args: Vec<String>) -> Result<Command, String> {
    if args.iter().any(|word| word == "--help" || word == "-h") {
        return Ok(Command::Help);
    }
    // Largest number of words of each command, its name included.
    let (command, most) = match args.first().map_or("", String::as_str) {
        "help" => (Command::Help, usize::MAX),
        "--version" | "-V" => (Command::Version, 1),
        "bench" => {
            let iterations = match args.get(1) {
                Some(word) => named("bench", word, 1, u64::MAX)?,
                None => BENCH_ITERATIONS,
            };
            (Command::Bench { iterations }, 2)
        }
        "perft" => {
            let word = args.get(1).ok_or("perft: expected a depth")?;
            let depth = named("perft", word, 0, MAX_PERFT)?;
            (Command::Perft { depth }, 2)
        }
        _ => return parse_bot(args).map(Command::Bot),
    };
    match args.get(most) {
        Some(extra) => Err(format!("unexpected argument \"{extra}\"")),
        None => Ok(command),
    }
}

/// Reads the options of the bot.
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
        (flag.set)(&mut options, named(name, &value, flag.min, flag.max)?);
    }
    Ok(options)
}

/// Reads the number of an option or a command.
fn named(name: &str, word: &str, min: u64, max: u64) -> Result<u64, String> {
    number(word, min, max).map_err(|expected| format!("{name} \"{word}\": {expected}"))
}

/// Reads a number between two bounds.
///
/// # Errors
/// If the word is none; the message says what was expected.
pub fn number(word: &str, min: u64, max: u64) -> Result<u64, String> {
    let number = word.parse().ok();
    let number = number.filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| format!("expected a number from {min} to {max}"))
}
