//! Command line of the bot in a build without the feature `tools`: [`parse`] parses commands and options, [`help`]
//! formats the help text.
//!
//! With the feature `tools`, `tools::cli` parses the command line instead; it takes the bot's options from
//! [`BOT_OPTIONS`].

use crate::bitboard;
use crate::botzone::options::{DAY_MS, MAX_MEMORY_MIB, Options};
use std::fmt;
use std::time::Duration;

/// Command that the user chose on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Play one game: read turns from standard input and write moves to standard output, as Botzone requires.
    Bot(Options),
    /// Run the benchmark of the search, see [`bench`](mod@crate::bench).
    Bench {
        /// Number of search iterations for each position.
        iterations: u64,
    },
    /// Count the sequences of legal moves from the start position (perft), to test move generation.
    Perft {
        /// Depth of perft: length of the counted move sequences, in plies.
        depth: u64,
    },
    /// Print the text of [`help`].
    Help,
    /// Print the text of [`version`].
    Version,
}

/// Command-line option of the bot that has a number as its value, such as `--time-ms 960`.
#[derive(Debug)]
pub struct NumericOption {
    /// Name of the option on the command line, without the two leading dashes.
    pub name: &'static str,
    /// Description of the option in the help text.
    pub description: &'static str,
    /// Default value as the help text shows it: a number or a short phrase, such as `1940` or `from the time`.
    pub default: &'static str,
    /// Minimum value that the user may give, in the unit of the option, such as milliseconds.
    pub min: u64,
    /// Maximum value that the user may give, in the unit of the option, such as milliseconds.
    pub max: u64,
    /// Stores the option's value in [`Options`]. The second argument is the number from the command line, in the unit
    /// of the option, such as milliseconds; the function converts it.
    pub store: fn(&mut Options, u64),
}

/// Command-line options of the bot, in the order of the help text.
pub const BOT_OPTIONS: [NumericOption; 5] = [
    NumericOption {
        name: "time-ms",
        description: "Milliseconds to think a turn",
        default: "960, less where the machine stalls",
        min: 1,
        max: DAY_MS,
        store: |options, ms| {
            (options.time, options.adapts_to_stalls) = (Duration::from_millis(ms), false);
        },
    },
    NumericOption {
        name: "first-time-ms",
        description: "Milliseconds to think on the first turn of a game",
        default: "1940",
        min: 1,
        max: DAY_MS,
        store: |options, ms| options.first_time = Duration::from_millis(ms),
    },
    NumericOption {
        name: "memory-mb",
        description: "MiB for the search tree, at most 32768",
        default: "176",
        min: 1,
        max: MAX_MEMORY_MIB as u64,
        store: |options, mb| options.memory = (mb as usize) << 20,
    },
    NumericOption {
        name: "seed",
        description: "Seed of every random choice",
        default: "from the time",
        min: 0,
        max: u64::MAX,
        store: |options, seed| options.seed = Some(seed),
    },
    NumericOption {
        name: "iterations",
        description: "Iterations to think a turn, whatever the time",
        default: "by time",
        min: 1,
        max: u64::MAX,
        store: |options, iterations| options.iterations = Some(iterations),
    },
];

/// Formats the description with the default value, such as `Seed of every random choice [default: from the time]`.
impl fmt::Display for NumericOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [default: {}]", self.description, self.default)
    }
}

/// Number of search iterations for each position if the user calls `amazons bench` without a number.
pub const BENCH_ITERATIONS: u64 = 50_000;

/// Maximum depth of `amazons perft`: maximum length of the counted move sequences, in plies.
pub const MAX_PERFT_DEPTH: u64 = 10;

/// Returns the output of `amazons --version`: the version, the build, and the vector instructions in use, such as
/// `amazons 0.1.0 (BUILD, AVX2)`. The argument `build` replaces `BUILD`; it names the commit and the target platform.
#[must_use]
pub fn version(build: &str) -> String {
    let vectors = bitboard::vectors_in_use();
    format!(
        "amazons {} ({build}, {vectors})\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// Returns the text of `amazons --help` for a build without the feature `tools`.
#[must_use]
pub fn help() -> String {
    let flags = BOT_OPTIONS
        .iter()
        .map(|flag| format!("  --{:13} N  {flag}\n", flag.name));
    USAGE.to_owned() + &flags.collect::<String>()
}

/// Text of [`help`] before the list of options.
const USAGE: &str = "\
A Botzone bot for the Game of the Amazons on 8x8.

Usage:
  amazons [OPTIONS]           play: turns on standard input, moves on standard output
  amazons bench [ITERATIONS]  search fixed positions, print a signature and the speed
  amazons perft DEPTH         count the sequences of moves from the start position
  amazons --help | --version

Options of the bot:
";

/// Parses the command line of a build without the feature `tools`. `args` are the arguments without the name of the
/// program.
///
/// # Errors
/// If an argument is unknown, missing or superfluous, or if a number is invalid or out of range. The message says what
/// was expected.
pub fn parse(args: impl IntoIterator<Item = String>) -> Result<Command, String> {
    command(args.into_iter().collect()).map_err(|fault| format!("{fault}; see amazons --help"))
}

fn command(args: Vec<String>) -> Result<Command, String> {
    if args.iter().any(|word| word == "--help" || word == "-h") {
        return Ok(Command::Help);
    }
    // `command` is the parsed command. `max_words` is the maximum number of arguments, including the name of the
    // command; if there are more, the code after this statement returns an error.
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
            let depth = parse_named("perft", word, 0, MAX_PERFT_DEPTH)?;
            (Command::Perft { depth }, 2)
        }
        _ => return parse_options(args).map(Command::Bot),
    };
    match args.get(max_words) {
        Some(extra) => Err(format!("unexpected argument \"{extra}\"")),
        None => Ok(command),
    }
}

/// Parses arguments that are all options of the bot, such as `--time-ms 500 --seed=1`.
///
/// # Errors
/// If an option is unknown, or its number is missing, invalid or out of range.
fn parse_options(args: Vec<String>) -> Result<Options, String> {
    let mut options = Options::default();
    let mut args = args.into_iter();
    while let Some(word) = args.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        let flag = BOT_OPTIONS
            .iter()
            .find(|flag| name.strip_prefix("--") == Some(flag.name))
            .ok_or_else(|| format!("unknown argument \"{name}\""))?;
        let value = value
            .or_else(|| args.next())
            .ok_or_else(|| format!("{name}: expected a number after it"))?;
        (flag.store)(&mut options, parse_named(name, &value, flag.min, flag.max)?);
    }
    Ok(options)
}

/// Parses `word`, the value of the option or command `name`, as an integer from `min` to `max`, both inclusive.
///
/// # Errors
/// If `word` is not an integer or is out of range; the message begins with `name`.
fn parse_named(name: &str, word: &str, min: u64, max: u64) -> Result<u64, String> {
    parse_number(word, min, max).map_err(|expected| format!("{name} \"{word}\": {expected}"))
}

/// Parses `word` as a decimal integer from `min` to `max`, both inclusive.
///
/// # Errors
/// If `word` is no integer or is out of range; the message gives `min` and `max`.
pub fn parse_number(word: &str, min: u64, max: u64) -> Result<u64, String> {
    let number = word.parse().ok();
    let number = number.filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| format!("expected a number from {min} to {max}"))
}
