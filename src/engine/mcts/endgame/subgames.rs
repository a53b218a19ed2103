//! Subgames ([`Subgame`]): regions of the board that are solved apart from the rest. A region is a connected component
//! of empty squares and amazons, enclosed by arrows and the edge of the board.
//!
//! Moves in one region do not affect the others, so a position is the sum of its regions in combinatorial game theory
//! (Berlekamp, Conway and Guy 1982). Small subgames are searched exhaustively, and the results are cached.
//!
//! In this theory, a region of value *n* is worth as much to one player, the own player, as *n* free moves. A negative
//! value is worth -*n* free moves to the opponent. Not all values are integers, but each lies between two of them, its
//! bounds. The value is at least *n* if the opponent, who is allowed to pass *n* turns, loses when it moves first. Bounds of
//! small regions are found in this way; they often decide a sum without searching the regions together.
//!
//! The search of the bot tries to solve positions with few empty squares ([`SubgameSolver::winner`]) before it creates nodes
//! for them, because proving them by iterations takes longer. The crate `solver` uses the bounds ([`SubgameSolver::split`]).

use super::Sides;
use super::fill::{FillCounter, Territory, connected, hash, queen_destinations};
use crate::board::{Board, Player, Square, squares};
use smallvec::SmallVec;

/// Maximum size, in empty squares, of the regions with amazons of both players for whose value bounds are searched. A
/// region is a part of the board enclosed by arrows.
const MAX_BOUNDED_REGION_SQUARES: u32 = 6;

/// Limit on the work of counting a player's moves in one region of the board. In units of [`FillCounter::budget`],
/// about 20 ns each.
const REGION_BUDGET: u32 = 4_000;

/// Maximum work for finding the winner of a position in the bot's search, in units of [`FillCounter::budget`], about 20 ns
/// each. More work proves more wins, but takes more time than these proofs are worth.
const MAX_WORK: u64 = 450;

/// Maximum number of empty squares of a position that the bot's search tries to solve.
const MAX_SQUARES: u32 = 28;

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
    /// Whether the winner of the position that consists of this subgame was not found with [`MAX_WORK`].
    has_failed: bool,
    /// Bounds of the subgame's value, see [`SubgameSolver::bounds`]. `None` if they were not found yet.
    bounds: Option<[i8; 2]>,
}

impl CacheEntry {
    const NONE: CacheEntry = CacheEntry {
        check: 0,
        max_lost: i8::MIN,
        min_won: i8::MAX,
        has_failed: false,
        bounds: None,
    };

    fn wins(&self, extra_tempi: i32) -> Option<bool> {
        let won = (extra_tempi >= self.min_won.into()).then_some(true);
        won.or((extra_tempi <= self.max_lost.into()).then_some(false))
    }
}

/// What is known of the regions of a subgame, the parts enclosed by arrows. Their values in combinatorial game theory are
/// those for the own player.
#[derive(Clone, Copy, Default)]
pub struct Parts {
    /// Bitboard of all squares of the contested regions whose values are not known to be integers. In a contested region, the
    /// players' moves cannot simply be counted, above all because both have amazons there.
    pub contested: u64,
    /// Bitboard of all squares of those regions in `contested` for whose values no bounds are known.
    pub unbounded: u64,
    /// Sum of the values of all other regions, which are integers: the lead of the own player in free moves.
    pub lead: i32,
    /// Sum of the lower bounds (index 0) and of the upper bounds (index 1) of the values of those regions in `contested` for
    /// which bounds are known, in free moves of the own player.
    pub bounds: [i32; 2],
    /// Greatest difference between the upper and the lower bound of the value of one of these regions, in free moves.
    pub max_width: i32,
}

/// Option of the side to move in a subgame: a move or a pass. Options with a greater rank are searched first.
/// - first: rank, the number of squares that the side to move can reach after the option, minus the number that the
///   opponent can reach
/// - second: subgame after the option, from the perspective of the opponent, who is then to move
/// - third: extra tempi of the opponent, the number of turns that it may then pass. If negative, the other player may
///   pass instead.
type RankedOption = (i32, Subgame, i32);

/// Finds the winners of subgames (parts of the board) by exhaustive search, within a limit on the work. Also finds bounds
/// of the values of regions in combinatorial game theory. Caches the results.
pub struct SubgameSolver {
    cache: Vec<CacheEntry>,
    /// Computes bounds on the maximum number of moves that a player can make in a territory that the opponent cannot
    /// enter.
    counter: FillCounter,
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
            options: 0,
            max_work: u64::MAX,
            killers: [[0; 2]; 64],
        }
    }
}

impl SubgameSolver {
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

