//! Subgames: sets of regions of the board, solved on their own. A region is a connected component of empty squares and
//! amazons, enclosed by arrows and the edge of the board.
//!
//! Moves in one region do not affect the others, so the position is the sum of its regions in combinatorial game
//! theory. If a player wins a region as the second to move although the opponent may pass *n* times (has *n* extra
//! tempi), the player leads in that region by at least *n* moves (Berlekamp, Conway and Guy 1982). Small subgames are
//! therefore solved exhaustively, and their results are cached.

use engine::board::Player;
use engine::mcts::endgame::Sides;
use engine::mcts::endgame::fill::{FillCounter, FillMoves, Territory, connected, hash};
use smallvec::SmallVec;

/// Maximum number of empty squares of a region with amazons of both players that is tested for being an integer, that
/// is, equal to a fixed number of moves for one player.
const MAX_INTEGER_REGION: u32 = 6;

/// Maximum work for counting the moves of one region, in units of [`FillCounter::budget`] (about 20 ns).
const REGION_BUDGET: u32 = 4_000;

/// Number of positions that the first attempt to solve a subgame may visit. Every further attempt may visit twice as
/// many as the one before it.
const FIRST_ATTEMPT_POSITIONS: u64 = 8;

/// Maximum number of attempts to solve a subgame; the last may visit 1,024 positions.
const MAX_ATTEMPTS: u8 = 8;

/// Number of entries in the cache of subgames; a power of two.
const CACHE_ENTRIES: usize = 1 << 18;

/// One or several regions of the board, from the perspective of one player (the own player). In all bitboards, bit *n*
/// is square *n*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subgame {
    /// Bitboards of the own player's and of the opponent's amazons, in this order.
    pub amazons: [u64; 2],
    /// Bitboard of the empty squares.
    pub empty: u64,
}

impl Subgame {
    /// Subgame without any squares.
    pub const NONE: Subgame = Subgame {
        amazons: [0; 2],
        empty: 0,
    };

    /// Returns the number of empty squares of the subgame.
    pub const fn size(self) -> u32 {
        self.empty.count_ones()
    }

    /// Returns the same regions from the perspective of the opponent.
    #[must_use]
    pub const fn swapped(self) -> Subgame {
        let [own, other] = self.amazons;
        Subgame {
            amazons: [other, own],
            ..self
        }
    }

    /// Converts a subgame from the perspective of black to that of `player`, or back.
    #[must_use]
    pub const fn in_view_of(self, player: Player) -> Subgame {
        match player {
            Player::Black => self,
            Player::White => self.swapped(),
        }
    }

    /// Returns the bitboard of all squares of the subgame, with and without amazons.
    #[must_use]
    pub const fn squares(self) -> u64 {
        self.amazons[0] | self.amazons[1] | self.empty
    }

    /// Returns the part of the subgame whose squares lie in the bitboard `set`.
    #[must_use]
    pub fn within(self, set: u64) -> Subgame {
        Subgame {
            amazons: self.amazons.map(|amazons| amazons & set),
            empty: self.empty & set,
        }
    }

    /// Iterates over the regions of the subgame, except those without amazons.
    pub fn regions(self) -> impl Iterator<Item = Subgame> {
        let all = self.squares();
        let mut rest = self.amazons[0] | self.amazons[1];
        std::iter::from_fn(move || {
            let start = rest & rest.wrapping_neg();
            if start == 0 {
                return None;
            }
            let region = connected(start, all);
            rest &= !region;
            Some(self.within(region))
        })
    }
}

/// Cache entry of a subgame: the numbers of extra tempi with which its own player, who is to move, is proven to lose or
/// to win.
#[derive(Clone, Copy)]
struct CacheEntry {
    /// Hash of the subgame, to recognise entries of other subgames; 0 if the entry is empty.
    check: u64,
    /// Maximum number of extra tempi with which the own player is proven to lose; `i8::MIN` if none.
    max_lost: i8,
    /// Minimum number of extra tempi with which the own player is proven to win; `i8::MAX` if none.
    min_won: i8,
    /// Number of attempts to solve the subgame that exceeded their limit of positions.
    attempts: u8,
    /// Combinatorial game value of the region if the value is an integer, in moves, positive for the own player. `None`:
    /// not tested yet. `Some(None)`: tested, and not an integer.
    integer: Option<Option<i8>>,
}

impl CacheEntry {
    const NONE: CacheEntry = CacheEntry {
        check: 0,
        max_lost: i8::MIN,
        min_won: i8::MAX,
        attempts: 0,
        integer: None,
    };

