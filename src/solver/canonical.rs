//! Canonical forms of positions ([`CanonicalForm`]): they contain only the facts that decide the winner. Positions with
//! equal canonical forms have the same winner.
//!
//! The arrows split the board into regions ([`Subgame`]). In an integer region, the value in combinatorial
//! game theory is an integer: the region is worth a fixed number of free moves to one player. Regions with amazons of
//! only one player are integer regions, and so are many small regions with amazons of both players.
//!
//! Of all integer regions only the lead matters: the number of one player's free moves minus the other player's. The
//! player who is behind in free moves need not move in integer regions. For the player who leads, all moves there are
//! equivalent: each spends one free move (Berlekamp, Conway and Guy 1982).
//!
//! Small regions that are not integer regions are searched on their own. In the remaining regions, a fortress
//! (territory that the opponent cannot enter) may prove a minimum lead in moves. The search and the fortress together
//! may prove the winner of the position.

use super::table::Key;
use engine::board::{Board, Player};
use engine::inspect::Action;
use engine::mcts::endgame::Sides;
use engine::mcts::endgame::subgames::{Subgame, SubgameSolver};

/// Maximum number of empty squares, in all of a position's small regions together. Small regions are those parts of the
/// board, enclosed by arrows, that are searched exhaustively and apart from the rest.
const MAX_SMALL_REGION_SQUARES: u32 = 8;

/// Maximum lead, in moves, that a player is expected to gain in the small regions: parts of the board that are searched
/// on their own. If a player is behind by more moves than this in the rest of the board, the small regions are not
/// searched for a win of this player.
const MAX_SMALL_REGION_LEAD: i32 = 3;

/// Canonical form of a position: the facts that decide its winner. Positions with equal canonical forms have the same
/// winner.
///
/// Arrows split the board into regions. An integer region is worth a fixed number of free moves to one player. Of all
/// integer regions, the form contains only the sum of black's free moves minus the sum of white's. Of all other
/// regions, it contains the amazons and the empty squares.
#[derive(Clone, Copy)]
pub struct CanonicalForm {
    /// Regions of the board whose value in combinatorial game theory is not known to be an integer. Index 0 of
    /// `amazons` is black, index 1 white.
    non_integer: Subgame,
    /// Empty squares that each player's amazons can reach in any number of moves, as two bitboards. Index 0 is black,
    /// index 1 white. Contains no squares of integer regions, which are worth a fixed number of free moves to one
    /// player.
    reached: [u64; 2],
    /// Number of black's free moves minus number of white's. A region whose value in combinatorial game theory is the
    /// integer *n* counts as *n* free moves of the player whom it favours. Each turn that a player may pass counts as
    /// one more.
    black_lead: i32,
    /// Bitboard of both players' amazons in integer regions: parts of the board, enclosed by arrows, that are worth a
    /// fixed number of free moves to one player.
    pub integer_region_amazons: u64,
    /// Bitboard of the small regions, which are searched apart from the rest of the board; 0 if there are none. Which
    /// of the regions in `non_integer` are small depends on their numbers of empty squares:
    /// - all regions, if they have together at most [`MAX_SMALL_REGION_SQUARES`]
    /// - all but the largest region, if only without it they have together at most [`MAX_SMALL_REGION_SQUARES`]
    /// - no region, if they have more even without the largest
    small_regions: u64,
    to_move: Player,
}

/// Computes canonical forms of positions ([`CanonicalForm`]): the contested regions of the board, and the number of
/// free moves in the other regions. Proves winners from these forms without a search of the whole board. Caches results
/// of regions, which are the parts of the board enclosed by arrows.
#[derive(Default)]
pub struct Canonicalizer {
    subgames: SubgameSolver,
}

impl Canonicalizer {
    /// Returns the canonical form of `board`: the side to move, the lead in free moves, and the amazons and empty
    /// squares of all regions that are not integer regions. Mirrored positions have different forms. `extra_tempi` is
    /// the number of turns that black may pass minus the number of turns that white may pass.
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

    /// Returns the winner of a position if it can be proven without a search of the whole board. A proof is a count of
    /// both players' remaining moves, a search of small regions on their own, or a fortress (territory that the
    /// opponent cannot enter). Returns `None` without such a proof.
    pub fn winner(&mut self, canonical: &CanonicalForm) -> Option<Player> {
        if self.is_won(canonical) {
            Some(canonical.to_move)
        } else if self.is_lost(canonical) {
            Some(!canonical.to_move)
        } else {
            None
        }
    }

    /// Tests if the side to move is proven to win without a search of the whole board: by a count of both players'
    /// remaining moves, by a search of small regions on their own, or by a fortress (territory that the opponent cannot
    /// enter). `false` does not mean a loss.
    fn is_won(&mut self, canonical: &CanonicalForm) -> bool {
        self.is_proven_for(canonical, 0, true)
            || self.wins_in_small_regions(canonical) == Some(true)
    }

    /// Tests if the side to move is proven to lose without a search of the whole board: by a count of both players'
    /// remaining moves, by a search of small regions on their own, or by a fortress (territory that the opponent cannot
    /// enter). `false` does not mean a win.
    pub fn is_lost(&mut self, canonical: &CanonicalForm) -> bool {
        self.is_proven_for(canonical, 1, false)
    }

