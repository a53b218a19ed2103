//! Edges of the proof-number search: lists the possible amazon's moves or arrow shots at a [`Node`], each with an
//! initial proof and disproof number.
//!
//! Cheap proofs are tried first: the transposition table, then a count of both players' remaining moves, then killer
//! replies (the opponent's turns that won recently). For an edge without a proof, both numbers are computed from an
//! estimate of the log-odds that the side to move wins by it. The estimate comes from the built-in neural networks and
//! the static evaluation.

use super::canonical::CanonicalForm;
use super::replies::MAX_REPLIES;
use super::table::{Key, ProofNumbers, Table};
use super::{Node, Solver};
use engine::board::{Move, Square, squares};
use engine::eval::{self, exp};
use engine::inspect::Action;
use engine::inspect::TurnStage;
use engine::movegen::for_each_target;
use smallvec::SmallVec;

/// Slope of the initial proof and disproof number over the estimated log-odds, on a logarithmic scale. Let *x* be the
/// log-odds (natural logarithm) that the side to move at the parent wins by this edge. The proof number is proportional
/// to e^(-`WORK_SLOPE` × *x*), and the disproof number to e^(`WORK_SLOPE` × *x*).
const WORK_SLOPE: f32 = 0.4;

/// Growth of the initial proof and disproof numbers with the size of a position. Both numbers are multiplied by
/// e^(`CONTESTED_SLOPE` × *n*), where *n* is the number of empty squares that both players can reach.
const CONTESTED_SLOPE: f32 = 0.25;

/// Factor by which the initial proof number of an arrow shot is greater than that of an amazon's move. The reason: an
/// arrow wins only if every reply of the opponent is refuted, but it loses by one winning reply.
const REFUTATION_FACTOR: f32 = 7.0;

/// Factor by which the solver expects a filling turn ([`Step::Fill`]: a move that only spends a free move, or a pass)
/// to be worse than the best other edge of the node. The best edge is the one with the smallest proof number. Its proof
/// number times this factor is the initial proof number of the filling turn; its disproof number divided by this factor
/// is the initial disproof number.
const FILL_FACTOR: f32 = 4.0;

/// Threshold for trying killer replies (the opponent's turns that won recently) against an arrow shot: the minimum
/// number of squares by which the opponent is ahead after the shot ([`CanonicalForm::lead_in_squares`]). -12 means that
/// replies are tried as long as the opponent is behind by at most 12 squares.
const MIN_REPLY_LEAD: i32 = -12;

/// Step of the solver from one node of its search tree to the next: an amazon's move, an arrow shot, or a filling turn.
/// In a filling turn the side to move spends one free move: it moves in a region that is worth a fixed number of free
/// moves to it, or passes. The solver allows passes to measure the margin of a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An amazon's move, or the arrow after it.
    Action(Action),
    /// Filling turn: the side to move spends one free move. Either it moves in a region that is worth a fixed number of
    /// free moves to it, or it passes. This step stands for all such turns, which are equivalent. The search does not
    /// change the board; it only reduces the number of turns that this side may pass by one.
    Fill,
}

impl Step {
    /// Converts the proof and disproof number of the child between the perspectives of the two sides to move, at the
    /// parent and at the child. The conversion is the same in both directions. If this step ends the turn, it swaps the
    /// two numbers; otherwise it leaves them unchanged. `stage` is the stage of the turn at the parent, before this
    /// step.
    pub const fn convert(self, stage: TurnStage, numbers: ProofNumbers) -> ProofNumbers {
        match (stage, self) {
            (TurnStage::Amazon, Step::Action(_)) => numbers,
            _ => numbers.swapped(),
        }
    }

    /// Combines this step, an amazon's move, and the step `arrow`, the arrow shot after it, to a move. Returns `None`
    /// if one of them is [`Step::Fill`], which stands for several turns.
    pub const fn turn_with(self, arrow: Step) -> Option<Move> {
        match (self, arrow) {
            (Step::Action(amazon), Step::Action(arrow)) => Some(Move {
                from: amazon.from(),
                to: amazon.to(),
                arrow: arrow.to(),
            }),
            _ => None,
        }
    }
}

