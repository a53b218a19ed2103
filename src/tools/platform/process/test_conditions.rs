//! Special conditions under which `amazons check` tests a bot.

/// Special conditions under which a bot is tested. The default values are the conditions of a normal game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestConditions {
    /// Whether to count the bot's processes, threads and network sockets at each measurement.
    pub counts_processes: bool,
    /// Whether the input of a newly started process in the simple interaction ends with two more lines, the bot's saved
    /// `data` and `globaldata`, as on Botzone.
    pub sends_data: bool,
    /// Number of turns whose input is sent before the bot's standard input is closed; by default, the input is never
    /// closed.
    pub max_input_turns: usize,
    /// Factor of at least 1 by which the bot is slowed down: it is stopped during the fraction 1 − 1/`slowdown` of
    /// every measurement interval. Windows can't stop processes.
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
