//! Endgame solver ([`Solver`]): finds the winner of a position under perfect play, by proof-number search.
//!
//! The algorithm is depth-first proof-number search (df-pn, Nagai 2002) with a transposition table, in negamax form:
//! all numbers are for the side to move, and every node is an OR node for its own side. Each turn is two levels of the
//! tree: the amazon's move and the arrow. Each iteration expands the most-proving node, whose proof or disproof is
//! expected to take the least work. The initial expectation comes from the built-in neural networks, the static
//! evaluation, and the number of squares that both players reach (`solver/edges.rs`).
//!
//! Many positions are proven without a search: by a count of the moves left, or by the solution of small separate
//! regions (`engine/mcts/endgame/subgames.rs`). To refute an arrow shot, the solver first tries the opponent's killer
//! replies: turns that won recently (`solver/replies.rs`). Equivalent positions have the same canonical form and share one
//! table entry (`solver/canonical.rs`). Several threads can search one position; they share only the table.

mod canonical;
mod edges;
mod replies;
mod table;

use canonical::Canonicalizer;
use edges::{Edge, Edges, Step};
use engine::board::{Board, Move, Player};
use engine::inspect::{StaticEstimator, TurnStage};
use engine::mcts::endgame::{certain_winner, moves_left};
use engine::movegen;
use replies::KillerReplies;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use table::{Key, ProofNumbers};
pub use table::{SerializedEntry, Table};

/// Threshold factor of the 1 + ε trick (Pawlewicz and Lew 2007): the search of the best edge goes on until its proof
/// number exceeds the second-smallest proof number by this factor. Larger factors mean fewer switches between edges.
const ONE_PLUS_EPSILON: f32 = 1.25;

/// Minimum ratio of a child's df-pn thresholds, for proof and disproof number, to its current numbers. A ratio above 1
/// guarantees that the search of the child does not return at once with the same numbers.
const MIN_LIMIT_GROWTH: f32 = 1.01;

/// Factor by which the proof number of an edge is temporarily multiplied while a thread searches it, so that other
/// threads search other edges (virtual loss, Chaslot et al. 2008; for proof numbers Kaneko 2010).
const VIRTUAL_LOSS: f32 = 3.0;

/// Result for a solved position: its winner, and a principal variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Winner under perfect play.
    pub winner: Player,
    /// Principal variation from the solved position. The winner plays winning moves. The loser plays the moves below
    /// which the most nodes were searched. The variation ends when the winner can be proven without a search: by a
    /// count of both players' remaining moves, or by a fortress (territory that the opponent cannot enter).
    pub line: Vec<Move>,
}

/// Margin of a win: the number of moves by which the winner leads. Defined as the largest number of turns that the
/// winner could let the loser pass and still win. If no square is reachable by both players, it is the number of moves
/// that the winner has left when the loser has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// Lower bound on the margin: the winner could let the loser pass at least this many turns and still win.
    pub least: u32,
    /// True if `least` is the exact margin: the winner still wins if the loser may pass `least` turns, but not if the
    /// loser may pass one more. False if the margin may be greater.
    pub is_exact: bool,
}

/// Progress of a [`Solver`] towards a proof that the side to move loses: how many of this side's amazon's moves there
/// are, and how many of them are proven to lose so far.
pub struct AmazonMoveProgress {
    table: Arc<Table>,
    edges: Edges,
}

impl AmazonMoveProgress {
    /// Returns the number of alternatives of the side to move; it has lost once all are proven to lose. Each amazon's
    /// move, with any arrow, is one alternative. Moves in regions that are worth a fixed number of free moves to one
    /// player are an exception, because they are equivalent. They count as one alternative together if this side has
    /// more free moves than the opponent, otherwise as none.
    #[must_use]
    pub fn total(&self) -> usize {
        self.edges.len()
    }

    /// Returns how many alternatives of the side to move are proven to lose so far. An alternative is an amazon's move
    /// (exception: see [`AmazonMoveProgress::total`]); it loses if it loses with every arrow. The result grows while
    /// the solver works; call this method again for the current number.
    pub fn refuted(&mut self) -> usize {
        self.table.look_up(TurnStage::Amazon, &mut self.edges);
        let is_lost = |edge: &&Edge| edge.numbers == ProofNumbers::LOST;
        self.edges.iter().filter(is_lost).count()
    }
}

