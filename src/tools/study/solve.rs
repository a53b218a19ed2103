//! `amazons solve`: proves who wins a position, and finds best play for both sides.

mod proof_file;

use super::analyze::sources::Input;
use super::exit_code;
use analysis::analysed::TitledGame;
use base::error::Result;
use base::{progress, workers};
use engine::board::{Board, Move, Player};
use engine::botzone::options::{DAY_MS, MAX_MEMORY_MIB};
use engine::cli::parse_number;
use engine::console::{escaped, print, print_error, with_noun};
use engine::movegen;
use indicatif::{HumanCount, ProgressBar};
use proof_file::ProofFile;
use serde::Serialize;
use solver::{AmazonMoveProgress, Margin, Solved, Solver};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Number of nodes (positions) that each solver thread searches from one check of the time limit and Ctrl-C to the
/// next.
const NODES_PER_CLOCK_CHECK: u64 = 1 << 10;

/// Solve a position near the end of a game: prove who wins, and print the best line
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Solve the position after ply N [default: after the last move]
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Also print for every move whether it wins
    #[arg(long)]
    all: bool,
    /// Also find the winning margin: the number of times that the loser could pass and still lose
    #[arg(long)]
    margin: bool,
    /// Memory of the transposition table in MiB, at most 32768
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = |word: &str| parse_number(word, 1, MAX_MEMORY_MIB as u64))]
    memory_mb: u64,
    /// Save proofs to FILE every few seconds, and start from the proofs that FILE already holds
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Maximum time in seconds, up to a day
    #[arg(long, value_name = "N", value_parser = |word: &str| parse_number(word, 1, DAY_MS / 1000))]
    seconds: Option<u64>,
    /// Number of threads, which share the transposition table [default: as many as there are cores; with --nodes one]
    #[arg(long, value_name = "N", conflicts_with = "nodes", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Maximum number of nodes (positions searched); unlike a time limit, it gives the same results on every machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

/// Result for the solved position. With `--json` it is printed as one line of JSON, otherwise as text.
#[derive(Debug, Serialize)]
struct SolveResult {
    game: String,
    /// Number of plies of the game that were played before the position to solve.
    after: usize,
    to_move: Player,
    /// Winner of the position with best play of both sides, as proven; `None` if the solver did not find a proof.
    winner: Option<Player>,
    /// Progress of the unfinished proof: how many of the mover's amazon moves are already proven to lose. `None` if the
    /// winner is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<ProofProgress>,
    #[serde(flatten)]
    margin: MarginReport,
    /// Principal variation from the solved position: the winner plays winning moves, and the loser plays the moves that
    /// took the most work to refute. It ends where the winner is known without a search, or earlier if a limit stopped
    /// the solver. Empty if the winner is not proven.
    line: Vec<Move>,
    /// All legal moves, each with the winner after it and the winning margin: the number of turns that the loser could
    /// pass and still lose. `None` without the option `--all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveResult>>,
    nodes: u64,
    seconds: f64,
}

/// Progress of the proof that the side to move loses. Such a proof has to refute each move of an amazon, that is, show
/// that the turn loses whichever square the arrow then hits.
#[derive(Clone, Copy, Debug, Serialize)]
struct ProofProgress {
    /// Number of moves of amazons that are refuted: after such a move, the turn is proven to lose with every shot of
    /// the arrow.
    refuted: usize,
    /// Total number of amazon moves, not counting the arrow, that the proof must refute in the solved position. Moves
    /// in regions (connected empty squares) that are worth a fixed number of free moves count together as at most one.
    amazon_moves: usize,
}

impl ProofProgress {
    fn count(progress: &mut AmazonMoveProgress) -> ProofProgress {
        ProofProgress {
            refuted: progress.refuted(),
            amazon_moves: progress.total(),
        }
    }

    /// Formats the progress, such as `moves of amazons refuted: 3 of 40`. In this example, 3 of the 40 amazon moves
    /// that the side to move has in the solved position are proven to lose.
    fn to_text(self) -> String {
        let (refuted, all) = (self.refuted, self.amazon_moves);
        format!("moves of amazons refuted: {refuted} of {all}")
    }
}

/// A legal move in the solved position, and who wins after it.
#[derive(Debug, Serialize)]
struct MoveResult {
    #[serde(rename = "move")]
    turn: Move,
    /// The proven winner of the position after the move; `None` if the solver did not find a proof.
    winner: Option<Player>,
    #[serde(flatten)]
    margin: MarginReport,
}

/// Margin of a win: the largest number of turns that the loser could pass (make no move) and still lose. The margin is
/// exact, a lower bound, or unknown; if it is unknown, both fields are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct MarginReport {
    /// Exact margin: the largest number of turns that the loser could pass and still lose. `None` if the solver did not
    /// find it.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<u32>,
    /// Lower bound of the number of turns that the loser could pass and still lose. `None` if the exact margin was
    /// found, if the best lower bound is 0 and says nothing, or without the option `--margin`.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin_at_least: Option<u32>,
}

