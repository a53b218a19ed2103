//! [`PlayerChoice`]: who is to play a colour, a person or the bot, as the user types it. [`PlayerKind`]: who plays a
//! colour, with the strength of the bot.

use super::log_file::{read_strength, write_strength};
use analysis::level::Strength;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The user's choice of who plays a colour, on the command line or in a typed command such as `black bot`. It does not
/// say how strong the bot plays; [`PlayerKind`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlayerChoice {
    /// A person at this terminal
    Human,
    /// The bot
    Bot,
}

impl PlayerChoice {
    /// Converts the user's choice to a [`PlayerKind`]. `strength`: how strong the bot plays, if the bot was chosen.
    #[must_use]
    pub const fn with_strength(self, strength: Strength) -> PlayerKind {
        match self {
            PlayerChoice::Human => PlayerKind::Human,
            PlayerChoice::Bot => PlayerKind::Bot(strength),
        }
    }
}

/// Who plays a colour: a person, or the bot together with its strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "lowercase")]
pub enum PlayerKind {
    /// A person at this terminal.
    Human,
    /// The bot of this program, and how strong it plays: a level, or a time or number of iterations for each turn.
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
