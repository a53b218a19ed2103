//! Canonical forms of positions ([`CanonicalForm`]): they contain only the facts that decide the winner. Positions with
//! equal canonical forms have the same winner.
//!
//! The arrows split the board into regions (`solver/subgames.rs`). An integer region is worth a fixed number of moves
//! to one player: its value in combinatorial game theory is an integer. All regions with amazons of only one player are
//! integer regions, and so are many small regions with amazons of both players.
//!
//! Of the integer regions only the sum of their values matters: the number of moves by which black leads in them. The
//! player who is behind need not move in integer regions. For the player who leads, all moves in them are equivalent:
//! each reduces the lead by one (Berlekamp, Conway and Guy 1982).
//!
//! Small regions that are not integer regions are searched on their own. In the remaining regions, a fortress
//! (territory that the opponent cannot enter) may prove a lead. The search and the fortress together may prove the
//! winner of the position.

use super::subgames::{Subgame, SubgameSolver};
use super::table::Key;
use engine::board::{Board, Player};
use engine::inspect::Action;
use engine::mcts::endgame::Sides;

/// Maximum number of empty squares of all small regions of a position together. The small regions are searched
/// exhaustively, apart from the rest of the board.
const MAX_SMALL_REGION_SQUARES: u32 = 8;

/// Maximum lead, in moves, that a player may need in the small regions, so that they are searched for a win of this
/// player. The lead has to make up for the moves by which the player is behind in the other regions.
const MAX_SMALL_REGION_LEAD: i32 = 3;

/// Canonical form of a position: the regions that are not worth a fixed number of moves, the total lead in all other
/// regions, and the side to move. Positions with equal canonical forms have the same winner.
#[derive(Clone, Copy)]
pub struct CanonicalForm {
    /// Regions that are not worth a fixed number of moves, from black's perspective.
    non_integer: Subgame,
    /// Bitboards of the empty squares of `non_integer` that the amazons of black (index 0) and of white (index 1) can
    /// reach in any number of moves.
    reached: [u64; 2],
    /// Number of moves by which black leads in the regions that are worth a fixed number of moves, plus the turns that
    /// black may pass, minus the turns that white may pass. Negative if white leads.
    black_lead: i32,
    /// Bitboard of both players' amazons in regions that are worth a fixed number of moves.
    pub integer_region_amazons: u64,
    /// Bitboard of the small regions, which are searched on their own: all of `non_integer`, or all but its largest
    /// region. 0 if `non_integer` has more than [`MAX_SMALL_REGION_SQUARES`] empty squares even without its largest
    /// region.
    small_regions: u64,
    to_move: Player,
}

/// Computes canonical forms, and proves winners from them without a search of the whole position. Caches the results
/// for small regions.
#[derive(Default)]
pub struct Canonicalizer {
    subgames: SubgameSolver,
}

impl Canonicalizer {
    /// Returns the canonical form of `board`. Black may pass `extra_tempi` turns more than white; if the number is
    /// negative, white may pass more turns than black.
    pub fn canonicalize(&mut self, board: &Board, extra_tempi: i32) -> CanonicalForm {
        let whole = Subgame {
            amazons: [Player::Black, Player::White].map(|player| board.amazons(player)),
            empty: board.empty(),
        };
        let (mut black_lead, mut non_integer) = (extra_tempi, 0);
        let (mut size, mut largest) = (0, Subgame::NONE);
        for region in whole.regions() {
            match self.subgames.integer_value(region) {
                Some(moves) => black_lead += moves,
                None => {
                    non_integer |= region.squares();
                    size += region.size();
                    if region.size() > largest.size() {
                        largest = region;
                    }
                }
            }
        }
        let small_regions = if size <= MAX_SMALL_REGION_SQUARES {
            non_integer
        } else if size - largest.size() <= MAX_SMALL_REGION_SQUARES {
            non_integer & !largest.squares()
        } else {
            0
        };
        let [black, white] = whole.amazons;
        let integer_region_amazons = (black | white) & !non_integer;
        let non_integer = whole.within(non_integer);
        CanonicalForm {
            non_integer,
            reached: Sides::from_amazons(non_integer.amazons, non_integer.empty).reached,
            black_lead,
            integer_region_amazons,
            small_regions,
            to_move: board.to_move(),
        }
    }

    /// Returns the winner if it can be proven without a search of the whole position: by a count of both players'
    /// remaining moves, a search of the small regions, or a fortress (territory that the opponent cannot enter).
    /// Returns `None` if none of these proves the winner.
    pub fn winner(&mut self, canonical: &CanonicalForm) -> Option<Player> {
        if self.is_won(canonical) {
            Some(canonical.to_move)
        } else if self.is_lost(canonical) {
            Some(!canonical.to_move)
        } else {
            None
        }
    }

    /// Tests if the side to move is proven to win: by a count of both players' remaining moves, a search of the small
    /// regions, or a fortress (territory that the opponent cannot enter). `false` does not mean a loss.
    fn is_won(&mut self, canonical: &CanonicalForm) -> bool {
        self.is_proven_for(canonical, 0, true)
            || self.wins_in_small_regions(canonical) == Some(true)
    }

    /// Tests if the side to move is proven to lose: by a count of both players' remaining moves, a search of the small
    /// regions, or a fortress (territory that the opponent cannot enter). `false` does not mean a win.
    pub fn is_lost(&mut self, canonical: &CanonicalForm) -> bool {
        self.is_proven_for(canonical, 1, false)
    }

