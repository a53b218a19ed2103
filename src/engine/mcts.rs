//! The type [`Search`]: a Monte-Carlo tree search (MCTS), and the choice of the move to play.
//!
//! A turn is two steps in the tree: from a node where an amazon's move is chosen to one where its arrow shot is chosen,
//! and on to one where the opponent moves an amazon. When a node is created, each of its edges (amazon's moves or arrow
//! shots) gets an estimate, as log-odds that the side to move wins.
//!
//! - Arrow shot: static evaluation of the position after the shot, plus an offset from the policy network.
//! - Amazon's move: the move that the policy network rates best gets the log-odds of the node's position. The
//!   network's logits determine by how much the other moves are worse.
//!
//! Most moves in integer regions get no edge, because the winner does not depend on them
//! (`mcts/endgame/integer_regions.rs`).
//!
//! The estimate of an edge, converted to a win probability, is its value until its first visit (first-play urgency). A
//! softmax over the estimates of a node's edges gives their prior probabilities.
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
mod worker;

pub use params::Params;
pub use worker::{Shared, Worker};

use crate::board::{Board, IllegalMove, Move, Player};
use crate::eval::Networks;
use crate::movegen;
use endgame::longest_fill;
use expansion::TurnStage;
use smallvec::SmallVec;
use std::cell::Cell;
use std::sync::atomic::AtomicU32;
use tree::{Edge, NodeId, Tree, Word};

/// Data about the root position that is stored outside the tree: the proven winner, the move to play if the winner is
/// proven by counting moves. Reset when the root position changes.
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
    ///   have left near the end of the game, see [`FillCounter::budget`](endgame::fill::FillCounter::budget), and two for
    ///   each option counted in the [search of subgames](endgame::subgames).
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
/// and the networks that evaluate it. The type `W` of the tree's words decides how many threads may search: one if it
/// is [`Cell`], any number if it is [`AtomicU32`], see [`Word`].
pub struct Search<W = Cell<u32>> {
    shared: Shared<W>,
    root: RootState,
    /// One worker for each thread; there is at least one.
    workers: Vec<Worker>,
}

impl Search {
    /// Creates a search with one thread, of the position `board`, with an empty tree and the built-in networks.
    ///
    /// - `memory`: maximum size of the tree in bytes. If the system cannot allocate that much, the tree is smaller.
    /// - `seed`: seed of the random numbers. With equal seeds, numbers of iterations and tree sizes, results are equal
    ///   on every machine.
    /// - `params`: tunable parameters of the search.
    ///
    /// # Panics
    /// If even the smallest tree, 64 KiB, cannot be allocated.
    #[must_use]
    #[inline(never)]
    pub fn new(board: Board, memory: usize, seed: u64, params: Params) -> Search {
        Search::with_workers(board, memory, params, vec![Worker::new(seed)])
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
}

impl Search<AtomicU32> {
    /// Creates a search for `threads` threads that share one tree. Results depend on which thread is faster. The other
    /// parameters are those of [`Search::new`]; thread n, from 0, has the seed `seed` + n. The tree has room for at least
    /// 64 KiB per thread, whatever `memory` is.
    ///
    /// # Panics
    /// If `threads` is 0, or if even the smallest tree cannot be allocated.
    #[must_use]
    pub fn for_threads(
        threads: usize,
        board: Board,
        memory: usize,
        seed: u64,
        params: Params,
    ) -> Search<AtomicU32> {
        assert!(threads > 0, "a search needs a thread");
        let seeds = (0..threads as u64).map(|number| seed.wrapping_add(number));
        let workers = seeds.map(Worker::new).collect();
        Search::with_workers(
            board,
            memory.max(threads * tree::MIN_BYTES),
            params,
            workers,
        )
    }

    /// Gives memory to all workers and passes them to `run`, together with what they share. `run` must call
    /// [`Worker::run`] for every worker, each on a thread of its own, and return the winner of the root position if one
    /// of these calls returned one. Call [`Search::begin`] before the first round.
    pub fn run_round(
        &mut self,
        run: impl FnOnce(&Shared<AtomicU32>, &mut [Worker]) -> Option<Player>,
    ) {
        self.refill();
        self.root.winner = run(&self.shared, &mut self.workers);
        self.return_memory();
    }
}

impl<W: Word> Search<W> {
    /// Creates a search of `board` with an empty tree and the built-in networks.
    fn with_workers(
        board: Board,
        memory: usize,
        params: Params,
        workers: Vec<Worker>,
    ) -> Search<W> {
        Search {
            shared: Shared {
                board,
                tree: Tree::with_memory(memory),
                params,
                networks: Networks::default(),
            },
            root: RootState::default(),
            workers,
        }
    }

    /// Replaces the built-in networks by `networks`, and returns the search. Call it before [`Search::run`] or
    /// [`Search::run_while`], because positions that are already in the tree are not evaluated again.
    #[must_use]
    pub fn with_networks(mut self, networks: Networks) -> Search<W> {
        self.shared.networks = networks;
        self
    }

    /// Returns the position at the root.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.shared.board
    }

    /// Returns the search tree, for read access to its nodes and edges.
    #[must_use]
    pub fn tree(&self) -> &Tree<W> {
        &self.shared.tree
    }

    /// Replaces the root position by `board`. Removes all nodes from the tree, and forgets what was known about the
    /// previous root position, such as its proven winner.
    pub fn set_board(&mut self, board: Board) {
        self.shared.tree.clear();
        self.root = RootState::default();
        self.end_batches();
        self.shared.board = board;
    }

