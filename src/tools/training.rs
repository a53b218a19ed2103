//! What makes the engine stronger: games against itself, fitted weights, tuned parameters.

pub mod games;
pub mod selfplay;
pub mod spsa;
pub mod tune;
