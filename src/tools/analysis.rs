//! Search results on positions and games: best moves, losses, judgements, ownership.

pub mod game;
pub mod judgement;
pub mod notation;
pub mod ownership;
pub mod ply;
pub mod position;
pub mod review;
