//! `amazons analyze`: searches every position of games, and compares each move played with the best moves found.

mod ordered_results;
mod proven;
pub mod render;
mod solved;
pub mod sources;

use super::exit_code;
use analysis::analysed::{Analysis, TitledGame};
use analysis::networks::NetworkFiles;
use analysis::position::{Searcher, analysis_settings};
use analysis::solved::Solved;
use analysis::tree_parallel::SearchSettings;
use base::error::Result;
use base::files::OutputFile;
use base::progress;
use base::workers::{self, WorkerPool};
use engine::botzone::options::{DAY_MS, MAX_MEMORY_MIB, Options};
use engine::budget::Budget;
use engine::cli::parse_number;
use engine::console::{escaped, print, print_error, with_noun};
use page_packer::PageEngine;

use ordered_results::OrderedResults;
use serde::Serialize;
use sources::Input;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Default of `--iterations`: how many search iterations each position gets.
const DEFAULT_ITERATIONS: u64 = 100_000;

/// Default of `--multipv`: how many of the best moves are found and printed for each position.
const DEFAULT_MULTIPV: u16 = 3;

/// The arguments of `amazons analyze`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    search: SearchArgs,
    /// Number of best moves to print for each position
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MULTIPV, value_parser = clap::value_parser!(u16).range(1..))]
    multipv: u16,
    /// Also print each square's ownership, from 1 (black) to -1 (white)
    #[arg(long)]
    ownership: bool,
    /// Print JSON lines: one for each game, then one for each ply
    #[arg(long)]
    json: bool,
    /// Write a report on all games: one self-contained page for the browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Page built by scripts/page, whose WebAssembly engine is copied into the report. Without it, the report can't
    /// search
    #[arg(long, value_name = "PAGE", requires = "html")]
    engine: Option<PathBuf>,
    /// Search each game backward from its end, as long as the winner is proven. Print how many plies before the end the
    /// winner is proven: for each game, and the median and mean of all games
    #[arg(long, conflicts_with_all = ["multipv", "ownership", "json", "html", "from_ply"])]
    proven: bool,
    /// Print for each game the ply from which the solver proves the winner, and the moves that gave a won game away. The
    /// positions are solved from the last one backward, until three in a row stay unsolved. With --html, the report shows
    /// this, too
    #[arg(long, conflicts_with_all = ["proven", "ownership", "from_ply"])]
    solve: bool,
    /// Maximum number of nodes that the solver searches for each position
    #[arg(long, value_name = "N", requires = "solve", default_value_t = 200_000,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// First ply to analyse in the first game; further games are analysed whole. An interrupted analysis prints the
    /// number with which to resume
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "html",
        value_parser = clap::value_parser!(u16).range(1..))]
    from_ply: u16,
}

/// The arguments that name the games and set the search of each position.
#[derive(Debug, clap::Args)]
pub struct SearchArgs {
    #[command(flatten)]
    input: Input,
    /// Number of search iterations for each position; results are the same on every machine
    #[arg(long, value_name = "N", default_value_t = DEFAULT_ITERATIONS, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Milliseconds for each position, instead of iterations
    #[arg(long, value_name = "N", conflicts_with = "iterations", value_parser = |word: &str| parse_number(word, 1, DAY_MS))]
    time_ms: Option<u64>,
    /// Memory of each search in MiB, at most 32768
    #[arg(long, value_name = "N", default_value_t = Options::default().memory as u64 >> 20, value_parser = |word: &str| parse_number(word, 1, MAX_MEMORY_MIB as u64))]
    memory_mb: u64,
    /// Number of threads of each search, which share its iterations and its tree. With more than one, equal searches may
    /// give different results
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads_per_position: u16,
    /// Number of positions searched in parallel [default: number of cores divided by the threads of each search]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    #[command(flatten)]
    networks: NetworkFiles,
}

impl Args {
    /// Checks that no option which only concerns searches is given, such as `--iterations`. `--solve` without `--html`
    /// searches no position, so such an option would have no effect.
    ///
    /// # Errors
    /// A message that names the first such option.
    fn check_no_search_options(&self) -> Result<(), String> {
        let search = &self.search;
        let asked = [
            ("--iterations", search.iterations != DEFAULT_ITERATIONS),
            ("--time-ms", search.time_ms.is_some()),
            ("--threads-per-position", search.threads_per_position != 1),
            ("--network", search.networks.network.is_some()),
            ("--policy", search.networks.policy.is_some()),
            ("--multipv", self.multipv != DEFAULT_MULTIPV),
        ];
        match asked.iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(format!("--solve with {name}: expected --html, too")),
            None => Ok(()),
        }
    }
}

impl SearchArgs {
    /// Returns the value of `--memory-mb` in bytes: the maximum memory of one search, or of the solver while it solves
    /// one game.
    const fn memory(&self) -> usize {
        (self.memory_mb as usize) << 20
    }

