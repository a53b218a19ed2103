//! One thread of a search ([`Worker`]), which runs iterations, and what all threads share ([`Shared`]).
//!
//! Threads that share a tree see each other's results at once (tree parallelisation, Chaslot, Winands & van den Herik
//! 2008). A thread counts the visit of an edge when it selects the edge, not when the iteration ends. So the PUCT score
//! of the edge falls at once, and the other threads select others. A thread locks a node while it selects an edge,
//! looks for a proof of the winner or adds a child node there. It sets the mean win probability of an edge without a lock:
//! now and then one thread overwrites what another has just written, and a result is lost. A proven win or loss is stored
//! in the place of the mean; if it is lost, it is found again when the edge is next visited.

use super::endgame::subgames::SubgameSolver;
use super::expansion::{self, ExpandContext, Expander, TurnStage, estimate};
use super::tree::{Edge, EdgeRef, NodeId, Supply, Tree, Word};
use super::{ITERATION_WORK, Params, Progress, from_perspective, puct};
use crate::board::{Board, Player};
use crate::eval::{self, Networks, value::ValueNetwork};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};
use smallvec::SmallVec;
use std::sync::atomic::AtomicU32;

/// Data that all threads of a search share: the position at the root, the tree, the parameters and the networks.
pub struct Shared<W> {
    pub(super) board: Board,
    pub(super) tree: Tree<W>,
    pub(super) params: Params,
    pub(super) networks: Networks,
}

/// One step on the path of an iteration from the root of the search tree to a leaf: `edge` is the edge that the
/// iteration followed, `node` the node at which this edge starts, and `to_move` the player to move there.
#[derive(Clone, Copy)]
struct PathStep {
    node: NodeId,
    edge: EdgeRef,
    to_move: Player,
}

/// Path of one iteration of the search, from the root of the tree to a leaf; one [`PathStep`] for each edge. An edge is
/// an amazon's move or an arrow shot. Paths of up to 64 edges (32 whole turns) need no heap memory.
type Path = SmallVec<[PathStep; 64]>;

/// Node at which the iterations of a batch start, and its position. A batch is a group of successive iterations that
/// share the path from the root to this node; only the first iteration selects the edges of this path. This saves time
/// and costs little, because statistics near the root hardly change within a batch.
pub(super) struct BatchStart {
    board: Board,
    stage: TurnStage,
    node: NodeId,
    /// Number of edges (amazon's moves and arrow shots) on the path from the root of the search tree to `node`.
    depth: usize,
    /// Number of iterations of the current batch (a group of iterations that share the beginning of their paths) that
    /// have not yet been run.
    remaining: u32,
}

/// Result of one iteration of the search: black's estimated win probability, or the proven winner. [`Worker::back_up`]
/// uses it to update the statistics of all edges on the iteration's path.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    /// Estimated probability that black wins, from 0 to 1.
    Estimate(f32),
    /// The player who is proven to win the position at the end of the iteration's path.
    Proven(Player),
}

/// One thread of a search: its random numbers, its current path, memory for new nodes, and counts of the work done.
pub struct Worker {
    /// Random number generator for seeds of noise and for drawing moves. `Xoshiro256PlusPlus` gives the same numbers on
    /// 32-bit and 64-bit machines, unlike `SmallRng`.
    pub(super) rng: Xoshiro256PlusPlus,
    /// Number of iterations since the last call of [`Worker::reset_counts`]; so are the other counts.
    pub(super) iterations: u64,
    /// Number of positions that were statically evaluated.
    pub(super) evaluations: u64,
    /// Work spent on counting moves in endgames and on searching subgames: number of positions, amazon's moves and arrow
    /// shots that were examined.
    endgame_work: u64,
    /// Number of edges on the longest path of an iteration.
    pub(super) longest_path: usize,
    /// Path of the latest iteration, from the root to the leaf. The next iteration keeps the beginning of this path if
    /// it belongs to the same batch, a group of iterations that share the path from the root to a node.
    path: Path,
    /// Number of edges at the beginning of `path` that this iteration took over from the one before it. If threads
    /// share the tree, the visits of the edges after these were counted when the edges were selected.
    kept: usize,
    /// Node at which the iterations of the current batch start. A batch is a group of iterations that share the path
    /// from the root to this node. If the field is `None`, the next iteration starts at the root.
    pub(super) batch: Option<BatchStart>,
    pub(super) supply: Supply,
    expander: Expander,
    /// Solves positions with few empty squares, before a node is created for them.
    subgames: SubgameSolver,
}

