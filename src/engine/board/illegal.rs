//! Error types: the reasons why a move is illegal, and why bitboards are not a valid position.

use super::{Cell, Player, Square};
use std::fmt;

/// The two parts of a turn, also called actions: the amazon's move and the shot of its arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// First part of a turn: an amazon moves from its start square to its end square.
    Move,
    /// Second part of a turn: the amazon that has moved shoots an arrow from its end square.
    Shot,
}

impl fmt::Display for ActionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ActionKind::Move => "the amazon",
            ActionKind::Shot => "the arrow",
        })
    }
}

/// Reason why a move is illegal: the first rule that it breaks, with the squares and pieces concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// On the start square of the move, there is no amazon of the side to move.
    NotYourAmazon {
        /// Start square of the amazon's move.
        square: Square,
        /// The side to move, whose amazon should stand on `square`.
        player: Player,
        /// Content of `square`.
        found: Cell,
    },
    /// The amazon's move or the arrow shot ends on the square on which it starts.
    StandsStill {
        /// The part of the turn, amazon's move or arrow shot, that is illegal because it ends on its start square.
        action: ActionKind,
        /// Square on which the amazon's move or the arrow shot both starts and ends.
        square: Square,
    },
    /// The amazon's move or the arrow shot does not follow a row, a column or a diagonal of the board.
    NotAQueenLine {
        /// The part of the turn that breaks the rule: the amazon's move or the arrow shot.
        action: ActionKind,
        /// Start square of the amazon's move or of the arrow shot.
        from: Square,
        /// End square of the amazon's move or of the arrow shot.
        to: Square,
    },
    /// An amazon or an arrow stands in the way of the amazon's move or of the arrow shot, or on its end square.
    Blocked {
        /// The part of the turn that is blocked: the amazon's move or the arrow shot.
        action: ActionKind,
        /// First occupied square on the way of the amazon's move or of the arrow shot, counted from its start.
        square: Square,
        /// The amazon or arrow that stands on `square`.
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
            IllegalMove::StandsStill { action, square } => {
                write!(f, "{action} stays on {square}, expected another square")
            }
            IllegalMove::NotAQueenLine { action, from, to } => {
                write!(
                    f,
                    "{action} goes from {from} to {to}, expected a rank, file or diagonal"
                )
            }
            IllegalMove::Blocked {
                action,
                square,
                found,
            } => {
                write!(f, "{action} is blocked on {square} by {found}")
            }
        }
    }
}

impl std::error::Error for IllegalMove {}

/// Reason why three bitboards (black's amazons, white's amazons, arrows) are not a position, see
/// [`Board::from_bitboards`](super::Board::from_bitboards).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidBoard {
    /// Two pieces (amazons or arrows) stand on the same square.
    SharedSquare {
        /// The square with the lowest index, `8·y + x`, that holds two pieces.
        square: Square,
    },
    /// A player does not have exactly four amazons. If neither player has, black is reported.
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
