//! Forward and backward pass of the policy network in floating point. From a position, the forward pass computes the
//! logits of all amazon moves or, after an amazon move, of all arrow shots.
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

/// Shapes of the nine weight tables of the policy network, in the order of
/// [`PolicyWeights::tables`](engine::eval::policy::PolicyWeights::tables):
///
/// - 0, 1: weight rows and biases of the hidden layer
/// - 2 to 5: output weights for amazon moves: a row for each origin, for each destination, for each slide (direction
///   and length), and for each feature (content) of origin or destination
/// - 6 to 8: output weights for arrow shots: a row for each destination, for each slide, and for each feature of the
///   destination
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

/// Number of weight tables from which the logit of an amazon move is computed: a table by destination, one by slide
/// (direction and length), one by feature (content) of a square, and one by origin.
const ACTION_TABLES: usize = 4;

/// Indices in [`SHAPES`] of the weight tables from which the logit of an amazon move is computed. Their rows belong, in
/// this order, to the destination, the slide (direction and length), the feature (content of a square), and the origin.
/// The table of features is used for the origin and for the destination.
const AMAZON_TABLES: [usize; ACTION_TABLES] = [3, 4, 5, 2];

/// Indices in [`SHAPES`] of the weight tables from which the logit of an arrow shot is computed. Their rows belong, in
/// this order, to the destination, the slide (direction and length), and the feature (content) of the destination. The
/// last element is never used: it gives the array the same length as [`AMAZON_TABLES`].
const ARROW_TABLES: [usize; ACTION_TABLES] = [6, 7, 8, 2];

/// Number of row numbers reserved for each output weight table. Row `r` (from 0) of table `t` has the row number
/// `TABLE_ROWS·t + r`; `t` (0 to 3) is the table's position in [`AMAZON_TABLES`] or [`ARROW_TABLES`]. Tables with fewer
/// rows are treated as padded to `TABLE_ROWS` rows; no table has more.
const TABLE_ROWS: usize = 64;

/// Number of row numbers for the output weights of amazon moves or arrow shots: [`ACTION_TABLES`] tables, each padded
/// to [`TABLE_ROWS`] rows.
pub const OUTPUT_ROWS: usize = ACTION_TABLES * TABLE_ROWS;

/// Images of the output weight rows under the board's eight symmetries (rotations and reflections). A symmetry moves
/// squares and turns slides, so it permutes the rows of each table by square or slide. It maps each row of a table by
/// feature to itself.
///
/// `TRANSFORMED_ROWS[TABLE_ROWS·t + r][symmetry]` is the index, from 0, within table `t` to which `symmetry` (0 to 7)
/// maps row `r` of table `t`. [`TABLE_ROWS`] describes the numbers `t` and `r`.
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

/// Maximum number of amazon moves or arrow shots in a position: four amazons with at most 27 destinations each, rounded
/// up to a multiple of the number of SIMD lanes.
pub const MAX_ACTIONS: usize = (4 * 27_usize).next_multiple_of(MAX_LANES);

/// Legal amazon move or arrow shot, with the output weight rows from which its logit is computed, and its training
/// target.
#[derive(Clone, Copy, Debug)]
pub struct LegalAction {
    /// Training target: the fraction of the search's visits that this amazon move or arrow shot received, in units of
    /// 1/255. It is 0 if the file of games does not list it, because files list only the most visited ones.
    pub share: u8,
    /// Rows of output weights whose products with the activations add up to the logit. The number of a row is
    /// `TABLE_ROWS·t + r`: row `r` of the table with index `t` in [`AMAZON_TABLES`] or [`ARROW_TABLES`]. The elements
    /// are the rows of, in this order:
    ///
    /// 1. the destination square
    /// 2. the direction and the length of the move or shot
    /// 3. the network's input feature at the destination (what stands there, or the queen distances)
    /// 4. the square where the move or shot begins
    /// 5. the input feature at that square
    ///
    /// An arrow shot uses only the first three.
    output_rows: [u8; 5],
}

/// Returns all legal amazon moves or all legal arrow shots, in ascending order of the squares of the amazons that move
/// or shoot. `amazons` is the bitboard of these amazons. For amazon moves, these are all amazons of the side to move;
/// for arrow shots, it is the amazon that has just moved.
///
/// `features` contains the feature of each square, which encodes its content. `decision` contains each move's or shot's share of the search's visits, the training target. Each element of the result
/// contains this share and the output weight rows of the move or shot.
fn list_actions(
    board: &Board,
    amazons: u64,
    features: &[u8; 64],
    decision: &Decision,
) -> Vec<LegalAction> {
    let feature = |square: Square| 2 * TABLE_ROWS + usize::from(features[square.index()]);
    let mut candidates = Vec::with_capacity(MAX_ACTIONS);
    for (amazon, from) in (0..).zip(squares(amazons)) {
        for_each_target(board, from, |to| {
            let slide = TABLE_ROWS + slide_between(from, to);
            let origin = 3 * TABLE_ROWS + from.index();
            candidates.push(LegalAction {
                share: decision.share(amazon << 6 | to.index() as u8),
                output_rows: [to.index(), slide, feature(to), origin, feature(from)]
                    .map(|entry| entry as u8),
            });
        });
    }
    candidates
}

