//! `amazons solve`: proves who wins a position, and finds the best line.

mod kept;

use super::analyze::sources::Input;
use super::exit_code;
use analysis::analysed::Source;
use base::error::ToolError;
use base::{progress, workers};
use engine::board::{Board, Move, Player};
use engine::botzone::options::{DAY_MS, MAX_MEMORY_MB};
use engine::cli::number;
use engine::console::{complain, counted, print, visible};
use engine::movegen;
use indicatif::{HumanCount, ProgressBar};
use kept::Kept;
use serde::Serialize;
use solver::{Margin, RootProgress, Solved, Solver};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Number of nodes between two checks of the clock.
const NODES_PER_CLOCK_CHECK: u64 = 1 << 10;

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
    /// Also find by how many moves the winner wins: how often the loser could pass without winning
    #[arg(long)]
    margin: bool,
    /// MiB for what is remembered, at most 32768
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = |word: &str| number(word, 1, MAX_MEMORY_MB as u64))]
    memory_mb: u64,
    /// Keep what is found in FILE, every few seconds, and go on with what is kept there
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Most seconds, up to a day
    #[arg(long, value_name = "N", value_parser = |word: &str| number(word, 1, DAY_MS / 1000))]
    seconds: Option<u64>,
    /// Threads, which share what is remembered [default: as many as there are cores; with --nodes one]
    #[arg(long, value_name = "N", conflicts_with = "nodes", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Most nodes, positions that are looked at: results are repeatable
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Print a line of JSON
    #[arg(long)]
    json: bool,
}

/// The result for a position, as printed by `--json`.
#[derive(Debug, Serialize)]
struct Found {
    game: String,
    /// Number of moves before the position.
    after: usize,
    to_move: Player,
    /// The proven winner; `None` if the solver did not find a proof.
    winner: Option<Player>,
    /// Progress of the proof, if the winner was not found.
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<Open>,
    #[serde(flatten)]
    margin: By,
    /// Best play for both sides, until counting moves proves the winner.
    line: Vec<Move>,
    /// Results of all legal moves, with `--all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<Value>>,
    nodes: u64,
    seconds: f64,
}

/// Progress of the proof: how many amazon moves of the position are refuted, each with every arrow.
#[derive(Clone, Copy, Debug, Serialize)]
struct Open {
    refuted: usize,
    /// Number of amazon moves to refute. All moves in regions that counting has resolved count as one.
    amazon_moves: usize,
}

impl Open {
    fn of(first: &mut RootProgress) -> Open {
        Open {
            refuted: first.refuted(),
            amazon_moves: first.count(),
        }
    }

    /// Returns the progress as text.
    fn told(self) -> String {
        let (refuted, all) = (self.refuted, self.amazon_moves);
        format!("moves of amazons refuted: {refuted} of {all}")
    }
}

/// A move of the position and the winner after it.
#[derive(Debug, Serialize)]
struct Value {
    #[serde(rename = "move")]
    turn: Move,
    /// The proven winner after the move; `None` if the solver did not find a proof.
    winner: Option<Player>,
    #[serde(flatten)]
    margin: By,
}

/// Margin of the win, in moves, as far as the solver found it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct By {
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<u32>,
    /// Lower bound on the margin, if `--margin` asked for it but the exact margin was not found.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin_at_least: Option<u32>,
}

impl By {
    /// Splits `found` into an exact margin or a lower bound. A lower bound of 0 says nothing and is left out.
    fn of(found: Margin) -> By {
        let Margin { least, is_exact } = found;
        By {
            margin: is_exact.then_some(least),
            margin_at_least: (!is_exact && least > 0).then_some(least),
        }
    }

