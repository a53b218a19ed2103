//! Players in matches on this machine. `spec::PlayerSpec` says what a player is, as given on the command line;
//! `bot_player::BotPlayer` plays the player's turns in a game.

pub mod bot_player;
pub mod spec;
