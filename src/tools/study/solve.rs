//! `amazons solve`: who wins a position for certain, and how.

use super::analyze::sources::Input;
use crate::board::{Board, Move, Player};
use crate::botzone::options::{DAY_MS, MAX_MEMORY_MB};
use crate::cli::number;
use crate::console::{counted, print, visible};
use crate::mcts::solver::Solver;
use crate::movegen;
use crate::tools::analysis::analysed::Source;
use crate::tools::support::error::ToolError;
use crate::tools::support::{progress, workers};
use indicatif::{HumanCount, ProgressBar};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Nodes between two looks at the clock.
const NODES_PER_LOOK: u64 = 1 << 10;

/// Solve a position near the end of a game: who wins for certain, with the best line
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Solve the position after ply N [default: after the last move]
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Also say of every move whether it wins
    #[arg(long)]
    all: bool,
    /// MiB for what is remembered, at most 32768
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = |word: &str| number(word, 1, MAX_MEMORY_MB as u64))]
    memory_mb: u64,
    /// Most seconds, up to a day
    #[arg(long, value_name = "N", value_parser = |word: &str| number(word, 1, DAY_MS / 1000))]
    seconds: Option<u64>,
    /// Most nodes, positions that are looked at: results are repeatable
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Print a line of JSON
    #[arg(long)]
    json: bool,
}

/// What was found.
#[derive(Debug, Serialize)]
struct Found {
    game: String,
    /// The number of moves before the position.
    after: usize,
    to_move: Player,
    /// Nothing if it was not found.
    winner: Option<Player>,
    /// By how many moves the winner wins, where they can be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<u32>,
    /// Best play, until the winner is certain by counting moves.
    line: Vec<Move>,
    /// Every move, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<Value>>,
    nodes: u64,
    seconds: f64,
}

/// A move and who wins with it.
#[derive(Debug, Serialize)]
struct Value {
    #[serde(rename = "move")]
    turn: Move,
    /// Nothing if it was not found.
    winner: Option<Player>,
}

/// Solves a position and prints what was found; after Ctrl-C or at a limit, so far. Returns the exit code.
///
/// # Errors
/// If several games are given, the game has no such ply, or standard output can't be written.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    if args.input.count() > 1 {
        return Err("expected one game: a position of it is solved".into());
    }
    let Some(Source { title, game }) = args.input.read().pop() else {
        return Ok(2);
    };
    let plies = game.plies();
    let after = args.at.unwrap_or(plies);
    if after > plies {
        return Err(format!("--at {after}: expected 0 to {plies}").into());
    }
    let limit = Limit {
        nodes: args.nodes.unwrap_or(u64::MAX),
        time: args.seconds.map_or(Duration::MAX, Duration::from_secs),
        start: Instant::now(),
        stop: workers::stop_on_interrupt()?,
        progress: progress::spinner("{human_pos} nodes, {elapsed}"),
    };
    let board = game.board_at(after);
    let mut solver = Solver::new((args.memory_mb as usize) << 20);
    let solved = solver.solve(&board, |nodes| limit.leaves(nodes));
    let winner = solved.as_ref().map(|solved| solved.winner);
    let moves = args
        .all
        .then(|| values(&board, winner, &mut solver, &limit));
    limit.progress.finish_and_clear();
    let (margin, line) = solved.map_or((None, Vec::new()), |solved| (solved.margin, solved.line));
    let found = Found {
        game: title,
        after,
        to_move: board.to_move(),
        winner,
        margin,
        line,
        moves,
        nodes: solver.nodes(),
        seconds: limit.start.elapsed().as_secs_f64(),
    };
    print(match args.json {
        true => serde_json::to_string(&found)? + "\n",
        false => found.told(plies),
    })?;
    Ok(match limit.stop.load(Ordering::Relaxed) {
        true => workers::INTERRUPTED,
        false => 0,
    })
}

/// How long the solver may go on.
struct Limit {
    nodes: u64,
    time: Duration,
    start: Instant,
    /// Set by Ctrl-C.
    stop: &'static AtomicBool,
    progress: ProgressBar,
}

impl Limit {
    /// Tests if something is left to the solver after so many nodes.
    fn leaves(&self, nodes: u64) -> bool {
        if nodes.is_multiple_of(NODES_PER_LOOK) {
            self.progress.set_position(nodes);
            if self.stop.load(Ordering::Relaxed) || self.start.elapsed() >= self.time {
                return false;
            }
        }
        nodes < self.nodes
    }
}

/// Who wins with each move, those first that win for the player to move.
fn values(board: &Board, winner: Option<Player>, solver: &mut Solver, limit: &Limit) -> Vec<Value> {
    let mover = board.to_move();
    let is_lost = winner == Some(!mover);
    let mut after = board.clone();
    let moves = movegen::moves(board).into_iter().map(|turn| {
        after.play(turn).expect("a generated move is legal");
        let found = match is_lost {
            true => winner,
            false => solver.winner(&after, &mut |nodes| limit.leaves(nodes)),
        };
        after.take_back(turn);
        Value {
            turn,
            winner: found,
        }
    });
    let mut values: Vec<Value> = moves.collect();
    values.sort_by_key(|value| match value.winner {
        Some(winner) if winner == mover => 0,
        None => 1,
        Some(_) => 2,
    });
    values
}

impl Found {
    /// The text for people, of a game of so many plies.
    fn told(&self, plies: usize) -> String {
        let mut text = format!(
            "{}, after ply {} of {plies}, {} to move\n",
            visible(&self.game),
            self.after,
            self.to_move
        );
        let by = self.margin.map_or(String::new(), |margin| {
            format!(", by {}", counted(margin.into(), "move", "moves"))
        });
        text += &match self.winner {
            Some(winner) => format!("  {winner} wins{by}\n"),
            None => "  open: the winner is not found yet\n".to_owned(),
        };
        if !self.line.is_empty() {
            let line: Vec<String> = self.line.iter().map(Move::to_string).collect();
            text += &format!("  {}\n", line.join("; "));
        }
        for Value { turn, winner } in self.moves.iter().flatten() {
            let value = match winner {
                Some(winner) if *winner == self.to_move => "wins",
                Some(_) => "loses",
                None => "open",
            };
            text += &format!("    {turn}  {value}\n");
        }
        let nodes = HumanCount(self.nodes);
        text + &format!("  {nodes} nodes, {:.1} s\n", self.seconds)
    }
}
