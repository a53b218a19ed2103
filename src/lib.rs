//! The Game of the Amazons on 8×8: the rules, a static evaluation, a tree search, and the Botzone bot built from them.
//!
//! # For other programs
//!
//! [`board`], [`movegen`], [`eval`], [`mcts`] and, with the feature `analysis`, [`analysis`] are the public API.
//! Everything else is internal and may change at any time. The crate is not on crates.io: depend on a copy of its
//! repository.
//!
//! ```toml
//! [dependencies]
//! amazons = { path = "path/to/this/repository", default-features = false, features = ["analysis"] }
//!
//! # A search is many times slower without optimisation, also while you debug your own program.
//! [profile.dev.package.amazons-engine]
//! opt-level = 3
//! ```
//!
//! `git = "…"` with the address of a repository works, too. Without default features, the local tools and their
//! dependencies are not compiled.
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
//! Analyse a position, without and with a search. [`eval::evaluate_board`] is a sum of five components, positive if
//! black is ahead. [`eval::Networks::win_probability`] also uses the value network, and a [`mcts::Report`] is the
//! result of a search; both give the win probability of the player to move.
//!
//! ```
//! use amazons::{board::Board, eval::{self, Networks}, mcts::{Params, Search}};
//! use std::time::{Duration, Instant};
//!
//! let mut board = Board::start();
//! board.play("c1 c6 f6".parse()?)?;
//! println!("black: {}", eval::probability(eval::log_odds(eval::evaluate_board(&board))));
//! println!("white: {}", Networks::default().win_probability(&board));
//!
//! let mut search = Search::new(board, 32 << 20, 1, Params::default());
//! search.run(|iterations| iterations < 1000);    // the same every time
//! let limit = Instant::now() + Duration::from_millis(50);
//! search.run(|_| Instant::now() < limit);        // until a time
//! let report = search.report();
//! println!("white: {}, best play: {:?}", report.win_probability, report.principal_variation);
//! # assert!(report.visits > 0 && !report.principal_variation.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`analysis`] ranks the moves of a position and searches with several threads.
//!
//! Count the sequences of moves (perft):
//!
//! ```
//! use amazons::{board::Board, movegen};
//!
//! assert_eq!(movegen::perft(&mut Board::start(), 2), 1_331_198);
//! ```
//!
//! # Structure
//!
//! Each folder of `src` with a `Cargo.toml` is a crate; this crate re-exports what other programs may use. The feature
//! `tools` adds the local tools, and `analysis` adds the module of that name.

pub use engine::{board, eval, mcts, movegen};

/// Ranks the moves of a position, and searches with several threads.
///
/// ```
/// use amazons::analysis::{Budget, SearchSettings, SearchedPosition, TreeParallel};
/// use amazons::board::Board;
/// use std::time::Duration;
///
/// // Two threads, 64 MiB in total, seed 1. The budget is a time, or a number of iterations for all threads together.
/// let mut search = TreeParallel::new(&Board::start(), &SearchSettings::new(64 << 20, 2, 1));
/// search.search(Budget::Time(Duration::from_millis(50)), || false);
/// search.search(Budget::Iterations(2000), || false);
///
/// // Print the three best moves.
/// let position = SearchedPosition::new(&search, 3, None);
/// for found in &position.candidates {
///     println!(
///         "{}: {} visits, win probability {}{}, then {:?}",
///         found.turn,
///         found.visits,
///         found.win_probability,
///         if found.proven { " for certain" } else { "" },
///         &found.principal_variation[1..],
///     );
/// }
/// # let best = position.report.principal_variation[0];
/// # assert_eq!((position.candidates.len(), position.candidates[0].turn), (3, best));
/// # assert_eq!(position.report.iterations, 2000);
/// ```
#[cfg(feature = "analysis")]
pub mod analysis {
    pub use analysis::position::{Candidate, SearchedPosition};
    pub use analysis::tree_parallel::{SearchSettings, SearchedTurn, TreeParallel};
    pub use engine::budget::Budget;
}
