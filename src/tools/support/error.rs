//! What a tool fails with.

/// The failure of a tool: a message for standard error. The exit code is 2.
pub type ToolError = Box<dyn std::error::Error + Send + Sync>;