    /// Splits `subgame` into its regions, and finds bounds of the values of small ones. If there are fewer than `min_contested`
    /// contested regions, no bounds of their values are searched.
    pub fn split(&mut self, subgame: Subgame, min_contested: usize) -> Parts {
        let mut parts = Parts::default();
        let mut contested: SmallVec<[Subgame; 8]> = SmallVec::new();
        for region in subgame.regions() {
            match self.uncontested_lead(region) {
                Some(lead) => parts.lead += lead,
                None => contested.push(region),
            }
        }
        let has_enough = contested.len() >= min_contested;
        for region in contested {
            match has_enough.then(|| self.bounds(region)).flatten() {
                Some([low, high]) if low == high => parts.lead += low,
                Some([low, high]) => {
                    parts.contested |= region.squares();
                    parts.bounds[0] += low;
                    parts.bounds[1] += high;
                    parts.max_width = parts.max_width.max(high - low);
                }
                None => {
                    parts.contested |= region.squares();
                    parts.unbounded |= region.squares();
                }
            }
        }
        parts
    }

    /// Returns the integers between which the value of `region` in combinatorial game theory lies, as closely as
    /// possible: the greatest that is not greater, and the least that is not less. They are equal if the value is an
    /// integer. The value is that for the own player (index 0 of `region.amazons`).
    ///
    /// Returns `None` if only one player has amazons in `region`, if it has more than `MAX_BOUNDED_REGION_SQUARES` empty
    /// squares, or if the search does more work than `self.max_work` allows.
    fn bounds(&mut self, region: Subgame) -> Option<[i32; 2]> {
        if region.amazons.contains(&0) || region.size() > MAX_BOUNDED_REGION_SQUARES {
            return None;
        }
        if let Some(known) = self.entry(region).bounds {
            return Some(known.map(i32::from));
        }
        let low = self.lower_bound(region, 0)?;
        let high = -self.lower_bound(region.swapped(), -low)?;
        self.entry(region).bounds = Some([low, high].map(|bound| bound as i8));
        Some([low, high])
    }

    /// Finds by search the greatest integer that is not greater than the value of `region` in combinatorial game theory.
    /// The value is at least *n* if the opponent, who is allowed to pass *n* turns, loses when it moves first. Tries integers
    /// near `bound` first. Returns `None` if the search does more work than `self.max_work` allows.
    fn lower_bound(&mut self, region: Subgame, mut bound: i32) -> Option<i32> {
        let mut is_at_least = |n| Some(!self.wins_within_limit(region.swapped(), n)?);
        while is_at_least(bound + 1)? {
            bound += 1;
        }
        while !is_at_least(bound)? {
            bound -= 1;
        }
        Some(bound)
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
        if whole.size() > MAX_SQUARES || self.entry(whole).has_failed {
            return (None, 0);
        }
        self.max_work = before + MAX_WORK;
        let wins = self.wins_within_limit(whole, 0);
        self.entry(whole).has_failed = wins.is_none();
        let winner = wins.map(|wins| super::winner_if(wins, player));
        (winner, self.work() - before)
    }

    /// Returns the work done since this solver was created, in units of [`FillCounter::budget`], about 20 ns each.
    const fn work(&self) -> u64 {
        self.options * OPTION_WORK + self.counter.work
    }

    /// Tests if the player from whose perspective `subgame` is seen wins it when moving first. This player may pass
    /// `extra_tempi` times; if the number is negative, the opponent may pass −`extra_tempi` times instead.
    ///
    /// Returns `None` if the search does more work than `self.max_work` allows.
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
    fn search(&mut self, subgame: Subgame, extra_tempi: i32) -> Option<bool> {
        // Bounds of a single region would be found by this search itself.
        let parts = self.split(subgame, 2);
        let subgame = subgame.within(parts.contested);
        let extra_tempi = extra_tempi + parts.lead;
        if let Some(wins) = self.entry(subgame).wins(extra_tempi) {
            return Some(wins);
        }
        let by_bounds = self.wins_by_bounds(subgame, &parts, extra_tempi);
        let wins = by_bounds.or_else(|| self.has_winning_option(subgame, extra_tempi))?;
        self.store(subgame, extra_tempi, wins);
        Some(wins)
    }

    /// Tests if bounds of the values of some regions decide whether the side to move wins `subgame`, which consists of the
    /// contested regions of `parts`. It may pass `extra_tempi` turns. Only the regions without bounds are searched.
    ///
    /// Returns `None` if the bounds do not decide, or if the search does more work than `self.max_work` allows.
    fn wins_by_bounds(
        &mut self,
        subgame: Subgame,
        parts: &Parts,
        extra_tempi: i32,
    ) -> Option<bool> {
        if parts.contested != 0 && parts.unbounded == parts.contested {
            return None;
        }
        let [low, high] = parts.bounds.map(|bound| extra_tempi + bound);
        let unbounded = subgame.within(parts.unbounded);
        // The side to move may also move first in a bounded region: it wins this region even if the opponent has as many
        // free moves there as its upper bound less one.
        let wins = self.wins_within_limit(unbounded, low)?
            || !self.wins_within_limit(unbounded.swapped(), 1 - low - parts.max_width)?;
        (wins || !self.wins_within_limit(unbounded, high)?).then_some(wins)
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
