//! The engine: rules of the game, static evaluation, tree search, and the session with Botzone.
//!
//! Modules from the bottom up: [`board`] implements the rules, [`movegen`] generates moves, [`bitboard`] computes
//! reachable squares on bitboards, [`eval`] evaluates positions, [`mcts`] searches, [`clock`] measures the time of a
//! turn, [`budget`] limits a search by time or iterations, and [`botzone`] implements the protocol. [`cli`] parses the
//! bot's command line, [`console`] writes to standard output and standard error, [`bench`](mod@bench) measures the
//! speed of the search and prints its signature, and [`inspect`] gives other crates read access to the search tree.

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
