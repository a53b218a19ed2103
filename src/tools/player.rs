//! Players and their games: specifications, contenders, openings, schedules.

pub mod contender;
pub mod spec;
