//! `amazons analyze`: searches every position of games, and compares each move played with the best moves.

mod collected;
pub mod printed;
mod proven;
mod solved;
pub mod sources;

use super::exit_code;
use analysis::analysed::{Analysis, Source};
use analysis::networks::NetworkFiles;
use analysis::position::{Searcher, means};
use analysis::root_parallel::Means;
use analysis::solved::Solved;
use base::error::ToolError;
use base::files::Target;
use base::progress;
use base::workers::{self, Team};
use engine::botzone::options::{DAY_MS, MAX_MEMORY_MB, Options};
use engine::budget::Budget;
use engine::cli::number;
use engine::console::{complain, counted, print, visible};
use page_packer::Engine;

use collected::Collected;
use serde::Serialize;
use sources::Input;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Default number of iterations for each position.
const ITERATIONS: u64 = 100_000;

/// Default number of best moves to print for each position.
const MULTIPV: u16 = 3;

/// The arguments of `amazons analyze`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    search: SearchArgs,
    /// Number of best moves to print for each position
    #[arg(long, value_name = "N", default_value_t = MULTIPV, value_parser = clap::value_parser!(u16).range(1..))]
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
    /// Page of scripts/page whose engine thinks on in the report, too
    #[arg(long, value_name = "PAGE", requires = "html")]
    engine: Option<PathBuf>,
    /// Say how many plies before its end each game is proven, and the median of all: search backward, to the first position that
    /// is not
    #[arg(long, conflicts_with_all = ["multipv", "ownership", "json", "html", "from_ply"])]
    proven: bool,
    /// Say from which ply on each game is decided whatever both play, and which moves threw a won game away: solve backward from
    /// the end, until three positions in a row stay open. With --html the report says it, beside what the search finds
    #[arg(long, conflicts_with_all = ["proven", "ownership", "from_ply"])]
    solve: bool,
    /// Nodes that the solver looks at for each position at most
    #[arg(long, value_name = "N", requires = "solve", default_value_t = 200_000,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// First ply to analyse of the first game, as an interrupted analysis names it
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "html",
        value_parser = clap::value_parser!(u16).range(1..))]
    from_ply: u16,
}

/// The arguments that name the games and set the search of each position.
#[derive(Debug, clap::Args)]
pub struct SearchArgs {
    #[command(flatten)]
    input: Input,
    /// Iterations for each position: results are repeatable
    #[arg(long, value_name = "N", default_value_t = ITERATIONS, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Milliseconds for each position, instead of iterations
    #[arg(long, value_name = "N", conflicts_with = "iterations", value_parser = |word: &str| number(word, 1, DAY_MS))]
    time_ms: Option<u64>,
    /// MiB for each search, at most 32768
    #[arg(long, value_name = "N", default_value_t = Options::default().memory as u64 >> 20, value_parser = |word: &str| number(word, 1, MAX_MEMORY_MB as u64))]
    memory_mb: u64,
    /// Threads of each search; with more than one, iterations and memory are shared among as many trees
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads_per_position: u16,
    /// Positions at a time [default: as many as there are cores for their threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    #[command(flatten)]
    networks: NetworkFiles,
}

impl Args {
    /// Checks that no option of the search is given with `--solve` alone: without `--html` no position is searched.
    fn check_unsearched(&self) -> Result<(), String> {
        let search = &self.search;
        let asked = [
            ("--iterations", search.iterations != ITERATIONS),
            ("--time-ms", search.time_ms.is_some()),
            ("--threads-per-position", search.threads_per_position != 1),
            ("--network", search.networks.network.is_some()),
            ("--order", search.networks.order.is_some()),
            ("--multipv", self.multipv != MULTIPV),
        ];
        match asked.iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(format!("--solve with {name}: expected --html, too")),
            None => Ok(()),
        }
    }
}

impl SearchArgs {
    /// Returns the memory for each search, or for the solver, in bytes.
    const fn memory(&self) -> usize {
        (self.memory_mb as usize) << 20
    }

    /// Returns the searcher with these settings. It stops once `stop` is set.
    fn searcher<'a>(
        &self,
        multipv: usize,
        stop: &'a AtomicBool,
    ) -> Result<Searcher<'a>, ToolError> {
        Ok(Searcher {
            budget: match self.time_ms {
                Some(time) => Budget::Time(Duration::from_millis(time)),
                None => Budget::Iterations(self.iterations),
            },
            means: Means {
                networks: self.networks.read()?.networks,
                ..means(self.memory(), self.threads_per_position.into())
            },
            multipv,
            stop,
        })
    }

    /// Returns the threads that search `positions` positions, each thread one position at a time.
    fn team(&self, positions: usize) -> Result<Team, ToolError> {
        let at_a_time = self.concurrency.map(usize::from);
        Team::of_many(at_a_time, positions, self.threads_per_position.into())
    }
}

