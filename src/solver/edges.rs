//! The edges of a node: half-moves, with what is known of them, or else what they promise.
//!
//! What costs least comes first, because many nodes need no more: the table, counting, then replies. The networks are asked for the
//! edges that are left.

use super::essence::Essence;
use super::replies::REMEMBERED;
use super::table::{Key, Numbers, Table};
use super::{Node, Solver};
use engine::board::{Move, Square, squares};
use engine::eval::{self, exp};
use engine::inspect::Choice;
use engine::inspect::HalfMove;
use engine::movegen::for_each_target;
use smallvec::SmallVec;

/// How fast the expected work falls with the log-odds: by a factor of *e* for each 1 / this.
const WORK_SLOPE: f32 = 0.4;

/// How fast the expected work grows with the squares that both players reach: by a factor of *e* for each 1 / this.
const CONTESTED_SLOPE: f32 = 0.25;

/// How much harder it seems to win than to lose where the other player moves next, as a factor: all replies have to be refuted, or
/// one to be found.
const REPLIES_ARE_HARDER: f32 = 7.0;

/// How much harder to win with a move of a fill seems than with the best move elsewhere, as a factor.
const FILL_IS_HARDER: f32 = 4.0;

/// The least lead of the player to move with which replies are tried, see [`Essence::lead_in_squares`].
const LEAST_LEAD: i32 = -12;

/// What leads from a node to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Half(HalfMove),
    /// A whole turn where the player is ahead in the regions that are counted, or besides: it leaves one less. Wherever it is made
    /// comes to the same, so it is made besides.
    Fill,
}

impl Step {
    /// Numbers on this side of the step, for the player who chooses here, from those for the player who chooses behind it; and
    /// the other way round.
    pub const fn across(self, choice: Choice, numbers: Numbers) -> Numbers {
        match (choice, self) {
            (Choice::Amazon, Step::Half(_)) => numbers,
            _ => numbers.swapped(),
        }
    }

    /// The turn of an amazon's move and an arrow.
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

/// An edge of a node.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub step: Step,
    pub key: Key,
    /// For the player who chooses.
    pub numbers: Numbers,
}

/// Edges of a node.
pub type Edges = SmallVec<[Edge; 32]>;

/// An edge of which nothing is known yet.
const UNKNOWN: Numbers = Numbers::UNLIMITED;

impl Edge {
    fn half(half_move: HalfMove, key: Key) -> Edge {
        Edge {
            step: Step::Half(half_move),
            key,
            numbers: UNKNOWN,
        }
    }
}

impl Table {
    /// Takes over what is known of edges.
    pub fn look_up(&self, choice: Choice, edges: &mut Edges) {
        self.fetch(edges.iter().map(|edge| edge.key));
        for edge in edges {
            if !edge.numbers.is_proven()
                && let Some(known) = self.get(edge.key)
            {
                edge.numbers = edge.step.across(choice, known);
            }
        }
    }
}

impl Solver {
    /// The edges of a node.
    pub(super) fn edges(&mut self, node: &Node) -> Edges {
        match node.choice {
            Choice::Amazon => self.amazons(node),
            Choice::Arrow(from) => self.arrows(node, from),
        }
    }

    /// The edges of a node at which an amazon's move is chosen: those of regions that are not counted, and one for the others.
    fn amazons(&mut self, node: &Node) -> Edges {
        let board = &node.board;
        let essence = self.essences.of(board, node.besides);
        let mut edges = Edges::new();
        for from in squares(board.amazons(board.to_move()) & !essence.counted) {
            for_each_target(board, from, |to| {
                let half_move = HalfMove::amazon(from, to);
                edges.push(Edge::half(half_move, essence.key_behind(half_move)));
            });
        }
        let size = size(&essence);
        self.estimate(node, &mut edges, |_| size);
        if essence.lead() > 0 {
            let numbers = edges.iter().map(|edge| edge.numbers);
            let easiest = numbers.min_by(|one, other| one.win.total_cmp(&other.win));
            // Without a move on the board there may be one besides.
            let Numbers { win, loss } = easiest.unwrap_or(Numbers::EVEN);
            edges.push(Edge {
                step: Step::Fill,
                key: essence.behind_fill().key(),
                numbers: Numbers {
                    win: win * FILL_IS_HARDER,
                    loss: loss / FILL_IS_HARDER,
                },
            });
        }
        // An amazon's move is rarely known from elsewhere.
        if self.table.get(node.key).is_some() {
            self.table.look_up(node.choice, &mut edges);
        }
        edges
    }

