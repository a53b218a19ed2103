//! How the engine thinks: one search by several threads, which chooses moves and studies positions in the thread that calls
//! it, and levels of strength. It also thinks in the page for the browser.

pub mod level;
pub mod root_parallel;
