//! Test conditions for a bot under `amazons check`.

/// Test conditions for a bot beyond those of a normal game. The default is a normal game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Whether to count the bot's processes, threads and network sockets.
    pub counted: bool,
    /// Whether lines with `data` and `globaldata` follow the record in the simple interaction, as on Botzone.
    pub with_data: bool,
    /// Number of turns after which the input of a process is closed.
    pub turns_of_input: usize,
    /// Factor by which the bot's work is slowed down, at least 1. The bot is stopped at short intervals, if the system can do
    /// that.
    pub slower: f64,
}

impl Default for Trial {
    fn default() -> Trial {
        Trial {
            counted: false,
            with_data: false,
            turns_of_input: usize::MAX,
            slower: 1.0,
        }
    }
}
