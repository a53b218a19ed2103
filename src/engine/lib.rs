//! The bot: the rules, a static evaluation, a search, and a session with the platform.
//!
//! From the bottom up: [`board`] holds the rules, [`movegen`] lists moves, [`bitboard`] floods sets of squares, [`eval`] judges
//! positions, [`mcts`] searches, [`clock`] tells the time of a turn, [`budget`] says how long a search may go on, and
//! [`botzone`] talks to the platform. [`cli`] reads the bot's command line, [`console`] writes to standard output and error,
//! [`bench`](mod@bench) measures and signs the search, and [`inspect`] shows what a tree holds.

pub mod bench;
pub mod bitboard;
pub mod board;
pub mod botzone;
pub mod budget;
pub mod cli;
pub mod clock;
pub mod console;
pub mod eval;
pub mod inspect;
pub mod mcts;
pub mod movegen;
