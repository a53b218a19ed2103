//! Fill: counts how many moves a player can make alone in a territory that the opponent cannot reach.

use crate::bitboard::{Slides, neighbours_up_to_five, union, with_neighbours};
use crate::board::{Move, Square, squares};
use smallvec::SmallVec;

/// Territory of one player: the player's amazons, and the empty squares that only these amazons reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Territory {
    /// Squares of the amazons, as a bitboard.
    pub amazons: u64,
    /// Empty squares of the territory, as a bitboard.
    pub empty: u64,
}

impl Territory {
    /// Returns the amazons that stand beside a square of `outside`.
    #[must_use]
    pub fn guards_against(self, outside: u64) -> u64 {
        self.amazons & with_neighbours(outside)
    }
}

/// Lower and upper bound on a number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Lower bound on the number of moves.
    pub least: u32,
    /// Upper bound on the number of moves.
    pub most: u32,
}

impl Range {
    const NONE: Range = Range { least: 0, most: 0 };

    /// Returns the number of moves if both bounds agree.
    #[must_use]
    pub fn exactly(self) -> Option<u32> {
        (self.least == self.most).then_some(self.most)
    }
}

/// Cache entry: bounds on the move count of one region with its guards.
#[derive(Clone, Copy)]
struct CacheEntry {
    region: Territory,
    guards: u64,
    range: Range,
    /// Work that the count took, in units of [`Fill::budget`].
    cost: u32,
}

/// Counts the maximum number of moves in territories within a work budget, and caches the counts of regions.
pub struct Fill {
    /// Work that may still be done, in units: one for each position whose moves are listed, for each amazon move in
    /// that list, and for each arrow tried.
    pub budget: u32,
    /// Maximum work for one region, in units of `budget`.
    limit: u32,
    /// Work done so far, in units of `budget`.
    pub work: u64,
    /// Cache of counted regions, indexed by hash; a newer entry replaces an older one. Empty if this counter caches
    /// nothing.
    cache: Vec<Option<CacheEntry>>,
}

/// Number of regions whose move counts are cached; a power of two.
const CACHE_ENTRIES: usize = 1 << 13;

impl Fill {
    /// Creates a counter with a work budget of `budget` and no cache.
    #[must_use]
    pub const fn uncached(budget: u32) -> Fill {
        Fill {
            budget,
            limit: budget,
            work: 0,
            cache: Vec::new(),
        }
    }

    /// Creates a counter with a cache and a work budget of `budget`, of which each region may take at most `limit`.
    #[must_use]
    pub fn cached(budget: u32, limit: u32) -> Fill {
        Fill {
            limit,
            cache: vec![None; CACHE_ENTRIES],
            ..Fill::uncached(budget)
        }
    }