    /// Returns the margin as text, for example ", by 3 moves"; empty if it is unknown.
    fn told(self) -> String {
        let moves = |count: u32| counted(count.into(), "move", "moves");
        match (self.margin, self.margin_at_least) {
            (Some(0), _) => ", with no move to spare".to_owned(),
            (Some(margin), _) => format!(", by {}", moves(margin)),
            (_, Some(least)) => format!(", by {} or more", moves(least)),
            _ => String::new(),
        }
    }
}

/// Solves a position and prints the result; after Ctrl-C or at a limit, what was found until then. Returns the exit code.
///
/// # Errors
/// If several games are given, the game has no such ply, the file of `--keep` holds something else or can't be written, or
/// standard output can't be written.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    let (games, is_whole) = args.input.read();
    if !is_whole {
        return Ok(2);
    }
    let [Source { title, game }] = &games[..] else {
        let example = visible(&games[0].title).to_string();
        return Err(format!(
            "expected one game, for example {example}: a position of it is solved"
        )
        .into());
    };
    let plies = game.plies();
    let after = args.at.unwrap_or(plies);
    if after > plies {
        return Err(format!("--at {after}: expected 0 to {plies}").into());
    }
    // The number of nodes is repeatable with one thread only.
    let threads = match (args.threads, args.nodes) {
        (Some(threads), _) => threads.into(),
        (None, Some(_)) => 1,
        (None, None) => std::thread::available_parallelism()?.get(),
    };
    let solver = Solver::with_threads((args.memory_mb as usize) << 20, threads);
    let keep = args.keep.as_deref();
    let kept = keep.map(|path| Kept::open(path, &solver)).transpose()?;
    let limit = Limit {
        threads: threads as u64,
        nodes: args.nodes.unwrap_or(u64::MAX),
        time: args.seconds.map_or(Duration::MAX, Duration::from_secs),
        start: Instant::now(),
        stop: workers::stop_on_interrupt()?,
        progress: progress::spinner("{human_pos} nodes, {elapsed}{msg}"),
        kept,
    };
    let board = game.board_at(after);
    let mut work = Work {
        solver,
        with_margins: args.margin,
        limit,
    };
    let mut first = work.solver.root_progress(&board);
    let solved = work.solve(&board, &mut first);
    let winner = solved.as_ref().map(|solved| solved.winner);
    let open = winner.is_none().then(|| Open::of(&mut first));
    let margin = work.margin(&board, winner);
    let moves = args.all.then(|| work.values(&board, winner));
    let Work { solver, limit, .. } = work;
    limit.progress.finish_and_clear();
    let written = limit.kept.as_ref().map_or(Ok(()), Kept::write);
    let found = Found {
        game: title.clone(),
        after,
        to_move: board.to_move(),
        winner,
        open,
        margin,
        line: solved.map_or(Vec::new(), |solved| solved.line),
        moves,
        nodes: solver.nodes(),
        seconds: limit.start.elapsed().as_secs_f64(),
    };
    print(match args.json {
        true => serde_json::to_string(&found)? + "\n",
        false => found.told(plies),
    })?;
    written?;
    Ok(exit_code(limit.stop.load(Ordering::Relaxed), true))
}

/// Limits of the solver, with the state to check and display at each of its nodes.
struct Limit {
    threads: u64,
    nodes: u64,
    time: Duration,
    start: Instant,
    /// Set after Ctrl-C.
    stop: &'static AtomicBool,
    progress: ProgressBar,
    kept: Option<Kept>,
}

impl Limit {
    /// Tests if the solver may go on after `nodes` nodes of one thread. From time to time also shows the progress and writes
    /// the file of `--keep`.
    fn leaves(&mut self, nodes: u64) -> bool {
        if is_look(nodes) {
            self.progress.set_position(nodes * self.threads);
            if let Some(Err(fault)) = self.kept.as_mut().map(Kept::keep_up) {
                let told = format!(
                    "{fault}; the solver goes on, and will try again to keep what it finds"
                );
                self.progress.suspend(|| complain(told));
            }
            if self.stop.load(Ordering::Relaxed) || self.start.elapsed() >= self.time {
                return false;
            }
        }
        nodes < self.nodes
    }
}

