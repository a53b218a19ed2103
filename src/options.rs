//! The command line: what the program is asked to do, and with which options.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What `--help` prints.
pub const HELP: &str = "\
A Botzone bot for the Game of the Amazons on 8x8.

Usage:
  amazons [OPTIONS]           play: turns on standard input, moves on standard output
  amazons bench [ITERATIONS]  search fixed positions, print a signature and the speed
  amazons perft DEPTH         count the sequences of moves from the start position
  amazons --help | --version

Options of the bot:
  --time-ms N        think N milliseconds a turn                       [default: 930]
  --first-time-ms N  think N milliseconds on the first turn of a game  [default: 1880]
  --memory-mb N      give the search tree N MiB, 1 to 32768            [default: 176]
  --seed N           seed of every random choice                       [default: from the time]
  --iterations N     think N iterations a turn, whatever the time
";

/// What the program is asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Play on Botzone's terms.
    Bot(Options),
    /// Search fixed positions with so many iterations each.
    Bench {
        /// Iterations for each position.
        iterations: u64,
    },
    /// Count sequences of moves.
    Perft {
        /// Longest sequence, in plies.
        depth: u32,
    },
    /// Print [`HELP`].
    Help,
    /// Print name and version.
    Version,
}

/// Options of the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Time for a turn.
    pub time: Duration,
    /// Time for the bot's first turn of a game.
    pub first_time: Duration,
    /// Memory of the search tree, in bytes.
    pub memory: usize,
    /// Seed of every random choice; without one, the time is the seed.
    pub seed: Option<u64>,
    /// Iterations a turn, instead of time.
    pub iterations: Option<u64>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            time: Duration::from_millis(930),
            first_time: Duration::from_millis(1880),
            memory: 176 << 20,
            seed: None,
            iterations: None,
        }
    }
}

/// A seed that differs from one start to the next.
#[must_use]
pub fn seed_from_time() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64)
}

/// Iterations per position of a plain `bench`.
const BENCH_ITERATIONS: u64 = 50_000;

/// Why a command line makes no sense: which word, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageError(String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; see amazons --help", self.0)
    }
}

impl std::error::Error for UsageError {}

/// Reads a command line, program name left out.
///
/// # Errors
/// If a word is unknown, missing or one too many, or a number is out of range.
pub fn parse(args: impl IntoIterator<Item = String>) -> Result<Command, UsageError> {
    let mut args = args.into_iter().peekable();
    let command = match args.peek().map(String::as_str) {
        Some("--help" | "-h" | "help") => args.next().map(|_| Command::Help),
        Some("--version" | "-V") => args.next().map(|_| Command::Version),
        Some("bench") => {
            args.next();
            let iterations = args.next().map_or(Ok(BENCH_ITERATIONS), |word| {
                number("bench", &word, 1, u64::MAX)
            })?;
            Some(Command::Bench { iterations })
        }
        Some("perft") => {
            args.next();
            let word = args
                .next()
                .ok_or(UsageError("perft: expected a depth".to_owned()))?;
            Some(Command::Perft {
                depth: number("perft", &word, 0, 10)?,
            })
        }
        _ => None,
    };
    let Some(command) = command else {
        return parse_bot(args).map(Command::Bot);
    };
    match args.next() {
        Some(extra) => Err(UsageError(format!("unexpected argument \"{extra}\""))),
        None => Ok(command),
    }
}

/// Reads the options of the bot.
fn parse_bot(mut args: impl Iterator<Item = String>) -> Result<Options, UsageError> {
    let mut options = Options::default();
    while let Some(word) = args.next() {
        let (name, mut value) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => {
                (name.to_owned(), Some(value.to_owned()))
            }
            _ => (word, None),
        };
        let mut value = || {
            value
                .take()
                .or_else(|| args.next())
                .ok_or_else(|| UsageError(format!("{name}: expected a number after it")))
        };
        const DAY_MS: u64 = 24 * 60 * 60 * 1000;
        match name.as_str() {
            "--time-ms" => {
                options.time = Duration::from_millis(number(&name, &value()?, 1, DAY_MS)?)
            }
            "--first-time-ms" => {
                options.first_time = Duration::from_millis(number(&name, &value()?, 1, DAY_MS)?)
            }
            "--memory-mb" => {
                options.memory = number::<usize>(&name, &value()?, 1, MAX_MEMORY_MB)? << 20
            }
            "--seed" => options.seed = Some(number(&name, &value()?, 0, u64::MAX)?),
            "--iterations" => options.iterations = Some(number(&name, &value()?, 1, u64::MAX)?),
            _ => return Err(UsageError(format!("unknown argument \"{name}\""))),
        }
    }
    Ok(options)
}

/// Largest search tree in MiB: the ids of its lines have 30 bits.
pub const MAX_MEMORY_MB: usize = 32_768;

/// Reads a number between two bounds.
fn number<N>(name: &str, word: &str, min: N, max: N) -> Result<N, UsageError>
where
    N: FromStr + PartialOrd + fmt::Display,
{
    let number = word
        .parse()
        .ok()
        .filter(|number| (&min..=&max).contains(&number));
    number.ok_or_else(|| {
        UsageError(format!(
            "{name} \"{word}\": expected a number from {min} to {max}"
        ))
    })
}
