//! [`PlayerKind`]: who plays a colour, a person at this terminal or the bot with its strength. [`PlayerChoice`]: the
//! user's choice between a person and the bot, without the bot's strength.

use super::log_file::{read_strength, write_strength};
use analysis::level::Strength;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The user's choice of who is to play a colour, on the command line or by a typed command such as `black bot`. Unlike
/// [`PlayerKind`], it does not say how strong a bot plays.
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

/// Who plays one of the two colours. Unlike [`PlayerChoice`], it says how strong a bot plays.
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
