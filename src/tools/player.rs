//! Players in matches on this machine. `spec::PlayerSpec` describes a player, as given on the command line (which bot,
//! which settings); `bot_player::BotPlayer` is a player in a game and chooses its moves.

pub mod bot_player;
pub mod spec;