    /// Creates a searcher that finds the `multipv` best moves of a position. The arguments of the command line set the
    /// iterations or time for each position, the memory, the threads and the networks. If the flag `stop` is set, a
    /// running search ends early.
    ///
    /// # Errors
    /// If a network file can't be read.
    fn searcher<'a>(&self, multipv: usize, stop: &'a AtomicBool) -> Result<Searcher<'a>> {
        Ok(Searcher {
            budget: match self.time_ms {
                Some(time) => Budget::Time(Duration::from_millis(time)),
                None => Budget::Iterations(self.iterations),
            },
            settings: SearchSettings {
                networks: self.networks.read()?.networks,
                ..analysis_settings(self.memory(), self.threads_per_position.into())
            },
            multipv,
            stop,
        })
    }

    /// Returns a pool of threads for `tasks` tasks; a task is a position to search or a game to solve. Each thread does
    /// one task at a time. `--concurrency` sets the number of threads; by default it is the number of cores divided by
    /// the number of threads of one search. The pool has at most `tasks` threads.
    ///
    /// # Errors
    /// If the number of cores can't be determined.
    fn pool(&self, tasks: usize) -> Result<WorkerPool> {
        let at_a_time = self.concurrency.map(usize::from);
        WorkerPool::for_tasks(at_a_time, tasks, self.threads_per_position.into())
    }
}

/// Analyses the games and prints the results or writes a report. A game that can't be read is reported on standard
/// error and skipped. Returns the exit code: 130 after Ctrl-C, else 2 if a game was skipped, else 0.
///
/// # Errors
/// - If `--from-ply` is out of range.
/// - If `--solve` is given with a search option such as `--iterations`, but without `--html`. The option would have no
///   effect, because `--solve` alone uses the solver, not the search.
/// - If a network file or the page of `--engine` can't be read.
/// - If standard output or the report can't be written.
pub fn run(args: &Args) -> Result<u8> {
    if args.proven {
        return proven::run(&args.search);
    }
    if args.solve && args.html.is_none() {
        args.check_no_search_options()?;
        return solved::run(&args.search, args.nodes, args.json);
    }
    let (expected, is_replaceable) = (page_packer::UNMODIFIED_PAGE, page_packer::is_unmodified);
    let open = |path| OutputFile::replacing_if(path, expected, is_replaceable);
    let target = args.html.as_deref().map(open).transpose()?;
    let engine = args.engine.as_ref().map(|path| PageEngine::from_page(path));
    let engine = engine.transpose()?.unwrap_or_else(PageEngine::none);
    let mut games = Vec::new();
    let first = usize::from(args.from_ply);
    let on_game = |source: &TitledGame, game: Analysis, stop: &AtomicBool| {
        let solve = || Solved::of(&source.game, args.search.memory(), args.nodes, stop);
        let game = match args.solve.then(solve).flatten() {
            Some(solved) => game.with_solved(solved),
            None => game,
        };
        let printed = match args.json {
            true => json_lines(&game.summary.game, &game.summary, &game.plies)?,
            false if target.is_none() => render::format_analysis(&game, args.ownership),
            false => String::new(),
        };
        games.push(game);
        Ok(print(printed)?)
    };
    let result = analyze(first, &args.search, args.multipv.into(), on_game);
    // If an error has ended the analysis, the report is written all the same, with the games analysed until then.
    if let (Some(target), Some(path)) = (target, &args.html)
        && !games.is_empty()
    {
        target.write(page_packer::build_page(&games, &engine)?.as_bytes())?;
        let positions: usize = games.iter().map(|game| game.plies.len()).sum();
        let positions = with_noun(positions as u64, "position", "positions");
        let (name, games) = (path.display().to_string(), games.len() as u64);
        let games = with_noun(games, "game", "games");
        print_error(format_args!("{}: {games}, {positions}", escaped(&name)));
    }
    result
}

