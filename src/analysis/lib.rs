//! The search by several threads and at levels of strength; what it finds on positions and games: best moves, losses, reasons,
//! puzzles; and what these are called, in both languages.

pub mod analysed;
pub mod decided;
pub mod diagnosis;
pub mod diagram;
pub mod glossary;
pub mod judgement;
pub mod level;
#[cfg(feature = "native")]
pub mod networks;
pub mod ownership;
pub mod ply;
pub mod position;
#[cfg(feature = "native")]
pub mod primer;
#[cfg(feature = "native")]
pub mod puzzle;
pub mod reasons;
pub mod refusal;
pub mod root_parallel;
pub mod solved;
pub mod summary;
