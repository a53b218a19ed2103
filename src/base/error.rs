//! Errors of the command-line tools: their type ([`ToolError`]), the type of a result that may be one ([`Result`]), and a
//! function that prints an error after which the tool goes on ([`ok_or_print`]).

use engine::console::{escaped, print_error};
use std::fmt::Display;

/// Error of a tool. Its text is the message for the user: the program prints it on standard error and exits with code
/// 2.
pub type ToolError = Box<dyn std::error::Error + Send + Sync>;

/// Result of a tool's function, with a [`ToolError`] unless another type of error is given.
pub type Result<T, E = ToolError> = std::result::Result<T, E>;

/// Returns the value of `result`. If it is an error, prints it on standard error as `amazons: item: error`, for example
/// `amazons: a.sgf: no such file`, and returns `None`. `item` is what caused the error, such as a file name. This
/// function is for tools that continue with their next item after an error.
pub fn ok_or_print<T>(item: &impl Display, result: Result<T>) -> Option<T> {
    let print = |error: &ToolError| {
        let (item, error) = (item.to_string(), error.to_string());
        let (item, error) = (escaped(&item), escaped(&error));
        print_error(format_args!("amazons: {item}: {error}"));
    };
    result.inspect_err(print).ok()
}