/// Result of a forward pass of the policy network: the amazon moves or arrow shots of a position with their logits, and
/// the values that the backward pass needs.
pub struct ForwardPass {
    /// All legal amazon moves or all arrow shots of the position.
    pub actions: Vec<LegalAction>,
    /// Hidden layer of the network: pre-activations (weighted sums) and activations of the units.
    pub hidden: HiddenLayer,
    /// Weight tables that this pass uses, as indices in [`Weights`]: [`AMAZON_TABLES`] if it computes amazon moves,
    /// [`ARROW_TABLES`] if it computes arrow shots.
    tables: [usize; ACTION_TABLES],
    /// Number of output weight rows from which each logit is computed: 5 for an amazon move, 3 for an arrow shot.
    /// Further elements of [`LegalAction::output_rows`] are ignored.
    rows_per_action: usize,
    /// Output weight rows that at least one of the amazon moves or arrow shots uses, as numbers below [`OUTPUT_ROWS`]
    /// in ascending order. The hidden layer is multiplied by these rows only, which saves time.
    used_rows: Vec<usize>,
    /// Logit of each amazon move or arrow shot, in the order of `actions`; further elements are 0.
    pub logits: [f32; MAX_ACTIONS],
}

impl ForwardPass {
    /// Runs the forward pass on the position `decision.position`. If `decision.shooter` is `None`, computes the logits
    /// of all amazon moves. Otherwise computes the logits of all arrow shots from the square `decision.shooter`.
    #[inline(always)]
    pub fn new<L: Lanes>(weights: &Weights, decision: &Decision) -> ForwardPass {
        let (position, board) = (decision.position, to_board(&decision.position));
        let mut features = position.find_inputs::<L>().features;
        let (mut amazons, mut tables, mut rows_per_action) = (position.mine, AMAZON_TABLES, 5);
        if let Some(shooter) = decision.shooter {
            features[usize::from(shooter)] = SHOOTER as u8;
            (amazons, tables, rows_per_action) = (1 << shooter, ARROW_TABLES, 3);
        }
        let actions = list_actions(&board, amazons, &features, decision);
        let mut is_used = [false; OUTPUT_ROWS];
        for candidate in &actions {
            for &entry in &candidate.output_rows[..rows_per_action] {
                is_used[usize::from(entry)] = true;
            }
        }
        let mut forward = ForwardPass {
            hidden: HiddenLayer::new(weights, 0, position.arrows(), features, None),
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

    /// Adds the network's output to the logit of each amazon move or arrow shot: the dot product of the hidden layer
    /// with the sum of the output weight rows that belong to this move or shot.
    ///
    /// Before the call, the logits of arrow shots must contain the contribution of the linear evaluation. Those of
    /// amazon moves must be 0: they consist of the network's output alone.
    #[inline(always)]
    fn add_network_logits(&mut self, weights: &Weights) {
        let mut sums = [0.0; OUTPUT_ROWS];
        for &entry in &self.used_rows {
            let table = &weights[self.tables[entry / TABLE_ROWS]];
            sums[entry] = self.hidden.units.dot(table, &TRANSFORMED_ROWS[entry]);
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
    /// fraction of the gradient that is passed on through a hidden unit whose pre-activation is clamped. With 0,
    /// `gradient` gets the true gradient; a larger value lets such units learn.
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
                .units
                .backpropagate_dot(slope, table, entries, to, &mut hidden_gradient);
        }
        self.hidden
            .backpropagate_rows(gradient, hidden_gradient, surrogate);
    }

    /// Returns two results. First: the probability of each amazon move or arrow shot, which is the softmax of the
    /// logits. Second: the natural logarithm of the softmax's denominator, the sum of e^logit over all of them.
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

/// Writes the linear evaluation's part of the logits of the arrow shots `arrows` into `logits`, in the same order. This
/// part is the log-odds, after the shot, that the shooting side wins, divided by the softmax temperature that the
/// search uses for arrow shots. On `board`, the shooting side must be black.
fn linear_arrow_logits(arrows: &[LegalAction], board: &Board, logits: &mut [f32; MAX_ACTIONS]) {
    let mut batch = Batch::default();
    batch.fill(board, arrows.iter().map(|arrow| 1 << arrow.output_rows[0]));
    eval::evaluate(&mut batch, Phase::after_arrow(board));
    let divisor = LOG_ODDS_ONE as f32 * Params::default().temperature_arrow;
    for (logit, found) in logits.iter_mut().zip(batch.log_odds()) {
        *logit = found.clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS) as f32 / divisor;
    }
}

/// Converts a position into a board on which black is to move. Black's amazons are `position.mine`, white's are
/// `position.theirs`.
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

/// Lower limit of the arguments of [`exp`] in the softmax. Each argument is a logit minus the largest logit; it is
/// raised to this limit if it is smaller, because [`exp`] accepts only −80 to 80.
const MIN_EXPONENT: f32 = -80.0;

#[cfg(test)]
mod tests {
    use super::super::PolicyTraining;
    use super::super::sample::tests::random_samples;
    use super::*;
    use crate::trainer::network::TrainableNetwork;
    use engine::eval::LOG_ODDS_ONE;
    use engine::eval::policy::{self, PolicyLogits};

    /// Checks that the engine's integer network and the training's floating-point network give each amazon move and
    /// each arrow shot the same logit. For arrow shots, the logit includes the contribution of the linear evaluation.
    #[test]
    fn engine_and_training_give_the_same_logits() {
        let weights = PolicyTraining::parse(policy::WEIGHTS).expect("weights");
        let network = policy::parse(policy::WEIGHTS).expect("weights").network();
        let samples = random_samples(2).into_iter();
        for decision in samples.flat_map(|sample| [Some(sample.amazons), sample.arrows]) {
            let Some(decision) = decision else { continue };
            let board = to_board(&decision.position);
            let found = ForwardPass::new::<u64>(&weights, &decision);
            let squares = |candidate: &LegalAction| {
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
