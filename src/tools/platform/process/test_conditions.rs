//! Test conditions for a bot under `amazons check`.

/// Test conditions for a bot beyond those of a normal game. The default is a normal game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestConditions {
    /// Whether to count the bot's processes, threads and network sockets.
    pub counts_processes: bool,
    /// Whether lines with `data` and `globaldata` follow the record in the simple interaction, as on Botzone.
    pub sends_data: bool,
    /// Number of turns after which the input of a process is closed.
    pub max_input_turns: usize,
    /// Factor by which the bot's work is slowed down, at least 1. The bot is stopped at short intervals, if the system can do
    /// that.
    pub slowdown: f64,
}

impl Default for TestConditions {
    fn default() -> TestConditions {
        TestConditions {
            counts_processes: false,
            sends_data: false,
            max_input_turns: usize::MAX,
            slowdown: 1.0,
        }
    }
}
