//! Canonical positions: the facts that decide the winner. Positions with equal canonical forms have the same winner.
//!
//! The board splits into regions (`solver/parts.rs`). In a region with amazons of only one player, this player has a
//! fixed number of moves, so the region is an integer in combinatorial game theory. Many regions with amazons of both
//! players are integers, too. Such resolved regions matter only through their sum: black's lead in moves. A player
//! without a lead need not move there; a player with a lead has one relevant move there, which reduces the lead by one
//! (Berlekamp, Conway and Guy 1982).
//!
//! Among the unresolved regions, the small ones are solved separately. A proven lead in the small regions plus a
//! fortress in the rest may be enough to prove the winner.

use super::parts::{Part, Parts};
use super::table::Key;
use engine::board::{Board, Player};
use engine::inspect::HalfMove;
use engine::mcts::endgame::Rivals;

/// Maximum number of empty squares, in total, of the regions that are searched exhaustively on their own.
const MOST_ASIDE: u32 = 8;

/// Maximum lead, in moves, that is looked for in the small regions; larger leads are rare there.
const MOST_NEEDED: i32 = 3;

/// Canonical form of a position: positions with equal canonical forms have the same winner.
#[derive(Clone, Copy)]
pub struct Essence {
    /// Regions in which neither the winner nor the number of moves is known yet, from black's view.
    open: Part,
    /// Empty squares of `open` that black and white reach, as bitboards.
    reached: [u64; 2],
    /// Black's lead in moves, summed over the regions with a known number of moves, plus black's extra tempi.
    ahead: i32,
    /// Amazons in regions with a known number of moves, as a bitboard.
    pub counted: u64,
    /// Squares of those regions in `open` that are small enough for exhaustive search, as a bitboard.
    aside: u64,
    to_move: Player,
}

/// Computes canonical forms of positions, and caches the results of searches of parts of the board.
#[derive(Default)]
pub struct Essences {
    parts: Parts,
}

impl Essences {
    /// Returns the canonical form of `board`, where black has `besides` more extra tempi than white.
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

    /// Returns the winner if it is proven without a search of the whole position.
    pub fn winner(&mut self, essence: &Essence) -> Option<Player> {
        if self.is_won(essence) {
            Some(essence.to_move)
        } else if self.is_lost(essence) {
            Some(!essence.to_move)
        } else {
            None
        }
    }

    /// Tests if the side to move is proven to win without a search of the whole position.
    fn is_won(&mut self, essence: &Essence) -> bool {
        self.is_ahead(essence, 0, true) || self.wins_aside(essence) == Some(true)
    }

    /// Tests if the side to move is proven to lose without a search of the whole position.
    pub fn is_lost(&mut self, essence: &Essence) -> bool {
        self.is_ahead(essence, 1, false)
    }

    /// Tests if player `own` (0 for the side to move, 1 for the opponent) is proven to win, by counting moves, or by a
    /// fortress in the rest plus a search of the small regions. If `is_first`, player `own` moves first in the rest;
    /// the opponent moves first in the small regions.
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

    /// Tests if the side to move wins by a move in one of the small regions, if a fortress secures the rest of the
    /// board. Returns `None` if neither a win nor a loss is proven.
    fn wins_aside(&mut self, essence: &Essence) -> Option<bool> {
        let (aside, rest) = essence.split()?;
        let lead = essence.lead();
        let in_rest = rest.ahead(0, false, lead + MOST_NEEDED, self.parts.fill())?;
        self.parts.wins(aside, in_rest + lead)
    }
}

impl Essence {
    /// Returns the lead of the side to move in regions with a known number of moves, plus its extra tempi.
    pub const fn lead(&self) -> i32 {
        match self.to_move {
            Player::Black => self.ahead,
            Player::White => -self.ahead,
        }
    }

    /// Returns amazons and reachable squares of both players in the regions that are still open, the side to move
    /// first.
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

    /// Splits the regions that are still open into the small ones, from the view of the side to move, and the rest.
    /// Returns `None` if no open region is small.
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

    /// Returns the number of empty squares that both players reach, in regions that are still open.
    pub const fn contested(&self) -> u32 {
        let [black, white] = self.reached;
        (black & white).count_ones()
    }

    /// Returns an estimate of the lead of the side to move: the number of squares that only this side reaches, minus
    /// the number of squares that the opponent reaches, plus the lead in regions with a known number of moves.
    pub fn lead_in_squares(&self) -> i32 {
        let [own, other] = self.rivals().reached;
        (own & !other).count_ones() as i32 - other.count_ones() as i32 + self.lead()
    }

    /// Returns the key of this position in the transposition table.
    pub const fn key(&self) -> Key {
        self.key_of(self.open, 0)
    }

    /// Returns the transposition-table key of the node after the amazon's move `amazon` and before the arrow.
    pub fn key_behind(&self, amazon: HalfMove) -> Key {
        let moved = amazon.from().bit() | amazon.to().bit();
        let mut open = self.open;
        open.amazons[self.to_move as usize] ^= moved;
        open.empty ^= moved;
        self.key_of(open, 1 + amazon.to().index() as u64)
    }

    /// Returns the canonical form after the side to move, which must have the lead, makes a move in a region with a
    /// known number of moves. The lead shrinks by one.
    pub fn behind_fill(&self) -> Essence {
        Essence {
            ahead: self.ahead - self.ahead.signum(),
            to_move: !self.to_move,
            ..*self
        }
    }

    /// Returns the transposition-table key of `part`, which is given from black's view. `shooter` is 0 if an amazon's
    /// move is due, otherwise the square of the shooting amazon plus one.
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

    /// Files of `amazons solve --keep` contain keys. If this test fails, increase the format number of these files.
    #[test]
    fn table_keys_match_the_saved_file_format() {
        let mut board = Board::start();
        board
            .play("c1 c6 f6".parse().expect("a move"))
            .expect("legal");
        let key = Essences::default().of(&board, 3).key();
        let expected = "Key { place: 42c5f73812963a3a, check: 7d4f7df068de7c97, lead: fffffffd }";
        assert_eq!(format!("{key:x?}"), expected);
    }
}