    fn wins(&self, extra_tempi: i32) -> Option<bool> {
        if extra_tempi >= self.min_won.into() {
            Some(true)
        } else if extra_tempi <= self.max_lost.into() {
            Some(false)
        } else {
            None
        }
    }
}

/// An option (move) of the side to move. The components are its rank for move ordering (number of squares that the
/// mover reaches minus number that the opponent reaches), the subgame after it from the opponent's perspective, and the
/// opponent's extra tempi.
type RankedOption = (i32, Subgame, i32);

/// Solves small subgames by exhaustive search, and caches the results.
pub struct SubgameSolver {
    cache: Vec<CacheEntry>,
    /// Counts the moves in regions with amazons of only one player.
    counter: FillCounter,
    /// Number of positions visited since this solver was created.
    visited: u64,
    /// Value of `visited` at which the current attempt gives up.
    limit: u64,
}

impl Default for SubgameSolver {
    fn default() -> SubgameSolver {
        SubgameSolver {
            cache: vec![CacheEntry::NONE; CACHE_ENTRIES],
            counter: FillCounter::cached(REGION_BUDGET, REGION_BUDGET),
            visited: 0,
            limit: 0,
        }
    }
}

impl SubgameSolver {
    /// Returns the number of moves by which the own player leads in `region`, if the region is equal to an integer:
    /// then no play changes the lead. Returns `None` if the region is not equal to an integer, is too large for the
    /// test, or exceeds the work budget.
    pub fn integer_value(&mut self, region: Subgame) -> Option<i32> {
        if let Some(lead) = self.uncontested_lead(region) {
            return Some(lead);
        }
        if region.amazons.contains(&0) || region.size() > MAX_INTEGER_REGION {
            return None;
        }
        if let Some(known) = self.entry(region).integer {
            return known.map(i32::from);
        }
        let found = self.find_integer(region);
        self.entry(region).integer = Some(found.map(|lead| lead as i8));
        found
    }

    /// Returns the counter of moves, with its budget reset to [`REGION_BUDGET`].
    pub fn counter(&mut self) -> &mut FillCounter {
        self.counter.budget = REGION_BUDGET;
        &mut self.counter
    }

    /// Returns the number of moves by which the own player leads in a region in which only one player has amazons or no
    /// square is empty. Returns `None` for other regions, or if counting exceeds the budget.
    fn uncontested_lead(&mut self, region: Subgame) -> Option<i32> {
        let Subgame { amazons, empty } = region;
        let mut moves = |amazons| {
            let moves = self
                .counter()
                .bounds_in_region(Territory { amazons, empty }, 0);
            moves.exactly().map(|moves| moves as i32)
        };
        match amazons {
            _ if empty == 0 => Some(0),
            [own, 0] => moves(own),
            [0, other] => Some(-moves(other)?),
            _ => None,
        }
    }

    /// Returns the integer number of moves to which `region` is equal as a combinatorial game, positive for the own
    /// player. Proves by searches that the integer is both a lower and an upper bound on the value. Returns `None` if
    /// there is no such integer.
    fn find_integer(&mut self, region: Subgame) -> Option<i32> {
        self.limit = u64::MAX;
        let mut is_at_least =
            |subgame: Subgame, lead| self.wins_within_limit(subgame.swapped(), lead) == Some(false);
        let (leader_view, sign) =
            match [region, region.swapped()].map(|subgame| is_at_least(subgame, 0)) {
                [true, true] => return Some(0),
                [true, false] => (region, 1),
                [false, true] => (region.swapped(), -1),
                [false, false] => return None,
            };
        let lead = (1..)
            .take_while(|&lead| is_at_least(leader_view, lead))
            .last()?;
        is_at_least(leader_view.swapped(), -lead).then_some(sign * lead)
    }

    /// Tests if the own player of `subgame`, who is to move and has `extra_tempi` extra tempi, wins. Returns `None` if
    /// this attempt exceeds its limit of positions, or if [`MAX_ATTEMPTS`] attempts have failed.
    pub fn wins(&mut self, subgame: Subgame, extra_tempi: i32) -> Option<bool> {
        let known = self.entry(subgame);
        let attempts = known.attempts;
        if let Some(wins) = known.wins(extra_tempi) {
            return Some(wins);
        }
        if let Ok(wins) = self.wins_by_counting(subgame, extra_tempi) {
            self.store(subgame, extra_tempi, wins);
            return Some(wins);
        }
        if attempts == MAX_ATTEMPTS {
            return None;
        }
        self.limit = self.visited + (FIRST_ATTEMPT_POSITIONS << attempts);
        let wins = self.search(subgame, extra_tempi);
        if wins.is_none() {
            self.entry(subgame).attempts = attempts + 1;
        }
        wins
    }

