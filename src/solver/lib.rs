//! Endgame solver: finds the winner of a position under perfect play, by proof-number search.
//!
//! The algorithm is depth-first proof-number search (df-pn, Nagai 2002) with a transposition table, in negamax form:
//! all numbers are for the side to move, and every node is an OR node for its own side. As in
//! [`Search`](engine::mcts::Search), each turn is two levels of the tree: the amazon's move and the arrow. Each step
//! expands the most-proving node, whose proof or disproof is expected to take the least work. The initial expectation
//! comes from the networks, the evaluation, and the number of squares that both players reach (`solver/edges.rs`).
//!
//! Counting moves and solving small separate regions prove many positions without a search (`solver/subgames.rs`).
//! Killer replies, the turns that won recently, are tried first against an arrow (`solver/replies.rs`). Equivalent
//! positions have the same canonical form and share one table entry (`solver/canonical.rs`).
//!
//! Every turn adds an arrow, so no position repeats, and a table entry is valid regardless of the moves that led to the
//! position. Several threads can search one position; they share only the table.

mod canonical;
mod edges;
mod replies;
mod subgames;
mod table;

use canonical::Canonicalizer;
use edges::{Edge, Edges, Step};
use engine::board::{Board, Move, Player};
use engine::inspect::{StaticEstimator, TurnStage};
use engine::mcts::endgame::{certain_winner, moves_left};
use engine::movegen;
use replies::Replies;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use table::{Key, ProofNumbers};
pub use table::{Record, Table};

/// Factor by which the search of the best edge may exceed the second-smallest proof number before the search switches
/// to another edge (the 1 + ε trick, Pawlewicz and Lew 2007).
const ONE_PLUS_EPSILON: f32 = 1.25;

/// Minimum ratio of the limits of a recursive search to the current proof and disproof numbers of its edge, so that
/// every recursive search makes progress.
const MIN_LIMIT_GROWTH: f32 = 1.01;

/// Factor on the proof number of an edge while another thread searches it, so that threads search different edges
/// (virtual loss, Chaslot et al. 2008; for proof numbers Kaneko 2010).
const VIRTUAL_LOSS: f32 = 3.0;

/// Result for a solved position: its winner, and a line of best play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Winner under perfect play.
    pub winner: Player,
    /// Best play from the position until counting moves or a fortress proves the winner: the winner plays winning
    /// moves, and the loser the moves that took the most work to refute.
    pub line: Vec<Move>,
}

/// Margin of a win, in moves: the largest number of turns that the loser could pass and still lose. Once no square is
/// reachable by both players, it is the number of moves that the winner has left when the loser has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// Lower bound on the margin, in moves.
    pub least: u32,
    /// Whether `least` is the exact margin.
    pub is_exact: bool,
}

/// Progress of a [`Solver`] on one position: the amazon moves of the position, and how many of them are refuted.
pub struct AmazonMoveProgress {
    table: Arc<Table>,
    edges: Edges,
}

impl AmazonMoveProgress {
    /// Returns the number of edges of the position that must be refuted to prove a loss: amazon moves in unresolved
    /// regions, and one that stands for all others.
    #[must_use]
    pub fn count(&self) -> usize {
        self.edges.len()
    }

    /// Returns the number of those edges that the solver has refuted so far. After a refuted amazon move, the side to
    /// move loses with every arrow.
    pub fn refuted(&mut self) -> usize {
        self.table.look_up(TurnStage::Amazon, &mut self.edges);
        let numbers = self.edges.iter().map(|edge| edge.numbers);
        numbers
            .filter(|&numbers| numbers == ProofNumbers::LOST)
            .count()
    }
}

/// Proof-number solver. Its transposition table keeps its entries from one position to the next.
pub struct Solver {
    /// Estimates the log-odds of actions, for the initial numbers of edges.
    policy: StaticEstimator,
    canonicalizer: Canonicalizer,
    replies: Replies,
    table: Arc<Table>,
    /// Whether other threads read and write the table at the same time.
    is_shared: bool,
    /// Solvers that run in the additional threads; empty in a single-threaded solver and in the helpers themselves.
    helpers: Vec<Solver>,
    /// Number of nodes expanded so far by this thread.
    nodes: u64,
    /// Whether the callback has stopped the current search.
    is_aborted: bool,
}

