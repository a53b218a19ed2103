//! Monte-Carlo tree search: select, expand, evaluate, back up; then the best move.
//!
//! A turn is two choices in the tree, of an amazon's move and of an arrow. All children of a node are
//! evaluated when it expands; the static evaluation of a child is both its first value and, by a
//! softmax over its siblings, its prior. Selection is PUCT (Rosin 2011, as in Silver et al. 2017).
//! Wins and losses that are certain are proven through the tree (Winands et al. 2008).

mod arena;
mod child;
mod endgame;
mod expansion;
mod params;
mod statistics;
mod tree;

pub use arena::{LINE_BYTES, LineId};
pub use child::{Child, Estimate, HalfMove, Key, Softmax};
pub use endgame::{longest_fill, settle, settle_with_work};
pub use params::Params;
pub use tree::{ChildRef, Tree};

use crate::board::{Board, IllegalMove, Move, Player, Square};
use crate::eval;
use crate::movegen;
use expansion::{Expander, estimate};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use smallvec::SmallVec;

/// What is to be chosen at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// An amazon's move.
    Amazon,
    /// An arrow from the square to which the amazon has moved.
    Arrow(Square),
}

/// A step of the way down the tree.
struct Step {
    node: LineId,
    child: ChildRef,
    chooser: Player,
}

/// The way from the root to a leaf.
type Path = SmallVec<[Step; 64]>;

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
    /// What they cost, none of it depending on the machine: [`ITERATION_WORK`] each, and what was counted in
    /// endgames, see [`settle_with_work`].
    pub work: u64,
}

/// Work of an iteration that counts no endgame. A unit is about 45 ns.
pub const ITERATION_WORK: u64 = 32;

/// What the search has found, for people.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Win probability of the player to move, 0 or 1 if proven.
    pub win_probability: f32,
    /// Visits of the best move.
    pub visits: u32,
    /// Iterations of the last [`Search::run`].
    pub iterations: u64,
    /// Static evaluations of the last [`Search::run`].
    pub evaluations: u64,
    /// Longest line of the last [`Search::run`], in plies (whole turns, begun ones counted).
    pub depth: usize,
    /// The line of play that is thought best.
    pub principal_variation: Vec<Move>,
}

/// A search of one game: the board, the tree under it, and what is needed to grow it.
pub struct Search {
    board: Board,
    tree: Tree,
    params: Params,
    rng: SmallRng,
    winner: Option<Player>,
    /// The move to play where only filling is left.
    fill: Option<Move>,
    iterations: u64,
    evaluations: u64,
    /// What endgames cost in this run.
    settling: u64,
    longest_path: usize,
    /// The way down of the iteration under way.
    path: Path,
    expander: Expander,
}

impl Search {
    /// A search from a position, with a tree of at most about `memory` bytes; of less where the system doesn't give
    /// them, see [`Tree::capacity`].
    #[must_use]
    pub fn new(board: Board, memory: usize, seed: u64, params: Params) -> Search {
        Search {
            board,
            tree: Tree::with_memory(memory),
            params,
            rng: SmallRng::seed_from_u64(seed),
            winner: None,
            fill: None,
            iterations: 0,
            evaluations: 0,
            settling: 0,
            longest_path: 0,
            path: Path::new(),
            expander: Expander::default(),
        }
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
        (self.winner, self.fill) = (None, None);
        self.board = board;
    }

    /// Plays a move at the root and keeps what the search knows about the position after it.
    ///
    /// # Errors
    /// If the move breaks a rule; the search is then as before.
    pub fn advance_root(&mut self, turn: Move) -> Result<(), IllegalMove> {
        self.board.play(turn)?;
        self.tree.advance_root([
            HalfMove::amazon(turn.from, turn.to),
            HalfMove::arrow(turn.arrow),
        ]);
        self.winner = self
            .tree
            .root()
            .and_then(|root| self.proven_winner(root, self.board.to_move()));
        self.fill = None;
        Ok(())
    }

    /// Runs iterations until the game is decided or `go_on`, asked before each with the number done, says no.
    pub fn run(&mut self, mut go_on: impl FnMut(u64) -> bool) {
        self.run_while(|progress| go_on(progress.iterations));
    }