    /// Tests if the own player of `subgame`, who is to move and has `extra_tempi` extra tempi, wins. The limit is
    /// `self.limit`, regardless of earlier attempts; returns `None` if the search exceeds it.
    fn wins_within_limit(&mut self, subgame: Subgame, extra_tempi: i32) -> Option<bool> {
        let counted = self.wins_by_counting(subgame, extra_tempi).ok();
        counted.or_else(|| self.search(subgame, extra_tempi))
    }

    /// Returns the cache entry of `subgame`. Clears the entry first if it belongs to another subgame.
    fn entry(&mut self, subgame: Subgame) -> &mut CacheEntry {
        let [own, other] = subgame.amazons;
        let check = hash([subgame.empty, own, other]);
        let known = &mut self.cache[(check >> 32) as usize % CACHE_ENTRIES];
        if known.check != check {
            *known = CacheEntry {
                check,
                ..CacheEntry::NONE
            };
        }
        known
    }

    /// Stores that the own player of `subgame`, to move with `extra_tempi` extra tempi, wins or loses.
    fn store(&mut self, subgame: Subgame, extra_tempi: i32, wins: bool) {
        let known = self.entry(subgame);
        let extra_tempi = extra_tempi as i8;
        if wins {
            known.min_won = known.min_won.min(extra_tempi);
        } else {
            known.max_lost = known.max_lost.max(extra_tempi);
        }
    }

    /// Tests by counting moves, without a search, if the side to move wins.
    ///
    /// # Errors
    /// If counting does not decide: the number of squares that the opponent reaches minus the number that the side to
    /// move reaches.
    fn wins_by_counting(&mut self, subgame: Subgame, extra_tempi: i32) -> Result<bool, i32> {
        let sides = Sides::from_amazons(subgame.amazons, subgame.empty);
        sides.winner(extra_tempi, self.counter()).ok_or_else(|| {
            let [own, other] = sides.reached.map(|set| set.count_ones() as i32);
            other - own
        })
    }

    /// Tests by exhaustive search if the side to move wins `subgame` with `extra_tempi` extra tempi. Returns `None`
    /// once the number of visited positions exceeds `self.limit`.
    fn search(&mut self, subgame: Subgame, mut extra_tempi: i32) -> Option<bool> {
        let mut contested = 0;
        for region in subgame.regions() {
            match self.uncontested_lead(region) {
                Some(lead) => extra_tempi += lead,
                None => contested |= region.squares(),
            }
        }
        let subgame = subgame.within(contested);
        if let Some(wins) = self.entry(subgame).wins(extra_tempi) {
            return Some(wins);
        }
        self.visited += 1;
        if self.visited > self.limit {
            return None;
        }
        let wins = self.has_winning_option(subgame, extra_tempi)?;
        self.store(subgame, extra_tempi, wins);
        Some(wins)
    }

    /// Tests if the side to move has a winning option. Tests all options by counting moves first; searches the
    /// undecided ones afterwards, in descending order of rank (see [`RankedOption`]). Returns `None` if the search
    /// exceeds `self.limit`.
    fn has_winning_option(&mut self, subgame: Subgame, extra_tempi: i32) -> Option<bool> {
        let mut unresolved: SmallVec<[RankedOption; 64]> = SmallVec::new();
        let mut wins_by =
            |after: Subgame, extra_tempi: i32| match self.wins_by_counting(after, extra_tempi) {
                Ok(loses) => !loses,
                Err(rank) => {
                    unresolved.push((rank, after, extra_tempi));
                    false
                }
            };
        if extra_tempi > 0 && wins_by(subgame.swapped(), 1 - extra_tempi) {
            return Some(true);
        }
        let [amazons, other] = subgame.amazons;
        let empty = subgame.empty;
        for (_, after) in FillMoves::list(Territory { amazons, empty }, 0).iter() {
            let after = Subgame {
                amazons: [other, after.amazons],
                empty: after.empty,
            };
            if wins_by(after, -extra_tempi) {
                return Some(true);
            }
        }
        unresolved.sort_by_key(|&(rank, ..)| -rank);
        for (_, after, extra_tempi) in unresolved {
            if !self.search(after, extra_tempi)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A subgame that exceeds the limit of the first attempt is solved by a later attempt.
    #[test]
    fn later_attempts_may_visit_more_positions() {
        let subgame = Subgame {
            amazons: [1, 1 << 18],
            empty: 0x03_0706,
        };
        let mut solver = SubgameSolver::default();
        let attempts = (1..=MAX_ATTEMPTS).find(|_| solver.wins(subgame, 0).is_some());
        assert!(
            attempts.is_some_and(|attempts| attempts > 1),
            "{attempts:?}"
        );
    }
}
