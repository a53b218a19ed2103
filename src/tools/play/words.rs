//! Everything that play says, in the language of the user: one file for each language.

pub mod chinese;
pub mod english;

use super::command::{COMMANDS, CommandError};
use super::message::{Note, State};
use super::refusal::{Complaint, Refusal};
use super::review::Findings;
use super::seat::Seat;
use crate::board::{Board, Move, Player, Square};
use crate::console::visible;
use crate::tools::support::language::Language;
use crate::tools::thinking::level::Strength;
use chinese::Chinese;
use english::English;
use std::path::Path;

/// Number of lines on the keys.
pub const KEYS: usize = 15;

/// Words that are always the same.
pub struct Labels {
    /// Title of the window.
    pub title: &'static str,
    /// Title of the players.
    pub players: &'static str,
    /// Title of the record.
    pub record: &'static str,
    /// The record of a game without moves.
    pub no_moves: &'static str,
    /// Title of the help, and of the help of which more is below.
    pub help: [&'static str; 2],
    /// Title of the review, and of the review of which more is below.
    pub review: [&'static str; 2],
    /// Headings of the help: keys, commands.
    pub headings: [&'static str; 2],
    /// The keys and what they do.
    pub keys: [(&'static str, &'static str); KEYS],
    /// What the commands do.
    pub commands: [&'static str; COMMANDS.len()],
    /// The most important keys, for a wide and for a narrow terminal.
    pub footer: [&'static str; 2],
    /// The keys that answer a question.
    pub answers: &'static str,
    /// What may be done after the end, by keys and by commands.
    pub after_the_end: [&'static str; 2],
    /// The first message, on keys.
    pub welcome: &'static str,
    /// The win probability is being looked for.
    pub no_chances: &'static str,
    /// A hint is being looked for.
    pub looking_for_hint: &'static str,
    /// What the board shows is asked for, where it is shown anyway.
    pub on_screen: &'static str,
    /// The win probability is shown, is not.
    pub win: [&'static str; 2],
    /// Whose squares are is shown, is not.
    pub territory: [&'static str; 2],
    /// What the letters on squares mean.
    pub territory_key: &'static str,
    /// Who has won.
    pub has_won: &'static str,
}

/// A language.
pub trait Words: Sync {
    /// Words that are always the same.
    fn labels(&self) -> &'static Labels;
    /// A colour.
    fn player(&self, player: Player) -> &'static str;
    /// A bot's strength.
    fn strength(&self, strength: Strength) -> String;
    /// Who plays a colour.
    fn seat(&self, seat: Seat) -> String;
    /// Who plays black and white, in the plain game's first line.
    fn greeting(&self, players: [String; 2]) -> String;
    /// A number of turns.
    fn turns(&self, turns: usize) -> String;
    /// The state of the game.
    fn state(&self, state: &State) -> String;
    /// What was done.
    fn note(&self, note: &Note) -> String;
    /// Why something is refused.
    fn refusal(&self, refusal: &Refusal) -> String;
    /// Why a line is no command.
    fn command_error(&self, error: &CommandError) -> String;
    /// In front of what was not done.
    fn not_done(&self, why: &str) -> String;
    /// Both players' win probabilities.
    fn chances(&self, black_wins: f32) -> String;
    /// The win probability.
    fn win_probability(&self, black_wins: f32) -> String;
    /// A move that is advised.
    fn hint(&self, turn: Move) -> String;
    /// What a review has found: a heading and what is said, line by line.
    fn review(&self, review: &Findings) -> Vec<(String, String)>;
    /// What stands where, in a sentence.
    fn board(&self, board: &Board) -> String;
    /// The terminal has too few columns and rows, and how many are needed.
    fn too_small(&self, has: [u16; 2], needs: [u16; 2]) -> String;

    /// Why something was not done.
    fn complaint(&self, complaint: &Complaint) -> String {
        match complaint {
            Complaint::Refusal(refusal) => self.refusal(refusal),
            Complaint::Command(error) => self.command_error(error),
            Complaint::Tool(error) => visible(&error.to_string()).to_string(),
        }
    }

    /// Who plays a colour, by name if there is one.
    fn sitter(&self, name: Option<&str>, seat: Seat) -> String {
        match name {
            Some(name) => format!("{} ({})", visible(name), self.seat(seat)),
            None => self.seat(seat),
        }
    }
}

impl Language {
    /// What play says in this language.
    #[must_use]
    pub const fn words(self) -> &'static dyn Words {
        match self {
            Language::En => &English,
            Language::Zh => &Chinese,
        }
    }
}

/// The moves of a game, a line for both players' turns.
#[must_use]
pub fn record(words: &dyn Words, moves: &[Move]) -> String {
    let rounds = moves.chunks(2).enumerate().map(|(number, turns)| {
        let turns: Vec<String> = turns.iter().map(Move::to_string).collect();
        format!("{:2}. {}", number + 1, turns.join("  "))
    });
    match moves {
        [] => words.labels().no_moves.to_owned(),
        _ => rounds.collect::<Vec<_>>().join("\n"),
    }
}

/// Squares in one line of text.
fn list(squares: impl IntoIterator<Item = Square>) -> String {
    let names: Vec<String> = squares
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    names.join(" ")
}

/// A file's name, safe to show.
fn file(path: &Path) -> String {
    visible(&path.to_string_lossy()).to_string()
}

/// The lines of a review as text.
fn lines(rows: &[(String, String)]) -> String {
    let rows = rows.iter().map(|(name, text)| format!("{name}  {text}"));
    rows.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_have_written_steers_no_terminal() {
        for words in [&English as &dyn Words, &Chinese] {
            let note = words.note(&Note::Saved("\x1b[2J.json".into()));
            let name = words.sitter(Some("\x1b]0;x\x07"), Seat::Human);
            let unknown = words.command_error(&CommandError::Unknown("\u{9b}31m".to_owned()));
            let shown = note + &name + &unknown;
            assert!(!shown.chars().any(char::is_control), "{shown:?}");
        }
    }
}
