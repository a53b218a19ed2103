//! [`Command`]: parses the squares and commands that a player types in the full-screen or the plain-text interface.

use super::player_kind::PlayerChoice;
use super::texts::{Texts, labels};
use analysis::level::LEVELS;
use analysis::rejection::describe_square_error;
use clap::ValueEnum as _;
use engine::board::{Player, Square, parse_squares};
use engine::console::quoted;
use std::path::PathBuf;
use std::time::Duration;

/// A command that the player typed, such as `hint` or `undo`. Squares, such as `c1 c6 b5`, are also a command: they
/// choose the player's move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Command that changes the game or the session, such as `undo`. All other variants of [`Command`] only show
    /// something.
    Game(GameCommand),
    /// Shows the move that the bot would play.
    Hint,
    WinProbability,
    Territory,
    Board,
    Record,
    Help,
}

/// A command that the interface (full-screen or plain-text) passes to `PlaySession::run_command`, instead of carrying
/// it out itself. Most of these commands change or save the game, or change the session or the shown position. The
/// exception is [`GameCommand::Moves`], which lists legal squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameCommand {
    /// Chooses one to three squares for the current turn, in the order amazon, destination, square for the arrow. One
    /// or two squares are added to those already chosen in this turn; three squares replace them.
    Choose(Vec<Square>),
    /// Lists the squares to which the amazon on the given square can move. Without a square, lists the squares that may
    /// be chosen next in the current turn, for the amazon, its destination or its arrow.
    Moves(Option<Square>),
    Undo,
    /// Replays the moves that were undone, up to the next turn of a person. In a game between two bots, replays one
    /// move.
    Redo,
    /// Shows an earlier position of the current game, or its current position again. Changes no move.
    Look(ViewTarget),
    Go,
    Pause,
    /// Sets the pace: the minimum duration of each turn in a game of the bot against itself.
    Pace(Duration),
    Level(u8),
    /// Sets who plays a colour: a person at this terminal, or the bot.
    SetPlayer(Player, PlayerChoice),
    /// Starts the tutorial that teaches the rules of the game.
    Rules,
    New,
    /// Saves the game as a match log.
    Save {
        /// File to write; if `None`, the file to which the game was last saved, or from which it was loaded.
        path: Option<PathBuf>,
        /// True to overwrite the file without asking, even if it contains another game. If false, the user is asked
        /// first.
        replace: bool,
    },
    /// Loads the game in the file with this path, and goes on with it.
    Load(PathBuf),
    /// Resumes an unfinished game that an earlier run of `amazons play` saved automatically: the one that was begun or
    /// resumed last.
    Continue,
    Quit,
}

/// Position of the game that the user asks to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewTarget {
    /// One ply (one player's turn) back from the position that is shown now.
    Back,
    /// One ply (one player's turn) forward from the position that is shown now.
    Forward,
    /// Position after this number of plies (players' turns) from the start of the game.
    After(usize),
    /// Position in which the next move of the game is made.
    Current,
}

/// Maximum number of seconds that the command `pace` and the option `--pace` accept as the minimum duration of a turn
/// between two bots.
const MAX_PACE_SECONDS: f32 = 60.0;

/// Parses a line that the player typed: a command such as `undo`, or squares such as `c1 c6 b5`. Returns `None` if the
/// line is blank. Error messages are written in the language of `texts`.
///
/// # Errors
/// A message for the user: the line is neither a command nor squares, or the argument of a command is missing or wrong.
pub fn parse(line: &str, texts: Texts) -> Result<Option<Command>, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (name, rest) = (word.to_lowercase(), rest.trim());
    if name.is_empty() {
        return Ok(None);
    }
    let command = match (command_without_argument(&name), rest) {
        (Some(command), "") => command,
        (Some(_), rest) => return Err(texts.no_argument_expected(name, quoted(rest))),
        (None, rest) => Command::Game(parse_argument(&name, rest, line, texts)?),
    };
    Ok(Some(command))
}

/// Parses the answer to a yes-or-no question, in English or Chinese: true for yes, false for no, `None` for any other
/// line.
#[must_use]
pub fn parse_yes_no(line: &str) -> Option<bool> {
    match line.trim().to_lowercase().as_str() {
        "y" | "yes" | "是" | "好" => Some(true),
        "n" | "no" | "否" | "不" => Some(false),
        _ => None,
    }
}

