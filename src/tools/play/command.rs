//! What can be typed: squares and commands, read in one place for both faces.

use crate::board::{ParseMoveError, Square, parse_squares};
use std::fmt;
use std::path::PathBuf;

/// Something that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// What concerns the game itself.
    Game(Action),
    /// Show what the bot would play.
    Hint,
    /// Show the win probability.
    Win,
    /// Show the board.
    Board,
    /// Show the moves so far.
    Record,
    /// Show the commands.
    Help,
    /// End the program.
    Quit,
}

/// A command that is the same in both faces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Choose these squares, from where the turn stands.
    Choose(Vec<Square>),
    /// Say which squares may be chosen next, or which ones an amazon reaches.
    Moves(Option<Square>),
    /// Take back.
    Undo,
    /// Play again what was taken back.
    Redo,
    /// Let the bots go on.
    Go,
    /// Begin another game.
    New,
    /// Write the game to a file, or to the one used last.
    Save(Option<PathBuf>),
    /// Go on with the game in a file.
    Load(PathBuf),
}

/// What can be typed, and what it does.
pub const HELP: [(&str, &str); 14] = [
    ("c1 c6 f6", "move from c1 to c6, shoot to f6"),
    ("c1", "one square of a turn after the other"),
    ("moves", "say what can be chosen next"),
    ("moves c1", "say where the amazon on c1 can go"),
    ("hint", "show what the bot would play"),
    ("win", "show the win probability"),
    ("undo", "take back, against a bot a whole round"),
    ("redo", "play again what was taken back"),
    ("save FILE", "write the game as a match log"),
    ("load FILE", "go on with a match log"),
    ("board, record", "show the board, the moves so far"),
    ("new", "begin another game"),
    ("go", "let bots that wait go on"),
    ("help, quit", "show these lines, end the program"),
];

/// Why a line is no command: which word, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// The first word is neither a command nor a square.
    Unknown(String),
    /// There is nothing where something was due.
    Missing {
        /// The command.
        command: &'static str,
        /// What was expected.
        expected: &'static str,
    },
    /// There is something where the command should have ended.
    TooMuch {
        /// The command.
        command: String,
        /// What follows it.
        rest: String,
    },
    /// A word should have been a square.
    Square(ParseMoveError),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown(word) => write!(
                f,
                "\"{word}\": expected squares such as c1 c6 f6, or moves, hint, win, undo, redo, save, \
                 load, board, record, new, go, help or quit"
            ),
            CommandError::Missing { command, expected } => {
                write!(f, "{command}: expected {expected} after it")
            }
            CommandError::TooMuch { command, rest } => {
                write!(f, "{command}: expected nothing after it, found \"{rest}\"")
            }
            CommandError::Square(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CommandError {}

/// Reads a line; nothing if it is blank.
///
/// # Errors
/// If the line is no command.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let file = (!rest.is_empty()).then(|| PathBuf::from(rest));
    let command = match word.to_lowercase().as_str() {
        "" => return Ok(None),
        // The commands that take something.
        "moves" => Command::Game(Action::Moves(optional_square(rest)?)),
        "save" => Command::Game(Action::Save(file)),
        "load" => Command::Game(Action::Load(file.ok_or(CommandError::Missing {
            command: "load",
            expected: "a file",
        })?)),
        name => match alone(name) {
            Some(_) if !rest.is_empty() => {
                return Err(CommandError::TooMuch {
                    command: name.to_owned(),
                    rest: rest.to_owned(),
                });
            }
            Some(command) => command,
            None => Command::Game(Action::Choose(chosen_squares(line)?)),
        },
    };
    Ok(Some(command))
}

/// The commands that stand alone.
fn alone(name: &str) -> Option<Command> {
    Some(match name {
        "hint" => Command::Hint,
        "win" => Command::Win,
        "undo" => Command::Game(Action::Undo),
        "redo" => Command::Game(Action::Redo),
        "board" => Command::Board,
        "record" => Command::Record,
        "new" => Command::Game(Action::New),
        "go" => Command::Game(Action::Go),
        "help" | "?" => Command::Help,
        "quit" | "exit" => Command::Quit,
        _ => return None,
    })
}

fn optional_square(word: &str) -> Result<Option<Square>, CommandError> {
    match word {
        "" => Ok(None),
        _ => word.parse().map(Some).map_err(CommandError::Square),
    }
}

/// Reads squares; a first word that does not even begin like one was meant as a command.
fn chosen_squares(line: &str) -> Result<Vec<Square>, CommandError> {
    let first = line.split_whitespace().next().unwrap_or_default();
    let number = first.parse::<i64>().is_ok();
    let square = first.starts_with(|c: char| c.is_ascii_alphabetic())
        && first.contains(|c: char| c.is_ascii_digit());
    if !number && !square {
        return Err(CommandError::Unknown(first.to_owned()));
    }
    parse_squares(line).map_err(CommandError::Square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_read_in_every_form() {
        let squares = |line| match parse(line) {
            Ok(Some(Command::Game(Action::Choose(squares)))) => super::super::game::list(&squares),
            other => panic!("{line}: {other:?}"),
        };
        for line in [
            "c1 c6 f6",
            "c1-c6/f6",
            "c1c6f6",
            " C1  c6,f6 ",
            "2 0 2 5 5 5",
        ] {
            assert_eq!(squares(line), "c1 c6 f6", "{line}");
        }
        assert_eq!(squares("c1"), "c1");
        assert_eq!(squares("c6 f6"), "c6 f6");
    }

    #[test]
    fn commands_are_read() {
        let c1 = "c1".parse().expect("a square");
        for (line, expected) in [
            ("hint", Command::Hint),
            ("  UNDO ", Command::Game(Action::Undo)),
            ("moves", Command::Game(Action::Moves(None))),
            ("moves c1", Command::Game(Action::Moves(Some(c1)))),
            ("save", Command::Game(Action::Save(None))),
            (
                "save my game.json",
                Command::Game(Action::Save(Some("my game.json".into()))),
            ),
            ("load x.json", Command::Game(Action::Load("x.json".into()))),
        ] {
            assert_eq!(parse(line), Ok(Some(expected)), "{line}");
        }
        assert_eq!(parse(" \t"), Ok(None));
    }

    #[test]
    fn faults_name_the_word() {
        for (line, complaint) in [
            ("castle", "\"castle\": expected squares"),
            ("c1 c9 f6", "\"c9\" is not a square: expected a1 to h8"),
            ("c1 c6 f", "\"f\" is not a square"),
            ("1 2 3", "\"1\" is not a square"),
            ("2 0 2 5 5 8", "(5, 8) is off the board"),
            ("undo 2", "undo: expected nothing after it, found \"2\""),
            ("load", "load: expected a file"),
            ("moves i9", "\"i9\" is not a square"),
            ("é1", "\"é1\""),
        ] {
            let error = parse(line).expect_err(line).to_string();
            assert!(error.contains(complaint), "{line}: {error}");
        }
    }
}
