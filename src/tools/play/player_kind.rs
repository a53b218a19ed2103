//! Who plays a colour: somebody at this terminal, or the engine.

use super::log_file::{read_strength, write_strength};
use analysis::level::Strength;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Who is to sit down at a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sitter {
    /// Somebody at this terminal
    Human,
    /// The engine
    Bot,
}

impl Sitter {
    /// Who plays then, with the bot as strong as this.
    #[must_use]
    pub const fn with(self, strength: Strength) -> PlayerKind {
        match self {
            Sitter::Human => PlayerKind::Human,
            Sitter::Bot => PlayerKind::Bot(strength),
        }
    }
}

/// Who plays a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "lowercase")]
pub enum PlayerKind {
    /// Somebody at this terminal.
    Human,
    /// The engine.
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
