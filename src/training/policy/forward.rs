//! The forward and backward pass of the policy network in floating point, from a position to the logits of its half-moves.
//!
//! A logit is a sum over the eight [symmetric images](crate::trainer::images) of the position.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::visits::Decision;
use crate::samples::Position;
use crate::trainer::images::{self, Hidden, SQUARES};
use crate::trainer::weights::{FEATURE_ROWS, Shape, Weights};
use engine::bitboard::{Lanes, MAX_LANES};
use engine::board::{Board, Player, Square, squares};
use engine::eval::policy::{HEAD_UNIT, SHOOTER, SLIDES, UNIT, slide_between, transformed_slide};
use engine::eval::symmetry::SYMMETRIES;
use engine::eval::value::{BIASES, FEATURES};
use engine::eval::{self, Batch, LOG_ODDS_ONE, MAX_LOG_ODDS, Phase, exp};
use engine::mcts::Params;
use engine::movegen::for_each_target;

/// Shapes of the network's weight tables: weight rows of the hidden layer, its biases, and the tables of the output layer, in
/// the order of [`PolicyWeights::tables`](engine::eval::policy::PolicyWeights::tables).
pub const SHAPES: [Shape; 9] = [
    Shape::of_integers(FEATURE_ROWS, UNIT),
    Shape::of_integers(BIASES, UNIT),
    Shape::of_integers(SQUARES, HEAD_UNIT),
    Shape::of_integers(SQUARES, HEAD_UNIT),
    Shape::of_integers(SLIDES, HEAD_UNIT),
    Shape::of_integers(FEATURES, HEAD_UNIT),
    Shape::of_integers(SQUARES, HEAD_UNIT),
    Shape::of_integers(SLIDES, HEAD_UNIT),
    Shape::of_integers(FEATURES, HEAD_UNIT),
];

/// Number of output tables in which a half-move looks up its weights: by destination, by slide (direction and length), by
/// feature of a square, and by origin.
const MOVE_TABLES: usize = 4;

/// Indices in [`SHAPES`] of the [`MOVE_TABLES`] for amazon moves: destination, slide, feature, origin.
const AMAZON_TABLES: [usize; MOVE_TABLES] = [3, 4, 5, 2];

/// Indices in [`SHAPES`] of the [`MOVE_TABLES`] for arrows: destination, slide, feature, origin; arrows never look up the last.
const ARROW_TABLES: [usize; MOVE_TABLES] = [6, 7, 8, 2];

/// Maximum number of entries of one output table.
const MAX_ENTRIES: usize = 64;

/// Number of output weight rows in all [`MOVE_TABLES`] tables together, counting [`MAX_ENTRIES`] for each table.
pub const ENTRIES: usize = MOVE_TABLES * MAX_ENTRIES;

/// Symmetric images of output weights: `TURNED[entry][symmetry]` is the index, within the same table, of the weight row that an
/// image of the position uses in place of `entry`.
static TURNED: [[u8; SYMMETRIES]; ENTRIES] = {
    let mut transformed = [[0; SYMMETRIES]; ENTRIES];
    let mut at = 0;
    while at < MAX_ENTRIES * SYMMETRIES {
        let (entry, symmetry) = (at / SYMMETRIES, at % SYMMETRIES);
        let square = images::TURNED[entry][symmetry];
        transformed[entry][symmetry] = square;
        if entry < SLIDES {
            transformed[MAX_ENTRIES + entry][symmetry] = transformed_slide(entry, symmetry) as u8;
        }
        transformed[2 * MAX_ENTRIES + entry][symmetry] = entry as u8;
        transformed[3 * MAX_ENTRIES + entry][symmetry] = square;
        at += 1;
    }
    transformed
};

/// Capacity for the half-moves of a position: at most four amazons move, to at most 27 squares each, rounded up to whole
/// vector registers.
pub const MAX_MOVES: usize = (4 * 27_usize).next_multiple_of(MAX_LANES);

/// A half-move (an amazon move or an arrow), with the indices of its weights and its training target.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Share of the search's visits, in 1/255; 0 if the file of games lists no share for this half-move.
    pub share: u8,
    /// Indices, below [`ENTRIES`], of the output weight rows to look up: destination, slide, feature of the destination, origin,
    /// feature of the origin. Arrows look up only the first three.
    entries: [u8; 5],
}

