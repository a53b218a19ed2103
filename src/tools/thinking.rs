//! How the engine thinks: a mind that chooses moves and studies positions, a thread around it that takes questions, levels
//! of strength, and one search by several threads.
//!
//! Nothing else wraps the search. A [`mind`] has no thread of its own; it also thinks in the page for the browser. Whoever
//! must not wait for it asks a [`worker`].

pub mod level;
pub mod mind;
pub mod root_parallel;
#[cfg(feature = "tools")]
pub mod worker;
