//! The forward pass of the order network: the log-odds of the half-moves of a position.
//!
//! They are the sum over the [`images`](crate::tools::training::trainer::images) of the position.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::tables::{AMAZON_TABLES, ARROW_TABLES, MOVE_TABLES};
use super::visits::View;
use crate::bitboard::{Lanes, MAX_LANES};
use crate::board::{Board, Player, Square, squares};
use crate::eval::images::{FILTERS, SYMMETRIES};
use crate::eval::order::{SHOOTER, WAYS, turned_way, way_between};
use crate::eval::{self, Batch, LOG_ODDS_ONE, MAX_LOG_ODDS, Phase, exp};
use crate::mcts::Params;
use crate::movegen::for_each_target;
use crate::tools::training::samples::Position;
use crate::tools::training::trainer::images::{self, Images, Row, hidden};
use crate::tools::training::trainer::weights::Weights;

/// Most moves of amazons in a position: at most four amazons move, to at most 27 squares each.
pub const MAX_MOVES: usize = (4 * 27_usize).next_multiple_of(MAX_LANES);

/// A move of an amazon, or of an arrow from where one stands.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// What it is called in [`View::shares`].
    pub name: u8,
    /// The entries of the [`MOVE_TABLES`] that it looks up: the square that it leaves, the one that it enters, how it goes,
    /// and the kinds of both squares, which are entries of the last table.
    pub entries: [usize; MOVE_TABLES + 1],
}

/// All moves of some amazons: by amazon, then as the move generator finds them. `rows` are those of the squares.
fn turns(board: &Board, amazons: u64, rows: &[u16; 64]) -> Vec<Turn> {
    let kind = |square: Square| usize::from(rows[square.index()]) / 64;
    let mut turns = Vec::with_capacity(MAX_MOVES);
    for (amazon, from) in (0..).zip(squares(amazons)) {
        for_each_target(board, from, |to| {
            let [left, entered] = [from, to].map(Square::index);
            turns.push(Turn {
                name: amazon << 6 | entered as u8,
                entries: [left, entered, way_between(from, to), kind(from), kind(to)],
            });
        });
    }
    turns
}

/// Entries of a table above the hidden layer, at most.
pub const MAX_ENTRIES: usize = 64;

/// The entry in which each image finds what the position has in another, by table.
pub static TURNED: [[[u8; SYMMETRIES]; MAX_ENTRIES]; MOVE_TABLES] = {
    let mut tables = [[[0; SYMMETRIES]; MAX_ENTRIES]; MOVE_TABLES];
    let mut entry = 0;
    while entry < MAX_ENTRIES {
        let mut symmetry = 0;
        while symmetry < SYMMETRIES {
            tables[0][entry][symmetry] = images::TURNED[entry][symmetry];
            tables[1][entry][symmetry] = images::TURNED[entry][symmetry];
            if entry < WAYS {
                tables[2][entry][symmetry] = turned_way(entry, symmetry) as u8;
            }
            tables[3][entry][symmetry] = entry as u8;
            symmetry += 1;
        }
        entry += 1;
    }
    tables
};

/// A position with what the network finds of it.
pub struct Forward {
    /// The row that each square looks up.
    pub rows: [u16; 64],
    pub arrows: usize,
    pub moves: Vec<Turn>,
    /// Places of the tables above the hidden layer among those of [`Weights`].
    pub tables: [usize; MOVE_TABLES],
    /// The hidden layer before its units are clamped and squared.
    pub hidden: Images,
    pub active: Images,
    /// By table above the hidden layer, the entries that some move looks up.
    pub used: [u64; MOVE_TABLES],
    /// The log-odds of each move.
    pub log_odds: [f32; MAX_MOVES],
}

impl Forward {
    /// Looks at a choice.
    #[inline(always)]
    pub fn new<L: Lanes>(weights: &Weights, view: &View) -> Forward {
        let (position, board) = (view.position, board(&view.position));
        let (mut rows, arrows) = (position.rows::<L>(), position.arrows());
        if let Some(shooter) = view.shooter {
            rows[usize::from(shooter)] = (64 * SHOOTER) as u16 + u16::from(shooter);
        }
        let hidden = hidden(weights, 0, arrows, &rows);
        let mut active = hidden;
        for image in 0..SYMMETRIES {
            for filter in 0..FILTERS {
                let number = hidden[image][filter].clamp(0.0, 1.0);
                active[image][filter] = number * number;
            }
        }
        let mut forward = Forward {
            moves: {
                let shooter = view.shooter.map(|shooter| 1 << shooter);
                turns(&board, shooter.unwrap_or(position.mine), &rows)
            },
            rows,
            arrows,
            tables: match view.shooter {
                None => AMAZON_TABLES,
                Some(_) => ARROW_TABLES,
            },
            hidden,
            active,
            used: [0; MOVE_TABLES],
            log_odds: [0.0; MAX_MOVES],
        };
        if view.shooter.is_some() {
            evaluate(&forward.moves, &board, &mut forward.log_odds);
        }
        forward.weigh(weights);
        forward
    }

    /// Tests if the half-moves leave a square.
    #[inline(always)]
    pub fn leaves(&self) -> bool {
        self.tables == AMAZON_TABLES
    }