    /// Returns bounds on the maximum number of moves that `side` can make. An amazon in `guards` that moves must shoot
    /// at the square that it left.
    pub fn most_moves(&mut self, side: Territory, guards: u64) -> Range {
        let Territory { amazons, mut empty } = side;
        let mut total = Range::NONE;
        while empty != 0 {
            // A region: a connected component of empty squares and amazons.
            let region = connected(empty & empty.wrapping_neg(), empty | amazons);
            let Range { least, most } = self.bounds_in_region(
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

    /// Returns [`Fill::most_moves`] of a single region, from the cache if possible. A cache hit costs as much budget as
    /// counting again would, so that results do not depend on the state of the cache.
    pub fn bounds_in_region(&mut self, region: Territory, guards: u64) -> Range {
        let hash = hash([region.empty, region.amazons, guards]);
        let slot = (hash >> 40) as usize % CACHE_ENTRIES;
        if let Some(Some(entry)) = self.cache.get(slot)
            && (entry.region, entry.guards) == (region, guards)
            && entry.cost <= self.budget
        {
            self.budget -= entry.cost;
            return entry.range;
        }
        let (before, granted) = (self.budget, self.budget.min(self.limit));
        self.budget = granted;
        let range = self.count(region, guards);
        let cost = granted - self.budget;
        self.budget = before - cost;
        if let Some(entry) = self.cache.get_mut(slot)
            && (granted == self.limit || range.exactly().is_some())
        {
            *entry = Some(CacheEntry {
                region,
                guards,
                range,
                cost,
            });
        }
        range
    }

    /// Tests if every square of the region can be filled, then all but one, and so on, until a test succeeds or the
    /// budget is used up.
    fn count(&mut self, region: Territory, guards: u64) -> Range {
        let mut least = 0;
        for moves in (1..=region.empty.count_ones()).rev() {
            let mut missing = moves;
            let found = self.can_move_times(moves, region, guards, &mut missing);
            least = least.max(moves - missing);
            match found {
                Some(true) => {
                    return Range {
                        least: moves,
                        most: moves,
                    };
                }
                Some(false) => {}
                None => return Range { least, most: moves },
            }
        }
        Range::NONE
    }

    /// Tests by depth-first search if `moves` moves can be made. Returns `None` if the budget is used up. Lowers
    /// `min_missing` to the smallest number of moves still missing at any point of the search.
    fn can_move_times(
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
        let continuations = FillMoves::of(side, guards);
        self.spend(1 + continuations.moves.len() as u32)?;
        for (_, after) in continuations.iter() {
            self.spend(1)?;
            if self.can_move_times(moves - 1, after, guards, min_missing)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Charges `work` to the budget. Returns `None` if the budget is used up.
    fn spend(&mut self, work: u32) -> Option<()> {
        self.work += u64::from(work);
        self.budget = self.budget.checked_sub(work)?;
        Some(())
    }
}

/// Hashes three bitboards. The multipliers are the golden ratio and the constants of MurmurHash3's final step (Appleby
/// 2011).
pub const fn hash([a, b, c]: [u64; 3]) -> u64 {
    let mixed = a.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ b.wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(21)
        ^ c.wrapping_mul(0xc4ce_b9fe_1a85_ec53).rotate_left(42);
    (mixed ^ mixed >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Returns the connected component of `set` that contains `start`; squares are connected to all eight neighbours.
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

/// Returns the empty squares that `amazons` can reach in any number of king steps.
#[must_use]
pub fn reached(amazons: u64, empty: u64) -> u64 {
    connected(with_neighbours(amazons) & empty, empty)
}

/// An amazon's move within a territory, with the possible targets of its arrow.
struct AmazonMove {
    from: Square,
    to: Square,
    /// Empty squares after the amazon's move, before the arrow.
    empty: u64,
    targets: u64,
    /// Number of empty neighbours of every square, at most 5, as three bitboards: the bits of values 1, 2 and 4.
    neighbours: [u64; 3],
}

/// Maximum number of empty neighbours that is counted; larger numbers are clamped to 5.
const MAX_NEIGHBOURS: u32 = 5;

impl AmazonMove {
    /// Returns the targets with exactly `neighbours` empty neighbours (5 stands for five or more).
    fn targets_beside(&self, neighbours: u32) -> u64 {
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

/// All moves of a territory's amazons. An amazon among the guards must shoot at the square that it left.
pub struct FillMoves {
    amazons: u64,
    moves: SmallVec<[AmazonMove; 32]>,
}

impl FillMoves {
    /// Lists the moves of `side`'s amazons. An amazon in `guards` must shoot at the square that it left.
    #[must_use]
    pub fn of(side: Territory, guards: u64) -> FillMoves {
        let Territory { amazons, empty } = side;
        let mut moves = SmallVec::new();
        for from in squares(amazons) {
            for to in squares(slide(from.bit(), empty)) {
                let vacated = (empty | from.bit()) & !to.bit();
                moves.push(AmazonMove {
                    from,
                    to,
                    empty: vacated,
                    targets: if guards & from.bit() != 0 {
                        from.bit()
                    } else {
                        slide(to.bit(), vacated)
                    },
                    neighbours: neighbours_up_to_five(vacated),
                });
            }
        }
        FillMoves { amazons, moves }
    }

    /// Iterates over the moves and the territory after each move. Arrows onto squares with few empty neighbours come
    /// first, because losing such a square costs the fewest future moves.
    pub fn iter(&self) -> impl Iterator<Item = (Move, Territory)> {
        (0..=MAX_NEIGHBOURS).flat_map(move |neighbours| {
            self.moves.iter().flat_map(move |turn| {
                let &AmazonMove { from, to, .. } = turn;
                squares(turn.targets_beside(neighbours)).map(move |arrow| {
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

/// Returns the squares that a queen on `from` reaches in one move over `empty` squares.
fn slide(from: u64, empty: u64) -> u64 {
    union(Slides::over(empty).from(from)) & empty
}
