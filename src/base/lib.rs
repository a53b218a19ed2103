//! What every tool stands on: errors, files that survive a crash, threads, progress.

pub mod append;
pub mod error;
pub mod files;
pub mod journal;
pub mod openings;
pub mod progress;
pub mod schedule;
pub mod workers;
