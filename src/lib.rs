//! The Game of the Amazons on 8×8: the rules, a static evaluation, a search, and the Botzone bot that is made
//! of them.
//!
//! # For other programs
//!
//! [`board`], [`movegen`], [`eval`] and [`mcts`] are the library. Everything else is the program's own and may
//! change at any time.
//!
//! Play a game:
//!
//! ```
//! use amazons::{board::Board, mcts::{Params, Search}};
//!
//! let mut search = Search::new(Board::start(), 32 << 20, 1, Params::default());
//! while search.board().arrow_count() < 6 {
//!     search.run(|iterations| iterations < 200);
//!     let best = search.best_move().expect("a game lasts longer than six turns");
//!     search.advance_root(best)?;
//! }
//! println!("{}", search.board());
//! # Ok::<(), amazons::board::IllegalMove>(())
//! ```
//!
//! Analyse a position:
//!
//! ```
//! use amazons::{board::Board, eval, mcts::{Params, Search}};
//!
//! let mut board = Board::start();
//! board.play("c1 c6 f6".parse()?)?;
//! let black_wins = eval::probability(eval::log_odds(eval::evaluate_board(&board)));
//! let mut search = Search::new(board, 32 << 20, 1, Params::default());
//! search.run(|iterations| iterations < 1000);
//! let report = search.report();
//! println!("at a glance black wins with {black_wins}, after a search white with {}", report.win_probability);
//! println!("best play: {:?}", report.principal_variation);
//! # assert!((0.0..1.0).contains(&black_wins) && report.iterations == 1000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Count the sequences of moves (perft):
//!
//! ```
//! use amazons::{board::Board, movegen};
//!
//! assert_eq!(movegen::perft(&mut Board::start(), 2), 1_331_198);
//! ```
//!
//! # Its parts
//!
//! The engine is a crate of its own, `amazons-engine`, so that it is compiled as one unit and the tools beside it are not.
//! The feature `tools` adds the local tools, `analysis` those of them that the page for the browser is made of.

pub use amazons_engine::{board, eval, mcts, movegen};

#[doc(hidden)]
pub use amazons_engine::{bench, bitboard, botzone, budget, cli, clock, console};
#[cfg(feature = "analysis")]
#[doc(hidden)]
pub mod tools;
