//! Commands `amazons play` and `amazons rules`.
//!
//! `play` plays a game in the terminal: two people, a person and the bot, or two bots. `rules` teaches the rules.

mod autosave;
mod command;
mod engine_thread;
mod game;
mod log_file;
mod plain;
mod play_state;
mod player_kind;
mod selection;
mod session;
mod terminal;
mod texts;

use crate::player::spec::MAX_THREADS;
use analysis::glossary::Language;
use analysis::level::{DEFAULT_LEVEL, LEVELS, Strength};
use autosave::Autosave;
use base::error::Result;
use command::GameCommand;
use engine::botzone::options::seed_from_time;
use engine::budget::Budget;
use engine_thread::EngineThread;
use player_kind::{PlayerChoice, PlayerKind};
use session::{CommandResult, PlaySession};
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;
use texts::Texts;

/// Default minimum duration of a turn between two bots in the full-screen interface. Without it, the moves would be too
/// fast for a person to follow.
const DEFAULT_PACE: Duration = Duration::from_secs(1);
/// How strong the bot plays if the command line has none of the options `--level`, `--bot-time-ms` and
/// `--bot-iterations`.
const DEFAULT_STRENGTH: Strength = Strength::Level(DEFAULT_LEVEL);
/// How strong the bot plays in the game after the rules tutorial: level 1, the weakest.
const BEGINNER_STRENGTH: Strength = Strength::Level(1);

/// Play at the terminal: with each other, against the bot, or watch two bots
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Match log or another game record to resume; a match log also sets players and levels, unless options name others
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Resume the last unfinished game
    #[arg(long = "continue", conflicts_with = "file")]
    resume: bool,
    /// Who plays black, the colour that begins [default: human]
    #[arg(long, value_name = "WHO")]
    black: Option<PlayerChoice>,
    /// Who plays white [default: bot]
    #[arg(long, value_name = "WHO")]
    white: Option<PlayerChoice>,
    /// The bot's level, from 1 for a beginner to 15 for the bot as uploaded to Botzone [default: 6]
    #[arg(long, value_name = "N", group = "strength", value_parser = clap::value_parser!(u8).range(1..=LEVELS.len() as i64))]
    level: Option<u8>,
    /// Milliseconds that the bot thinks about each move
    #[arg(long, value_name = "N", group = "strength", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    bot_time_ms: Option<u64>,
    /// Search iterations of the bot for each move
    #[arg(long, value_name = "N", group = "strength", value_parser = clap::value_parser!(u64).range(1..))]
    bot_iterations: Option<u64>,
    /// Number of threads that search for hints, and for the bot's moves at level 15 or with --bot-time-ms or
    /// --bot-iterations; at lower levels the bot uses one thread
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Minimum seconds of each turn between two bots [default: 1, with --plain 0]
    #[arg(long, value_name = "SECONDS", value_parser = command::parse_pace)]
    pace: Option<Duration>,
    /// Seed of the bot's random choices [default: from the time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Don't save the running game automatically
    #[arg(long)]
    no_autosave: bool,
    #[command(flatten)]
    display: DisplayOptions,
}

/// Learn the rules in a minute: four tasks on the board, then a game
#[derive(Debug, clap::Args)]
pub struct RulesArgs {
    #[command(flatten)]
    display: DisplayOptions,
}

/// Options of `amazons play` and `amazons rules` for how the game is displayed.
#[derive(Debug, clap::Args)]
struct DisplayOptions {
    /// Language [default: the user's own]
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<Language>,
    /// Play in plain text, line by line, for pipes and screen readers
    #[arg(long)]
    plain: bool,
    /// Play in plain text, with the board described in words instead of drawn
    #[arg(long)]
    words: bool,
}

impl Args {
    /// Returns how strong the bot is to play according to the command line: the time `--bot-time-ms`, the number of
    /// iterations `--bot-iterations`, or the level `--level`. Returns `None` if none of the three is given; clap allows
    /// at most one.
    fn strength(&self) -> Option<Strength> {
        let time = self.bot_time_ms.map(Duration::from_millis);
        let iterations = self.bot_iterations.map(Budget::Iterations);
        let budget = time.map(Budget::Time).or(iterations);
        let level = self.level.map(Strength::Level);
        budget.map(Strength::Budget).or(level)
    }

    /// Returns who plays black and white, in this order. `black` and `white` are the defaults, which the options
    /// `--black` and `--white` replace. `--level`, `--bot-time-ms` or `--bot-iterations` sets the strength of every bot
    /// among the returned players.
    fn players(&self, [black, white]: [PlayerKind; 2]) -> [PlayerKind; 2] {
        let strength = self.strength();
        let apply = |choice: Option<PlayerChoice>, kind| match (choice, kind, strength) {
            (Some(choice), ..) => choice.with_strength(strength.unwrap_or(DEFAULT_STRENGTH)),
            (None, PlayerKind::Bot(_), Some(strength)) => PlayerKind::Bot(strength),
            _ => kind,
        };
        [apply(self.black, black), apply(self.white, white)]
    }
}

