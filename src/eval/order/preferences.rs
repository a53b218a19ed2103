//! The order network as the search asks it: what it prefers in a position, half-move by half-move.

use super::super::images::{self, by_square, row};
use super::super::network::{BIASES, KINDS, activated, rows_of};
use super::{DIRECTIONS, Ends, HEAD_UNIT, LONGEST, OrderWeights, SHOOTER, UNIT, WAYS, turned_way};
use crate::bitboard::{Kernel, Lanes, NumberRow, NumberTable, widest};
use crate::board::{Board, Square};
use crate::eval::{LOG_ODDS_ONE, MAX_LOG_ODDS};

/// Steps of the fixed-point log-odds for one step of the sum over the hidden layer.
const SUM_STEP: i32 = LOG_ODDS_ONE / (UNIT * UNIT * HEAD_UNIT);

/// The largest sum over the hidden layer whose log-odds are within bounds.
const MAX_SUM: i32 = MAX_LOG_ODDS / SUM_STEP;

/// Every way at the place of the step that it is, for [`way_between`].
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

/// The way from a square to another; meaningless where no queen moves from one to the other.
#[inline(always)]
#[must_use]
pub fn way_between(from: Square, to: Square) -> usize {
    // On a board 16 squares wide no two steps look alike.
    let wide = |square: Square| square.index() + (square.index() & 0o70);
    usize::from(WAYS_BY_STEP[wide(to).wrapping_sub(wide(from)) % 256])
}

/// The order network with a weight for every hidden number.
pub struct Order {
    table: Box<NumberTable>,
    biases: [NumberRow; BIASES],
    from: [NumberRow; 64],
    amazons: EndRows,
    arrows: EndRows,
}

/// [`Ends`] with a weight for every hidden number.
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
    /// Repeats the weights by symmetry.
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

/// What the order network prefers in a position: what origin, destination and way add to the log-odds of a move.
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
    /// Finds what an order network prefers in a position, as far as these half-moves need it: from where, to where. They
    /// are moves of amazons where a turn begins, or arrows from `shooter`, which has just moved.
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

    /// Log-odds by which a half-move is preferred, in units of 1 / [`LOG_ODDS_ONE`] and within ±
    /// [`MAX_LOG_ODDS`]. Only the differences between the half-moves of a position mean something:
    /// their softmax foresees the shares of a search.
    #[must_use]
    pub fn log_odds(&self, from: Square, to: Square) -> i32 {
        let way = way_between(from, to);
        let sum = self.from[from.index()] + self.to[to.index()] + self.ways[way];
        SUM_STEP * sum.clamp(-MAX_SUM, MAX_SUM)
    }
}

/// [`Preferences::find`] as a kernel.
struct Find<'a> {
    order: &'a Order,
    board: &'a Board,
    /// Where the amazon stands that is to shoot.
    shooter: Option<Square>,
    /// The squares that are entered.
    targets: u64,
    /// The ways that lead there, a bit each.
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

#[cfg(test)]
mod tests {
    use super::super::super::images::{SYMMETRIES, turned};
    use super::super::{WEIGHTS, parse};
    use super::*;
    use crate::bitboard::MAX_LANES;
    use crate::bitboard::vectors::fewer::MOST_LANES;
    use crate::movegen::{self, tests::random_game};

    /// A choice of half-moves: on which board, from which shooter, and between which.
    type Choice = (Board, Option<Square>, Vec<(Square, Square)>);

    /// The choices in a random game: of an amazon's move, and of an arrow behind one of them.
    fn choices(seed: u64) -> Vec<Choice> {
        let choices_on = |board: Board| {
            let turns = movegen::moves(&board).into_iter();
            let mut moves: Vec<_> = turns.map(|turn| (turn.from, turn.to)).collect();
            moves.dedup();
            let arrows = moves.get(moves.len() / 2).map(|&(from, to)| {
                let mut moved = board.clone();
                moved.move_amazon(from, to);
                let mut arrows = Vec::new();
                movegen::for_each_target(&moved, to, |target| arrows.push((to, target)));
                (moved, Some(to), arrows)
            });
            [Some((board, None, moves)), arrows].into_iter().flatten()
        };
        let boards = random_game(seed).into_iter();
        boards.flat_map(choices_on).collect()
    }

    /// The log-odds of half-moves.
    fn found(order: &Order, (board, shooter, moves): &Choice) -> Vec<i32> {
        let mut preferences = Preferences::default();
        preferences.find(order, board, *shooter, moves.iter().copied());
        let log_odds = |&(from, to): &(Square, Square)| preferences.log_odds(from, to);
        moves.iter().map(log_odds).collect()
    }

    #[test]
    fn every_number_of_lanes_finds_the_same() {
        let order = parse(WEIGHTS).expect("the compiled-in weights").order();
        let choices = choices(1);
        let [plain, vectors @ ..] = [1, 4, MAX_LANES].map(|most| {
            MOST_LANES.set(most);
            let all = choices.iter().map(|choice| found(&order, choice));
            all.collect::<Vec<_>>()
        });
        assert_eq!(vectors, [plain.clone(), plain]);
    }

    /// By the definition, filter by filter and symmetry by symmetry, from the weights without repetitions.
    #[test]
    fn log_odds_are_those_of_the_definition() {
        let weights = parse(WEIGHTS).expect("the compiled-in weights");
        let order = weights.order();
        for choice in choices(2) {
            let (board, shooter, moves) = &choice;
            let mut kinds = rows_of::<u64>(board).map(|row| usize::from(row) / 64);
            if let Some(shooter) = shooter {
                kinds[shooter.index()] = SHOOTER;
            }
            let hidden = |filter: usize, symmetry: usize| {
                let row = |square: usize| {
                    weights.rows[64 * kinds[square] + turned(square, symmetry)][filter]
                };
                let sum =
                    (0..64).map(row).sum::<i16>() + weights.biases[board.arrow_count()][filter];
                (f64::from(sum) / f64::from(UNIT)).clamp(0.0, 1.0).powi(2)
            };
            for (&(from, to), found) in moves.iter().zip(found(&order, &choice)) {
                let way = way_between(from, to);
                let (from, to) = (from.index(), to.index());
                let mut log_odds = 0.0;
                for (filter, symmetry) in
                    (0..NumberRow::LEN).map(|at| (at / SYMMETRIES, at % SYMMETRIES))
                {
                    let (ends, left) = match shooter {
                        Some(_) => (&weights.arrows, 0),
                        None => (
                            &weights.amazons,
                            weights.from[turned(from, symmetry)][filter]
                                + weights.amazons.kinds[kinds[from]][filter],
                        ),
                    };
                    let entered = ends.to[turned(to, symmetry)][filter]
                        + ends.ways[turned_way(way, symmetry)][filter]
                        + ends.kinds[kinds[to]][filter];
                    let weight = f64::from(left + entered) / f64::from(HEAD_UNIT);
                    log_odds += hidden(filter, symmetry) * weight;
                }
                let found = f64::from(found) / f64::from(LOG_ODDS_ONE);
                assert!(
                    (found - log_odds).abs() < 1e-5,
                    "{board}: {found} {log_odds}"
                );
            }
        }
    }
}
