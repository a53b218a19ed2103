//! Botzone on the local machine: its judge and the way it runs bots. Also addresses of the real Botzone and downloads of its
//! public match logs.

pub mod address;
pub mod http;
pub mod judge_log;
pub mod process;
pub mod source;
pub mod turn_input;