    /// The edges of a node at which an arrow is chosen: one that wins, or all. Of those behind which the essence is the same only
    /// one counts.
    fn arrows(&mut self, node: &Node, from: Square) -> Edges {
        let is_new = self.table.get(node.key).is_none();
        let mut after = node.board.clone();
        let mut edges = Edges::new();
        let mut behind: SmallVec<[Essence; 32]> = SmallVec::new();
        for_each_target(&node.board, from, |target| {
            after.shoot(target);
            let essence = self.essences.of(&after, node.besides);
            after.unshoot(target);
            let key = essence.key();
            if edges.iter().all(|other| other.key != key) {
                edges.push(Edge::half(HalfMove::arrow(target), key));
                behind.push(essence);
            }
        });
        self.table.look_up(node.choice, &mut edges);
        for (edge, essence) in edges.iter_mut().zip(&behind) {
            if edge.numbers == UNKNOWN
                && let Some(winner) = self.essences.winner(essence)
            {
                edge.numbers = match winner == node.board.to_move() {
                    true => Numbers::WON,
                    false => Numbers::LOST,
                };
            }
            if edge.numbers == Numbers::WON {
                return Edges::from_slice(&[*edge]);
            }
        }
        if is_new {
            let promises = |at: usize| behind[at].lead_in_squares() >= LEAST_LEAD;
            self.try_replies(node, &mut edges, REMEMBERED, promises);
        }
        self.estimate(node, &mut edges, |at| size(&behind[at]));
        edges
    }

    /// Finds arrows that lose to one of the last replies, so many at most: of those at places that promise it.
    pub(super) fn try_replies(
        &mut self,
        node: &Node,
        edges: &mut Edges,
        most: usize,
        promises: impl Fn(usize) -> bool,
    ) {
        let mut after = node.board.clone();
        for (at, edge) in edges.iter_mut().enumerate() {
            let Step::Half(arrow) = edge.step else {
                continue;
            };
            if edge.numbers.is_proven() || !promises(at) {
                continue;
            }
            after.shoot(arrow.to());
            let loses = |board: &_| {
                let essence = self.essences.of(board, node.besides);
                self.essences.is_lost(&essence)
            };
            if self.replies.win(&mut after, most, loses) {
                edge.numbers = Numbers::LOST;
                self.table.put(edge.key, Numbers::WON, 1);
            }
            after.unshoot(arrow.to());
        }
    }

    /// First numbers of the edges of which nothing is known, by the networks and the evaluation, and by [`size`] for the one at a
    /// place.
    fn estimate(&mut self, node: &Node, edges: &mut Edges, size: impl Fn(usize) -> f32) {
        let unknown = |(at, edge): (usize, &Edge)| match edge.step {
            Step::Half(half_move) if edge.numbers == UNKNOWN => Some((at, half_move)),
            _ => None,
        };
        let (places, half_moves): (SmallVec<[usize; 64]>, SmallVec<[HalfMove; 64]>) =
            edges.iter().enumerate().filter_map(unknown).unzip();
        if places.is_empty() {
            return;
        }
        let harder = match node.choice {
            Choice::Amazon => 1.0,
            Choice::Arrow(_) => REPLIES_ARE_HARDER,
        };
        let log_odds = self.policy.log_odds(&node.board, node.choice, &half_moves);
        for (&at, &log_odds) in places.iter().zip(log_odds) {
            let size = size(at);
            let odds = exp(WORK_SLOPE * eval::log_odds(log_odds));
            edges[at].numbers = Numbers {
                win: harder * size / odds,
                loss: size * odds,
            };
        }
    }
}

/// The work that a position makes by its size alone, as a factor.
fn size(essence: &Essence) -> f32 {
    exp(CONTESTED_SLOPE * essence.contested() as f32)
}
