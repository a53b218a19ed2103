//! The platform on one's own machine: its judge, its match logs, its way to run a bot; and the real one's addresses and
//! public match logs.

pub mod address;
pub mod judge;
pub mod judge_log;
pub mod log;
pub mod process;
pub mod replayed;
pub mod source;
pub mod web;
pub mod wire;
