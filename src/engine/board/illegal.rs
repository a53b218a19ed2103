//! Why a move or a position is none.

use super::{Cell, Player, Square};
use std::fmt;

/// The two legs of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leg {
    /// The amazon's move.
    Walk,
    /// The arrow's flight.
    Shot,
}

impl fmt::Display for Leg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Leg::Walk => "the amazon",
            Leg::Shot => "the arrow",
        })
    }
}

/// Which rule a move breaks, and on which square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// The first square does not hold an amazon of the player to move.
    NotYourAmazon {
        /// The first square of the move.
        square: Square,
        /// Whose turn it is.
        player: Player,
        /// What stands there instead.
        found: Cell,
    },
    /// A leg ends where it began.
    StandsStill {
        /// Which leg.
        leg: Leg,
        /// Where it begins and ends.
        square: Square,
    },
    /// A leg does not follow a rank, file or diagonal.
    NotAQueenLine {
        /// Which leg.
        leg: Leg,
        /// Where it begins.
        from: Square,
        /// Where it ends.
        to: Square,
    },
    /// Something stands on the way of a leg or on its end.
    Blocked {
        /// Which leg.
        leg: Leg,
        /// The first square that is not free.
        square: Square,
        /// What stands there.
        found: Cell,
    },
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalMove::NotYourAmazon {
                square,
                player,
                found,
            } => {
                write!(f, "{square} holds {found}, expected an amazon of {player}")
            }
            IllegalMove::StandsStill { leg, square } => {
                write!(f, "{leg} stays on {square}, expected another square")
            }
            IllegalMove::NotAQueenLine { leg, from, to } => {
                write!(
                    f,
                    "{leg} goes from {from} to {to}, expected a rank, file or diagonal"
                )
            }
            IllegalMove::Blocked { leg, square, found } => {
                write!(f, "{leg} is blocked on {square} by {found}")
            }
        }
    }
}

impl std::error::Error for IllegalMove {}

/// Why sets of squares are not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidBoard {
    /// Two pieces stand on one square.
    SharedSquare {
        /// The first such square.
        square: Square,
    },
    /// A player has more or fewer than four amazons.
    AmazonCount {
        /// The player.
        player: Player,
        /// The number of amazons.
        count: u32,
    },
}

impl fmt::Display for InvalidBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidBoard::SharedSquare { square } => {
                write!(f, "{square} holds two pieces, expected at most one")
            }
            InvalidBoard::AmazonCount { player, count } => {
                write!(f, "{player} has {count} amazons, expected 4")
            }
        }
    }
}

impl std::error::Error for InvalidBoard {}
