//! The type [`Search`]: Monte-Carlo tree search (MCTS) with selection, expansion, evaluation and backpropagation, and
//! the choice of the move to play.
//!
//! Each turn takes two levels of the tree: first the amazon's move, then the arrow. Expanding a node gives each edge an
//! estimate, in log-odds that the side to move wins.
//!
//! - Arrow: static evaluation of the position after the arrow, plus an offset from the policy network.
//! - Amazon's move: the best move gets the log-odds of the node's position. The policy network determines by how much
//!   the other moves are worse.
//!
//! The estimate of an edge is its first-play urgency. A softmax over the estimates of siblings gives their priors.
//!
//! An iteration ends when it reaches a position after a whole turn for the first time; the value network evaluates that
//! position. Selection is PUCT (Rosin 2011, as in Silver et al. 2017). Proven wins and losses are backed up as in
//! MCTS-Solver (Winands et al. 2008).

pub mod endgame;
pub(crate) mod expansion;
mod params;
mod puct;
pub(crate) mod tree;
mod variety;

pub use params::Params;

use crate::board::{Board, IllegalMove, Move, Player};
use crate::eval::{self, Networks, value::ValueNetwork};
use crate::movegen;
use endgame::longest_fill;
use expansion::{ExpandContext, Expander, TurnStage, estimate};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};
use smallvec::SmallVec;
use tree::{Edge, EdgeRef, NodeId, Tree};

/// A step of the path from the root to a leaf: the edge that was followed, the edge's parent node, and the side to move
/// at the parent node.
#[derive(Clone, Copy)]
struct Step {
    node: NodeId,
    edge: EdgeRef,
    to_move: Player,
}

/// The path from the root to a leaf. Paths of up to 64 edges (32 plies) need no heap memory.
type Path = SmallVec<[Step; 64]>;

/// Start node of a batch: iterations whose paths begin with the same edges. Only the first iteration of a batch selects
/// from the root, because statistics near the root hardly change within a batch.
struct BatchRoot {
    board: Board,
    stage: TurnStage,
    node: NodeId,
    /// Number of edges on the path from the root to `node`.
    depth: usize,
    /// Number of iterations of this batch that are still to be run.
    remaining: u32,
}

/// Results and state of the search that belong to its current root position, except the tree. Reset when the root
/// position changes.
#[derive(Default)]
struct RootState {
    /// The proven winner of the root position; `None` if no winner is proven.
    winner: Option<Player>,
    /// First move of the longest sequence of moves that the side to move can make in its own territory. It is the move
    /// to play if counting the moves left to both players has proven the winner of the root position; otherwise `None`.
    fill_move: Option<Move>,
    /// True once [`Search::run_while`] has tried to prove the winner of this root position by counting the moves left
    /// to both players. Later calls do not try again.
    endgame_checked: bool,
    /// The current batch of iterations; `None` if the next iteration starts at the root.
    batch: Option<BatchRoot>,
}

/// Result of one iteration, which [`Search::back_up`] propagates to all edges of the path.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    /// Win probability of black, from 0 to 1.
    Estimate(f32),
    /// The player who is proven to win.
    Proven(Player),
}

/// Progress of a run of the search, reported to the callback of [`Search::run_while`] before each iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of iterations done so far in the current run of the search.
    pub iterations: u64,
    /// Work done so far in the current run of the search, in units that do not depend on the machine:
    /// [`ITERATION_WORK`] units for each iteration, plus the units that the search spent on counting moves in endgames,
    /// see [`FillCounter::budget`](endgame::fill::FillCounter::budget).
    pub work: u64,
}

/// Number of units of [`Progress::work`] for one iteration. On the development machine, an iteration takes about 45 ns
/// per unit.
pub const ITERATION_WORK: u64 = 32;

/// Result of a search: win probability, statistics and principal variation.
///
/// `win_probability` and `visits` are those of the root's best edge. This edge is an amazon's move, so they include all
/// arrows that were tried after the move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Win probability of the side to move, from 0 to 1: the mean over all iterations through the best amazon move.
    /// Exactly 0 or 1 if the winner is proven, 0.5 if nothing was searched.
    pub win_probability: f32,
    /// Number of iterations through the best amazon move. Includes iterations run at earlier turns of the game whose
    /// nodes are still in the tree.
    pub visits: u32,
    /// Number of iterations of the last [`Search::run`].
    pub iterations: u64,
    /// Number of static evaluations in the last [`Search::run`]: one for each arrow of each expanded node.
    pub evaluations: u64,
    /// Length in plies (whole turns) of the longest path from the root in the last [`Search::run`]. A path that ends
    /// after an amazon's move is rounded up to a whole ply.
    pub depth: usize,
    /// Principal variation: the best move at the root, the best reply, and so on alternately, as whole turns.
    pub principal_variation: Vec<Move>,
}

