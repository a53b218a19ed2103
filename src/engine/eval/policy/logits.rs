//! [`PolicyLogits`] evaluates the policy network: it computes the logit of each amazon's move, or of each arrow shot,
//! in a position. The softmax of the logits predicts how a search distributes its visits.

use super::super::symmetry::{self, SquareTable, expand_row, square_row};
use super::super::value::{BIASES, FEATURES, activations, find_inputs_of};
use super::{
    ActionWeights, DIRECTIONS, MAX_SLIDE, OUTPUT_UNIT, PolicyWeights, SHOOTER, SLIDES, UNIT,
    transformed_slide,
};
use crate::bitboard::{Kernel, Lanes, NumberRow, run_widest};
use crate::board::{Board, Square};
use crate::eval::{LOG_ODDS_ONE, MAX_LOG_ODDS};

/// Factor that converts the output layer's integer sum, in units of 1 / (`UNIT²` · [`OUTPUT_UNIT`]), to a logit in
/// units of 1 / [`LOG_ODDS_ONE`].
const SUM_STEP: i32 = LOG_ODDS_ONE / (UNIT * UNIT * OUTPUT_UNIT);

/// Maximum absolute value of the output layer's integer sum: the sum that [`SUM_STEP`] converts to the logit
/// [`MAX_LOG_ODDS`]. Greater sums are clamped. Sums are in units of 1 / (`UNIT²` · [`OUTPUT_UNIT`]), logits in units of
/// 1 / [`LOG_ODDS_ONE`].
const MAX_SUM: i32 = MAX_LOG_ODDS / SUM_STEP;

/// Table of the indices of slides (direction and length), see [`SLIDES`]. The position in the table is the number of
/// the end square minus that of the start square, modulo 256. The numbers are those of the 0x88 board representation:
/// `16·row + column`, with both from 0 to 7. For differences that no slide has, the table contains 0.
static SLIDES_BY_STEP: [u8; 256] = {
    let mut slides = [0; 256];
    let mut slide = 0;
    while slide < SLIDES {
        let [right, down] = DIRECTIONS[slide / MAX_SLIDE];
        let length = (slide % MAX_SLIDE + 1) as i8;
        slides[(length * (16 * down + right)) as u8 as usize] = slide as u8;
        slide += 1;
    }
    slides
};

/// Returns the index, see [`SLIDES`], of the slide (direction and length) from `from` to `to`. If the squares are not
/// on one row, column or diagonal, returns the index of an arbitrary slide.
#[inline(always)]
#[must_use]
pub fn slide_between(from: Square, to: Square) -> usize {
    // Number of a square in the 0x88 board representation: `16·row + column`, with both from 0 to 7. Two numbers differ
    // by 16 times the difference of the rows, plus the difference of the columns. The latter is from −7 to 7.
    // Therefore, the difference determines both, and so the direction and the length of the slide.
    let wide = |square: Square| square.index() + (square.index() & 0o70);
    usize::from(SLIDES_BY_STEP[wide(to).wrapping_sub(wide(from)) % 256])
}

/// Policy network that can evaluate positions: the weights of [`PolicyWeights`], arranged for fast sums. Biases and
/// output weights are copied for the eight symmetries of the board, so that each of the 128 activations has its own.
pub struct PolicyNetwork {
    table: Box<SquareTable>,
    biases: [NumberRow; BIASES],
    from: [NumberRow; 64],
    amazons: OutputRows,
    arrows: OutputRows,
}

/// Output weights for amazon's moves or for arrow shots, in three tables. `to` has a row for each end square, `slides`
/// for each slide (direction and length), and `features` for each feature (content and surroundings of a square). A row
/// contains one weight for each of the 128 activations: the 16 weights of a row in [`ActionWeights`], copied for the
/// eight symmetries of the board.
struct OutputRows {
    to: [NumberRow; 64],
    slides: [NumberRow; SLIDES],
    features: [NumberRow; FEATURES],
}

impl OutputRows {
    fn expand(weights: &ActionWeights) -> OutputRows {
        OutputRows {
            to: std::array::from_fn(|square| square_row(&weights.to, square)),
            slides: std::array::from_fn(|slide| {
                expand_row(&|symmetry| weights.slides[transformed_slide(slide, symmetry)])
            }),
            features: std::array::from_fn(|feature| expand_row(&|_| weights.features[feature])),
        }
    }
}

