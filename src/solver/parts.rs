//! Parts of the board: one or several regions. A region is a connected component of empty squares and amazons, enclosed
//! by arrows and the edge of the board.
//!
//! Moves in one region do not affect the others, so each region is a game of its own, and the whole position is their
//! sum. If a player wins a region as the second to move although the opponent has *n* extra tempi, the player leads in
//! that region by at least *n* moves (Berlekamp, Conway and Guy 1982). Small parts are therefore solved exhaustively on
//! their own, and the results are reused wherever the same part occurs.

use engine::board::Player;
use engine::mcts::endgame::Sides;
use engine::mcts::endgame::fill::{Fill, FillMoves, Territory, connected, hash};
use smallvec::SmallVec;

/// Maximum number of empty squares of a contested region that is tested for being an integer, which means equal to a
/// fixed number of moves for one player.
const MAX_INTEGER_REGION: u32 = 6;

/// Maximum work for counting the moves of one region, in units of [`Fill::budget`].
const REGION_BUDGET: u32 = 4_000;

/// Number of positions that the first attempt to solve a part may visit. Each further attempt may visit twice as many.
const FIRST_ATTEMPT_POSITIONS: u64 = 8;

/// Maximum number of attempts to solve a part.
const MAX_ATTEMPTS: u8 = 8;

/// Number of board parts whose results are cached; a power of two.
const CACHE_ENTRIES: usize = 1 << 18;

/// One or several regions of the board, from the view of one player ("own").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Amazons of the own player and of the opponent, as bitboards.
    pub amazons: [u64; 2],
    /// Empty squares, as a bitboard.
    pub empty: u64,
}

impl Part {
    /// A part without squares.
    pub const NONE: Part = Part {
        amazons: [0; 2],
        empty: 0,
    };

    /// Returns the number of empty squares.
    pub const fn size(self) -> u32 {
        self.empty.count_ones()
    }

    /// Swaps the players, so that the opponent becomes the part's own player.
    #[must_use]
    pub const fn turned(self) -> Part {
        let [own, other] = self.amazons;
        Part {
            amazons: [other, own],
            ..self
        }
    }

    /// Converts a part from black's view to the view of `player`.
    #[must_use]
    pub const fn of(self, player: Player) -> Part {
        match player {
            Player::Black => self,
            Player::White => self.turned(),
        }
    }

    /// Returns all squares of the part, amazons included.
    #[must_use]
    pub const fn squares(self) -> u64 {
        self.amazons[0] | self.amazons[1] | self.empty
    }

    /// Returns the amazons and empty squares of this part that lie in `set`.
    #[must_use]
    pub fn within(self, set: u64) -> Part {
        Part {
            amazons: self.amazons.map(|amazons| amazons & set),
            empty: self.empty & set,
        }
    }

