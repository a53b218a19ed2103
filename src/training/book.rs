//! `amazons selfplay book`: writes an opening book, the tree of the first plies of self-play games with win
//! probabilities.
//!
//! The start position is its own mirror image: a game and its mirror image count as the same game. After a header line,
//! a book has one line for each move of the tree, in depth-first order. Of moves from the same position, the move with
//! the most games comes first. A line contains, in this order:
//!
//! - the ply, from 1
//! - the move
//! - the number of games
//! - the win probability, in percent, of the player who makes the move, by a search of the position after it

use super::games::{self, SelfPlayGame};
use analysis::position::{Searcher, analysis_settings};
use base::error::Result;
use base::files::OutputFile;
use base::{progress, workers};
use engine::board::{Board, Move, Square};
use engine::budget::Budget;
use engine::console::{escaped, print_error, with_noun};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Memory limit, in bytes, of the search tree for a position of the opening book.
const TREE_BYTES: usize = 64 << 20;

/// First bytes of an opening book, which identify the format. An existing output file is overwritten only if it begins
/// with these bytes or is empty.
const MAGIC: &str = "# amazons book";

/// Options of `amazons selfplay book`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// File of self-play games
    #[arg(value_name = "FILE")]
    games: PathBuf,
    /// Number of plies taken from each game
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=50))]
    plies: u8,
    /// Minimum number of games for a move; moves of fewer games are left out
    #[arg(long = "least", value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    min_games: u32,
    /// Search iterations for each position of the book
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Number of positions searched at the same time [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// File for the opening book
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Number of games that begin with each sequence of moves. The key is the sequence, from the start position. A game and
/// its mirror image (left and right exchanged) count as the same game.
type GameCounts = BTreeMap<Vec<Move>, u32>;

/// Writes the opening book. Returns the exit code: 0, or 130 if Ctrl-C ended the command before the book was written.
///
/// # Errors
/// If the games can't be read, the book can't be written, or a thread can't be started.
pub fn run(args: &Args) -> Result<u8> {
    let is_ours = |content: &[u8]| content.starts_with(MAGIC.as_bytes());
    let target = OutputFile::replacing_if(&args.out, "a book", is_ours)?;
    let stored = games::read(&args.games)?;
    let counts = count_games(&stored.games, args);
    let lines = lines_depth_first(&counts);
    let Some(win_probabilities) = win_probabilities(&lines, args)? else {
        return Ok(workers::EXIT_INTERRUPTED);
    };
    let games = with_noun(stored.games.len() as u64, "game", "games");
    let (played, searched) = (stored.settings.iterations, args.iterations);
    let mut text = format!(
        "{MAGIC}: {games} of {played} iterations a move, win probabilities by {searched}\n"
    );
    for (line, win_probability) in lines.iter().zip(win_probabilities) {
        let (plies, games) = (line.len(), counts[*line]);
        let turn = line[plies - 1].to_string().replace(' ', "");
        text += &format!("{plies} {turn} {games} {:.0}\n", 100.0 * win_probability);
    }
    target.write(text.as_bytes())?;
    let name = args.out.display().to_string();
    let moves = with_noun(lines.len() as u64, "move", "moves");
    print_error(format_args!("{}: {moves}", escaped(&name)));
    Ok(0)
}

/// Returns, for each sequence of at most `args.plies` moves, the number of games that begin with it. Leaves out
/// sequences of fewer than `args.min_games` games.
fn count_games(games: &[SelfPlayGame], args: &Args) -> GameCounts {
    let mut counts = GameCounts::new();
    for game in games {
        let moves = game.plies.iter().take(args.plies.into());
        let line = canonical_line(moves.map(|ply| ply.turn).collect());
        for plies in 1..=line.len() {
            *counts.entry(line[..plies].to_vec()).or_default() += 1;
        }
    }
    counts.retain(|_, games| *games >= args.min_games);
    counts
}

/// Returns all sequences of moves in `counts`, in the depth-first order of a tree: each sequence comes before those
/// that continue it. Among sequences that differ in the last move only, those with more games come first.
fn lines_depth_first(counts: &GameCounts) -> Vec<&Vec<Move>> {
    let mut lines: Vec<&Vec<Move>> = counts.keys().collect();
    lines.sort_by_cached_key(|line| {
        let rank = |plies: usize| (Reverse(counts[&line[..plies]]), line[plies - 1]);
        (1..=line.len()).map(rank).collect::<Vec<_>>()
    });
    lines
}

/// Searches the position after each sequence of moves in `lines`, in parallel. Returns, for each sequence, the win
/// probability (0 to 1) of the player who made its last move. Returns `None` after Ctrl-C.
///
/// # Errors
/// If a thread can't be started or the Ctrl-C handler can't be installed.
fn win_probabilities(lines: &[&Vec<Move>], args: &Args) -> Result<Option<Vec<f32>>> {
    let searcher = Searcher {
        budget: Budget::Iterations(args.iterations),
        settings: analysis_settings(TREE_BYTES, 1),
        multipv: 1,
        stop: workers::stop_on_interrupt()?,
    };
    let progress = progress::bar(lines.len() as u64, "moves, {eta} to go");
    let win_probability = |line: &&Vec<Move>| {
        let (&last, before) = line.split_last()?;
        let mut board = Board::start();
        for &turn in before {
            board.play(turn).expect("games are legal");
        }
        progress.inc(1);
        Some(searcher.search_after(&board, last)?.win_probability)
    };
    let threads = args.concurrency.map_or(0, usize::from);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let win_probabilities = pool.install(|| lines.par_iter().map(win_probability).collect());
    progress.finish_and_clear();
    Ok(win_probabilities)
}

/// Returns the canonical form of `line`, a sequence of moves from the start position: the smaller, in the order of
/// `Vec<Move>`, of the sequence and its mirror image (left and right exchanged). So a game and its mirror image give
/// the same sequence.
fn canonical_line(line: Vec<Move>) -> Vec<Move> {
    let mirrored = |square: Square| Square::wrapping(square.index() as u32 ^ 7);
    let mirror_image = line.iter().map(|turn| Move {
        from: mirrored(turn.from),
        to: mirrored(turn.to),
        arrow: mirrored(turn.arrow),
    });
    let mirror_image = mirror_image.collect();
    line.min(mirror_image)
}
