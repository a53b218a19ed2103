//! Who plays a colour: somebody at this terminal, or the engine.

use crate::tools::thinking::level::Strength;
use std::fmt;

/// Who plays a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// Somebody at this terminal.
    Human,
    /// The engine.
    Bot(Strength),
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Human => f.write_str("human"),
            Seat::Bot(strength) => write!(f, "bot, {strength}"),
        }
    }
}
