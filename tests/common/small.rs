//! Small boards, walled off inside the 8×8 board, and exhaustive search for their winners.

use super::Dice;
use engine::board::{Board, Player, squares};
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// A rectangle in the corner of the board.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// Columns, at most eight.
    pub width: usize,
    /// Rows, at most five: the spare amazons stand beyond a wall.
    pub height: usize,
}

impl Area {
    /// Returns the square with a number below `width * height`.
    fn square(self, number: usize) -> u64 {
        1 << (8 * (number / self.width) + number % self.width)
    }

    /// Returns all squares of the area.
    fn squares(self) -> u64 {
        (0..self.width * self.height).fold(0, |set, number| set | self.square(number))
    }

    /// Iterates over all boards with the given numbers of amazons in the area, for both sides to move; all other squares of
    /// the area are empty or arrows.
    pub fn all_boards(self, amazons: [u32; 2]) -> impl Iterator<Item = Board> {
        let size = self.width * self.height;
        let filled = move |number: u64| {
            // Two bits per square encode its content.
            let mut sets = [0_u64; 4];
            for at in 0..size {
                sets[(number >> (2 * at) & 3) as usize] |= self.square(at);
            }
            let [black, white, empty, _] = sets;
            let counts = [black, white].map(u64::count_ones);
            (counts == amazons).then_some(([black, white], empty))
        };
        (0..1 << (2 * size))
            .filter_map(filled)
            .flat_map(move |(inside, empty)| {
                [Player::Black, Player::White].map(|mover| self.board(inside, empty, mover))
            })
    }

    /// Returns the board with the given amazons in the area, at most four per side, and the given empty squares. All other
    /// squares hold arrows.
    #[must_use]
    pub fn board(self, inside: [u64; 2], empty: u64, to_move: Player) -> Board {
        assert!(self.height <= 5 && (inside[0] | inside[1] | empty) & !self.squares() == 0);
        // The last two rows hold the spare amazons, one row for each side.
        let mut amazons = inside;
        for (side, set) in amazons.iter_mut().enumerate() {
            let spare = 4 - set.count_ones();
            *set |= ((1 << spare) - 1) << (8 * (6 + side));
        }
        let arrows = !(amazons[0] | amazons[1] | empty);
        Board::from_bitboards(amazons[0], amazons[1], arrows, to_move).expect("four amazons a side")
    }
}

/// Generates a small board with at most `most_empty` empty squares, and up to four amazons per side in the area.
#[must_use]
pub fn random_small_board(seed: u64, most_empty: u32) -> Board {
    let mut dice = Dice::new(seed);
    loop {
        let area = Area {
            width: 2 + dice.below(5),
            height: 2 + dice.below(4),
        };
        let size = area.width * area.height;
        let density = dice.below(60);
        let mut free = (0..size)
            .filter(|_| dice.below(100) >= density)
            .fold(0, |set, number| set | area.square(number));
        let mut inside = [0_u64; 2];
        for set in &mut inside {
            for _ in 0..1 + dice.below(4) {
                let square = area.square(dice.below(size));
                *set |= square & free;
                free &= !square;
            }
        }
        let to_move = [Player::Black, Player::White][dice.below(2)];
        if free != 0 && free.count_ones() <= most_empty {
            return area.board(inside, free, to_move);
        }
    }
}

/// The amazons of the side to move, those of the opponent, and the empty squares; and the passes that the side to move has
/// left (of the opponent if negative).
type Position = ([u64; 3], i32);

/// Exhaustive search, with a table of the winners.
#[derive(Default)]
pub struct Exhaustive {
    /// Whether the side to move wins. The key joins the empty squares to each side's amazons.
    solved: HashMap<([u64; 2], i32), bool, RandomState>,
}

impl Exhaustive {
    /// Returns the winner.
    pub fn winner(&mut self, board: &Board) -> Player {
        self.winner_with_passes(board, 0)
    }

    /// Returns the winner if black has `passes` passes, or white has `-passes`.
    pub fn winner_with_passes(&mut self, board: &Board, passes: i32) -> Player {
        let mover = board.to_move();
        let passes = match mover {
            Player::Black => passes,
            Player::White => -passes,
        };
        let sets = [board.amazons(mover), board.amazons(!mover), board.empty()];
        if self.wins((sets, passes)) {
            mover
        } else {
            !mover
        }
    }

    /// Returns the maximum number of passes with which the loser still loses.
    pub fn margin(&mut self, board: &Board) -> u32 {
        let winner = self.winner(board);
        let for_loser = match winner {
            Player::Black => -1,
            Player::White => 1,
        };
        let holds = |passes: &i32| self.winner_with_passes(board, passes * for_loser) == winner;
        (1..).take_while(holds).count() as u32
    }

    /// Number of solved positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.solved.len()
    }

    /// Tests if the side to move wins.
    fn wins(&mut self, position: Position) -> bool {
        let ([own, other, empty], passes) = position;
        let key = ([own | empty, other | empty], passes);
        if let Some(&wins) = self.solved.get(&key) {
            return wins;
        }
        let wins = squares(own).any(|from| {
            let left = own & !from.bit();
            squares(reach(from.bit(), empty)).any(|to| {
                let vacated = (empty | from.bit()) & !to.bit();
                squares(reach(to.bit(), vacated)).any(|arrow| {
                    !self.wins(([other, left | to.bit(), vacated & !arrow.bit()], -passes))
                })
            })
        });
        let wins = wins || passes > 0 && !self.wins(([other, own, empty], 1 - passes));
        self.solved.insert(key, wins);
        wins
    }
}

/// Directions of a queen: the shift to the next square, and the columns from which that square is on the board.
const STEPS: [(i32, u64); 8] = {
    let (east, west) = (!0x8080_8080_8080_8080, !0x0101_0101_0101_0101);
    let all = !0;
    [
        (1, east),
        (9, east),
        (-7, east),
        (8, all),
        (-8, all),
        (-1, west),
        (7, west),
        (-9, west),
    ]
};

/// Returns the squares that a queen reaches in one move.
fn reach(from: u64, empty: u64) -> u64 {
    let mut reached = 0;
    for (by, columns) in STEPS {
        let mut at = from;
        loop {
            at &= columns;
            at = if by > 0 { at << by } else { at >> -by };
            if at & empty == 0 {
                break;
            }
            reached |= at;
        }
    }
    reached
}
