//! The type [`FillCounter`]: computes the maximum number of moves that a player can make in a territory that the
//! opponent cannot enter. A sequence of such moves is called a fill, because each move fills one square with its arrow.

use crate::bitboard::{Slides, neighbours_up_to_five, union, with_neighbours};
use crate::board::{Move, Square, squares};
use smallvec::SmallVec;

/// Territory of one player: the player's amazons, and empty squares that these amazons can reach in any number of moves
/// and the opponent's cannot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Territory {
    /// Squares of the player's amazons, as a bitboard (bit n = square n).
    pub amazons: u64,
    /// Empty squares of the territory, as a bitboard (bit n = square n).
    pub empty: u64,
}

impl Territory {
    /// Returns, as a bitboard, the amazons of this territory that have a square of the bitboard `outside` among their
    /// eight neighbours. If such an amazon moves away, the opponent can enter from `outside` through its square.
    #[must_use]
    pub fn guards_against(self, outside: u64) -> u64 {
        self.amazons & with_neighbours(outside)
    }
}

/// Lower and upper bound on the maximum number of moves (whole turns) that a player can make in a territory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveBounds {
    /// Lower bound on the maximum number of moves: the player can make at least so many.
    pub least: u32,
    /// Upper bound on the maximum number of moves: the player cannot make more.
    pub most: u32,
}

impl MoveBounds {
    const NONE: MoveBounds = MoveBounds { least: 0, most: 0 };

    /// Returns the maximum number of moves that the player can make, if it is known exactly: if the lower bound equals
    /// the upper one. Otherwise returns `None`.
    #[must_use]
    pub fn exact(self) -> Option<u32> {
        (self.least == self.most).then_some(self.most)
    }
}

/// Entry of the cache of a [`FillCounter`], for one connected territory `region`: bounds on the maximum number of moves
/// that a player can make in it. The amazons in the bitboard `guards` are restricted: if one of them moves, it must
/// shoot at the square that it just left.
#[derive(Clone, Copy)]
struct CacheEntry {
    region: Territory,
    guards: u64,
    bounds: MoveBounds,
    /// Work that was needed to compute `bounds`: number of positions, amazon's moves and arrow shots that were
    /// examined, see [`FillCounter::budget`].
    cost: u32,
}

/// Counts the moves that a player can make in a territory that the opponent cannot enter: computes a lower and an upper
/// bound on their maximum number. The work is limited by a budget. May cache the bounds of connected regions of
/// squares.
pub struct FillCounter {
    /// Work that this counter may still do. One unit of work takes about 20 ns and is one of these:
    ///
    /// - a position whose amazon's moves are listed,
    /// - an amazon's move in such a list,
    /// - an arrow shot that is tried.
    pub budget: u32,
    /// Maximum work for counting the moves in one connected region of empty squares and amazons. The unit of work is
    /// one position, amazon's move or arrow shot that is examined, as for `budget`.
    region_budget: u32,
    /// Work that this counter has done since this field was last set to 0: number of positions, amazon's moves and
    /// arrow shots that were examined. Bounds from the cache are not computed again, so they do not increase `work`.
    /// But they reduce `budget` as if they were, so that results do not depend on what the cache contains.
    pub work: u64,
    /// Cache of bounds on the number of moves that a player can make in a region, for regions that were counted before.
    /// The index of a region is a hash of it, modulo [`CACHE_ENTRIES`]; a new region overwrites an older one with the
    /// same index. Empty if this counter has no cache.
    cache: Vec<Option<CacheEntry>>,
}

/// Maximum number of regions in the cache of a [`FillCounter`]; a power of two.
const CACHE_ENTRIES: usize = 1 << 13;

impl FillCounter {
    /// Creates a counter without a cache. `budget` is the work that the counter may do in total: the number of
    /// positions, amazon's moves and arrow shots that it may examine. Once the budget is used up, the bounds that the
    /// counter returns stay valid, but are less tight.
    #[must_use]
    pub const fn uncached(budget: u32) -> FillCounter {
        FillCounter {
            budget,
            region_budget: budget,
            work: 0,
            cache: Vec::new(),
        }
    }

    /// Creates a counter with an empty cache. The cache can hold the results for 8192 regions: bounds on the number of
    /// moves that a player can make there. The unit of work is one position, amazon's move or arrow shot that is
    /// examined.
    ///
    /// - `budget`: work that the counter may do in total.
    /// - `region_budget`: maximum work for one connected region of empty squares and amazons.
    #[must_use]
    pub fn cached(budget: u32, region_budget: u32) -> FillCounter {
        FillCounter {
            region_budget,
            cache: vec![None; CACHE_ENTRIES],
            ..FillCounter::uncached(budget)
        }
    }

