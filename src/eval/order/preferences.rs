//! The order network as the search asks it: what it prefers in a position, move by move.

use super::super::images::{self, by_square, row};
use super::super::network::{BIASES, KINDS, activated, rows_of};
use super::{DIRECTIONS, HEAD_UNIT, LONGEST, OrderWeights, UNIT, WAYS, turned_way};
use crate::bitboard::{Kernel, Lanes, NumberRow, NumberTable, widest};
use crate::board::{Board, Square};
use crate::eval::{LOG_ODDS_ONE, within_bounds};

/// Steps of the fixed-point log-odds for one step of the sum over the hidden layer.
const SUM_STEP: i32 = LOG_ODDS_ONE / (UNIT * UNIT * HEAD_UNIT);

/// The way between any two squares; meaningless where no queen moves from one to the other.
static WAYS_BETWEEN: [[u8; 64]; 64] = {
    let mut ways = [[0; 64]; 64];
    let mut at = 0;
    while at < 64 * WAYS {
        let (from, way) = (at / WAYS, at % WAYS);
        let [right, down] = DIRECTIONS[way / LONGEST];
        let length = (way % LONGEST + 1) as i8;
        let (x, y) = (
            (from % 8) as i8 + length * right,
            (from / 8) as i8 + length * down,
        );
        if x >= 0 && x < 8 && y >= 0 && y < 8 {
            ways[from][(8 * y + x) as usize] = way as u8;
        }
        at += 1;
    }
    ways
};

/// The order network with a weight for every hidden number.
pub struct Order {
    table: Box<NumberTable>,
    biases: [NumberRow; BIASES],
    from: [NumberRow; 64],
    to: [NumberRow; 64],
    ways: [NumberRow; WAYS],
    kinds: [NumberRow; KINDS],
}

