//! `amazons analyze`: searches every position of games and says what was played and what was better.

pub mod game;
pub mod input;
pub mod judgement;
pub mod ownership;
pub mod position;
pub mod report;
pub mod text;

use super::ToolError;
use super::workers;
use crate::options::Options;
use game::{Analysis, move_at};
use indicatif::{ProgressBar, ProgressStyle};
use input::{Input, Source};
use position::{Budget, Position, Searcher};
use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// The arguments of `amazons analyze`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    search: SearchArgs,
    /// Number of best moves to tell of each position
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    multipv: u16,
    /// Print whose every square is, too, from 1, black's, to -1, white's
    #[arg(long)]
    ownership: bool,
    /// Print JSON lines: one on each game, then one on each ply
    #[arg(long)]
    json: bool,
    /// Write a report on all games for the browser, one page that needs nothing else
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// The arguments that say how positions are searched.
#[derive(Debug, clap::Args)]
pub struct SearchArgs {
    /// Iterations for each position: two runs find the same
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Milliseconds for each position instead
    #[arg(long, value_name = "N", conflicts_with = "iterations")]
    time_ms: Option<u64>,
    /// MiB for the tree of each search
    #[arg(long, value_name = "N", default_value_t = Options::default().memory >> 20)]
    memory_mb: usize,
    /// Positions at a time, each on a core of its own [default: the cores there are]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
}

impl SearchArgs {
    fn budget(&self) -> Budget {
        match self.time_ms {
            Some(time) => Budget::Time(Duration::from_millis(time)),
            None => Budget::Iterations(self.iterations),
        }
    }
}

/// Analyses the games; a damaged one is reported and the others follow. Returns the exit code.
///
/// # Errors
/// If standard output or the report can't be written.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    let mut games = Vec::new();
    let code = analyze(&args.input, &args.search, args.multipv.into(), |game| {
        match (args.json, &args.html) {
            (true, _) => io::stdout().write_all(json_lines(&game)?.as_bytes())?,
            (false, None) => {
                io::stdout().write_all(text::plies(&game, args.ownership).as_bytes())?
            }
            (false, Some(_)) => {}
        }
        games.push(game);
        Ok(())
    })?;
    if let Some(path) = args.html.as_ref().filter(|_| !games.is_empty()) {
        let page = report::page(&games)?;
        fs::write(path, page).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(code)
}

/// Searches all positions of all games on all cores. Every game is given to `take` as soon as it and those
/// before it are done. Returns the exit code: 0 if all games could be read and nobody pressed Ctrl-C.
///
/// # Errors
/// The first one of `take`.
pub fn analyze(
    input: &Input,
    args: &SearchArgs,
    multipv: usize,
    mut take: impl FnMut(Analysis) -> Result<(), ToolError>,
) -> Result<u8, ToolError> {
    let sources = input.read();
    let tasks: Vec<(usize, usize)> = (sources.iter().enumerate())
        .flat_map(|(game, source)| (0..=source.game.plies()).map(move |at| (game, at)))
        .collect();
    let stop = workers::stop_on_interrupt()?;
    let searcher = Searcher {
        budget: args.budget(),
        memory: args.memory_mb << 20,
        multipv,
        stop,
    };
    let work = |(game, at): (usize, usize)| {
        let source: &Source = &sources[game];
        let board = source.game.board_at(at);
        Some((
            game,
            at,
            searcher.position(&board, move_at(&source.game, at))?,
        ))
    };
    let progress = progress(tasks.len());
    let mut found: Vec<Vec<Option<Position>>> = sources
        .iter()
        .map(|source| vec![None; source.game.plies() + 1])
        .collect();
    let mut taken = 0;
    workers::run(&tasks, args.concurrency, work, |(game, at, position)| {
        found[game][at] = Some(position);
        progress.inc(1);
        while let Some(positions) = found.get_mut(taken).and_then(|game| complete(game)) {
            progress.suspend(|| take(Analysis::new(&sources[taken], positions)))?;
            taken += 1;
        }
        Ok(())
    })?;
    progress.finish_and_clear();
    Ok(match () {
        () if taken < sources.len() => workers::INTERRUPTED,
        () if sources.len() < input.len() => 2,
        () => 0,
    })
}

/// The positions of a game, taken out, if all are there.
fn complete(positions: &mut [Option<Position>]) -> Option<Vec<Position>> {
    let all = positions.iter().all(Option::is_some);
    all.then(|| positions.iter_mut().filter_map(Option::take).collect())
}

fn progress(positions: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} positions, {eta} to go");
    ProgressBar::new(positions as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// A line on the game, then a line on each ply.
fn json_lines(game: &Analysis) -> Result<String, ToolError> {
    /// A ply with the name of its game, so that every line can be understood alone.
    #[derive(Serialize)]
    struct Line<'a> {
        game: &'a str,
        #[serde(flatten)]
        ply: &'a game::Ply,
    }
    let mut text = serde_json::to_string(&game.summary)? + "\n";
    for ply in &game.plies {
        let line = Line {
            game: &game.summary.game,
            ply,
        };
        text += &(serde_json::to_string(&line)? + "\n");
    }
    Ok(text)
}
