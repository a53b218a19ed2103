//! The forward and backward pass of the policy network in floating point, from a position to the logits of its half-moves.
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
use engine::eval::policy::{HEAD_UNIT, SHOOTER, SLIDES, UNIT, slide_between, transformed_slide};
use engine::eval::symmetry::SYMMETRIES;
use engine::eval::value::{BIASES, FEATURES};
use engine::eval::{self, Batch, LOG_ODDS_ONE, MAX_LOG_ODDS, Phase, exp};
use engine::mcts::Params;
use engine::movegen::for_each_target;

/// Shapes of the network's weight tables: weight rows of the hidden layer, its biases, and the tables of the output layer, in
/// the order of [`PolicyWeights::tables`](engine::eval::policy::PolicyWeights::tables).
pub const SHAPES: [Shape; 9] = [
    Shape::quantized(FEATURE_ROWS, UNIT),
    Shape::quantized(BIASES, UNIT),
    Shape::quantized(SQUARES, HEAD_UNIT),
    Shape::quantized(SQUARES, HEAD_UNIT),
    Shape::quantized(SLIDES, HEAD_UNIT),
    Shape::quantized(FEATURES, HEAD_UNIT),
    Shape::quantized(SQUARES, HEAD_UNIT),
    Shape::quantized(SLIDES, HEAD_UNIT),
    Shape::quantized(FEATURES, HEAD_UNIT),
];

/// Number of output tables in which a half-move looks up its weights: by destination, by slide (direction and length), by
/// feature of a square, and by origin.
const MOVE_TABLES: usize = 4;

/// Indices in [`SHAPES`] of the [`MOVE_TABLES`] for amazon moves: destination, slide, feature, origin.
const AMAZON_TABLES: [usize; MOVE_TABLES] = [3, 4, 5, 2];

/// Indices in [`SHAPES`] of the [`MOVE_TABLES`] for arrows: destination, slide, feature, origin; arrows never look up the last.
const ARROW_TABLES: [usize; MOVE_TABLES] = [6, 7, 8, 2];

/// Maximum number of weight rows of one output table.
const TABLE_ENTRIES: usize = 64;

/// Number of output weight rows in all [`MOVE_TABLES`] tables together, counting [`TABLE_ENTRIES`] for each table.
pub const ENTRIES: usize = MOVE_TABLES * TABLE_ENTRIES;

/// Symmetric images of output weights: `TRANSFORMED_ENTRY[entry][symmetry]` is the index, within the same table, of the weight
/// row that an image of the position uses in place of `entry`.
static TRANSFORMED_ENTRY: [[u8; SYMMETRIES]; ENTRIES] = {
    let mut transformed = [[0; SYMMETRIES]; ENTRIES];
    let mut at = 0;
    while at < TABLE_ENTRIES * SYMMETRIES {
        let (entry, symmetry) = (at / SYMMETRIES, at % SYMMETRIES);
        let square = hidden_layer::TRANSFORMED[entry][symmetry];
        transformed[entry][symmetry] = square;
        if entry < SLIDES {
            transformed[TABLE_ENTRIES + entry][symmetry] = transformed_slide(entry, symmetry) as u8;
        }
        transformed[2 * TABLE_ENTRIES + entry][symmetry] = entry as u8;
        transformed[3 * TABLE_ENTRIES + entry][symmetry] = square;
        at += 1;
    }
    transformed
};

/// Capacity for the half-moves of a position: at most four amazons move, to at most 27 squares each, rounded up to whole
/// vector registers.
pub const MAX_MOVES: usize = (4 * 27_usize).next_multiple_of(MAX_LANES);

/// A legal half-move (an amazon move or an arrow), with the indices of its weights and its training target.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Share of the search's visits, in 1/255; 0 if the file of games lists no share for this half-move.
    pub share: u8,
    /// Indices, below [`ENTRIES`], of the output weight rows to look up: destination, slide, feature of the
    /// destination, origin, feature of the origin. Arrows look up only the first three.
    entries: [u8; 5],
}