impl OrderWeights {
    /// Repeats the weights by symmetry.
    #[must_use]
    pub fn order(&self) -> Order {
        Order {
            table: images::table(&self.rows),
            biases: std::array::from_fn(|arrows| row(|_| self.biases[arrows])),
            from: std::array::from_fn(|square| by_square(&self.from, square)),
            to: std::array::from_fn(|square| by_square(&self.to, square)),
            ways: std::array::from_fn(|way| row(|symmetry| self.ways[turned_way(way, symmetry)])),
            kinds: std::array::from_fn(|kind| row(|_| self.kinds[kind])),
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
    /// Finds what an order network prefers in a position in which a turn begins, as far as these moves of amazons need
    /// it.
    pub fn find(
        &mut self,
        order: &Order,
        board: &Board,
        moves: impl Iterator<Item = (Square, Square)>,
    ) {
        let (mut targets, mut ways) = (0, 0);
        for (from, to) in moves {
            targets |= to.bit();
            ways |= 1 << WAYS_BETWEEN[from.index()][to.index()];
        }
        widest(Find {
            order,
            board,
            targets,
            ways,
            preferences: self,
        });
    }

    /// Log-odds by which a move is preferred, in units of 1 / [`LOG_ODDS_ONE`] and within ±
    /// [`MAX_LOG_ODDS`](crate::eval::MAX_LOG_ODDS). Only the differences between the moves of a position mean something:
    /// their softmax foresees the shares of a search.
    #[must_use]
    pub fn log_odds(&self, from: Square, to: Square) -> i32 {
        let way = usize::from(WAYS_BETWEEN[from.index()][to.index()]);
        let sum = self.from[from.index()] + self.to[to.index()] + self.ways[way];
        within_bounds(i64::from(sum) * i64::from(SUM_STEP))
    }
}

/// [`Preferences::find`] as a kernel.
struct Find<'a> {
    order: &'a Order,
    board: &'a Board,
    /// The squares that amazons enter.
    targets: u64,
    /// The ways that they take, a bit each.
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
        let rows = rows_of::<L>(board);
        let bias = &order.biases[board.arrow_count()];
        let hidden = activated::<L>(bias, &order.table, &rows, UNIT as i16);
        let mine = board.amazons(board.to_move());
        // What kinds of squares add, and the set of those that are found so far.
        let (mut of_kinds, mut kinds) = ([0; KINDS], 0u64);
        let mut rest = mine | self.targets;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let kind = usize::from(rows[square]) / 64 % KINDS;
            if kinds >> kind & 1 == 0 {
                kinds |= 1 << kind;
                of_kinds[kind] = L::dot(&hidden.0, &order.kinds[kind].0);
            }
            if mine >> square & 1 == 1 {
                preferences.from[square] =
                    of_kinds[kind] + L::dot(&hidden.0, &order.from[square].0);
            } else {
                preferences.to[square] = of_kinds[kind] + L::dot(&hidden.0, &order.to[square].0);
            }
        }
        let mut rest = self.ways;
        while rest != 0 {
            let way = rest.trailing_zeros() as usize % WAYS;
            rest &= rest - 1;
            preferences.ways[way] = L::dot(&hidden.0, &order.ways[way].0);
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
    use crate::board::{Player, squares};
    use crate::movegen::{self, tests::random_game};

    fn compiled() -> OrderWeights {
        parse(WEIGHTS).expect("the compiled-in weights")
    }

    /// The amazon's moves on a board.
    fn moves(board: &Board) -> Vec<(Square, Square)> {
        let turns = movegen::moves(board).into_iter();
        let mut moves: Vec<_> = turns.map(|turn| (turn.from, turn.to)).collect();
        moves.dedup();
        moves
    }

    /// The log-odds of moves.
    fn found(order: &Order, board: &Board, moves: &[(Square, Square)]) -> Vec<i32> {
        let mut preferences = Preferences::default();
        preferences.find(order, board, moves.iter().copied());
        let log_odds = |&(from, to): &(Square, Square)| preferences.log_odds(from, to);
        moves.iter().map(log_odds).collect()
    }

    #[test]
    fn every_number_of_lanes_finds_the_same() {
        let (order, game) = (compiled().order(), random_game(1));
        let [plain, vectors @ ..] = [1, 4, MAX_LANES].map(|most| {
            MOST_LANES.set(most);
            let all = game.iter().map(|board| found(&order, board, &moves(board)));
            all.collect::<Vec<_>>()
        });
        assert_eq!(vectors, [plain.clone(), plain]);
    }

    /// By the definition, filter by filter and symmetry by symmetry, from the weights without repetitions.
    #[test]
    fn log_odds_are_those_of_the_definition() {
        let weights = compiled();
        let order = weights.order();
        for board in random_game(2) {
            let moves = moves(&board);
            let kinds = rows_of::<u64>(&board).map(|row| usize::from(row) / 64);
            let hidden = |filter: usize, symmetry: usize| {
                let row = |square: usize| {
                    weights.rows[64 * kinds[square] + turned(square, symmetry)][filter]
                };
                let sum =
                    (0..64).map(row).sum::<i16>() + weights.biases[board.arrow_count()][filter];
                (f64::from(sum) / f64::from(UNIT)).clamp(0.0, 1.0).powi(2)
            };
            for (&(from, to), found) in moves.iter().zip(found(&order, &board, &moves)) {
                let (from, to) = (from.index(), to.index());
                let way = usize::from(WAYS_BETWEEN[from][to]);
                let mut log_odds = 0.0;
                for (filter, symmetry) in
                    (0..NumberRow::LEN).map(|at| (at / SYMMETRIES, at % SYMMETRIES))
                {
                    let weight = weights.from[turned(from, symmetry)][filter]
                        + weights.to[turned(to, symmetry)][filter]
                        + weights.ways[turned_way(way, symmetry)][filter]
                        + weights.kinds[kinds[from]][filter]
                        + weights.kinds[kinds[to]][filter];
                    log_odds += hidden(filter, symmetry) * f64::from(weight) / f64::from(HEAD_UNIT);
                }
                let found = f64::from(found) / f64::from(LOG_ODDS_ONE);
                assert!(
                    (found - log_odds).abs() < 1e-5,
                    "{board}: {found} {log_odds}"
                );
            }
        }
    }

    #[test]
    fn what_is_preferred_turns_with_the_board() {
        let turn =
            |square: Square, symmetry| Square::wrapping(turned(square.index(), symmetry) as u32);
        let order = compiled().order();
        for board in random_game(3) {
            let moves = moves(&board);
            let found_here = found(&order, &board, &moves);
            for symmetry in 1..SYMMETRIES {
                let image =
                    |set| squares(set).fold(0, |image, at| image | turn(at, symmetry).bit());
                let [black, white] =
                    [Player::Black, Player::White].map(|player| image(board.amazons(player)));
                let turned_board =
                    Board::from_sets(black, white, image(board.arrows()), board.to_move());
                let turned_moves: Vec<_> = moves
                    .iter()
                    .map(|&(from, to)| (turn(from, symmetry), turn(to, symmetry)))
                    .collect();
                let turned_board = turned_board.expect("four amazons a side");
                assert_eq!(
                    found(&order, &turned_board, &turned_moves),
                    found_here,
                    "{board}"
                );
            }
        }
    }
}