    /// The same for a `go_on` that asks what the iterations cost, too.
    pub fn run_while(&mut self, mut go_on: impl FnMut(Progress) -> bool) {
        (self.iterations, self.evaluations, self.longest_path) = (0, 0, 0);
        self.settling = 0;
        if let Some((winner, turn)) = longest_fill(&self.board) {
            (self.winner, self.fill) = (Some(winner), Some(turn));
        }
        while self.winner.is_none() && go_on(self.progress()) {
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
        self.winner
    }

    /// The best move known: the longest fill where only filling is left, else a proven win, else the one with
    /// the highest lower bound.
    ///
    /// Nothing if the player to move has no move.
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        self.fill.or_else(|| self.searched_move())
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
        let best = self
            .tree
            .root()
            .and_then(|root| self.best_child(root))
            .map(|best| self.tree.child(best));
        let win_probability = match self.winner {
            Some(winner) if winner == self.board.to_move() => 1.0,
            Some(_) => 0.0,
            None => best.map_or(0.5, |child| child.mean.clamp(0.0, 1.0)),
        };
        Report {
            win_probability,
            visits: best.map_or(0, |child| child.visits),
            iterations: self.iterations,
            evaluations: self.evaluations,
            depth: self.longest_path.div_ceil(2),
            principal_variation: match self.fill {
                Some(fill) => vec![fill],
                None => self.principal_variation(usize::MAX),
            },
        }
    }

    /// The line of best moves, as far as the tree knows whole turns, at most `plies` long.
    #[must_use]
    pub fn principal_variation(&self, plies: usize) -> Vec<Move> {
        self.line(self.tree.root(), plies)
    }

    /// The line of best moves from a node at which a turn begins, at most `plies` long.
    #[must_use]
    pub fn line(&self, mut node: Option<LineId>, plies: usize) -> Vec<Move> {
        let mut line = Vec::new();
        while let Some(root) = node.filter(|_| line.len() < plies) {
            let Some(amazon) = self.best_child(root).map(|best| self.tree.child(best)) else {
                break;
            };
            let Some(arrow) = amazon.node.and_then(|node| self.best_child(node)) else {
                break;
            };
            let arrow = self.tree.child(arrow);
            line.push(Move {
                from: amazon.half_move.from(),
                to: amazon.half_move.to(),
                arrow: arrow.half_move.to(),
            });
            node = arrow.node;
        }
        line
    }

    /// The child to play: the one with the highest lower bound of its value, proven ones first or last.
    fn best_child(&self, node: LineId) -> Option<ChildRef> {
        let rank = |child: &Child| {
            let doubt = self.params.final_doubt / (child.visits.max(1) as f32).sqrt();
            (child.mean - doubt, child.visits)
        };
        let mut best: Option<(ChildRef, Child)> = None;
        self.tree.for_each_child(node, |at, child| {
            if best.is_none_or(|(_, other)| rank(&child) > rank(&other)) {
                best = Some((at, child));
            }
        });
        best.map(|(at, _)| at)
    }

    /// One iteration: select, expand, evaluate, back up.
    fn iterate(&mut self) {
        self.tree.make_room();
        let outcome = self.descend();
        self.longest_path = self.longest_path.max(self.path.len());
        self.back_up(outcome);
    }

    /// Goes down the tree to a leaf, expanding on the way: an amazon's move on its first visit, a
    /// whole turn on its second.
    fn descend(&mut self) -> Outcome {
        self.path.clear();
        let mut board = self.board.clone();
        let mut choice = Choice::Amazon;
        let mut visits = self.tree.root_visits();
        let mut node = self.tree.root().unwrap_or_else(|| {
            let root = self.expand(&board, choice);
            self.tree.set_root(root);
            root
        });
        loop {
            let chooser = board.to_move();
            let Some(at) = self.select(node, visits, choice) else {
                return Outcome::Proven(!chooser);
            };
            self.path.push(Step {
                node,
                child: at,
                chooser,
            });
            let child = self.tree.child(at);
            choice = play_half(&mut board, choice, child.half_move);
            if child.is_proven() {
                return Outcome::Proven(if child.mean == Child::WON {
                    chooser
                } else {
                    !chooser
                });
            }
            if child.node.is_none() && child.visits == 0 && choice == Choice::Amazon {
                return Outcome::Estimate(if chooser == Player::Black {
                    child.mean
                } else {
                    1.0 - child.mean
                });
            }
            if child.node.is_none() && choice == Choice::Amazon {
                let (winner, work) = settle_with_work(&board);
                self.settling += work;
                if let Some(winner) = winner {
                    return Outcome::Proven(winner);
                }
            }
            visits = child.visits;
            node = child.node.unwrap_or_else(|| {
                let expanded = self.expand(&board, choice);
                self.tree.set_node(at, Some(expanded));
                expanded
            });
        }
    }

