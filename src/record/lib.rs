//! Records of Amazons games: the rules of Botzone's judge, match logs, checked games, game trees, and other programs'
//! file formats.

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