/// Tests if the clock is checked after `nodes` nodes.
fn is_look(nodes: u64) -> bool {
    nodes.is_multiple_of(NODES_PER_CLOCK_CHECK)
}

/// A solver with its limits.
struct Work {
    solver: Solver,
    /// Whether to search for the exact margin, instead of only reporting one that the proof by counting gave.
    with_margins: bool,
    limit: Limit,
}

impl Work {
    /// Returns the winner and the best line. Meanwhile the progress shows how many amazon moves of `first` are refuted.
    fn solve(&mut self, board: &Board, first: &mut RootProgress) -> Option<Solved> {
        let Work { solver, limit, .. } = self;
        let solved = solver.solve(board, |nodes| {
            if is_look(nodes) {
                let open = Open::of(first).told();
                limit.progress.set_message(format!(", {open}"));
            }
            limit.leaves(nodes)
        });
        limit.progress.set_message("");
        solved
    }

    /// Returns the margin of `winner`. Reports a lower bound only with `--margin`.
    fn margin(&mut self, board: &Board, winner: Option<Player>) -> By {
        let Work { solver, limit, .. } = self;
        let goes_on = |nodes| self.with_margins && limit.leaves(nodes);
        let found = winner.map(|winner| solver.margin(board, winner, goes_on));
        let told = found.filter(|found| self.with_margins || found.is_exact);
        told.map_or(By::default(), By::of)
    }

    /// Returns all moves with their winners and margins: winning moves of the side to move first, the largest margin before
    /// smaller ones.
    fn values(&mut self, board: &Board, winner: Option<Player>) -> Vec<Value> {
        let mover = board.to_move();
        let is_lost = winner == Some(!mover);
        let mut after = board.clone();
        let moves = movegen::moves(board).into_iter().map(|turn| {
            after.play(turn).expect("a generated move is legal");
            let goes_on = &mut |nodes| self.limit.leaves(nodes);
            let winner = match is_lost {
                true => winner,
                false => self.solver.winner(&after, goes_on),
            };
            let margin = self.margin(&after, winner);
            after.take_back(turn);
            Value {
                turn,
                winner,
                margin,
            }
        });
        let mut values: Vec<Value> = moves.collect();
        values.sort_by_key(|&Value { winner, margin, .. }| {
            let moves = margin.margin.or(margin.margin_at_least).unwrap_or(0);
            match winner {
                Some(winner) if winner == mover => (0, -i64::from(moves)),
                None => (1, 0),
                Some(_) => (2, i64::from(moves)),
            }
        });
        values
    }
}

impl Found {
    /// Returns the result as text for people. `plies` is the length of the game.
    fn told(&self, plies: usize) -> String {
        let mut text = format!(
            "{}, after ply {} of {plies}, {} to move\n",
            visible(&self.game),
            self.after,
            self.to_move
        );
        let by = self.margin.told();
        text += &match self.winner {
            Some(winner) => format!("  {winner} wins{by}"),
            None => "  open: the winner is not found yet".to_owned(),
        };
        text += &self
            .open
            .map_or(String::new(), |open| format!("; {}", open.told()));
        text += "\n";
        if !self.line.is_empty() {
            let line: Vec<String> = self.line.iter().map(Move::to_string).collect();
            text += &format!("  {}\n", line.join("; "));
        }
        for value in self.moves.iter().flatten() {
            let (turn, margin) = (value.turn, value.margin.told());
            let winner = match value.winner {
                Some(winner) if winner == self.to_move => "wins",
                Some(_) => "loses",
                None => "open",
            };
            text += &format!("    {turn}  {winner}{margin}\n");
        }
        let nodes = HumanCount(self.nodes);
        text + &format!("  {nodes} nodes, {:.1} s\n", self.seconds)
    }
}