impl MarginReport {
    /// Converts the margin `found` by the solver (turns that the loser could pass and still lose) to a report. If only
    /// a lower bound of 0 was found, which says nothing, the report is empty.
    fn from_margin(found: Margin) -> MarginReport {
        let Margin { least, is_exact } = found;
        MarginReport {
            margin: is_exact.then_some(least),
            margin_at_least: (!is_exact && least > 0).then_some(least),
        }
    }

    /// Formats the margin: the number of turns that the loser could pass and still lose. Returns, for example,
    /// `, by 3 moves`, to be appended to the words "black wins". Returns an empty text if the margin is unknown.
    fn to_text(self) -> String {
        let moves = |count: u32| with_noun(count.into(), "move", "moves");
        match (self.margin, self.margin_at_least) {
            (Some(0), _) => ", with no move to spare".to_owned(),
            (Some(margin), _) => format!(", by {}", moves(margin)),
            (_, Some(least)) => format!(", by {} or more", moves(least)),
            _ => String::new(),
        }
    }
}

/// Solves a position and prints the result. If Ctrl-C or a limit of time or nodes stops the solver, prints what is
/// proven so far. Returns the exit code: 130 after Ctrl-C, 2 if the game can't be read, else 0.
///
/// # Errors
/// - If the arguments name several games, or if the game has no such ply.
/// - If the proof file of `--keep` is damaged, has another format, or can't be written.
/// - If standard output can't be written.
pub fn run(args: &Args) -> Result<u8> {
    let (games, all_read) = args.input.read();
    if !all_read {
        return Ok(2);
    }
    let [TitledGame { title, game }] = &games[..] else {
        let example = escaped(&games[0].title).to_string();
        let fault = format!("expected one game whose position to solve, for example {example}");
        return Err(fault.into());
    };
    let plies = game.plies();
    let after = args.at.unwrap_or(plies);
    if after > plies {
        return Err(format!("--at {after}: expected 0 to {plies}").into());
    }
    // `--nodes` must give repeatable results, therefore its default is one thread. With several threads, the number of
    // nodes and the best line differ from run to run.
    let threads = match (args.threads, args.nodes) {
        (Some(threads), _) => threads.into(),
        (None, Some(_)) => 1,
        (None, None) => std::thread::available_parallelism()?.get(),
    };
    let solver = Solver::with_threads((args.memory_mb as usize) << 20, threads);
    let open = |path| ProofFile::open(path, &solver);
    let proof_file = args.keep.as_deref().map(open).transpose()?;
    let limits = Limits {
        threads: threads as u64,
        max_nodes: args.nodes.unwrap_or(u64::MAX),
        time: args.seconds.map_or(Duration::MAX, Duration::from_secs),
        start: Instant::now(),
        stop: workers::stop_on_interrupt()?,
        progress: progress::spinner("{human_pos} nodes, {elapsed}{msg}"),
        proof_file,
    };
    let board = game.board_at(after);
    let mut limited = LimitedSolver {
        solver,
        with_margins: args.margin,
        limits,
    };
    let mut proof = limited.solver.amazon_move_progress(&board);
    let solved = limited.solve(&board, &mut proof);
    let winner = solved.as_ref().map(|solved| solved.winner);
    let open = winner.is_none().then(|| ProofProgress::count(&mut proof));
    let margin = limited.margin(&board, winner);
    let moves = args.all.then(|| limited.move_results(&board, winner));
    let LimitedSolver { solver, limits, .. } = limited;
    limits.progress.finish_and_clear();
    let written = limits.proof_file.as_ref().map_or(Ok(()), ProofFile::write);
    let found = SolveResult {
        game: title.clone(),
        after,
        to_move: board.to_move(),
        winner,
        open,
        margin,
        line: solved.map_or(Vec::new(), |solved| solved.line),
        moves,
        nodes: solver.nodes(),
        seconds: limits.start.elapsed().as_secs_f64(),
    };
    print(match args.json {
        true => serde_json::to_string(&found)? + "\n",
        false => found.to_text(plies),
    })?;
    written?;
    Ok(exit_code(limits.stop.load(Ordering::Relaxed), true))
}

/// Limits of time and nodes at which the solver stops; Ctrl-C stops it, too. When the limits are checked, the progress
/// display is updated and the proof file is saved.
struct Limits {
    threads: u64,
    /// Maximum number of nodes (positions) that each thread searches.
    max_nodes: u64,
    time: Duration,
    start: Instant,
    /// Flag that Ctrl-C sets to stop the solver.
    stop: &'static AtomicBool,
    progress: ProgressBar,
    proof_file: Option<ProofFile>,
}

impl Limits {
    /// Tests if the solver may continue. `nodes` is the number of nodes that the calling thread has searched so far;
    /// the other threads have searched about as many. Returns false if `nodes` has reached its limit.
    ///
    /// If `nodes` is a multiple of [`NODES_PER_CLOCK_CHECK`], also returns false after Ctrl-C or the time limit. Such a
    /// call first updates the progress display, and saves the proof file if a save is due.
    fn allows(&mut self, nodes: u64) -> bool {
        if is_clock_check(nodes) {
            self.progress.set_position(nodes * self.threads);
            if let Some(Err(fault)) = self.proof_file.as_mut().map(ProofFile::write_if_due) {
                let warning =
                    format!("{fault}; the solver continues and will try again to save its proofs");
                self.progress.suspend(|| print_error(warning));
            }
            if self.stop.load(Ordering::Relaxed) || self.start.elapsed() >= self.time {
                return false;
            }
        }
        nodes < self.max_nodes
    }
}

