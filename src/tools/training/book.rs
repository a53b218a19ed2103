//! `amazons selfplay book`: the first plies of games of self-play as a tree, with win probabilities.
//!
//! The start is its own mirror image, so a game and its image count as one. A book holds a line for each move behind the start,
//! depth first, the most played of siblings first: its ply, the move, the number of games, and the win probability in % of
//! the player who makes it, by a search of the position behind it.

use super::games;
use crate::board::{Board, Move, Square};
use crate::budget::Budget;
use crate::console::{complain, counted, visible};
use crate::tools::analysis::position::{Searcher, means};
use crate::tools::support::error::ToolError;
use crate::tools::support::files::Target;
use crate::tools::support::{progress, workers};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Memory of a search, in bytes.
const MEMORY: usize = 64 << 20;

/// What books begin with.
const MARK: &str = "# amazons book";

/// What to make a book of.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// File of self-play games
    #[arg(value_name = "FILE")]
    games: PathBuf,
    /// Plies of each game
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=50))]
    plies: u8,
    /// Fewest games in which a move was played
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    least: u32,
    /// Iterations behind each move
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Positions at a time [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// The squares of a move by index: what moves are sorted by.
type Key = [usize; 3];

/// How many games begin with some moves.
type Counts = BTreeMap<Vec<Key>, u32>;

/// Writes the book. Returns the exit code; after Ctrl-C nothing is written.
///
/// # Errors
/// If the games can't be read, or the book can't be written.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    let is_ours = |content: &[u8]| content.starts_with(MARK.as_bytes());
    let target = Target::replacing(&args.out, "a book", is_ours)?;
    let stored = games::read(&args.games)?;
    let mut counts = Counts::new();
    for game in &stored.games {
        let moves = game.plies.iter().take(args.plies.into());
        let line = without_image(moves.map(|ply| key(ply.turn)).collect());
        for plies in 1..=line.len() {
            *counts.entry(line[..plies].to_vec()).or_default() += 1;
        }
    }
    counts.retain(|_, games| *games >= args.least);
    let mut lines = Vec::new();
    sorted_below(&counts, &[], &mut lines);
    let stop = workers::stop_on_interrupt()?;
    let searcher = Searcher {
        budget: Budget::Iterations(args.iterations),
        means: means(MEMORY, 1),
        multipv: 1,
        stop,
    };
    let progress = progress::bar(lines.len() as u64, "moves, {eta} to go");
    let mut chances = vec![None; lines.len()];
    let work = |at: usize| Some((at, chance(&searcher, &lines[at])?));
    let tasks: Vec<usize> = (0..lines.len()).collect();
    workers::run(
        &tasks,
        args.concurrency.map(usize::from),
        work,
        |(at, chance)| {
            chances[at] = Some(chance);
            progress.inc(1);
            Ok(())
        },
    )?;
    progress.finish_and_clear();
    let Some(chances) = chances.into_iter().collect::<Option<Vec<f32>>>() else {
        return Ok(workers::INTERRUPTED);
    };
    let iterations = stored.schedule.map_or(0, |schedule| schedule.iterations);
    let games = counted(stored.games.len() as u64, "game", "games");
    let mut text = format!(
        "{MARK}: {games} of {iterations} iterations a move, win probabilities by {}\n",
        args.iterations
    );
    for (line, chance) in lines.iter().zip(chances) {
        let turn = turn(line[line.len() - 1]).to_string().replace(' ', "");
        text += &format!(
            "{} {turn} {} {:.0}\n",
            line.len(),
            counts[line],
            100.0 * chance
        );
    }
    target.write(text.as_bytes())?;
    let name = args.out.display().to_string();
    complain(format_args!(
        "{}: {}",
        visible(&name),
        counted(lines.len() as u64, "move", "moves")
    ));
    Ok(0)
}

/// All lines behind some moves, each before those that go on from it, the most played of siblings first.
fn sorted_below(counts: &Counts, line: &[Key], lines: &mut Vec<Vec<Key>>) {
    let is_next = |next: &&Vec<Key>| next.len() == line.len() + 1 && next.starts_with(line);
    let mut next: Vec<Vec<Key>> = counts.keys().filter(is_next).cloned().collect();
    next.sort_by_key(|next| Reverse(counts[next]));
    for line in next {
        lines.push(line.clone());
        sorted_below(counts, &line, lines);
    }
}

/// Win probability behind a line for the player who makes its last move; nothing if the search was broken off.
fn chance(searcher: &Searcher, line: &[Key]) -> Option<f32> {
    let (&last, before) = line.split_last()?;
    let mut board = Board::start();
    for &key in before {
        board.play(turn(key)).expect("games are legal");
    }
    Some(searcher.after(&board, turn(last))?.win_probability)
}

/// A line or its image, whichever comes first.
fn without_image(line: Vec<Key>) -> Vec<Key> {
    let image = line
        .iter()
        .map(|key| key.map(|square| square ^ 7))
        .collect();
    line.min(image)
}

fn key(turn: Move) -> Key {
    [turn.from, turn.to, turn.arrow].map(Square::index)
}

fn turn(key: Key) -> Move {
    let [from, to, arrow] = key.map(|square| Square::wrapping(square as u32));
    Move { from, to, arrow }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_and_its_image_are_one() {
        let line = |moves: [&str; 2]| {
            without_image(
                moves
                    .map(|turn| key(turn.parse().expect("a move")))
                    .to_vec(),
            )
        };
        let one = line(["c1 c6 f6", "a6 a4 h4"]);
        assert_eq!(one, line(["f1 f6 c6", "h6 h4 a4"]));
        assert_ne!(one, line(["f1 f6 c6", "a6 a4 h4"]));
    }

    #[test]
    fn lines_stand_behind_what_they_go_on_from_the_most_played_first() {
        let counts = [
            (vec![[1; 3]], 2),
            (vec![[2; 3]], 5),
            (vec![[2; 3], [3; 3]], 2),
            (vec![[2; 3], [4; 3]], 3),
        ];
        let mut lines = Vec::new();
        sorted_below(&counts.into_iter().collect(), &[], &mut lines);
        assert_eq!(
            lines,
            [
                vec![[2; 3]],
                vec![[2; 3], [4; 3]],
                vec![[2; 3], [3; 3]],
                vec![[1; 3]]
            ]
        );
    }
}