/// Parses a number of seconds, such as `0.5`: the minimum duration of a turn between two bots.
///
/// # Errors
/// A message if `text` is not a number from 0 to 60.
pub fn parse_pace(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.parse().ok();
    let seconds = seconds.filter(|seconds| (0.0..=MAX_PACE_SECONDS).contains(seconds));
    let pace = seconds.map(Duration::from_secs_f32);
    pace.ok_or("expected seconds from 0 to 60")
}

/// Parses a command with an argument, such as `level 3`. If no such command is named `name`, parses the whole `line` as
/// squares, such as `c1 c6 b5`.
///
/// - `name`: first word of the line in lower case, such as `level`.
/// - `rest`: text after the first word, such as `3`; empty if there is none.
///
/// # Errors
/// A message in the user's language: the argument is missing or wrong, or `line` contains something other than squares.
fn parse_argument(name: &str, rest: &str, line: &str, texts: Texts) -> Result<GameCommand, String> {
    let expected = |due: String| match (texts.expected(name, due), rest) {
        (due, "") => due,
        (due, rest) => texts.found(due, quoted(rest)),
    };
    let number = |least: usize, most: usize| {
        let number = rest.parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| expected(texts.number(least, most)))
    };
    let label = |term| expected(texts.label(term).to_owned());
    let choice = || PlayerChoice::from_str(rest, true).map_err(|_| label(labels::HUMAN_OR_BOT));
    let square_error = |error| describe_square_error(&error, texts.0);
    let path = (!rest.is_empty()).then(|| PathBuf::from(rest));
    let replace = name.ends_with('!');
    Ok(match name {
        "moves" if rest.is_empty() => GameCommand::Moves(None),
        "moves" => GameCommand::Moves(Some(rest.parse().map_err(square_error)?)),
        "save" | "save!" => GameCommand::Save { path, replace },
        "load" => GameCommand::Load(path.ok_or_else(|| label(labels::A_FILE))?),
        "level" => GameCommand::Level(number(1, LEVELS.len())? as u8),
        "look" if rest.is_empty() => GameCommand::Look(ViewTarget::Current),
        "look" => GameCommand::Look(ViewTarget::After(number(0, 99)?)),
        "pace" => {
            let expected = |_| expected(texts.number(0, MAX_PACE_SECONDS));
            GameCommand::Pace(parse_pace(rest).map_err(expected)?)
        }
        "black" => GameCommand::SetPlayer(Player::Black, choice()?),
        "white" => GameCommand::SetPlayer(Player::White, choice()?),
        _ => GameCommand::Choose(parse_choice(line, texts)?),
    })
}

/// Returns the command that is typed as the single word `name`, such as `undo`, or `[` (show the position one ply
/// earlier). Returns `None` if `name` is no command, or is a command that can take an argument, such as `level`.
fn command_without_argument(name: &str) -> Option<Command> {
    Some(match name {
        "hint" => Command::Hint,
        "win" => Command::WinProbability,
        "territory" => Command::Territory,
        "board" => Command::Board,
        "record" => Command::Record,
        "help" | "?" => Command::Help,
        "undo" => Command::Game(GameCommand::Undo),
        "redo" => Command::Game(GameCommand::Redo),
        "back" | "[" => Command::Game(GameCommand::Look(ViewTarget::Back)),
        "forward" | "]" => Command::Game(GameCommand::Look(ViewTarget::Forward)),
        "go" => Command::Game(GameCommand::Go),
        "pause" => Command::Game(GameCommand::Pause),
        "rules" => Command::Game(GameCommand::Rules),
        "new" => Command::Game(GameCommand::New),
        "continue" => Command::Game(GameCommand::Continue),
        "quit" | "exit" | "q" => Command::Game(GameCommand::Quit),
        _ => return None,
    })
}

/// Parses the squares that the player chooses in a turn, such as `c1 c6 b5`: amazon, destination, square for the arrow.
/// One or two squares are accepted, too.
///
/// # Errors
/// A message in the user's language. If the line begins with a word such as `foo`, it says that there is no such
/// command. If the line begins with a number or with something like a square, the message is about the first wrong
/// square.
fn parse_choice(line: &str, texts: Texts) -> Result<Vec<Square>, String> {
    let first = line.split_whitespace().next().unwrap_or_default();
    let number = first.parse::<i64>().is_ok();
    let square = first.starts_with(|c: char| c.is_ascii_alphabetic())
        && first.contains(|c: char| c.is_ascii_digit());
    if !number && !square {
        return Err(texts.unknown(quoted(first)));
    }
    parse_squares(line).map_err(|error| describe_square_error(&error, texts.0))
}