    /// Returns a lower and an upper bound on the maximum number of moves that a player can make in the territory
    /// `side`. The amazons in the bitboard `guards` are restricted: if one of them moves, it must shoot at the square
    /// that it just left.
    pub fn bounds(&mut self, side: Territory, guards: u64) -> MoveBounds {
        let Territory { amazons, mut empty } = side;
        let mut total = MoveBounds::NONE;
        while empty != 0 {
            // Region of the territory: all squares that can be reached from the first empty square by king steps over
            // empty squares and amazons.
            let region = connected(empty & empty.wrapping_neg(), empty | amazons);
            let MoveBounds { least, most } = self.bounds_in_region(
                Territory {
                    amazons: amazons & region,
                    empty: empty & region,
                },
                guards & region,
            );
            total.least += least;
            total.most += most;
            empty &= !region;
        }
        total
    }

    /// Returns the first move of a longest sequence of moves that a player can make in the territory `side`. The amazons
    /// in the bitboard `guards` are restricted: if one of them moves, it must shoot at the square that it just left.
    ///
    /// Returns `None` if no move is possible, or if the work budget is used up.
    pub fn longest_fill(&mut self, side: Territory, guards: u64) -> Option<Move> {
        let left = self.bounds(side, guards).exact()?.checked_sub(1)?;
        FillMoves::list(side, guards)
            .iter()
            .find(|&(_, after)| self.bounds(after, guards).exact() == Some(left))
            .map(|(turn, _)| turn)
    }

    /// Returns a lower and an upper bound on the maximum number of moves that a player can make in the territory
    /// `region`, whose squares are all connected. Takes the bounds from the cache, or computes them and stores them
    /// there. The amazons in the bitboard `guards` may shoot only at the square that they just left.
    ///
    /// Bounds from the cache reduce the work budget as much as if they were computed again. So results do not depend on
    /// what the cache contains.
    pub fn bounds_in_region(&mut self, region: Territory, guards: u64) -> MoveBounds {
        let hash = hash([region.empty, region.amazons, guards]);
        let slot = (hash >> 40) as usize % CACHE_ENTRIES;
        if let Some(Some(entry)) = self.cache.get(slot)
            && (entry.region, entry.guards) == (region, guards)
            && entry.cost <= self.budget
        {
            self.budget -= entry.cost;
            return entry.bounds;
        }
        let (before, granted) = (self.budget, self.budget.min(self.region_budget));
        self.budget = granted;
        let bounds = self.count_region(region, guards);
        let cost = granted - self.budget;
        self.budget = before - cost;
        if let Some(entry) = self.cache.get_mut(slot)
            && (granted == self.region_budget || bounds.exact().is_some())
        {
            *entry = Some(CacheEntry {
                region,
                guards,
                bounds,
                cost,
            });
        }
        bounds
    }

    /// Computes a lower and an upper bound on the maximum number of moves that a player can make in the territory
    /// `region`, whose squares are all connected. Each move fills one empty square, so the number of empty squares is
    /// the largest possible number of moves. Tries this number, then one less, and so on.
    ///
    /// If a sequence of so many moves is found, both bounds are its length. If the work budget, `self.budget`, is used
    /// up before, the upper bound is the number that was being tried, and the lower bound is the length of the longest
    /// sequence found.
    ///
    /// The amazons in the bitboard `guards` may shoot only at the square that they just left.
    fn count_region(&mut self, region: Territory, guards: u64) -> MoveBounds {
        let mut least = 0;
        for moves in (1..=region.empty.count_ones()).rev() {
            let mut missing = moves;
            let found = self.can_make_moves(moves, region, guards, &mut missing);
            least = least.max(moves - missing);
            match found {
                Some(true) => {
                    return MoveBounds {
                        least: moves,
                        most: moves,
                    };
                }
                Some(false) => {}
                None => return MoveBounds { least, most: moves },
            }
        }
        MoveBounds::NONE
    }

