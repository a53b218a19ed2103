//! Edge generation for the solver: lists the half-moves of a node with their proof and disproof numbers.
//!
//! The cheapest sources of a proof come first, because many nodes need no other: the transposition table, counting
//! moves, then killer replies. The networks estimate the numbers of the remaining edges.

use super::canonical::Canonical;
use super::replies::MAX_REPLIES;
use super::table::{Key, ProofNumbers, Table};
use super::{Node, Solver};
use engine::board::{Move, Square, squares};
use engine::eval::{self, exp};
use engine::inspect::HalfMove;
use engine::inspect::TurnStage;
use engine::movegen::for_each_target;
use smallvec::SmallVec;

/// Exponent of expected work per unit of log-odds: the proof number falls by a factor of *e* per 1 / `WORK_SLOPE`
/// log-odds.
const WORK_SLOPE: f32 = 0.4;

/// Exponent of expected work per contested square: both numbers grow by a factor of *e* per 1 / `CONTESTED_SLOPE`
/// squares that both players reach.
const CONTESTED_SLOPE: f32 = 0.25;

/// Factor on the proof number of an arrow: proving a win after it takes a refutation of every reply, proving a loss
/// only one reply.
const REFUTATION_FACTOR: f32 = 7.0;

/// Factor on the proof number of a turn that only fills a region with a known number of moves, relative to the best
/// move elsewhere.
const FILL_FACTOR: f32 = 4.0;

/// Minimum lead of the side to move, in squares, for trying killer replies, see [`Canonical::lead_in_squares`].
const MIN_REPLY_LEAD: i32 = -12;

/// A step from a node to its child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Half(HalfMove),
    /// A turn of the leading side in any region with a known number of moves, or an extra tempo. Every such turn
    /// reduces the lead by one move, so one edge stands for all of them. The board stays as it is; only the extra tempi
    /// change.
    Fill,
}

impl Step {
    /// Converts proof and disproof numbers from the view of the child's side to move to that of the parent's, or back.
    /// `choice` is the half-move due at the parent.
    pub const fn convert(self, choice: TurnStage, numbers: ProofNumbers) -> ProofNumbers {
        match (choice, self) {
            (TurnStage::Amazon, Step::Half(_)) => numbers,
            _ => numbers.swapped(),
        }
    }

    /// Returns the whole turn if this step is an amazon's move and `arrow` is an arrow.
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

/// An edge of a node of the solver.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub step: Step,
    pub key: Key,
    /// Proof and disproof number for the side to move at the parent.
    pub numbers: ProofNumbers,
}

/// The edges of one node.
pub type Edges = SmallVec<[Edge; 32]>;

/// Placeholder for the proof and disproof number of an edge that was not estimated yet.
const UNESTIMATED: ProofNumbers = ProofNumbers::UNLIMITED;

impl Edge {
    fn unestimated(half_move: HalfMove, key: Key) -> Edge {
        Edge {
            step: Step::Half(half_move),
            key,
            numbers: UNESTIMATED,
        }
    }
}

impl Table {
    /// Updates the proof and disproof numbers of unproven `edges` from the transposition table.
    pub fn look_up(&self, choice: TurnStage, edges: &mut Edges) {
        self.prefetch(edges.iter().map(|edge| edge.key));
        for edge in edges {
            if !edge.numbers.is_proven()
                && let Some(known) = self.get(edge.key)
            {
                edge.numbers = edge.step.convert(choice, known);
            }
        }
    }
}

impl Solver {
    /// Returns the edges of `node`.
    pub(super) fn edges(&mut self, node: &Node) -> Edges {
        match node.choice {
            TurnStage::Amazon => self.amazon_edges(node),
            TurnStage::Arrow(from) => self.arrow_edges(node, from),
        }
    }

    /// Returns the amazon moves to try: all in regions whose outcome is unknown, and one step that stands for every
    /// turn in the other regions, where only the number of moves matters.
    fn amazon_edges(&mut self, node: &Node) -> Edges {
        let board = &node.board;
        let canonical = self.canonicalizer.form(board, node.extra_tempi);
        let mut edges = Edges::new();
        for from in squares(board.amazons(board.to_move()) & !canonical.resolved_amazons) {
            for_each_target(board, from, |to| {
                let half_move = HalfMove::amazon(from, to);
                edges.push(Edge::unestimated(
                    half_move,
                    canonical.key_after_amazon(half_move),
                ));
            });
        }
        let size = size_factor(&canonical);
        self.estimate(node, &mut edges, |_| size);
        if canonical.lead() > 0 {
            let numbers = edges.iter().map(|edge| edge.numbers);
            let easiest = numbers.min_by(|one, other| one.win.total_cmp(&other.win));
            // If no amazon can move in the open regions, start from equal proof and disproof numbers.
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
        // If the node is new, its children are rarely in the table, so the lookup would only cost time.
        if self.table.get(node.key).is_some() {
            self.table.look_up(node.choice, &mut edges);
        }
        edges
    }

    /// Returns the arrows to try: a proven winning arrow alone if there is one, otherwise all. Arrows that lead to the
    /// same canonical position are listed once.
    fn arrow_edges(&mut self, node: &Node, from: Square) -> Edges {
        let is_new = self.table.get(node.key).is_none();
        let mut after = node.board.clone();
        let mut edges = Edges::new();
        let mut positions: SmallVec<[Canonical; 32]> = SmallVec::new();
        for_each_target(&node.board, from, |target| {
            after.shoot(target);
            let canonical = self.canonicalizer.form(&after, node.extra_tempi);
            after.unshoot(target);
            let key = canonical.key();
            if edges.iter().all(|other| other.key != key) {
                edges.push(Edge::unestimated(HalfMove::arrow(target), key));
                positions.push(canonical);
            }
        });
        self.table.look_up(node.choice, &mut edges);
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

    /// Marks arrows as lost if one of the last `max_replies` killer replies refutes them. Only tries edges whose index
    /// satisfies `is_promising`.
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
                let canonical = self.canonicalizer.form(board, node.extra_tempi);
                self.canonicalizer.is_lost(&canonical)
            };
            if self.replies.refute(&mut after, max_replies, loses) {
                edge.numbers = ProofNumbers::LOST;
                self.table.put(edge.key, ProofNumbers::WON, 1);
            }
            after.unshoot(arrow.to());
        }
    }

    /// Estimates proof and disproof numbers of new edges from the networks and the evaluation. `size_factor` returns
    /// the factor for the size of the position after an edge, from the index of the edge.
    fn estimate(&mut self, node: &Node, edges: &mut Edges, size_factor: impl Fn(usize) -> f32) {
        let unknown = |(at, edge): (usize, &Edge)| match edge.step {
            Step::Half(half_move) if edge.numbers == UNESTIMATED => Some((at, half_move)),
            _ => None,
        };
        let (places, half_moves): (SmallVec<[usize; 64]>, SmallVec<[HalfMove; 64]>) =
            edges.iter().enumerate().filter_map(unknown).unzip();
        if places.is_empty() {
            return;
        }
        let factor = match node.choice {
            TurnStage::Amazon => 1.0,
            TurnStage::Arrow(_) => REFUTATION_FACTOR,
        };
        let log_odds = self.policy.log_odds(&node.board, node.choice, &half_moves);
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

/// Returns the factor on expected work that accounts for the number of squares that both players reach.
fn size_factor(canonical: &Canonical) -> f32 {
    exp(CONTESTED_SLOPE * canonical.contested() as f32)
}