/// Analyses the games and prints or writes the results. A damaged game is reported and skipped. Returns the exit code.
///
/// # Errors
/// If standard output or the report can't be written.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    if args.proven {
        return proven::run(&args.search);
    }
    if args.solve && args.html.is_none() {
        args.check_unsearched()?;
        return solved::run(&args.search, args.nodes, args.json);
    }
    let target = args.html.as_ref();
    let target = target
        .map(|path| Target::replacing(path, page_packer::UNMODIFIED, page_packer::is_unmodified))
        .transpose()?;
    let engine = args.engine.as_ref().map(|path| Engine::from_page(path));
    let engine = engine.transpose()?.unwrap_or_else(Engine::none);
    let mut games = Vec::new();
    let first = usize::from(args.from_ply);
    let take = |source: &Source, game: Analysis, stop: &AtomicBool| {
        let solve = || Solved::of(&source.game, args.search.memory(), args.nodes, stop);
        let game = match args.solve.then(solve).flatten() {
            Some(solved) => game.with_solved(solved),
            None => game,
        };
        let printed = match args.json {
            true => json_lines(&game.summary.game, &game.summary, &game.plies)?,
            false if target.is_none() => printed::plies(&game, args.ownership),
            false => String::new(),
        };
        games.push(game);
        Ok(print(printed)?)
    };
    let result = analyze(first, &args.search, args.multipv.into(), take);
    // Even if standard output failed, the report is written with the games analysed until then.
    if let (Some(target), Some(path)) = (target, &args.html)
        && !games.is_empty()
    {
        target.write(page_packer::build_page(&games, &engine)?.as_bytes())?;
        let positions: usize = games.iter().map(|game| game.plies.len()).sum();
        let positions = counted(positions as u64, "position", "positions");
        let (name, games) = (path.display().to_string(), games.len() as u64);
        let games = counted(games, "game", "games");
        complain(format_args!("{}: {games}, {positions}", visible(&name)));
    }
    result
}

/// Searches all positions of all games on all cores; those of the first game from ply `first` on.
///
/// Passes each game to `take` once it and all games before it are done, in order, with the flag that Ctrl-C sets. After Ctrl-C
/// it also passes the finished part of the next game. Returns the exit code: 0 if all games could be read and nobody pressed
/// Ctrl-C.
///
/// # Errors
/// The first one of `take`.
pub fn analyze(
    first: usize,
    args: &SearchArgs,
    multipv: usize,
    mut take: impl FnMut(&Source, Analysis, &AtomicBool) -> Result<(), ToolError>,
) -> Result<u8, ToolError> {
    let (sources, is_whole) = args.input.read();
    check_first(first, &sources, is_whole)?;
    let stop = workers::stop_on_interrupt()?;
    let searcher = args.searcher(multipv, stop)?;
    let mut found = Collected::new(&sources, first - 1);
    let tasks = found.tasks();
    let progress = progress::bar(tasks.len() as u64, "positions, {eta} to go");
    let work = |(number, at): (usize, usize)| {
        let game = &sources[number].game;
        let position = searcher.position(&game.board_at(at), game.move_at(at))?;
        Some(((number, at), position))
    };
    args.team(tasks.len())?
        .run(&tasks, work, |(task, position)| {
            found.put(task, position);
            progress.inc(1);
            while let Some((source, analysis)) = found.next_whole() {
                progress.suspend(|| take(source, analysis, stop))?;
            }
            Ok(())
        })?;
    progress.finish_and_clear();
    let Some(rest) = found.rest() else {
        // Even if every search is done, Ctrl-C may have interrupted solving the last game.
        return Ok(exit_code(stop.load(Ordering::Relaxed), is_whole));
    };
    let take_part = |part| take(&sources[rest.game], part, stop);
    rest.part.map_or(Ok(()), take_part)?;
    complain(how_to_go_on(&sources[rest.game..], rest.next));
    Ok(workers::INTERRUPTED)
}

/// Runs `work` on whole games, on all cores, and prints the text that `told` makes of each result as soon as it is done.
///
/// `is_whole` says if all games could be read; `games` may be a selection of them. `work` returns `None` after Ctrl-C. Returns
/// the exit code: 0 if all games could be read and nobody pressed Ctrl-C.
///
/// # Errors
/// The first one of `told`, or if standard output can't be written.
fn each_game<R: Send>(
    args: &SearchArgs,
    is_whole: bool,
    games: &[&Source],
    work: impl Fn(&Source) -> Option<R> + Sync,
    mut told: impl FnMut(R) -> Result<String, ToolError>,
) -> Result<u8, ToolError> {
    let progress = progress::bar(games.len() as u64, "games, {eta} to go");
    let mut done = 0;
    args.team(games.len())?.run(games, work, |found| {
        done += 1;
        progress.inc(1);
        let text = told(found)?;
        Ok(progress.suspend(|| print(text))?)
    })?;
    progress.finish_and_clear();
    Ok(exit_code(done < games.len(), is_whole))
}

/// Checks that `--from-ply` names a ply of the first game.
fn check_first(first: usize, sources: &[Source], is_whole: bool) -> Result<(), String> {
    if first == 1 {
        return Ok(());
    }
    if !is_whole {
        return Err("--from-ply: expected no game that can't be read".to_owned());
    }
    let positions = sources.first().map_or(0, |source| source.game.plies() + 1);
    if first > positions {
        return Err(format!("--from-ply {first}: expected 1 to {positions}"));
    }
    Ok(())
}

/// Returns the message after Ctrl-C: the next ply to analyse, its game, and the arguments that continue the analysis.
fn how_to_go_on(sources: &[Source], next: usize) -> String {
    let titles: Vec<String> = sources
        .iter()
        .map(|source| visible(&source.title).to_string())
        .collect();
    let (title, plies) = (&titles[0], sources[0].game.plies());
    format!(
        "amazons: interrupted before ply {next} of {plies} of {title}; to go on: --from-ply {next} {}",
        titles.join(" ")
    )
}

/// Returns JSON lines: one for a game, then one for each of `parts`. Each part repeats the game's name, so that each line can
/// be read without the others.
fn json_lines<P: Serialize>(
    name: &str,
    game: &impl Serialize,
    parts: &[P],
) -> Result<String, ToolError> {
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
