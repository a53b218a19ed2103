//! Players of matches on this machine: `spec::PlayerSpec` is parsed from the command line, and `bot_player::BotPlayer`
//! plays a game.

pub mod bot_player;
pub mod spec;
