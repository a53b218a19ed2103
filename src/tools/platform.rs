//! Botzone's judge and its way of running bots, reproduced on this machine; addresses on the real Botzone, and
//! downloads of its public match logs.

pub mod address;
pub mod http;
pub mod judge_log;
pub mod process;
pub mod source;
pub mod turn_input;
