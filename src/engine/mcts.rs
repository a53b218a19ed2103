//! Monte-Carlo tree search: select, expand, evaluate, back up; then the best move.
//!
//! A turn is two choices in the tree, of an amazon's move and of an arrow. When a node expands, every edge gets
//! log-odds. Those of an arrow are the static evaluation of the position behind it, and what the order network adds to it.
//! Amazon's moves are not evaluated: the order network says how far apart their log-odds lie, and the best has those of
//! the node's position. They are an edge's first-play urgency and, by a softmax over its siblings, its prior. An
//! iteration that comes to a whole turn for the first time ends there, with the network's value. Selection is PUCT
//! (Rosin 2011, as in Silver et al. 2017). Certain wins and losses are proven through the tree (Winands et al. 2008).

pub mod endgame;
pub(crate) mod expansion;
mod params;
mod puct;
pub(crate) mod tree;
mod variety;

pub use params::Params;

use crate::board::{Board, IllegalMove, Move, Player};
use crate::eval::{self, Networks, network::Network};
use crate::movegen;
use endgame::longest_fill;
use expansion::{Choice, Expander, Terms, estimate};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};
use smallvec::SmallVec;
use tree::{Edge, EdgeRef, NodeId, Tree};

/// A step of the way down the tree.
#[derive(Clone, Copy)]
struct Step {
    node: NodeId,
    edge: EdgeRef,
    chooser: Player,
}

/// The way from the root to a leaf.
type Path = SmallVec<[Step; 64]>;

/// The start node of a batch of iterations. Statistics above this node hardly change within a batch, so each iteration selects
/// from here instead of from the root.
struct BatchRoot {
    board: Board,
    choice: Choice,
    node: NodeId,
    /// Number of steps of the path that lead to `node`.
    steps: usize,
    /// Number of iterations that will still start here.
    left: u32,
}

/// What is known of the position at the root besides the tree. It is replaced as a whole when the position changes.
#[derive(Default)]
struct RootState {
    /// The player who is proven to win.
    winner: Option<Player>,
    /// The move to play if only filling is left.
    fill: Option<Move>,
    /// Whether counting moves has tried to prove the winner.
    endgame_checked: bool,
    /// The start node of the batch of iterations under way.
    batch: Option<BatchRoot>,
}

/// What an iteration brings back from its leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    /// Win probability of black.
    Estimate(f32),
    /// The player who wins for certain.
    Proven(Player),
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Iterations done.
    pub iterations: u64,
    /// Work done, in units that do not depend on the machine: [`ITERATION_WORK`] for each iteration, and that of counting
    /// endgames.
    pub work: u64,
}

/// Work of an iteration that counts no endgame. A unit is about 45 ns here, and less where endgames are counted.
pub const ITERATION_WORK: u64 = 32;

/// What the search has found.
///
/// The best move has two halves in the tree. `win_probability` and `visits` are those of its amazon's half, so
/// they count every arrow that was tried after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Win probability of the player to move: the mean over all iterations through the amazon's half of the best
    /// move; 0 or 1 if the winner is proven, ½ if nothing was searched.
    pub win_probability: f32,
    /// Iterations through the amazon's half of the best move, those of earlier turns counted.
    pub visits: u32,
    /// Iterations of the last [`Search::run`].
    pub iterations: u64,
    /// Static evaluations of the last [`Search::run`]: one for each arrow of a node that was expanded.
    pub evaluations: u64,
    /// Length of the longest path of the last [`Search::run`], in plies; half a turn at its end counts as one.
    pub depth: usize,
    /// Principal variation: the best move, the best answer, and so on.
    pub principal_variation: Vec<Move>,
}

/// A search of one game: the board, the tree under it, and what is needed to grow it.
pub struct Search {
    board: Board,
    tree: Tree,
    params: Params,
    networks: Networks,
    /// The same on machines of any width, unlike `SmallRng`.
    rng: Xoshiro256PlusPlus,
    root: RootState,
    iterations: u64,
    evaluations: u64,
    /// Work of counting endgames in this run.
    settling: u64,
    longest_path: usize,
    /// The way down of the last iteration.
    path: Path,
    expander: Expander,
}

