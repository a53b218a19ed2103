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
//! The values of small regions that are not integer regions have bounds ([`SubgameSolver::split`]). In the remaining
//! regions, a fortress (territory that the opponent cannot enter) may prove a minimum lead in moves. The bounds and the
//! fortress together may prove the winner of the position.

use super::table::Key;
use engine::board::{Board, Player};
use engine::inspect::Action;
use engine::mcts::endgame::Sides;
use engine::mcts::endgame::subgames::{Parts, Subgame, SubgameSolver};

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
    /// Bitboard of both players' amazons in integer regions: parts of the board, enclosed by arrows, that are worth a
    /// fixed number of free moves to one player.
    pub integer_region_amazons: u64,
    /// What is known of the values of all regions, for black. [`Parts::lead`] contains the turns that a player may pass.
    parts: Parts,
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
        let mut parts = self.subgames.split(whole, 1);
        parts.lead += extra_tempi;
        let [black, white] = whole.amazons;
        let integer_region_amazons = (black | white) & !parts.contested;
        let non_integer = whole.within(parts.contested);
        CanonicalForm {
            non_integer,
            reached: Sides::from_amazons(non_integer.amazons, non_integer.empty).reached,
            parts,
            integer_region_amazons,
            to_move: board.to_move(),
        }
    }

    /// Returns the winner of a position if it can be proven without a search of the whole board. A proof is a count of
    /// both players' remaining moves or a fortress (territory that the opponent cannot enter), with bounds of the values of
    /// small regions. Returns `None` without such a proof.
    pub fn winner(&mut self, canonical: &CanonicalForm) -> Option<Player> {
        if self.is_proven_for(canonical, 0, true) {
            Some(canonical.to_move)
        } else if self.is_lost(canonical) {
            Some(!canonical.to_move)
        } else {
            None
        }
    }

    /// Tests if the side to move is proven to lose without a search of the whole board, see [`Canonicalizer::winner`].
    /// `false` does not mean a win.
    pub fn is_lost(&mut self, canonical: &CanonicalForm) -> bool {
        self.is_proven_for(canonical, 1, false)
    }

    /// Tests if `player` (0: side to move, 1: opponent) is proven to win without a search of the whole board.
    /// `is_first` is true if `player` moves first.
    ///
    /// The winner is proven by a count of both players' remaining moves or by a fortress (territory that the opponent
    /// cannot enter). If this fails, the values of small regions are replaced by their bounds. If `player` moves first, it
    /// does so either in the rest of the board, or in the small region where this gains most.
    fn is_proven_for(&mut self, canonical: &CanonicalForm, player: usize, is_first: bool) -> bool {
        let mut is_proven = |sides: Sides, is_first, extra_tempi| {
            let lead = sides.lead(player, is_first, extra_tempi, self.subgames.counter());
            lead.is_some()
        };
        let Parts {
            contested,
            unbounded,
            bounds: [low, high],
            max_width,
            ..
        } = canonical.parts;
        let sides = canonical.sides();
        let lead = [canonical.lead(), -canonical.lead()][player];
        if is_proven(sides, is_first, lead) {
            return true;
        }
        if unbounded == contested {
            return false;
        }
        let is_black = (player == 0) == (canonical.to_move == Player::Black);
        let lead = lead + if is_black { low } else { -high };
        let rest = sides.within(unbounded);
        is_proven(rest, is_first, lead) || is_first && is_proven(rest, false, lead + max_width - 1)
    }
}

impl CanonicalForm {
    /// Returns the lead of the side to move in tempi: the number of its free moves minus the number of the opponent's.
    /// A region whose value in combinatorial game theory is the integer *n* counts as *n* free moves of the player whom
    /// it favours. Each turn that a player may pass (`extra_tempi` in [`Canonicalizer::canonicalize`]) counts as one
    /// more.
    pub const fn lead(&self) -> i32 {
        [self.parts.lead, -self.parts.lead][self.to_move as usize]
    }

    /// Returns both players' amazons and reachable squares. Leaves out the amazons and squares in integer regions,
    /// whose value in combinatorial game theory is an integer. Index 0: side to move; 1: opponent.
    fn sides(&self) -> Sides {
        Sides {
            amazons: self.non_integer.in_view_of(self.to_move).amazons,
            reached: [self.to_move, !self.to_move].map(|player| self.reached[player as usize]),
        }
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
        let mut after = *self;
        after.parts.lead -= after.parts.lead.signum();
        after.to_move = !after.to_move;
        after
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
