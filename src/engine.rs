//! The engine: the rules, a static evaluation, a search, and the Botzone bot that is made of them.
//!
//! From the bottom up: [`board`] holds the rules, [`movegen`] lists moves, `bitboard` floods sets of squares, [`eval`] judges
//! positions, [`mcts`] searches, `clock` tells the time of a turn, `budget` says how long a search may go on, and
//! `botzone` talks to the platform. `cli` reads the bot's command line, and `bench` measures and signs the search.

pub mod board;
pub mod eval;
pub mod mcts;
pub mod movegen;

#[doc(hidden)]
pub mod bench;
#[doc(hidden)]
pub mod bitboard;
#[doc(hidden)]
pub mod botzone;
#[doc(hidden)]
pub mod budget;
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod clock;
#[doc(hidden)]
pub mod console;
