//! Forward and backward pass of the policy network in floating point, from a position to the logits of its actions:
//! amazon moves, or arrows after an amazon move.
//!
//! A logit is a sum over the eight [symmetric images](crate::trainer::hidden_layer) of the position.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::sample::Decision;
use crate::samples::Position;
use crate::trainer::hidden_layer::{self, HiddenLayer, SQUARES};
use crate::trainer::weights::{FEATURE_ROWS, Shape, Weights};
use engine::bitboard::{Lanes, MAX_LANES};
use engine::board::{Board, Player, Square, squares};
use engine::eval::policy::{OUTPUT_UNIT, SHOOTER, SLIDES, UNIT, slide_between, transformed_slide};
use engine::eval::symmetry::SYMMETRIES;
use engine::eval::value::{BIASES, FEATURES};
use engine::eval::{self, Batch, LOG_ODDS_ONE, MAX_LOG_ODDS, Phase, exp};
use engine::mcts::Params;
use engine::movegen::for_each_target;

/// Shapes of the nine weight tables, in the order of
/// [`PolicyWeights::tables`](engine::eval::policy::PolicyWeights::tables):
///
/// - 0, 1: weight rows and biases of the hidden layer
/// - 2 to 5: output weights of amazon moves by origin, destination, slide (direction and length), feature of a square
/// - 6 to 8: output weights of arrows by destination, slide, feature of the destination
pub const SHAPES: [Shape; 9] = [
    Shape::quantized(FEATURE_ROWS, UNIT),
    Shape::quantized(BIASES, UNIT),
    Shape::quantized(SQUARES, OUTPUT_UNIT),
    Shape::quantized(SQUARES, OUTPUT_UNIT),
    Shape::quantized(SLIDES, OUTPUT_UNIT),
    Shape::quantized(FEATURES, OUTPUT_UNIT),
    Shape::quantized(SQUARES, OUTPUT_UNIT),
    Shape::quantized(SLIDES, OUTPUT_UNIT),
    Shape::quantized(FEATURES, OUTPUT_UNIT),
];

/// Number of output tables whose weights add up to the logit of an amazon move: tables by destination, by slide
/// (direction and length), by feature of a square, and by origin.
const ACTION_TABLES: usize = 4;

/// Indices in [`SHAPES`] of the output tables of amazon moves: by destination, by slide, by feature, by origin.
const AMAZON_TABLES: [usize; ACTION_TABLES] = [3, 4, 5, 2];

/// Indices in [`SHAPES`] of the output tables of arrows: by destination, by slide, by feature. The fourth element only
/// fills the array; arrows have no table by origin.
const ARROW_TABLES: [usize; ACTION_TABLES] = [6, 7, 8, 2];

/// Number of row indices for each output table, equal to the number of rows of the largest one. Row `r` of the table at
/// position `t` in [`AMAZON_TABLES`] or [`ARROW_TABLES`] has the row index `TABLE_ROWS·t + r`.
const TABLE_ROWS: usize = 64;

/// Number of row indices for the output tables of an action: [`TABLE_ROWS`] for each of the [`ACTION_TABLES`] tables.
pub const OUTPUT_ROWS: usize = ACTION_TABLES * TABLE_ROWS;

/// Index of each output weight row under the symmetries of the board. If `symmetry` transforms the position, row
/// `TRANSFORMED_ROWS[row][symmetry]` is used instead of the row with the row index `row`. It is a row of the same
/// table, counted from 0 in this table.
static TRANSFORMED_ROWS: [[u8; SYMMETRIES]; OUTPUT_ROWS] = {
    let mut transformed = [[0; SYMMETRIES]; OUTPUT_ROWS];
    let mut at = 0;
    while at < TABLE_ROWS * SYMMETRIES {
        let (entry, symmetry) = (at / SYMMETRIES, at % SYMMETRIES);
        let square = hidden_layer::TRANSFORMED_SQUARES[entry][symmetry];
        transformed[entry][symmetry] = square;
        if entry < SLIDES {
            transformed[TABLE_ROWS + entry][symmetry] = transformed_slide(entry, symmetry) as u8;
        }
        transformed[2 * TABLE_ROWS + entry][symmetry] = entry as u8;
        transformed[3 * TABLE_ROWS + entry][symmetry] = square;
        at += 1;
    }
    transformed
};

/// Maximum number of actions (amazon moves or arrows) of a position: four amazons with at most 27 destinations each,
/// rounded up to a multiple of the number of SIMD lanes.
pub const MAX_ACTIONS: usize = (4 * 27_usize).next_multiple_of(MAX_LANES);

/// Legal action (an amazon move or an arrow), with the output weights that it uses and its training target.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Fraction of the search's visits that this action received, in units of 1/255. It is 0 if the file of games does
    /// not list the action, because files list the most visited actions only.
    pub share: u8,
    /// Row indices, below [`OUTPUT_ROWS`], of the output weights that give the action's logit. Elements 0 to 2: the
    /// rows for the destination, for the slide, and for the feature of the destination. Elements 3 and 4, for amazon
    /// moves only: the rows for the origin, and for the feature of the origin.
    output_rows: [u8; 5],
}