    /// Adds to the log-odds of all moves what the network says.
    #[inline(always)]
    fn weigh(&mut self, weights: &Weights) {
        for turn in &self.moves {
            let [from, to, way, left, entered] = turn.entries;
            self.used[1] |= 1 << to;
            self.used[2] |= 1 << way;
            self.used[3] |= 1 << entered;
            if self.leaves() {
                self.used[0] |= 1 << from;
                self.used[3] |= 1 << left;
            }
        }
        let mut parts = [[0.0; MAX_ENTRIES]; MOVE_TABLES];
        for number in 0..MOVE_TABLES {
            let table = &weights.tables[self.tables[number]];
            let mut rest = self.used[number];
            while rest != 0 {
                let entry = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                parts[number][entry] = weighted_sum(&self.active, table, &TURNED[number][entry]);
            }
        }
        for (at, turn) in self.moves.iter().enumerate() {
            let [from, to, way, left, entered] = turn.entries;
            let squares = parts[0][from] + parts[1][to] + parts[2][way];
            self.log_odds[at] += squares + (parts[3][left] + parts[3][entered]);
        }
    }

    /// The probabilities of all moves: the softmax of their log-odds. Also returns the logarithm of what divides them.
    #[inline(always)]
    pub fn probabilities(&self) -> ([f32; MAX_MOVES], f64) {
        let moves = self.moves.len();
        let mut max = f32::MIN;
        for at in 0..moves {
            max = max.max(self.log_odds[at]);
        }
        let (mut probabilities, mut sum) = ([0.0; MAX_MOVES], 0.0);
        for at in 0..moves {
            probabilities[at] = exp((self.log_odds[at] - max).max(LEAST));
            sum += probabilities[at];
        }
        for at in 0..moves {
            probabilities[at] /= sum;
        }
        (probabilities, f64::from(max) + f64::from(sum).ln())
    }
}

/// Finds the log-odds of arrows by the evaluation alone, in the unit in which the search makes priors of them.
fn evaluate(arrows: &[Turn], board: &Board, log_odds: &mut [f32; MAX_MOVES]) {
    let mut batch = Batch::default();
    batch.fill(board, arrows.iter().map(|arrow| 1 << arrow.entries[1]));
    eval::evaluate(&mut batch, Phase::behind_arrow(board));
    let unit = LOG_ODDS_ONE as f32 * Params::default().temperature_arrow;
    for (to, found) in log_odds.iter_mut().zip(batch.log_odds()) {
        *to = found.clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS) as f32 / unit;
    }
}

/// A position of a game, with black to move.
fn board(position: &Position) -> Board {
    let Position {
        mine,
        theirs,
        empty,
    } = *position;
    let arrows = !(mine | theirs | empty);
    Board::from_sets(mine, theirs, arrows, Player::Black).expect("four amazons a side")
}

/// The least log-odds from the best move that count: [`exp`] goes no further.
const LEAST: f32 = -80.0;

/// The sum over all images of the hidden layer, weighted by an entry of a table.
#[inline(always)]
fn weighted_sum(active: &Images, table: &[Row], entries: &[u8; SYMMETRIES]) -> f32 {
    let mut sums = [0.0; FILTERS];
    for image in 0..SYMMETRIES {
        let row = &table[usize::from(entries[image])];
        for filter in 0..FILTERS {
            sums[filter] += active[image][filter] * row[filter];
        }
    }
    let mut all = 0.0;
    for sum in sums {
        all += sum;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::Order;
    use super::super::visits::tests::random_samples;
    use super::*;
    use crate::eval::LOG_ODDS_ONE;
    use crate::eval::order::{self, Preferences};
    use crate::tools::training::trainer::head::Head;

    /// What is trained is what is played: the engine's integers find the same log-odds of every half-move. Those of arrows
    /// come on top of the evaluation's.
    #[test]
    fn the_engine_agrees_with_the_model() {
        let weights = Order::parse(order::WEIGHTS).expect("weights");
        let order = order::parse(order::WEIGHTS).expect("weights").order();
        let samples = random_samples(2).into_iter();
        for view in samples.flat_map(|sample| [Some(sample.amazons), sample.arrows]) {
            let Some(view) = view else { continue };
            let board = board(&view.position);
            let found = Forward::new::<u64>(&weights, &view);
            let squares = |turn: &Turn| {
                let [from, to, ..] = turn.entries.map(|entry| Square::wrapping(entry as u32));
                (from, to)
            };
            let shooter = view.shooter.map(|at| Square::wrapping(at.into()));
            let mut preferences = Preferences::default();
            preferences.find(&order, &board, shooter, found.moves.iter().map(squares));
            for (turn, log_odds) in found.moves.iter().zip(found.log_odds) {
                let (from, to) = squares(turn);
                let mut engine = preferences.log_odds(from, to) as f32 / LOG_ODDS_ONE as f32;
                if shooter.is_some() {
                    let mut after = board.clone();
                    after.shoot(to);
                    let black = eval::evaluate_board(&after).clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS);
                    engine += black as f32 / LOG_ODDS_ONE as f32 / 0.64;
                }
                assert!((log_odds - engine).abs() < 1e-4, "{log_odds} {engine}");
            }
        }
    }
}
