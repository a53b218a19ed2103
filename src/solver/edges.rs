//! Edge generation for the solver: lists the actions (an amazon's move or its arrow) of a node, each with its
//! initial proof and disproof number.
//!
//! Proofs are looked for in the cheapest source first: the transposition table, then counting moves, then killer
//! replies. The networks and the evaluation estimate the numbers of the remaining edges.

use super::canonical::Canonical;
use super::replies::MAX_REPLIES;
use super::table::{Key, ProofNumbers, Table};
use super::{Node, Solver};
use engine::board::{Move, Square, squares};
use engine::eval::{self, exp};
use engine::inspect::Action;
use engine::inspect::TurnStage;
use engine::movegen::for_each_target;
use smallvec::SmallVec;

/// Dependence of expected work on the estimated odds: each natural log-odds unit in favour of the side to move divides
/// the proof number by e^`WORK_SLOPE` and multiplies the disproof number by it.
const WORK_SLOPE: f32 = 0.4;

/// Dependence of expected work on size: each empty square that both players reach multiplies proof and disproof number
/// by e^`CONTESTED_SLOPE`.
const CONTESTED_SLOPE: f32 = 0.25;

/// Factor on the proof number of an arrow. A win after the arrow takes a refutation of every reply, a loss takes only
/// one winning reply.
const REFUTATION_FACTOR: f32 = 7.0;

/// Factor on the proof number of [`Step::Fill`], relative to the smallest proof number of the other edges. The disproof
/// number is divided by it.
const FILL_FACTOR: f32 = 4.0;

/// Minimum lead of the side to move, in squares, after an arrow for killer replies to be tried against it, see
/// [`Canonical::lead_in_squares`].
const MIN_REPLY_LEAD: i32 = -12;

/// Transition from a node to one of its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An amazon's move or its arrow, played on the board.
    Half(Action),
    /// A turn of the side to move that uses up one move of its lead, in any region with a known number of moves or as
    /// an extra tempo. All such turns are equivalent, so one edge stands for all of them. The board stays unchanged;
    /// only the number of extra tempi changes.
    Fill,
}

impl Step {
    /// Converts the proof and disproof numbers of the child, which are for its side to move, to those for the side to
    /// move at the parent, or back. `stage` is the action due at the parent.
    pub const fn convert(self, stage: TurnStage, numbers: ProofNumbers) -> ProofNumbers {
        match (stage, self) {
            (TurnStage::Amazon, Step::Half(_)) => numbers,
            _ => numbers.swapped(),
        }
    }

    /// Returns the turn that consists of this step, an amazon's move, and `arrow`. Returns `None` if one of the steps
    /// is [`Step::Fill`].
    pub const fn turn_with(self, arrow: Step) -> Option<Move> {
        match (self, arrow) {
            (Step::Half(amazon), Step::Half(arrow)) => Some(Move {
                from: amazon.from(),
                to: amazon.to(),
                arrow: arrow.to(),
            }),
            _ => None,
        }
    }
}

/// Edge of a node in the proof-number search: an action to try, and how much work its proof is expected to take.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub step: Step,
    /// Table key of the child.
    pub key: Key,
    /// Proof and disproof number of the child, for the side to move at the parent.
    pub numbers: ProofNumbers,
}

/// All edges of one node; up to 32 need no allocation.
pub type Edges = SmallVec<[Edge; 32]>;

/// Marks an edge whose proof and disproof numbers are not estimated yet.
const UNESTIMATED: ProofNumbers = ProofNumbers::UNLIMITED;

impl Edge {
    fn unestimated(action: Action, key: Key) -> Edge {
        Edge {
            step: Step::Half(action),
            key,
            numbers: UNESTIMATED,
        }
    }
}

impl Table {
    /// Updates the unproven edges of a node with the proof and disproof numbers that the table stores for their
    /// children. `stage` is the action due at the node.
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
    /// Returns the edges to search at `node`: amazon moves or arrows, depending on the action that is due.
    pub(super) fn edges(&mut self, node: &Node) -> Edges {
        match node.stage {
            TurnStage::Amazon => self.amazon_edges(node),
            TurnStage::Arrow(from) => self.arrow_edges(node, from),
        }
    }

    /// Returns the edges of a node at which an amazon's move is due: all amazon moves in unresolved regions and, if the
    /// side to move has a lead, one [`Step::Fill`] that stands for every turn in the resolved regions (those with a
    /// known number of moves).
    fn amazon_edges(&mut self, node: &Node) -> Edges {
        let board = &node.board;
        let canonical = self.canonicalizer.canonicalize(board, node.extra_tempi);
        let mut edges = Edges::new();
        for from in squares(board.amazons(board.to_move()) & !canonical.resolved_amazons) {
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
            // If no amazon can move in the unresolved regions, start from equal proof and disproof numbers.
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
        // If the table does not contain the node, it rarely contains its children, so looking them up would waste time.
        if self.table.get(node.key).is_some() {
            self.table.look_up(node.stage, &mut edges);
        }
        edges
    }

    /// Returns the edges of a node at which the amazon on `from` must shoot: all arrows, or a single one if it is
    /// proven to win. Of arrows that lead to the same canonical position, only the first is listed.
    fn arrow_edges(&mut self, node: &Node, from: Square) -> Edges {
        let is_new = self.table.get(node.key).is_none();
        let mut after = node.board.clone();
        let mut edges = Edges::new();
        let mut positions: SmallVec<[Canonical; 32]> = SmallVec::new();
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

    /// Sets the numbers of an arrow to [`ProofNumbers::LOST`] if one of the opponent's `max_replies` most recent killer
    /// replies wins against it. Tries only the unproven edges whose index satisfies `is_promising`.
    pub(super) fn try_replies(
        &mut self,
        node: &Node,
        edges: &mut Edges,
        max_replies: usize,
        is_promising: impl Fn(usize) -> bool,
    ) {
        let mut after = node.board.clone();
        for (at, edge) in edges.iter_mut().enumerate() {
            let Step::Half(arrow) = edge.step else {
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
            if self.replies.refute(&mut after, max_replies, loses) {
                edge.numbers = ProofNumbers::LOST;
                self.table.put(edge.key, ProofNumbers::WON, 1);
            }
            after.unshoot(arrow.to());
        }
    }

    /// Estimates the proof and disproof numbers of the edges that have none yet, from the networks and the evaluation.
    /// `size_factor` maps the index of an edge to the factor for the size of the position after it.
    fn estimate(&mut self, node: &Node, edges: &mut Edges, size_factor: impl Fn(usize) -> f32) {
        let unknown = |(at, edge): (usize, &Edge)| match edge.step {
            Step::Half(action) if edge.numbers == UNESTIMATED => Some((at, action)),
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
        let log_odds = self.policy.log_odds(&node.board, node.stage, &actions);
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

/// Returns the factor on the expected work of a proof for the number of empty squares that both players reach, see
/// [`CONTESTED_SLOPE`].
fn size_factor(canonical: &Canonical) -> f32 {
    exp(CONTESTED_SLOPE * canonical.contested() as f32)
}
