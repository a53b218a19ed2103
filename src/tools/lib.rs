//! The local tools: Botzone on one's own machine. `tools/README.md` describes each of them.

pub mod arena;
pub mod check;
pub mod cli;
pub mod online;
pub mod platform;
pub mod play;
pub mod player;
pub mod study;
pub mod system;