/// Callback that is called before each node of the calling thread is expanded. It receives the number of nodes that
/// this thread has expanded, and returns false to stop the search.
type ContinueCallback<'a> = &'a mut dyn FnMut(u64) -> bool;

/// Node of the proof-number search: a position in which an amazon's move or its arrow is due.
struct Node {
    board: Board,
    /// Number of turns that black may pass (extra tempi) minus the number that white may pass.
    extra_tempi: i32,
    stage: TurnStage,
    key: Key,
}

/// Proof and disproof number of a node, computed from its edges, and the edge to search next.
struct Summary {
    numbers: ProofNumbers,
    /// Index of the edge with the smallest proof number; 0 if there is no edge.
    best: usize,
    /// Second-smallest proof number of the edges; infinite if there is only one edge.
    second_win: f32,
}

impl Solver {
    /// Creates a single-threaded solver with a transposition table of at most `memory` bytes.
    #[must_use]
    pub fn new(memory: usize) -> Solver {
        Solver::with_threads(memory, 1)
    }

    /// Creates a solver with `threads` threads (0 counts as 1) and a shared transposition table of at most `memory`
    /// bytes. With several threads, winners and margins are reproducible; lines of play and node counts are not.
    #[must_use]
    pub fn with_threads(memory: usize, threads: usize) -> Solver {
        let table = Arc::new(Table::with_bytes(memory));
        let new_solver = || Solver::with_table(&table, threads > 1);
        Solver {
            helpers: (1..threads).map(|_| new_solver()).collect(),
            ..new_solver()
        }
    }

    /// Creates a solver without helpers that uses `table`. `is_shared` tells if other threads use the table at the same
    /// time.
    fn with_table(table: &Arc<Table>, is_shared: bool) -> Solver {
        Solver {
            policy: StaticEstimator::default(),
            canonicalizer: Canonicalizer::default(),
            replies: Replies::default(),
            table: Arc::clone(table),
            helpers: Vec::new(),
            is_shared,
            nodes: 0,
            is_aborted: false,
        }
    }