/// Lists all actions of the amazons on the squares of the bitboard `amazons`. `decision` gives their visit shares.
/// `rows` contains, for each square, the number `64·feature + square`, which gives the features of origin and
/// destination.
fn list_candidates(
    board: &Board,
    amazons: u64,
    rows: &[u16; 64],
    decision: &Decision,
) -> Vec<Candidate> {
    let feature = |square: Square| 2 * TABLE_ROWS + usize::from(rows[square.index()]) / 64;
    let mut candidates = Vec::with_capacity(MAX_ACTIONS);
    for (amazon, from) in (0..).zip(squares(amazons)) {
        for_each_target(board, from, |to| {
            let slide = TABLE_ROWS + slide_between(from, to);
            let origin = 3 * TABLE_ROWS + from.index();
            candidates.push(Candidate {
                share: decision.share(amazon << 6 | to.index() as u8),
                output_rows: [to.index(), slide, feature(to), origin, feature(from)]
                    .map(|entry| entry as u8),
            });
        });
    }
    candidates
}

/// Result of a forward pass: the actions of a position with their logits, and the hidden layer for the backward
/// pass.
pub struct ForwardPass {
    /// Legal actions (amazon moves or arrows) of the position.
    pub actions: Vec<Candidate>,
    /// Sums and activations of the hidden layer.
    pub hidden: HiddenLayer,
    /// Indices, in [`Weights`], of the output tables that this pass uses: those of amazon moves ([`AMAZON_TABLES`]) or
    /// of arrows ([`ARROW_TABLES`]).
    tables: [usize; ACTION_TABLES],
    /// Number of output weight rows that add up to an action's logit: 5 for an amazon move, 3 for an arrow. Only this
    /// many elements of [`Candidate::output_rows`] are used.
    rows_per_action: usize,
    /// Row indices, below [`OUTPUT_ROWS`], of the output weight rows that at least one action uses, in ascending order.
    /// Only for these is the dot product with the hidden layer computed.
    used_rows: Vec<usize>,
    /// Logit of each action, in the order of `actions`; the elements beyond the last action are 0.
    pub logits: [f32; MAX_ACTIONS],
}

impl ForwardPass {
    /// Runs the forward pass for one decision. Computes the logits of all amazon moves of the position. If
    /// `decision.shooter` is a square, instead computes the logits of all arrows of the amazon on it.
    #[inline(always)]
    pub fn new<L: Lanes>(weights: &Weights, decision: &Decision) -> ForwardPass {
        let (position, board) = (decision.position, to_board(&decision.position));
        let mut rows = position.row_indices::<L>();
        let (mut amazons, mut tables, mut rows_per_action) = (position.mine, AMAZON_TABLES, 5);
        if let Some(shooter) = decision.shooter {
            rows[usize::from(shooter)] = (64 * SHOOTER) as u16 + u16::from(shooter);
            (amazons, tables, rows_per_action) = (1 << shooter, ARROW_TABLES, 3);
        }
        let actions = list_candidates(&board, amazons, &rows, decision);
        let mut is_used = [false; OUTPUT_ROWS];
        for candidate in &actions {
            for &entry in &candidate.output_rows[..rows_per_action] {
                is_used[usize::from(entry)] = true;
            }
        }
        let mut forward = ForwardPass {
            hidden: HiddenLayer::new(weights, 0, position.arrows(), rows),
            actions,
            tables,
            rows_per_action,
            used_rows: (0..OUTPUT_ROWS).filter(|&entry| is_used[entry]).collect(),
            logits: [0.0; MAX_ACTIONS],
        };
        if decision.shooter.is_some() {
            linear_arrow_logits(&forward.actions, &board, &mut forward.logits);
        }
        forward.add_network_logits(weights);
        forward
    }

    /// Adds the network's part to the logit of each action: the dot product of the hidden layer's activations with the
    /// sum of the action's output weight rows. For arrows, the logits already contain the part of the linear
    /// evaluation.
    #[inline(always)]
    fn add_network_logits(&mut self, weights: &Weights) {
        let mut sums = [0.0; OUTPUT_ROWS];
        for &entry in &self.used_rows {
            let table = &weights[self.tables[entry / TABLE_ROWS]];
            sums[entry] = self.hidden.dot(table, &TRANSFORMED_ROWS[entry]);
        }
        for (at, candidate) in self.actions.iter().enumerate() {
            for &entry in &candidate.output_rows[..self.rows_per_action] {
                self.logits[at] += sums[usize::from(entry)];
            }
        }
    }

