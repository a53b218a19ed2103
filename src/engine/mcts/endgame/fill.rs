//! The type [`FillCounter`]: computes the maximum number of moves that a player can make in a territory that the
//! opponent cannot enter.

use crate::bitboard::{Slides, neighbours_up_to_five, union, with_neighbours};
use crate::board::{Move, Square, squares};
use smallvec::SmallVec;

/// Territory of one player: the player's amazons, and the empty squares that only these amazons reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Territory {
    /// Squares of the player's amazons, as a bitboard (bit n = square n).
    pub amazons: u64,
    /// Empty squares of the territory, as a bitboard (bit n = square n).
    pub empty: u64,
}

impl Territory {
    /// Returns the amazons that have a square of the bitboard `outside` among their eight neighbours, as a bitboard. If
    /// one of them moves, the opponent can enter the territory from `outside` through its square.
    #[must_use]
    pub fn guards_against(self, outside: u64) -> u64 {
        self.amazons & with_neighbours(outside)
    }
}

/// Lower and upper bound on the maximum number of moves that a player can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveBounds {
    /// Lower bound on the maximum number of moves that the player can make.
    pub least: u32,
    /// Upper bound on the maximum number of moves that the player can make.
    pub most: u32,
}

impl MoveBounds {
    const NONE: MoveBounds = MoveBounds { least: 0, most: 0 };

    /// Returns the maximum number of moves that the player can make if lower and upper bound are equal, otherwise
    /// `None`.
    #[must_use]
    pub fn exact(self) -> Option<u32> {
        (self.least == self.most).then_some(self.most)
    }
}

/// Cached bounds on the number of moves that can be made in the region `region`, if the amazons `guards` may only shoot
/// at the square that they left.
#[derive(Clone, Copy)]
struct CacheEntry {
    region: Territory,
    guards: u64,
    bounds: MoveBounds,
    /// Units of work, as in [`FillCounter::budget`], that counting the moves of this region took.
    cost: u32,
}

/// Computes bounds on the maximum number of moves that a player can make in a territory, within a work budget. Can
/// cache the bounds of the territory's connected regions.
pub struct FillCounter {
    /// Number of units of work that this counter may still do. A unit of work is one of these:
    ///
    /// - a position whose amazon moves are listed,
    /// - an amazon move in such a list,
    /// - an arrow that is tried.
    pub budget: u32,
    /// Maximum work for counting the moves in one connected region of a territory, in units of `budget`.
    region_budget: u32,
    /// Total work done so far, in the units of `budget`. Regions found in the cache add nothing.
    pub work: u64,
    /// Cache of counted regions, indexed by hash modulo [`CACHE_ENTRIES`]; a newer entry replaces an older one. Empty
    /// if this counter has no cache.
    cache: Vec<Option<CacheEntry>>,
}

/// Number of regions whose bounds a counter's cache can hold; a power of two.
const CACHE_ENTRIES: usize = 1 << 13;

impl FillCounter {
    /// Creates a counter without a cache, with a budget of `budget` units of work, see [`FillCounter::budget`].
    #[must_use]
    pub const fn uncached(budget: u32) -> FillCounter {
        FillCounter {
            budget,
            region_budget: budget,
            work: 0,
            cache: Vec::new(),
        }
    }

    /// Creates a counter with an empty cache. It may do `budget` units of work in total, and at most `region_budget`
    /// units in one connected region, see [`FillCounter::budget`].
    #[must_use]
    pub fn cached(budget: u32, region_budget: u32) -> FillCounter {
        FillCounter {
            region_budget,
            cache: vec![None; CACHE_ENTRIES],
            ..FillCounter::uncached(budget)
        }
    }

    /// Returns bounds on the maximum number of moves that `side` can make in its territory. The amazons in the bitboard
    /// `guards` are restricted: one that moves must shoot at the square that it left.
    pub fn bounds(&mut self, side: Territory, guards: u64) -> MoveBounds {
        let Territory { amazons, mut empty } = side;
        let mut total = MoveBounds::NONE;
        while empty != 0 {
            // `region` is the connected component of empty squares and amazons that contains the first empty square.
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

    /// Returns bounds on the maximum number of moves in a single connected region of a territory, from the cache if
    /// possible. `guards` are the amazons that must shoot at the square that they leave.
    ///
    /// A count from the cache reduces the budget as if it were made again. So results do not depend on what the cache
    /// contains.
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

    /// Returns bounds on the maximum number of moves in a connected region. Tests one number of moves after another,
    /// downwards from the number of empty squares, until a number is possible or the budget is used up.
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

    /// Returns whether `side` can make `moves` further moves, by depth-first search. Returns `None` if the budget is
    /// used up.
    ///
    /// Lowers `min_missing` to the smallest number of moves that the search still had to find at any point.
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
        self.charge(1 + continuations.moves.len() as u32)?;
        for (_, after) in continuations.iter() {
            self.charge(1)?;
            if self.can_make_moves(moves - 1, after, guards, min_missing)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Subtracts `work` from the remaining budget and adds it to the total work done. Returns `None` if less than
    /// `work` remained.
    fn charge(&mut self, work: u32) -> Option<()> {
        self.work += u64::from(work);
        self.budget = self.budget.checked_sub(work)?;
        Some(())
    }
}

/// Hashes three bitboards to 64 bits. The multipliers are the golden ratio and the constants of MurmurHash3's final
/// step (Appleby 2011).
pub const fn hash([a, b, c]: [u64; 3]) -> u64 {
    let mixed = a.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ b.wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(21)
        ^ c.wrapping_mul(0xc4ce_b9fe_1a85_ec53).rotate_left(42);
    (mixed ^ mixed >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Returns the squares of the bitboard `set` that king steps within `set` reach from the squares of the bitboard
/// `start`.
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
/// king steps.
#[must_use]
pub fn reached(amazons: u64, empty: u64) -> u64 {
    connected(with_neighbours(amazons) & empty, empty)
}

/// An amazon's move within a territory, and the squares at which the amazon can shoot after it.
struct AmazonMove {
    from: Square,
    to: Square,
    /// Empty squares of the territory after the amazon's move, before the arrow, as a bitboard.
    empty: u64,
    /// Squares at which the amazon can shoot after the move, as a bitboard.
    targets: u64,
    /// Number of empty neighbours of each square of the board, where 5 means five or more, in binary: bitboards of the
    /// squares whose number has bit 0 set, bit 1 set, and bit 2 set.
    neighbours: [u64; 3],
}

/// Highest number of empty neighbours that is distinguished; it stands for five to eight empty neighbours of a square.
const MAX_NEIGHBOURS: u32 = 5;

impl AmazonMove {
    /// Returns the target squares that have exactly `neighbours` empty neighbours, as a bitboard. With `neighbours` =
    /// 5, returns those that have five or more.
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

/// List of all moves that a territory's amazons can make inside the territory.
pub struct FillMoves {
    amazons: u64,
    moves: SmallVec<[AmazonMove; 32]>,
}

impl FillMoves {
    /// Lists the moves of the amazons of `side`. An amazon in the bitboard `guards` must shoot at the square that it
    /// left.
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

    /// Iterates over the whole turns, each with the territory after the turn. Turns whose arrow lands on a square with
    /// few empty neighbours come first, because such an arrow costs the fewest later moves.
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

/// Returns the squares of the bitboard `empty` that a queen on the square of the bitboard `from` reaches in one move.
fn queen_destinations(from: u64, empty: u64) -> u64 {
    union(Slides::over(empty).rays_from(from)) & empty
}