    /// The child with the best PUCT score, `mean + c·prior·√N / (1 + n)`. The best child without visits
    /// competes with its evaluation as mean, first-play urgency, and joins the visited ones when it is chosen.
    ///
    /// Nothing if there are no children.
    fn select(&mut self, node: LineId, visits: u32, choice: Choice) -> Option<ChildRef> {
        let explore = self.exploration(visits as f32, choice);
        let next = self.tree.next(node);
        let floor = next.map_or(f32::NEG_INFINITY, |next| {
            let reduction = match self.tree.visited(node) {
                0 => 0.0,
                visited => self.params.first_play_reduction / visited as f32,
            };
            next.value - reduction + explore * next.prior
        });
        let best = self.tree.best_above(node, explore, floor);
        best.or_else(|| {
            let slope = self.softmax_slope(choice);
            next.map(|_| {
                self.tree
                    .promote(node, |key, softmax| estimate(key, softmax, slope))
            })
        })
    }

    /// `c·√N` of a node with `visits` N, where c grows with the logarithm of N, as in AlphaZero (Silver et
    /// al. 2018).
    fn exploration(&self, visits: f32, choice: Choice) -> f32 {
        let params = &self.params;
        let weight = match choice {
            Choice::Amazon => params.explore_amazon,
            Choice::Arrow(_) => params.explore_arrow,
        };
        let doublings = eval::log2(1.0 + visits / params.explore_growth_start);
        weight * (1.0 + params.explore_growth * doublings) * visits.sqrt()
    }

    /// Updates the statistics on the path, proofs included.
    fn back_up(&mut self, mut outcome: Outcome) {
        while let Some(step) = self.path.pop() {
            let child = self.tree.child(step.child);
            let visits = child.visits + 1;
            let mean = match outcome {
                Outcome::Estimate(black) => {
                    let value = if step.chooser == Player::Black {
                        black
                    } else {
                        1.0 - black
                    };
                    child.mean + (value - child.mean) / visits as f32
                }
                Outcome::Proven(winner) if winner == step.chooser => Child::WON,
                Outcome::Proven(_) => Child::LOST,
            };
            self.tree.set_statistics(step.child, visits, mean);
            if let Outcome::Proven(winner) = outcome
                && self.proven_winner(step.node, step.chooser) != Some(winner)
            {
                outcome = Outcome::Estimate(if winner == Player::Black { 1.0 } else { 0.0 });
            }
        }
        self.tree.visit_root();
        if let Outcome::Proven(winner) = outcome {
            self.winner = Some(winner);
        }
    }

    /// Who wins at a node for certain: its chooser with one won child, the other if all children are lost.
    fn proven_winner(&self, node: LineId, chooser: Player) -> Option<Player> {
        let (mut won, mut all_lost) = (false, self.tree.next(node).is_none());
        self.tree.for_each_child(node, |_, child| {
            won |= child.mean == Child::WON;
            all_lost &= child.mean == Child::LOST;
        });
        if won {
            Some(chooser)
        } else {
            all_lost.then_some(!chooser)
        }
    }

    /// Evaluates all children of a position and makes a node of them.
    fn expand(&mut self, board: &Board, choice: Choice) -> LineId {
        let slope = self.softmax_slope(choice);
        let seed = self.rng.next_u32();
        let (keys, softmax) = self.expander.expand(board, choice, slope, seed);
        self.evaluations += keys.len() as u64;
        self.tree
            .add_node(keys, softmax, |key| estimate(key, softmax, slope))
    }

    /// How fast the prior falls with the evaluation, see [`expansion::softmax_slope`].
    fn softmax_slope(&self, choice: Choice) -> u32 {
        expansion::softmax_slope(match choice {
            Choice::Amazon => self.params.temperature_amazon,
            Choice::Arrow(_) => self.params.temperature_arrow,
        })
    }
}

/// Plays half a turn and says what is to be chosen next.
fn play_half(board: &mut Board, choice: Choice, half_move: HalfMove) -> Choice {
    match choice {
        Choice::Amazon => {
            board.move_amazon(half_move.from(), half_move.to());
            Choice::Arrow(half_move.to())
        }
        Choice::Arrow(_) => {
            board.shoot(half_move.to());
            Choice::Amazon
        }
    }
}