    /// Back-propagates: adds the gradient of the loss with respect to all weights to `gradient`.
    ///
    /// `logit_gradient` is the gradient of the loss with respect to the logits. `surrogate`, from 0 to 1, is the
    /// fraction of the gradient that reaches a hidden unit while its sum is clamped; 0 gives the true gradient.
    #[inline(always)]
    pub fn backward(
        &self,
        weights: &Weights,
        logit_gradient: &[f32; MAX_ACTIONS],
        surrogate: f32,
        gradient: &mut Weights,
    ) {
        let mut entry_gradients = [0.0; OUTPUT_ROWS];
        for (at, candidate) in self.actions.iter().enumerate() {
            for &entry in &candidate.output_rows[..self.rows_per_action] {
                entry_gradients[usize::from(entry)] += logit_gradient[at];
            }
        }
        let mut hidden_gradient = hidden_layer::ZEROS;
        for &entry in &self.used_rows {
            let table = self.tables[entry / TABLE_ROWS];
            let (table, to) = (&weights[table], &mut gradient[table]);
            let (slope, entries) = (entry_gradients[entry], &TRANSFORMED_ROWS[entry]);
            self.hidden
                .backpropagate_dot(slope, table, entries, to, &mut hidden_gradient);
        }
        self.hidden
            .backpropagate_rows(gradient, hidden_gradient, surrogate);
    }

    /// Returns the softmax of the logits, a probability for each action, and the natural logarithm of the sum of the
    /// exponentiated logits (log-sum-exp).
    #[inline(always)]
    pub fn probabilities(&self) -> ([f32; MAX_ACTIONS], f64) {
        let actions = self.actions.len();
        let mut max = f32::MIN;
        for at in 0..actions {
            max = max.max(self.logits[at]);
        }
        let (mut probabilities, mut sum) = ([0.0; MAX_ACTIONS], 0.0);
        for at in 0..actions {
            probabilities[at] = exp((self.logits[at] - max).max(MIN_EXPONENT));
            sum += probabilities[at];
        }
        for at in 0..actions {
            probabilities[at] /= sum;
        }
        (probabilities, f64::from(max) + f64::from(sum).ln())
    }
}

/// Computes the part of the arrows' logits that comes from the linear evaluation, and writes it into `logits` in the
/// order of `arrows`. It is the evaluation's log-odds for the side that shoots, divided by the softmax temperature that
/// the search uses for arrows. The side that shoots must be black on `board`.
fn linear_arrow_logits(arrows: &[Candidate], board: &Board, logits: &mut [f32; MAX_ACTIONS]) {
    let mut batch = Batch::default();
    batch.fill(board, arrows.iter().map(|arrow| 1 << arrow.output_rows[0]));
    eval::evaluate(&mut batch, Phase::after_arrow(board));
    let divisor = LOG_ODDS_ONE as f32 * Params::default().temperature_arrow;
    for (logit, found) in logits.iter_mut().zip(batch.log_odds()) {
        *logit = found.clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS) as f32 / divisor;
    }
}

/// Converts a position into a board. The side to move becomes black, with the amazons `position.mine`.
///
/// # Panics
/// If a side does not have four amazons.
fn to_board(position: &Position) -> Board {
    let Position {
        mine,
        theirs,
        empty,
    } = *position;
    let arrows = !(mine | theirs | empty);
    Board::from_bitboards(mine, theirs, arrows, Player::Black).expect("four amazons a side")
}

/// Smallest exponent in the softmax, where an exponent is a logit minus the largest logit. Smaller exponents are raised
/// to this value, because [`exp`] accepts only −80 to 80.
const MIN_EXPONENT: f32 = -80.0;

#[cfg(test)]
mod tests {
    use super::super::PolicyTraining;
    use super::super::sample::tests::random_samples;
    use super::*;
    use crate::trainer::network::TrainableNetwork;
    use engine::eval::LOG_ODDS_ONE;
    use engine::eval::policy::{self, PolicyLogits};

    /// Checks that the engine's integer network and the training's floating-point network give each action the same
    /// logit. For arrows, the logit includes the log-odds of the linear evaluation, divided by the softmax temperature.
    #[test]
    fn engine_and_training_give_the_same_logits() {
        let weights = PolicyTraining::parse(policy::WEIGHTS).expect("weights");
        let network = policy::parse(policy::WEIGHTS).expect("weights").network();
        let samples = random_samples(2).into_iter();
        for decision in samples.flat_map(|sample| [Some(sample.amazons), sample.arrows]) {
            let Some(decision) = decision else { continue };
            let board = to_board(&decision.position);
            let found = ForwardPass::new::<u64>(&weights, &decision);
            let squares = |candidate: &Candidate| {
                let [to, _, _, from, _] = candidate
                    .output_rows
                    .map(|entry| Square::wrapping(entry.into()));
                (from, to)
            };
            let shooter = decision.shooter.map(|at| Square::wrapping(at.into()));
            let mut logits = PolicyLogits::default();
            logits.compute(&network, &board, shooter, found.actions.iter().map(squares));
            for (candidate, logit) in found.actions.iter().zip(found.logits) {
                let (from, to) = squares(candidate);
                let mut engine = logits.log_odds(from, to) as f32 / LOG_ODDS_ONE as f32;
                if shooter.is_some() {
                    let mut after = board.clone();
                    after.shoot(to);
                    let black = eval::evaluate_board(&after).clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS);
                    engine += black as f32 / LOG_ODDS_ONE as f32 / 0.64;
                }
                assert!((logit - engine).abs() < 1e-4, "{logit} {engine}");
            }
        }
    }
}
