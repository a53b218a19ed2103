//! The platform on one's own machine: its judge, its match logs, its way to run a bot.

pub mod judge;
pub mod judge_log;
pub mod log;
pub mod process;
pub mod replayed;
pub mod wire;
