//! Players and their games: specifications, contenders, openings, schedules.

pub mod contender;
pub mod networks;
pub mod openings;
pub mod schedule;
pub mod spec;