/// Solver of endgames by proof-number search. Its transposition table is not emptied between positions, so later
/// positions profit from earlier ones.
pub struct Solver {
    /// Estimates, for each edge of a node, the log-odds that the side to move wins by it. Uses the built-in networks
    /// and the static evaluation. The initial proof and disproof number of the edge are computed from the estimate.
    estimator: StaticEstimator,
    canonicalizer: Canonicalizer,
    replies: KillerReplies,
    table: Arc<Table>,
    /// True if other threads read and write `table` while this solver works.
    is_shared: bool,
    /// Solvers for the additional threads, which share `table`. Empty in a single-threaded solver, and in each of these
    /// helpers.
    helpers: Vec<Solver>,
    /// Number of nodes that this solver has expanded in its own thread since it was created.
    nodes: u64,
    /// True if the current search was stopped: the callback `go_on` returned false, or another thread found the winner.
    is_aborted: bool,
}

/// Callback by which a caller can stop the solver: the search stops if it returns false. It is called in the caller's
/// thread, before a node is expanded. Its argument is the number of nodes that this thread has expanded so far.
type GoOn<'a> = &'a mut dyn FnMut(u64) -> bool;

/// Node of the proof-number search: a position before an amazon's move, or between the amazon's move and its arrow.
struct Node {
    board: Board,
    /// Number of turns that black may pass minus the number of turns that white may pass.
    extra_tempi: i32,
    stage: TurnStage,
    key: Key,
}

/// Summary of all edges of a node: the node's proof and disproof number, and the edge to search next.
struct Summary {
    numbers: ProofNumbers,
    /// Index, from 0, of the edge to search next in the list of the node's edges: the edge with the smallest proof
    /// number. 0 if there is no edge.
    best: usize,
    /// Second-smallest proof number of the node's edges, for the side to move at the node. Infinite if there are fewer
    /// than two edges.
    second_win: f32,
}

impl Solver {
    /// Creates a single-threaded solver with a transposition table of at most `memory` bytes.
    #[must_use]
    pub fn new(memory: usize) -> Solver {
        Solver::with_threads(memory, 1)
    }

    /// Creates a solver with `threads` threads (0 counts as 1) and a shared transposition table of at most `memory`
    /// bytes. With several threads, principal variations and node counts may differ from run to run. Winners and
    /// margins are the same in every run; a [`Margin`] is the number of moves by which the winner leads.
    #[must_use]
    pub fn with_threads(memory: usize, threads: usize) -> Solver {
        let table = Arc::new(Table::with_bytes(memory));
        let new_solver = || Solver::with_table(&table, threads > 1);
        Solver {
            helpers: (1..threads).map(|_| new_solver()).collect(),
            ..new_solver()
        }
    }