/// Edge of the proof-number search from a node to a child. Contains the step (an amazon's move, an arrow shot or a
/// filling turn, which only spends a free move) and the child's proof and disproof number.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub step: Step,
    /// Key of the child (the position to which this edge leads) in the transposition table.
    pub key: Key,
    /// Proof and disproof number of the child. They are for the side to move at the parent, even if the opponent is to
    /// move at the child.
    pub numbers: ProofNumbers,
}

/// List of all edges of one node. Up to 32 edges are stored without a heap allocation.
pub type Edges = SmallVec<[Edge; 32]>;

/// Value of [`Edge::numbers`] as long as the proof and disproof number are neither estimated nor proven: both are
/// infinite.
const UNESTIMATED: ProofNumbers = ProofNumbers::UNLIMITED;

impl Edge {
    fn unestimated(action: Action, key: Key) -> Edge {
        Edge {
            step: Step::Action(action),
            key,
            numbers: UNESTIMATED,
        }
    }
}

impl Table {
    /// Copies to each edge the proof and disproof number of its child (the position to which it leads), if this table
    /// contains the child. Skips edges that are proven already. `stage` says whether `edges` are amazon's moves or
    /// arrows.
    pub fn look_up(&self, stage: TurnStage, edges: &mut Edges) {
        self.prefetch(edges.iter().map(|edge| edge.key));
        for edge in edges {
            if !edge.numbers.is_proven()
                && let Some(known) = self.get(edge.key)
            {
                edge.numbers = edge.step.convert(stage, known);
            }
        }
    }
}

impl Solver {
    /// Returns the edges of `node` in the order of move generation: amazon's moves at the beginning of a turn, arrow
    /// shots after the amazon's move. Leaves out edges that a proof does not need, as described at `amazon_edges` and
    /// `arrow_edges`.
    pub(super) fn edges(&mut self, node: &Node) -> Edges {
        match node.stage {
            TurnStage::Amazon => self.amazon_edges(node),
            TurnStage::Arrow(from) => self.arrow_edges(node, from),
        }
    }

    /// Returns the edges of a node at the beginning of a turn. These are all amazon's moves, except those in integer
    /// regions, which are worth a fixed number of free moves to one player. If the side to move has more free moves
    /// than the opponent, one more edge, [`Step::Fill`], stands for all turns that spend one of them.
    fn amazon_edges(&mut self, node: &Node) -> Edges {
        let board = &node.board;
        let canonical = self.canonicalizer.canonicalize(board, node.extra_tempi);
        let mut edges = Edges::new();
        for from in squares(board.amazons(board.to_move()) & !canonical.integer_region_amazons) {
            for_each_target(board, from, |to| {
                let action = Action::amazon(from, to);
                let key = canonical.key_after_amazon(action);
                edges.push(Edge::unestimated(action, key));
            });
        }
        let size = size_factor(&canonical);
        self.estimate(node, &mut edges, |_| size);
        if canonical.lead() > 0 {
            let numbers = edges.iter().map(|edge| edge.numbers);
            let easiest = numbers.min_by(|one, other| one.win.total_cmp(&other.win));
            // `easiest` is the edge with the smallest proof number. If the list has no edge yet, derive the filling
            // turn's numbers from a proof and disproof number of 1.
            let ProofNumbers { win, loss } = easiest.unwrap_or(ProofNumbers::EVEN);
            edges.push(Edge {
                step: Step::Fill,
                key: canonical.after_fill().key(),
                numbers: ProofNumbers::new(win * FILL_FACTOR, loss / FILL_FACTOR),
            });
        }
        // Look the children up only if the table contains this node. Otherwise it seldom contains any of its children.
        if self.table.get(node.key).is_some() {
            self.table.look_up(node.stage, &mut edges);
        }
        edges
    }