/// Lists all half-moves that start from the squares of the set `amazons`. `rows` are the weight rows of the squares, from
/// which their features follow; `decision` gives the shares of the visits.
fn candidates(
    board: &Board,
    amazons: u64,
    rows: &[u16; 64],
    decision: &Decision,
) -> Vec<Candidate> {
    let feature = |square: Square| 2 * TABLE_ENTRIES + usize::from(rows[square.index()]) / 64;
    let mut candidates = Vec::with_capacity(MAX_MOVES);
    for (amazon, from) in (0..).zip(squares(amazons)) {
        for_each_target(board, from, |to| {
            let slide = TABLE_ENTRIES + slide_between(from, to);
            let origin = 3 * TABLE_ENTRIES + from.index();
            candidates.push(Candidate {
                share: decision.share(amazon << 6 | to.index() as u8),
                entries: [to.index(), slide, feature(to), origin, feature(from)]
                    .map(|entry| entry as u8),
            });
        });
    }
    candidates
}

/// Result of a forward pass: the half-moves of a position with their logits, and the activations for the backward pass.
pub struct Forward {
    pub moves: Vec<Candidate>,
    pub hidden: HiddenLayer,
    /// Indices, in [`Weights`], of the [`MOVE_TABLES`] in use: those of amazon moves or those of arrows.
    tables: [usize; MOVE_TABLES],
    /// Number of [`Candidate::entries`] to look up: 5 for amazon moves, 3 for arrows.
    lookup_count: usize,
    /// Indices, below [`ENTRIES`], of the output weight rows that at least one half-move looks up, in ascending order.
    used_entries: Vec<usize>,
    /// Logit of each half-move, in the order of `moves`.
    pub logits: [f32; MAX_MOVES],
}

impl Forward {
    /// Runs the forward pass on one position, either for amazon moves or for the arrows of `decision.shooter`.
    #[inline(always)]
    pub fn new<L: Lanes>(weights: &Weights, decision: &Decision) -> Forward {
        let (position, board) = (decision.position, to_board(&decision.position));
        let mut rows = position.row_indices::<L>();
        let (mut amazons, mut tables, mut lookup_count) = (position.mine, AMAZON_TABLES, 5);
        if let Some(shooter) = decision.shooter {
            rows[usize::from(shooter)] = (64 * SHOOTER) as u16 + u16::from(shooter);
            (amazons, tables, lookup_count) = (1 << shooter, ARROW_TABLES, 3);
        }
        let moves = candidates(&board, amazons, &rows, decision);
        let mut is_used = [false; ENTRIES];
        for candidate in &moves {
            for &entry in &candidate.entries[..lookup_count] {
                is_used[usize::from(entry)] = true;
            }
        }
        let mut forward = Forward {
            hidden: HiddenLayer::new(weights, 0, position.arrows(), rows),
            moves,
            tables,
            lookup_count,
            used_entries: (0..ENTRIES).filter(|&entry| is_used[entry]).collect(),
            logits: [0.0; MAX_MOVES],
        };
        if decision.shooter.is_some() {
            linear_arrow_logits(&forward.moves, &board, &mut forward.logits);
        }
        forward.add_network_logits(weights);
        forward
    }

    /// Adds the output of the network to the logits of all half-moves.
    #[inline(always)]
    fn add_network_logits(&mut self, weights: &Weights) {
        let mut sums = [0.0; ENTRIES];
        for &entry in &self.used_entries {
            let table = &weights[self.tables[entry / TABLE_ENTRIES]];
            sums[entry] = self.hidden.dot(table, &TRANSFORMED_ENTRY[entry]);
        }
        for (at, candidate) in self.moves.iter().enumerate() {
            for &entry in &candidate.entries[..self.lookup_count] {
                self.logits[at] += sums[usize::from(entry)];
            }
        }
    }

