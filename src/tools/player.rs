//! Players of matches on this machine: `spec` parses their specifications, `bot_player` plays their turns.

pub mod bot_player;
pub mod spec;