/// A Monte-Carlo tree search that follows one game. Holds the current position, the search tree below that position,
/// and the networks that evaluate it.
pub struct Search {
    board: Board,
    tree: Tree,
    params: Params,
    networks: Networks,
    /// Random number generator. Unlike `SmallRng`, it gives the same numbers on 32-bit and 64-bit machines.
    rng: Xoshiro256PlusPlus,
    root: RootState,
    iterations: u64,
    evaluations: u64,
    /// Units of work, as in [`Progress::work`], that the current run has spent on counting moves in endgames.
    endgame_work: u64,
    longest_path: usize,
    /// Path of the latest iteration, from the root. The next iteration of the same batch keeps the path's beginning, up
    /// to the node at which the batch starts.
    path: Path,
    expander: Expander,
}

impl Search {
    /// Creates a search of the position `board`, with an empty tree and the built-in networks.
    ///
    /// - `memory`: maximum size of the tree in bytes. If the system cannot allocate that much, the tree is smaller.
    /// - `seed`: seed of the random numbers. Equal seeds and numbers of iterations give equal results on every machine.
    /// - `params`: tunable parameters of the search.
    ///
    /// # Panics
    /// If even the smallest tree, 64 KiB, cannot be allocated.
    #[must_use]
    pub fn new(board: Board, memory: usize, seed: u64, params: Params) -> Search {
        Search {
            board,
            tree: Tree::with_memory(memory),
            params,
            networks: Networks::default(),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            root: RootState::default(),
            iterations: 0,
            evaluations: 0,
            endgame_work: 0,
            longest_path: 0,
            path: Path::new(),
            expander: Expander::default(),
        }
    }

    /// Replaces the built-in networks by `networks`. Call this before the first run: nodes already in the tree are not
    /// evaluated again.
    #[must_use]
    pub fn with_networks(mut self, networks: Networks) -> Search {
        self.networks = networks;
        self
    }

    /// Returns the position at the root.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the search tree, for read access to its nodes and edges.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Replaces the root position by `board` and removes all nodes from the tree.
    pub fn set_board(&mut self, board: Board) {
        self.tree.clear();
        self.root = RootState::default();
        self.board = board;
    }

    /// Plays `turn` at the root: the position after `turn` becomes the root, and the subtree below it is kept for the
    /// next run.
    ///
    /// # Errors
    /// The rule that `turn` breaks. The search is then unchanged.
    pub fn advance_root(&mut self, turn: Move) -> Result<(), IllegalMove> {
        self.board.play(turn)?;
        self.tree.advance_root(turn);
        let root = self.tree.root();
        self.root = RootState {
            winner: root.and_then(|root| self.proven_winner(root, self.board.to_move())),
            ..RootState::default()
        };
        Ok(())
    }

    /// Runs iterations until the winner is proven or `go_on` returns false. `go_on` is called before each iteration
    /// with the number of iterations done in this run.
    pub fn run(&mut self, mut go_on: impl FnMut(u64) -> bool) {
        self.run_while(|progress| go_on(progress.iterations));
    }

    /// Runs iterations until the winner is proven or `go_on` returns false. `go_on` is called before each iteration
    /// with the iterations and the work done in this run.
    pub fn run_while(&mut self, mut go_on: impl FnMut(Progress) -> bool) {
        (self.iterations, self.evaluations, self.longest_path) = (0, 0, 0);
        self.endgame_work = 0;
        if !self.root.endgame_checked
            && let Some((winner, turn)) = longest_fill(&self.board)
        {
            (self.root.winner, self.root.fill_move) = (Some(winner), Some(turn));
        }
        self.root.endgame_checked = true;
        while self.root.winner.is_none() && go_on(self.progress()) {
            self.iterate();
            self.iterations += 1;
        }
    }

    /// Returns the number of iterations and the work done in the current or last run.
    const fn progress(&self) -> Progress {
        Progress {
            iterations: self.iterations,
            work: self.iterations * ITERATION_WORK + self.endgame_work,
        }
    }

    /// Returns the winner of the root position if the search has proven one, otherwise `None`.
    #[must_use]
    pub const fn winner(&self) -> Option<Player> {
        self.root.winner
    }

