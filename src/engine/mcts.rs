//! The type [`Search`]: a Monte-Carlo tree search (MCTS), and the choice of the move to play.
//!
//! A turn is two steps in the tree: from a node where an amazon's move is chosen to one where its arrow shot is chosen,
//! and on to one where the opponent moves an amazon. When a node is created, each of its edges (amazon's moves or arrow
//! shots) gets an estimate, as log-odds that the side to move wins.
//!
//! - Arrow shot: static evaluation of the position after the shot, plus an offset from the policy network.
//! - Amazon's move: the best move gets the log-odds of the node's position. The policy network determines by how much
//!   the other moves are worse.
//!
//! The estimate of an edge serves as its win probability until its first visit (first-play urgency). A softmax over the
//! estimates of a node's edges gives their prior probabilities.
//!
//! An iteration of the search follows edges from the root, and ends when it reaches a position after a whole turn for
//! the first time; the value network evaluates that position. At each node, the edge with the highest PUCT score is
//! followed (Rosin 2011, as in Silver et al. 2017). Proven wins and losses are backed up as in MCTS-Solver (Winands et
//! al. 2008).

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
struct BatchStart {
    board: Board,
    stage: TurnStage,
    node: NodeId,
    /// Number of edges (amazon's moves and arrow shots) on the path from the root of the search tree to `node`.
    depth: usize,
    /// Number of iterations of the current batch (a group of iterations that share the beginning of their paths) that
    /// have not yet been run.
    remaining: u32,
}

/// Data about the root position that is stored outside the tree: the proven winner, the move to play if the winner is
/// proven by counting moves, and the node at which the next iterations start. Reset when the root position changes.
#[derive(Default)]
struct RootState {
    /// The proven winner of the root position; `None` if no winner is proven.
    winner: Option<Player>,
    /// Move to play if counting the moves left to both players has proven the winner of the root position; otherwise
    /// `None`. It is the first move of the longest sequence of moves that the side to move can make in its own
    /// territory.
    fill_move: Option<Move>,
    /// True if [`Search::run_while`] has tried, for this root position, to prove the winner by counting the moves left
    /// to both players, with or without success. It does not try again for the same position.
    endgame_checked: bool,
    /// Node at which the iterations of the current batch start. A batch is a group of iterations that share the path
    /// from the root to this node. If the field is `None`, the next iteration starts at the root.
    batch: Option<BatchStart>,
}

/// Result of one iteration of the search: black's estimated win probability, or the proven winner. [`Search::back_up`]
/// uses it to update the statistics of all edges on the iteration's path.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    /// Estimated probability that black wins, from 0 to 1.
    Estimate(f32),
    /// The player who is proven to win the position at the end of the iteration's path.
    Proven(Player),
}

/// Progress of the current call of [`Search::run_while`]: number of iterations, and amount of work in units that do not
/// depend on the machine. The callback of this function receives this value before each iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of iterations done so far in the current call of [`Search::run_while`].
    pub iterations: u64,
    /// Work done so far in the current call of [`Search::run_while`], in units that do not depend on the machine. It is
    /// the sum of two parts:
    ///
    /// - [`ITERATION_WORK`], 32 units, for each iteration,
    /// - one unit for each position, amazon's move or arrow shot that is examined to count the moves that the players
    ///   have left near the end of the game, see [`FillCounter::budget`](endgame::fill::FillCounter::budget).
    pub work: u64,
}

/// Work that is counted for one iteration, in the units of [`Progress::work`]. One unit is one position, amazon's move
/// or arrow shot that is examined to count moves near the end of the game. One iteration takes about 1.4 µs on the
/// development machine.
pub const ITERATION_WORK: u64 = 32;

