//! The engine of the bot: rules of the game, evaluation, search, and play on Botzone.
//!
//! - [`board`]: board and rules
//! - [`movegen`]: generation of legal moves
//! - [`bitboard`]: sets of squares that amazons can reach
//! - [`eval`]: evaluation of positions
//! - [`mcts`]: Monte-Carlo tree search
//! - [`clock`]: measurement of a turn's time
//! - [`budget`]: limit of a search by time or iterations
//! - [`botzone`]: protocols of the platform
//! - [`cli`]: command line of the bot
//! - [`console`]: standard output and standard error
//! - [`bench`](mod@bench): benchmark of the search
//! - [`inspect`]: read access to the search tree for other crates

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
