//! Local reproduction of the Botzone platform: its judge program, the execution of bots and the input of their turns.
//! For the real Botzone: addresses of matches, and downloads of their logs.

pub mod address;
pub mod http;
pub mod judge_log;
pub mod process;
pub mod source;
pub mod turn_input;
