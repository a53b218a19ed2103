//! Search results on positions and games: best moves, losses, judgements, ownership; what they are called.

pub mod analysed;
pub mod decided;
pub mod diagnosis;
pub mod diagram;
pub mod glossary;
pub mod judgement;
pub mod ownership;
pub mod ply;
pub mod position;
#[cfg(feature = "tools")]
pub mod primer;
#[cfg(feature = "tools")]
pub mod puzzle;
pub mod reasons;
pub mod refusal;
pub mod solved;
pub mod summary;