impl Worker {
    /// Creates a worker whose random numbers have the seed `seed`.
    #[must_use]
    pub(super) fn new(seed: u64) -> Worker {
        Worker {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            iterations: 0,
            evaluations: 0,
            endgame_work: 0,
            longest_path: 0,
            path: Path::new(),
            kept: 0,
            batch: None,
            supply: Supply::default(),
            expander: Expander::default(),
            subgames: SubgameSolver::default(),
        }
    }

    /// Sets all counts to 0.
    pub(super) fn reset_counts(&mut self) {
        (self.iterations, self.evaluations) = (0, 0);
        (self.endgame_work, self.longest_path) = (0, 0);
    }

    /// Returns the number of iterations and the work done since the last call of [`Worker::reset_counts`].
    /// [`Progress::work`] says what is counted as work.
    pub(super) const fn progress(&self) -> Progress {
        Progress {
            iterations: self.iterations,
            work: self.iterations * ITERATION_WORK + self.endgame_work,
        }
    }

    /// Tests if the tree must give this worker memory before its next iteration.
    #[must_use]
    pub fn is_short_of_memory(&self) -> bool {
        self.supply.is_low()
    }

    /// Runs iterations until the winner of the root position is proven, `go_on` returns false, or the worker is short
    /// of memory. `go_on` is called before each iteration with the number of iterations and the amount of work that
    /// this worker has done since [`Search::begin`](super::Search::begin). Returns the proven winner.
    pub fn run(
        &mut self,
        shared: &Shared<AtomicU32>,
        go_on: &mut dyn FnMut(Progress) -> bool,
    ) -> Option<Player> {
        while !self.is_short_of_memory() && go_on(self.progress()) {
            let winner = self.iterate(shared);
            if winner.is_some() {
                return winner;
            }
        }
        None
    }

    /// Runs one iteration of the search: follows edges to a leaf, evaluates the leaf, and updates the statistics of all
    /// edges from the root to the leaf. Returns the winner of the root position if it is now proven. The root node must
    /// exist, and the worker must not be short of memory.
    ///
    /// The first iteration of a batch (a group of iterations that share the beginning of their paths) starts at the
    /// root. The others start at the end of the shared part.
    #[inline(never)]
    pub(super) fn iterate<W: Word>(&mut self, shared: &Shared<W>) -> Option<Player> {
        let outcome = self.descend(shared);
        self.longest_path = self.longest_path.max(self.path.len());
        self.iterations += 1;
        self.back_up(shared, outcome)
    }

    /// Returns where the next iteration starts. First: the position. Second: the stage of the turn (an amazon's move or
    /// an arrow shot is next). Third: the node.
    ///
    /// Iterations run in batches; those of a batch share the path from the root to the start node of the batch. If the
    /// current batch has iterations left, returns its start node. Otherwise returns the root. Sets `self.path` to the
    /// path from the root to the returned node.
    fn start_node<W: Word>(&mut self, shared: &Shared<W>) -> (Board, TurnStage, NodeId) {
        if let Some(batch) = self.batch.as_mut().filter(|batch| batch.remaining > 0) {
            batch.remaining -= 1;
            self.path.truncate(batch.depth);
            return (batch.board.clone(), batch.stage, batch.node);
        }
        self.batch = None;
        self.path.clear();
        let root = shared.tree.root().expect("the tree has a root");
        (shared.board.clone(), TurnStage::Amazon, root)
    }

