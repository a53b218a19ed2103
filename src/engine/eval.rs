//! The static evaluation: five components from queen and king distances, weighted by phase; a [`network`], dearer and
//! better, that sums up whole positions; and another that puts half-moves in [`order`].
//!
//! Arithmetic is on integers up to the log-odds, so every processor computes the same bits. The components follow J.
//! Lieberum, "An evaluation function for the game of Amazons" (2005). Level-by-level floods of bitboards find the
//! distances.

mod features;
pub mod images;
mod learned;
mod logistic;
pub mod network;
pub mod order;
pub mod weights;

pub use features::{COMPONENTS, Features, KING_UNIT, QUEEN_UNIT, UNITS};
pub use learned::Networks;
pub use logistic::{LOG_ODDS_ONE, log_odds, probability};
pub use logistic::{exp, fixed_log_odds, log2};

use crate::bitboard::{Kernel, Lanes, MAX_LANES, widest};
use crate::board::{Board, Player};

/// Bound on the log-odds of a position that is neither [`WON`] nor [`LOST`].
pub const MAX_LOG_ODDS: i32 = 16 * LOG_ODDS_ONE;

/// Log-odds of a certain win.
pub const WON: i32 = i32::MAX;

/// Log-odds of a certain loss.
pub const LOST: i32 = -i32::MAX;

/// The phase of a position: all that its weights depend on. Siblings share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Number of arrows on the board.
    pub arrows: usize,
    /// Whose turn it is.
    pub to_move: Player,
}

impl Phase {
    /// The phase of a board on which a turn begins.
    #[must_use]
    pub const fn of(board: &Board) -> Phase {
        Phase {
            arrows: board.arrow_count(),
            to_move: board.to_move(),
        }
    }

    /// The phase of the positions behind an arrow, when an amazon has moved on a board.
    #[must_use]
    pub fn behind_arrow(board: &Board) -> Phase {
        Phase {
            arrows: board.arrow_count() + 1,
            to_move: !board.to_move(),
        }
    }
}

/// Capacity of a batch: an amazon shoots at one of at most 27 squares, rounded up to whole lanes.
pub const MAX_BATCH: usize = 27_usize.next_multiple_of(MAX_LANES);

/// A batch of sibling positions, evaluated side by side: one board, and for each sibling the arrow that it has more.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    amazons: [u64; 2],
    empty: u64,
    arrows: [u64; MAX_BATCH],
    len: usize,
    /// Per position, the weighted sum of the features.
    sums: [u64; MAX_BATCH],
    /// Per position, the destinations of the player to move.
    targets: [u64; MAX_BATCH],
    /// Per position, the squares that both players reach, and those that black alone does, minus white's.
    shared: [u64; MAX_BATCH],
    exclusive: [u64; MAX_BATCH],
    /// Log-odds of a position without destinations.
    out_of_moves: i32,
}

impl Batch {
    /// Replaces the positions. Each is the board with an arrow on an empty square, or as it is where the set of
    /// the arrow's square is empty.
    ///
    /// # Panics
    /// If there are more than [`MAX_BATCH`].
    #[inline(always)]
    pub fn fill(&mut self, board: &Board, arrows: impl ExactSizeIterator<Item = u64>) {
        self.amazons = [board.amazons(Player::Black), board.amazons(Player::White)];
        self.empty = board.empty();
        self.len = arrows.len();
        for (to, arrow) in self.arrows[..self.len].iter_mut().zip(arrows) {
            *to = arrow;
        }
    }

    /// Log-odds that black wins, one number per position, after [`evaluate`].
    ///
    /// In units of 1 / [`LOG_ODDS_ONE`] and within ± [`MAX_LOG_ODDS`]. A position in which the player to
    /// move has no move is exactly [`WON`] or [`LOST`].
    #[inline(always)]
    pub fn log_odds(&self) -> impl ExactSizeIterator<Item = i32> {
        let positions = self.sums[..self.len].iter().zip(&self.targets);
        positions.map(|(&sum, &targets)| match targets {
            0 => self.out_of_moves,
            _ => within_bounds(sum as i64),
        })
    }

    /// By how many squares what one player alone reaches exceeds all that the other one reaches, for the player who is ahead: one
    /// number per position, after [`evaluate`].
    #[inline(always)]
    pub fn leads(&self) -> impl ExactSizeIterator<Item = i32> {
        let squares = self.shared[..self.len].iter().zip(&self.exclusive);
        squares.map(|(&shared, &exclusive)| (exclusive as i64).abs() as i32 - shared as i32)
    }

    /// Pads the batch with unchanged boards to a multiple of `lanes`. Returns the padded length.
    fn pad(&mut self, lanes: usize) -> usize {
        let padded = self.len.next_multiple_of(lanes);
        self.arrows[self.len..padded].fill(0);
        padded
    }
}

/// Evaluates all positions of a batch; [`Batch::log_odds`] holds the results.
pub fn evaluate(batch: &mut Batch, phase: Phase) {
    widest(Evaluate { batch, phase });
}

/// Evaluates a position in which a turn begins by the five components, without a network: log-odds that black wins.
/// [`Networks::win_probability`] is what the value network says.
///
/// In units of 1 / [`LOG_ODDS_ONE`] and within ± [`MAX_LOG_ODDS`], or exactly [`WON`] or [`LOST`] if the player to
/// move has no move.
///
/// ```
/// use amazons_engine::{board::Board, eval};
/// // The position is symmetric: only the right to move tells the sides apart.
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

/// [`evaluate`] as a kernel.
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
            Player::Black => (weights.to_move, LOST),
            Player::White => (-weights.to_move, WON),
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

/// Clamps to ± [`MAX_LOG_ODDS`].
#[inline(always)]
fn within_bounds(log_odds: i64) -> i32 {
    const MAX: i64 = MAX_LOG_ODDS as i64;
    log_odds.clamp(-MAX, MAX) as i32
}
