//! Evaluation of positions, by three evaluators. The linear evaluation ([`evaluate`]) is the fastest. The [value
//! network](value) is slower and more accurate. The [policy network](policy) predicts which moves of an amazon, or
//! which arrow shots, a search prefers.
//!
//! The linear evaluation has the five components of J. Lieberum, "An evaluation function for the game of Amazons"
//! (2005), which are computed from queen and king distances. It computes log-odds with integers only, so that the
//! result is the same on every machine.

mod features;
mod logistic;
mod networks;
pub mod policy;
pub mod symmetry;
pub mod value;
pub mod weights;

pub use features::{Features, KING_UNIT, QUEEN_UNIT, TERMS, UNITS};
pub use logistic::{LOG_ODDS_ONE, log_odds, probability};
pub use logistic::{approximate_log2, exp, fixed_log_odds};
pub use networks::Networks;

use crate::bitboard::{Kernel, Lanes, MAX_LANES, run_widest};
use crate::board::{Board, Player};

/// Maximum absolute log-odds of a position whose winner is not proven, in units of 1 / [`LOG_ODDS_ONE`]. It represents
/// the log-odds 16.0, a probability of 0.9999999.
pub const MAX_LOG_ODDS: i32 = 16 * LOG_ODDS_ONE;

/// Value that stands for the log-odds of a player with a proven win. It exceeds [`MAX_LOG_ODDS`], the maximum of all
/// other log-odds.
pub const PROVEN_WIN: i32 = i32::MAX;

/// Value that stands for the log-odds of a player with a proven loss: the negative of [`PROVEN_WIN`].
pub const PROVEN_LOSS: i32 = -i32::MAX;

/// Phase of a position: the number of arrows and the side to move. The weights of the linear evaluation depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Number of arrows on the board, from 0 to 56.
    pub arrows: usize,
    /// Side to move: the player whose turn it is.
    pub to_move: Player,
}

impl Phase {
    /// Returns the phase (number of arrows and side to move) of `board`, a position at the beginning of a turn, in
    /// which the side to move has not yet moved an amazon.
    #[must_use]
    pub const fn of(board: &Board) -> Phase {
        Phase {
            arrows: board.arrow_count(),
            to_move: board.to_move(),
        }
    }

    /// Returns the phase (number of arrows and side to move) that follows when the side to move of `board` shoots its
    /// arrow: one more arrow, and the other side to move. On `board`, this side has already moved its amazon.
    #[must_use]
    pub fn after_arrow(board: &Board) -> Phase {
        Phase {
            arrows: board.arrow_count() + 1,
            to_move: !board.to_move(),
        }
    }
}

/// Maximum number of positions in a [`Batch`]. An amazon can shoot at up to 27 squares; this number is rounded up to a
/// multiple of [`MAX_LANES`], the maximum number of positions that a vector instruction processes.
pub const MAX_BATCH: usize = 27_usize.next_multiple_of(MAX_LANES);

/// Up to [`MAX_BATCH`] positions that [`evaluate`] evaluates together, and the log-odds that black wins each of them. The
/// positions consist of the same board and one additional arrow, on a different square in each position.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    amazons: [u64; 2],
    empty: u64,
    arrows: [u64; MAX_BATCH],
    len: usize,
    /// For each position, the log-odds that black wins according to [`evaluate`], in units of 1 / [`LOG_ODDS_ONE`].
    /// Unlike the result of [`Batch::log_odds`], they may exceed ± [`MAX_LOG_ODDS`]. Each number is an `i64` stored as
    /// `u64`.
    raw_log_odds: [u64; MAX_BATCH],
    /// For each position, the bitboard of the squares to which the side to move can move an amazon; [`evaluate`]
    /// computes it. If it is empty, the side to move has lost.
    targets: [u64; MAX_BATCH],
    /// For each position, the number of empty squares that both players can reach in any number of moves; [`evaluate`]
    /// computes it.
    shared: [u64; MAX_BATCH],
    /// For each position, the number of empty squares that only black can reach in any number of moves, minus the
    /// number that only white can reach; [`evaluate`] computes it. Each number is an `i64` stored as `u64`.
    exclusive: [u64; MAX_BATCH],
    /// Log-odds that black wins in those positions of the batch in which the side to move has no legal move:
    /// [`PROVEN_LOSS`] if black is to move, otherwise [`PROVEN_WIN`]. One value is enough, because the same side is to
    /// move in the whole batch.
    log_odds_without_move: i32,
}

impl Batch {
    /// Replaces the positions of the batch. Each new position consists of `board` and one additional arrow on the
    /// square whose bitboard `arrows` yields; an empty bitboard adds no arrow.
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

