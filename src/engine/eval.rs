//! Static evaluation of positions: a linear evaluation of five components, a [value network](value) that is slower but
//! more accurate, and a [policy network](policy) that predicts which actions a search prefers.
//!
//! All arithmetic up to the log-odds is on integers, so every processor computes the same bits. The five components
//! follow J. Lieberum, "An evaluation function for the game of Amazons" (2005). They are computed from queen and king
//! distances, which level-by-level floods of bitboards determine.

mod features;
mod logistic;
mod networks;
pub mod policy;
pub mod symmetry;
pub mod value;
pub mod weights;

pub use features::{COMPONENTS, Features, KING_UNIT, QUEEN_UNIT, UNITS};
pub use logistic::{LOG_ODDS_ONE, log_odds, probability};
pub use logistic::{exp, fixed_log_odds, log2};
pub use networks::Networks;

use crate::bitboard::{Kernel, Lanes, MAX_LANES, widest};
use crate::board::{Board, Player};

/// Maximum absolute log-odds of a position that is not proven, in units of 1 / [`LOG_ODDS_ONE`]: 16.0. Proven positions
/// have [`PROVEN_WIN`] or [`PROVEN_LOSS`] instead.
pub const MAX_LOG_ODDS: i32 = 16 * LOG_ODDS_ONE;

/// Log-odds that stand for a proven win of the player from whose point of view they are given.
pub const PROVEN_WIN: i32 = i32::MAX;

/// Log-odds that stand for a proven loss of the player from whose point of view they are given; the negative of
/// [`PROVEN_WIN`].
pub const PROVEN_LOSS: i32 = -i32::MAX;

/// Phase of a position: number of arrows and side to move, which select the weights of the linear evaluation. All
/// positions after one amazon's move and its possible arrows have the same phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Number of arrows on the board, from 0 to 56.
    pub arrows: usize,
    /// Side to move in the position.
    pub to_move: Player,
}

impl Phase {
    /// Returns the phase of `board`, on which a turn begins (no arrow is still to be shot).
    #[must_use]
    pub const fn of(board: &Board) -> Phase {
        Phase {
            arrows: board.arrow_count(),
            to_move: board.to_move(),
        }
    }

    /// Returns the phase that the positions after the arrow will have, for a board on which an amazon has moved but not
    /// shot.
    #[must_use]
    pub fn after_arrow(board: &Board) -> Phase {
        Phase {
            arrows: board.arrow_count() + 1,
            to_move: !board.to_move(),
        }
    }
}

/// Maximum number of positions in a [`Batch`]: an amazon can shoot at up to 27 squares; rounded up to a multiple of
/// [`MAX_LANES`].
pub const MAX_BATCH: usize = 27_usize.next_multiple_of(MAX_LANES);

/// A batch of sibling positions that are evaluated side by side by [`evaluate`]: one board, and for each position the
/// square of one additional arrow.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    amazons: [u64; 2],
    empty: u64,
    arrows: [u64; MAX_BATCH],
    len: usize,
    /// Weighted sum of the features for each position: log-odds that black wins, in units of 1 / [`LOG_ODDS_ONE`], as a
    /// signed number.
    sums: [u64; MAX_BATCH],
    /// Bitboard of the squares that the side to move reaches in one move, for each position; empty if it has no move
    /// and has lost.
    targets: [u64; MAX_BATCH],
    /// Number of squares that both players can reach in any number of moves, for each position.
    shared: [u64; MAX_BATCH],
    /// Number of squares that only black can reach minus the number that only white can reach, in any number of moves,
    /// for each position; a signed number.
    exclusive: [u64; MAX_BATCH],
    /// Log-odds that black wins if the side to move has no move: [`PROVEN_LOSS`] or [`PROVEN_WIN`], by the side to
    /// move.
    out_of_moves: i32,
}

impl Batch {
    /// Replaces the positions of the batch. Each position is `board` with one more arrow, given in `arrows` as the
    /// bitboard of its square; an empty bitboard stands for `board` itself.
    ///
    /// # Panics
    /// If `arrows` yields more than [`MAX_BATCH`] bitboards.
    #[inline(always)]
    pub fn fill(&mut self, board: &Board, arrows: impl ExactSizeIterator<Item = u64>) {
        self.amazons = [board.amazons(Player::Black), board.amazons(Player::White)];
        self.empty = board.empty();
        self.len = arrows.len();
        for (to, arrow) in self.arrows[..self.len].iter_mut().zip(arrows) {
            *to = arrow;
        }
    }