    /// Returns the edges of a node at which the amazon on `from` must shoot its arrow. If an arrow is proven to win, it
    /// is the only edge returned. If several arrows lead to the same canonical position, only the first of them is
    /// returned.
    fn arrow_edges(&mut self, node: &Node, from: Square) -> Edges {
        let is_new = self.table.get(node.key).is_none();
        let mut after = node.board.clone();
        let mut edges = Edges::new();
        let mut positions: SmallVec<[CanonicalForm; 32]> = SmallVec::new();
        for_each_target(&node.board, from, |target| {
            after.shoot(target);
            let canonical = self.canonicalizer.canonicalize(&after, node.extra_tempi);
            after.unshoot(target);
            let key = canonical.key();
            if edges.iter().all(|other| other.key != key) {
                edges.push(Edge::unestimated(Action::arrow(target), key));
                positions.push(canonical);
            }
        });
        self.table.look_up(node.stage, &mut edges);
        for (edge, canonical) in edges.iter_mut().zip(&positions) {
            if edge.numbers == UNESTIMATED
                && let Some(winner) = self.canonicalizer.winner(canonical)
            {
                edge.numbers = match winner == node.board.to_move() {
                    true => ProofNumbers::WON,
                    false => ProofNumbers::LOST,
                };
            }
            if edge.numbers == ProofNumbers::WON {
                return Edges::from_slice(&[*edge]);
            }
        }
        if is_new {
            let is_promising = |at: usize| positions[at].lead_in_squares() >= MIN_REPLY_LEAD;
            self.try_replies(node, &mut edges, MAX_REPLIES, is_promising);
        }
        self.estimate(node, &mut edges, |at| size_factor(&positions[at]));
        edges
    }

    /// Tries killer replies (the opponent's turns that won recently) against each arrow shot in `edges`, the edges of
    /// `node`. If a reply is proven to win against a shot, the shot loses: the numbers of its edge become
    /// [`ProofNumbers::LOST`].
    ///
    /// Tries only the `max_replies` most recent replies. Skips edges that are proven already. Also skips each edge for
    /// whose index in `edges` the function `is_promising` returns false.
    pub(super) fn try_replies(
        &mut self,
        node: &Node,
        edges: &mut Edges,
        max_replies: usize,
        is_promising: impl Fn(usize) -> bool,
    ) {
        let mut after = node.board.clone();
        for (at, edge) in edges.iter_mut().enumerate() {
            let Step::Action(arrow) = edge.step else {
                continue;
            };
            if edge.numbers.is_proven() || !is_promising(at) {
                continue;
            }
            after.shoot(arrow.to());
            let loses = |board: &_| {
                let canonical = self.canonicalizer.canonicalize(board, node.extra_tempi);
                self.canonicalizer.is_lost(&canonical)
            };
            if self.replies.any_wins(&mut after, max_replies, loses) {
                edge.numbers = ProofNumbers::LOST;
                self.table.put(edge.key, ProofNumbers::WON, 1);
            }
            after.unshoot(arrow.to());
        }
    }

    /// Sets the proof and disproof numbers of all `edges` that are still [`UNESTIMATED`], as estimated by the networks
    /// and the evaluation. `size_factor(index)` is the factor by which both numbers of the edge with this index are
    /// multiplied, because larger positions take more work.
    fn estimate(&mut self, node: &Node, edges: &mut Edges, size_factor: impl Fn(usize) -> f32) {
        let unknown = |(at, edge): (usize, &Edge)| match edge.step {
            Step::Action(action) if edge.numbers == UNESTIMATED => Some((at, action)),
            _ => None,
        };
        let (places, actions): (SmallVec<[usize; 64]>, SmallVec<[Action; 64]>) =
            edges.iter().enumerate().filter_map(unknown).unzip();
        if places.is_empty() {
            return;
        }
        let factor = match node.stage {
            TurnStage::Amazon => 1.0,
            TurnStage::Arrow(_) => REFUTATION_FACTOR,
        };
        let log_odds = self.estimator.log_odds(&node.board, node.stage, &actions);
        for (&at, &log_odds) in places.iter().zip(log_odds) {
            let size = size_factor(at);
            let odds = exp(WORK_SLOPE * eval::log_odds(log_odds));
            edges[at].numbers = ProofNumbers::new(factor * size / odds, size * odds);
        }
    }
}

/// Returns the factor by which the initial proof and disproof number of a new edge are multiplied, because large
/// positions take more work: e^([`CONTESTED_SLOPE`] × *n*). *n* is the number of empty squares that both players can
/// reach.
fn size_factor(canonical: &CanonicalForm) -> f32 {
    exp(CONTESTED_SLOPE * canonical.contested() as f32)
}
