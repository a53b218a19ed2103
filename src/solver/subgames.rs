//! Subgames ([`Subgame`]): regions of the board that are solved apart from the rest. A region is a connected component
//! of empty squares and amazons, enclosed by arrows and the edge of the board.
//!
//! Moves in one region do not affect the others, so a position is the sum of its regions in combinatorial game theory
//! (Berlekamp, Conway and Guy 1982). Small subgames are searched exhaustively, and the results are cached.
//!
//! In this theory, the value of some regions is an integer: a region of value *n* is worth as much to one player, the
//! own player, as *n* free moves. A negative value is worth -*n* free moves to the opponent. To test for the value *n*,
//! the opponent is allowed to pass *n* turns. The value is *n* if whoever then moves first loses (zero game).

use engine::board::Player;
use engine::mcts::endgame::Sides;
use engine::mcts::endgame::fill::{FillCounter, FillMoves, Territory, connected, hash};
use smallvec::SmallVec;

/// Maximum size, in empty squares, of the regions with amazons of both players that are searched for an integer value.
/// A region is a part of the board enclosed by arrows. An integer value in combinatorial game theory means that the
/// region is worth that number of free moves to one player.
const MAX_INTEGER_REGION_SQUARES: u32 = 6;

/// Limit on the work of counting a player's moves in one region of the board. In units of [`FillCounter::budget`],
/// about 20 ns each.
const REGION_BUDGET: u32 = 4_000;

/// Maximum number of positions visited by the first attempt to solve a subgame (a part of the board) by search. An
/// attempt that reaches its limit fails; the next attempt may visit twice as many positions.
const FIRST_ATTEMPT_POSITIONS: u64 = 8;

/// Maximum number of attempts to solve a subgame (a part of the board) by search. Each attempt may visit twice as many
/// positions as the attempt before it: 8 in the first, 1,024 in the eighth. After this many failures the subgame is not
/// searched again.
const MAX_ATTEMPTS: u8 = 8;

/// Number of entries in the cache of subgames; a power of two.
const CACHE_ENTRIES: usize = 1 << 18;

/// Subgame: one or several regions of the board, seen from the perspective of one player, the own player. Bit *n* of
/// each bitboard is the square with index *n*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subgame {
    /// Bitboards of both players' amazons. Index 0 is the own player, from whose perspective the subgame is seen; index
    /// 1 is the opponent.
    pub amazons: [u64; 2],
    /// Bitboard of the empty squares of the subgame.
    pub empty: u64,
}

impl Subgame {
    /// Subgame that contains no squares.
    pub const NONE: Subgame = Subgame {
        amazons: [0; 2],
        empty: 0,
    };

    /// Returns the number of empty squares of the subgame.
    pub const fn size(self) -> u32 {
        self.empty.count_ones()
    }

    /// Returns the same subgame from the perspective of the opponent: the amazons of both players change places.
    #[must_use]
    pub const fn swapped(mut self) -> Subgame {
        self.amazons.swap(0, 1);
        self
    }

    /// Converts a subgame from black's perspective to the perspective of `player`. Calling it on the result restores
    /// black's perspective.
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

    /// Returns the part of the subgame inside the bitboard `squares`.
    #[must_use]
    pub fn within(self, squares: u64) -> Subgame {
        Subgame {
            amazons: self.amazons.map(|amazons| amazons & squares),
            empty: self.empty & squares,
        }
    }

    /// Iterates over the connected regions of the subgame, each as a subgame of its own. Skips regions without amazons.
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

/// Cache entry for a subgame (part of the board). The player of `Subgame::amazons[0]` is to move. Whether this player
/// wins depends on its extra tempi: the number of turns that it may pass. If the number is negative, the opponent may
/// pass instead. More extra tempi never harm, so the entry stores two thresholds: `max_lost` and `min_won`.
#[derive(Clone, Copy)]
struct CacheEntry {
    /// Hash of the subgame to which this entry belongs. A different hash shows that another subgame has taken the
    /// entry's place in the cache. 0 if the entry is empty.
    check: u64,
    /// Maximum number of extra tempi with which the player to move is proven to lose the subgame. Extra tempi are turns
    /// that this player may pass; if negative, the opponent may pass instead. `i8::MIN` if no loss is proven.
    max_lost: i8,
    /// Minimum number of extra tempi with which the player to move is proven to win the subgame. Extra tempi are turns
    /// that this player may pass; if negative, the opponent may pass instead. `i8::MAX` if no win is proven.
    min_won: i8,
    /// Number of failed attempts to solve this subgame. An attempt fails if it would visit more positions than its
    /// limit.
    attempts: u8,
    /// Value of the subgame in combinatorial game theory, if it is an integer: the number of free moves that the
    /// subgame is worth to the player of `Subgame::amazons[0]`. Negative if it is worth free moves to the opponent.
    /// - `None`: not tested yet
    /// - `Some(None)`: tested, and not an integer
    /// - `Some(Some(n))`: tested, and equal to the integer `n`
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

/// Option of the side to move in a subgame: a move or a pass. Options with a greater rank are searched first.
/// - first: rank, the number of squares that the side to move can reach after the option, minus the number that the
///   opponent can reach
/// - second: subgame after the option, from the perspective of the opponent, who is then to move
/// - third: extra tempi of the opponent, the number of turns that it may then pass. If negative, the other player may
///   pass instead.
type RankedOption = (i32, Subgame, i32);

/// Finds the winners of subgames (parts of the board) by exhaustive search, within a limit on the number of positions.
/// Also finds integer values of regions in combinatorial game theory. Caches the results.
pub struct SubgameSolver {
    cache: Vec<CacheEntry>,
    /// Computes bounds on the maximum number of moves that a player can make in a territory that the opponent cannot
    /// enter.
    counter: FillCounter,
    /// Number of positions visited since this solver was created, over all subgames.
    visited: u64,
    /// Limit of the current search: the greatest value that `visited` may reach. A search that would visit more
    /// positions stops without a result.
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
    /// Returns the value of `region` in combinatorial game theory, if it is an integer: the number of free moves that
    /// `region` is worth to the own player (index 0 of `region.amazons`). Negative if it is worth free moves to the
    /// opponent.
    ///
    /// Returns `None` in these cases:
    /// - Only one player has amazons in `region`, and to count its moves takes more work than [`REGION_BUDGET`].
    /// - Both players have amazons there, and `region` has more than [`MAX_INTEGER_REGION_SQUARES`] empty squares.
    /// - Both players have amazons there, `region` is small enough, and the value is not an integer.
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