    /// Plays the move `turn` in the root position. The position after the move becomes the root position; the part of
    /// the tree below it is kept, the rest is discarded.
    ///
    /// # Errors
    /// The rule that the move breaks, if it is illegal. The search is then unchanged.
    pub fn advance_root(&mut self, turn: Move) -> Result<(), IllegalMove> {
        self.shared.board.play(turn)?;
        self.shared.tree.advance_root(turn);
        self.end_batches();
        let Shared { board, tree, .. } = &self.shared;
        let proven = |root| tree.proven_winner(root, board.to_move());
        self.root = RootState {
            winner: tree.root().and_then(proven),
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
        self.run_while_dyn(&mut go_on);
    }

    /// Does the work of [`Search::run_while`], which would otherwise be compiled for every type of `go_on`.
    #[inline(never)]
    fn run_while_dyn(&mut self, go_on: &mut dyn FnMut(Progress) -> bool) {
        self.begin();
        while self.root.winner.is_none() && go_on(self.workers[0].progress()) {
            if self.workers[0].is_short_of_memory() {
                self.refill();
            }
            self.root.winner = self.workers[0].iterate(&self.shared);
        }
        self.return_memory();
    }

    /// Begins a search of the root position: sets the counts of [`Search::report`] to 0. The first call for a root
    /// position also tries to prove the winner by counting the moves left to both players.
    pub fn begin(&mut self) {
        self.workers.iter_mut().for_each(Worker::reset_counts);
        if !self.root.endgame_checked
            && let Some((winner, turn)) = longest_fill(&self.shared.board)
        {
            (self.root.winner, self.root.fill_move) = (Some(winner), Some(turn));
        }
        self.root.endgame_checked = true;
    }

    /// Gives memory to all workers, for which nodes may be removed from the tree. Creates the root node if the tree is
    /// empty.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        self.return_memory();
        let (blocks, threshold) = self.shared.tree.make_room(self.workers.len());
        for worker in &mut self.workers {
            self.shared.tree.fill(&mut worker.supply, blocks);
        }
        if threshold > self.shared.params.batch_min_visits as u32 {
            self.end_batches();
        }
        let Shared {
            board, networks, ..
        } = &self.shared;
        if self.shared.tree.root().is_none() {
            let value = networks.win_probability(board);
            let root = self.workers[0].expand(&self.shared, board, TurnStage::Amazon, value);
            self.shared.tree.set_root(root);
        }
    }

    /// Takes the memory back that the workers have not used.
    fn return_memory(&mut self) {
        for worker in &mut self.workers {
            self.shared.tree.take_back(&mut worker.supply);
        }
    }

    /// Ends the current batch of each worker, so that its next iteration starts at the root.
    fn end_batches(&mut self) {
        for worker in &mut self.workers {
            worker.batch = None;
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
            searched.is_none_or(|turn| self.shared.board.check(turn).is_ok()),
            "the tree belongs to the board"
        );
        // `searched` is `None` if the tree contains no visited arrow shot after a visited amazon's move. Then the first
        // legal move is returned.
        searched
            .filter(|turn| self.shared.board.check(*turn).is_ok())
            .or_else(|| movegen::moves(&self.shared.board).first().copied())
    }

    /// Returns the results of the search for the root position. Win probability, visits and principal variation come
    /// from the tree. The numbers of iterations and evaluations and the depth are those of the last call of
    /// [`Search::run`] or [`Search::run_while`].
    #[must_use]
    pub fn report(&self) -> Report {
        let best = self.best_edge(self.tree().root());
        let win_probability = match self.root.winner {
            Some(winner) if winner == self.shared.board.to_move() => 1.0,
            Some(_) => 0.0,
            None => best.map_or(0.5, |edge| edge.mean.clamp(0.0, 1.0)),
        };
        let workers = self.workers.iter();
        let longest_path = workers.clone().map(|worker| worker.longest_path).max();
        Report {
            win_probability,
            visits: best.map_or(0, |edge| edge.visits),
            iterations: workers.clone().map(|worker| worker.iterations).sum(),
            evaluations: workers.clone().map(|worker| worker.evaluations).sum(),
            depth: longest_path.map_or(0, |edges| edges.div_ceil(2)),
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
        self.principal_variation_from(self.shared.tree.root(), plies)
    }

    /// Returns the principal variation from `node`: the best move of the side to move there, the opponent's best reply,
    /// and so on, at most `plies` whole turns. At `node`, an amazon's move must be next, not an arrow shot. Returns an
    /// empty list if `node` is `None`.
    #[must_use]
    pub fn principal_variation_from(&self, mut node: Option<NodeId>, plies: usize) -> Vec<Move> {
        let mut line = Vec::new();
        while line.len() < plies
            && let Some(amazon) = self.best_edge(node)
            && let Some(arrow) = self.best_edge(amazon.node)
        {
            line.push(amazon.action.followed_by(arrow.action));
            node = arrow.node;
        }
        line
    }

    /// Returns the visited edge of `node` (an amazon's move or an arrow shot) that is best to play. This is a proven
    /// win if there is one, otherwise the edge with the highest lower confidence bound of its win probability; proven
    /// losses come last. Returns `None` if no edge was visited, or if `node` is `None`.
    fn best_edge(&self, node: Option<NodeId>) -> Option<Edge> {
        Search::best_edge_of(self.edges(node), self.shared.params)
    }

    /// Returns the statistics of all visited edges of `node` (amazon's moves or arrow shots), in the order of their
    /// first visits. Returns an empty list if `node` is `None`.
    #[inline(never)]
    fn edges(&self, node: Option<NodeId>) -> SmallVec<[Edge; 128]> {
        let mut edges = SmallVec::new();
        if let Some(node) = node {
            (self.shared.tree).for_each_edge(node, |_, edge| edges.push(edge));
        }
        edges
    }
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
