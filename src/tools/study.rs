//! Tools to study games: replay a log, analyse its positions, review its moves, on the page for the browser too.

pub mod analyze;
pub mod replay;
pub mod review;
