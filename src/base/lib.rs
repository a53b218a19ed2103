//! Basics that all tools use: errors, crash-safe files, worker threads, schedules of games, and progress bars.

pub mod append;
pub mod error;
pub mod files;
pub mod journal;
pub mod openings;
pub mod progress;
pub mod schedule;
pub mod workers;
