//! How the players stand against each other, by three counts, and where a line makes a difference to it.

use super::line::Line;
use crate::bitboard::{Slides, union};
use crate::board::{Board, Player, Square, squares};
use crate::tools::analysis::ownership::{Share, shares};
use serde::Serialize;

/// What is looked at, in this order: a count, behind how many plies of a line, and the least difference that is told.
const LOOKED_AT: [(Measure, usize, i32); 4] = [
    (Measure::First, 1, 4),
    (Measure::First, 2, 4),
    (Measure::Nearer, 2, 5),
    (Measure::Moves, 4, 8),
];

/// What is looked at before that for who has made the move: great differences, so that what is said for the best move is
/// not always what is said against the mistake.
const GREAT: [(Measure, usize, i32); 2] = [(Measure::Moves, 4, 16), (Measure::Nearer, 2, 8)];

/// What is counted of each player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Empty squares that the player's amazons reach in fewer moves than the other's.
    First,
    /// Empty squares that the player's amazons reach in fewer king steps than the other's.
    Nearer,
    /// Squares that each of the player's amazons reaches in one move.
    Moves,
}

impl Measure {
    /// The squares that count for a player.
    #[must_use]
    pub fn squares(self, board: &Board, player: Player) -> u64 {
        let sign = match player {
            Player::Black => 1,
            Player::White => -1,
        };
        let closer = |by: fn(&Share) -> i8| {
            let shares = shares(board).into_iter().zip(0..);
            let own = shares.filter(|(share, _)| by(share) * sign > 0);
            own.fold(0, |set, (_, at)| set | 1 << at)
        };
        let set = match self {
            Measure::First => closer(|share| share.queen),
            Measure::Nearer => closer(|share| share.king),
            Measure::Moves => squares(board.amazons(player))
                .map(|amazon| reach(board, amazon))
                .fold(0, |set, reach| set | reach),
        };
        set & board.empty()
    }

    /// Black's count and white's.
    #[must_use]
    pub fn counts(self, board: &Board) -> [u32; 2] {
        [Player::Black, Player::White].map(|player| match self {
            Measure::First | Measure::Nearer => self.squares(board, player).count_ones(),
            Measure::Moves => squares(board.amazons(player))
                .map(|amazon| reach(board, amazon).count_ones())
                .sum(),
        })
    }

    /// By how much a player is ahead.
    fn lead(self, board: &Board, player: Player) -> i32 {
        let [black, white] = self.counts(board).map(|count| count as i32);
        match player {
            Player::Black => black - white,
            Player::White => white - black,
        }
    }

    /// Tests if a player is further ahead at a line's end than at another one's; without that, than before the line.
    #[must_use]
    pub fn is_better_at_the_end(self, line: &Line, other: Option<&Line>, player: Player) -> bool {
        let mean = |boards: &[Board]| {
            let sum: i32 = boards.iter().map(|board| self.lead(board, player)).sum();
            sum as f32 / boards.len() as f32
        };
        let reference = match other {
            Some(other) => other.end(),
            None => std::slice::from_ref(line.before()),
        };
        mean(line.end()) > mean(reference)
    }
}

/// The first count by which a line favours a player against another line, behind how many plies, and the two positions that
/// are compared; without another line, against the position before it, in which the same player is to move.
pub fn difference<'a>(
    line: &'a Line,
    other: Option<&'a Line>,
    player: Player,
) -> Option<(Measure, usize, [&'a Board; 2])> {
    let is_mover = line.before().to_move() == player;
    let great = GREAT.into_iter().filter(|_| is_mover);
    great.chain(LOOKED_AT).find_map(|(measure, plies, least)| {
        let board = line.behind().get(plies - 1)?;
        let reference = match other {
            Some(other) => other.behind().get(plies - 1)?,
            None if plies % 2 == 0 => line.before(),
            None => return None,
        };
        let gain = measure.lead(board, player) - measure.lead(reference, player);
        let is_told = gain >= least && measure.is_better_at_the_end(line, other, player);
        is_told.then_some((measure, plies, [board, reference]))
    })
}

/// The squares that an amazon reaches in one move.
pub fn reach(board: &Board, amazon: Square) -> u64 {
    union(Slides::over(board.empty()).from(amazon.bit())) & board.empty()
}
