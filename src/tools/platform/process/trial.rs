//! What a bot on trial meets beside the turns of a game.

/// What a bot on trial meets beside the turns of a game. By default, nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Whether its processes, threads and sockets are counted.
    pub counted: bool,
    /// Whether lines of `data` and `globaldata` stand behind a record in simple interaction.
    pub with_data: bool,
    /// Whether its input ends behind the first turn.
    pub input_ends: bool,
    /// How many times as long it takes for its work, from 1: it is stopped again and again, where the system can.
    pub slower: f64,
}

impl Default for Trial {
    fn default() -> Trial {
        Trial {
            counted: false,
            with_data: false,
            input_ends: false,
            slower: 1.0,
        }
    }
}
