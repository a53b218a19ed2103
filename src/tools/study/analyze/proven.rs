//! `amazons analyze --proven`: searches each game backward from its end, and measures for how many plies before the end
//! the search proves the winner.

use super::{SearchArgs, for_each_game};
use analysis::analysed::TitledGame;
use analysis::position::Searcher;
use base::error::Result;
use base::workers;
use engine::console::{escaped, print, with_noun};
use record::checked_game::{CheckedGame, Outcome};

/// Result of the searches for one game. They go backward from its end, until the first search that does not prove a
/// winner. First: number of plies before the end for which the winner is proven. Second: number of iterations of all
/// searches, including the last one.
type ProvenEnd = (usize, u64);

/// Searches the positions of each game backward from the end, until a search can't prove the winner. Prints for each
/// game for how many plies before the end the winner is proven, then a summary of all games. Leaves out unfinished
/// games, and games that ended because the judge rejected an answer.
///
/// Returns the exit code: 130 after Ctrl-C, else 2 if a game could not be read, else 0.
///
/// # Errors
/// If all games are left out, if a network file can't be read, or if standard output can't be written.
pub fn run(args: &SearchArgs) -> Result<u8> {
    let (sources, all_read) = args.input.read();
    let is_ended = |source: &&TitledGame| matches!(source.game.outcome(), Outcome::NoMove { .. });
    let ended: Vec<&TitledGame> = sources.iter().filter(is_ended).collect();
    if ended.is_empty() {
        return Err("--proven: expected a game that was played until its loser had no move".into());
    }
    let stop = workers::stop_on_interrupt()?;
    let searcher = args.searcher(1, stop)?;
    let mut all = Vec::new();
    let work =
        |source: &TitledGame| Some((source.title.clone(), proven_end(&searcher, &source.game)?));
    let code = for_each_game(args, all_read, &ended, work, |(title, found)| {
        all.push(found);
        let plies = with_noun(found.0 as u64, "ply", "plies");
        let title = escaped(&title);
        Ok(format!("{title}: proven {plies} before the end\n"))
    })?;
    if !all.is_empty() {
        print(format_summary(&mut all))?;
    }
    Ok(code)
}

/// Searches the positions of `game` backward from the end, until the search can't prove the winner of a position.
/// Returns first the number of plies before the end for which the winner is proven, second the number of iterations of
/// all searches. Returns `None` after Ctrl-C.
fn proven_end(searcher: &Searcher, game: &CheckedGame) -> Option<ProvenEnd> {
    // `plies` is the number of plies before the end for which the winner is proven. The final position needs no search:
    // the player to move there has lost. So the first search is of the position one ply before the end.
    let (mut plies, mut iterations) = (0, 0);
    for at in (0..game.plies()).rev() {
        let (is_proven, more) = searcher.search_for_proof(&game.board_at(at))?;
        iterations += more;
        if !is_proven {
            break;
        }
        plies = game.plies() - at;
    }
    Some((plies, iterations))
}

/// Formats the summary of all games. For each game, the number of plies before the end for which the winner is proven
/// is known. The summary has the median and the mean of these numbers, and the total number of search iterations.
///
/// # Panics
/// If `all` is empty.
fn format_summary(all: &mut [ProvenEnd]) -> String {
    all.sort_unstable();
    let games = with_noun(all.len() as u64, "game", "games");
    let median = all[all.len() / 2].0;
    let mean = all.iter().map(|found| found.0).sum::<usize>() as f64 / all.len() as f64;
    let iterations: u64 = all.iter().map(|found| found.1).sum();
    let plies = format!("median {median} plies, mean {mean:.2}");
    format!("{games}, proven before the end: {plies}; {iterations} iterations\n")
}
