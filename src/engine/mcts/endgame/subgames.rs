//! Subgames ([`Subgame`]): regions of the board that are solved apart from the rest. A region is a connected component
//! of empty squares and amazons, enclosed by arrows and the edge of the board.
//!
//! Moves in one region do not affect the others, so a position is the sum of its regions in combinatorial game theory
//! (Berlekamp, Conway and Guy 1982). Small subgames are searched exhaustively, and the results are cached.
//!
//! The search of the bot tries to solve positions with few empty squares in this way before it creates nodes for them
//! ([`SubgameSolver::winner`]), because proving them by iterations takes longer. The crate `solver` uses the other functions.
//!
//! In this theory, the value of some regions is an integer: a region of value *n* is worth as much to one player, the
//! own player, as *n* free moves. A negative value is worth -*n* free moves to the opponent. To test for the value *n*,
//! the opponent is allowed to pass *n* turns. The value is *n* if whoever then moves first loses (zero game).

use super::Sides;
use super::fill::{FillCounter, Territory, connected, hash, queen_destinations};
use crate::board::{Board, Player, Square, squares};
use smallvec::SmallVec;

/// Maximum size, in empty squares, of the regions with amazons of both players that are searched for an integer value.
/// A region is a part of the board enclosed by arrows. An integer value in combinatorial game theory means that the
/// region is worth that number of free moves to one player.
const MAX_INTEGER_REGION_SQUARES: u32 = 6;

/// Limit on the work of counting a player's moves in one region of the board. In units of [`FillCounter::budget`],
/// about 20 ns each.
const REGION_BUDGET: u32 = 4_000;

/// Limits of the crate `solver` on the work for solving a subgame (a part of the board) by search. First: maximum work of
/// the first attempt, in units of [`FillCounter::budget`], about 20 ns each. An attempt that reaches its limit fails; the
/// next attempt may do twice as much work. Second: maximum number of attempts. After so many failures, the subgame is not
/// searched again.
const SOLVER_LIMITS: (u64, u8) = (1_024, 8);

/// Limits of the bot's search, as in `SOLVER_LIMITS`. More work proves more wins, but takes more time than they are worth.
const BOT_LIMITS: (u64, u8) = (450, 1);

/// Maximum number of empty squares of a position that the bot's search tries to solve.
const MAX_BOT_SQUARES: u32 = 24;

/// Work of counting the moves of both players after one option, in units of [`FillCounter::budget`], about 20 ns each.
const OPTION_WORK: u64 = 2;

