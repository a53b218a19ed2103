//! The command line and its tools, which run Botzone matches on the local machine. `src/tools/README.md` describes each tool.

pub mod arena;
pub mod check;
pub mod cli;
pub mod online;
pub mod platform;
pub mod play;
pub mod player;
pub mod study;
pub mod system;
