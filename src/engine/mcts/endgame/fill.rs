//! The type [`FillCounter`]: computes the maximum number of moves that a player can make in a territory that the
//! opponent cannot enter. Such a sequence of moves is called a fill, because each arrow fills a square.

use crate::bitboard::{Slides, neighbours_up_to_five, union, with_neighbours};
use crate::board::{Move, Square, squares};
use smallvec::SmallVec;

/// Territory of one player: the player's amazons, and empty squares that these amazons reach and the opponent's do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Bounds on the maximum number of moves that a player can make in a territory.
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

/// Entry of the cache of a [`FillCounter`]: bounds on the maximum number of moves in the territory `region`, if the
/// amazons in the bitboard `guards` may shoot only at the square that they just left.
#[derive(Clone, Copy)]
struct CacheEntry {
    region: Territory,
    guards: u64,
    bounds: MoveBounds,
    /// Work that was needed to compute `bounds`, in units of [`FillCounter::budget`].
    cost: u32,
}

/// Counts the moves that a player can make in a territory that the opponent cannot enter. Computes bounds on their
/// maximum number, within a budget of work, and may cache the bounds of connected regions.
pub struct FillCounter {
    /// Work that this counter may still do, in units of about 20 ns. One unit is one of these:
    ///
    /// - a position whose amazon's moves are listed,
    /// - an amazon's move in such a list,
    /// - an arrow shot that is tried.
    pub budget: u32,
    /// Maximum work for one connected region of empty squares and amazons, in units of `budget`.
    region_budget: u32,
    /// Work that this counter has done so far, in units of `budget`. Bounds that are found in the cache count as no
    /// work.
    pub work: u64,
    /// Bounds of regions that were counted before. The index is a hash of the region modulo [`CACHE_ENTRIES`]; a new
    /// entry overwrites an older one. The vector is empty if this counter has no cache.
    cache: Vec<Option<CacheEntry>>,
}

/// Maximum number of regions in the cache of a [`FillCounter`]; a power of two.
const CACHE_ENTRIES: usize = 1 << 13;

impl FillCounter {
    /// Creates a counter without a cache. `budget` is the work that it may do in total, see [`FillCounter::budget`].
    #[must_use]
    pub const fn uncached(budget: u32) -> FillCounter {
        FillCounter {
            budget,
            region_budget: budget,
            work: 0,
            cache: Vec::new(),
        }
    }

    /// Creates a counter with an empty cache. `budget` is the work that it may do in total, `region_budget` the maximum
    /// work for one connected region, both in units of [`FillCounter::budget`].
    #[must_use]
    pub fn cached(budget: u32, region_budget: u32) -> FillCounter {
        FillCounter {
            region_budget,
            cache: vec![None; CACHE_ENTRIES],
            ..FillCounter::uncached(budget)
        }
    }

    /// Returns bounds on the maximum number of moves that a player can make in the territory `side`. The amazons in the
    /// bitboard `guards` are restricted: if one of them moves, it must shoot at the square that it just left.
    pub fn bounds(&mut self, side: Territory, guards: u64) -> MoveBounds {
        let Territory { amazons, mut empty } = side;
        let mut total = MoveBounds::NONE;
        while empty != 0 {
            // Squares that are connected, by king steps over empty squares and amazons, with the first empty square.
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

    /// Returns bounds on the maximum number of moves in the territory `region`, whose squares are all connected. Takes
    /// them from the cache if possible. The amazons in the bitboard `guards` may shoot only at the square that they
    /// just left.
    ///
    /// Bounds from the cache reduce the budget as much as if they were computed again. So results do not depend on what
    /// the cache contains.
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

    /// Computes bounds on the maximum number of moves in the territory `region`, whose squares are all connected. Tests
    /// if all its empty squares can be filled by moves, then if all but one can, and so on, until a test succeeds or
    /// the budget is used up. The amazons in the bitboard `guards` may shoot only at the square that they just left.
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

    /// Searches depth-first for a sequence of `moves` moves in the territory `side`. Returns true if there is one,
    /// false if there is none, and `None` if the budget is used up.
    ///
    /// - `guards`: bitboard of the amazons that may shoot only at the square that they just left.
    /// - `min_missing`: lowered to the number of moves by which the longest sequence found so far is too short.
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

    /// Counts `work` units of work: adds them to the work done, and subtracts them from the budget. Returns `None` if
    /// the budget was smaller.
    fn spend_work(&mut self, work: u32) -> Option<()> {
        self.work += u64::from(work);
        self.budget = self.budget.checked_sub(work)?;
        Some(())
    }
}

/// Hashes three bitboards to one 64-bit number. The multipliers are 2^64 / golden ratio, and the constants of the last
/// step of MurmurHash3 (Appleby 2011).
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

/// Amazon's move within a territory, before its arrow is shot, with the squares at which the amazon can then shoot.
struct AmazonMove {
    from: Square,
    to: Square,
    /// Empty squares of the territory after the amazon's move, before the arrow shot, as a bitboard.
    empty: u64,
    /// Squares at which the amazon can shoot after its move, as a bitboard.
    targets: u64,
    /// For each square of the board, number of its empty neighbours after the amazon's move, where 5 means five or
    /// more. The numbers are stored in binary: as bitboards of the squares whose number has bit 0, bit 1 and bit 2 set.
    neighbours: [u64; 3],
}

/// Maximum of the counts of empty neighbours: a square with five to eight empty neighbours counts as having five.
const MAX_NEIGHBOURS: u32 = 5;

impl AmazonMove {
    /// Returns, as a bitboard, the squares at which the amazon can shoot and that have exactly `neighbours` empty
    /// neighbours. With `neighbours` = 5, returns those that have five or more.
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

/// List of the moves that the amazons of a territory can make inside it, and of the arrow shots after each.
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

    /// Iterates over all turns (amazon's move and arrow shot) in the territory, each together with the territory after
    /// it. Turns whose arrow lands on a square with few empty neighbours come first, because they tend to leave the
    /// most moves for later.
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
fn queen_destinations(from: u64, empty: u64) -> u64 {
    union(Slides::over(empty).rays_from(from)) & empty
}
