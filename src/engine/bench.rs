//! Benchmark of the search, run by [`run`]: searches fixed positions, and reports the speed and a signature, which is a
//! checksum of the search results.
//!
//! A code change that leaves the signature unchanged did not change the results of these searches.

use crate::board::{Board, Move};
use crate::clock::Clock;
use crate::mcts::{Params, Search};
use std::fmt;
use std::time::Duration;

/// Moves of a complete game that the bot played against itself. Each line is one turn: the amazon's start square, its
/// destination and the square of its arrow, such as `c1 c7 g7`. The benchmark searches every sixth position of this
/// game.
const GAME: &str = include_str!("bench/game.txt");

/// Number of plies from one benchmark position to the next.
const PLY_INTERVAL: usize = 6;

/// Memory limit of the search tree, in bytes: 64 MiB. Each benchmark position is searched with its own, empty tree.
const TREE_BYTES: usize = 64 << 20;

/// Returns the positions that the benchmark searches: every sixth position of a game that is compiled into the program,
/// beginning with the start position.
///
/// # Panics
/// Never, because all moves of this game are legal.
#[must_use]
pub fn positions() -> Vec<Board> {
    let mut board = Board::start();
    let mut positions = Vec::new();
    for (ply, line) in GAME.lines().enumerate() {
        if ply % PLY_INTERVAL == 0 {
            positions.push(board.clone());
        }
        let played = line.parse::<Move>().ok().map(|turn| board.play(turn));
        assert!(played == Some(Ok(())), "ply {ply} of the game is legal");
    }
    positions
}

/// Result of the benchmark: a checksum of the results of all searches, and three totals over all benchmark positions.
/// The totals are search iterations, evaluated positions, and wall time.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Checksum of the results of all searches. Equal checksums mean, almost certainly, equal results. It is the 64-bit
    /// FNV-1a hash, folded to 32 bits, of each search's best move, visits of this move, number of evaluations and win
    /// probability.
    pub signature: u32,
    /// Total number of search iterations on all positions.
    pub iterations: u64,
    /// Number of positions that the searches have evaluated by the linear evaluation (a weighted sum of position
    /// features), added up over all benchmark positions.
    pub evaluations: u64,
    /// Wall time of the searches, added up over all benchmark positions.
    pub elapsed: Duration,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_second = |count: u64| (count as f64 / self.elapsed.as_secs_f64()) as u64;
        writeln!(f, "signature: {}", self.signature)?;
        writeln!(f, "iterations/s: {}", per_second(self.iterations))?;
        writeln!(f, "evaluations/s: {}", per_second(self.evaluations))
    }
}

/// Runs the benchmark: searches every benchmark position for `iterations` iterations. Every search starts with an empty
/// tree and the same random seed. Returns a checksum of the search results, and the totals of search iterations,
/// evaluated positions, and wall time.
#[must_use]
pub fn run(iterations: u64) -> Summary {
    let mut summary = Summary::default();
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for board in positions() {
        let mut search = Search::new(board, TREE_BYTES, 1, Params::default());
        let clock = Clock::wall_only();
        search.run(|done| done < iterations);
        summary.elapsed += clock.elapsed();
        let report = search.report();
        summary.iterations += report.iterations;
        summary.evaluations += report.evaluations;
        let best = search.best_move().map_or([u8::MAX; 6], Move::coordinates);
        hash = fnv1a(hash, &best);
        hash = fnv1a(hash, &report.visits.to_le_bytes());
        hash = fnv1a(hash, &report.evaluations.to_le_bytes());
        hash = fnv1a(hash, &report.win_probability.to_bits().to_le_bytes());
    }
    summary.signature = (hash ^ (hash >> 32)) as u32;
    summary
}

/// Continues a 64-bit FNV-1a hash (Fowler, Noll, Vo 1991). Given the `hash` of some data, returns the hash of the same
/// data followed by `bytes`.
fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
