//! Canonical forms of positions: only the facts that decide the winner. Positions with equal forms have the same
//! winner.
//!
//! The board splits into regions (`solver/subgames.rs`). In a region with amazons of only one player, this player has a
//! fixed number of moves, so the region is an integer in combinatorial game theory. Many regions with amazons of both
//! players are integers, too. Only the sum of these resolved regions matters: black's lead, in moves. A player without
//! a lead need not move in them; a player with a lead has one relevant move in them, which reduces the lead by one
//! (Berlekamp, Conway and Guy 1982).
//!
//! The small ones among the unresolved regions are solved separately. A proven lead in the small regions and a fortress
//! in the others (territory that only one player reaches) may together prove the winner.

use super::subgames::{Subgame, SubgameSolver};
use super::table::Key;
use engine::board::{Board, Player};
use engine::inspect::Action;
use engine::mcts::endgame::Sides;

/// Maximum total number of empty squares of the small regions, those that are searched exhaustively on their own.
const MAX_SMALL_REGION: u32 = 8;

/// Maximum lead, in moves, that a player is assumed to have in the small regions; larger leads are rare.
const MAX_SMALL_REGION_LEAD: i32 = 3;

/// Canonical form of a position: the unresolved regions, the lead in the resolved ones, and the side to move. A region
/// is resolved if the number of moves by which a player leads in it is known and fixed.
#[derive(Clone, Copy)]
pub struct Canonical {
    /// Regions that are not equal to a known number of moves, from black's perspective.
    unresolved: Subgame,
    /// Bitboards of the empty squares of `unresolved` that black and white reach, in this order.
    reached: [u64; 2],
    /// Black's lead in moves: the sum over the resolved regions plus black's extra tempi; negative if white leads.
    black_lead: i32,
    /// Bitboard of both players' amazons in resolved regions.
    pub resolved_amazons: u64,
    /// Bitboard of the unresolved regions that are searched exhaustively: all or all but the largest, if they have at
    /// most [`MAX_SMALL_REGION`] empty squares in total, otherwise none.
    small_regions: u64,
    to_move: Player,
}

/// Computes canonical forms and proves winners from them; caches the results of solved subgames.
#[derive(Default)]
pub struct Canonicalizer {
    subgames: SubgameSolver,
}

impl Canonicalizer {
    /// Returns the canonical form of `board`, in which black may pass `extra_tempi` turns more than white (negative:
    /// white more than black).
    pub fn canonicalize(&mut self, board: &Board, extra_tempi: i32) -> Canonical {
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

    /// Returns the winner if counting moves, small subgames or a fortress prove it; `None` if only a search of the
    /// whole position can.
    pub fn winner(&mut self, canonical: &Canonical) -> Option<Player> {
        if self.is_won(canonical) {
            Some(canonical.to_move)
        } else if self.is_lost(canonical) {
            Some(!canonical.to_move)
        } else {
            None
        }
    }

    /// Tests if counting moves, small subgames or a fortress prove that the side to move wins.
    fn is_won(&mut self, canonical: &Canonical) -> bool {
        self.is_proven_for(canonical, 0, true)
            || self.wins_in_small_regions(canonical) == Some(true)
    }

    /// Tests if counting moves, small subgames or a fortress prove that the side to move loses.
    pub fn is_lost(&mut self, canonical: &Canonical) -> bool {
        self.is_proven_for(canonical, 1, false)
    }

    /// Tests if player `own` (0: side to move, 1: opponent) is proven to win: by counting moves or a fortress in all
    /// unresolved regions, or by a fortress in the large ones plus a search of the small ones. `is_first` tells if
    /// `own` moves first where the fortress is; in the small regions, the other player moves first.
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

    /// Tests if the side to move wins by moving first in the small regions, while a fortress secures the other
    /// unresolved regions. Returns `None` if no fortress does so, there are no small regions, or their search exceeds
    /// its limit.
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
    /// Returns the number of moves by which the side to move leads in the resolved regions, those whose value is known;
    /// negative if the opponent leads. Extra tempi (moves in hand elsewhere) are included.
    pub const fn lead(&self) -> i32 {
        match self.to_move {
            Player::Black => self.black_lead,
            Player::White => -self.black_lead,
        }
    }

    /// Returns the amazons and the reachable squares of both players in the unresolved regions, the side to move first.
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

    /// Splits the unresolved regions. Returns the small ones, from the perspective of the side to move, and the amazons
    /// and reachable squares in the others. Returns `None` if no unresolved region is small.
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

    /// Returns the number of empty squares that both players reach.
    pub const fn contested(&self) -> u32 {
        let [black, white] = self.reached;
        (black & white).count_ones()
    }

    /// Estimates the lead of the side to move: number of squares that only this side reaches, minus number of squares
    /// that the opponent reaches, plus the lead in the resolved regions in moves.
    pub fn lead_in_squares(&self) -> i32 {
        let [own, other] = self.sides().reached;
        (own & !other).count_ones() as i32 - other.count_ones() as i32 + self.lead()
    }

    /// Returns the key of this position, with an amazon's move due, in the transposition table.
    pub const fn key(&self) -> Key {
        self.key_of(self.unresolved, 0)
    }

    /// Returns the transposition-table key of the node between the amazon's move `amazon` and its arrow.
    pub fn key_after_amazon(&self, amazon: Action) -> Key {
        let moved = amazon.from().bit() | amazon.to().bit();
        let mut unresolved = self.unresolved;
        unresolved.amazons[self.to_move as usize] ^= moved;
        unresolved.empty ^= moved;
        self.key_of(unresolved, 1 + amazon.to().index() as u64)
    }

    /// Returns the canonical form after the side to move, which must have the lead, makes a move in a resolved region.
    /// The lead shrinks by one, and the opponent is to move.
    pub fn after_fill(&self) -> Canonical {
        Canonical {
            black_lead: self.black_lead - self.black_lead.signum(),
            to_move: !self.to_move,
            ..*self
        }
    }

    /// Returns the transposition-table key of a position with the unresolved regions `subgame`, from black's
    /// perspective. `shooter` is 0 if an amazon's move is due, otherwise 1 plus the index of the square from which the
    /// arrow is shot.
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

    /// Files of `amazons solve --keep` contain table keys. If this test fails, increase the format number of these
    /// files.
    #[test]
    fn table_keys_match_the_saved_file_format() {
        let mut board = Board::start();
        board
            .play("c1 c6 f6".parse().expect("a move"))
            .expect("legal");
        let key = Canonicalizer::default().canonicalize(&board, 3).key();
        let expected =
            "Key { bucket_hash: 42c5f73812963a3a, check: 7d4f7df068de7c97, lead: fffffffd }";
        assert_eq!(format!("{key:x?}"), expected);
    }
}
