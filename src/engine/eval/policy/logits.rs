//! [`PolicyLogits`] evaluates the policy network: it computes the logit of each action in a position.

use super::super::symmetry::{self, expand_row, square_row};
use super::super::value::{BIASES, FEATURES, activations, row_indices_of};
use super::{
    ActionWeights, DIRECTIONS, MAX_SLIDE, OUTPUT_UNIT, PolicyWeights, SHOOTER, SLIDES, UNIT,
    transformed_slide,
};
use crate::bitboard::{Kernel, Lanes, NumberRow, NumberTable, run_widest};
use crate::board::{Board, Square};
use crate::eval::{LOG_ODDS_ONE, MAX_LOG_ODDS};

/// Log-odds, in units of 1 / [`LOG_ODDS_ONE`], that correspond to the number 1 in the integer sum of the output layer.
const SUM_STEP: i32 = LOG_ODDS_ONE / (UNIT * UNIT * OUTPUT_UNIT);

/// Maximum absolute value of the integer sum of the output layer. It corresponds to log-odds of [`MAX_LOG_ODDS`];
/// larger sums are clamped to it.
const MAX_SUM: i32 = MAX_LOG_ODDS / SUM_STEP;

/// Index of the slide (direction and length) that leads from one square to another. The index of this table is the
/// difference of the two squares' numbers, modulo 256, where the squares are numbered row by row with 16 numbers for
/// each row of eight squares.
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

/// Returns the index of the slide from `from` to `to`, see [`SLIDES`]. If the squares are not on one row, column or
/// diagonal, the result is the index of an arbitrary slide.
#[inline(always)]
#[must_use]
pub fn slide_between(from: Square, to: Square) -> usize {
    // Number the squares row by row with 16 numbers for each row of eight squares. Then the difference of two numbers
    // determines direction and length of the slide, because a step across the edge has another difference.
    let wide = |square: Square| square.index() + (square.index() & 0o70);
    usize::from(SLIDES_BY_STEP[wide(to).wrapping_sub(wide(from)) % 256])
}

/// Policy network with which positions can be evaluated. It contains a weight for each of the 128 activations, made
/// from [`PolicyWeights`], which contain a weight for each of the 16 filters, by applying the eight symmetries of the
/// board.
pub struct PolicyNetwork {
    table: Box<NumberTable>,
    biases: [NumberRow; BIASES],
    from: [NumberRow; 64],
    amazons: OutputRows,
    arrows: OutputRows,
}

/// Output weights of amazon's moves or of arrow shots. Each row contains a weight for each of the 128 activations, made
/// from [`ActionWeights`] by applying the eight symmetries of the board.
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
                expand_row(|symmetry| weights.slides[transformed_slide(slide, symmetry)])
            }),
            features: std::array::from_fn(|feature| expand_row(|_| weights.features[feature])),
        }
    }
}

impl PolicyWeights {
    /// Returns the network with which positions can be evaluated. It is made by copying the weights of each filter for
    /// the eight symmetries of the board.
    #[must_use]
    pub fn network(&self) -> PolicyNetwork {
        PolicyNetwork {
            table: symmetry::expand_table(&self.rows),
            biases: std::array::from_fn(|arrows| expand_row(|_| self.biases[arrows])),
            from: std::array::from_fn(|square| square_row(&self.from, square)),
            amazons: OutputRows::expand(&self.amazons),
            arrows: OutputRows::expand(&self.arrows),
        }
    }
}

/// Result of the policy network for one position: numbers from which [`PolicyLogits::log_odds`] computes the logit of
/// each amazon's move or arrow shot. Such a logit is the sum of three numbers, for start square, end square, and slide.
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
    /// Computes the logits of the actions `moves`, each a pair of start square and end square, and stores them for
    /// [`PolicyLogits::log_odds`]. If `shooter` is `None`, the actions are amazon's moves; otherwise they are arrow
    /// shots of the amazon that has just moved to `shooter`.
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

/// The function [`PolicyLogits::compute`] in the form of a [`Kernel`], which is compiled for several sets of vector
/// instructions.
struct ComputeLogits<'a> {
    network: &'a PolicyNetwork,
    board: &'a Board,
    /// Square of the amazon that has moved and must now shoot its arrow; `None` if amazon's moves are evaluated.
    shooter: Option<Square>,
    /// Bitboard of the squares on which the amazons or the arrows would land.
    targets: u64,
    /// Set of the slides (direction and length) of the amazon's moves or arrow shots to evaluate: bit `i` stands for
    /// the slide with index `i`, see [`SLIDES`].
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
        let mut rows = row_indices_of::<L>(board);
        let (mine, weights) = match self.shooter {
            None => (board.amazons(board.to_move()), &network.amazons),
            Some(shooter) => {
                let square = shooter.index();
                rows[square] = (64 * SHOOTER + square) as u16;
                logits.from[square] = 0;
                (0, &network.arrows)
            }
        };
        let bias = &network.biases[board.arrow_count()];
        let hidden = activations::<L>(bias, &network.table, &rows, UNIT as i16);
        let mut rest = mine | self.targets;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let of_feature = &weights.features[usize::from(rows[square]) / 64 % FEATURES];
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
