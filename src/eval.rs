//! The static evaluation: five components from queen and king distances, weighted by phase.
//!
//! Everything is an integer up to the log-odds, so every processor gets the same bits. After
//! J. Lieberum, "An evaluation function for the game of Amazons" (2005), with distances by
//! level-by-level floods of bitboards.

mod features;
mod logistic;
pub mod weights;

pub use features::{COMPONENTS, Features, KING_UNIT, QUEEN_UNIT, UNITS};
pub use logistic::{exp, log_odds, log2, probability};

use crate::bitboard::{Kernel, Lanes, MAX_LANES, widest};
use crate::board::{Board, MAX_ARROWS, Player};

/// One unit of log-odds in the fixed-point numbers of this module.
pub const LOG_ODDS_ONE: i32 = 1 << 24;

/// Log-odds beyond which a position counts as won, short of proof.
pub const MAX_LOG_ODDS: i32 = 16 * LOG_ODDS_ONE;

/// Stands for a win that is certain, as log-odds.
pub const WON: i32 = i32::MAX;

/// Stands for a loss that is certain, as log-odds.
pub const LOST: i32 = -i32::MAX;

/// What sibling positions have in common: all that the weights depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Number of arrows on the board.
    pub arrows: usize,
    /// Whether an amazon has moved and its arrow is still to be shot.
    pub before_arrow: bool,
    /// Whose turn it is.
    pub to_move: Player,
}

impl Phase {
    /// The phase of a board on which a turn is to begin.
    #[must_use]
    pub const fn of(board: &Board) -> Phase {
        Phase {
            arrows: board.arrow_count(),
            before_arrow: false,
            to_move: board.to_move(),
        }
    }
}

/// Most positions of a [`Batch`]: no fewer than four amazons have moves, and whole for any number of lanes.
pub const MAX_BATCH: usize = (4 * 27_usize).next_multiple_of(MAX_LANES);

/// Positions of one phase, to be evaluated side by side.
#[derive(Clone, Debug)]
pub struct Batch {
    black: [u64; MAX_BATCH],
    white: [u64; MAX_BATCH],
    empty: [u64; MAX_BATCH],
    len: usize,
}

impl Default for Batch {
    fn default() -> Batch {
        Batch {
            black: [0; MAX_BATCH],
            white: [0; MAX_BATCH],
            empty: [0; MAX_BATCH],
            len: 0,
        }
    }
}

impl Batch {
    /// Removes all positions.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a position: the amazons of both players and the empty squares.
    ///
    /// # Panics
    /// If there are [`MAX_BATCH`] already.
    #[inline]
    pub fn push(&mut self, amazons: [u64; 2], empty: u64) {
        self.put(self.len, [amazons[0], amazons[1], empty]);
        self.len += 1;
    }

    #[inline]
    fn put(&mut self, at: usize, [black, white, empty]: [u64; 3]) {
        (self.black[at], self.white[at], self.empty[at]) = (black, white, empty);
    }

    /// Number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Tests if there is no position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts copies of the last position behind it until `lanes` at a time come out even. Returns their number,
    /// copies included.
    fn pad(&mut self, lanes: usize) -> usize {
        let padded = self.len.next_multiple_of(lanes);
        for at in self.len..padded {
            let last = self.len - 1;
            self.put(at, [self.black[last], self.white[last], self.empty[last]]);
        }
        padded
    }
}

/// Integer weights of one phase, log-odds per unit of each feature.
#[derive(Clone, Copy)]
struct PhaseWeights {
    features: [i32; COMPONENTS],
    to_move: i32,
}

impl PhaseWeights {
    const ZERO: PhaseWeights = PhaseWeights {
        features: [0; COMPONENTS],
        to_move: 0,
    };

