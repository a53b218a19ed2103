//! The record of a match: the judge that says what it holds, the log as a file, a checked game, and what others write.

mod beside;
pub mod cells;
pub mod charset;
#[cfg(feature = "native")]
pub mod file;
pub mod formats;
pub mod judge;
pub mod log;
pub mod replayed;
pub mod tree;
