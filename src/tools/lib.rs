//! Command line of `amazons` and its tools: to play, check, study and convert games, and to run matches between bots.
//! `src/tools/README.md` describes each tool.

pub mod arena;
pub mod check;
pub mod cli;
pub mod online;
pub mod platform;
pub mod play;
pub mod player;
pub mod study;
pub mod system;