/// Searches all positions of all games, several positions at a time. Skips the positions of the first game that come
/// before ply `first` (counted from 1); 1 skips none.
///
/// Calls `on_game(game, analysis, stop)` for each game, in the order of the command line, as soon as it is analysed.
/// `stop` is the flag that Ctrl-C sets. After Ctrl-C, the last call may have a game of which only the first plies are
/// analysed.
///
/// Returns the exit code: 130 after Ctrl-C, else 2 if a game could not be read, else 0.
///
/// # Errors
/// - If `first` is larger than the number of positions of the first game, or if it is not 1 and a game can't be read.
/// - If a network file can't be read.
/// - If `on_game` fails.
pub fn analyze(
    first: usize,
    args: &SearchArgs,
    multipv: usize,
    mut on_game: impl FnMut(&TitledGame, Analysis, &AtomicBool) -> Result<()>,
) -> Result<u8> {
    let (sources, all_read) = args.input.read();
    check_from_ply(first, &sources, all_read)?;
    let stop = workers::stop_on_interrupt()?;
    let searcher = args.searcher(multipv, stop)?;
    let mut found = OrderedResults::new(&sources, first - 1);
    let tasks = found.tasks();
    let progress = progress::bar(tasks.len() as u64, "positions, {eta} to go");
    let work = |(number, at): (usize, usize)| {
        let game = &sources[number].game;
        let position = searcher.search_position(&game.board_at(at), game.move_at(at))?;
        Some(((number, at), position))
    };
    args.pool(tasks.len())?
        .run(&tasks, work, |(task, position)| {
            found.insert(task, position);
            progress.inc(1);
            while let Some((source, analysis)) = found.next_finished() {
                progress.suspend(|| on_game(source, analysis, stop))?;
            }
            Ok(())
        })?;
    progress.finish_and_clear();
    let Some(unfinished) = found.into_unfinished() else {
        // All searches are finished. Ctrl-C may have come after them, while `on_game` was solving the last game; the
        // exit code is then 130, too.
        return Ok(exit_code(stop.load(Ordering::Relaxed), all_read));
    };
    let on_part = |analysis| on_game(&sources[unfinished.index], analysis, stop);
    unfinished.analysis.map_or(Ok(()), on_part)?;
    print_error(resume_message(&sources[unfinished.index..], unfinished.ply));
    Ok(workers::EXIT_INTERRUPTED)
}

/// Calls `work` on each game, several games in parallel. As soon as `work` has returned the result for a game, converts
/// the result to text by `to_text` and prints the text.
///
/// - `all_read`: true if all games of the command line could be read; only affects the exit code.
/// - `work`: returns the result for a game; `None` after Ctrl-C.
///
/// Returns the exit code: 130 if a game has no result because of Ctrl-C, else 2 if `all_read` is false, else 0.
///
/// # Errors
/// The first error of `to_text`, or an error of standard output.
fn for_each_game<R: Send>(
    args: &SearchArgs,
    all_read: bool,
    games: &[&TitledGame],
    work: impl Fn(&TitledGame) -> Option<R> + Sync,
    mut to_text: impl FnMut(R) -> Result<String>,
) -> Result<u8> {
    let progress = progress::bar(games.len() as u64, "games, {eta} to go");
    let mut done = 0;
    args.pool(games.len())?.run(games, work, |found| {
        done += 1;
        progress.inc(1);
        let text = to_text(found)?;
        Ok(progress.suspend(|| print(text))?)
    })?;
    progress.finish_and_clear();
    Ok(exit_code(done < games.len(), all_read))
}

/// Checks that `first`, the value of `--from-ply`, is at most the number of positions of the first game. The default
/// value 1 is always accepted.
///
/// # Errors
/// - If `first` is larger than the number of positions of the first game.
/// - If `first` is not 1 and some game could not be read. The user may have meant `first` for the unreadable game, and
///   not for the first game that could be read.
fn check_from_ply(first: usize, sources: &[TitledGame], all_read: bool) -> Result<(), String> {
    if first == 1 {
        return Ok(());
    }
    if !all_read {
        return Err("--from-ply: expected every game to be readable".to_owned());
    }
    let positions = sources.first().map_or(0, |source| source.game.plies() + 1);
    if first > positions {
        return Err(format!("--from-ply {first}: expected 1 to {positions}"));
    }
    Ok(())
}

/// Returns the message to print after Ctrl-C. It says before which ply the analysis was interrupted, and which
/// arguments a new run needs to continue it, such as `--from-ply 12 game.json`.
///
/// - `sources`: the games that are not analysed completely, in the order of the command line.
/// - `next_ply`: the first ply of `sources[0]` that is not analysed, counted from 1.
fn resume_message(sources: &[TitledGame], next_ply: usize) -> String {
    let title = |source: &TitledGame| escaped(&source.title).to_string();
    let titles: Vec<String> = sources.iter().map(title).collect();
    let (title, plies) = (&titles[0], sources[0].game.plies());
    let place = format!("before ply {next_ply} of {plies} of {title}");
    let arguments = format!("--from-ply {next_ply} {}", titles.join(" "));
    format!("amazons: interrupted {place}; to go on: {arguments}")
}

/// Returns the results for a game as lines of JSON. The first line is `game`, the result for the whole game. Each
/// further line is an element of `parts`, such as the result for a position, with the extra key `game`, whose value is
/// `name`, the game's name.
fn json_lines<P: Serialize>(name: &str, game: &impl Serialize, parts: &[P]) -> Result<String> {
    #[derive(Serialize)]
    struct Line<'a, P> {
        game: &'a str,
        #[serde(flatten)]
        part: &'a P,
    }
    let mut text = serde_json::to_string(game)? + "\n";
    for part in parts {
        text += &(serde_json::to_string(&Line { game: name, part })? + "\n");
    }
    Ok(text)
}
