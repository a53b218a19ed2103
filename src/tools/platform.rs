//! Local reproduction of Botzone: runs bots as Botzone does, and prints what its judge program (which checks the moves)
//! would print. For the real Botzone: parses the addresses of matches, and downloads match logs.

pub mod address;
pub mod http;
pub mod judge_log;
pub mod process;
pub mod source;
pub mod turn_input;
