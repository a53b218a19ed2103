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
use engine::mcts::endgame::Sides;

/// Maximum number of empty squares, in total, of the regions that are searched exhaustively on their own.
const MAX_SMALL_REGIONS: u32 = 8;

/// Maximum lead, in moves, that is looked for in the small regions; larger leads are rare there.
const MAX_SMALL_LEAD: i32 = 3;

/// Canonical form of a position: positions with equal canonical forms have the same winner.
#[derive(Clone, Copy)]
pub struct Canonical {
    /// Regions in which neither the winner nor the number of moves is known yet, from black's view.
    open: Part,
    /// Empty squares of `open` that black and white reach, as bitboards.
    reached: [u64; 2],
    /// Black's lead in moves, summed over the regions with a known number of moves, plus black's extra tempi.
    resolved_lead: i32,
    /// Amazons in regions with a known number of moves, as a bitboard.
    pub resolved: u64,
    /// Squares of those regions in `open` that are small enough for exhaustive search, as a bitboard.
    small_regions: u64,
    to_move: Player,
}

/// Computes canonical forms of positions, and caches the results of searches of parts of the board.
#[derive(Default)]
pub struct CanonicalForms {
    parts: Parts,
}

impl CanonicalForms {
    /// Returns the canonical form of `board`, where black has `extra_tempi` more extra tempi than white.
    pub fn of(&mut self, board: &Board, extra_tempi: i32) -> Canonical {
        let whole = Part {
            amazons: [Player::Black, Player::White].map(|player| board.amazons(player)),
            empty: board.empty(),
        };
        let (mut resolved_lead, mut open) = (extra_tempi, 0);
        let (mut size, mut largest) = (0, Part::NONE);
        for region in whole.regions() {
            match self.parts.integer(region) {
                Some(moves) => resolved_lead += moves,
                None => {
                    open |= region.squares();
                    size += region.size();
                    if region.size() > largest.size() {
                        largest = region;
                    }
                }
            }
        }
        let small_regions = if size <= MAX_SMALL_REGIONS {
            open
        } else if size - largest.size() <= MAX_SMALL_REGIONS {
            open & !largest.squares()
        } else {
            0
        };
        let [black, white] = whole.amazons;
        let resolved = (black | white) & !open;
        let open = whole.within(open);
        Canonical {
            open,
            reached: Sides::of(open.amazons, open.empty).reached,
            resolved_lead,
            resolved,
            small_regions,
            to_move: board.to_move(),
        }
    }

    /// Returns the winner if it is proven without a search of the whole position.
    pub fn winner(&mut self, canonical: &Canonical) -> Option<Player> {
        if self.is_won(canonical) {
            Some(canonical.to_move)
        } else if self.is_lost(canonical) {
            Some(!canonical.to_move)
        } else {
            None
        }
    }

    /// Tests if the side to move is proven to win without a search of the whole position.
    fn is_won(&mut self, canonical: &Canonical) -> bool {
        self.is_proven_ahead(canonical, 0, true)
            || self.wins_in_small_region(canonical) == Some(true)
    }

    /// Tests if the side to move is proven to lose without a search of the whole position.
    pub fn is_lost(&mut self, canonical: &Canonical) -> bool {
        self.is_proven_ahead(canonical, 1, false)
    }

    /// Tests if player `own` (0 for the side to move, 1 for the opponent) is proven to win, by counting moves, or by a
    /// fortress in the rest plus a search of the small regions. If `is_first`, player `own` moves first in the rest;
    /// the opponent moves first in the small regions.
    fn is_proven_ahead(&mut self, canonical: &Canonical, own: usize, is_first: bool) -> bool {
        let lead = match own {
            0 => canonical.lead(),
            _ => -canonical.lead(),
        };
        let mut resolved_lead =
            |open_sides: Sides, more| open_sides.lead(own, is_first, more, self.parts.fill());
        if resolved_lead(canonical.open_sides(), lead).is_some() {
            return true;
        }
        let Some((small_regions, rest)) = canonical.split() else {
            return false;
        };
        let Some(in_rest) = resolved_lead(rest, lead + MAX_SMALL_LEAD) else {
            return false;
        };
        let others = [small_regions.turned(), small_regions][own];
        self.parts.wins(others, -in_rest - lead) == Some(false)
    }

    /// Tests if the side to move wins by a move in one of the small regions, if a fortress secures the rest of the
    /// board. Returns `None` if neither a win nor a loss is proven.
    fn wins_in_small_region(&mut self, canonical: &Canonical) -> Option<bool> {
        let (small_regions, rest) = canonical.split()?;
        let lead = canonical.lead();
        let in_rest = rest.lead(0, false, lead + MAX_SMALL_LEAD, self.parts.fill())?;
        self.parts.wins(small_regions, in_rest + lead)
    }
}

impl Canonical {
    /// Returns the lead of the side to move in regions with a known number of moves, plus its extra tempi.
    pub const fn lead(&self) -> i32 {
        match self.to_move {
            Player::Black => self.resolved_lead,
            Player::White => -self.resolved_lead,
        }
    }

    /// Returns amazons and reachable squares of both players in the regions that are still open, the side to move
    /// first.
    fn open_sides(&self) -> Sides {
        let [black, white] = self.reached;
        Sides {
            amazons: self.open.of(self.to_move).amazons,
            reached: match self.to_move {
                Player::Black => [black, white],
                Player::White => [white, black],
            },
        }
    }

    /// Splits the regions that are still open into the small ones, from the view of the side to move, and the rest.
    /// Returns `None` if no open region is small.
    fn split(&self) -> Option<(Part, Sides)> {
        let small_regions = self.open.within(self.small_regions).of(self.to_move);
        (small_regions.empty != 0).then(|| {
            let Sides { amazons, reached } = self.open_sides();
            let rest = Sides {
                amazons: amazons.map(|set| set & !self.small_regions),
                reached: reached.map(|set| set & !self.small_regions),
            };
            (small_regions, rest)
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
        let [own, other] = self.open_sides().reached;
        (own & !other).count_ones() as i32 - other.count_ones() as i32 + self.lead()
    }

    /// Returns the key of this position in the transposition table.
    pub const fn key(&self) -> Key {
        self.key_of(self.open, 0)
    }

    /// Returns the transposition-table key of the node after the amazon's move `amazon` and before the arrow.
    pub fn key_after_amazon(&self, amazon: HalfMove) -> Key {
        let moved = amazon.from().bit() | amazon.to().bit();
        let mut open = self.open;
        open.amazons[self.to_move as usize] ^= moved;
        open.empty ^= moved;
        self.key_of(open, 1 + amazon.to().index() as u64)
    }

    /// Returns the canonical form after the side to move, which must have the lead, makes a move in a region with a
    /// known number of moves. The lead shrinks by one.
    pub fn after_fill(&self) -> Canonical {
        Canonical {
            resolved_lead: self.resolved_lead - self.resolved_lead.signum(),
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
        let key = CanonicalForms::default().of(&board, 3).key();
        let expected = "Key { place: 42c5f73812963a3a, check: 7d4f7df068de7c97, lead: fffffffd }";
        assert_eq!(format!("{key:x?}"), expected);
    }
}
