//! How the engine thinks: its levels of strength, and one search by several threads.

pub mod level;
pub mod root_parallel;
