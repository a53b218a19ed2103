//! Subgames ([`Subgame`]): regions of the board that are solved apart from the rest. A region is a connected component
//! of empty squares and amazons, enclosed by arrows and the edge of the board.
//!
//! Moves in one region do not affect the others, so a position is the sum of its regions in combinatorial game theory.
//! A player leads in a region by at least *n* moves if the player wins it although the opponent moves first and may
//! pass *n* turns (has *n* extra tempi; Berlekamp, Conway and Guy 1982). Small subgames are searched exhaustively, and
//! the results are cached.

use engine::board::Player;
use engine::mcts::endgame::Sides;
use engine::mcts::endgame::fill::{FillCounter, FillMoves, Territory, connected, hash};
use smallvec::SmallVec;

/// Maximum number of empty squares of a region with amazons of both players for which a search tests if its value is an
/// integer, that is, a fixed number of moves by which one player leads.
const MAX_INTEGER_REGION_SQUARES: u32 = 6;

/// Maximum work for counting the moves that a player can make in one region, in steps of about 20 ns (the unit of
/// [`FillCounter::budget`]).
const REGION_BUDGET: u32 = 4_000;

/// Maximum number of positions that the first attempt to solve a subgame visits. Each further attempt may visit twice
/// as many as the previous attempt.
const FIRST_ATTEMPT_POSITIONS: u64 = 8;

/// Maximum number of attempts to solve a subgame. The eighth attempt may visit 8 × 2⁷ = 1,024 positions.
const MAX_ATTEMPTS: u8 = 8;

/// Number of entries in the cache of subgames; a power of two.
const CACHE_ENTRIES: usize = 1 << 18;

/// One or several regions of the board, from the perspective of one player, who is called the own player. Bit *n* of
/// each bitboard is the square with index *n*.
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

    /// Converts a subgame from black's perspective to the perspective of `player`. The same function converts it back.
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

/// Cache entry for a subgame in which the own player is to move: the numbers of extra tempi for which the winner is
/// proven. Extra tempi are turns that the own player may pass; a negative number means turns that the opponent may
/// pass.
#[derive(Clone, Copy)]
struct CacheEntry {
    /// Hash of the subgame that the entry is about, to detect that another subgame uses the same slot. 0 if the entry
    /// is empty.
    check: u64,
    /// Maximum number of extra tempi (turns that the own player may pass) with which the own player is proven to lose;
    /// `i8::MIN` if none.
    max_lost: i8,
    /// Minimum number of extra tempi (turns that the own player may pass) with which the own player is proven to win;
    /// `i8::MAX` if none.
    min_won: i8,
    /// Number of attempts to solve the subgame that failed because they exceeded their limit of positions.
    attempts: u8,
    /// Number of moves by which the own player leads in the subgame, if this number is fixed (an integer in
    /// combinatorial game theory).
    /// - `None`: not tested yet
    /// - `Some(None)`: tested, and not an integer
    /// - `Some(Some(n))`: equal to `n` moves; negative if the opponent leads
    integer_value: Option<Option<i8>>,
}

