//! Tools to study games: replay a log, analyse its positions, review its moves, on a page for the browser too.

pub mod analyze;
pub mod page;
pub mod replay;
pub mod review;
