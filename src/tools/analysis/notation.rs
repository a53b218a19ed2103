//! Moves and players in JSON: a move in the board's notation, a player by the colour's name.

use crate::board::{Move, Player};
use serde::Serializer;

/// Writes a move in the board's notation.
pub fn as_text<S: Serializer>(turn: &Move, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(turn)
}

/// Writes moves in the board's notation.
pub fn as_texts<S: Serializer>(line: &[Move], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(line.iter().map(Move::to_string))
}

/// Writes a player as `black` or `white`.
pub fn as_name<S: Serializer>(player: &Player, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(player)
}

/// Writes a player. An absent one must be skipped.
pub fn as_optional_name<S: Serializer>(
    player: &Option<Player>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(player.as_ref().expect("nothing is skipped"))
}

/// Writes a move. An absent one must be skipped.
pub fn as_optional_text<S: Serializer>(
    turn: &Option<Move>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(turn.as_ref().expect("nothing is skipped"))
}
