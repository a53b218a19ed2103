//! `amazons selfplay`: games of the engine against itself, with results, for fitting the evaluation.

use super::ToolError;
use super::arena::schedule::{self, Shard};
use super::games::{self, SelfPlayGame};
use super::workers;
use crate::board::{Board, Player};
use crate::mcts::{Params, Search};
use crate::movegen;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Memory of a search, in bytes: a few hundred iterations need no more.
const MEMORY: usize = 4 << 20;

/// Let the engine play itself and write the games with their results
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Games to be played
    #[arg(long, default_value_t = 20_000)]
    games: u32,
    /// Iterations a move
    #[arg(long, default_value_t = 300)]
    iterations: u64,
    /// File to which games are appended; what it holds already is not played again
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Fewest random plies of an opening
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=20))]
    min_plies: u8,
    /// Most random plies of an opening
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u8).range(0..=20))]
    max_plies: u8,
    /// Seed of openings and searches
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time, each on a core of its own [default: the cores there are]
    #[arg(long)]
    concurrency: Option<usize>,
    /// Play only this share of the games, for example 2/8
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
}

/// Plays the games that are missing; returns the exit code.
///
/// # Errors
/// If the file can't be read or written, or the arguments do not go together.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    if args.min_plies > args.max_plies {
        return Err("--min-plies: expected no more than --max-plies".into());
    }
    let (mut file, there) = games::append(&args.out)?;
    let there: HashSet<u32> = there.iter().map(|game| game.number).collect();
    let mine = |number: &u32| *number as usize % args.shard.count == args.shard.index;
    let missing: Vec<u32> = (0..args.games)
        .filter(mine)
        .filter(|number| !there.contains(number))
        .collect();
    let progress = progress(missing.len());
    let stop = workers::stop_on_interrupt()?;
    let play = |number: u32| (!stop.load(Ordering::SeqCst)).then(|| play(args, number));
    workers::run(&missing, args.concurrency, play, |game: SelfPlayGame| {
        file.write_all(&game.to_bytes())?;
        progress.inc(1);
        Ok(())
    })?;
    progress.finish_and_clear();
    let (games, _) = games::read(&args.out)?;
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    println!(
        "{}: {} games, {plies} plies",
        args.out.display(),
        games.len()
    );
    Ok(if stop.load(Ordering::SeqCst) {
        workers::INTERRUPTED
    } else {
        0
    })
}

fn progress(games: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} to go");
    ProgressBar::new(games as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Plays a game from its random opening to its end.
fn play(args: &Args, number: u32) -> SelfPlayGame {
    let span = usize::from(args.max_plies - args.min_plies) + 1;
    let plies = usize::from(args.min_plies) + number as usize % span;
    let mut board = Board::start();
    let mut moves = Vec::new();
    for turn in schedule::opening(args.seed, number as usize, plies) {
        board.play(turn).expect("an opening is legal");
        moves.push((turn, 0.0));
    }
    let seed = args.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(number);
    let mut search = Search::new(board, MEMORY, seed, Params::default());
    while movegen::count(search.board()) > 0 {
        search.run(|iterations| iterations < args.iterations);
        let turn = search.best_move().expect("there is a move");
        moves.push((turn, search.report().win_probability));
        search.advance_root(turn).expect("the best move is legal");
    }
    let winner = if search.board().to_move() == Player::Black {
        Player::White
    } else {
        Player::Black
    };
    SelfPlayGame {
        number,
        opening: plies as u8,
        winner: winner as u8,
        moves,
    }
}
