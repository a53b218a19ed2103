//! Reads, checks and writes records of Amazons games: match logs of Botzone, games whose moves are checked for legality,
//! game trees, and the file formats of other programs. Also contains the rules by which Botzone's judge ends a game.

mod answer_properties;
pub mod cells;
pub mod charset;
pub mod checked_game;
#[cfg(feature = "native")]
pub mod file;
pub mod formats;
pub mod judge;
pub mod log;
pub mod tree;
