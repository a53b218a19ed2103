//! `amazons analyze --proven`: measures how many plies before the end of a game the search proves the winner.

use super::{SearchArgs, for_each_game};
use analysis::analysed::Source;
use analysis::position::Searcher;
use base::error::ToolError;
use base::workers;
use engine::console::{escaped, print, with_noun};
use record::checked_game::{CheckedGame, Outcome};

/// Result for one game: (number of positions before its end in which the search proves the winner, iterations of all
/// its searches).
type ProvenEnd = (usize, u64);

/// Searches each game from its end backward, until the first position in which no winner is proven. Prints a line for
/// each game, then a summary. Skips games that did not end with a player without moves. Returns the exit code: 130
/// after Ctrl-C, else 2 if a game could not be read, else 0.
///
/// # Errors
/// If no game was played to its end, a network file can't be read, or standard output can't be written.
pub fn run(args: &SearchArgs) -> Result<u8, ToolError> {
    let (sources, all_read) = args.input.read();
    let ended: Vec<&Source> = sources
        .iter()
        .filter(|source| matches!(source.game.outcome(), Outcome::NoMove { .. }))
        .collect();
    if ended.is_empty() {
        return Err("--proven: expected a game that was played until its loser had no move".into());
    }
    let stop = workers::stop_on_interrupt()?;
    let searcher = args.searcher(1, stop)?;
    let mut all = Vec::new();
    let work = |source: &Source| Some((source.title.clone(), proven_end(&searcher, &source.game)?));
    let code = for_each_game(args, all_read, &ended, work, |(title, found)| {
        all.push(found);
        let plies = with_noun(found.0 as u64, "ply", "plies");
        Ok(format!(
            "{}: proven {plies} before the end\n",
            escaped(&title)
        ))
    })?;
    if !all.is_empty() {
        print(summary(&mut all))?;
    }
    Ok(code)
}

/// Searches the positions of `game` from its end backward, until the first without proof. Returns `None` after Ctrl-C.
fn proven_end(searcher: &Searcher, game: &CheckedGame) -> Option<ProvenEnd> {
    // The final position needs no search: the player without a move has lost.
    let (mut plies, mut iterations) = (0, 0);
    for at in (0..game.plies()).rev() {
        let (is_proven, more) = searcher.proof(&game.board_at(at))?;
        iterations += more;
        if !is_proven {
            break;
        }
        plies = game.plies() - at;
    }
    Some((plies, iterations))
}

/// Returns the summary of all games: median and mean of the proven plies, and the total number of iterations.
///
/// # Panics
/// If `all` is empty.
fn summary(all: &mut [ProvenEnd]) -> String {
    all.sort_unstable();
    let games = with_noun(all.len() as u64, "game", "games");
    let median = all[all.len() / 2].0;
    let mean = all.iter().map(|found| found.0).sum::<usize>() as f64 / all.len() as f64;
    let iterations: u64 = all.iter().map(|found| found.1).sum();
    format!(
        "{games}, proven before the end: median {median} plies, mean {mean:.2}; {iterations} iterations\n"
    )
}