/// Number of entries in the cache of subgames; a power of two.
const CACHE_ENTRIES: usize = 1 << 16;

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

    /// Returns the subgame after a move of the own player, from the perspective of the opponent. The amazon on the
    /// square `from` moves to the square `to` and shoots at the square `arrow`; all three are bitboards.
    const fn after(self, from: u64, to: u64, arrow: u64) -> Subgame {
        let [own, other] = self.amazons;
        Subgame {
            amazons: [other, own ^ from ^ to],
            empty: self.empty ^ from ^ to ^ arrow,
        }
    }

    /// Iterates over the connected regions of the subgame, each as a subgame of its own. Skips regions without amazons.
    pub fn regions(self) -> impl Iterator<Item = Subgame> {
        let all = self.squares();
        let mut rest = self.amazons[0] | self.amazons[1];
        std::iter::from_fn(move || {
            let first = rest & rest.wrapping_neg();
            let region = (first != 0).then(|| connected(first, all))?;
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
    /// Number of failed attempts to solve this subgame. An attempt fails if it does more work than its limit allows.
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
        let won = (extra_tempi >= self.min_won.into()).then_some(true);
        won.or((extra_tempi <= self.max_lost.into()).then_some(false))
    }
}

/// Option of the side to move in a subgame: a move or a pass. Options with a greater rank are searched first.
/// - first: rank, the number of squares that the side to move can reach after the option, minus the number that the
///   opponent can reach
/// - second: subgame after the option, from the perspective of the opponent, who is then to move
/// - third: extra tempi of the opponent, the number of turns that it may then pass. If negative, the other player may
///   pass instead.
type RankedOption = (i32, Subgame, i32);

/// Finds the winners of subgames (parts of the board) by exhaustive search, within a limit on the work.
/// Also finds integer values of regions in combinatorial game theory. Caches the results.
pub struct SubgameSolver {
    cache: Vec<CacheEntry>,
    /// Computes bounds on the maximum number of moves that a player can make in a territory that the opponent cannot
    /// enter.
    counter: FillCounter,
    /// Limits on the work for one subgame: `SOLVER_LIMITS` or `BOT_LIMITS`.
    limits: (u64, u8),
    /// Number of options (moves and passes) counted since this solver was created, over all subgames.
    options: u64,
    /// Limit of the current search: once [`SubgameSolver::work`] is greater, the search stops without a result.
    max_work: u64,
    /// For each square, the last winning move of an amazon from there: bitboards of the square to which it moved, and of that
    /// at which it shot. In similar subgames the same move often wins (killer heuristic, Akl and Newborn 1977).
    killers: [[u64; 2]; 64],
}

impl Default for SubgameSolver {
    fn default() -> SubgameSolver {
        SubgameSolver {
            cache: vec![CacheEntry::NONE; CACHE_ENTRIES],
            counter: FillCounter::cached(REGION_BUDGET, REGION_BUDGET),
            limits: SOLVER_LIMITS,
            options: 0,
            max_work: 0,
            killers: [[0; 2]; 64],
        }
    }
}

impl SubgameSolver {
    /// Creates a solver for the bot's search, which does less work for a subgame than that of the crate `solver`.
    #[must_use]
    pub fn for_bot() -> SubgameSolver {
        SubgameSolver {
            limits: BOT_LIMITS,
            ..SubgameSolver::default()
        }
    }

    /// Returns the value of `region` in combinatorial game theory, if it is an integer: the number of free moves that
    /// `region` is worth to the own player (index 0 of `region.amazons`). Negative if it is worth free moves to the
    /// opponent.
    ///
    /// Returns `None` in these cases:
    /// - Only one player has amazons in `region`, and to count its moves takes more work than `REGION_BUDGET`.
    /// - Both players have amazons there, and `region` has more than `MAX_INTEGER_REGION_SQUARES` empty squares.
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
    /// `REGION_BUDGET`.
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
            let bounds = self
                .counter()
                .bounds_in_region(Territory { amazons, empty }, 0);
            bounds.exact().map(|moves| moves as i32)
        };
        match amazons {
            _ if empty == 0 => Some(0),
            [own, 0] => moves(own),
            [0, other] => Some(-moves(other)?),
            _ => None,
        }
    }

    /// Splits `subgame` into its regions. Returns two values: the regions in which moves cannot be counted, above all those
    /// with amazons of both players, as one subgame; and the lead in moves of the own player in all other regions.
    fn split(&mut self, subgame: Subgame) -> (Subgame, i32) {
        let (mut contested, mut total) = (0, 0);
        for region in subgame.regions() {
            match self.uncontested_lead(region) {
                Some(lead) => total += lead,
                None => contested |= region.squares(),
            }
        }
        (subgame.within(contested), total)
    }

    /// Finds by search the value of `region` in combinatorial game theory, if it is an integer *n*. `region` is then
    /// worth *n* free moves to the own player (index 0 of `region.amazons`); a negative *n* is in favour of the
    /// opponent. To test for *n*, the opponent is allowed to pass *n* turns. The value is *n* if whoever then moves
    /// first loses (zero game). Returns `None` if the value is not an integer.
    fn find_integer(&mut self, region: Subgame) -> Option<i32> {
        self.max_work = u64::MAX;
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

    /// Tries to find the winner of the position `board` by a search of its regions, if it has few empty squares. Returns the
    /// winner, or `None` if none is found, and the work done, in units of 20 ns. A second call for the same position does not
    /// search again.
    pub fn winner(&mut self, board: &Board) -> (Option<Player>, u64) {
        let (player, before) = (board.to_move(), self.work());
        let whole = Subgame {
            amazons: [board.amazons(player), board.amazons(!player)],
            empty: board.empty(),
        };
        if whole.size() > MAX_BOT_SQUARES {
            return (None, 0);
        }
        let (contested, lead) = self.split(whole);
        let wins = self.wins(contested, lead);
        let winner = wins.map(|wins| super::winner_if(wins, player));
        (winner, self.work() - before)
    }

    /// Tests if the player from whose perspective `subgame` is seen wins it when moving first. This player may pass
    /// `extra_tempi` times; if the number is negative, the opponent may pass −`extra_tempi` times instead.
    ///
    /// Returns `None` if the search does more work than its limit allows. After each such failure, the limit of the next
    /// search of the same subgame is twice as high; after the maximum number of failures, the subgame is not searched again.
    pub fn wins(&mut self, subgame: Subgame, extra_tempi: i32) -> Option<bool> {
        let known = self.entry(subgame);
        let attempts = known.attempts;
        if let Some(wins) = known.wins(extra_tempi) {
            return Some(wins);
        }
        let (first_work, max_attempts) = self.limits;
        let may_search = attempts < max_attempts;
        self.max_work = self.work() + (first_work << attempts) * u64::from(may_search);
        let wins = self.wins_within_limit(subgame, extra_tempi);
        match wins {
            Some(wins) => self.store(subgame, extra_tempi, wins),
            None => self.entry(subgame).attempts = attempts + u8::from(may_search),
        }
        wins
    }

    /// Returns the work done since this solver was created, in units of [`FillCounter::budget`], about 20 ns each.
    const fn work(&self) -> u64 {
        self.options * OPTION_WORK + self.counter.work
    }

    /// Tests if the player from whose perspective `subgame` is seen wins it when moving first. This player may pass
    /// `extra_tempi` times; if the number is negative, the opponent may pass −`extra_tempi` times instead.
    ///
    /// Returns `None` if the search does more work than `self.max_work` allows. Such a failure is not counted as an
    /// attempt.
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
        self.options += 1;
        let sides = Sides::from_amazons(subgame.amazons, subgame.empty);
        sides.winner(extra_tempi, self.counter()).ok_or_else(|| {
            let [own, other] = sides.reached.map(|set| set.count_ones() as i32);
            other - own
        })
    }

    /// Searches `subgame` exhaustively, and returns whether the side to move wins. The side to move may pass
    /// `extra_tempi` turns; if the number is negative, the opponent may pass instead. Returns `None` if the search
    /// does more work than `self.max_work` allows.
    fn search(&mut self, subgame: Subgame, mut extra_tempi: i32) -> Option<bool> {
        let (subgame, lead) = self.split(subgame);
        extra_tempi += lead;
        if let Some(wins) = self.entry(subgame).wins(extra_tempi) {
            return Some(wins);
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
    /// Returns `None` if the search does more work than `self.max_work` allows.
    fn has_winning_option(&mut self, subgame: Subgame, extra_tempi: i32) -> Option<bool> {
        let mut undecided: SmallVec<[RankedOption; 64]> = SmallVec::new();
        let mut wins_by = |solver: &mut Self, after: Subgame, extra_tempi: i32| {
            let counted = solver.wins_by_counting(after, extra_tempi);
            if let Err(rank) = counted {
                undecided.push((rank, after, extra_tempi));
            }
            counted == Ok(false)
        };
        if extra_tempi > 0 && wins_by(self, subgame.swapped(), 1 - extra_tempi)
            || self.has_winning_killer(subgame, extra_tempi)
        {
            return Some(true);
        }
        for square in squares(subgame.amazons[0]) {
            let from = square.bit();
            for to in squares(queen_destinations(from, subgame.empty)).map(Square::bit) {
                let empty = subgame.empty ^ from ^ to;
                for arrow in squares(queen_destinations(to, empty)).map(Square::bit) {
                    if wins_by(self, subgame.after(from, to, arrow), -extra_tempi) {
                        self.killers[square.index()] = [to, arrow];
                        return Some(true);
                    }
                    if self.work() > self.max_work {
                        return None;
                    }
                }
            }
        }
        // Selection sort: seldom are all options searched, and a library's sort would make the bot's file longer.
        for left in (1..=undecided.len()).rev() {
            let rank = |&at: &usize| undecided[at].0;
            let best = (0..left).max_by_key(rank).unwrap_or(0);
            undecided.swap(best, left - 1);
            let (_, after, extra_tempi) = undecided[left - 1];
            if !self.search(after, extra_tempi)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Tests if one of the moves in `self.killers` is legal in `subgame` and wins for the side to move, by counting without
    /// a search. This player may pass `extra_tempi` turns.
    fn has_winning_killer(&mut self, subgame: Subgame, extra_tempi: i32) -> bool {
        squares(subgame.amazons[0]).any(|square| {
            let ([to, arrow], from) = (self.killers[square.index()], square.bit());
            let vacated = subgame.empty ^ from ^ to;
            queen_destinations(from, subgame.empty) & to != 0
                && queen_destinations(to, vacated) & arrow != 0
                && self.wins_by_counting(subgame.after(from, to, arrow), -extra_tempi) == Ok(false)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that a later attempt solves a subgame that is too large for the first attempt.
    #[test]
    fn later_attempts_may_do_more_work() {
        let subgame = Subgame {
            amazons: [1, 1 << 18],
            empty: 0x03_0706,
        };
        let mut solver = SubgameSolver::default();
        solver.limits.0 = 64;
        let attempts = (1..=8).find(|_| solver.wins(subgame, 0).is_some());
        assert!(attempts > Some(1), "{attempts:?}");
    }
}
