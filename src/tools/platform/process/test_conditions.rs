//! Special conditions under which `amazons check` tests a bot.

/// Special conditions under which a bot is tested. By default, the conditions are those of a normal game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestConditions {
    /// Whether the bot's processes, threads and network sockets are counted whenever its CPU time and memory are
    /// measured.
    pub counts_processes: bool,
    /// Whether two lines of text, `data` and `globaldata`, follow the moves in the input of a new process in the simple
    /// protocol. On Botzone, these are texts that the bot has stored in earlier turns or games.
    pub sends_data: bool,
    /// Number of turns whose input the bot receives before its standard input is closed. The default, `usize::MAX`,
    /// keeps it open.
    pub max_input_turns: usize,
    /// Factor, at least 1, by which the bot is slowed down: it is suspended for the fraction 1 − 1/`slowdown` of the
    /// time. The factor has no effect on Windows, where bots are not suspended.
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
