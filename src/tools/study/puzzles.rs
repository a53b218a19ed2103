//! `amazons puzzles`: searches games for puzzles, which are positions with one clearly best move.

use super::analyze::sources::Input;
use super::exit_code;
use analysis::position::{Searcher, analysis_settings};
use analysis::puzzle::{DEFAULT_ITERATIONS, Puzzle, Rejection, VERIFY_FACTOR};
use base::error::Result;
use base::files::OutputFile;
use base::progress;
use base::workers::{self, WorkerPool};
use engine::budget::Budget;
use engine::console::{escaped, print_error, with_noun};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Maximum memory of each search for puzzles, in bytes.
const SEARCH_MEMORY_BYTES: usize = 256 << 20;

/// First characters of every file that `amazons puzzles` writes. They tell such a file from others: an existing file is
/// overwritten only if it begins with them.
const FILE_HEADER: &str = "# amazons puzzles";

/// Make puzzles of games: positions with one clearly best move
///
/// A short search finds the positions, and a search with a hundred times as many iterations confirms them.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Iterations of the search that finds a puzzle; a hundred times as many check it
    #[arg(long, value_name = "N", default_value_t = DEFAULT_ITERATIONS, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    iterations: u64,
    /// Maximum number of puzzles of each kind and difficulty
    #[arg(long, value_name = "N", default_value_t = 10)]
    each: usize,
    /// Number of positions searched in parallel [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Searches all positions of all games for puzzles, and writes puzzles to the file of `--out`. In a puzzle, the best
/// move leads every other move by at least 10 percentage points of win probability. Writes at most `--each` puzzles of
/// each kind and difficulty, those with the largest leads. After Ctrl-C, uses the positions searched so far.
///
/// Returns the exit code: 130 after Ctrl-C, else 2 if a game could not be read, else 0.
///
/// # Errors
/// If the file can't be written, or if it exists and was not written by `amazons puzzles`.
pub fn run(args: &Args) -> Result<u8> {
    let is_ours = |content: &[u8]| content.starts_with(FILE_HEADER.as_bytes());
    let target = OutputFile::replacing_if(&args.out, "a file of puzzles", is_ours)?;
    let (sources, all_read) = args.input.read();
    let stop = workers::stop_on_interrupt()?;
    let searcher = Searcher {
        budget: Budget::Iterations(args.iterations),
        settings: analysis_settings(SEARCH_MEMORY_BYTES, 1),
        multipv: 1,
        stop,
    };
    let of_game = |game: usize| (0..sources[game].game.plies()).map(move |at| (game, at));
    let tasks: Vec<(usize, usize)> = (0..sources.len()).flat_map(of_game).collect();
    let progress = progress::bar(tasks.len() as u64, "positions, {eta} to go");
    let work = |(game, at): (usize, usize)| {
        let board = sources[game].game.board_at(at);
        Some((game, at, Puzzle::find(&board, args.iterations, &searcher)?))
    };
    let mut found = Vec::new();
    let mut rejected: BTreeMap<Rejection, usize> = BTreeMap::new();
    let pool = WorkerPool::for_tasks(args.concurrency.map(usize::from), tasks.len(), 1)?;
    pool.run(&tasks, work, |(game, at, puzzle)| {
        match puzzle {
            Ok(puzzle) => found.push((game, at, puzzle)),
            Err(refusal) => *rejected.entry(refusal).or_default() += 1,
        }
        progress.inc(1);
        Ok(())
    })?;
    progress.finish_and_clear();
    found.sort_by_key(|&(game, at, _)| (game, at));
    let positions = found.len() + rejected.values().sum::<usize>();
    let rejections = rejected.iter();
    let rejections = rejections.map(|(refusal, count)| format!(", {count} {refusal}"));
    let head = format!(
        "{FILE_HEADER}: {} iterations, checked by {}; {} of {}: {} found{}",
        args.iterations,
        VERIFY_FACTOR * args.iterations,
        with_noun(positions as u64, "position", "positions"),
        with_noun(sources.len() as u64, "game", "games"),
        found.len(),
        rejections.collect::<String>(),
    );
    let chosen = choose_puzzles(found, args.each);
    let lines = chosen.iter().map(|puzzle| format!("{puzzle}\n"));
    target.write(format!("{head}\n{}", lines.collect::<String>()).as_bytes())?;
    let puzzles = with_noun(chosen.len() as u64, "puzzle", "puzzles");
    let name = args.out.display().to_string();
    print_error(format_args!("{}: {puzzles}", escaped(&name)));
    Ok(exit_code(stop.load(Ordering::Relaxed), all_read))
}

/// Chooses at most `each` puzzles of each kind and difficulty, and at most one puzzle of each kind from a game. Returns
/// them from easy to hard, alternating between the kinds.
///
/// In each element of `found`, first: index of the game; second: number of plies before the puzzle's position; third:
/// the puzzle. Chooses first the puzzles whose best move has the largest lead in win probability over the second-best
/// move.
fn choose_puzzles(mut found: Vec<(usize, usize, Puzzle)>, each: usize) -> Vec<Puzzle> {
    found.sort_by_key(|(_, _, puzzle)| Reverse(puzzle.chances[0] - puzzle.chances[1]));
    // Puzzles chosen so far. First: index (from 0) of the game. Second: how many puzzles of the same kind and
    // difficulty were chosen before this one. Third: the puzzle. The puzzles are sorted by difficulty first, then by
    // the second part, so that the kinds alternate.
    let mut chosen: Vec<(usize, usize, Puzzle)> = Vec::new();
    for (game, _, puzzle) in found {
        let group = |puzzle: &Puzzle| (puzzle.kind, puzzle.difficulty);
        let is_in_group = |(.., other): &&(usize, usize, Puzzle)| group(other) == group(&puzzle);
        let before = chosen.iter().filter(is_in_group).count();
        let is_like = |(of, _, other): &(usize, usize, Puzzle)| {
            other.board == puzzle.board || (*of == game && other.kind == puzzle.kind)
        };
        if before < each && !chosen.iter().any(is_like) {
            chosen.push((game, before, puzzle));
        }
    }
    chosen.sort_by_key(|(_, before, puzzle)| (puzzle.difficulty, *before, puzzle.kind));
    chosen.into_iter().map(|(_, _, puzzle)| puzzle).collect()
}
