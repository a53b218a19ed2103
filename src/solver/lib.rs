//! Endgame solver: finds the winner of a position under perfect play, by proof-number search.
//!
//! The algorithm is depth-first proof-number search (Nagai 2002) with a transposition table. As in
//! [`Search`](engine::mcts::Search), a turn takes two levels of the tree. Each step expands the position whose proof or
//! disproof is expected to take the least work. The first expectation comes from the networks, the evaluation, and the
//! number of squares that both players reach (`solver/edges.rs`).
//!
//! Positions are proven without search by counting moves, and by solving small separate regions (`solver/subgames.rs`).
//! Recent winning turns are tried first as replies to an arrow (`solver/replies.rs`). Equivalent positions share a
//! canonical form and one table entry (`solver/canonical.rs`).
//!
//! Every turn adds an arrow, so no position repeats, and table entries are valid on every path to their position.
//! Several threads can work on one position; they share only the table.

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

/// Factor by which the search may exceed the second-best edge's proof number before it returns to that edge (the 1 + ε
/// trick, Pawlewicz and Lew 2007).
const ONE_PLUS_EPSILON: f32 = 1.25;

/// Minimum factor by which the limits of a recursive search exceed the current proof and disproof numbers of the edge.
const MIN_LIMIT_GROWTH: f32 = 1.01;

/// Factor on the proof number of an edge while another thread searches it, so that threads take different paths
/// (virtual loss, Chaslot et al. 2008; for proof numbers Kaneko 2010).
const VIRTUAL_LOSS: f32 = 3.0;

/// The winner of a solved position, with a line of best play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The winner under perfect play.
    pub winner: Player,
    /// Line of best play until counting moves proves the winner: winning moves of the winner, and the loser's moves
    /// that took the most work to refute.
    pub line: Vec<Move>,
}

/// Margin of the win, in moves: the largest number of turns that the loser could pass and still lose. Once the players
/// are separated, the margin is the number of moves that the winner has left when the loser has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// Lower bound on the margin, in moves.
    pub least: u32,
    /// Whether the margin is exactly `least`.
    pub is_exact: bool,
}

/// Progress report on a position that a [`Solver`] is working on: the amazon moves, and how many of them are refuted.
/// All amazon moves in regions with a known number of moves count as one.
pub struct AmazonMoveProgress {
    table: Arc<Table>,
    edges: Edges,
}

impl AmazonMoveProgress {
    /// Returns the number of amazon moves that this report covers, refuted or not.
    #[must_use]
    pub fn count(&self) -> usize {
        self.edges.len()
    }

    /// Returns the number of amazon moves refuted so far. After a refuted amazon move, the side to move loses with
    /// every arrow.
    pub fn refuted(&mut self) -> usize {
        self.table.look_up(TurnStage::Amazon, &mut self.edges);
        let numbers = self.edges.iter().map(|edge| edge.numbers);
        numbers
            .filter(|&numbers| numbers == ProofNumbers::LOST)
            .count()
    }
}

/// A proof-number solver, with a transposition table that is kept between positions.
pub struct Solver {
    policy: StaticEstimator,
    canonicalizer: Canonicalizer,
    replies: Replies,
    table: Arc<Table>,
    /// Whether other threads use the table, too.
    is_shared: bool,
    /// Solvers of the other threads. Empty unless this solver is the one of the calling thread.
    helpers: Vec<Solver>,
    nodes: u64,
    is_aborted: bool,
}

/// Callback before each node of the calling thread: receives the number of nodes expanded, returns false to stop the
/// solver.
type GoOn<'a> = &'a mut dyn FnMut(u64) -> bool;

/// A node of the proof-number search: a position in which an amazon's move or an arrow is due.
struct Node {
    board: Board,
    /// Extra tempi: moves that black has in addition to the moves on the board, minus those of white.
    extra_tempi: i32,
    choice: TurnStage,
    key: Key,
}

/// Proof and disproof number of a node, computed from its edges.
struct Summary {
    numbers: ProofNumbers,
    /// Index of the edge with the least proof number.
    best: usize,
    /// Second-smallest proof number among the edges.
    second_win: f32,
}

