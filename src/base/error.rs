//! Error type of the tools, and its output.

use engine::console::{escaped, print_error};
use std::fmt::Display;

/// Error of a tool, with the message for standard error. The program prints it and exits with code 2.
pub type ToolError = Box<dyn std::error::Error + Send + Sync>;

/// Prints `error` on standard error, preceded by `what`, the name of the item (such as a file) that caused the error.
/// For tools that continue with the next item after an error.
pub fn print_error_about(what: &impl Display, error: &ToolError) {
    let (what, error) = (what.to_string(), error.to_string());
    print_error(format_args!(
        "amazons: {}: {}",
        escaped(&what),
        escaped(&error)
    ));
}
