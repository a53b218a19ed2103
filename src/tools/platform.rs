//! Local reproduction of Botzone: runs bots as Botzone does, and reproduces the output of its judge program. For the
//! real Botzone: addresses of matches, and downloads of their logs.

pub mod address;
pub mod http;
pub mod judge_log;
pub mod process;
pub mod source;
pub mod turn_input;
