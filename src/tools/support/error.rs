//! What a tool fails with.

/// A message for standard error. The exit code is 2.
pub type ToolError = Box<dyn std::error::Error + Send + Sync>;
