//! The essence of a position: what decides who wins. Positions with the same essence have the same winner.
//!
//! The board falls into regions (`solver/parts.rs`). In a region with amazons of one player only, this player makes some number of
//! moves, and nobody can change it. Such a region is an integer of combinatorial game theory, and so are many in which both players
//! have amazons. Of all integers only the sum counts: by how many moves black is ahead. Who is not ahead need not move there, and who
//! is ahead has one move there that matters: it leaves one less (Berlekamp, Conway and Guy 1982).
//!
//! The smaller ones of the other regions are set aside. Each player is ahead there by some moves for sure, and in the rest by those
//! of a fortress. Together that may be enough.

use super::parts::{Part, Parts};
use super::table::Key;
use crate::board::{Board, Player};
use crate::mcts::endgame::{Rivals, fill::reached};
use crate::mcts::tree::HalfMove;

/// Most empty squares that are set aside.
const MOST_ASIDE: u32 = 8;

/// By how many moves a player has to be ahead for sure in what is set aside, at most: more is rarely found.
const MOST_NEEDED: i32 = 3;

/// What decides who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Essence {
    /// The regions that are not counted, black first.
    open: Part,
    /// By how many moves black is ahead in the regions that are counted, and besides.
    ahead: i32,
    /// The amazons in the regions that are counted.
    counted: u64,
    /// The squares of the smaller regions that are not counted.
    aside: u64,
    to_move: Player,
}

/// Finds essences, and remembers what it found out about parts of the board.
#[derive(Default)]
pub struct Essences {
    parts: Parts,
}

impl Essences {
    /// The essence of a position in which black has so many moves besides those on the board, less white's.
    pub fn of(&mut self, board: &Board, besides: i32) -> Essence {
        let whole = Part {
            amazons: [Player::Black, Player::White].map(|player| board.amazons(player)),
            empty: board.empty(),
        };
        let (mut ahead, mut open) = (besides, 0);
        let (mut size, mut largest) = (0, Part::NONE);
        for region in whole.regions() {
            match self.parts.integer(region) {
                Some(moves) => ahead += moves,
                None => {
                    open |= region.squares();
                    size += region.size();
                    if region.size() > largest.size() {
                        largest = region;
                    }
                }
            }
        }
        let aside = if size <= MOST_ASIDE {
            open
        } else if size - largest.size() <= MOST_ASIDE {
            open & !largest.squares()
        } else {
            0
        };
        let [black, white] = whole.amazons;
        Essence {
            open: whole.within(open),
            ahead,
            counted: (black | white) & !open,
            aside,
            to_move: board.to_move(),
        }
    }

    /// The winner of a position, as far as what is set aside and a fortress in the rest show it.
    pub fn winner(&mut self, essence: &Essence) -> Option<Player> {
        let Essence { aside, to_move, .. } = *essence;
        if aside | essence.counted == 0 {
            return None;
        }
        let open = match to_move {
            Player::Black => essence.open,
            Player::White => essence.open.turned(),
        };
        let (rest, aside) = (open.within(!aside), open.within(aside));
        let rest = Rivals::of(rest.amazons, rest.empty);
        let mut needed = |own, is_first| {
            let lead = if own == 0 {
                essence.lead()
            } else {
                -essence.lead()
            };
            let ahead = rest.ahead(own, is_first, lead + MOST_NEEDED, self.parts.fill())?;
            Some(-ahead - lead)
        };
        // Who is to move can move in the rest, or in what is set aside.
        let [in_rest, in_aside] = [true, false].map(|is_first| needed(0, is_first));
        let for_other = needed(1, false);
        let parts = &mut self.parts;
        let mut keeps = |part: Part, needed: i32| parts.wins(part.turned(), needed) == Some(false);
        if in_rest.is_some_and(|needed| keeps(aside, needed)) {
            return Some(to_move);
        }
        if for_other.is_some_and(|needed| keeps(aside.turned(), needed)) {
            return Some(!to_move);
        }
        let wins = parts.wins(aside, -in_aside?) == Some(true);
        wins.then_some(to_move)
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

    /// The squares that black and white reach in the regions that are not counted.
    pub fn reached(&self) -> [u64; 2] {
        self.open
            .amazons
            .map(|amazons| reached(amazons, self.open.empty))
    }

    /// The amazons in the regions that are counted.
    pub const fn counted(&self) -> u64 {
        self.counted
    }

    /// Under which key the position is remembered.
    pub const fn key(&self) -> Key {
        self.key_of(self.open, 0)
    }

    /// Under which key the position is remembered when an amazon of a region that is not counted has moved, and is to shoot.
    pub fn key_behind(&self, amazon: HalfMove) -> Key {
        let moved = amazon.from().bit() | amazon.to().bit();
        let mut open = self.open;
        open.amazons[self.to_move as usize] ^= moved;
        open.empty ^= moved;
        self.key_of(open, 1 + amazon.to().index() as u64)
    }

    /// The essence when the player to move, who is ahead, has made a move that leaves one less.
    pub fn behind_fill(&self) -> Essence {
        Essence {
            ahead: self.ahead - self.ahead.signum(),
            to_move: !self.to_move,
            ..*self
        }
    }

    /// The key of a part, black first, with the player to move. `shooter`: one more than the square of the amazon that is to shoot,
    /// or 0.
    const fn key_of(&self, part: Part, shooter: u64) -> Key {
        let words = [
            part.amazons[0],
            part.amazons[1],
            part.empty,
            shooter << 1 | self.to_move as u64,
        ];
        Key::new(words, self.lead())
    }
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
