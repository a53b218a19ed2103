//! Canonical positions: the facts that decide the winner. Positions with equal canonical forms have the same winner.
//!
//! The board splits into regions (`solver/subgames.rs`). In a region with amazons of only one player, this player has a
//! fixed number of moves, so the region is an integer in combinatorial game theory. Many regions with amazons of both
//! players are integers, too. Such resolved regions matter only through their sum: black's lead in moves. A player
//! without a lead need not move there; a player with a lead has one relevant move there, which reduces the lead by one
//! (Berlekamp, Conway and Guy 1982).
//!
//! Among the unresolved regions, the small ones are solved separately. A proven lead in the small regions plus a
//! fortress in the rest may be enough to prove the winner.

use super::subgames::{Subgame, SubgameSolver};
use super::table::Key;
use engine::board::{Board, Player};
use engine::inspect::HalfMove;
use engine::mcts::endgame::Sides;

/// Maximum number of empty squares, in total, of the regions that are searched exhaustively on their own.
const MAX_SMALL_REGION: u32 = 8;

/// Maximum lead, in moves, that is looked for in the small regions; larger leads are rare there.
const MAX_SMALL_REGION_LEAD: i32 = 3;

/// Canonical form of a position: positions with equal canonical forms have the same winner.
#[derive(Clone, Copy)]
pub struct Canonical {
    /// Regions in which neither the winner nor the number of moves is known yet, from black's view.
    unresolved: Subgame,
    /// Empty squares of `unresolved` that black and white reach, as bitboards.
    reached: [u64; 2],
    /// Black's lead in moves, summed over the regions with a known number of moves, plus black's extra tempi.
    black_lead: i32,
    /// Amazons in regions with a known number of moves, as a bitboard.
    pub resolved_amazons: u64,
    /// Squares of those regions in `unresolved` that are small enough for exhaustive search, as a bitboard.
    small_regions: u64,
    to_move: Player,
}

/// Computes canonical forms of positions, and caches the results of solved subgames.
#[derive(Default)]
pub struct Canonicalizer {
    subgames: SubgameSolver,
}

impl Canonicalizer {
    /// Returns the canonical form of `board`, where black has `extra_tempi` more extra tempi than white.
    pub fn form(&mut self, board: &Board, extra_tempi: i32) -> Canonical {
        let whole = Subgame {
            amazons: [Player::Black, Player::White].map(|player| board.amazons(player)),
            empty: board.empty(),
        };
        let (mut black_lead, mut unresolved) = (extra_tempi, 0);
        let (mut size, mut largest) = (0, Subgame::NONE);
        for region in whole.regions() {
            match self.subgames.integer_value(region) {
                Some(moves) => black_lead += moves,
                None => {
                    unresolved |= region.squares();
                    size += region.size();
                    if region.size() > largest.size() {
                        largest = region;
                    }
                }
            }
        }
        let small_regions = if size <= MAX_SMALL_REGION {
            unresolved
        } else if size - largest.size() <= MAX_SMALL_REGION {
            unresolved & !largest.squares()
        } else {
            0
        };
        let [black, white] = whole.amazons;
        let resolved_amazons = (black | white) & !unresolved;
        let unresolved = whole.within(unresolved);
        Canonical {
            unresolved,
            reached: Sides::from_amazons(unresolved.amazons, unresolved.empty).reached,
            black_lead,
            resolved_amazons,
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
        self.is_proven_for(canonical, 0, true)
            || self.wins_in_small_regions(canonical) == Some(true)
    }

    /// Tests if the side to move is proven to lose without a search of the whole position.
    pub fn is_lost(&mut self, canonical: &Canonical) -> bool {
        self.is_proven_for(canonical, 1, false)
    }

    /// Tests if player `own` (0 for the side to move, 1 for the opponent) is proven to win, by counting moves, or by a
    /// fortress in the rest plus a search of the small regions. If `is_first`, player `own` moves first in the rest;
    /// the opponent moves first in the small regions.
    fn is_proven_for(&mut self, canonical: &Canonical, own: usize, is_first: bool) -> bool {
        let lead = match own {
            0 => canonical.lead(),
            _ => -canonical.lead(),
        };
        let mut proven_lead =
            |sides: Sides, needed| sides.lead(own, is_first, needed, self.subgames.counter());
        if proven_lead(canonical.sides(), lead).is_some() {
            return true;
        }
        let Some((small_regions, rest)) = canonical.split_small_regions() else {
            return false;
        };
        let Some(in_rest) = proven_lead(rest, lead + MAX_SMALL_REGION_LEAD) else {
            return false;
        };
        let opponents_view = [small_regions.swapped(), small_regions][own];
        self.subgames.wins(opponents_view, -in_rest - lead) == Some(false)
    }

    /// Tests if the side to move wins by a move in one of the small regions, if a fortress secures the rest of the
    /// board. Returns `None` if neither a win nor a loss is proven.
    fn wins_in_small_regions(&mut self, canonical: &Canonical) -> Option<bool> {
        let (small_regions, rest) = canonical.split_small_regions()?;
        let lead = canonical.lead();
        let in_rest = rest.lead(
            0,
            false,
            lead + MAX_SMALL_REGION_LEAD,
            self.subgames.counter(),
        )?;
        self.subgames.wins(small_regions, in_rest + lead)
    }
}

impl Canonical {
    /// Returns the lead of the side to move in regions with a known number of moves, plus its extra tempi.
    pub const fn lead(&self) -> i32 {
        match self.to_move {
            Player::Black => self.black_lead,
            Player::White => -self.black_lead,
        }
    }