    /// Back-propagates: adds the gradient of the loss with respect to all weights to `gradient`. `logit_gradient` is the
    /// gradient with respect to the logits.
    ///
    /// `surrogate` is the size of the surrogate gradient, see [`hidden_layer`].
    #[inline(always)]
    pub fn backward(
        &self,
        weights: &Weights,
        logit_gradient: &[f32; MAX_MOVES],
        surrogate: f32,
        gradient: &mut Weights,
    ) {
        let mut entry_gradients = [0.0; ENTRIES];
        for (at, candidate) in self.moves.iter().enumerate() {
            for &entry in &candidate.entries[..self.lookup_count] {
                entry_gradients[usize::from(entry)] += logit_gradient[at];
            }
        }
        let mut hidden_gradient = hidden_layer::ZERO;
        for &entry in &self.used_entries {
            let table = self.tables[entry / TABLE_ENTRIES];
            let (table, to) = (&weights[table], &mut gradient[table]);
            let (slope, entries) = (entry_gradients[entry], &TRANSFORMED_ENTRY[entry]);
            self.hidden
                .backpropagate_dot(slope, table, entries, to, &mut hidden_gradient);
        }
        self.hidden
            .backpropagate_rows(gradient, hidden_gradient, surrogate);
    }

    /// Returns the softmax of the logits. Also returns the natural logarithm of the softmax's denominator, the sum of the
    /// exponentiated logits.
    #[inline(always)]
    pub fn probabilities(&self) -> ([f32; MAX_MOVES], f64) {
        let moves = self.moves.len();
        let mut max = f32::MIN;
        for at in 0..moves {
            max = max.max(self.logits[at]);
        }
        let (mut probabilities, mut sum) = ([0.0; MAX_MOVES], 0.0);
        for at in 0..moves {
            probabilities[at] = exp((self.logits[at] - max).max(MIN_EXPONENT));
            sum += probabilities[at];
        }
        for at in 0..moves {
            probabilities[at] /= sum;
        }
        (probabilities, f64::from(max) + f64::from(sum).ln())
    }
}

/// Writes the logits of `arrows` by the linear evaluation alone into `logits`: the evaluation's log-odds divided by the
/// softmax temperature with which the search computes its priors.
fn linear_arrow_logits(arrows: &[Candidate], board: &Board, logits: &mut [f32; MAX_MOVES]) {
    let mut batch = Batch::default();
    batch.fill(board, arrows.iter().map(|arrow| 1 << arrow.entries[0]));
    eval::evaluate(&mut batch, Phase::after_arrow(board));
    let divisor = LOG_ODDS_ONE as f32 * Params::default().temperature_arrow;
    for (logit, found) in logits.iter_mut().zip(batch.log_odds()) {
        *logit = found.clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS) as f32 / divisor;
    }
}

/// Converts a position into a board, with black as the side to move.
fn to_board(position: &Position) -> Board {
    let Position {
        mine,
        theirs,
        empty,
    } = *position;
    let arrows = !(mine | theirs | empty);
    Board::from_sets(mine, theirs, arrows, Player::Black).expect("four amazons a side")
}

/// Lower limit of a logit minus the largest logit, so that [`exp`] stays within its domain.
const MIN_EXPONENT: f32 = -80.0;

#[cfg(test)]
mod tests {
    use super::super::PolicyHead;
    use super::super::sample::tests::random_samples;
    use super::*;
    use crate::trainer::head::Head;
    use engine::eval::LOG_ODDS_ONE;
    use engine::eval::policy::{self, PolicyLogits};

    /// The engine's integer network gives every half-move the same logit as the floating-point network in training. For
    /// arrows, the logit is the network's output plus the log-odds of the linear evaluation.
    #[test]
    fn engine_and_training_give_the_same_logits() {
        let weights = PolicyHead::parse(policy::WEIGHTS).expect("weights");
        let network = policy::parse(policy::WEIGHTS).expect("weights").network();
        let samples = random_samples(2).into_iter();
        for decision in samples.flat_map(|sample| [Some(sample.amazons), sample.arrows]) {
            let Some(decision) = decision else { continue };
            let board = to_board(&decision.position);
            let found = Forward::new::<u64>(&weights, &decision);
            let squares = |candidate: &Candidate| {
                let [to, _, _, from, _] = candidate
                    .entries
                    .map(|entry| Square::wrapping(entry.into()));
                (from, to)
            };
            let shooter = decision.shooter.map(|at| Square::wrapping(at.into()));
            let mut logits = PolicyLogits::default();
            logits.compute(&network, &board, shooter, found.moves.iter().map(squares));
            for (candidate, logit) in found.moves.iter().zip(found.logits) {
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
