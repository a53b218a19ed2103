//! A bot to run: its command and its interaction.

use crate::botzone::Form;

/// A bot that runs as a process.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessSpec {
    /// Program and arguments.
    pub command: Vec<String>,
    /// The interaction it is given.
    pub form: Form,
    /// Whether it is started anew for every turn, even if it asks to be kept running.
    pub fresh: bool,
}
