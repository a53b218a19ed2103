//! The record of a match: the judge that says what it holds, the log as a file, a checked game.

pub mod judge;
pub mod log;
pub mod replayed;