impl DisplayOptions {
    /// Tests if the game uses the plain-text interface (`--plain` or `--words`) instead of the full-screen interface.
    const fn is_plain(&self) -> bool {
        self.plain || self.words
    }

    /// Returns the minimum duration of a turn between two bots if `--pace` is not given: zero in the plain-text
    /// interface, else [`DEFAULT_PACE`].
    const fn default_pace(&self) -> Duration {
        match self.is_plain() {
            true => Duration::ZERO,
            false => DEFAULT_PACE,
        }
    }

    /// Creates a session of `amazons play`, runs `first_command` in it, and then plays until the user quits. Returns
    /// the exit code: 130 if the full-screen interface is interrupted by Ctrl-C, a signal or a closed terminal, else 0.
    ///
    /// - `players`: who plays black and white, in this order.
    /// - `strength`: how strong a bot plays that replaces a person later, for example after the user types `black bot`.
    ///
    /// # Errors
    /// - If `first_command` fails; the error has the message of `first_command`.
    /// - If the interface is full-screen, and standard input or output is no terminal.
    /// - If reading the input or writing the output fails.
    fn run(
        &self,
        players: [PlayerKind; 2],
        strength: Strength,
        engine: EngineThread,
        autosave: Option<Autosave>,
        first_command: impl FnOnce(&mut PlaySession) -> CommandResult,
    ) -> Result<u8> {
        let is_at_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        if !self.is_plain() && !is_at_terminal {
            return Err("input or output is no terminal, expected --plain".into());
        }
        let texts = Texts(self.lang.unwrap_or_else(Language::of_system));
        let mut session = PlaySession::new(texts, players, strength, engine, autosave);
        let message = first_command(&mut session)?;
        if !self.is_plain() {
            return terminal::run(session, message);
        }
        let (input, output) = (io::stdin().lock(), io::stdout());
        plain::run(session, self.words, message, input, output)?;
        Ok(0)
    }
}

/// Runs `amazons play` and returns the exit code: 130 if the full-screen interface is interrupted by Ctrl-C, a signal
/// or a closed terminal, else 0.
///
/// # Errors
/// - If the game to resume can't be read or parsed, or if there is none to resume.
/// - If the interface is full-screen, and standard input or output is no terminal.
/// - If reading the input or writing the output fails.
pub fn run(args: &Args) -> Result<u8> {
    let display = &args.display;
    let autosave = (!args.no_autosave).then(Autosave::in_user_folder).flatten();
    let strength = args.strength().unwrap_or(DEFAULT_STRENGTH);
    let players = args.players([PlayerKind::Human, PlayerKind::Bot(strength)]);
    let seed = args.seed.unwrap_or_else(seed_from_time);
    let pace = args.pace.unwrap_or(display.default_pace());
    let engine = EngineThread::new(seed, args.threads.into(), pace);
    let resume = |session: &mut PlaySession| resume_game(session, args);
    display.run(players, strength, engine, autosave, resume)
}

/// Runs `amazons rules`: teaches the rules, then plays a game against the weakest bot. Returns the exit code: 130 if
/// the full-screen interface is interrupted by Ctrl-C, a signal or a closed terminal, else 0.
///
/// # Errors
/// If the interface is full-screen and standard input or output is no terminal, or if reading the input or writing the
/// output fails.
pub fn teach(args: &RulesArgs) -> Result<u8> {
    let players = [PlayerKind::Human, PlayerKind::Bot(BEGINNER_STRENGTH)];
    let engine = EngineThread::new(seed_from_time(), 1, args.display.default_pace());
    let start_rules = |session: &mut PlaySession| session.run_command(&GameCommand::Rules);
    let (display, autosave) = (&args.display, Autosave::in_user_folder());
    display.run(players, BEGINNER_STRENGTH, engine, autosave, start_rules)
}

/// Loads the game that the user wants to resume into `session`: the game in the file on the command line, or with
/// `--continue` the last unfinished game. Returns a message about the loaded game.
///
/// If the command line has neither a file nor `--continue`, loads nothing. Then returns a message if there is an
/// unfinished game, else `None`.
///
/// # Errors
/// If the file can't be loaded, or if `--continue` finds no unfinished game.
fn resume_game(session: &mut PlaySession, args: &Args) -> CommandResult {
    let message = match &args.file {
        Some(file) => session.run_command(&GameCommand::Load(file.clone()))?,
        None if args.resume => session.run_command(&GameCommand::Continue)?,
        None => return Ok(session.unfinished_game_message()),
    };
    // The message that `set_players` returns (who plays each colour) is dropped: the user sees `message` instead, which
    // is about the resumed game.
    let _ = session.set_players(args.players(session.game().players()));
    Ok(message)
}
