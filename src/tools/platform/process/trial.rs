//! What a bot on trial meets beside the turns of a game.

/// What a bot on trial meets beside the turns of a game. By default, nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Whether its processes, threads and sockets are counted.
    pub counted: bool,
    /// Whether lines of `data` and `globaldata` stand behind a record in simple interaction.
    pub with_data: bool,
    /// Turns of a process behind which its input ends.
    pub turns_of_input: usize,
    /// How many times as long it takes for its work, from 1: it is stopped again and again, where the system can.
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
