//! The local tools: Botzone on one's own machine. `tools/README.md` describes each of them.
//!
//! The rooms of the feature `analysis` also belong to the engine of the page for the browser.

pub mod analysis;
pub mod page;
pub mod record;
pub mod thinking;

#[cfg(feature = "tools")]
pub mod arena;
#[cfg(feature = "tools")]
pub mod check;
#[cfg(feature = "tools")]
pub mod cli;
#[cfg(feature = "tools")]
pub mod online;
#[cfg(feature = "tools")]
pub mod platform;
#[cfg(feature = "tools")]
pub mod play;
#[cfg(feature = "tools")]
pub mod player;
#[cfg(feature = "tools")]
pub mod study;
#[cfg(feature = "tools")]
pub mod support;
#[cfg(feature = "tools")]
pub mod system;
#[cfg(feature = "tools")]
pub mod training;
