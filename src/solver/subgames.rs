//! Subgames: one or several regions of the board. A region is a connected component of empty squares and amazons,
//! enclosed by arrows and the edge of the board.
//!
//! Moves in one region do not affect the others, so each region is a game of its own, and the whole position is their
//! sum. If a player wins a region as the second to move although the opponent has *n* extra tempi, the player leads in
//! that region by at least *n* moves (Berlekamp, Conway and Guy 1982). Small subgames are therefore solved exhaustively,
//! and the results are reused wherever the same subgame occurs.

use engine::board::Player;
use engine::mcts::endgame::Sides;
use engine::mcts::endgame::fill::{FillCounter, FillMoves, Territory, connected, hash};
use smallvec::SmallVec;

/// Maximum number of empty squares of a contested region that is tested for being an integer, which means equal to a
/// fixed number of moves for one player.
const MAX_INTEGER_REGION: u32 = 6;

/// Maximum work for counting the moves of one region, in units of [`FillCounter::budget`].
const REGION_BUDGET: u32 = 4_000;

/// Number of positions that the first attempt to solve a subgame may visit. Each further attempt may visit twice as
/// many.
const FIRST_ATTEMPT_POSITIONS: u64 = 8;

/// Maximum number of attempts to solve a subgame.
const MAX_ATTEMPTS: u8 = 8;

/// Number of subgames whose results are cached; a power of two.
const CACHE_ENTRIES: usize = 1 << 18;

/// One or several regions of the board, from the view of one player ("own").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subgame {
    /// Amazons of the own player and of the opponent, as bitboards.
    pub amazons: [u64; 2],
    /// Empty squares, as a bitboard.
    pub empty: u64,
}

impl Subgame {
    /// A subgame without squares.
    pub const NONE: Subgame = Subgame {
        amazons: [0; 2],
        empty: 0,
    };

    /// Returns the number of empty squares.
    pub const fn size(self) -> u32 {
        self.empty.count_ones()
    }

    /// Swaps the players, so that the opponent becomes the subgame's own player.
    #[must_use]
    pub const fn swapped(self) -> Subgame {
        let [own, other] = self.amazons;
        Subgame {
            amazons: [other, own],
            ..self
        }
    }

    /// Converts a subgame from black's view to the view of `player`.
    #[must_use]
    pub const fn in_view_of(self, player: Player) -> Subgame {
        match player {
            Player::Black => self,
            Player::White => self.swapped(),
        }
    }

    /// Returns all squares of the subgame, amazons included.
    #[must_use]
    pub const fn squares(self) -> u64 {
        self.amazons[0] | self.amazons[1] | self.empty
    }

    /// Returns the amazons and empty squares of this subgame that lie in `set`.
    #[must_use]
    pub fn within(self, set: u64) -> Subgame {
        Subgame {
            amazons: self.amazons.map(|amazons| amazons & set),
            empty: self.empty & set,
        }
    }

