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
use engine::board::{Board, Player};
use engine::inspect::HalfMove;
use engine::mcts::endgame::Rivals;

/// Most empty squares that are set aside.
const MOST_ASIDE: u32 = 8;

/// By how many moves a player has to be ahead for sure in what is set aside, at most: more is rarely found.
const MOST_NEEDED: i32 = 3;

/// What decides who wins.
#[derive(Clone, Copy)]
pub struct Essence {
    /// The regions that are not counted, black first.
    open: Part,
    /// The empty squares there that black and white reach.
    reached: [u64; 2],
    /// By how many moves black is ahead in the regions that are counted, and besides.
    ahead: i32,
    /// The amazons in the regions that are counted.
    pub counted: u64,
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
        let counted = (black | white) & !open;
        let open = whole.within(open);
        Essence {
            open,
            reached: Rivals::of(open.amazons, open.empty).reached,
            ahead,
            counted,
            aside,
            to_move: board.to_move(),
        }
    }

    /// The winner of a position, as far as it is certain.
    pub fn winner(&mut self, essence: &Essence) -> Option<Player> {
        if self.is_won(essence) {
            Some(essence.to_move)
        } else if self.is_lost(essence) {
            Some(!essence.to_move)
        } else {
            None
        }
    }

    /// Tests if the player to move wins for certain, who can move in the rest or in what is set aside.
    fn is_won(&mut self, essence: &Essence) -> bool {
        self.is_ahead(essence, 0, true) || self.wins_aside(essence) == Some(true)
    }

    /// Tests if the player to move loses for certain.
    pub fn is_lost(&mut self, essence: &Essence) -> bool {
        self.is_ahead(essence, 1, false)
    }

    /// Tests if a player is ahead for certain, who moves first or second outside of what is set aside, and second there: by
    /// counting, or with a fortress in the rest and by searching what is set aside.
    fn is_ahead(&mut self, essence: &Essence, own: usize, is_first: bool) -> bool {
        let lead = match own {
            0 => essence.lead(),
            _ => -essence.lead(),
        };
        let mut ahead = |rivals: Rivals, more| rivals.ahead(own, is_first, more, self.parts.fill());
        if ahead(essence.rivals(), lead).is_some() {
            return true;
        }
        let Some((aside, rest)) = essence.split() else {
            return false;
        };
        let Some(in_rest) = ahead(rest, lead + MOST_NEEDED) else {
            return false;
        };
        let others = [aside.turned(), aside][own];
        self.parts.wins(others, -in_rest - lead) == Some(false)
    }

    /// Whether the player to move wins by a move in what is set aside, with a fortress in the rest.
    fn wins_aside(&mut self, essence: &Essence) -> Option<bool> {
        let (aside, rest) = essence.split()?;
        let lead = essence.lead();
        let in_rest = rest.ahead(0, false, lead + MOST_NEEDED, self.parts.fill())?;
        self.parts.wins(aside, in_rest + lead)
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

    /// The players in the regions that are not counted, that to move first.
    fn rivals(&self) -> Rivals {
        let [black, white] = self.reached;
        Rivals {
            amazons: self.open.of(self.to_move).amazons,
            reached: match self.to_move {
                Player::Black => [black, white],
                Player::White => [white, black],
            },
        }
    }

    /// What is set aside, from the view of the player to move, and the rest of what is not counted; nothing if nothing is.
    fn split(&self) -> Option<(Part, Rivals)> {
        let aside = self.open.within(self.aside).of(self.to_move);
        (aside.empty != 0).then(|| {
            let Rivals { amazons, reached } = self.rivals();
            let rest = Rivals {
                amazons: amazons.map(|set| set & !self.aside),
                reached: reached.map(|set| set & !self.aside),
            };
            (aside, rest)
        })
    }

    /// How many squares both players reach in the regions that are not counted.
    pub const fn contested(&self) -> u32 {
        let [black, white] = self.reached;
        (black & white).count_ones()
    }

    /// By how many squares what the player to move alone reaches exceeds all that the other one reaches, and the moves that are
    /// counted.
    pub fn lead_in_squares(&self) -> i32 {
        let [own, other] = self.rivals().reached;
        (own & !other).count_ones() as i32 - other.count_ones() as i32 + self.lead()
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