/// Result of a search of the root position: win probability, number of visits, principal variation, and counts of the
/// work done.
///
/// `win_probability` and `visits` belong to the best amazon's move at the root, without its arrow. The best move is the
/// one with the highest lower confidence bound of its win probability. Both values include the iterations of all arrow
/// shots that were tried after this move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Win probability of the side to move, from 0 to 1. It is the mean over all iterations through the amazon's move
    /// with the highest lower confidence bound. Exactly 0 or 1 if the winner is proven, 0.5 if nothing was searched.
    pub win_probability: f32,
    /// Number of iterations through one amazon's move at the root: the move with the highest lower confidence bound of
    /// its win probability. Iterations that were run at earlier turns of the game count, too, if the tree still
    /// contains the nodes that they visited.
    pub visits: u32,
    /// Number of iterations in the last call of [`Search::run`] or [`Search::run_while`].
    pub iterations: u64,
    /// Number of positions that were statically evaluated in the last call of [`Search::run`] or [`Search::run_while`].
    /// When a node is created at which an arrow must be shot, the position after each possible shot is evaluated.
    pub evaluations: u64,
    /// Search depth in plies (whole turns): length of the longest path that an iteration took from the root in the last
    /// call of [`Search::run`] or [`Search::run_while`]. A path that ends between an amazon's move and its arrow shot
    /// counts as if the arrow had been shot.
    pub depth: usize,
    /// Principal variation, as whole turns: the best move at the root, the opponent's best reply, and so on.
    pub principal_variation: Vec<Move>,
}

/// A Monte-Carlo tree search that follows one game. Holds the current position, the search tree below that position,
/// and the networks that evaluate it.
pub struct Search {
    board: Board,
    tree: Tree,
    params: Params,
    networks: Networks,
    /// Random number generator for seeds of noise and for drawing moves. `Xoshiro256PlusPlus` gives the same numbers on
    /// 32-bit and 64-bit machines, unlike `SmallRng`.
    rng: Xoshiro256PlusPlus,
    root: RootState,
    iterations: u64,
    evaluations: u64,
    /// Work spent on counting moves in endgames during the current call of [`Search::run_while`]: number of positions,
    /// amazon's moves and arrow shots that were examined.
    endgame_work: u64,
    longest_path: usize,
    /// Path of the latest iteration, from the root to the leaf. The next iteration keeps the beginning of this path if
    /// it belongs to the same batch, a group of iterations that share the path from the root to a node.
    path: Path,
    expander: Expander,
}

impl Search {
    /// Creates a search of the position `board`, with an empty tree and the built-in networks.
    ///
    /// - `memory`: maximum size of the tree in bytes. If the system cannot allocate that much, the tree is smaller.
    /// - `seed`: seed of the random numbers. With equal seeds, numbers of iterations and tree sizes, results are equal
    ///   on every machine.
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

    /// Replaces the built-in networks by `networks`, and returns the search. Call it before [`Search::run`] or
    /// [`Search::run_while`], because positions that are already in the tree are not evaluated again.
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

    /// Replaces the root position by `board`. Removes all nodes from the tree, and forgets what was known about the
    /// previous root position, such as its proven winner.
    pub fn set_board(&mut self, board: Board) {
        self.tree.clear();
        self.root = RootState::default();
        self.board = board;
    }

    /// Plays the move `turn` in the root position. The position after the move becomes the root position; the part of
    /// the tree below it is kept, the rest is discarded.
    ///
    /// # Errors
    /// The rule that the move breaks, if it is illegal. The search is then unchanged.
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

    /// Runs iterations until the winner of the root position is proven or `go_on` returns false. `go_on` is called
    /// before each iteration with the number of iterations done so far in this call.
    pub fn run(&mut self, mut go_on: impl FnMut(u64) -> bool) {
        self.run_while(|progress| go_on(progress.iterations));
    }

    /// Runs iterations until the winner of the root position is proven or `go_on` returns false. `go_on` is called
    /// before each iteration with the number of iterations and the amount of work done so far in this call.
    ///
    /// The first call for a root position starts by trying to prove the winner without iterations, by counting the
    /// moves left to both players. If this succeeds, no iteration is run.
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

    /// Returns the number of iterations and the work done so far in the current call of [`Search::run_while`]. If no
    /// call is in progress, returns those of the last call. [`Progress::work`] says what is counted as work.
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

