//! A bot for the Game of the Amazons on 8×8, made for Botzone.
//!
//! From the bottom up: [`board`] holds the rules, [`movegen`] lists moves, [`bitboard`] floods sets of
//! squares, [`eval`] judges positions, [`mcts`] searches, [`clock`] keeps the time of a turn, and
//! [`botzone`] talks to the platform. [`options`] reads the command line, [`mod@bench`] measures and signs
//! the search. The feature `tools` adds the local tools.
#![deny(missing_docs, unsafe_code)]

pub mod bench;
pub mod bitboard;
pub mod board;
pub mod botzone;
pub mod clock;
pub mod console;
pub mod eval;
pub mod mcts;
pub mod movegen;
pub mod options;
#[cfg(feature = "tools")]
pub mod tools;
