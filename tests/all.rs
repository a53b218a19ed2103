//! Tests of the whole program, in one test crate: shared code is compiled and linked only once, and tests run in parallel.
//! `cargo test search::` runs the tests of `search.rs`. `process.rs` is separate: it counts the open files of its process.

// Tests start in the order of their names. These take longest, so they start first.
#[cfg(target_os = "linux")]
#[path = "packing.rs"]
mod a_packing;
#[cfg(all(feature = "tools", unix))]
mod analyze;
#[cfg(all(feature = "tools", target_os = "linux"))]
mod arena;
#[cfg(all(feature = "tools", target_os = "linux"))]
mod check;
#[cfg(all(feature = "tools", target_os = "linux"))]
mod cli;
mod clock;
#[cfg(all(feature = "tools", target_os = "linux"))]
mod cluster;
#[cfg(feature = "tools")]
mod command_line;
mod common;
#[cfg(feature = "tools")]
mod diagnosis;
mod endgame;
mod evaluation;
#[cfg(feature = "tools")]
mod examples;
#[cfg(feature = "tools")]
mod files;
#[cfg(feature = "tools")]
mod formats;
#[cfg(all(feature = "tools", target_os = "linux"))]
mod journal;
#[cfg(feature = "tools")]
mod judge;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(feature = "tools")]
mod networks;
#[cfg(all(feature = "tools", target_os = "linux"))]
mod online;
#[cfg(feature = "tools")]
mod online_session;
#[cfg(all(feature = "tools", unix))]
mod page;
#[cfg(all(feature = "tools", target_os = "linux"))]
mod play;
mod protocol;
#[cfg(feature = "tools")]
mod puzzles;
#[cfg(feature = "tools")]
mod replay;
mod rules;
mod search;
#[cfg(feature = "tools")]
mod selfplay;
mod session;
#[cfg(all(feature = "tools", target_os = "linux"))]
mod solve;
#[cfg(feature = "analysis")]
mod solver;
#[cfg(all(feature = "tools", unix))]
mod spsa;
#[cfg(feature = "tools")]
mod texts;
#[cfg(all(feature = "tools", unix))]
mod train;
#[cfg(all(feature = "tools", target_os = "linux"))]
mod tune;
mod version;
#[cfg(target_os = "linux")]
mod wine;
