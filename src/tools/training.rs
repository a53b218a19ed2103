//! Tools that make the engine stronger: self-play, fitted weights, trained networks, tuned parameters.

mod book;
pub mod games;
mod measures;
pub mod merge;
mod order;
pub mod plots;
mod provenance;
pub mod samples;
pub mod selfplay;
pub mod spsa;
pub mod train;
mod trainer;
pub mod tune;
mod value;

/// Reads a number from 0 to 1 on the command line.
fn share(word: &str) -> Result<f32, String> {
    let share = word.parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
