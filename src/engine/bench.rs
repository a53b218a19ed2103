//! Benchmark of the search on fixed positions. Reports the speed, and a signature: a checksum of the search's results.
//!
//! A code change that keeps the signature does not change how the bot plays.

use crate::board::{Board, Move};
use crate::clock::Clock;
use crate::mcts::{Params, Search};
use std::fmt;
use std::time::Duration;

/// Moves of a self-play game. Every [`PLIES_APART`] plies, one of its positions is searched.
const GAME: &str = include_str!("bench/game.txt");

/// Number of plies between two benchmark positions.
const PLIES_APART: usize = 6;

/// Memory of the search tree, in bytes.
const MEMORY: usize = 64 << 20;

/// Returns the benchmark positions, from the start of a game to its endgame.
///
/// # Panics
/// Never: the compiled-in game is legal.
#[must_use]
pub fn positions() -> Vec<Board> {
    let mut board = Board::start();
    let mut positions = Vec::new();
    for (ply, line) in GAME.lines().enumerate() {
        if ply % PLIES_APART == 0 {
            positions.push(board.clone());
        }
        let played = line.parse::<Move>().ok().map(|turn| board.play(turn));
        assert!(played == Some(Ok(())), "ply {ply} of the game is legal");
    }
    positions
}

/// Results of one run of the benchmark.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Hash over the best move, visits, evaluations and win probability of every search.
    pub signature: u32,
    /// Number of iterations of all searches.
    pub iterations: u64,
    /// Number of positions that the linear evaluation computed in all searches.
    pub evaluations: u64,
    /// Duration of all searches.
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

/// Searches every benchmark position for `iterations` iterations, each with an empty tree and a fixed seed.
#[must_use]
pub fn run(iterations: u64) -> Summary {
    let mut summary = Summary::default();
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for board in positions() {
        let mut search = Search::new(board, MEMORY, 1, Params::default());
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

/// Continues a 64-bit FNV-1a hash (Fowler, Noll, Vo 1991) with `bytes`.
fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
