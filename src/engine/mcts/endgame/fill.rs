//! Fill: counts how many moves a player can make alone in a territory that the opponent cannot reach.

use crate::bitboard::{Slides, neighbours_up_to_five, union, with_neighbours};
use crate::board::{Move, Square, squares};
use smallvec::SmallVec;

/// Territory of one player: the player's amazons, and the empty squares that only these amazons reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Squares of the amazons, as a bitboard.
    pub amazons: u64,
    /// Empty squares of the territory, as a bitboard.
    pub empty: u64,
}

impl Side {
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

/// Cache entry: the move count of one region with its guards.
#[derive(Clone, Copy)]
struct CacheEntry {
    region: Side,
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
    known: Vec<Option<CacheEntry>>,
}

/// Number of regions whose move counts are cached; a power of two.
const CACHE_ENTRIES: usize = 1 << 13;

impl Fill {
    /// Creates a counter with a work budget of `budget` and no cache.
    #[must_use]
    pub const fn once(budget: u32) -> Fill {
        Fill {
            budget,
            limit: budget,
            work: 0,
            known: Vec::new(),
        }
    }

    /// Creates a counter with a cache and a work budget of `budget`, of which each region may take at most `limit`.
    #[must_use]
    pub fn with_cache(budget: u32, limit: u32) -> Fill {
        Fill {
            limit,
            known: vec![None; CACHE_ENTRIES],
            ..Fill::once(budget)
        }
    }

    /// Returns bounds on the maximum number of moves that `side` can make. An amazon in `guards` that moves must shoot
    /// at the square that it left.
    pub fn max_moves(&mut self, side: Side, guards: u64) -> Range {
        let Side { amazons, mut empty } = side;
        let mut total = Range::NONE;
        while empty != 0 {
            // A region: a connected component of empty squares and amazons.
            let region = connected(empty & empty.wrapping_neg(), empty | amazons);
            let Range { least, most } = self.in_region(
                Side {
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

    /// Returns [`Fill::max_moves`] of a single region, from the cache if possible. A cache hit costs as much budget as
    /// counting again would, so that results do not depend on the state of the cache.
    pub fn in_region(&mut self, region: Side, guards: u64) -> Range {
        let hash = hash([region.empty, region.amazons, guards]);
        let slot = (hash >> 40) as usize % CACHE_ENTRIES;
        if let Some(Some(known)) = self.known.get(slot)
            && (known.region, known.guards) == (region, guards)
            && known.cost <= self.budget
        {
            self.budget -= known.cost;
            return known.range;
        }
        let (before, granted) = (self.budget, self.budget.min(self.limit));
        self.budget = granted;
        let range = self.count(region, guards);
        let cost = granted - self.budget;
        self.budget = before - cost;
        if let Some(known) = self.known.get_mut(slot)
            && (granted == self.limit || range.exactly().is_some())
        {
            *known = Some(CacheEntry {
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
    fn count(&mut self, region: Side, guards: u64) -> Range {
        let mut least = 0;
        for moves in (1..=region.empty.count_ones()).rev() {
            let mut deepest = moves;
            let found = self.can_make(moves, region, guards, &mut deepest);
            least = least.max(moves - deepest);
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
    /// `fewest` to the smallest number of moves still missing at any point of the search.
    fn can_make(&mut self, moves: u32, side: Side, guards: u64, fewest: &mut u32) -> Option<bool> {
        *fewest = moves.min(*fewest);
        if moves == 0 {
            return Some(true);
        }
        if reached(side.amazons, side.empty).count_ones() < moves {
            return Some(false);
        }
        let continuations = Continuations::of(side, guards);
        self.spend(1 + continuations.moves.len() as u32)?;
        for (_, after) in continuations.iter() {
            self.spend(1)?;
            if self.can_make(moves - 1, after, guards, fewest)? {
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
const MOST_NEIGHBOURS: u32 = 5;

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
pub struct Continuations {
    amazons: u64,
    moves: SmallVec<[AmazonMove; 32]>,
}

impl Continuations {
    /// Lists the moves of `side`'s amazons. An amazon in `guards` must shoot at the square that it left.
    #[must_use]
    pub fn of(side: Side, guards: u64) -> Continuations {
        let Side { amazons, empty } = side;
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
        Continuations { amazons, moves }
    }

    /// Iterates over the moves and the territory after each move. Arrows onto squares with few empty neighbours come
    /// first, because losing such a square costs the fewest future moves.
    pub fn iter(&self) -> impl Iterator<Item = (Move, Side)> {
        (0..=MOST_NEIGHBOURS).flat_map(move |neighbours| {
            self.moves.iter().flat_map(move |turn| {
                let &AmazonMove { from, to, .. } = turn;
                squares(turn.targets_beside(neighbours)).map(move |arrow| {
                    let side = Side {
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
