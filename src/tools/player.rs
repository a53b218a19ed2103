//! Players of local matches: their specification on the command line, and how they play.

pub mod contender;
pub mod spec;