impl Search {
    /// A search from a position, with a tree of at most about `memory` bytes; of fewer where the system does not
    /// give them. Equal seeds and numbers of iterations find the same on every machine.
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
            settling: 0,
            longest_path: 0,
            path: Path::new(),
            expander: Expander::default(),
        }
    }

    /// This search with other networks than those that are compiled in. Call it before the search runs: what the tree
    /// holds is not judged anew.
    #[must_use]
    pub fn with_networks(mut self, networks: Networks) -> Search {
        self.networks = networks;
        self
    }

    /// The position at the root.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The tree under the position.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Starts anew from another position.
    pub fn set_board(&mut self, board: Board) {
        self.tree.clear();
        self.root = RootState::default();
        self.board = board;
    }

    /// Plays a move at the root and keeps what the search knows about the position after it.
    ///
    /// # Errors
    /// If the move breaks a rule; the search is then as before.
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

    /// Runs iterations until the game is decided or `go_on` says no. `go_on` is asked before each iteration, with
    /// the number of those done.
    pub fn run(&mut self, mut go_on: impl FnMut(u64) -> bool) {
        self.run_while(|progress| go_on(progress.iterations));
    }

    /// [`Search::run`] for a `go_on` that also asks what the iterations cost.
    pub fn run_while(&mut self, mut go_on: impl FnMut(Progress) -> bool) {
        (self.iterations, self.evaluations, self.longest_path) = (0, 0, 0);
        self.settling = 0;
        if !self.root.endgame_checked
            && let Some((winner, turn)) = longest_fill(&self.board)
        {
            (self.root.winner, self.root.fill) = (Some(winner), Some(turn));
        }
        self.root.endgame_checked = true;
        while self.root.winner.is_none() && go_on(self.progress()) {
            self.iterate();
            self.iterations += 1;
        }
    }

    /// How far the last run has come.
    const fn progress(&self) -> Progress {
        Progress {
            iterations: self.iterations,
            work: self.iterations * ITERATION_WORK + self.settling,
        }
    }

    /// The player who is proven to win from the root.
    #[must_use]
    pub const fn winner(&self) -> Option<Player> {
        self.root.winner
    }

    /// The best move known: where only filling is left, the one that begins the longest fill; else a proven win;
    /// else the move with the highest lower confidence bound. Any legal move if nothing was searched.
    ///
    /// Nothing if the player to move has no move.
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        self.root.fill.or_else(|| self.searched_move())
    }

    /// The best move by the tree.
    fn searched_move(&self) -> Option<Move> {
        let searched = self.principal_variation(1).first().copied();
        debug_assert!(
            searched.is_none_or(|turn| self.board.check(turn).is_ok()),
            "the tree belongs to the board"
        );
        // Where no iteration has been, any move is better than none.
        searched
            .filter(|turn| self.board.check(*turn).is_ok())
            .or_else(|| movegen::moves(&self.board).first().copied())
    }

    /// What the last run found.
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
            principal_variation: match self.root.fill {
                Some(fill) => vec![fill],
                None => self.principal_variation(usize::MAX),
            },
        }
    }

    /// The principal variation, as far as the tree knows whole turns, at most `plies` long.
    #[must_use]
    pub fn principal_variation(&self, plies: usize) -> Vec<Move> {
        self.line(self.tree.root(), plies)
    }

    /// The line of best moves from a node at which a turn begins, at most `plies` long.
    #[must_use]
    pub fn line(&self, mut node: Option<NodeId>, plies: usize) -> Vec<Move> {
        let mut line = Vec::new();
        while let Some(root) = node.filter(|_| line.len() < plies) {
            let Some(amazon) = self.best_edge(root) else {
                break;
            };
            let Some(arrow) = amazon.node.and_then(|node| self.best_edge(node)) else {
                break;
            };
            line.push(amazon.half_move.then(arrow.half_move));
            node = arrow.node;
        }
        line
    }

    /// The edge to play: the one with the highest lower confidence bound, proven wins first, proven losses last.
    fn best_edge(&self, node: NodeId) -> Option<Edge> {
        Search::best_of(self.edges(node), self.params)
    }

    /// The visited edges of a node.
    fn edges(&self, node: NodeId) -> SmallVec<[Edge; 128]> {
        let mut edges = SmallVec::new();
        self.tree.for_each_edge(node, |_, edge| edges.push(edge));
        edges
    }

    /// Of edges of one node the one to play, the first of equals.
    #[must_use]
    pub fn best_of(edges: impl IntoIterator<Item = Edge>, params: Params) -> Option<Edge> {
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

    /// One iteration: select, expand, evaluate, back up.
    fn iterate(&mut self) {
        if self.tree.reclaim() > self.params.camp_visits as u32 {
            self.root.batch = None;
        }
        let outcome = self.descend();
        self.longest_path = self.longest_path.max(self.path.len());
        self.back_up(outcome);
    }

    /// Returns the start of an iteration: the batch's start node while iterations are left to it, else the root. The path leads there.
    fn set_out(&mut self) -> (Board, Choice, NodeId) {
        if let Some(batch) = self.root.batch.as_mut().filter(|batch| batch.left > 0) {
            batch.left -= 1;
            self.path.truncate(batch.steps);
            return (batch.board.clone(), batch.choice, batch.node);
        }
        self.root.batch = None;
        self.path.clear();
        let (board, choice) = (self.board.clone(), Choice::Amazon);
        let root = self.tree.root().unwrap_or_else(|| {
            let value = self.networks.win_probability(&board);
            let root = self.expand(&board, choice, value);
            self.tree.set_root(root);
            root
        });
        (board, choice, root)
    }

    /// Goes down the tree to a leaf and expands on the way: an amazon's move on its first visit, a whole turn on
    /// its second.
    fn descend(&mut self) -> Outcome {
        let camp_visits = self.params.camp_visits as u32;
        let (mut board, mut choice, mut node) = self.set_out();
        let before = self.path.last().map(|step| self.tree.edge(step.edge));
        let mut visits = before.map_or(self.tree.root_visits(), |edge| edge.visits);
        loop {
            let chooser = board.to_move();
            let Some(at) = self.select(node, visits, choice) else {
                return Outcome::Proven(!chooser);
            };
            let edge = self.tree.edge(at);
            if self.root.batch.is_none() && visits >= camp_visits && edge.visits < camp_visits {
                self.root.batch = Some(BatchRoot {
                    board: board.clone(),
                    choice,
                    node,
                    steps: self.path.len(),
                    left: self.params.camp_iterations as u32 - 1,
                });
            }
            self.path.push(Step {
                node,
                edge: at,
                chooser,
            });
            choice = choice.play(&mut board, edge.half_move);
            if let Some(outcome) = self.outcome_at(edge, chooser, &board, choice) {
                return outcome;
            }
            visits = edge.visits;
            node = edge.node.unwrap_or_else(|| {
                let value = seen_by(board.to_move(), seen_by(chooser, edge.mean));
                let expanded = self.expand(&board, choice, value);
                self.tree.set_node(at, Some(expanded));
                expanded
            });
        }
    }

    /// The outcome of an iteration that ends with an edge: a proof, or the first value of a whole turn. Nothing if the
    /// iteration goes on. `board` and `choice` are those behind the edge.
    fn outcome_at(
        &mut self,
        edge: Edge,
        chooser: Player,
        board: &Board,
        choice: Choice,
    ) -> Option<Outcome> {
        if edge.is_proven() {
            let winner = if edge.mean == Edge::WON {
                chooser
            } else {
                !chooser
            };
            return Some(Outcome::Proven(winner));
        }
        (edge.visits == 0 && choice == Choice::Amazon).then(|| {
            let estimate = eval::fixed_log_odds(edge.mean);
            let cheap = edge.half_move.lean() - estimate;
            Outcome::Estimate(first_value(&self.networks.value, board, cheap))
        })
    }

    /// The edge with the best score. The first unvisited edge competes by first-play urgency, and is expanded when
    /// it is chosen.
    ///
    /// Nothing if there are no edges.
    fn select(&mut self, node: NodeId, visits: u32, choice: Choice) -> Option<EdgeRef> {
        let params = &self.params;
        let weight = match choice {
            Choice::Amazon => params.explore_amazon,
            Choice::Arrow(_) => params.explore_arrow,
        };
        let explore = puct::exploration(weight, visits as f32, params);
        let unvisited = self.tree.first_unvisited(node);
        let floor = unvisited.map_or(f32::NEG_INFINITY, |first| {
            let visited = self.tree.visited(node);
            puct::first_play_urgency(first, visited, explore, params.fpu_reduction)
        });
        let best = self.tree.best_above(node, explore, floor);
        best.or_else(|| {
            let slope = self.softmax_slope(choice);
            unvisited.map(|_| {
                self.tree
                    .expand_edge(node, |key, softmax| estimate(key, softmax, slope))
            })
        })
    }

    /// Updates the statistics on the path, proofs included.
    fn back_up(&mut self, mut outcome: Outcome) {
        if let Outcome::Proven(_) = outcome {
            self.root.batch = None;
        }
        for at in (0..self.path.len()).rev() {
            let step = self.path[at];
            let edge = self.tree.edge(step.edge);
            let visits = Edge::one_more_visit(edge.visits);
            let mean = match outcome {
                Outcome::Estimate(black) => edge.mean_with(seen_by(step.chooser, black)),
                Outcome::Proven(winner) if winner == step.chooser => Edge::WON,
                Outcome::Proven(_) => Edge::LOST,
            };
            self.tree.set_statistics(step.edge, visits, mean);
            if let Outcome::Proven(winner) = outcome
                && self.proven_winner(step.node, step.chooser) != Some(winner)
            {
                outcome = Outcome::Estimate(if winner == Player::Black { 1.0 } else { 0.0 });
            }
        }
        self.tree.visit_root();
        if let Outcome::Proven(winner) = outcome {
            self.root.winner = Some(winner);
        }
    }

    /// Who wins at a node for certain: its chooser with one won edge, the other player if all edges are lost.
    fn proven_winner(&self, node: NodeId, chooser: Player) -> Option<Player> {
        // The best of those that were not visited is the first of them.
        let unvisited = self.tree.first_unvisited(node);
        let (mut won, mut all_lost) =
            (false, unvisited.is_none_or(|edge| edge.value == Edge::LOST));
        self.tree.for_each_edge(node, |_, edge| {
            won |= edge.mean == Edge::WON;
            all_lost &= edge.mean == Edge::LOST;
        });
        if won {
            Some(chooser)
        } else {
            all_lost.then_some(!chooser)
        }
    }

    /// Estimates all edges of a position and makes a node of them. `value`: win probability of the player who chooses,
    /// where an amazon's move is chosen.
    fn expand(&mut self, board: &Board, choice: Choice, value: f32) -> NodeId {
        let terms = Terms {
            order: &self.networks.order,
            value,
            spread: self.params.order_spread,
            lean: self.params.arrow_lean,
            slope: self.softmax_slope(choice),
            seed: self.rng.next_u32(),
        };
        let (keys, softmax, work) = self.expander.expand(board, choice, terms);
        if choice != Choice::Amazon {
            self.evaluations += keys.len() as u64;
            self.settling += work;
        }
        self.tree
            .add_node(keys, softmax, |key| estimate(key, softmax, terms.slope))
    }

    /// How fast the prior falls with the estimate, see [`expansion::softmax_slope`].
    fn softmax_slope(&self, choice: Choice) -> u32 {
        expansion::softmax_slope(match choice {
            Choice::Amazon => self.params.temperature_amazon,
            Choice::Arrow(_) => self.params.temperature_arrow,
        })
    }
}

