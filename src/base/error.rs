//! The error type of the tools.

use engine::console::{complain, visible};
use std::fmt::Display;

/// Error of a tool: a message for standard error. The program then exits with code 2.
pub type ToolError = Box<dyn std::error::Error + Send + Sync>;

/// Prints an error about one item, `what`, on standard error, for tools that continue with the next item.
pub fn print_error_about(what: &impl Display, error: &ToolError) {
    let (what, error) = (what.to_string(), error.to_string());
    complain(format_args!(
        "amazons: {}: {}",
        visible(&what),
        visible(&error)
    ));
}