    /// Follows edges from the start node of the iteration down to a leaf, and writes them to `self.path`. Returns the
    /// result of the iteration: black's estimated win probability at the leaf, or the proven winner.
    ///
    /// On the way, creates the child node of an amazon's move when its edge is visited for the first time, and the
    /// child node of an arrow shot when its edge is visited for the second time.
    #[inline]
    fn descend<W: Word>(&mut self, shared: &Shared<W>) -> Outcome {
        let tree = &shared.tree;
        let min_visits = shared.params.batch_min_visits as u32;
        let (mut board, mut stage, mut node) = self.start_node(shared);
        self.kept = self.path.len();
        let before = self.path.last().map(|step| tree.edge(step.edge));
        let mut visits = before.map_or(tree.root_visits(), |edge| edge.visits);
        loop {
            let to_move = board.to_move();
            let Some((at, edge)) = self.select(shared, node, visits, stage) else {
                return Outcome::Proven(!to_move);
            };
            if self.batch.is_none() && visits >= min_visits && edge.visits < min_visits {
                self.batch = Some(BatchStart {
                    board: board.clone(),
                    stage,
                    node,
                    depth: self.path.len(),
                    remaining: shared.params.batch_iterations as u32 - 1,
                });
            }
            self.path.push(PathStep {
                node,
                edge: at,
                to_move,
            });
            stage = stage.play(&mut board, edge.action);
            if let Some(outcome) = outcome_at(shared, edge, to_move, &board, stage) {
                return outcome;
            }
            visits = edge.visits;
            // Only before a node is created: a proof without edges would contradict a node that has some.
            if edge.node.is_none() && stage == TurnStage::Amazon {
                let (winner, work) = self.subgames.winner(&board);
                self.endgame_work += work;
                if let Some(winner) = winner {
                    return Outcome::Proven(winner);
                }
            }
            node = edge.node.unwrap_or_else(|| {
                let value = from_perspective(board.to_move(), from_perspective(to_move, edge.mean));
                let expanded = self.expand(shared, &board, stage, value);
                tree.link_child(&mut self.supply, node, at, expanded)
            });
        }
    }

    /// Selects the edge (amazon's move or arrow shot) of `node` that the iteration follows. Compares the PUCT scores of
    /// the visited edges with the first-play urgency of the best unvisited edge, and returns the edge with the highest
    /// value: its location, and its statistics before this visit. If it is the unvisited edge, first allocates its
    /// statistics in the tree.
    ///
    /// - `visits`: number of visits of `node`.
    /// - `stage`: whether an amazon's move or an arrow shot is chosen at `node`.
    ///
    /// Returns `None` if `node` has no edges, or if all its edges are visited and proven losses.
    #[inline]
    fn select<W: Word>(
        &mut self,
        shared: &Shared<W>,
        node: NodeId,
        visits: u32,
        stage: TurnStage,
    ) -> Option<(EdgeRef, Edge)> {
        let (params, tree) = (&shared.params, &shared.tree);
        let weight = match stage {
            TurnStage::Amazon => params.explore_amazon,
            TurnStage::Arrow(_) => params.explore_arrow,
        };
        let explore = puct::exploration(weight, visits as f32, params);
        tree.with_lock(node, || {
            let unvisited = tree.best_unvisited(node);
            let floor = unvisited.map_or(f32::NEG_INFINITY, |first| {
                let visited = tree.visited_edges(node);
                puct::first_play_urgency(first, visited, explore, params.fpu_reduction)
            });
            let best = tree.best_above(node, explore, floor);
            let at = best.or_else(|| {
                let slope = softmax_slope(params, stage);
                let estimate = |edge, softmax| estimate(edge, softmax, slope);
                unvisited.map(|_| tree.expand_edge(&mut self.supply, node, estimate))
            })?;
            let edge = tree.edge(at);
            if W::SHARED {
                // The visit is counted at once, so that the other threads select other edges.
                tree.count_visit(at);
            }
            Some((at, edge))
        })
    }

    /// Updates the statistics of each edge on the iteration's path, from the leaf up to the root. Adds one to the
    /// number of visits, and includes `outcome` in the mean win probability.
    ///
    /// If `outcome` is a proven winner, the last edge of the path becomes a proven win or loss. An edge further up
    /// becomes proven if the winner follows from the edges of its child node: one is a proven win, or all are proven
    /// losses. From the first edge that does not become proven up to the root, the outcome counts as a win probability
    /// of 1 or 0. Returns the winner if the root position is proven.
    #[inline]
    fn back_up<W: Word>(&mut self, shared: &Shared<W>, mut outcome: Outcome) -> Option<Player> {
        let tree = &shared.tree;
        if let Outcome::Proven(_) = outcome {
            self.batch = None;
        }
        for at in (0..self.path.len()).rev() {
            let step = self.path[at];
            let mut edge = tree.edge(step.edge);
            let is_counted = W::SHARED && at >= self.kept;
            if is_counted {
                edge.visits = edge.visits.saturating_sub(1);
            }
            let mean = match outcome {
                // Another thread has proven the edge in the meantime.
                Outcome::Estimate(_) if W::SHARED && edge.is_proven() => edge.mean,
                Outcome::Estimate(black) => edge.mean_with(from_perspective(step.to_move, black)),
                Outcome::Proven(winner) if winner == step.to_move => Edge::PROVEN_WIN,
                Outcome::Proven(_) => Edge::PROVEN_LOSS,
            };
            tree.set_mean(step.edge, mean);
            if !is_counted {
                tree.count_visit(step.edge);
            }
            let proven_winner = || tree.proven_winner(step.node, step.to_move);
            if let Outcome::Proven(winner) = outcome
                && tree.with_lock(step.node, proven_winner) != Some(winner)
            {
                outcome = Outcome::Estimate(if winner == Player::Black { 1.0 } else { 0.0 });
            }
        }
        tree.count_root_visit();
        match outcome {
            Outcome::Proven(winner) => Some(winner),
            Outcome::Estimate(_) => None,
        }
    }