impl Solver {
    /// Creates a single-threaded solver with a table of at most `memory` bytes.
    #[must_use]
    pub fn new(memory: usize) -> Solver {
        Solver::with_threads(memory, 1)
    }

    /// Creates a solver with `threads` threads, at least one, and a table of at most `memory` bytes. With several
    /// threads, winners and margins are reproducible; lines and node counts are not.
    #[must_use]
    pub fn with_threads(memory: usize, threads: usize) -> Solver {
        let table = Arc::new(Table::with_bytes(memory));
        let new_solver = || Solver::with_table(&table, threads > 1);
        Solver {
            helpers: (1..threads).map(|_| new_solver()).collect(),
            ..new_solver()
        }
    }

    /// Creates a single-threaded solver that uses the given table.
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

    /// Returns the shared transposition table, which may be read while the solver works.
    #[must_use]
    pub fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }

    /// Returns the number of nodes expanded so far by all threads.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes + self.helpers.iter().map(Solver::nodes).sum::<u64>()
    }

    /// Finds the winner of `board` and a line of best play. Returns `None` if `go_on` returns false before the
    /// winner is found. `go_on` is called before each node of the calling thread with the number of nodes that
    /// this thread has expanded.
    pub fn solve(&mut self, board: &Board, mut go_on: impl FnMut(u64) -> bool) -> Option<Solved> {
        let winner = self.winner(board, &mut go_on)?;
        Some(Solved {
            winner,
            line: self.best_line(board, winner, &mut go_on),
        })
    }

    /// Returns the winner of `board`, or `None` if `go_on` returns false before the winner is found.
    pub fn winner(&mut self, board: &Board, go_on: GoOn<'_>) -> Option<Player> {
        self.winner_with(board, 0, go_on)
    }

    /// Returns the amazon moves of `board`, so that progress can be reported while `board` is being solved.
    pub fn amazon_move_progress(&mut self, board: &Board) -> AmazonMoveProgress {
        let root = self.turn_node(board.clone(), 0);
        AmazonMoveProgress {
            edges: self.edges(&root),
            table: Arc::clone(&self.table),
        }
    }

    /// Returns the margin by which `winner` wins `board`, or a lower bound if `go_on` returns false before the
    /// margin is found.
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

    /// Returns the winner of `board` if black has `extra_tempi` more extra tempi than white. Returns `None` if
    /// `go_on` returns false first.
    fn winner_with(&mut self, board: &Board, extra_tempi: i32, go_on: GoOn<'_>) -> Option<Player> {
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

    /// Searches `root` in all threads until one thread proves the winner, or `go_on` returns false in the calling
    /// thread.
    fn search_in_parallel(&mut self, root: &Node, go_on: GoOn<'_>) -> ProofNumbers {
        let mut helpers = std::mem::take(&mut self.helpers);
        let is_over = AtomicBool::new(false);
        let search = |solver: &mut Solver, go_on: GoOn<'_>| {
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
            // If the system cannot start a thread, the search runs with fewer.
            let threads: Vec<_> = helpers.iter_mut().flat_map(start).collect();
            let own = search(self, go_on);
            let others = threads.into_iter().flat_map(|thread| thread.join());
            let proven = others.filter(|numbers| numbers.is_proven()).last();
            proven.filter(|_| !own.is_proven()).unwrap_or(own)
        });
        self.helpers = helpers;
        found
    }

    /// Returns the winner of a node at which an amazon's move is due, if it is proven without a search.
    fn certain_winner(&mut self, node: &Node) -> Option<Player> {
        let canonical = self.canonicalizer.form(&node.board, node.extra_tempi);
        self.canonicalizer.winner(&canonical)
    }

    /// Returns a line of best play from a solved position, cut short if `go_on` returns false.
    fn best_line(&mut self, board: &Board, winner: Player, go_on: GoOn<'_>) -> Vec<Move> {
        // Another thread may have found the winner, and so aborted this solver's search.
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

    /// Returns the best turn of `node` and the node after it: a winning turn of `winner`, or the loser's turn that took
    /// the most work to refute.
    fn best_turn(&mut self, node: &Node, winner: Player, go_on: GoOn<'_>) -> Option<(Move, Node)> {
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

    /// Returns a turn in a region with a known number of moves, and the node after the turn. Prefers the turn that
    /// leads to the position with `key`. If there is none, any turn will do for the loser; a turn of the winner must
    /// keep the win.
    fn fill_turn(
        &mut self,
        node: &Node,
        winner: Player,
        key: Option<Key>,
        go_on: GoOn<'_>,
    ) -> Option<(Move, Node)> {
        let resolved_amazons = self.canonicalizer.form(&node.board, 0).resolved_amazons;
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

    /// Returns the edge of a lost node that took the most work to refute.
    fn most_refuted(&mut self, node: &Node) -> Option<Edge> {
        let edges = self.edges(node);
        let effort = |edge: &Edge| self.table.effort(edge.key);
        edges.iter().copied().max_by_key(effort)
    }

    /// Searches the subtree of `node` until its proof number reaches `limit.win`, its disproof number reaches
    /// `limit.loss`, or the winner is proven. Returns both numbers, and the edge with the least proof number.
    fn search(
        &mut self,
        node: &Node,
        limit: ProofNumbers,
        go_on: GoOn<'_>,
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
                    .put(key, step.convert(node.choice, with_virtual_loss), 0);
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
                self.search(&child, step.convert(node.choice, child_limit), go_on);
            if node.choice == TurnStage::Amazon
                && let Some(arrow) = easiest.filter(|edge| edge.numbers == ProofNumbers::WON)
                && let Some(turn) = step.turn_with(arrow.step)
            {
                self.replies.put(node.board.to_move(), turn);
            }
            edges[best].numbers = step.convert(node.choice, found);
            if matches!(node.choice, TurnStage::Arrow(_))
                && edges[best].numbers == ProofNumbers::LOST
            {
                // The turn that has just refuted one arrow may refute other arrows, too.
                self.try_replies(node, &mut edges, 1, |_| true);
            }
            if self.is_shared {
                self.table.look_up(node.choice, &mut edges);
            }
        };
        let effort = self.nodes - nodes;
        self.table.put(node.key, found.0, effort);
        found
    }

    /// Calls `go_on`. Once `go_on` has returned false, returns false without calling it again.
    fn may_continue(&mut self, go_on: GoOn<'_>) -> bool {
        self.is_aborted = self.is_aborted || !go_on(self.nodes);
        !self.is_aborted
    }

    /// Returns the search node for `board` with `extra_tempi` extra tempi for black. An amazon's move is due at this
    /// node.
    fn turn_node(&mut self, board: Board, extra_tempi: i32) -> Node {
        let key = self.canonicalizer.form(&board, extra_tempi).key();
        Node {
            board,
            extra_tempi,
            choice: TurnStage::Amazon,
            key,
        }
    }

    /// Returns the node that `step` leads to from `node`; `key` is the table key of the new node.
    fn child_node(&self, node: &Node, step: Step, key: Key) -> Node {
        let (mut board, mut extra_tempi) = (node.board.clone(), node.extra_tempi);
        let mut choice = TurnStage::Amazon;
        match step {
            Step::Half(half_move) => choice = node.choice.play(&mut board, half_move),
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
            choice,
            key,
        }
    }
}

impl Summary {
    /// Combines the edges of a node: the proof number is the minimum over the edges, the disproof number the sum.
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

/// Returns the margin of `winner` if both players' remaining moves can be counted, otherwise `None`.
fn margin_by_counting(board: &Board, winner: Player) -> Option<u32> {
    let left = moves_left(board)?;
    let [own, other] = [winner, !winner].map(|player| left[player as usize]);
    // When both players move in turn until the loser has no move, the winner has moved as often as the loser, or once
    // more if the winner moved first.
    Some(own - other - u32::from(winner == board.to_move()))
}
