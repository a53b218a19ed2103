//! [`PlayerKind`] and [`PlayerChoice`]: who plays a colour, a person at this terminal or the bot.

use super::log_file::{read_strength, write_strength};
use analysis::level::Strength;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Who plays a colour, as chosen on the command line or by a typed command. [`PlayerKind`] also has the bot's strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlayerChoice {
    /// A person at this terminal
    Human,
    /// The bot
    Bot,
}

impl PlayerChoice {
    /// Converts the choice to a [`PlayerKind`]. A bot gets the strength `strength`.
    #[must_use]
    pub const fn with_strength(self, strength: Strength) -> PlayerKind {
        match self {
            PlayerChoice::Human => PlayerKind::Human,
            PlayerChoice::Bot => PlayerKind::Bot(strength),
        }
    }
}

/// Who plays one of the two colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "lowercase")]
pub enum PlayerKind {
    /// A person at this terminal.
    Human,
    /// The bot of this program, with its strength.
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
