//! Evaluation of the policy network: computes the logit of each half-move in a position.

use super::super::images::{self, by_square, row};
use super::super::network::{BIASES, KINDS, activated, rows_of};
use super::{DIRECTIONS, Ends, HEAD_UNIT, LONGEST, OrderWeights, SHOOTER, UNIT, WAYS, turned_way};
use crate::bitboard::{Kernel, Lanes, NumberRow, NumberTable, widest};
use crate::board::{Board, Square};
use crate::eval::{LOG_ODDS_ONE, MAX_LOG_ODDS};

/// Fixed-point log-odds, in units of 1 / [`LOG_ODDS_ONE`], per unit of the weighted sum of activations.
const SUM_STEP: i32 = LOG_ODDS_ONE / (UNIT * UNIT * HEAD_UNIT);

/// Bound on the weighted sum of activations, so that log-odds stay within ± [`MAX_LOG_ODDS`].
const MAX_SUM: i32 = MAX_LOG_ODDS / SUM_STEP;

/// Lookup table for [`way_between`]: the slide for each difference of square indices on a board 16 squares wide.
static WAYS_BY_STEP: [u8; 256] = {
    let mut ways = [0; 256];
    let mut way = 0;
    while way < WAYS {
        let [right, down] = DIRECTIONS[way / LONGEST];
        let length = (way % LONGEST + 1) as i8;
        ways[(length * (16 * down + right)) as u8 as usize] = way as u8;
        way += 1;
    }
    ways
};

/// Returns the slide from one square to another. Meaningless if no queen move leads there.
#[inline(always)]
#[must_use]
pub fn way_between(from: Square, to: Square) -> usize {
    // On a board 16 squares wide, every slide has a different index difference.
    let wide = |square: Square| square.index() + (square.index() & 0o70);
    usize::from(WAYS_BY_STEP[wide(to).wrapping_sub(wide(from)) % 256])
}

/// The policy network, ready for evaluation: with separate weights for every activation.
pub struct Order {
    table: Box<NumberTable>,
    biases: [NumberRow; BIASES],
    from: [NumberRow; 64],
    amazons: EndRows,
    arrows: EndRows,
}

/// Output weights like [`Ends`], with separate weights for every activation.
struct EndRows {
    to: [NumberRow; 64],
    ways: [NumberRow; WAYS],
    kinds: [NumberRow; KINDS],
}

impl EndRows {
    fn of(ends: &Ends) -> EndRows {
        EndRows {
            to: std::array::from_fn(|square| by_square(&ends.to, square)),
            ways: std::array::from_fn(|way| row(|symmetry| ends.ways[turned_way(way, symmetry)])),
            kinds: std::array::from_fn(|kind| row(|_| ends.kinds[kind])),
        }
    }
}

impl OrderWeights {
    /// Builds the network for evaluation, by repeating the filters' weights for each symmetry.
    #[must_use]
    pub fn order(&self) -> Order {
        Order {
            table: images::table(&self.rows),
            biases: std::array::from_fn(|arrows| row(|_| self.biases[arrows])),
            from: std::array::from_fn(|square| by_square(&self.from, square)),
            amazons: EndRows::of(&self.amazons),
            arrows: EndRows::of(&self.arrows),
        }
    }
}

/// Policy logits of a position: what start square, end square and slide each add to the logit of a half-move.
pub struct Preferences {
    from: [i32; 64],
    to: [i32; 64],
    ways: [i32; WAYS],
}

impl Default for Preferences {
    fn default() -> Preferences {
        Preferences {
            from: [0; 64],
            to: [0; 64],
            ways: [0; WAYS],
        }
    }
}

impl Preferences {
    /// Evaluates `order` for the given half-moves, pairs of start and end square. They are amazon moves if `shooter` is
    /// `None`; otherwise they are arrows of the amazon on `shooter`, which has just moved.
    pub fn find(
        &mut self,
        order: &Order,
        board: &Board,
        shooter: Option<Square>,
        moves: impl Iterator<Item = (Square, Square)>,
    ) {
        let (mut targets, mut ways) = (0, 0);
        for (from, to) in moves {
            targets |= to.bit();
            ways |= 1 << way_between(from, to);
        }
        widest(Find {
            order,
            board,
            shooter,
            targets,
            ways,
            preferences: self,
        });
    }

    /// Returns the logit of a half-move, in units of 1 / [`LOG_ODDS_ONE`] and within ± [`MAX_LOG_ODDS`]. Only
    /// differences between half-moves of one position are meaningful: the softmax of the logits predicts each
    /// half-move's share of the visits.
    #[must_use]
    pub fn log_odds(&self, from: Square, to: Square) -> i32 {
        let way = way_between(from, to);
        let sum = self.from[from.index()] + self.to[to.index()] + self.ways[way];
        SUM_STEP * sum.clamp(-MAX_SUM, MAX_SUM)
    }
}

/// Kernel of [`Preferences::find`].
struct Find<'a> {
    order: &'a Order,
    board: &'a Board,
    /// Square of the amazon that is about to shoot; `None` for amazon moves.
    shooter: Option<Square>,
    /// End squares of the half-moves.
    targets: u64,
    /// Slides of the half-moves, one bit each.
    ways: u64,
    preferences: &'a mut Preferences,
}

impl Kernel for Find<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Find {
            order,
            board,
            preferences,
            ..
        } = self;
        let mut rows = rows_of::<L>(board);
        let (mine, ends) = match self.shooter {
            None => (board.amazons(board.to_move()), &order.amazons),
            Some(shooter) => {
                let square = shooter.index();
                rows[square] = (64 * SHOOTER + square) as u16;
                preferences.from[square] = 0;
                (0, &order.arrows)
            }
        };
        let bias = &order.biases[board.arrow_count()];
        let hidden = activated::<L>(bias, &order.table, &rows, UNIT as i16);
        let mut rest = mine | self.targets;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let of_kind = &ends.kinds[usize::from(rows[square]) / 64 % KINDS];
            if mine >> square & 1 == 1 {
                preferences.from[square] = L::dot(&hidden, [&order.from[square], of_kind]);
            } else {
                preferences.to[square] = L::dot(&hidden, [&ends.to[square], of_kind]);
            }
        }
        let mut rest = self.ways;
        while rest != 0 {
            let way = rest.trailing_zeros() as usize % WAYS;
            rest &= rest - 1;
            preferences.ways[way] = L::dot(&hidden, [&ends.ways[way]]);
        }
    }
}
