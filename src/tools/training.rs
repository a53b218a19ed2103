//! Tools that make the engine stronger: self-play, fitted weights, tuned parameters.

pub mod games;
pub mod merge;
mod plots;
mod provenance;
pub mod selfplay;
pub mod spsa;
pub mod train;
pub mod tune;

/// Reads a number from 0 to 1 on the command line.
fn share(word: &str) -> Result<f32, String> {
    let share = word.parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
