//! Error type of the tools, and its output.

use engine::console::{escaped, print_error};
use std::fmt::Display;

/// Error of a tool, with the message for standard error. The program prints it and exits with code 2.
pub type ToolError = Box<dyn std::error::Error + Send + Sync>;

/// Prints `error` on standard error, preceded by the name of the item concerned, `what`. For tools that then continue
/// with the next item.
pub fn print_error_about(what: &impl Display, error: &ToolError) {
    let (what, error) = (what.to_string(), error.to_string());
    print_error(format_args!(
        "amazons: {}: {}",
        escaped(&what),
        escaped(&error)
    ));
}
