//! Canonical forms of positions ([`CanonicalForm`]): they contain only the facts that decide the winner. Positions with
//! equal canonical forms have the same winner.
//!
//! The arrows split the board into regions (`solver/subgames.rs`). An integer region is worth a fixed number of free
//! moves to one player: in combinatorial game theory, the region's value is an integer. All regions with amazons of
//! only one player are integer regions, and so are many small regions with amazons of both players.
//!
//! Of all integer regions only the sum of the free moves matters. The player who has fewer need not move in them. For
//! the other player, all moves in them are equivalent: each spends one free move (Berlekamp, Conway and Guy 1982).
//!
//! Small regions that are not integer regions are searched on their own. In the remaining regions, a fortress
//! (territory that the opponent cannot enter) may prove a lead. The search and the fortress together may prove the
//! winner of the position.

use super::subgames::{Subgame, SubgameSolver};
use super::table::Key;
use engine::board::{Board, Player};
use engine::inspect::Action;
use engine::mcts::endgame::Sides;

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
/// Arrows split the board into regions. Some, the integer regions, are worth a fixed number of free moves to one
/// player. Of them, the form contains only the sum of these numbers. Of all other regions, it contains the amazons and
/// the empty squares.
#[derive(Clone, Copy)]
pub struct CanonicalForm {
    /// Regions of the board that are not integer regions, which are worth a fixed number of free moves to one player.
    /// Index 0 of `amazons` is black, index 1 white.
    non_integer: Subgame,
    /// Empty squares that each player's amazons can reach in any number of moves, as two bitboards. Index 0 is black,
    /// index 1 white. Contains no squares of integer regions, which are worth a fixed number of free moves to one
    /// player.
    reached: [u64; 2],
    /// Number of black's free moves minus number of white's free moves. The free moves of a player are the turns that
    /// it may pass, and the fixed numbers of moves that integer regions are worth to it.
    black_lead: i32,
    /// Bitboard of both players' amazons in integer regions: parts of the board, enclosed by arrows, that are worth a
    /// fixed number of free moves to one player.
    pub integer_region_amazons: u64,
    /// Bitboard of the small regions, which are searched apart from the rest of the board; 0 if there are none. These
    /// are all regions of `non_integer` if they have together at most [`MAX_SMALL_REGION_SQUARES`] empty squares. If
    /// they have more, the largest region is left out. If the others still have more, there are no small regions.
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
    /// Returns the canonical form of `board`: the facts that decide the winner. `extra_tempi` is the number of turns
    /// that black may pass minus the number of turns that white may pass.
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
    /// cannot enter). If this fails, the small regions are searched apart from the rest of the board; this search
    /// assumes that the opponent of `player` makes the first move there.
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

    /// Tests if the side to move wins when it makes the first move in the small regions, which are searched apart from
    /// the rest. In the rest of the board, a fortress (territory that the opponent cannot enter) must prove by at least
    /// how many moves the side to move leads. In the search, this side may pass as many turns.
    ///
    /// Returns `None` if no fortress proves a number, if there are no small regions, or if their search exceeds its
    /// limit.
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
    /// Returns the number of free moves of the side to move minus that of the opponent. The free moves of a player are
    /// the turns that it may pass, and the fixed numbers of moves that some regions are worth to it (integer regions).
    /// Turns to pass are given by the parameter `extra_tempi` of [`Canonicalizer::canonicalize`].
    pub const fn lead(&self) -> i32 {
        match self.to_move {
            Player::Black => self.black_lead,
            Player::White => -self.black_lead,
        }
    }

    /// Returns both players' amazons and reachable squares. Leaves out integer regions, which are worth a fixed number
    /// of free moves to one player. Index 0: side to move; 1: opponent.
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

    /// Separates the small regions, which are searched on their own, from the large regions. Leaves out integer
    /// regions, which are worth a fixed number of free moves to one player. First: the small regions, from the
    /// perspective of the side to move. Second: both players' amazons and reachable squares in the large regions, the
    /// side to move first.
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

    /// Returns the number of empty squares that amazons of both players can reach. Leaves out regions that are proven
    /// to be worth a fixed number of free moves to one player (integer regions).
    pub const fn contested(&self) -> u32 {
        let [black, white] = self.reached;
        (black & white).count_ones()
    }

    /// Estimates by how many squares the side to move is ahead of the opponent. Squares that both players can reach
    /// count for the opponent, so the estimate is pessimistic. A free move ([`CanonicalForm::lead`]) counts as one
    /// square.
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

    /// Returns the canonical form after a filling turn: the side to move spends one free move (it moves in a region
    /// that is worth free moves to it, or passes). The opponent is then to move. Requires that [`CanonicalForm::lead`]
    /// is positive.
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

    /// Compares a key with a stored value, because the files of `amazons solve --keep` contain keys. If this test
    /// fails, the keys have changed: increase the format number of these files.
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
