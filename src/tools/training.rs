//! Tools that make the engine stronger: self-play, fitted weights, tuned parameters.

pub mod games;
pub mod merge;
pub mod selfplay;
pub mod spsa;
pub mod tune;
