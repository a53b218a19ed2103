//! Players of matches: how the command line names a player, and a player that takes part in a game.

pub mod contender;
pub mod spec;