impl PolicyWeights {
    /// Returns a network that can evaluate positions.
    #[must_use]
    pub fn network(&self) -> PolicyNetwork {
        PolicyNetwork {
            table: symmetry::square_table(&self.rows),
            biases: std::array::from_fn(|arrows| expand_row(&|_| self.biases[arrows])),
            from: std::array::from_fn(|square| square_row(&self.from, square)),
            amazons: OutputRows::expand(&self.amazons),
            arrows: OutputRows::expand(&self.arrows),
        }
    }
}

/// Logits of the amazon's moves or arrow shots in one position, computed by the policy network. A logit is stored as
/// three numbers, one for the start square, one for the end square and one for the slide (direction and length);
/// [`PolicyLogits::log_odds`] adds them.
pub struct PolicyLogits {
    from: [i32; 64],
    to: [i32; 64],
    slides: [i32; SLIDES],
}

impl Default for PolicyLogits {
    fn default() -> PolicyLogits {
        PolicyLogits {
            from: [0; 64],
            to: [0; 64],
            slides: [0; SLIDES],
        }
    }
}

impl PolicyLogits {
    /// Computes the logits of amazon's moves or arrow shots, which [`PolicyLogits::log_odds`] then returns. `moves`
    /// yields pairs of start square and end square. `shooter` is `None` for amazon's moves; for arrow shots, it is the
    /// square of the amazon that has moved and must now shoot.
    pub fn compute(
        &mut self,
        network: &PolicyNetwork,
        board: &Board,
        shooter: Option<Square>,
        moves: impl Iterator<Item = (Square, Square)>,
    ) {
        let (mut targets, mut slides) = (0, 0);
        for (from, to) in moves {
            targets |= to.bit();
            slides |= 1 << slide_between(from, to);
        }
        run_widest(ComputeLogits {
            network,
            board,
            shooter,
            targets,
            slides,
            logits: self,
        });
    }

    /// Returns the logit of an action (amazon's move or arrow shot), in units of 1 / [`LOG_ODDS_ONE`] and within ±
    /// [`MAX_LOG_ODDS`]. The action must be one of those passed to [`PolicyLogits::compute`].
    ///
    /// The softmax of the logits of all actions predicts which fraction of a search's visits each action gets.
    #[must_use]
    pub fn log_odds(&self, from: Square, to: Square) -> i32 {
        let slide = slide_between(from, to);
        let sum = self.from[from.index()] + self.to[to.index()] + self.slides[slide];
        SUM_STEP * sum.clamp(-MAX_SUM, MAX_SUM)
    }
}

/// Arguments of [`PolicyLogits::compute`]. This struct implements [`Kernel`], so that the computation of the logits is
/// compiled once for each supported set of vector instructions.
struct ComputeLogits<'a> {
    network: &'a PolicyNetwork,
    board: &'a Board,
    /// Square of the amazon that has moved and must now shoot its arrow; `None` if amazon's moves are evaluated.
    shooter: Option<Square>,
    /// Bitboard of the squares on which the amazon lands in one of the moves to evaluate, or the arrow in one of the
    /// shots.
    targets: u64,
    /// Set of the slides (direction and length) that occur in the amazon's moves or arrow shots to evaluate: bit `i` is
    /// 1 if the slide with the index `i` occurs, see [`SLIDES`].
    slides: u64,
    logits: &'a mut PolicyLogits,
}

impl Kernel for ComputeLogits<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let ComputeLogits {
            network,
            board,
            logits,
            ..
        } = self;
        let mut features = find_inputs_of::<L>(board).features;
        let (mine, weights) = match self.shooter {
            None => (board.amazons(board.to_move()), &network.amazons),
            Some(shooter) => {
                let square = shooter.index();
                features[square] = SHOOTER as u8;
                logits.from[square] = 0;
                (0, &network.arrows)
            }
        };
        let bias = &network.biases[board.arrow_count()];
        let sum = symmetry::add_squares::<L>(bias, &network.table, &features);
        let hidden = activations(sum, UNIT as i16);
        let mut rest = mine | self.targets;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let of_feature = &weights.features[usize::from(features[square]) % FEATURES];
            if mine >> square & 1 == 1 {
                logits.from[square] = L::dot(&hidden, [&network.from[square], of_feature]);
            } else {
                logits.to[square] = L::dot(&hidden, [&weights.to[square], of_feature]);
            }
        }
        let mut rest = self.slides;
        while rest != 0 {
            let slide = rest.trailing_zeros() as usize % SLIDES;
            rest &= rest - 1;
            logits.slides[slide] = L::dot(&hidden, [&weights.slides[slide]]);
        }
    }
}
