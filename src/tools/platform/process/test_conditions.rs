//! Special conditions under which `amazons check` tests a bot, such as a slow machine.

/// Conditions of a bot's test, which may differ from those of a normal game: for example, the bot is slowed down, or
/// its standard input ends early. The default values are the conditions of a normal game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestConditions {
    /// True if the bot's processes, threads and network sockets are counted each time its CPU time and memory are
    /// measured.
    pub counts_processes: bool,
    /// True if two more lines, `data` and `globaldata`, follow the moves in the input of a newly started process in the
    /// simple protocol. Botzone sends texts in this place that the bot has stored in earlier turns or games.
    pub sends_data: bool,
    /// Number of turns whose input the bot receives before its standard input is closed. The default, `usize::MAX`,
    /// keeps it open.
    pub max_input_turns: usize,
    /// Factor by which the bot is slowed down, at least 1: the bot is suspended for the fraction 1 − 1/`slowdown` of
    /// the time, such as one half for the factor 2. It has no effect on Windows, where bots are not suspended.
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
