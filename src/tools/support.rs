//! What every tool stands on: errors, files that survive a crash, threads, progress.

pub(super) mod append;
pub mod error;
pub mod files;
pub mod journal;
pub(super) mod progress;
pub(super) mod workers;