    /// Returns the transposition table, which other threads may read while the solver works, for example to save it.
    #[must_use]
    pub fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }

    /// Returns the number of nodes that all threads together have expanded since the solver was created.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes + self.helpers.iter().map(Solver::nodes).sum::<u64>()
    }

    /// Finds the winner of `board` and a line of best play. `go_on` is called before each node of the calling thread is
    /// expanded, with the number of nodes that this thread has expanded; if it returns false, the solver stops. Returns
    /// `None` if the solver was stopped before it found the winner; stopped later, the line may be shortened.
    pub fn solve(&mut self, board: &Board, mut go_on: impl FnMut(u64) -> bool) -> Option<Solved> {
        let winner = self.winner(board, &mut go_on)?;
        Some(Solved {
            winner,
            line: self.best_line(board, winner, &mut go_on),
        })
    }

    /// Returns the winner of `board`, or `None` if `go_on`, called as in [`Solver::solve`], returns false before the
    /// winner is found.
    pub fn winner(&mut self, board: &Board, go_on: ContinueCallback<'_>) -> Option<Player> {
        self.winner_with(board, 0, go_on)
    }

    /// Returns an object that reports, while `board` is being solved, how many of its amazon moves are refuted.
    pub fn amazon_move_progress(&mut self, board: &Board) -> AmazonMoveProgress {
        let root = self.turn_node(board.clone(), 0);
        AmazonMoveProgress {
            edges: self.edges(&root),
            table: Arc::clone(&self.table),
        }
    }

    /// Returns the margin by which `winner`, the proven winner, wins `board`. Returns a lower bound if `go_on`, called
    /// as in [`Solver::solve`], returns false before the margin is found.
    pub fn margin(
        &mut self,
        board: &Board,
        winner: Player,
        mut go_on: impl FnMut(u64) -> bool,
    ) -> Margin {
        let known = margin_by_counting(board, winner);
        let mut margin = Margin {
            least: known.unwrap_or(0),
            is_exact: known.is_some(),
        };
        while !margin.is_exact {
            let passes = margin.least as i32 + 1;
            let extra_tempi = match winner {
                Player::Black => -passes,
                Player::White => passes,
            };
            match self.winner_with(board, extra_tempi, &mut go_on) {
                Some(player) if player == winner => margin.least += 1,
                Some(_) => margin.is_exact = true,
                None => break,
            }
        }
        margin
    }

    /// Returns the winner of `board` if black may pass `extra_tempi` turns more than white (negative: white more than
    /// black). Returns `None` if `go_on` returns false before the winner is found.
    fn winner_with(
        &mut self,
        board: &Board,
        extra_tempi: i32,
        go_on: ContinueCallback<'_>,
    ) -> Option<Player> {
        let root = self.turn_node(board.clone(), extra_tempi);
        if let Some(winner) = self.certain_winner(&root) {
            return Some(winner);
        }
        self.is_aborted = false;
        let known = self.table.get(root.key).filter(|known| known.is_proven());
        if known.is_none() && !self.may_continue(go_on) {
            return None;
        }
        match known.unwrap_or_else(|| self.search_in_parallel(&root, go_on)) {
            ProofNumbers { win: 0.0, .. } => Some(board.to_move()),
            ProofNumbers { loss: 0.0, .. } => Some(!board.to_move()),
            _ => None,
        }
    }

    /// Searches `root` in all threads until one of them proves the winner, or until `go_on` returns false in the
    /// calling thread. Returns the proof and disproof number of `root`.
    fn search_in_parallel(&mut self, root: &Node, go_on: ContinueCallback<'_>) -> ProofNumbers {
        let mut helpers = std::mem::take(&mut self.helpers);
        let is_over = AtomicBool::new(false);
        let search = |solver: &mut Solver, go_on: ContinueCallback<'_>| {
            solver.is_aborted = false;
            let go_on_here = &mut |nodes| !is_over.load(Relaxed) && go_on(nodes);
            let (numbers, _) = solver.search(root, ProofNumbers::UNLIMITED, go_on_here);
            is_over.store(true, Relaxed);
            numbers
        };
        let found = std::thread::scope(|scope| {
            let start = |helper| {
                let thread = std::thread::Builder::new();
                thread.spawn_scoped(scope, || search(helper, &mut |_| true))
            };
            // If the system cannot start a thread, continue with fewer threads.
            let threads: Vec<_> = helpers.iter_mut().flat_map(start).collect();
            let own = search(self, go_on);
            let others = threads.into_iter().flat_map(|thread| thread.join());
            let proven = others.filter(|numbers| numbers.is_proven()).last();
            proven.filter(|_| !own.is_proven()).unwrap_or(own)
        });
        self.helpers = helpers;
        found
    }

    /// Returns the winner at a node at which an amazon's move is due, if counting moves or solving small regions proves
    /// the winner without a search.
    fn certain_winner(&mut self, node: &Node) -> Option<Player> {
        let canonical = self
            .canonicalizer
            .canonicalize(&node.board, node.extra_tempi);
        self.canonicalizer.winner(&canonical)
    }

    /// Returns a line of best play from `board`, which `winner` is proven to win. The line is shortened if `go_on`
    /// returns false.
    fn best_line(
        &mut self,
        board: &Board,
        winner: Player,
        go_on: ContinueCallback<'_>,
    ) -> Vec<Move> {
        // If another thread found the winner, this solver's search was aborted.
        self.is_aborted = false;
        let mut node = self.turn_node(board.clone(), 0);
        let mut line = Vec::new();
        while certain_winner(&node.board).is_none() {
            let Some((turn, child)) = self.best_turn(&node, winner, go_on) else {
                break;
            };
            line.push(turn);
            node = child;
        }
        line
    }

    /// Returns the best turn at `node` and the node after it: for `winner` a winning turn, for the loser the turn that
    /// took the most work to refute. Returns `None` if `go_on` returns false before the turn is found.
    fn best_turn(
        &mut self,
        node: &Node,
        winner: Player,
        go_on: ContinueCallback<'_>,
    ) -> Option<(Move, Node)> {
        let mut choose = |solver: &mut Solver, node: &Node| {
            let best = if node.board.to_move() == winner {
                let (_, easiest) = solver.search(node, ProofNumbers::UNLIMITED, go_on);
                easiest.filter(|edge| edge.numbers.win == 0.0)
            } else {
                solver.most_refuted(node)
            };
            best.map(|Edge { step, key, .. }| (step, solver.child_node(node, step, key)))
        };
        match choose(self, node) {
            None => self.fill_turn(node, winner, None, go_on),
            Some((Step::Fill, child)) => self.fill_turn(node, winner, Some(child.key), go_on),
            Some((step, child)) => {
                let (arrow, next) = choose(self, &child)?;
                Some((step.turn_with(arrow)?, next))
            }
        }
    }

    /// Returns a turn at `node` in a region with a known number of moves, and the node after the turn: the turn that
    /// leads to table key `key`, if any. Otherwise returns any such turn for the loser, and one that keeps the win for
    /// `winner`. Returns `None` if there is no such turn or `go_on` returns false.
    fn fill_turn(
        &mut self,
        node: &Node,
        winner: Player,
        key: Option<Key>,
        go_on: ContinueCallback<'_>,
    ) -> Option<(Move, Node)> {
        let resolved_amazons = self
            .canonicalizer
            .canonicalize(&node.board, 0)
            .resolved_amazons;
        let mut turns = movegen::moves(&node.board);
        turns.retain(|turn| turn.from.bit() & resolved_amazons != 0);
        let mut children: Vec<_> = turns
            .into_iter()
            .map(|turn| {
                let mut board = node.board.clone();
                board.play(turn).expect("listed");
                (turn, self.turn_node(board, 0))
            })
            .collect();
        if let Some(at) = children
            .iter()
            .position(|(_, after)| Some(after.key) == key)
        {
            return Some(children.swap_remove(at));
        }
        let is_loser_to_move = node.board.to_move() != winner;
        let mut wins = |after: &Node| self.winner(&after.board, go_on) == Some(winner);
        children
            .into_iter()
            .find(|(_, after)| is_loser_to_move || wins(after))
    }

    /// Returns the edge of a lost node on whose refutation the search spent the most nodes. Returns `None` if the node
    /// has no edges.
    fn most_refuted(&mut self, node: &Node) -> Option<Edge> {
        let edges = self.edges(node);
        let effort = |edge: &Edge| self.table.effort(edge.key);
        edges.iter().copied().max_by_key(effort)
    }

    /// Searches the subtree of `node` until its proof number reaches `limit.win`, its disproof number reaches
    /// `limit.loss`, the winner is proven, or `go_on` returns false. Returns the proof and disproof number of `node`,
    /// and its edge with the smallest proof number (`None` if there are no edges).
    fn search(
        &mut self,
        node: &Node,
        limit: ProofNumbers,
        go_on: ContinueCallback<'_>,
    ) -> (ProofNumbers, Option<Edge>) {
        self.nodes += 1;
        let nodes = self.nodes;
        let mut edges = self.edges(node);
        let found = loop {
            let Summary {
                numbers,
                best,
                second_win,
            } = Summary::of(&edges);
            let is_limit_reached = numbers.win >= limit.win || numbers.loss >= limit.loss;
            if is_limit_reached || numbers.is_proven() || !self.may_continue(go_on) {
                break (numbers, edges.get(best).copied());
            }
            let Edge {
                step,
                key,
                numbers: edge_numbers,
            } = edges[best];
            let child = self.child_node(node, step, key);
            if self.is_shared {
                let with_virtual_loss = ProofNumbers {
                    win: edge_numbers.win * VIRTUAL_LOSS,
                    ..edge_numbers
                };
                self.table
                    .put(key, step.convert(node.stage, with_virtual_loss), 0);
            }
            let child_limit = ProofNumbers {
                win: limit
                    .win
                    .min(second_win * ONE_PLUS_EPSILON)
                    .max(edge_numbers.win * MIN_LIMIT_GROWTH),
                loss: (limit.loss - (numbers.loss - edge_numbers.loss))
                    .max(edge_numbers.loss * MIN_LIMIT_GROWTH),
            };
            let (found, easiest) =
                self.search(&child, step.convert(node.stage, child_limit), go_on);
            if node.stage == TurnStage::Amazon
                && let Some(arrow) = easiest.filter(|edge| edge.numbers == ProofNumbers::WON)
                && let Some(turn) = step.turn_with(arrow.step)
            {
                self.replies.put(node.board.to_move(), turn);
            }
            edges[best].numbers = step.convert(node.stage, found);
            if matches!(node.stage, TurnStage::Arrow(_))
                && edges[best].numbers == ProofNumbers::LOST
            {
                // The reply that has just refuted one arrow often refutes other arrows, too.
                self.try_replies(node, &mut edges, 1, |_| true);
            }
            if self.is_shared {
                self.table.look_up(node.stage, &mut edges);
            }
        };
        let effort = self.nodes - nodes;
        self.table.put(node.key, found.0, effort);
        found
    }

    /// Calls `go_on` and returns its result. Once the result was false, returns false without another call.
    fn may_continue(&mut self, go_on: ContinueCallback<'_>) -> bool {
        self.is_aborted = self.is_aborted || !go_on(self.nodes);
        !self.is_aborted
    }

    /// Returns the node for `board` at which an amazon's move is due. Black may pass `extra_tempi` turns more than
    /// white.
    fn turn_node(&mut self, board: Board, extra_tempi: i32) -> Node {
        let key = self.canonicalizer.canonicalize(&board, extra_tempi).key();
        Node {
            board,
            extra_tempi,
            stage: TurnStage::Amazon,
            key,
        }
    }

    /// Returns the child that `step` leads to from `node`. `key` is the table key of the child.
    fn child_node(&self, node: &Node, step: Step, key: Key) -> Node {
        let (mut board, mut extra_tempi) = (node.board.clone(), node.extra_tempi);
        let mut stage = TurnStage::Amazon;
        match step {
            Step::Half(action) => stage = node.stage.play(&mut board, action),
            Step::Fill => {
                extra_tempi -= match board.to_move() {
                    Player::Black => 1,
                    Player::White => -1,
                };
                board.set_to_move(!board.to_move());
            }
        }
        Node {
            board,
            extra_tempi,
            stage,
            key,
        }
    }
}

impl Summary {
    /// Combines the numbers of a node's edges: the proof number is their minimum, because one winning edge suffices,
    /// and the disproof number is their sum, because every edge must lose.
    fn of(edges: &[Edge]) -> Summary {
        let mut summary = Summary {
            numbers: ProofNumbers::LOST,
            best: 0,
            second_win: f32::INFINITY,
        };
        let numbers = &mut summary.numbers;
        for (at, edge) in edges.iter().enumerate() {
            let ProofNumbers { win, loss } = edge.numbers;
            if win < numbers.win {
                (summary.second_win, numbers.win, summary.best) = (numbers.win, win, at);
            } else {
                summary.second_win = summary.second_win.min(win);
            }
            numbers.loss += loss;
        }
        summary
    }
}

/// Returns the margin by which `winner` wins, if the remaining moves of both players can be counted, otherwise `None`.
fn margin_by_counting(board: &Board, winner: Player) -> Option<u32> {
    let left = moves_left(board)?;
    let [own, other] = [winner, !winner].map(|player| left[player as usize]);
    // Let both players move in turn until the loser has no move. Then the winner has made as many moves as the loser,
    // or one more if the winner moved first.
    Some(own - other - u32::from(winner == board.to_move()))
}
