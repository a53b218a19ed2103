//! The platform on one's own machine: its judge as a program, its way to run a bot; and the real one's addresses and
//! public match logs.

pub mod address;
pub mod judge_log;
pub mod process;
pub mod source;
pub mod web;
pub mod wire;
