//! Who plays, and which games: a player's specification, the player of a game, openings, schedules.

pub mod contender;
pub mod engine;
pub mod openings;
pub mod schedule;
pub mod spec;