/// Tests if it is time to check the time limit and Ctrl-C. `nodes` is the number of nodes that each thread has searched
/// so far; it is time at every multiple of [`NODES_PER_CLOCK_CHECK`].
fn is_clock_check(nodes: u64) -> bool {
    nodes.is_multiple_of(NODES_PER_CLOCK_CHECK)
}

/// A solver that stops at a limit of time or nodes, or after Ctrl-C.
struct LimitedSolver {
    solver: Solver,
    /// If true (option `--margin`), the solver searches for the exact margin of a win: the number of turns that the
    /// loser could pass and still lose. If false, the margin is reported only where it is known without a search: if no
    /// region of empty squares can be reached by both players.
    with_margins: bool,
    limits: Limits,
}

impl LimitedSolver {
    /// Proves who wins the position `board`. Returns the winner and the principal variation: the winner plays winning
    /// moves, and the loser plays the moves that took the most work to refute. Returns `None` if a limit or Ctrl-C
    /// stopped the solver before the proof.
    ///
    /// `progress` counts the amazon moves of the side to move that are already proven to lose. The progress display
    /// shows their number during the search.
    fn solve(&mut self, board: &Board, progress: &mut AmazonMoveProgress) -> Option<Solved> {
        let LimitedSolver { solver, limits, .. } = self;
        let solved = solver.solve(board, |nodes| {
            if is_clock_check(nodes) {
                let open = ProofProgress::count(progress).to_text();
                limits.progress.set_message(format!(", {open}"));
            }
            limits.allows(nodes)
        });
        limits.progress.set_message("");
        solved
    }

    /// Returns the margin of `winner` in the position `board`: how many turns the loser could pass and still lose.
    /// - With `--margin`, searches for it. If the search is stopped, returns a lower bound.
    /// - Without `--margin`, returns the margin only if it is known without a search, otherwise an empty report.
    /// - Returns an empty report if `winner` is `None`.
    fn margin(&mut self, board: &Board, winner: Option<Player>) -> MarginReport {
        let LimitedSolver { solver, limits, .. } = self;
        let may_continue = &mut |nodes| self.with_margins && limits.allows(nodes);
        let found = winner.map(|winner| solver.margin(board, winner, may_continue));
        let reported = found.filter(|found| self.with_margins || found.is_exact);
        reported.map_or(MarginReport::default(), MarginReport::from_margin)
    }

    /// Returns all legal moves in the position `board`. Each move has the winner after it, if proven, and the margin:
    /// the number of turns that the loser could pass and still lose. First come the moves that win, the largest margin
    /// first. Then come the moves without a proven winner, then the moves that lose, the smallest margin first.
    ///
    /// `winner` is the proven winner of `board`; `None` if it is unknown.
    fn move_results(&mut self, board: &Board, winner: Option<Player>) -> Vec<MoveResult> {
        let mover = board.to_move();
        let is_lost = winner == Some(!mover);
        let mut after = board.clone();
        let moves = movegen::moves(board).into_iter().map(|turn| {
            after.play(turn).expect("a generated move is legal");
            let may_continue = &mut |nodes| self.limits.allows(nodes);
            let winner = match is_lost {
                true => winner,
                false => self.solver.winner(&after, may_continue),
            };
            let margin = self.margin(&after, winner);
            after.take_back(turn);
            MoveResult {
                turn,
                winner,
                margin,
            }
        });
        let mut move_results: Vec<MoveResult> = moves.collect();
        move_results.sort_by_key(|&MoveResult { winner, margin, .. }| {
            let moves = margin.margin.or(margin.margin_at_least).unwrap_or(0);
            match winner {
                Some(winner) if winner == mover => (0, -i64::from(moves)),
                None => (1, 0),
                Some(_) => (2, i64::from(moves)),
            }
        });
        move_results
    }
}

impl SolveResult {
    /// Formats the result as English text. `plies` is the length in plies of the game that contains the solved
    /// position.
    fn to_text(&self, plies: usize) -> String {
        let (game, after, to_move) = (escaped(&self.game), self.after, self.to_move);
        let mut text = format!("{game}, after ply {after} of {plies}, {to_move} to move\n");
        let by = self.margin.to_text();
        text += &match self.winner {
            Some(winner) => format!("  {winner} wins{by}"),
            None => "  open: the winner is not found yet".to_owned(),
        };
        let open = self.open.map(|open| format!("; {}", open.to_text()));
        text += &open.unwrap_or_default();
        text += "\n";
        if !self.line.is_empty() {
            let line: Vec<String> = self.line.iter().map(Move::to_string).collect();
            text += &format!("  {}\n", line.join("; "));
        }
        for value in self.moves.iter().flatten() {
            let (turn, margin) = (value.turn, value.margin.to_text());
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
