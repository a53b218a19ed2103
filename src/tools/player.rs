//! Players of local matches: their specification on the command line, and how they play.

pub mod bot_player;
pub mod spec;
