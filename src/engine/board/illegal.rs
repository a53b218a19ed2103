//! Errors for illegal moves and for invalid positions.

use super::{Cell, Player, Square};
use std::fmt;

/// One of the two halves of a turn: the amazon's move or its arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leg {
    /// The move of the amazon.
    Walk,
    /// The flight of the arrow.
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

/// The rule that an illegal move breaks, with the square at which it breaks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// The start square of the move does not hold an amazon of the side to move.
    NotYourAmazon {
        /// Start square of the move.
        square: Square,
        /// The side to move.
        player: Player,
        /// Content of `square`.
        found: Cell,
    },
    /// A half-move ends on the square on which it starts.
    StandsStill {
        /// The half-move that breaks the rule.
        leg: Leg,
        /// Square on which the half-move starts and ends.
        square: Square,
    },
    /// A half-move does not follow a rank, file or diagonal.
    NotAQueenLine {
        /// The half-move that breaks the rule.
        leg: Leg,
        /// Start square of the half-move.
        from: Square,
        /// End square of the half-move.
        to: Square,
    },
    /// A piece blocks the path or the end square of a half-move.
    Blocked {
        /// The half-move that breaks the rule.
        leg: Leg,
        /// First square on the path that is not empty.
        square: Square,
        /// Content of `square`.
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

/// The reason why bitboards do not form a valid position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidBoard {
    /// Two pieces stand on one square.
    SharedSquare {
        /// The square with the lowest index that holds two pieces.
        square: Square,
    },
    /// A player has fewer or more than four amazons.
    AmazonCount {
        /// The player with the wrong number of amazons.
        player: Player,
        /// Number of amazons that the player has.
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
