//! Analysis of games: multi-threaded search, levels of playing strength, mistakes with their explanations, puzzles, and
//! the texts that name the results in English and Chinese.

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
pub mod rejection;
pub mod solved;
pub mod summary;
pub mod tree_parallel;
