//! Tools to study games: replay a log, analyse its positions, review its moves.

pub mod analyze;
pub mod replay;
pub mod review;