impl CacheEntry {
    const NONE: CacheEntry = CacheEntry {
        check: 0,
        max_lost: i8::MIN,
        min_won: i8::MAX,
        attempts: 0,
        integer_value: None,
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

/// Option (move or pass) of the side to move; options with a greater rank are searched first.
/// - first: rank, the number of squares that the mover can then reach minus the number that the opponent can reach
/// - second: subgame after the option, from the perspective of the opponent, who is then to move
/// - third: number of turns that the opponent may then pass (extra tempi)
type RankedOption = (i32, Subgame, i32);

/// Solves small subgames by exhaustive search, and caches the results.
pub struct SubgameSolver {
    cache: Vec<CacheEntry>,
    /// Counts the moves in regions with amazons of only one player.
    counter: FillCounter,
    /// Number of positions visited since this solver was created, over all subgames.
    visited: u64,
    /// Maximum of `visited`. A search that would visit more positions stops without a result.
    max_visited: u64,
}

impl Default for SubgameSolver {
    fn default() -> SubgameSolver {
        SubgameSolver {
            cache: vec![CacheEntry::NONE; CACHE_ENTRIES],
            counter: FillCounter::cached(REGION_BUDGET, REGION_BUDGET),
            visited: 0,
            max_visited: 0,
        }
    }
}

impl SubgameSolver {
    /// Returns the number of moves by which the own player leads in `region`, if this number is fixed: an integer in
    /// combinatorial game theory. Negative if the opponent leads. Returns `None` if the number is not fixed, if the
    /// region is too large for the test, or if the count exceeds [`REGION_BUDGET`].
    pub fn integer_value(&mut self, region: Subgame) -> Option<i32> {
        if let Some(lead) = self.uncontested_lead(region) {
            return Some(lead);
        }
        if region.amazons.contains(&0) || region.size() > MAX_INTEGER_REGION_SQUARES {
            return None;
        }
        if let Some(known) = self.entry(region).integer_value {
            return known.map(i32::from);
        }
        let found = self.find_integer(region);
        self.entry(region).integer_value = Some(found.map(|lead| lead as i8));
        found
    }

    /// Resets the work budget of the counter of moves to [`REGION_BUDGET`], and returns this counter.
    pub fn counter(&mut self) -> &mut FillCounter {
        self.counter.budget = REGION_BUDGET;
        &mut self.counter
    }

    /// Returns the number of moves by which the own player leads in a region without contest: one with amazons of only
    /// one player, or without empty squares. Returns `None` for other regions, or if the count exceeds
    /// [`REGION_BUDGET`].
    fn uncontested_lead(&mut self, region: Subgame) -> Option<i32> {
        let Subgame { amazons, empty } = region;
        let mut moves = |amazons| {
            let moves = self
                .counter()
                .bounds_in_region(Territory { amazons, empty }, 0);
            moves.exact().map(|moves| moves as i32)
        };
        match amazons {
            _ if empty == 0 => Some(0),
            [own, 0] => moves(own),
            [0, other] => Some(-moves(other)?),
            _ => None,
        }
    }

    /// Returns the number of moves to which `region` is equal as a combinatorial game; negative if the opponent leads.
    /// Returns `None` if it is not equal to an integer. Searches prove that the integer is a lower and an upper bound
    /// on the value.
    fn find_integer(&mut self, region: Subgame) -> Option<i32> {
        self.max_visited = u64::MAX;
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

    /// Tests if the own player, who is to move and may pass `extra_tempi` turns, wins `subgame`. A negative number
    /// means passes for the opponent. Each failed attempt doubles the search limit of the next call. Returns `None` if
    /// the attempt exceeds its limit, or after [`MAX_ATTEMPTS`] failed attempts.
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
        self.max_visited = self.visited + (FIRST_ATTEMPT_POSITIONS << attempts);
        let wins = self.search(subgame, extra_tempi);
        if wins.is_none() {
            self.entry(subgame).attempts = attempts + 1;
        }
        wins
    }

    /// Tests if the own player, who is to move and may pass `extra_tempi` turns, wins `subgame`. Returns `None` if the
    /// search would exceed `self.max_visited`. Does not count as one of the [`MAX_ATTEMPTS`] attempts.
    fn wins_within_limit(&mut self, subgame: Subgame, extra_tempi: i32) -> Option<bool> {
        let counted = self.wins_by_counting(subgame, extra_tempi).ok();
        counted.or_else(|| self.search(subgame, extra_tempi))
    }

    /// Returns the cache slot of `subgame`. If the slot contains another subgame, empties it first.
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

    /// Stores in the cache whether the own player wins `subgame` if it is to move and may pass `extra_tempi` turns.
    fn store(&mut self, subgame: Subgame, extra_tempi: i32, wins: bool) {
        let known = self.entry(subgame);
        let extra_tempi = extra_tempi as i8;
        if wins {
            known.min_won = known.min_won.min(extra_tempi);
        } else {
            known.max_lost = known.max_lost.max(extra_tempi);
        }
    }

    /// Tests by a count of moves, without a search, if the side to move wins `subgame`. It may pass `extra_tempi`
    /// turns.
    ///
    /// # Errors
    /// If the count does not decide the winner. The error is a rank for move ordering: the number of squares that the
    /// opponent can reach minus the number that the side to move can reach.
    fn wins_by_counting(&mut self, subgame: Subgame, extra_tempi: i32) -> Result<bool, i32> {
        let sides = Sides::from_amazons(subgame.amazons, subgame.empty);
        sides.winner(extra_tempi, self.counter()).ok_or_else(|| {
            let [own, other] = sides.reached.map(|set| set.count_ones() as i32);
            other - own
        })
    }

    /// Tests by exhaustive search if the side to move, which may pass `extra_tempi` turns, wins `subgame`. Returns
    /// `None` if the number of visited positions exceeds `self.max_visited`.
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
        if self.visited > self.max_visited {
            return None;
        }
        let wins = self.has_winning_option(subgame, extra_tempi)?;
        self.store(subgame, extra_tempi, wins);
        Some(wins)
    }

    /// Tests if the side to move, which may pass `extra_tempi` turns, has a winning option (move or pass) in `subgame`.
    /// First counts both players' remaining moves after each option. If no count proves a win, searches the undecided
    /// options in descending order of rank (see [`RankedOption`]). Returns `None` if a search exceeds
    /// `self.max_visited`.
    fn has_winning_option(&mut self, subgame: Subgame, extra_tempi: i32) -> Option<bool> {
        let mut undecided: SmallVec<[RankedOption; 64]> = SmallVec::new();
        let mut wins_by =
            |after: Subgame, extra_tempi: i32| match self.wins_by_counting(after, extra_tempi) {
                Ok(loses) => !loses,
                Err(rank) => {
                    undecided.push((rank, after, extra_tempi));
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
        undecided.sort_by_key(|&(rank, ..)| -rank);
        for (_, after, extra_tempi) in undecided {
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

    /// Solves a subgame that is too large for the limit of the first attempt. A later attempt has a greater limit and
    /// succeeds.
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