    /// Tests if `player` (0: side to move, 1: opponent) is proven to win without a search of the whole board.
    /// `is_first` is true if `player` moves first.
    ///
    /// The winner is proven by a count of both players' remaining moves or by a fortress (territory that the opponent
    /// cannot enter). If this fails, the small regions are searched apart from the rest of the board. The opponent of
    /// `player` makes the first move there; if `player` moves first, it first moves in the rest of the board.
    fn is_proven_for(&mut self, canonical: &CanonicalForm, player: usize, is_first: bool) -> bool {
        let lead = [canonical.lead(), -canonical.lead()][player];
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

    /// Tests if the side to move wins when it makes the first move in the small regions, which are searched apart from
    /// the rest. In the rest of the board, a fortress (territory that the opponent cannot enter) must prove a minimum
    /// lead in moves. In the search, the side to move may pass as many turns as the sum of this lead and
    /// [`CanonicalForm::lead`]; if the sum is negative, the opponent may pass instead.
    ///
    /// Returns `None` if no fortress proves a lead, if there are no small regions, or if their search exceeds its
    /// limit.
    fn wins_in_small_regions(&mut self, canonical: &CanonicalForm) -> Option<bool> {
        let (small_regions, rest) = canonical.split_small_regions()?;
        let lead = canonical.lead();
        let needed = lead + MAX_SMALL_REGION_LEAD;
        let in_rest = rest.lead(0, false, needed, self.subgames.counter())?;
        self.subgames.wins(small_regions, in_rest + lead)
    }
}

impl CanonicalForm {
    /// Returns the lead of the side to move in tempi: the number of its free moves minus the number of the opponent's.
    /// A region whose value in combinatorial game theory is the integer *n* counts as *n* free moves of the player whom
    /// it favours. Each turn that a player may pass (`extra_tempi` in [`Canonicalizer::canonicalize`]) counts as one
    /// more.
    pub const fn lead(&self) -> i32 {
        [self.black_lead, -self.black_lead][self.to_move as usize]
    }

    /// Returns both players' amazons and reachable squares. Leaves out the amazons and squares in integer regions,
    /// whose value in combinatorial game theory is an integer. Index 0: side to move; 1: opponent.
    fn sides(&self) -> Sides {
        Sides {
            amazons: self.non_integer.in_view_of(self.to_move).amazons,
            reached: [self.to_move, !self.to_move].map(|player| self.reached[player as usize]),
        }
    }

    /// Splits the regions that are not integer regions into two parts: the small regions
    /// ([`CanonicalForm::small_regions`]), which are searched on their own, and the rest. Returns the small regions
    /// from the perspective of the side to move. Then follow both players' amazons and reachable squares in the rest,
    /// the side to move first.
    ///
    /// Returns `None` if there are no small regions.
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

    /// Returns the number of empty squares that amazons of both players can reach. Does not count squares in integer
    /// regions, whose value in combinatorial game theory is an integer.
    pub const fn contested(&self) -> u32 {
        let [black, white] = self.reached;
        (black & white).count_ones()
    }

    /// Estimates the lead of the side to move in squares: the squares that only this side can reach, minus all squares
    /// that the opponent can reach, plus the lead in free moves ([`CanonicalForm::lead`]). The estimate is pessimistic,
    /// because squares that both players can reach count for the opponent.
    pub fn lead_in_squares(&self) -> i32 {
        let [own, other] = self.sides().reached;
        (own & !other).count_ones() as i32 - other.count_ones() as i32 + self.lead()
    }

    /// Returns the transposition-table key of this position, in which an amazon's move (not an arrow) comes next.
    pub const fn key(&self) -> Key {
        self.key_of(self.non_integer, 0)
    }

    /// Returns the transposition-table key of the position after `amazon`, an amazon's move of the side to move. In
    /// this position the same amazon must shoot its arrow next.
    pub fn key_after_amazon(&self, amazon: Action) -> Key {
        let moved = amazon.from().bit() | amazon.to().bit();
        let mut non_integer = self.non_integer;
        non_integer.amazons[self.to_move as usize] ^= moved;
        non_integer.empty ^= moved;
        self.key_of(non_integer, 1 + amazon.to().index() as u64)
    }

    /// Returns the canonical form after a filling turn, in which the side to move spends one free move. It moves in a
    /// region that is worth free moves to it, or passes, as `extra_tempi` in [`Canonicalizer::canonicalize`] allows.
    /// The opponent is then to move. Requires that [`CanonicalForm::lead`] is positive.
    pub fn after_fill(&self) -> CanonicalForm {
        CanonicalForm {
            black_lead: self.black_lead - self.black_lead.signum(),
            to_move: !self.to_move,
            ..*self
        }
    }

    /// Computes the transposition-table key of a position with the amazons and empty squares of `subgame`. Index 0 of
    /// `subgame.amazons` is black. The side to move and the free moves ([`CanonicalForm::lead`]) are those of `self`.
    ///
    /// `shooter` is 0 if an amazon must move next. Otherwise it is 1 plus the square index of the amazon that must
    /// shoot next.
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

    /// Checks that a position's key in the transposition table still has its stored value. Such keys are contained in
    /// the files of `amazons solve --keep`. If this test fails, the keys have changed: increase the format number of
    /// these files.
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