    /// Returns the move to play, by the first of these rules that gives a move:
    ///
    /// - If counting the moves left to both players has proven the winner, the first move of the longest sequence of
    ///   moves that the side to move can make in its own territory.
    /// - A proven win.
    /// - The move with the highest lower confidence bound of its win probability.
    /// - The first legal move, if nothing was searched.
    ///
    /// Returns `None` if the side to move has no legal move.
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        self.root.fill_move.or_else(|| self.searched_move())
    }

    /// Returns the best move by the statistics of the tree, or the first legal move if the tree holds no whole turn.
    /// Returns `None` if the side to move has no legal move.
    fn searched_move(&self) -> Option<Move> {
        let searched = self.principal_variation(1).first().copied();
        debug_assert!(
            searched.is_none_or(|turn| self.board.check(turn).is_ok()),
            "the tree belongs to the board"
        );
        // If the tree is empty, because no iteration was run, the first legal move is returned.
        searched
            .filter(|turn| self.board.check(*turn).is_ok())
            .or_else(|| movegen::moves(&self.board).first().copied())
    }

    /// Returns win probability, statistics and principal variation for the root position, after the last run.
    #[must_use]
    pub fn report(&self) -> Report {
        let best = self.tree.root().and_then(|root| self.best_edge(root));
        let win_probability = match self.root.winner {
            Some(winner) if winner == self.board.to_move() => 1.0,
            Some(_) => 0.0,
            None => best.map_or(0.5, |edge| edge.mean.clamp(0.0, 1.0)),
        };
        Report {
            win_probability,
            visits: best.map_or(0, |edge| edge.visits),
            iterations: self.iterations,
            evaluations: self.evaluations,
            depth: self.longest_path.div_ceil(2),
            principal_variation: match self.root.fill_move {
                Some(fill) => vec![fill],
                None => self.principal_variation(usize::MAX),
            },
        }
    }

    /// Returns the principal variation from the root, with at most `plies` whole turns. It ends before the first turn
    /// for which no arrow was searched.
    #[must_use]
    pub fn principal_variation(&self, plies: usize) -> Vec<Move> {
        self.principal_variation_from(self.tree.root(), plies)
    }

    /// Returns the principal variation from `node`, at which an amazon must move, with at most `plies` whole turns.
    /// Empty if `node` is `None`.
    #[must_use]
    pub fn principal_variation_from(&self, mut node: Option<NodeId>, plies: usize) -> Vec<Move> {
        let mut line = Vec::new();
        while let Some(root) = node.filter(|_| line.len() < plies) {
            let Some(amazon) = self.best_edge(root) else {
                break;
            };
            let Some(arrow) = amazon.node.and_then(|node| self.best_edge(node)) else {
                break;
            };
            line.push(amazon.action.followed_by(arrow.action));
            node = arrow.node;
        }
        line
    }

    /// Returns the visited edge of `node` that should be played: a proven win if there is one, otherwise the edge with
    /// the highest lower confidence bound. A proven loss is returned only if all visited edges are lost. Returns `None`
    /// if no edge was visited.
    fn best_edge(&self, node: NodeId) -> Option<Edge> {
        Search::best_edge_of(self.edges(node), self.params)
    }

    /// Returns the visited edges of `node`, in the order of their first visits.
    fn edges(&self, node: NodeId) -> SmallVec<[Edge; 128]> {
        let mut edges = SmallVec::new();
        self.tree.for_each_edge(node, |_, edge| edges.push(edge));
        edges
    }

    /// Returns the edge with the highest lower confidence bound of its win probability; ties go to more visits, then to
    /// the earlier edge. `edges` must be siblings. Returns `None` if there are no edges.
    #[must_use]
    pub fn best_edge_of(edges: impl IntoIterator<Item = Edge>, params: Params) -> Option<Edge> {
        let rank = |edge: &Edge| {
            let bound = puct::lower_confidence_bound(edge, params.lcb_width);
            (bound, edge.visits)
        };
        let better = |best: Edge, edge: Edge| {
            if rank(&edge) > rank(&best) {
                edge
            } else {
                best
            }
        };
        edges.into_iter().reduce(better)
    }

    /// Runs one iteration of the search: selection, expansion, evaluation, backpropagation.
    fn iterate(&mut self) {
        if self.tree.reclaim() > self.params.batch_min_visits as u32 {
            self.root.batch = None;
        }
        let outcome = self.descend();
        self.longest_path = self.longest_path.max(self.path.len());
        self.back_up(outcome);
    }

    /// Returns where the next iteration starts: the position, the action to choose there, and the node. This is the
    /// start node of the current batch, or the root if the batch has no iterations left. Sets `self.path` to the path
    /// from the root to this node.
    fn start_node(&mut self) -> (Board, TurnStage, NodeId) {
        if let Some(batch) = self.root.batch.as_mut().filter(|batch| batch.remaining > 0) {
            batch.remaining -= 1;
            self.path.truncate(batch.depth);
            return (batch.board.clone(), batch.stage, batch.node);
        }
        self.root.batch = None;
        self.path.clear();
        let (board, stage) = (self.board.clone(), TurnStage::Amazon);
        let root = self.tree.root().unwrap_or_else(|| {
            let value = self.networks.win_probability(&board);
            let root = self.expand(&board, stage, value);
            self.tree.set_root(root);
            root
        });
        (board, stage, root)
    }

    /// Selects edges from the start node down to a leaf, and returns the result for [`Search::back_up`]. Creates the
    /// child node of an amazon's move on the first visit of its edge, and the child node of an arrow on the second
    /// visit.
    fn descend(&mut self) -> Outcome {
        let min_visits = self.params.batch_min_visits as u32;
        let (mut board, mut stage, mut node) = self.start_node();
        let before = self.path.last().map(|step| self.tree.edge(step.edge));
        let mut visits = before.map_or(self.tree.root_visits(), |edge| edge.visits);
        loop {
            let to_move = board.to_move();
            let Some(at) = self.select(node, visits, stage) else {
                return Outcome::Proven(!to_move);
            };
            let edge = self.tree.edge(at);
            if self.root.batch.is_none() && visits >= min_visits && edge.visits < min_visits {
                self.root.batch = Some(BatchRoot {
                    board: board.clone(),
                    stage,
                    node,
                    depth: self.path.len(),
                    remaining: self.params.batch_iterations as u32 - 1,
                });
            }
            self.path.push(Step {
                node,
                edge: at,
                to_move,
            });
            stage = stage.play(&mut board, edge.action);
            if let Some(outcome) = self.outcome_at(edge, to_move, &board, stage) {
                return outcome;
            }
            visits = edge.visits;
            node = edge.node.unwrap_or_else(|| {
                let value = from_perspective(board.to_move(), from_perspective(to_move, edge.mean));
                let expanded = self.expand(&board, stage, value);
                self.tree.set_node(at, Some(expanded));
                expanded
            });
        }
    }

    /// Returns the result of the iteration if it ends after `edge`: the proven winner if `edge` is proven, or the value
    /// network's estimate if `edge` is an arrow on its first visit. Returns `None` if the iteration goes on to the
    /// child node.
    ///
    /// `to_move` is the player who plays `edge`; `board` and `stage` are the position after `edge` and the action to
    /// choose there.
    fn outcome_at(
        &mut self,
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
            Outcome::Estimate(black_win_probability(&self.networks.value, board, linear))
        })
    }

    /// Selects the edge of `node` with the best PUCT score, among its visited edges and its best unvisited edge. The
    /// score of the unvisited edge is its first-play urgency; if this edge is selected, its statistics are allocated in
    /// the tree. `visits` is the number of visits of `node`, `stage` the action to choose there.
    ///
    /// Returns `None` if `node` has no edges, or if all edges are visited and proven losses.
    fn select(&mut self, node: NodeId, visits: u32, stage: TurnStage) -> Option<EdgeRef> {
        let params = &self.params;
        let weight = match stage {
            TurnStage::Amazon => params.explore_amazon,
            TurnStage::Arrow(_) => params.explore_arrow,
        };
        let explore = puct::exploration(weight, visits as f32, params);
        let unvisited = self.tree.best_unvisited(node);
        let floor = unvisited.map_or(f32::NEG_INFINITY, |first| {
            let visited = self.tree.visited_edges(node);
            puct::first_play_urgency(first, visited, explore, params.fpu_reduction)
        });
        let best = self.tree.best_above(node, explore, floor);
        best.or_else(|| {
            let slope = self.softmax_slope(stage);
            unvisited.map(|_| {
                self.tree
                    .expand_edge(node, |edge, softmax| estimate(edge, softmax, slope))
            })
        })
    }

    /// Updates the number of visits and the mean win probability of each edge of the path, from the leaf to the root.
    ///
    /// If `outcome` is a proven winner, the last edge becomes proven. The edge above becomes proven, too, if the edges
    /// of the node between them prove the same winner, and so on. From the first edge that stays unproven, the outcome
    /// counts as a win probability of 1 or 0.
    fn back_up(&mut self, mut outcome: Outcome) {
        if let Outcome::Proven(_) = outcome {
            self.root.batch = None;
        }
        for at in (0..self.path.len()).rev() {
            let step = self.path[at];
            let edge = self.tree.edge(step.edge);
            let visits = Edge::incremented_visits(edge.visits);
            let mean = match outcome {
                Outcome::Estimate(black) => edge.mean_with(from_perspective(step.to_move, black)),
                Outcome::Proven(winner) if winner == step.to_move => Edge::PROVEN_WIN,
                Outcome::Proven(_) => Edge::PROVEN_LOSS,
            };
            self.tree.set_statistics(step.edge, visits, mean);
            if let Outcome::Proven(winner) = outcome
                && self.proven_winner(step.node, step.to_move) != Some(winner)
            {
                outcome = Outcome::Estimate(if winner == Player::Black { 1.0 } else { 0.0 });
            }
        }
        self.tree.visit_root();
        if let Outcome::Proven(winner) = outcome {
            self.root.winner = Some(winner);
        }
    }

    /// Returns the proven winner at `node`, where `to_move` is the side to move: `to_move` if one edge is a proven win,
    /// the other player if all edges are proven losses, otherwise `None`.
    fn proven_winner(&self, node: NodeId, to_move: Player) -> Option<Player> {
        // Edges are visited in the order of their estimates: if the best unvisited edge is lost, all unvisited edges
        // are lost.
        let unvisited = self.tree.best_unvisited(node);
        let (mut won, mut all_lost) = (
            false,
            unvisited.is_none_or(|edge| edge.value == Edge::PROVEN_LOSS),
        );
        self.tree.for_each_edge(node, |_, edge| {
            won |= edge.mean == Edge::PROVEN_WIN;
            all_lost &= edge.mean == Edge::PROVEN_LOSS;
        });
        if won {
            Some(to_move)
        } else {
            all_lost.then_some(!to_move)
        }
    }

    /// Estimates all edges of the position `board` and adds a node with these edges to the tree. `stage` is the action
    /// to choose at the node. `value`, used only for amazon moves, is the win probability of the side to move.
    fn expand(&mut self, board: &Board, stage: TurnStage, value: f32) -> NodeId {
        let context = ExpandContext {
            policy: &self.networks.policy,
            value,
            policy_spread: self.params.policy_spread,
            arrow_policy_offset: self.params.arrow_policy_offset,
            slope: self.softmax_slope(stage),
            seed: self.rng.next_u32(),
        };
        let (packed, softmax, work) = self.expander.expand(board, stage, context);
        if stage != TurnStage::Amazon {
            self.evaluations += packed.len() as u64;
            self.endgame_work += work;
        }
        self.tree.add_node(packed, softmax, |edge| {
            estimate(edge, softmax, context.slope)
        })
    }

    /// Returns the slope of the softmax that gives the priors of amazon moves or of arrows, depending on `stage`. See
    /// [`expansion::softmax_slope`].
    fn softmax_slope(&self, stage: TurnStage) -> u32 {
        expansion::softmax_slope(match stage {
            TurnStage::Amazon => self.params.temperature_amazon,
            TurnStage::Arrow(_) => self.params.temperature_arrow,
        })
    }
}