    /// Iterates over the log-odds that black wins, in the order of the positions in [`Batch::fill`]. Call [`evaluate`]
    /// first.
    ///
    /// The unit is 1 / [`LOG_ODDS_ONE`] and the range ± [`MAX_LOG_ODDS`]. If the side to move has no legal move, the
    /// log-odds are exactly [`PROVEN_WIN`] or [`PROVEN_LOSS`].
    #[inline(always)]
    pub fn log_odds(&self) -> impl ExactSizeIterator<Item = i32> {
        let positions = self.raw_log_odds[..self.len].iter().zip(&self.targets);
        positions.map(|(&sum, &targets)| match targets {
            0 => self.log_odds_without_move,
            _ => clamp_log_odds(sum as i64),
        })
    }

    /// Iterates over the leads of the positions, in the order of [`Batch::fill`]. Call [`evaluate`] first.
    ///
    /// In any number of moves, only black can reach `b` empty squares, only white `w`, and both players `s`. The lead
    /// is `|b − w| − s`. It does not say which player is ahead. If it is positive, one player reaches more squares
    /// alone than the opponent reaches at all. The search tries to prove a win only in positions with a high enough
    /// lead.
    #[inline(always)]
    pub fn leads(&self) -> impl ExactSizeIterator<Item = i32> {
        let squares = self.shared[..self.len].iter().zip(&self.exclusive);
        squares.map(|(&shared, &exclusive)| (exclusive as i64).abs() as i32 - shared as i32)
    }

    /// Pads the batch with positions without an additional arrow, so that vector instructions can process `lanes`
    /// positions at a time. Returns the number of positions with padding, a multiple of `lanes`; `len`, the number
    /// without padding, stays the same. The results of the padding are never read.
    fn pad(&mut self, lanes: usize) -> usize {
        let padded = self.len.next_multiple_of(lanes);
        self.arrows[self.len..padded].fill(0);
        padded
    }
}

/// Evaluates all positions of `batch` by the linear evaluation (a weighted sum of position features). Each position is
/// the same board with one additional arrow, see [`Batch::fill`]. `phase` contains the side to move and the number of
/// arrows, including the additional one; both are the same for all positions. Call [`Batch::log_odds`] or
/// [`Batch::leads`] to get the results.
pub fn evaluate(batch: &mut Batch, phase: Phase) {
    run_widest(Evaluate { batch, phase });
}

/// Returns the log-odds that black wins by the linear evaluation. No amazon may have moved yet in the current turn.
/// [`Networks::win_probability`] uses the value network, which is more accurate.
///
/// The unit is 1 / [`LOG_ODDS_ONE`] and the range ± [`MAX_LOG_ODDS`]. If the side to move has no legal move, the result
/// is exactly [`PROVEN_WIN`] or [`PROVEN_LOSS`].
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

/// Arguments of [`evaluate`] as a [`Kernel`]: a computation that is compiled once for each supported set of vector
/// instructions. One vector holds the same quantity of several positions.
struct Evaluate<'a> {
    batch: &'a mut Batch,
    phase: Phase,
}

impl Kernel for Evaluate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Evaluate { batch, phase } = self;
        let weights = weights::integer_weights(phase.arrows);
        let (tempo, log_odds_without_move) = match phase.to_move {
            Player::Black => (weights.to_move, PROVEN_LOSS),
            Player::White => (-weights.to_move, PROVEN_WIN),
        };
        batch.log_odds_without_move = log_odds_without_move;
        let tempo = L::splat(i64::from(tempo) as u64);
        let [black, white] = batch.amazons.map(|amazons| L::splat(amazons));
        let empty = L::splat(batch.empty);
        for at in (0..batch.pad(L::COUNT)).step_by(L::COUNT) {
            let arrow = L::load(&batch.arrows[at..]);
            let features = Features::compute(black, white, empty.without(arrow));
            let sum = features.weighted_sum(&weights.features).plus(tempo);
            sum.store(&mut batch.raw_log_odds[at..]);
            features.shared.store(&mut batch.shared[at..]);
            features.exclusive.store(&mut batch.exclusive[at..]);
            features.move_targets[phase.to_move as usize].store(&mut batch.targets[at..]);
        }
    }
}

/// Limits the log-odds of an unproven position to ± [`MAX_LOG_ODDS`], so that they differ from [`PROVEN_WIN`] and
/// [`PROVEN_LOSS`]. Argument and result are in units of 1 / [`LOG_ODDS_ONE`].
#[inline(always)]
fn clamp_log_odds(log_odds: i64) -> i32 {
    const MAX: i64 = MAX_LOG_ODDS as i64;
    log_odds.clamp(-MAX, MAX) as i32
}