    /// Returns the move to play, or `None` if the side to move has no legal move. The first of these rules that gives a
    /// move decides:
    ///
    /// 1. If counting the moves left to both players has proven the winner: the first move of the longest sequence of
    ///    moves that the side to move can make in its own territory.
    /// 2. A move that the search has proven to win.
    /// 3. The searched move with the highest lower confidence bound of its win probability.
    /// 4. The first legal move, if nothing was searched.
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        self.root.fill_move.or_else(|| self.searched_move())
    }

    /// Returns the best move by the statistics in the tree. The amazon's move, and then its arrow shot, is the one with
    /// the highest lower confidence bound: mean win probability − `lcb_width` / √visits. A proven win has the bound +∞,
    /// a proven loss −∞. Returns the first legal move if no whole turn was searched, `None` if the side to move has no
    /// legal move.
    fn searched_move(&self) -> Option<Move> {
        let searched = self.principal_variation(1).first().copied();
        debug_assert!(
            searched.is_none_or(|turn| self.board.check(turn).is_ok()),
            "the tree belongs to the board"
        );
        // `searched` is `None` if the tree contains no visited arrow shot after a visited amazon's move. Then the first
        // legal move is returned.
        searched
            .filter(|turn| self.board.check(*turn).is_ok())
            .or_else(|| movegen::moves(&self.board).first().copied())
    }

    /// Returns the results of the search for the root position. Win probability, visits and principal variation come
    /// from the tree. The numbers of iterations and evaluations and the depth are those of the last call of
    /// [`Search::run`] or [`Search::run_while`].
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

    /// Returns the principal variation from the root: the best move of the side to move, the opponent's best reply, and
    /// so on. Its length is at most `plies` whole turns; it ends before the first turn for which no arrow shot was
    /// searched.
    #[must_use]
    pub fn principal_variation(&self, plies: usize) -> Vec<Move> {
        self.principal_variation_from(self.tree.root(), plies)
    }

    /// Returns the principal variation from `node`: the best move of the side to move there, the opponent's best reply,
    /// and so on, at most `plies` whole turns. At `node`, an amazon's move must be next, not an arrow shot. Returns an
    /// empty list if `node` is `None`.
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

    /// Returns the visited edge of `node` (an amazon's move or an arrow shot) that is best to play. This is a proven
    /// win if there is one, otherwise the edge with the highest lower confidence bound of its win probability; proven
    /// losses come last. Returns `None` if no edge was visited.
    fn best_edge(&self, node: NodeId) -> Option<Edge> {
        Search::best_edge_of(self.edges(node), self.params)
    }

    /// Returns the statistics of all visited edges of `node` (amazon's moves or arrow shots), in the order of their
    /// first visits.
    fn edges(&self, node: NodeId) -> SmallVec<[Edge; 128]> {
        let mut edges = SmallVec::new();
        self.tree.for_each_edge(node, |_, edge| edges.push(edge));
        edges
    }

    /// Returns the edge that is best to play among `edges`, which are visited edges of one node. It has the highest
    /// lower confidence bound of its win probability: mean win probability − `params.lcb_width` / √visits. If bounds
    /// are equal, returns the edge with more visits; if these are equal, too, the earlier one. Returns `None` if
    /// `edges` is empty.
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

    /// Runs one iteration of the search. First frees memory if the tree is full. Then follows edges to a leaf,
    /// evaluates the leaf, and updates the statistics of all edges from the root to the leaf.
    ///
    /// The first iteration of a batch (a group of iterations that share the beginning of their paths) starts at the
    /// root. The others start at the end of the shared part.
    fn iterate(&mut self) {
        if self.tree.reclaim() > self.params.batch_min_visits as u32 {
            self.root.batch = None;
        }
        let outcome = self.descend();
        self.longest_path = self.longest_path.max(self.path.len());
        self.back_up(outcome);
    }

    /// Returns where the next iteration starts. First: the position. Second: the stage of the turn (an amazon's move or
    /// an arrow shot is next). Third: the node.
    ///
    /// Iterations run in batches; those of a batch share the path from the root to the start node of the batch. If the
    /// current batch has iterations left, returns its start node. Otherwise returns the root, and creates the root node
    /// if the tree is empty. Sets `self.path` to the path from the root to the returned node.
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

    /// Follows edges from the start node of the iteration down to a leaf, and writes them to `self.path`. Returns the
    /// result of the iteration: black's estimated win probability at the leaf, or the proven winner.
    ///
    /// On the way, creates the child node of an amazon's move when its edge is visited for the first time, and the
    /// child node of an arrow shot when its edge is visited for the second time.
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
                self.root.batch = Some(BatchStart {
                    board: board.clone(),
                    stage,
                    node,
                    depth: self.path.len(),
                    remaining: self.params.batch_iterations as u32 - 1,
                });
            }
            self.path.push(PathStep {
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
                self.tree.set_child_node(at, Some(expanded));
                expanded
            });
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

    /// Selects the edge (amazon's move or arrow shot) of `node` that the iteration follows. Compares the PUCT scores of
    /// the visited edges with the first-play urgency of the best unvisited edge, and returns the location of the edge
    /// with the highest value. If it is the unvisited edge, first allocates its statistics in the tree.
    ///
    /// - `visits`: number of visits of `node`.
    /// - `stage`: whether an amazon's move or an arrow shot is chosen at `node`.
    ///
    /// Returns `None` if `node` has no edges, or if all its edges are visited and proven losses.
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

    /// Updates the statistics of each edge on the iteration's path, from the leaf up to the root. Adds one to the
    /// number of visits, and includes `outcome` in the mean win probability.
    ///
    /// If `outcome` is a proven winner, the last edge of the path becomes a proven win or loss. An edge further up
    /// becomes proven if the winner follows from the edges of its child node: one is a proven win, or all are proven
    /// losses. From the first edge that does not become proven up to the root, the outcome counts as a win probability
    /// of 1 or 0.
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
        self.tree.count_root_visit();
        if let Outcome::Proven(winner) = outcome {
            self.root.winner = Some(winner);
        }
    }

    /// Returns the winner of the position at `node` if it follows from the node's edges. The side to move there,
    /// `to_move`, wins if one edge is a proven win, and loses if all edges are proven losses or if there are no edges.
    /// Otherwise returns `None`.
    fn proven_winner(&self, node: NodeId, to_move: Player) -> Option<Player> {
        // A proven loss (for the side to move) has the lowest possible estimate. So if even the best unvisited edge,
        // the one with the highest estimate, is a proven loss, all unvisited edges are.
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

    /// Creates a node for the position `board` and adds it to the tree, with estimates of all its edges (the legal
    /// amazon's moves or arrow shots). Returns the id of the node.
    ///
    /// - `stage`: whether an amazon's move or an arrow shot is chosen at the node.
    /// - `value`: win probability of the side to move, from 0 to 1. The amazon's move that the policy network prefers
    ///   gets this value as its estimate, the others get less. Estimates of arrow shots do not depend on `value`.
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

    /// Returns the inverse softmax temperature for prior probabilities as a fixed-point number: 256·log2(e) /
    /// temperature, see [`expansion::softmax_slope`]. `stage` selects the temperature: that of amazon's moves or that
    /// of arrow shots.
    fn softmax_slope(&self, stage: TurnStage) -> u32 {
        expansion::softmax_slope(match stage {
            TurnStage::Amazon => self.params.temperature_amazon,
            TurnStage::Arrow(_) => self.params.temperature_arrow,
        })
    }
}

/// Returns the probability that black wins the position `board`, in which a whole turn has just been completed.
/// `linear` is the linear evaluation of this position: log-odds that the side to move wins, in units of 1 /
/// [`eval::LOG_ODDS_ONE`]. The value network `network` corrects it.
fn black_win_probability(network: &ValueNetwork, board: &Board, linear: i32) -> f32 {
    let log_odds = network.log_odds(board, linear);
    from_perspective(board.to_move(), eval::probability(eval::log_odds(log_odds)))
}

/// Converts `player`'s win probability to black's, or black's to `player`'s; both conversions are the same. Returns
/// `win_probability` if `player` is black, 1 − `win_probability` if `player` is white.
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

    /// Checks that several calls of [`Search::run`] for the same root position try only once to prove the winner by
    /// counting the moves left to both players.
    #[test]
    fn counts_each_endgame_once() {
        // Only one amazon of each player can move: black's has two empty squares beside it, white's has one.
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