    /// Iterates over the regions of the subgame that contain amazons.
    pub fn regions(self) -> impl Iterator<Item = Subgame> {
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

/// Cache entry: what is proven about a subgame if its own player is to move.
#[derive(Clone, Copy)]
struct Proven {
    check: u64,
    /// The own player loses with at most this many extra tempi.
    max_lost: i8,
    /// The own player wins with at least this many extra tempi.
    min_won: i8,
    /// Number of attempts at a solution that ran out of budget.
    attempts: u8,
    /// Number of moves to which the region is equal as a combinatorial game. `Some(None)` if it is equal to no number,
    /// `None` if not tested yet.
    integer: Option<Option<i8>>,
}

impl Proven {
    const NONE: Proven = Proven {
        check: 0,
        max_lost: i8::MIN,
        min_won: i8::MAX,
        attempts: 0,
        integer: None,
    };

    fn wins(&self, extra_tempi: i32) -> Option<bool> {
        if extra_tempi >= self.min_won.into() {
            Some(true)
        } else if extra_tempi <= self.max_lost.into() {
            Some(false)
        } else {
            None
        }
    }
}

/// An option of the side to move: its rank for move ordering (own minus opponent's reachable squares), the resulting
/// subgame from the opponent's view, and the opponent's extra tempi.
type RankedOption = (i32, Subgame, i32);

/// Solves small subgames exhaustively, and caches the results.
pub struct SubgameSolver {
    cache: Vec<Proven>,
    counter: FillCounter,
    /// Number of positions visited so far.
    visited: u64,
    /// Number of visited positions, counted by `visited`, at which the current attempt gives up.
    limit: u64,
}

impl Default for SubgameSolver {
    fn default() -> SubgameSolver {
        SubgameSolver {
            cache: vec![Proven::NONE; CACHE_ENTRIES],
            counter: FillCounter::cached(REGION_BUDGET, REGION_BUDGET),
            visited: 0,
            limit: 0,
        }
    }
}

impl SubgameSolver {
    /// Returns the own player's lead in `region`, in moves, if the lead is a fixed number that no play can change.
    /// Returns `None` if the lead is not fixed, or if counting and a short search cannot prove it.
    pub fn integer_value(&mut self, region: Subgame) -> Option<i32> {
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
    pub fn counter(&mut self) -> &mut FillCounter {
        self.counter.budget = REGION_BUDGET;
        &mut self.counter
    }

    /// Returns the own player's lead in moves, for a region in which only one player has amazons or no square is empty.
    /// Returns `None` for other regions, or if counting takes too long.
    fn uncontested_lead(&mut self, region: Subgame) -> Option<i32> {
        let Subgame { amazons, empty } = region;
        let mut moves = |amazons| {
            let moves = self
                .counter()
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
    fn find_integer(&mut self, region: Subgame) -> Option<i32> {
        self.limit = u64::MAX;
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

    /// Tests if the own player of `subgame`, who is to move with `extra_tempi` extra tempi, wins. Returns `None` if
    /// this attempt exceeds its budget, or all attempts are used up.
    pub fn wins(&mut self, subgame: Subgame, extra_tempi: i32) -> Option<bool> {
        let known = self.entry(subgame);
        let attempts = known.attempts;
        if let Some(wins) = known.wins(extra_tempi) {
            return Some(wins);
        }
        if let Ok(wins) = self.count(subgame, extra_tempi) {
            self.store(subgame, extra_tempi, wins);
            return Some(wins);
        }
        if attempts == MAX_ATTEMPTS {
            return None;
        }
        self.limit = self.visited + (FIRST_ATTEMPT_POSITIONS << attempts);
        let wins = self.search(subgame, extra_tempi);
        if wins.is_none() {
            self.entry(subgame).attempts = attempts + 1;
        }
        wins
    }

    /// Tests if the own player, who is to move with `extra_tempi` extra tempi, wins. Searches within `self.limit`, no
    /// matter how many attempts were made before.
    fn wins_within_limit(&mut self, subgame: Subgame, extra_tempi: i32) -> Option<bool> {
        let counted = self.count(subgame, extra_tempi).ok();
        counted.or_else(|| self.search(subgame, extra_tempi))
    }

    /// Returns the cache entry of `subgame`. If another subgame occupies the entry, clears the entry first.
    fn entry(&mut self, subgame: Subgame) -> &mut Proven {
        let [own, other] = subgame.amazons;
        let check = hash([subgame.empty, own, other]);
        let known = &mut self.cache[(check >> 32) as usize % CACHE_ENTRIES];
        if known.check != check {
            *known = Proven {
                check,
                ..Proven::NONE
            };
        }
        known
    }

    fn store(&mut self, subgame: Subgame, extra_tempi: i32, wins: bool) {
        let known = self.entry(subgame);
        let extra_tempi = extra_tempi as i8;
        if wins {
            known.min_won = known.min_won.min(extra_tempi);
        } else {
            known.max_lost = known.max_lost.max(extra_tempi);
        }
    }

    /// Tests by counting moves if the side to move wins. If counting leaves this open, returns the opponent's number of
    /// reachable squares minus the own number as an error.
    fn count(&mut self, subgame: Subgame, extra_tempi: i32) -> Result<bool, i32> {
        let sides = Sides::from_amazons(subgame.amazons, subgame.empty);
        sides.winner(extra_tempi, self.counter()).ok_or_else(|| {
            let [own, other] = sides.reached.map(|set| set.count_ones() as i32);
            other - own
        })
    }

    /// Tests by exhaustive search if the side to move wins `subgame` with `extra_tempi` extra tempi. Returns `None` if
    /// the number of visited positions reaches `self.limit`.
    fn search(&mut self, subgame: Subgame, mut extra_tempi: i32) -> Option<bool> {
        let mut contested = 0;
        for region in subgame.regions() {
            match self.uncontested_lead(region) {
                Some(lead) => extra_tempi += lead,
                None => contested |= region.squares(),
            }
        }
        let subgame = subgame.within(contested);
        if let Some(wins) = self.entry(subgame).wins(extra_tempi) {
            return Some(wins);
        }
        self.visited += 1;
        if self.visited > self.limit {
            return None;
        }
        let wins = self.has_winning_option(subgame, extra_tempi)?;
        self.store(subgame, extra_tempi, wins);
        Some(wins)
    }

    /// Tests if some option wins for the side to move: first by counting moves, then by search, starting with the
    /// options that leave the opponent the fewest squares.
    fn has_winning_option(&mut self, subgame: Subgame, extra_tempi: i32) -> Option<bool> {
        let mut unresolved: SmallVec<[RankedOption; 64]> = SmallVec::new();
        let mut wins_by = |after: Subgame, extra_tempi: i32| match self.count(after, extra_tempi) {
            Ok(loses) => !loses,
            Err(rank) => {
                unresolved.push((rank, after, extra_tempi));
                false
            }
        };
        if extra_tempi > 0 && wins_by(subgame.swapped(), 1 - extra_tempi) {
            return Some(true);
        }
        let [amazons, other] = subgame.amazons;
        let empty = subgame.empty;
        for (_, after) in FillMoves::list(Territory { amazons, empty }, 0).iter() {
            let after = Subgame {
                amazons: [other, after.amazons],
                empty: after.empty,
            };
            if wins_by(after, -extra_tempi) {
                return Some(true);
            }
        }
        unresolved.sort_by_key(|&(rank, ..)| -rank);
        for (_, after, extra_tempi) in unresolved {
            if !self.search(after, extra_tempi)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A subgame that exceeds the budget of the first attempt must be solved by a later one.
    #[test]
    fn later_attempts_may_visit_more_positions() {
        let subgame = Subgame {
            amazons: [1, 1 << 18],
            empty: 0x03_0706,
        };
        let mut solver = SubgameSolver::default();
        let attempts = (1..=MAX_ATTEMPTS).find(|_| solver.wins(subgame, 0).is_some());
        assert!(
            attempts.is_some_and(|attempts| attempts > 1),
            "{attempts:?}"
        );
    }
}