    /// Iterates over the log-odds that black wins, one number per position in the order of [`Batch::fill`]. Valid after
    /// [`evaluate`].
    ///
    /// The unit is 1 / [`LOG_ODDS_ONE`] and the range ± [`MAX_LOG_ODDS`]. A position in which the side to move has no
    /// move is exactly [`PROVEN_WIN`] or [`PROVEN_LOSS`].
    #[inline(always)]
    pub fn log_odds(&self) -> impl ExactSizeIterator<Item = i32> {
        let positions = self.sums[..self.len].iter().zip(&self.targets);
        positions.map(|(&sum, &targets)| match targets {
            0 => self.out_of_moves,
            _ => clamp_log_odds(sum as i64),
        })
    }

    /// Iterates over lower bounds on the leading player's lead in squares, one number per position in the order of
    /// [`Batch::fill`]. The leading player is the one who alone reaches more squares. Valid after [`evaluate`].
    ///
    /// The bound is the number of squares that only the leading player reaches, minus the number of all squares that
    /// the opponent reaches. If it is positive, the leading player has more squares than the opponent can ever use.
    #[inline(always)]
    pub fn leads(&self) -> impl ExactSizeIterator<Item = i32> {
        let squares = self.shared[..self.len].iter().zip(&self.exclusive);
        squares.map(|(&shared, &exclusive)| (exclusive as i64).abs() as i32 - shared as i32)
    }

    /// Pads the batch with copies of its board, so that its length becomes a multiple of `lanes`. Returns the padded
    /// length; the batch's own length stays the same.
    fn pad(&mut self, lanes: usize) -> usize {
        let padded = self.len.next_multiple_of(lanes);
        self.arrows[self.len..padded].fill(0);
        padded
    }
}

/// Evaluates all positions of `batch` by the linear evaluation. `phase` is the phase of these positions, with their
/// additional arrows. [`Batch::log_odds`] and [`Batch::leads`] return the results.
pub fn evaluate(batch: &mut Batch, phase: Phase) {
    widest(Evaluate { batch, phase });
}

/// Returns the log-odds that black wins, by the linear evaluation of five components. A turn must begin in the
/// position. [`Networks::win_probability`] evaluates with the value network instead, which is more accurate.
///
/// The unit is 1 / [`LOG_ODDS_ONE`] and the range ± [`MAX_LOG_ODDS`]. If the side to move has no move, the result is
/// exactly [`PROVEN_WIN`] or [`PROVEN_LOSS`].
///
/// ```
/// use engine::{board::Board, eval};
/// // The start position is symmetric: only the right to move favours a side, which is black's.
/// let log_odds = eval::log_odds(eval::evaluate_board(&Board::start()));
/// assert!(eval::probability(log_odds) > 0.5);
/// ```
#[must_use]
pub fn evaluate_board(board: &Board) -> i32 {
    let mut batch = Batch::default();
    batch.fill(board, [0].into_iter());
    evaluate(&mut batch, Phase::of(board));
    batch.log_odds().sum()
}

/// Kernel that evaluates the positions of a batch, as many at once as there are lanes.
struct Evaluate<'a> {
    batch: &'a mut Batch,
    phase: Phase,
}

impl Kernel for Evaluate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Evaluate { batch, phase } = self;
        let weights = weights::of_phase(phase.arrows);
        let (tempo, out_of_moves) = match phase.to_move {
            Player::Black => (weights.to_move, PROVEN_LOSS),
            Player::White => (-weights.to_move, PROVEN_WIN),
        };
        batch.out_of_moves = out_of_moves;
        let tempo = L::splat(i64::from(tempo) as u64);
        let [black, white] = batch.amazons.map(|amazons| L::splat(amazons));
        let empty = L::splat(batch.empty);
        for at in (0..batch.pad(L::COUNT)).step_by(L::COUNT) {
            let arrow = L::load(&batch.arrows[at..]);
            let features = Features::of(black, white, empty.without(arrow));
            let sum = features.weighted_sum(&weights.features).plus(tempo);
            sum.store(&mut batch.sums[at..]);
            features.shared.store(&mut batch.shared[at..]);
            features.exclusive.store(&mut batch.exclusive[at..]);
            features.can_move[phase.to_move as usize].store(&mut batch.targets[at..]);
        }
    }
}

/// Clamps log-odds, in units of 1 / [`LOG_ODDS_ONE`], to ± [`MAX_LOG_ODDS`], so that they cannot be mistaken for a
/// proven result.
#[inline(always)]
fn clamp_log_odds(log_odds: i64) -> i32 {
    const MAX: i64 = MAX_LOG_ODDS as i64;
    log_odds.clamp(-MAX, MAX) as i32
}
