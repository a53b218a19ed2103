//! Typed squares and commands. Both faces read them here.

use super::player_kind::Sitter;
use super::words::{Words, labels};
use analysis::level::LEVELS;
use analysis::refusal::no_square;
use clap::ValueEnum as _;
use engine::board::{Player, Square, parse_squares};
use engine::console::quoted;
use std::path::PathBuf;
use std::time::Duration;

/// Something that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A command about the game itself.
    Game(Action),
    /// Show what the bot would play.
    Hint,
    Win,
    Territory,
    Board,
    Record,
    Help,
}

/// A command that is the same in both faces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Choose these squares, from where the turn stands.
    Choose(Vec<Square>),
    /// Say which squares may be chosen next, or which ones an amazon reaches.
    Moves(Option<Square>),
    Undo,
    /// Play again what was taken back.
    Redo,
    /// Look at an earlier position, or at the present one again.
    Look(Look),
    Go,
    Pause,
    /// The least time of a turn between two bots.
    Pace(Duration),
    Level(u8),
    /// Who plays a colour: the bot or somebody at the terminal.
    Seat(Player, Sitter),
    /// Learn the rules.
    Rules,
    New,
    /// Write the game to a file.
    Save {
        /// The file, or else the one used last.
        path: Option<PathBuf>,
        /// Whether to write over another game unasked.
        replace: bool,
    },
    /// Go on with the game in a file.
    Load(PathBuf),
    /// Go on with the game that was left unfinished.
    Continue,
    Quit,
}

/// Which position to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A turn earlier.
    Back,
    /// A turn later.
    Forward,
    /// After so many turns.
    After(usize),
    /// The present one.
    Present,
}

/// Upper limit on the pace of a game between bots, in seconds.
const LONGEST_PACE: f32 = 60.0;

/// Reads a line; nothing if it is blank.
///
/// # Errors
/// If the line is no command.
pub fn parse(line: &str, words: Words) -> Result<Option<Typed>, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (name, rest) = (word.to_lowercase(), rest.trim());
    if name.is_empty() {
        return Ok(None);
    }
    let typed = match (alone(&name), rest) {
        (Some(typed), "") => typed,
        (Some(_), rest) => return Err(words.too_much(name, quoted(rest))),
        (None, rest) => Typed::Game(with_argument(&name, rest, line, words)?),
    };
    Ok(Some(typed))
}

/// The answer to a question: yes, no, or nothing of the kind.
#[must_use]
pub fn answer(line: &str) -> Option<bool> {
    match line.trim().to_lowercase().as_str() {
        "y" | "yes" | "是" | "好" => Some(true),
        "n" | "no" | "否" | "不" => Some(false),
        _ => None,
    }
}

/// Reads the least time of a turn between two bots, in seconds.
///
/// # Errors
/// If the text is no such time.
pub fn pace(text: &str) -> Result<Duration, &'static str> {
    match text.parse() {
        Ok(seconds) if (0.0..=LONGEST_PACE).contains(&seconds) => {
            Ok(Duration::from_secs_f32(seconds))
        }
        _ => Err("expected seconds from 0 to 60"),
    }
}

/// The commands with an argument; a line of another kind holds squares.
fn with_argument(name: &str, rest: &str, line: &str, words: Words) -> Result<Action, String> {
    let expected = |due: String| match (words.expected(name, due), rest) {
        (due, "") => due,
        (due, rest) => words.found(due, quoted(rest)),
    };
    let number = |least: usize, most: usize| {
        let number = rest.parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| expected(words.number(least, most)))
    };
    let label = |term| expected(words.label(term).to_owned());
    let sitter = || Sitter::from_str(rest, true).map_err(|_| label(labels::HUMAN_OR_BOT));
    let file = (!rest.is_empty()).then(|| PathBuf::from(rest));
    Ok(match name {
        "moves" if rest.is_empty() => Action::Moves(None),
        "moves" => Action::Moves(Some(
            rest.parse().map_err(|error| no_square(&error, words.0))?,
        )),
        "save" | "save!" => Action::Save {
            path: file,
            replace: name.ends_with('!'),
        },
        "load" => Action::Load(file.ok_or_else(|| label(labels::A_FILE))?),
        "level" => Action::Level(number(1, LEVELS.len())? as u8),
        "look" if rest.is_empty() => Action::Look(Look::Present),
        "look" => Action::Look(Look::After(number(0, 99)?)),
        "pace" => {
            let expected = |_| expected(words.number(0, LONGEST_PACE));
            Action::Pace(pace(rest).map_err(expected)?)
        }
        "black" => Action::Seat(Player::Black, sitter()?),
        "white" => Action::Seat(Player::White, sitter()?),
        _ => Action::Choose(chosen_squares(line, words)?),
    })
}

/// The commands without an argument.
fn alone(name: &str) -> Option<Typed> {
    Some(match name {
        "hint" => Typed::Hint,
        "win" => Typed::Win,
        "territory" => Typed::Territory,
        "board" => Typed::Board,
        "record" => Typed::Record,
        "help" | "?" => Typed::Help,
        "undo" => Typed::Game(Action::Undo),
        "redo" => Typed::Game(Action::Redo),
        "back" | "[" => Typed::Game(Action::Look(Look::Back)),
        "forward" | "]" => Typed::Game(Action::Look(Look::Forward)),
        "go" => Typed::Game(Action::Go),
        "pause" => Typed::Game(Action::Pause),
        "rules" => Typed::Game(Action::Rules),
        "new" => Typed::Game(Action::New),
        "continue" => Typed::Game(Action::Continue),
        "quit" | "exit" | "q" => Typed::Game(Action::Quit),
        _ => return None,
    })
}

/// Reads squares. A first word that doesn't begin like a square was meant as a command.
fn chosen_squares(line: &str, words: Words) -> Result<Vec<Square>, String> {
    let first = line.split_whitespace().next().unwrap_or_default();
    let number = first.parse::<i64>().is_ok();
    let square = first.starts_with(|c: char| c.is_ascii_alphabetic())
        && first.contains(|c: char| c.is_ascii_digit());
    if !number && !square {
        return Err(words.unknown(quoted(first)));
    }
    parse_squares(line).map_err(|error| no_square(&error, words.0))
}
