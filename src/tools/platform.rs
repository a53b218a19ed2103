//! Local reproduction of the Botzone platform: its judge program, the execution of bots and the input of their turns.
//! Also addresses on the real Botzone, and downloads of its match logs.

pub mod address;
pub mod http;
pub mod judge_log;
pub mod process;
pub mod source;
pub mod turn_input;