    /// Returns the counter of the moves that a player can make in a region. Its work limit is reset to
    /// [`REGION_BUDGET`].
    pub fn counter(&mut self) -> &mut FillCounter {
        self.counter.budget = REGION_BUDGET;
        &mut self.counter
    }

    /// Returns the number of moves that the player of `region.amazons[0]` can make in `region`, if the opponent has no
    /// amazon there. If only the opponent has amazons there, returns its number of moves, negated; 0 without empty
    /// squares.
    ///
    /// Returns `None` if both players have amazons in `region`, or if [`REGION_BUDGET`] does not suffice for an exact
    /// count.
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

    /// Finds by search the value of `region` in combinatorial game theory, if it is an integer *n*. `region` is then
    /// worth *n* free moves to the own player (index 0 of `region.amazons`); a negative *n* is in favour of the
    /// opponent. To test for *n*, the opponent is allowed to pass *n* turns. The value is *n* if whoever then moves
    /// first loses (zero game). Returns `None` if the value is not an integer.
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

    /// Tests if the player from whose perspective `subgame` is seen wins it when moving first. This player may pass
    /// `extra_tempi` times; if the number is negative, the opponent may pass −`extra_tempi` times instead.
    ///
    /// Returns `None` if the search visits more positions than its limit allows. After each such failure, the limit of
    /// the next search of the same subgame is twice as high; after [`MAX_ATTEMPTS`] failures, this function returns
    /// `None` without a search.
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

    /// Tests if the player from whose perspective `subgame` is seen wins it when moving first. This player may pass
    /// `extra_tempi` times; if the number is negative, the opponent may pass −`extra_tempi` times instead.
    ///
    /// Returns `None` if the search would visit more positions than `self.max_visited` allows. Such a failure is not
    /// counted as one of the [`MAX_ATTEMPTS`].
    fn wins_within_limit(&mut self, subgame: Subgame, extra_tempi: i32) -> Option<bool> {
        let counted = self.wins_by_counting(subgame, extra_tempi).ok();
        counted.or_else(|| self.search(subgame, extra_tempi))
    }

    /// Returns the cache entry for `subgame`. If another subgame occupies its place in the cache, that entry is
    /// discarded, and a new one without results is returned.
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

    /// Stores in the cache that the own player wins `subgame` (if `wins` is true) or loses it. The own player is the
    /// one from whose perspective `subgame` is seen; it is to move and may pass `extra_tempi` turns.
    fn store(&mut self, subgame: Subgame, extra_tempi: i32, wins: bool) {
        let known = self.entry(subgame);
        let extra_tempi = extra_tempi as i8;
        if wins {
            known.min_won = known.min_won.min(extra_tempi);
        } else {
            known.max_lost = known.max_lost.max(extra_tempi);
        }
    }

    /// Decides by counting moves, without a search, whether the own player (from whose perspective `subgame` is seen)
    /// wins `subgame`. The own player is to move and may pass `extra_tempi` turns.
    ///
    /// # Errors
    /// If the count does not decide the winner. The value of the error is a rank for move ordering: number of squares
    /// that the opponent can reach, minus number of squares that the own player can reach.
    fn wins_by_counting(&mut self, subgame: Subgame, extra_tempi: i32) -> Result<bool, i32> {
        let sides = Sides::from_amazons(subgame.amazons, subgame.empty);
        sides.winner(extra_tempi, self.counter()).ok_or_else(|| {
            let [own, other] = sides.reached.map(|set| set.count_ones() as i32);
            other - own
        })
    }

    /// Searches `subgame` exhaustively, and returns whether the side to move wins. The side to move may pass
    /// `extra_tempi` turns; if the number is negative, the opponent may pass instead. Returns `None` if the search
    /// would visit more positions than `self.max_visited` allows.
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

    /// Tests if the side to move wins `subgame` by a move or a pass. It may pass `extra_tempi` turns; if the number is
    /// negative, the opponent may pass instead. First counts both players' remaining moves after each option (move or
    /// pass). If no count proves a win, searches the options that the counts do not decide, in descending order of
    /// their rank ([`RankedOption`]).
    ///
    /// Returns `None` if the search would visit more positions than `self.max_visited` allows.
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

    /// Checks that a later attempt solves a subgame that is too large for the first attempt. The first attempt may
    /// visit 8 positions; each later one may visit twice as many as the one before it.
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
