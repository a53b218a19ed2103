//! Special conditions under which `amazons check` tests a bot.

/// Special conditions under which a bot is tested. The default values are the conditions of a normal game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestConditions {
    /// Whether to count the bot's processes, threads and network sockets at each measurement.
    pub counts_processes: bool,
    /// Whether the first input in the simple interaction ends with two lines, `data` and `globaldata`, as on Botzone.
    pub sends_data: bool,
    /// Number of turns after whose input the bot's standard input is closed.
    pub max_input_turns: usize,
    /// Factor of at least 1 by which the bot runs slower. It is stopped during 1 − 1/`slowdown` of every measurement
    /// interval, on systems that can stop processes.
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