    /// Iterates over the regions of the part that contain amazons.
    pub fn regions(self) -> impl Iterator<Item = Part> {
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

/// Cache entry: what is proven about a part of the board if its own player is to move.
#[derive(Clone, Copy)]
struct CacheEntry {
    check: u64,
    /// The own player loses with at most this many extra tempi.
    lost: i8,
    /// The own player wins with at least this many extra tempi.
    won: i8,
    /// Number of attempts at a solution that ran out of budget.
    attempts: u8,
    /// Number of moves to which the region is equal as a combinatorial game. `Some(None)` if it is equal to no number,
    /// `None` if not tested yet.
    integer: Option<Option<i8>>,
}

impl CacheEntry {
    const NOTHING: CacheEntry = CacheEntry {
        check: 0,
        lost: i8::MIN,
        won: i8::MAX,
        attempts: 0,
        integer: None,
    };

    fn wins(&self, extra_tempi: i32) -> Option<bool> {
        if extra_tempi >= self.won.into() {
            Some(true)
        } else if extra_tempi <= self.lost.into() {
            Some(false)
        } else {
            None
        }
    }
}

/// An option of the side to move: its rank for move ordering (own minus opponent's reachable squares), the resulting
/// part from the opponent's view, and the opponent's extra tempi.
type TurnStage = (i32, Part, i32);

/// Solves small parts of the board exhaustively, and caches the results.
pub struct Parts {
    known: Vec<CacheEntry>,
    fill: Fill,
    /// Number of positions visited so far.
    visited: u64,
    /// Number of visited positions, counted by `visited`, at which the current attempt gives up.
    limit: u64,
}

impl Default for Parts {
    fn default() -> Parts {
        Parts {
            known: vec![CacheEntry::NOTHING; CACHE_ENTRIES],
            fill: Fill::cached(REGION_BUDGET, REGION_BUDGET),
            visited: 0,
            limit: 0,
        }
    }
}

impl Parts {
    /// Returns the own player's lead in `region`, in moves, if the lead is a fixed number that no play can change.
    /// Returns `None` if the lead is not fixed, or if counting and a short search cannot prove it.
    pub fn integer(&mut self, region: Part) -> Option<i32> {
        if let Some(lead) = self.uncontested_lead(region) {
            return Some(lead);
        }
        if region.amazons.contains(&0) || region.size() > MAX_INTEGER_REGION {
            return None;
        }
        if let Some(known) = self.entry(region).integer {
            return known.map(i32::from);
        }
        let found = self.find_integer(region);
        self.entry(region).integer = Some(found.map(|lead| lead as i8));
        found
    }

    /// Returns the move counter, with its budget reset for one region.
    pub fn fill(&mut self) -> &mut Fill {
        self.fill.budget = REGION_BUDGET;
        &mut self.fill
    }

    /// Returns the own player's lead in moves, for a region in which only one player has amazons or no square is empty.
    /// Returns `None` for other regions, or if counting takes too long.
    fn uncontested_lead(&mut self, region: Part) -> Option<i32> {
        let Part { amazons, empty } = region;
        let mut moves = |amazons| {
            let moves = self
                .fill()
                .bounds_in_region(Territory { amazons, empty }, 0);
            moves.exactly().map(|moves| moves as i32)
        };
        match amazons {
            _ if empty == 0 => Some(0),
            [own, 0] => moves(own),
            [0, other] => Some(-moves(other)?),
            _ => None,
        }
    }

    /// Returns the number of moves to which `region` is equal as a combinatorial game: a number that is both a lower
    /// and an upper bound on its value. Returns `None` if there is no such number.
    fn find_integer(&mut self, region: Part) -> Option<i32> {
        self.limit = u64::MAX;
        let mut is_at_least =
            |part: Part, lead| self.wins_within(part.turned(), lead) == Some(false);
        let (view, sign) = match [region, region.turned()].map(|part| is_at_least(part, 0)) {
            [true, true] => return Some(0),
            [true, false] => (region, 1),
            [false, true] => (region.turned(), -1),
            [false, false] => return None,
        };
        let lead = (1..).take_while(|&lead| is_at_least(view, lead)).last()?;
        is_at_least(view.turned(), -lead).then_some(sign * lead)
    }

    /// Tests if the own player of `part`, who is to move with `extra_tempi` extra tempi, wins. Returns `None` if this
    /// attempt exceeds its budget, or all attempts are used up.
    pub fn wins(&mut self, part: Part, extra_tempi: i32) -> Option<bool> {
        let known = self.entry(part);
        let attempts = known.attempts;
        if let Some(wins) = known.wins(extra_tempi) {
            return Some(wins);
        }
        if let Ok(wins) = self.count(part, extra_tempi) {
            self.put(part, extra_tempi, wins);
            return Some(wins);
        }
        if attempts == MAX_ATTEMPTS {
            return None;
        }
        self.limit = self.visited + (FIRST_ATTEMPT_POSITIONS << attempts);
        let wins = self.search(part, extra_tempi);
        if wins.is_none() {
            self.entry(part).attempts = attempts + 1;
        }
        wins
    }

    /// Tests if the own player, who is to move with `extra_tempi` extra tempi, wins. Searches within `self.limit`, no
    /// matter how many attempts were made before.
    fn wins_within(&mut self, part: Part, extra_tempi: i32) -> Option<bool> {
        let counted = self.count(part, extra_tempi).ok();
        counted.or_else(|| self.search(part, extra_tempi))
    }

    /// Returns the cache entry of `part`. If another part occupies the entry, clears the entry first.
    fn entry(&mut self, part: Part) -> &mut CacheEntry {
        let [own, other] = part.amazons;
        let check = hash([part.empty, own, other]);
        let known = &mut self.known[(check >> 32) as usize % CACHE_ENTRIES];
        if known.check != check {
            *known = CacheEntry {
                check,
                ..CacheEntry::NOTHING
            };
        }
        known
    }

    fn put(&mut self, part: Part, extra_tempi: i32, wins: bool) {
        let known = self.entry(part);
        let extra_tempi = extra_tempi as i8;
        if wins {
            known.won = known.won.min(extra_tempi);
        } else {
            known.lost = known.lost.max(extra_tempi);
        }
    }

    /// Tests by counting moves if the side to move wins. If counting leaves this open, returns the opponent's number of
    /// reachable squares minus the own number as an error.
    fn count(&mut self, part: Part, extra_tempi: i32) -> Result<bool, i32> {
        let open_sides = Sides::of(part.amazons, part.empty);
        open_sides.winner(extra_tempi, self.fill()).ok_or_else(|| {
            let [own, other] = open_sides.reached.map(|set| set.count_ones() as i32);
            other - own
        })
    }

    /// Tests by exhaustive search if the side to move wins `part` with `extra_tempi` extra tempi. Returns `None` if the
    /// number of visited positions reaches `self.limit`.
    fn search(&mut self, part: Part, mut extra_tempi: i32) -> Option<bool> {
        let mut left = 0;
        for region in part.regions() {
            match self.uncontested_lead(region) {
                Some(lead) => extra_tempi += lead,
                None => left |= region.squares(),
            }
        }
        let part = part.within(left);
        if let Some(wins) = self.entry(part).wins(extra_tempi) {
            return Some(wins);
        }
        self.visited += 1;
        if self.visited > self.limit {
            return None;
        }
        let wins = self.has_winning_option(part, extra_tempi)?;
        self.put(part, extra_tempi, wins);
        Some(wins)
    }

    /// Tests if some option wins for the side to move: first by counting moves, then by search, starting with the
    /// options that leave the opponent the fewest squares.
    fn has_winning_option(&mut self, part: Part, extra_tempi: i32) -> Option<bool> {
        let mut open: SmallVec<[TurnStage; 64]> = SmallVec::new();
        let mut wins_by = |behind: Part, extra_tempi: i32| match self.count(behind, extra_tempi) {
            Ok(loses) => !loses,
            Err(rank) => {
                open.push((rank, behind, extra_tempi));
                false
            }
        };
        if extra_tempi > 0 && wins_by(part.turned(), 1 - extra_tempi) {
            return Some(true);
        }
        let [amazons, other] = part.amazons;
        let empty = part.empty;
        for (_, after) in FillMoves::of(Territory { amazons, empty }, 0).iter() {
            let behind = Part {
                amazons: [other, after.amazons],
                empty: after.empty,
            };
            if wins_by(behind, -extra_tempi) {
                return Some(true);
            }
        }
        open.sort_by_key(|&(rank, ..)| -rank);
        for (_, behind, extra_tempi) in open {
            if !self.search(behind, extra_tempi)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part that exceeds the budget of the first attempt must be solved by a later one.
    #[test]
    fn later_attempts_may_visit_more_positions() {
        let part = Part {
            amazons: [1, 1 << 18],
            empty: 0x03_0706,
        };
        let mut parts = Parts::default();
        let attempts = (1..=MAX_ATTEMPTS).find(|_| parts.wins(part, 0).is_some());
        assert!(
            attempts.is_some_and(|attempts| attempts > 1),
            "{attempts:?}"
        );
    }
}