    /// Creates a node for the position `board` and adds it to the tree, with estimates of all its edges (legal amazon's
    /// moves or arrow shots; those in integer regions that need not be searched are left out). Returns the id of the
    /// node.
    ///
    /// - `stage`: whether an amazon's move or an arrow shot is chosen at the node.
    /// - `value`: win probability of the side to move, from 0 to 1. The amazon's move that the policy network prefers
    ///   gets this value as its estimate, the others get less. Estimates of arrow shots do not depend on `value`.
    pub(super) fn expand<W: Word>(
        &mut self,
        shared: &Shared<W>,
        board: &Board,
        stage: TurnStage,
        value: f32,
    ) -> NodeId {
        let context = ExpandContext {
            policy: &shared.networks.policy,
            value,
            policy_spread: shared.params.policy_spread,
            arrow_policy_offset: shared.params.arrow_policy_offset,
            slope: softmax_slope(&shared.params, stage),
            seed: self.rng.next_u32(),
        };
        let (packed, softmax, work) = self.expander.expand(board, stage, context);
        self.endgame_work += work;
        if stage != TurnStage::Amazon {
            self.evaluations += packed.len() as u64;
        }
        shared
            .tree
            .add_node(&mut self.supply, packed, softmax, |edge| {
                estimate(edge, softmax, context.slope)
            })
    }
}

/// Returns the result of the iteration if it ends with `edge`, or `None` if it goes on to the child node of `edge`.
/// The iteration ends in two cases:
///
/// - `edge` is a proven win or loss: the result is the proven winner.
/// - `edge` is an arrow shot that is visited for the first time: the result is black's win probability, as
///   estimated by the value network.
///
/// The parameters besides `edge` are:
///
/// - `to_move`: the player who makes the amazon's move or arrow shot of `edge`.
/// - `board`, `stage`: the position after `edge`, and whether an amazon's move or an arrow shot comes next.
#[inline]
fn outcome_at<W: Word>(
    shared: &Shared<W>,
    edge: Edge,
    to_move: Player,
    board: &Board,
    stage: TurnStage,
) -> Option<Outcome> {
    if edge.is_proven() {
        let winner = if edge.mean == Edge::PROVEN_WIN {
            to_move
        } else {
            !to_move
        };
        return Some(Outcome::Proven(winner));
    }
    (edge.visits == 0 && stage == TurnStage::Amazon).then(|| {
        let estimate = eval::fixed_log_odds(edge.mean);
        let linear = edge.action.policy_offset() - estimate;
        Outcome::Estimate(black_win_probability(&shared.networks.value, board, linear))
    })
}

/// Returns the slope of the softmax for prior probabilities, 256·log2(e) / temperature: the inverse temperature for
/// powers of 2 instead of e, as a fixed-point number with eight fractional bits, see [`expansion::softmax_slope`].
/// `stage` selects the temperature: that of amazon's moves or that of arrow shots.
fn softmax_slope(params: &Params, stage: TurnStage) -> u32 {
    expansion::softmax_slope(match stage {
        TurnStage::Amazon => params.temperature_amazon,
        TurnStage::Arrow(_) => params.temperature_arrow,
    })
}

/// Returns the probability that black wins the position `board`, in which a whole turn has just been completed.
/// `linear` is the linear evaluation of this position: log-odds that the side to move wins, in units of 1 /
/// [`eval::LOG_ODDS_ONE`]. The value network `network` corrects it.
fn black_win_probability(network: &ValueNetwork, board: &Board, linear: i32) -> f32 {
    let log_odds = network.log_odds(board, linear);
    from_perspective(board.to_move(), eval::probability(eval::log_odds(log_odds)))
}