/// Returns black's win probability in the position `board` after a whole turn. The value network adds its correction to
/// `linear`, the linear evaluation of the position: log-odds of the side to move, in units of 1 /
/// [`eval::LOG_ODDS_ONE`].
fn black_win_probability(network: &ValueNetwork, board: &Board, linear: i32) -> f32 {
    let log_odds = network.log_odds(board, linear);
    from_perspective(board.to_move(), eval::probability(eval::log_odds(log_odds)))
}

/// Converts a win probability between the perspectives of black and of `player`, in either direction: p stays p if
/// `player` is black, and becomes 1 − p if white.
#[must_use]
pub fn from_perspective(player: Player, win_probability: f32) -> f32 {
    match player {
        Player::Black => win_probability,
        Player::White => 1.0 - win_probability,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that only the first of several runs from one position tries to prove the winner by counting moves.
    #[test]
    fn counts_each_endgame_once() {
        // Three amazons of each side are shut in. Two squares are left beside black's fourth amazon, one beside white's
        // fourth.
        let (black, white) = (1 << 0 | 0b111 << 24, 1 << 63 | 0b111 << 40);
        let arrows = !(black | white | 0b110 | 1 << 62);
        let board = Board::from_bitboards(black, white, arrows, Player::Black).expect("a position");
        let mut search = Search::new(board.clone(), 1 << 20, 1, Params::default());
        search.run(|_| true);
        let fill = search.root.fill_move.take();
        assert!(fill.is_some());
        search.run(|_| true);
        assert_eq!(search.root.fill_move, None);
        search.set_board(board);
        search.run(|_| true);
        assert_eq!(search.root.fill_move, fill);
        search.advance_root(fill.expect("a move")).expect("legal");
        search.run(|_| true);
        assert!(search.root.fill_move.is_some());
    }
}
