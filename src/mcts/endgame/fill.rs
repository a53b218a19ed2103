//! Filling: how many moves a player makes alone in a territory.

use crate::bitboard::{Slides, union, with_neighbours};
use crate::board::{Move, squares};
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
    /// The positions that counting looked at.
    cost: u32,
}

/// Counts the most moves that a player makes alone, within a budget of positions, and remembers what was counted.
pub struct Fill {
    /// Positions that may still be looked at.
    pub budget: u32,
    /// Most positions that one region may take of the budget.
    limit: u32,
    /// Positions so far, and their continuations.
    pub work: u64,
    /// The territory that was counted last of those with the same hash; empty if nothing is remembered.
    known: Vec<Option<Known>>,
}

/// Territories that are remembered: a power of two.
const REMEMBERED: usize = 1 << 13;

impl Fill {
    /// A count that remembers nothing, of so many positions.
    #[must_use]
    pub const fn once(budget: u32) -> Fill {
        Fill {
            budget,
            limit: budget,
            work: 0,
            known: Vec::new(),
        }
    }

    /// A count that remembers territories, each of at most `limit` positions.
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
    fn in_region(&mut self, region: Side, guards: u64) -> Range {
        let slot = slot(region, guards);
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
        let reached = connected(with_neighbours(side.amazons) & side.empty, side.empty);
        if reached.count_ones() < moves {
            return Some(false);
        }
        self.budget = self.budget.checked_sub(1)?;
        let continuations = continuations(side, guards);
        self.work += 1 + continuations.len() as u64;
        for after in continuations {
            if self.can_make(moves - 1, after.side, guards, fewest)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

/// Where a territory is remembered.
fn slot(region: Side, guards: u64) -> usize {
    // Multipliers of the hash: the golden ratio, and those of MurmurHash3's last step (Appleby 2011).
    let mixed = region.empty.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ region.amazons.wrapping_mul(0xff51_afd7_ed55_8ccd)
        ^ guards.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    ((mixed ^ mixed >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % REMEMBERED
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

/// A move, and the side after it.
pub struct Continuation {
    /// The move.
    pub turn: Move,
    /// The side after it.
    pub side: Side,
    /// How useful the arrow's square was to whoever fills the region: how many empty neighbours it had.
    arrow_use: u32,
}

/// The positions after every move, those first whose arrow takes a square of little use. Whoever leaves a
/// guarded square has to shoot at it.
#[must_use]
pub fn continuations(side: Side, guards: u64) -> SmallVec<[Continuation; 64]> {
    let Side { amazons, empty } = side;
    let mut after = SmallVec::new();
    for from in squares(amazons) {
        for to in squares(slide(from.bit(), empty)) {
            let vacated = (empty | from.bit()) & !to.bit();
            let targets = if guards & from.bit() != 0 {
                from.bit()
            } else {
                slide(to.bit(), vacated)
            };
            for arrow in squares(targets) {
                after.push(Continuation {
                    turn: Move { from, to, arrow },
                    side: Side {
                        amazons: amazons ^ from.bit() ^ to.bit(),
                        empty: vacated & !arrow.bit(),
                    },
                    arrow_use: (with_neighbours(arrow.bit()) & vacated & !arrow.bit()).count_ones(),
                });
            }
        }
    }
    after.sort_unstable_by_key(|after: &Continuation| {
        (after.arrow_use, after.side.amazons, after.side.empty)
    });
    after
}

/// The squares that a queen reaches in one move.
fn slide(from: u64, empty: u64) -> u64 {
    union(Slides::over(empty).from(from)) & empty
}