    const fn at(arrows: usize, before_arrow: bool) -> PhaseWeights {
        let table = weights::at(weights::knots(before_arrow), arrows);
        let mut weights = PhaseWeights::ZERO;
        weights.to_move = fixed_point(table[weights::SIDE_TO_MOVE]);
        let mut column = 0;
        while column < weights.features.len() {
            let entry = table[if column < weights::SIDE_TO_MOVE {
                column
            } else {
                column + 1
            }];
            weights.features[column] = fixed_point(entry / UNITS[column]);
            column += 1;
        }
        weights
    }
}

/// Log-odds as a fixed-point number, rounded to nearest.
const fn fixed_point(log_odds: f64) -> i32 {
    let scaled = log_odds * LOG_ODDS_ONE as f64;
    (if scaled < 0.0 {
        scaled - 0.5
    } else {
        scaled + 0.5
    }) as i32
}

/// The weights by [`Phase::before_arrow`] and number of arrows.
static WEIGHTS: [[PhaseWeights; MAX_ARROWS + 1]; 2] = {
    let mut table = [[PhaseWeights::ZERO; MAX_ARROWS + 1]; 2];
    let mut arrows = 0;
    while arrows <= MAX_ARROWS {
        table[0][arrows] = PhaseWeights::at(arrows, false);
        table[1][arrows] = PhaseWeights::at(arrows, true);
        arrows += 1;
    }
    table
};

/// Evaluates all positions of a batch: log-odds that black wins, a number per position into `out`.
///
/// The numbers are in units of 1 / [`LOG_ODDS_ONE`] and within ± [`MAX_LOG_ODDS`], or exactly
/// [`WON`] or [`LOST`] where a turn is to begin and the player to move has no move.
pub fn evaluate(batch: &mut Batch, phase: Phase, out: &mut Vec<i32>) {
    widest(Evaluate { batch, phase, out });
}

/// Evaluates one position on which a turn is to begin: log-odds that black wins, see [`evaluate`].
#[must_use]
pub fn evaluate_board(board: &Board) -> i32 {
    let mut batch = Batch::default();
    let mut out = Vec::new();
    batch.push(
        [board.amazons(Player::Black), board.amazons(Player::White)],
        board.empty(),
    );
    evaluate(&mut batch, Phase::of(board), &mut out);
    out[0]
}

/// [`evaluate`] as a kernel.
struct Evaluate<'a> {
    batch: &'a mut Batch,
    phase: Phase,
    out: &'a mut Vec<i32>,
}

impl Kernel for Evaluate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Evaluate { batch, phase, out } = self;
        let padded = batch.pad(L::COUNT);
        out.clear();
        out.resize(padded, 0);
        let weights = &WEIGHTS[usize::from(phase.before_arrow)][phase.arrows];
        for (chunk, out) in out.chunks_exact_mut(L::COUNT).enumerate() {
            let at = chunk * L::COUNT;
            let features = Features::of(
                L::load(&batch.black[at..]),
                L::load(&batch.white[at..]),
                L::load(&batch.empty[at..]),
            );
            let mut sums = [0; MAX_LANES];
            features.weighted_sum(&weights.features).store(&mut sums);
            let mut targets = [0; MAX_LANES];
            features.can_move[phase.to_move as usize].store(&mut targets);
            for (lane, out) in out.iter_mut().enumerate() {
                *out = judge(
                    sums[lane] as i64,
                    targets[lane] != 0,
                    weights.to_move,
                    phase,
                );
            }
        }
        out.truncate(batch.len());
    }
}

/// Log-odds that black wins, from the weighted features and what depends on the player to move.
#[inline(always)]
fn judge(weighted: i64, can_move: bool, to_move_weight: i32, phase: Phase) -> i32 {
    let black_to_move = phase.to_move == Player::Black;
    if !can_move && !phase.before_arrow {
        return if black_to_move { LOST } else { WON };
    }
    let tempo = i64::from(if black_to_move {
        to_move_weight
    } else {
        -to_move_weight
    });
    (weighted + tempo).clamp(-i64::from(MAX_LOG_ODDS), i64::from(MAX_LOG_ODDS)) as i32
}