    /// Creates a solver for one thread, which uses `table`. `is_shared` tells if other threads use the table at the
    /// same time.
    fn with_table(table: &Arc<Table>, is_shared: bool) -> Solver {
        Solver {
            estimator: StaticEstimator::default(),
            canonicalizer: Canonicalizer::default(),
            replies: KillerReplies::default(),
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

    /// Finds the winner of `board` and a principal variation. `go_on` is called in the caller's thread before a node is
    /// expanded, with the number of nodes that this thread has expanded. The solver stops if `go_on` returns false. It
    /// then returns `None` if the winner is still unknown; otherwise the winner, with a variation that may end too
    /// early.
    pub fn solve(&mut self, board: &Board, mut go_on: impl FnMut(u64) -> bool) -> Option<Solved> {
        let winner = self.winner(board, &mut go_on)?;
        Some(Solved {
            winner,
            line: self.best_line(board, winner, &mut go_on),
        })
    }

    /// Returns the winner of `board` under perfect play. `go_on` is called in the caller's thread before a node is
    /// expanded, with the number of nodes that this thread has expanded. If `go_on` returns false before the winner is
    /// found, returns `None`.
    pub fn winner(&mut self, board: &Board, go_on: GoOn<'_>) -> Option<Player> {
        self.winner_with_tempi(board, 0, go_on)
    }

    /// Returns an object from which the progress on `board` can be read during a search. The progress is how many
    /// amazon's moves of the side to move are proven to lose so far, with every arrow. Call this before the search, and
    /// read the progress, for example, in the callback `go_on`.
    pub fn amazon_move_progress(&mut self, board: &Board) -> AmazonMoveProgress {
        let root = self.turn_node(board.clone(), 0);
        AmazonMoveProgress {
            edges: self.edges(&root),
            table: Arc::clone(&self.table),
        }
    }

    /// Returns the margin by which `winner` wins `board`: the largest number of turns that it could let the loser pass
    /// and still win. `winner` must be the proven winner.
    ///
    /// `go_on` is called in the caller's thread before a node is expanded, with the number of nodes that this thread
    /// has expanded. If `go_on` returns false before the margin is found, returns a lower bound.
    pub fn margin(&mut self, board: &Board, winner: Player, go_on: GoOn<'_>) -> Margin {
        let known = margin_by_counting(board, winner);
        let mut margin = Margin {
            least: known.unwrap_or(0),
            is_exact: known.is_some(),
        };
        while !margin.is_exact {
            let passes = margin.least as i32 + 1;
            let extra_tempi = [-passes, passes][winner as usize];
            match self.winner_with_tempi(board, extra_tempi, go_on) {
                Some(player) if player == winner => margin.least += 1,
                Some(_) => margin.is_exact = true,
                None => break,
            }
        }
        margin
    }

    /// Returns the winner of `board` under the rule that black may pass `extra_tempi` turns. If the number is negative,
    /// white may pass as many turns instead. Returns `None` if `go_on` returns false before the winner is found.
    fn winner_with_tempi(
        &mut self,
        board: &Board,
        extra_tempi: i32,
        go_on: GoOn<'_>,
    ) -> Option<Player> {
        let root = self.turn_node(board.clone(), extra_tempi);
        if let Some(winner) = self.winner_without_search(&root) {
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

    /// Searches `root` in all threads, until one of them proves the winner or `go_on` returns false. Returns the proof
    /// and disproof number of `root` for a win of the side to move. `go_on` is called only in the thread of the caller.
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

    /// Returns the winner at `node`, a position at the beginning of a turn, if a proof needs no search of the whole
    /// board. Otherwise returns `None`. Such a proof uses one of these:
    ///
    /// - the numbers of moves that both players still have, if they can be counted
    /// - bounds of the values of small regions
    /// - a fortress: territory that the opponent cannot enter
    fn winner_without_search(&mut self, node: &Node) -> Option<Player> {
        let (board, extra_tempi) = (&node.board, node.extra_tempi);
        let canonical = self.canonicalizer.canonicalize(board, extra_tempi);
        self.canonicalizer.winner(&canonical)
    }

    /// Returns the principal variation from `board`, which `winner` is proven to win. `winner` plays winning moves; the
    /// loser plays the moves below which the most nodes were searched. `go_on` is called before a node is expanded; if
    /// it returns false, the variation ends early.
    fn best_line(&mut self, board: &Board, winner: Player, go_on: GoOn<'_>) -> Vec<Move> {
        // Clear the flag. It is still set if another thread proved the winner, and thereby stopped this solver's last
        // search.
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

    /// Returns the best move at `node`, and the node after it. For `winner` this is a winning move; for the loser it is
    /// the move whose refutation took the most work. Returns `None` if `go_on` returns false before the move is found.
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

    /// Returns a filling turn at `node`, and the node after it. A filling turn is a move in a region that is worth a
    /// fixed number of free moves to one player. `key` is the transposition-table key of the expected position after
    /// the turn. The function chooses the first of these turns that exists:
    ///
    /// - a turn that leads to the position with this key
    /// - if the loser of the game is to move: any filling turn
    /// - if `winner`, the proven winner of the game, is to move: a filling turn that wins
    ///
    /// Returns `None` if there is no such turn, or if the callback `go_on` stops the search for it.
    fn fill_turn(
        &mut self,
        node: &Node,
        winner: Player,
        key: Option<Key>,
        go_on: GoOn<'_>,
    ) -> Option<(Move, Node)> {
        let canonical = self.canonicalizer.canonicalize(&node.board, 0);
        let integer_region_amazons = canonical.integer_region_amazons;
        let mut turns = movegen::moves(&node.board);
        turns.retain(|turn| turn.from.bit() & integer_region_amazons != 0);
        let mut children: Vec<_> = turns
            .into_iter()
            .map(|turn| {
                let mut board = node.board.clone();
                board.play(turn).expect("listed");
                (turn, self.turn_node(board, 0))
            })
            .collect();
        let mut keys = children.iter().map(|(_, after)| after.key);
        if let Some(at) = keys.position(|after| Some(after) == key) {
            return Some(children.swap_remove(at));
        }
        let is_loser_to_move = node.board.to_move() != winner;
        let mut wins = |after: &Node| self.winner(&after.board, go_on) == Some(winner);
        children
            .into_iter()
            .find(|(_, after)| is_loser_to_move || wins(after))
    }

    /// Returns the edge of `node`, a lost position, that took the most work to refute: the most nodes were searched
    /// below the child to which this edge leads. Returns `None` if `node` has no edges.
    fn most_refuted(&mut self, node: &Node) -> Option<Edge> {
        let edges = self.edges(node);
        let effort = |edge: &Edge| self.table.effort(edge.key);
        edges.iter().copied().max_by_key(effort)
    }

    /// Searches the tree below `node`. Stops if its proof number reaches `limit.win`, if its disproof number reaches
    /// `limit.loss`, if the winner is proven, or if `go_on` returns false. Returns the proof and disproof number of
    /// `node`, and its edge with the smallest proof number (`None` if there are no edges).
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
            let summary = Summary::from_edges(&edges);
            let (numbers, best) = (summary.numbers, summary.best);
            let is_limit_reached = numbers.win >= limit.win || numbers.loss >= limit.loss;
            if is_limit_reached || numbers.is_proven() || !self.may_continue(go_on) {
                break (numbers, edges.get(best).copied());
            }
            let Edge { step, key, .. } = edges[best];
            let known = edges[best].numbers;
            let child = self.child_node(node, step, key);
            if self.is_shared {
                let with_virtual_loss = ProofNumbers::new(known.win * VIRTUAL_LOSS, known.loss);
                self.table
                    .put(key, step.convert(node.stage, with_virtual_loss), 0);
            }
            let win = limit.win.min(summary.second_win * ONE_PLUS_EPSILON);
            let loss = limit.loss - (numbers.loss - known.loss);
            let child_limit = ProofNumbers::new(
                win.max(known.win * MIN_LIMIT_GROWTH),
                loss.max(known.loss * MIN_LIMIT_GROWTH),
            );
            let (found, easiest) =
                self.search(&child, step.convert(node.stage, child_limit), go_on);
            if node.stage == TurnStage::Amazon
                && let Some(arrow) = easiest.filter(|edge| edge.numbers == ProofNumbers::WON)
                && let Some(turn) = step.turn_with(arrow.step)
            {
                self.replies.add(node.board.to_move(), turn);
            }
            edges[best].numbers = step.convert(node.stage, found);
            if matches!(node.stage, TurnStage::Arrow(_))
                && edges[best].numbers == ProofNumbers::LOST
            {
                // Try the reply that has just refuted one arrow against the other arrows, because it often refutes them
                // as well.
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

    /// Tests if the search may go on: calls `go_on` with the number of expanded nodes, and returns its result. Once
    /// this has been false, returns false without another call.
    fn may_continue(&mut self, go_on: GoOn<'_>) -> bool {
        self.is_aborted = self.is_aborted || !go_on(self.nodes);
        !self.is_aborted
    }

    /// Creates the node for `board` at the beginning of a turn. `extra_tempi` is the number of turns that black may
    /// pass minus the number of turns that white may pass.
    fn turn_node(&mut self, board: Board, extra_tempi: i32) -> Node {
        let key = self.canonicalizer.canonicalize(&board, extra_tempi).key();
        Node {
            board,
            extra_tempi,
            stage: TurnStage::Amazon,
            key,
        }
    }

    /// Returns the child of `node`: the node after `step`, which is an amazon's move, an arrow or a filling turn (a
    /// turn that only spends a free move). `key` must be the transposition-table key of this child.
    fn child_node(&self, node: &Node, step: Step, key: Key) -> Node {
        let (mut board, mut extra_tempi) = (node.board.clone(), node.extra_tempi);
        let mut stage = TurnStage::Amazon;
        match step {
            Step::Action(action) => stage = node.stage.play(&mut board, action),
            Step::Fill => {
                extra_tempi -= [1, -1][board.to_move() as usize];
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
    /// Computes the proof and disproof number of a node from those of its edges; all are for the side to move at the
    /// node. The proof number is the minimum of the edges' proof numbers, because one winning edge is enough for a win.
    /// The disproof number is the sum of the edges' disproof numbers, because every edge must lose for a loss.
    fn from_edges(edges: &[Edge]) -> Summary {
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

/// Computes the margin of the proven win of `winner` from the numbers of moves that both players can still make. The
/// margin is the largest number of turns that the winner could let the loser pass and still win. Returns `None` if the
/// moves cannot be counted, for example because a square is reachable by both players.
fn margin_by_counting(board: &Board, winner: Player) -> Option<u32> {
    let left = moves_left(board)?;
    let [own, other] = [winner, !winner].map(|player| left[player as usize]);
    // `own` and `other` count the moves left to the winner and to the loser. The margin is the number of moves that the
    // winner has left when the loser is to move and has none. By then the winner has made `other` moves, and one more
    // if it is to move now.
    Some(own - other - u32::from(winner == board.to_move()))
}
