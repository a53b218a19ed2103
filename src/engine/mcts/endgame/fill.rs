//! Filling: how many moves a player makes alone in a territory.

use crate::bitboard::{Slides, neighbours_up_to_five, union, with_neighbours};
use crate::board::{Move, Square, squares};
use smallvec::SmallVec;

/// Amazons of a player, and the empty squares that they alone reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The amazons.
    pub amazons: u64,
    /// The squares.
    pub empty: u64,
}

impl Side {
    /// The amazons that stand beside squares that are not the side's own.
    #[must_use]
    pub fn guards_against(self, outside: u64) -> u64 {
        self.amazons & with_neighbours(outside)
    }
}

/// A number of moves, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// At least so many.
    pub least: u32,
    /// At most so many.
    pub most: u32,
}

impl Range {
    const NONE: Range = Range { least: 0, most: 0 };

    /// The number, if it is known.
    #[must_use]
    pub fn exactly(self) -> Option<u32> {
        (self.least == self.most).then_some(self.most)
    }
}

/// A territory that was counted: one region, and the guards of its squares.
#[derive(Clone, Copy)]
struct Known {
    region: Side,
    guards: u64,
    range: Range,
    /// The work of counting it.
    cost: u32,
}

/// Counts the most moves that a player makes alone, within a budget of work, and remembers what was counted.
pub struct Fill {
    /// Work that may still be done: one for each position whose moves are listed, for each amazon's move there, and for each arrow
    /// that is tried.
    pub budget: u32,
    /// Most work that one region may take of the budget.
    limit: u32,
    /// Work done so far.
    pub work: u64,
    /// The territory that was counted last of those with the same hash; empty if nothing is remembered.
    known: Vec<Option<Known>>,
}

/// Territories that are remembered: a power of two.
const REMEMBERED: usize = 1 << 13;

impl Fill {
    /// A count that remembers nothing, with so much work.
    #[must_use]
    pub const fn once(budget: u32) -> Fill {
        Fill {
            budget,
            limit: budget,
            work: 0,
            known: Vec::new(),
        }
    }

    /// A count that remembers territories, each counted with at most `limit` of work.
    #[must_use]
    pub fn remembering(budget: u32, limit: u32) -> Fill {
        Fill {
            limit,
            known: vec![None; REMEMBERED],
            ..Fill::once(budget)
        }
    }

    /// The most moves that a side can make. Guards are amazons whose squares are not to be left empty: whoever leaves one
    /// shoots at it.
    pub fn most_moves(&mut self, side: Side, guards: u64) -> Range {
        let Side { amazons, mut empty } = side;
        let mut total = Range::NONE;
        while empty != 0 {
            // A region: what hangs together over empty squares and amazons.
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

    /// [`Fill::most_moves`] of one region, from memory if it is known. What is known takes as much of the budget as counting
    /// it anew, so that the result does not depend on what was counted before.
    pub fn in_region(&mut self, region: Side, guards: u64) -> Range {
        let hash = hash([region.empty, region.amazons, guards]);
        let slot = (hash >> 40) as usize % REMEMBERED;
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
            *known = Some(Known {
                region,
                guards,
                range,
                cost,
            });
        }
        range
    }

    /// Tries to fill all of a region, then one square less, and so on, until the budget is used up.
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

    /// Tests if so many moves can be made, depth first; nothing if the budget is used up. `fewest`: the fewest moves that
    /// were left to make anywhere.
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

    /// Takes work from the budget; nothing if it is used up.
    fn spend(&mut self, work: u32) -> Option<()> {
        self.work += u64::from(work);
        self.budget = self.budget.checked_sub(work)?;
        Some(())
    }
}

/// Hashes three sets. The multipliers are the golden ratio, and those of MurmurHash3's last step (Appleby 2011).
pub const fn hash([a, b, c]: [u64; 3]) -> u64 {
    let mixed = a.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ b.wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(21)
        ^ c.wrapping_mul(0xc4ce_b9fe_1a85_ec53).rotate_left(42);
    (mixed ^ mixed >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// All squares of a set that hang together with a start, by king steps.
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

/// The empty squares that amazons reach, by king steps.
#[must_use]
pub fn reached(amazons: u64, empty: u64) -> u64 {
    connected(with_neighbours(amazons) & empty, empty)
}

/// An amazon's move in a territory, and where its arrow may go.
struct AmazonMove {
    from: Square,
    to: Square,
    /// The empty squares before the arrow.
    empty: u64,
    targets: u64,
    /// For every square the number of its empty neighbours, in bits.
    neighbours: [u64; 3],
}

/// Most empty neighbours of a square that are told apart.
const MOST_NEIGHBOURS: u32 = 5;

impl AmazonMove {
    /// The targets with so many empty neighbours.
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

/// All moves of a side. Whoever leaves a guarded square has to shoot at it.
pub struct Continuations {
    amazons: u64,
    moves: SmallVec<[AmazonMove; 32]>,
}

impl Continuations {
    /// The moves of a side with these guards.
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

    /// The moves, and the side after each. Those come first whose arrow takes a square with few empty neighbours, which is of
    /// little use.
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

/// The squares that a queen reaches in one move.
fn slide(from: u64, empty: u64) -> u64 {
    union(Slides::over(empty).from(from)) & empty
}