    /// Tests if `player` (0: side to move, 1: opponent) is proven to win even if the other player moves first in the
    /// small regions. `is_first` tells if `player` moves first in the other regions. The proof is a count of both
    /// players' remaining moves or a fortress (territory that the opponent cannot enter). If necessary, a search of the
    /// small regions completes the proof.
    fn is_proven_for(&mut self, canonical: &CanonicalForm, player: usize, is_first: bool) -> bool {
        let lead = match player {
            0 => canonical.lead(),
            _ => -canonical.lead(),
        };
        let mut proven_lead =
            |sides: Sides, needed| sides.lead(player, is_first, needed, self.subgames.counter());
        if proven_lead(canonical.sides(), lead).is_some() {
            return true;
        }
        let Some((small_regions, rest)) = canonical.split_small_regions() else {
            return false;
        };
        let Some(in_rest) = proven_lead(rest, lead + MAX_SMALL_REGION_LEAD) else {
            return false;
        };
        let opponents_view = [small_regions.swapped(), small_regions][player];
        self.subgames.wins(opponents_view, -in_rest - lead) == Some(false)
    }

    /// Tests if the side to move wins by moving first in the small regions, while a fortress (territory that the
    /// opponent cannot enter) proves a lower bound on its lead in the other regions. Returns `None` if there is no such
    /// fortress, if there are no small regions, or if their search exceeds its limit.
    fn wins_in_small_regions(&mut self, canonical: &CanonicalForm) -> Option<bool> {
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

impl CanonicalForm {
    /// Returns the number of moves by which the side to move leads in the regions that are worth a fixed number of
    /// moves, plus its extra tempi (turns that it may pass). Negative if the opponent leads.
    pub const fn lead(&self) -> i32 {
        match self.to_move {
            Player::Black => self.black_lead,
            Player::White => -self.black_lead,
        }
    }

    /// Returns both players' amazons and reachable squares in the regions that are not worth a fixed number of moves.
    /// Index 0 is the side to move, index 1 the opponent.
    fn sides(&self) -> Sides {
        let [black, white] = self.reached;
        Sides {
            amazons: self.non_integer.in_view_of(self.to_move).amazons,
            reached: match self.to_move {
                Player::Black => [black, white],
                Player::White => [white, black],
            },
        }
    }

    /// Splits the regions that are not worth a fixed number of moves into small regions and the rest. Returns the small
    /// regions from the perspective of the side to move, and the amazons and reachable squares of the rest. Returns
    /// `None` if there are no small regions.
    fn split_small_regions(&self) -> Option<(Subgame, Sides)> {
        let regions = self.non_integer.within(self.small_regions);
        let small_regions = regions.in_view_of(self.to_move);
        (small_regions.empty != 0).then(|| {
            let Sides { amazons, reached } = self.sides();
            let rest = Sides {
                amazons: amazons.map(|set| set & !self.small_regions),
                reached: reached.map(|set| set & !self.small_regions),
            };
            (small_regions, rest)
        })
    }

    /// Returns the number of empty squares that amazons of both players can reach.
    pub const fn contested(&self) -> u32 {
        let [black, white] = self.reached;
        (black & white).count_ones()
    }

    /// Estimates the lead of the side to move, in squares: the squares that only this side can reach, minus all squares
    /// that the opponent can reach. Each move of [`CanonicalForm::lead`] counts as one square.
    pub fn lead_in_squares(&self) -> i32 {
        let [own, other] = self.sides().reached;
        (own & !other).count_ones() as i32 - other.count_ones() as i32 + self.lead()
    }

    /// Returns the transposition-table key of this position, in which an amazon's move (not an arrow) comes next.
    pub const fn key(&self) -> Key {
        self.key_of(self.non_integer, 0)
    }

    /// Returns the transposition-table key of the position after the amazon's move `amazon` and before the arrow of the
    /// same turn.
    pub fn key_after_amazon(&self, amazon: Action) -> Key {
        let moved = amazon.from().bit() | amazon.to().bit();
        let mut non_integer = self.non_integer;
        non_integer.amazons[self.to_move as usize] ^= moved;
        non_integer.empty ^= moved;
        self.key_of(non_integer, 1 + amazon.to().index() as u64)
    }

    /// Returns the canonical form after a filling turn: the side to move spends one move of its lead in a region that
    /// is worth a fixed number of moves, or passes. The lead shrinks by one, and the opponent is to move. Requires that
    /// [`CanonicalForm::lead`] is positive.
    pub fn after_fill(&self) -> CanonicalForm {
        CanonicalForm {
            black_lead: self.black_lead - self.black_lead.signum(),
            to_move: !self.to_move,
            ..*self
        }
    }

    /// Returns the transposition-table key for the regions `subgame` (from black's perspective), with the lead and the
    /// side to move of this position. `shooter` is 0 if an amazon's move comes next. If an arrow comes next, it is 1
    /// plus the index of the square of the amazon that shoots.
    const fn key_of(&self, subgame: Subgame, shooter: u64) -> Key {
        let parts = [
            subgame.amazons[0],
            subgame.amazons[1],
            subgame.empty,
            shooter << 1 | self.to_move as u64,
        ];
        Key::new(parts, self.lead())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pins the hash function of the keys, because the files of `amazons solve --keep` contain these keys. If this test
    /// fails, increase the format number of the files.
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