    /// Returns amazons and reachable squares of both players in the regions that are still open, the side to move
    /// first.
    fn sides(&self) -> Sides {
        let [black, white] = self.reached;
        Sides {
            amazons: self.unresolved.in_view_of(self.to_move).amazons,
            reached: match self.to_move {
                Player::Black => [black, white],
                Player::White => [white, black],
            },
        }
    }

    /// Splits the regions that are still open into the small ones, from the view of the side to move, and the rest.
    /// Returns `None` if no open region is small.
    fn split_small_regions(&self) -> Option<(Subgame, Sides)> {
        let small_regions = self
            .unresolved
            .within(self.small_regions)
            .in_view_of(self.to_move);
        (small_regions.empty != 0).then(|| {
            let Sides { amazons, reached } = self.sides();
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
        let [own, other] = self.sides().reached;
        (own & !other).count_ones() as i32 - other.count_ones() as i32 + self.lead()
    }

    /// Returns the key of this position in the transposition table.
    pub const fn key(&self) -> Key {
        self.key_of(self.unresolved, 0)
    }

    /// Returns the transposition-table key of the node after the amazon's move `amazon` and before the arrow.
    pub fn key_after_amazon(&self, amazon: HalfMove) -> Key {
        let moved = amazon.from().bit() | amazon.to().bit();
        let mut unresolved = self.unresolved;
        unresolved.amazons[self.to_move as usize] ^= moved;
        unresolved.empty ^= moved;
        self.key_of(unresolved, 1 + amazon.to().index() as u64)
    }

    /// Returns the canonical form after the side to move, which must have the lead, makes a move in a region with a
    /// known number of moves. The lead shrinks by one.
    pub fn after_fill(&self) -> Canonical {
        Canonical {
            black_lead: self.black_lead - self.black_lead.signum(),
            to_move: !self.to_move,
            ..*self
        }
    }

    /// Returns the transposition-table key of `subgame`, which is given from black's view. `shooter` is 0 if an
    /// amazon's move is due, otherwise the square of the shooting amazon plus one.
    const fn key_of(&self, subgame: Subgame, shooter: u64) -> Key {
        let words = [
            subgame.amazons[0],
            subgame.amazons[1],
            subgame.empty,
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
        let key = Canonicalizer::default().form(&board, 3).key();
        let expected =
            "Key { bucket_hash: 42c5f73812963a3a, check: 7d4f7df068de7c97, lead: fffffffd }";
        assert_eq!(format!("{key:x?}"), expected);
    }
}
