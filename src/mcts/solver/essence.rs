//! The essence of a position: what decides who wins. Positions with the same essence have the same winner.
//!
//! The board falls into regions: what hangs together over empty squares and amazons, with arrows around. In a region with
//! amazons of one player only, this player makes some number of moves, and nobody can change it. Such a region is an integer
//! of combinatorial game theory, so of all these regions only the sum counts: by how many moves black is ahead. Who is not
//! ahead need not move there, and who is ahead has one move there that matters, a step of a longest fill
//! (Berlekamp, Conway and Guy 1982).

use super::table::Key;
use crate::board::{Board, Move, Player};
use crate::mcts::endgame::fill::{Continuations, Fill, Side, connected};
use crate::mcts::tree::HalfMove;

/// Work that counting the moves of one region may take; without a result the region stays as it is.
const REGION_BUDGET: u32 = 4_000;

/// What decides who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Essence {
    /// The amazons of black and white in regions that are not counted.
    amazons: [u64; 2],
    /// The empty squares of these regions.
    empty: u64,
    /// By how many moves black is ahead in the regions that are counted, and besides.
    ahead: i32,
    /// The amazons in the regions that are counted.
    counted: u64,
    to_move: Player,
}

/// Finds essences, and remembers the regions that it has counted.
pub struct Essences {
    fill: Fill,
}

impl Default for Essences {
    fn default() -> Essences {
        Essences {
            fill: Fill::remembering(REGION_BUDGET, REGION_BUDGET),
        }
    }
}

impl Essences {
    /// The essence of a position in which black has so many moves besides those on the board, less white's.
    pub fn of(&mut self, board: &Board, besides: i32) -> Essence {
        let mut essence = Essence {
            amazons: [0; 2],
            empty: 0,
            ahead: besides,
            counted: 0,
            to_move: board.to_move(),
        };
        for region in regions(board) {
            match self.moves(&region) {
                Some([black, white]) => {
                    essence.ahead += black as i32 - white as i32;
                    essence.counted |= region.amazons[0] | region.amazons[1];
                }
                None => {
                    essence.amazons[0] |= region.amazons[0];
                    essence.amazons[1] |= region.amazons[1];
                    essence.empty |= region.empty;
                }
            }
        }
        essence
    }

    /// The number of moves that black and white make in a region, if only one of them has amazons there and counting within
    /// the budget shows it.
    fn moves(&mut self, region: &Region) -> Option<[u32; 2]> {
        let mut alone = |amazons| {
            let empty = region.empty;
            self.fill.budget = REGION_BUDGET;
            self.fill.most_moves(Side { amazons, empty }, 0).exactly()
        };
        match region.amazons {
            _ if region.empty == 0 => Some([0, 0]),
            [black, 0] => Some([alone(black)?, 0]),
            [0, white] => Some([0, alone(white)?]),
            _ => None,
        }
    }

    /// A step of a longest fill in a region that is counted, for the player to move; nothing if all of them are full.
    pub fn fill(&mut self, board: &Board) -> Option<Move> {
        let mover = board.to_move() as usize;
        regions(board).find_map(|region| {
            let left = self.moves(&region)?[mover].checked_sub(1)?;
            let (amazons, empty) = (region.amazons[mover], region.empty);
            self.fill.budget = REGION_BUDGET;
            let continuations = Continuations::of(Side { amazons, empty }, 0);
            let mut can_fill = |side| self.fill.can_make(left, side, 0, &mut 0) == Some(true);
            let found = continuations.iter().find(|&(_, side)| can_fill(side));
            found.map(|(turn, _)| turn)
        })
    }
}

impl Essence {
    /// By how many moves the player to move is ahead in the regions that are counted, and besides.
    pub const fn lead(&self) -> i32 {
        match self.to_move {
            Player::Black => self.ahead,
            Player::White => -self.ahead,
        }
    }

    /// The amazons in the regions that are counted.
    pub const fn counted(&self) -> u64 {
        self.counted
    }

    /// Under which key the position is remembered.
    pub const fn key(&self) -> Key {
        self.key_of(self.amazons, self.empty, 0)
    }

    /// Under which key the position is remembered when an amazon of a region that is not counted has moved, and is to shoot.
    pub fn key_behind(&self, amazon: HalfMove) -> Key {
        let moved = amazon.from().bit() | amazon.to().bit();
        let mut amazons = self.amazons;
        amazons[self.to_move as usize] ^= moved;
        self.key_of(amazons, self.empty ^ moved, 1 + amazon.to().index() as u64)
    }

    /// The essence when the player to move, who is ahead, has made a move of a longest fill.
    pub fn behind_fill(&self) -> Essence {
        Essence {
            ahead: self.ahead - self.ahead.signum(),
            to_move: !self.to_move,
            ..*self
        }
    }

    /// The key of these sets with the player to move. `shooter`: one more than the square of the amazon that is to shoot, or 0.
    const fn key_of(&self, amazons: [u64; 2], empty: u64, shooter: u64) -> Key {
        let words = [
            amazons[0],
            amazons[1],
            empty,
            shooter << 1 | self.to_move as u64,
        ];
        Key::new(words, self.lead())
    }
}

/// A region of the board.
struct Region {
    amazons: [u64; 2],
    empty: u64,
}

/// The regions of a board in which amazons stand.
fn regions(board: &Board) -> impl Iterator<Item = Region> {
    let amazons = [Player::Black, Player::White].map(|player| board.amazons(player));
    let empty = board.empty();
    let mut rest = amazons[0] | amazons[1];
    let all = rest | empty;
    std::iter::from_fn(move || {
        let start = rest & rest.wrapping_neg();
        if start == 0 {
            return None;
        }
        let region = connected(start, all);
        rest &= !region;
        Some(Region {
            amazons: amazons.map(|set| set & region),
            empty: empty & region,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of `amazons solve --keep` hold keys: whoever changes them gives these files the next format number.
    #[test]
    fn a_change_of_keys_is_a_change_of_the_format_of_kept_files() {
        let mut board = Board::start();
        board
            .play("c1 c6 f6".parse().expect("a move"))
            .expect("legal");
        let key = Essences::default().of(&board, 3).key();
        let expected = "Key { place: 42c5f73812963a3a, check: 7d4f7df068de7c97, lead: fffffffd }";
        assert_eq!(format!("{key:x?}"), expected);
    }
}
