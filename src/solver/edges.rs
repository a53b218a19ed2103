//! Edges of the proof-number search: lists the possible amazon's moves or arrow shots at a [`Node`], each with an
//! initial proof and disproof number.
//!
//! Cheap proofs are tried first: the transposition table, then a count of both players' remaining moves, then killer
//! replies (turns that won recently). For edges without a proof, the networks and the evaluation estimate the numbers.

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

/// Influence of the networks' estimate on the initial numbers of an edge. Let *x* be the estimated log-odds (natural
/// logarithm) that the edge wins for the side to move: the proof number is divided by e^(`WORK_SLOPE` × *x*), and the
/// disproof number is multiplied by it.
const WORK_SLOPE: f32 = 0.4;

/// Growth of the initial proof and disproof numbers with the size of a position. Both numbers are multiplied by
/// e^(`CONTESTED_SLOPE` × *n*), where *n* is the number of empty squares that both players can reach.
const CONTESTED_SLOPE: f32 = 0.25;

/// Factor by which the initial proof number of an arrow shot is greater than that of an amazon's move. The reason: an
/// arrow wins only if every reply of the opponent is refuted, but it loses by one winning reply.
const REFUTATION_FACTOR: f32 = 7.0;

/// Factor for the initial numbers of the edge [`Step::Fill`], a turn that spends one move of the lead. Its proof number
/// is this factor times that of the easiest other edge of the same node (the edge with the smallest proof number). Its
/// disproof number is the disproof number of the easiest edge, divided by this factor.
const FILL_FACTOR: f32 = 4.0;

/// Minimum lead that the opponent must have after an arrow shot, so that killer replies (the opponent's turns that won
/// recently) are tried against this shot. In squares, as estimated by [`CanonicalForm::lead_in_squares`]; the opponent
/// may be behind by 12 squares.
const MIN_REPLY_LEAD: i32 = -12;

/// Step of the solver from one node of its search tree to the next: an amazon's move, an arrow shot, or a filling turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An amazon's move, or the arrow after it.
    Action(Action),
    /// Filling turn: a move in a region in which the side to move leads by a fixed number of moves, or a pass. This
    /// step stands for all such turns, which are equivalent, because each reduces the lead by one move. The search
    /// leaves the board unchanged; instead, the side to move may pass one turn less.
    Fill,
}

impl Step {
    /// Converts the proof and disproof number of a child for the side to move at the parent, or the other way round. If
    /// this step ends the turn, the two numbers are swapped, because the other side is then to move; otherwise they
    /// stay unchanged. `stage` says what comes next at the parent: an amazon's move or an arrow.
    pub const fn convert(self, stage: TurnStage, numbers: ProofNumbers) -> ProofNumbers {
        match (stage, self) {
            (TurnStage::Amazon, Step::Action(_)) => numbers,
            _ => numbers.swapped(),
        }
    }

    /// Returns the move that consists of this step, an amazon's move, and of `arrow`, the step after it. Returns `None`
    /// if one of them is [`Step::Fill`].
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

/// Edge of the proof-number search, from a node to a child: the step, and the expected work to prove or disprove that
/// the step wins.
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
    /// Returns the edges of `node`: amazon moves at the beginning of a turn, arrows after the amazon's move.
    pub(super) fn edges(&mut self, node: &Node) -> Edges {
        match node.stage {
            TurnStage::Amazon => self.amazon_edges(node),
            TurnStage::Arrow(from) => self.arrow_edges(node, from),
        }
    }

    /// Returns the edges of a node at the beginning of a turn. These are all amazon's moves, except those in integer
    /// regions, where one player leads by a fixed number of moves. If the side to move leads in the integer regions,
    /// one more edge, [`Step::Fill`], stands for all its turns there.
    fn amazon_edges(&mut self, node: &Node) -> Edges {
        let board = &node.board;
        let canonical = self.canonicalizer.canonicalize(board, node.extra_tempi);
        let mut edges = Edges::new();
        for from in squares(board.amazons(board.to_move()) & !canonical.integer_region_amazons) {
            for_each_target(board, from, |to| {
                let action = Action::amazon(from, to);
                edges.push(Edge::unestimated(
                    action,
                    canonical.key_after_amazon(action),
                ));
            });
        }
        let size = size_factor(&canonical);
        self.estimate(node, &mut edges, |_| size);
        if canonical.lead() > 0 {
            let numbers = edges.iter().map(|edge| edge.numbers);
            let easiest = numbers.min_by(|one, other| one.win.total_cmp(&other.win));
            // If the node has no other edge, derive the numbers of the edge `Step::Fill` from 1 and 1 instead.
            let ProofNumbers { win, loss } = easiest.unwrap_or(ProofNumbers::EVEN);
            edges.push(Edge {
                step: Step::Fill,
                key: canonical.after_fill().key(),
                numbers: ProofNumbers {
                    win: win * FILL_FACTOR,
                    loss: loss / FILL_FACTOR,
                },
            });
        }
        // Skip the look-up if this node is not in the table yet, because then its children seldom are.
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

    /// Tries killer replies (the opponent's turns that won recently) against the arrow shots `edges` of `node`. If a
    /// reply is proven to win after a shot, the numbers of this edge become [`ProofNumbers::LOST`]. Only the
    /// `max_replies` most recent replies are tried. Skips proven edges, and edges for whose index in `edges`
    /// `is_promising` returns false.
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
            edges[at].numbers = ProofNumbers {
                win: factor * size / odds,
                loss: size * odds,
            };
        }
    }
}

/// Returns the factor by which proof and disproof numbers grow with the size of a position: e^([`CONTESTED_SLOPE`] ×
/// *n*), where *n* is the number of empty squares that both players can reach.
fn size_factor(canonical: &CanonicalForm) -> f32 {
    exp(CONTESTED_SLOPE * canonical.contested() as f32)
}