/// Lists all half-moves that start from the squares of the set `amazons`. `rows` are the weight rows of the squares, from
/// which their features follow; `decision` gives the shares of the visits.
fn turns(board: &Board, amazons: u64, rows: &[u16; 64], decision: &Decision) -> Vec<Turn> {
    let feature = |square: Square| 2 * MAX_ENTRIES + usize::from(rows[square.index()]) / 64;
    let mut turns = Vec::with_capacity(MAX_MOVES);
    for (amazon, from) in (0..).zip(squares(amazons)) {
        for_each_target(board, from, |to| {
            let slide = MAX_ENTRIES + slide_between(from, to);
            let left = 3 * MAX_ENTRIES + from.index();
            turns.push(Turn {
                share: decision.share(amazon << 6 | to.index() as u8),
                entries: [to.index(), slide, feature(to), left, feature(from)]
                    .map(|entry| entry as u8),
            });
        });
    }
    turns
}

/// Result of a forward pass: the half-moves of a position with their logits, and the activations for the backward pass.
pub struct Forward {
    pub moves: Vec<Turn>,
    pub hidden: Hidden,
    /// Indices, in [`Weights`], of the [`MOVE_TABLES`] in use: those of amazon moves or those of arrows.
    tables: [usize; MOVE_TABLES],
    /// Number of [`Turn::entries`] to look up: 5 for amazon moves, 3 for arrows.
    lookups: usize,
    /// Indices, below [`ENTRIES`], of the output weight rows that at least one half-move looks up, in ascending policy.
    used: Vec<usize>,
    /// Logit of each half-move, in the order of `moves`.
    pub log_odds: [f32; MAX_MOVES],
}

impl Forward {
    /// Runs the forward pass on one position, either for amazon moves or for the arrows of `decision.shooter`.
    #[inline(always)]
    pub fn new<L: Lanes>(weights: &Weights, decision: &Decision) -> Forward {
        let (position, board) = (decision.position, board(&decision.position));
        let mut rows = position.rows::<L>();
        let (mut amazons, mut tables, mut lookups) = (position.mine, AMAZON_TABLES, 5);
        if let Some(shooter) = decision.shooter {
            rows[usize::from(shooter)] = (64 * SHOOTER) as u16 + u16::from(shooter);
            (amazons, tables, lookups) = (1 << shooter, ARROW_TABLES, 3);
        }
        let moves = turns(&board, amazons, &rows, decision);
        let mut is_used = [false; ENTRIES];
        for turn in &moves {
            for &entry in &turn.entries[..lookups] {
                is_used[usize::from(entry)] = true;
            }
        }
        let mut forward = Forward {
            hidden: Hidden::new(weights, 0, position.arrows(), rows),
            moves,
            tables,
            lookups,
            used: (0..ENTRIES).filter(|&entry| is_used[entry]).collect(),
            log_odds: [0.0; MAX_MOVES],
        };
        if decision.shooter.is_some() {
            evaluate(&forward.moves, &board, &mut forward.log_odds);
        }
        forward.add_output(weights);
        forward
    }

    /// Adds the output of the network to the logits of all half-moves.
    #[inline(always)]
    fn add_output(&mut self, weights: &Weights) {
        let mut sums = [0.0; ENTRIES];
        for &entry in &self.used {
            let table = &weights[self.tables[entry / MAX_ENTRIES]];
            sums[entry] = self.hidden.sum(table, &TURNED[entry]);
        }
        for (at, turn) in self.moves.iter().enumerate() {
            for &entry in &turn.entries[..self.lookups] {
                self.log_odds[at] += sums[usize::from(entry)];
            }
        }
    }

    /// Back-propagation: adds the gradient of the loss with respect to all weights to `gradient`. `by_move` is the gradient
    /// with respect to the logits.
    ///
    /// `surrogate` is the size of the surrogate gradient, see [`images`].
    #[inline(always)]
    pub fn backward(
        &self,
        weights: &Weights,
        by_move: &[f32; MAX_MOVES],
        surrogate: f32,
        gradient: &mut Weights,
    ) {
        let mut slopes = [0.0; ENTRIES];
        for (at, turn) in self.moves.iter().enumerate() {
            for &entry in &turn.entries[..self.lookups] {
                slopes[usize::from(entry)] += by_move[at];
            }
        }
        let mut below = images::ZERO;
        for &entry in &self.used {
            let table = self.tables[entry / MAX_ENTRIES];
            let (table, to) = (&weights[table], &mut gradient[table]);
            let (slope, transformed) = (slopes[entry], &TURNED[entry]);
            self.hidden
                .add_sum(slope, table, transformed, to, &mut below);
        }
        self.hidden.add_rows(gradient, below, surrogate);
    }