/// The value of an iteration that ends with a whole turn: win probability of black by a network. `cheap` are the log-odds
/// of the player to move by the evaluation that ordered the turn among its siblings.
fn first_value(network: &Network, board: &Board, cheap: i32) -> f32 {
    let log_odds = network.log_odds(board, cheap);
    seen_by(board.to_move(), eval::probability(eval::log_odds(log_odds)))
}

/// A win probability of black as `player` sees it, or one of `player` as black sees it.
#[must_use]
pub fn seen_by(player: Player, win_probability: f32) -> f32 {
    match player {
        Player::Black => win_probability,
        Player::White => 1.0 - win_probability,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search that goes on in slices counts the endgame once in each position: what a first run has found is marked, and
    /// the mark stands after a second run.
    #[test]
    fn a_position_is_counted_once() {
        // Three amazons of each side are shut in. Two squares are left beside black's fourth, one beside white's.
        let (black, white) = (1 << 0 | 0b111 << 24, 1 << 63 | 0b111 << 40);
        let arrows = !(black | white | 0b110 | 1 << 62);
        let board = Board::from_sets(black, white, arrows, Player::Black).expect("a position");
        let mut search = Search::new(board.clone(), 1 << 20, 1, Params::default());
        search.run(|_| true);
        let fill = search.root.fill.take();
        assert!(fill.is_some());
        search.run(|_| true);
        assert_eq!(search.root.fill, None);
        search.set_board(board);
        search.run(|_| true);
        assert_eq!(search.root.fill, fill);
        search.advance_root(fill.expect("a move")).expect("legal");
        search.run(|_| true);
        assert!(search.root.fill.is_some());
    }
}
