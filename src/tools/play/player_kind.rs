//! Who plays a colour: a person at this terminal, or the engine with its strength.

use super::log_file::{read_strength, write_strength};
use analysis::level::Strength;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Choice of who plays a colour, on the command line or in a typed command: like [`PlayerKind`], but without the bot's
/// strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlayerChoice {
    /// A person at this terminal
    Human,
    /// The engine
    Bot,
}

impl PlayerChoice {
    /// Returns the chosen player; a bot gets `strength`.
    #[must_use]
    pub const fn with_strength(self, strength: Strength) -> PlayerKind {
        match self {
            PlayerChoice::Human => PlayerKind::Human,
            PlayerChoice::Bot => PlayerKind::Bot(strength),
        }
    }
}

/// Who plays one of the colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "lowercase")]
pub enum PlayerKind {
    /// A person at this terminal.
    Human,
    /// The engine, with its strength.
    Bot(#[serde(serialize_with = "write_strength", deserialize_with = "read_strength")] Strength),
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerKind::Human => f.write_str("human"),
            PlayerKind::Bot(strength) => write!(f, "bot, {strength}"),
        }
    }
}