    /// Returns the softmax of the logits. Also returns the natural logarithm of the softmax's denominator, the sum of the
    /// exponentiated logits.
    #[inline(always)]
    pub fn probabilities(&self) -> ([f32; MAX_MOVES], f64) {
        let moves = self.moves.len();
        let mut max = f32::MIN;
        for at in 0..moves {
            max = max.max(self.log_odds[at]);
        }
        let (mut probabilities, mut sum) = ([0.0; MAX_MOVES], 0.0);
        for at in 0..moves {
            probabilities[at] = exp((self.log_odds[at] - max).max(MIN_LOGIT_DIFFERENCE));
            sum += probabilities[at];
        }
        for at in 0..moves {
            probabilities[at] /= sum;
        }
        (probabilities, f64::from(max) + f64::from(sum).ln())
    }
}

/// Writes the logits of `arrows` by the linear evaluation alone into `log_odds`: the evaluation's log-odds divided by the
/// softmax temperature with which the search computes its priors.
fn evaluate(arrows: &[Turn], board: &Board, log_odds: &mut [f32; MAX_MOVES]) {
    let mut batch = Batch::default();
    batch.fill(board, arrows.iter().map(|arrow| 1 << arrow.entries[0]));
    eval::evaluate(&mut batch, Phase::after_arrow(board));
    let unit = LOG_ODDS_ONE as f32 * Params::default().temperature_arrow;
    for (to, found) in log_odds.iter_mut().zip(batch.log_odds()) {
        *to = found.clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS) as f32 / unit;
    }
}

/// Converts a position into a board, with black as the side to move.
fn board(position: &Position) -> Board {
    let Position {
        mine,
        theirs,
        empty,
    } = *position;
    let arrows = !(mine | theirs | empty);
    Board::from_sets(mine, theirs, arrows, Player::Black).expect("four amazons a side")
}

/// Lower limit of a logit minus the largest logit, so that [`exp`] stays within its domain.
const MIN_LOGIT_DIFFERENCE: f32 = -80.0;

#[cfg(test)]
mod tests {
    use super::super::PolicyHead;
    use super::super::visits::tests::random_samples;
    use super::*;
    use crate::trainer::head::Head;
    use engine::eval::LOG_ODDS_ONE;
    use engine::eval::policy::{self, PolicyLogits};

    /// The engine's integer network gives every half-move the same logit as the floating-point network in training. For
    /// arrows, the logit is the network's output plus the log-odds of the linear evaluation.
    #[test]
    fn engine_and_training_give_the_same_logits() {
        let weights = PolicyHead::parse(policy::WEIGHTS).expect("weights");
        let policy = policy::parse(policy::WEIGHTS).expect("weights").network();
        let samples = random_samples(2).into_iter();
        for decision in samples.flat_map(|sample| [Some(sample.amazons), sample.arrows]) {
            let Some(decision) = decision else { continue };
            let board = board(&decision.position);
            let found = Forward::new::<u64>(&weights, &decision);
            let squares = |turn: &Turn| {
                let [to, _, _, from, _] = turn.entries.map(|entry| Square::wrapping(entry.into()));
                (from, to)
            };
            let shooter = decision.shooter.map(|at| Square::wrapping(at.into()));
            let mut logits = PolicyLogits::default();
            logits.compute(&policy, &board, shooter, found.moves.iter().map(squares));
            for (turn, log_odds) in found.moves.iter().zip(found.log_odds) {
                let (from, to) = squares(turn);
                let mut engine = logits.log_odds(from, to) as f32 / LOG_ODDS_ONE as f32;
                if shooter.is_some() {
                    let mut after = board.clone();
                    after.shoot(to);
                    let black = eval::evaluate_board(&after).clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS);
                    engine += black as f32 / LOG_ODDS_ONE as f32 / 0.64;
                }
                assert!((log_odds - engine).abs() < 1e-4, "{log_odds} {engine}");
            }
        }
    }
}