    /// Tests, by a depth-first search, if a player can make `moves` moves in the territory `side`. Returns `None` if
    /// the work budget, `self.budget`, is used up before the answer is known.
    ///
    /// - `guards`: bitboard of the amazons that may shoot only at the square that they just left.
    /// - `min_missing`: lowest number of moves by which a sequence found so far is too short. Lowered if a longer
    ///   sequence is found.
    fn can_make_moves(
        &mut self,
        moves: u32,
        side: Territory,
        guards: u64,
        min_missing: &mut u32,
    ) -> Option<bool> {
        *min_missing = moves.min(*min_missing);
        if moves == 0 {
            return Some(true);
        }
        if reached(side.amazons, side.empty).count_ones() < moves {
            return Some(false);
        }
        let continuations = FillMoves::list(side, guards);
        self.spend_work(1 + continuations.moves.len() as u32)?;
        for (_, after) in continuations.iter() {
            self.spend_work(1)?;
            if self.can_make_moves(moves - 1, after, guards, min_missing)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Adds `work` to `self.work` in every case. If `self.budget` is at least `work`, subtracts `work` from it.
    /// Otherwise leaves the budget unchanged and returns `None`. The unit of work is one position, amazon's move or
    /// arrow shot that is examined.
    fn spend_work(&mut self, work: u32) -> Option<()> {
        self.work += u64::from(work);
        self.budget = self.budget.checked_sub(work)?;
        Some(())
    }
}

/// Hashes three bitboards to one 64-bit number: multiplies each by an odd constant and mixes the products. The
/// constants are 2^64 / golden ratio, and two from the last step of MurmurHash3 (Appleby 2011).
pub const fn hash([a, b, c]: [u64; 3]) -> u64 {
    let mixed = a.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ b.wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(21)
        ^ c.wrapping_mul(0xc4ce_b9fe_1a85_ec53).rotate_left(42);
    (mixed ^ mixed >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Returns the squares of the bitboard `set` that can be reached from the squares of the bitboard `start`, in any
/// number of king steps within `set`. Squares of `start` outside `set` are not part of the result.
#[must_use]
pub fn connected(start: u64, set: u64) -> u64 {
    let mut region = start;
    loop {
        let further = with_neighbours(region) & set;
        if further == region {
            return region;
        }
        region = further;
    }
}

/// Returns the squares of the bitboard `empty` that the amazons of the bitboard `amazons` can reach in any number of
/// moves over empty squares.
#[must_use]
pub fn reached(amazons: u64, empty: u64) -> u64 {
    connected(with_neighbours(amazons) & empty, empty)
}

/// Amazon's move within a territory, without its arrow shot, and the squares at which the amazon can then shoot.
struct AmazonMove {
    from: Square,
    to: Square,
    /// Empty squares of the territory after the amazon's move and before the arrow shot, as a bitboard. The square that
    /// the amazon left is one of them.
    empty: u64,
    /// Squares at which the amazon can shoot after its move, as a bitboard.
    targets: u64,
    /// For each square of the board, number of its empty neighbours after the amazon's move, where 5 means five to
    /// eight. The numbers are stored in binary, one bitboard per digit: index 0 holds the squares with an odd number,
    /// index 1 those with 2 or 3, index 2 those with 4 or 5.
    neighbours: [u64; 3],
}

/// Highest count of empty neighbours that is distinguished: squares with five to eight empty neighbours are all counted
/// as having five.
const MAX_NEIGHBOURS: u32 = 5;

impl AmazonMove {
    /// Returns, as a bitboard, those squares at which the amazon can shoot after its move that have exactly
    /// `neighbours` empty neighbours (0 to 4). If `neighbours` is 5, returns those that have five or more.
    fn targets_with_neighbours(&self, neighbours: u32) -> u64 {
        (0..3).fold(self.targets, |set, bit| {
            let counter = self.neighbours[bit];
            set & if neighbours >> bit & 1 == 1 {
                counter
            } else {
                !counter
            }
        })
    }
}

/// List of the moves that the amazons of a territory can make inside it, with the squares at which each amazon can then
/// shoot.
pub struct FillMoves {
    amazons: u64,
    moves: SmallVec<[AmazonMove; 32]>,
}

impl FillMoves {
    /// Lists the moves of all amazons of the territory `side`. The amazons in the bitboard `guards` may shoot only at
    /// the square that they just left.
    #[must_use]
    pub fn list(side: Territory, guards: u64) -> FillMoves {
        let Territory { amazons, empty } = side;
        let mut moves = SmallVec::new();
        for from in squares(amazons) {
            for to in squares(queen_destinations(from.bit(), empty)) {
                let vacated = (empty | from.bit()) & !to.bit();
                moves.push(AmazonMove {
                    from,
                    to,
                    empty: vacated,
                    targets: if guards & from.bit() != 0 {
                        from.bit()
                    } else {
                        queen_destinations(to.bit(), vacated)
                    },
                    neighbours: neighbours_up_to_five(vacated),
                });
            }
        }
        FillMoves { amazons, moves }
    }

    /// Iterates over all turns in the territory, ordered by the number of empty neighbours of the square where the
    /// arrow lands: low numbers come first, because such turns tend to leave the most moves for later. First: the turn
    /// (amazon's move and arrow shot). Second: the territory after it.
    pub fn iter(&self) -> impl Iterator<Item = (Move, Territory)> {
        (0..=MAX_NEIGHBOURS).flat_map(move |neighbours| {
            self.moves.iter().flat_map(move |turn| {
                let &AmazonMove { from, to, .. } = turn;
                squares(turn.targets_with_neighbours(neighbours)).map(move |arrow| {
                    let side = Territory {
                        amazons: self.amazons ^ from.bit() ^ to.bit(),
                        empty: turn.empty & !arrow.bit(),
                    };
                    (Move { from, to, arrow }, side)
                })
            })
        })
    }
}

/// Returns, as a bitboard, the squares of `empty` that a chess queen reaches in one move from the square of the
/// bitboard `from`.
pub fn queen_destinations(from: u64, empty: u64) -> u64 {
    union(Slides::over(empty).rays_from(from)) & empty
}
