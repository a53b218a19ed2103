//! A child of a node: a four-byte key before its first visit, statistics from then on.

use super::arena::LineId;
use crate::board::Square;

/// Half a turn: an amazon's move, or the shot of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfMove(u16);

impl HalfMove {
    /// Bits of a half-move.
    const BITS: u32 = 12;

    /// Stands where there is no half-move.
    pub const NONE: HalfMove = HalfMove(0);

    /// An amazon's move.
    #[must_use]
    pub const fn amazon(from: Square, to: Square) -> HalfMove {
        HalfMove((from.index() as u16) << 6 | to.index() as u16)
    }

    /// An arrow's shot.
    #[must_use]
    pub const fn arrow(target: Square) -> HalfMove {
        HalfMove(target.index() as u16)
    }

    /// Where the amazon moves from; meaningless for an arrow.
    #[must_use]
    pub const fn from(self) -> Square {
        Square::wrapping((self.0 >> 6) as u32)
    }

    /// Where the amazon moves to, or where the arrow lands.
    #[must_use]
    pub const fn to(self) -> Square {
        Square::wrapping(self.0 as u32)
    }
}

/// A child before its first visit: 20 bits of evaluation for the player who chooses, 12 of half-move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(u32);

impl Key {
    /// Evaluations from 0, worst, to this, best.
    pub const MAX_EVALUATION: u32 = (1 << (32 - HalfMove::BITS)) - 1;

    /// The key of a half-move with an evaluation of at most [`Key::MAX_EVALUATION`].
    #[must_use]
    pub const fn new(evaluation: u32, half_move: HalfMove) -> Key {
        Key(evaluation << HalfMove::BITS | half_move.0 as u32)
    }

    /// The evaluation, for the player who chooses.
    #[must_use]
    pub const fn evaluation(self) -> u32 {
        self.0 >> HalfMove::BITS
    }

    /// The half-move.
    #[must_use]
    pub const fn half_move(self) -> HalfMove {
        HalfMove(self.0 as u16 & ((1 << HalfMove::BITS) - 1))
    }

    /// The key as a word of the arena.
    #[must_use]
    pub const fn to_word(self) -> u32 {
        self.0
    }

    /// The key that [`Key::to_word`] made a word of.
    #[must_use]
    pub const fn from_word(word: u32) -> Key {
        Key(word)
    }
}

/// A visited child: its statistics, seen by the player who chooses it.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// Number of iterations that went through it.
    pub visits: u32,
    /// Mean win probability of the player who chooses; infinite, ±, when proven.
    pub mean: f32,
    /// Share of the search that the evaluation gives it among its siblings, to eight significant bits.
    pub prior: f32,
    /// The half-move that leads to it.
    pub half_move: HalfMove,
    /// Its own children, once expanded.
    pub node: Option<LineId>,
}

impl Child {
    /// The mean of a proven win.
    pub const WON: f32 = f32::INFINITY;

    /// The mean of a proven loss.
    pub const LOST: f32 = f32::NEG_INFINITY;

    /// Tests if the outcome is certain.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.mean.is_infinite()
    }

    /// Prior and half-move in one word: the upper half of the prior's, then the half-move.
    pub(super) const fn share_word(prior: f32, half_move: HalfMove) -> u32 {
        prior.to_bits() & PRIOR_BITS | half_move.0 as u32
    }

    /// The prior in a word of prior and half-move.
    #[inline(always)]
    pub(super) const fn prior_of(word: u32) -> f32 {
        f32::from_bits(word & PRIOR_BITS)
    }

    /// The half-move in a word of prior and half-move.
    #[inline(always)]
    pub(super) const fn half_move_of(word: u32) -> HalfMove {
        HalfMove(word as u16)
    }
}

/// The bits of an `f32` that are kept of a prior.
const PRIOR_BITS: u32 = 0xffff_0000;

/// What a child that is visited for the first time starts with.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Win probability of the player who chooses.
    pub value: f32,
    /// Share among its siblings.
    pub prior: f32,
}

/// How keys become estimates: `2^(slope·(evaluation − best)) / sum`, about, is the prior.
#[derive(Clone, Copy, Debug)]
pub struct Softmax {
    /// Evaluation of the best sibling.
    pub best: u32,
    /// One over the sum of the siblings' exponentials.
    pub inverse_sum: f32,
}
