//! [`ToolError`], the error type of all tools, and the output of errors.

use engine::console::{escaped, print_error};
use std::fmt::Display;

/// Error of a tool, with the message for standard error. The program prints it and exits with code 2.
pub type ToolError = Box<dyn std::error::Error + Send + Sync>;

/// Prints `error` on standard error, after `item`, the name of the thing (such as a file) in which it occurred. Used by
/// tools that continue with the next item after an error.
pub fn print_error_about(item: &impl Display, error: &ToolError) {
    let (item, error) = (item.to_string(), error.to_string());
    print_error(format_args!(
        "amazons: {}: {}",
        escaped(&item),
        escaped(&error)
    ));
}
