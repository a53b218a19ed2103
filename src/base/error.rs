//! What a tool fails with.

use engine::console::{complain, visible};
use std::fmt::Display;

/// The failure of a tool: a message for standard error. The exit code is 2.
pub type ToolError = Box<dyn std::error::Error + Send + Sync>;

/// Says on standard error what is wrong with one of several things, after which the others follow.
pub fn complain_of(what: &impl Display, error: &ToolError) {
    let (what, error) = (what.to_string(), error.to_string());
    complain(format_args!(
        "amazons: {}: {}",
        visible(&what),
        visible(&error)
    ));
}
