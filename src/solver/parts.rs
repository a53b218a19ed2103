//! Parts of the board: regions, what hangs together over empty squares and amazons, with arrows around; or several of them.
//!
//! What happens in a part changes nothing elsewhere. Alone it is a game of its own, to which moves besides can be added. Whoever
//! wins it as the second to move, with *n* moves for the other player besides, is ahead in it by at least *n* moves (Berlekamp, Conway
//! and Guy 1982). So a small part is searched alone, by trying everything, and what is found counts wherever the part stands.

use engine::board::Player;
use engine::mcts::endgame::Rivals;
use engine::mcts::endgame::fill::{Continuations, Fill, Side, connected, hash};
use smallvec::SmallVec;

/// Most empty squares of a region that is told to be an integer or none.
const MOST_OF_INTEGER: u32 = 6;

/// Work that counting the moves of one region may take; without a result the region stays as it is.
const REGION_BUDGET: u32 = 4_000;

/// Positions that the first try to find who wins a part may look at. Each further try may look at twice as many.
const FIRST_TRY: u64 = 8;

/// Most tries.
const MOST_TRIES: u8 = 8;

/// Parts that are remembered: a power of two.
const REMEMBERED: usize = 1 << 18;

/// A part of the board, from the view of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The amazons of this player, and of the other one.
    pub amazons: [u64; 2],
    /// The empty squares.
    pub empty: u64,
}

impl Part {
    /// Nothing.
    pub const NONE: Part = Part {
        amazons: [0; 2],
        empty: 0,
    };

    /// Number of its empty squares.
    pub const fn size(self) -> u32 {
        self.empty.count_ones()
    }

    /// From the view of the other player.
    #[must_use]
    pub const fn turned(self) -> Part {
        let [own, other] = self.amazons;
        Part {
            amazons: [other, own],
            ..self
        }
    }

    /// From the view of a player, if the first one is black.
    #[must_use]
    pub const fn of(self, player: Player) -> Part {
        match player {
            Player::Black => self,
            Player::White => self.turned(),
        }
    }

    /// All its squares.
    #[must_use]
    pub const fn squares(self) -> u64 {
        self.amazons[0] | self.amazons[1] | self.empty
    }

    /// What of it lies in a set.
    #[must_use]
    pub fn within(self, set: u64) -> Part {
        Part {
            amazons: self.amazons.map(|amazons| amazons & set),
            empty: self.empty & set,
        }
    }

    /// Its regions in which amazons stand.
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

/// What is known of a part whose first player moves next.
#[derive(Clone, Copy)]
struct Known {
    check: u64,
    /// The player loses with so many moves more besides, and with fewer.
    lost: i8,
    /// The player wins with so many, and with more.
    won: i8,
    /// How often it was tried in vain to find out more.
    tries: u8,
    /// Once that was looked into, the integer that a region is, or none.
    integer: Option<Option<i8>>,
}

impl Known {
    const NOTHING: Known = Known {
        check: 0,
        lost: i8::MIN,
        won: i8::MAX,
        tries: 0,
        integer: None,
    };

    fn wins(&self, besides: i32) -> Option<bool> {
        if besides >= self.won.into() {
            Some(true)
        } else if besides <= self.lost.into() {
            Some(false)
        } else {
            None
        }
    }
}

/// An option of the player to move: the part behind it, from the view of the other player, whose moves besides are told; and by how
/// many squares the other one reaches more.
type Choice = (i32, Part, i32);

/// Finds who wins parts, and remembers it.
pub struct Parts {
    known: Vec<Known>,
    fill: Fill,
    /// Positions looked at.
    looked_at: u64,
    /// How many it may be.
    limit: u64,
}

impl Default for Parts {
    fn default() -> Parts {
        Parts {
            known: vec![Known::NOTHING; REMEMBERED],
            fill: Fill::remembering(REGION_BUDGET, REGION_BUDGET),
            looked_at: 0,
            limit: 0,
        }
    }
}

impl Parts {
    /// By how many moves the first player is ahead in a region that is an integer, as far as counting shows it or a little work.
    pub fn integer(&mut self, region: Part) -> Option<i32> {
        if let Some(ahead) = self.alone(region) {
            return Some(ahead);
        }
        if region.amazons.contains(&0) || region.size() > MOST_OF_INTEGER {
            return None;
        }
        if let Some(known) = self.entry(region).integer {
            return known.map(i32::from);
        }
        let found = self.find_integer(region);
        self.entry(region).integer = Some(found.map(|ahead| ahead as i8));
        found
    }

    /// Counts moves in regions, with all the work that it may take for one.
    pub fn fill(&mut self) -> &mut Fill {
        self.fill.budget = REGION_BUDGET;
        &mut self.fill
    }

    /// The same of a region in which only one player has amazons, or nobody has a move.
    fn alone(&mut self, region: Part) -> Option<i32> {
        let Part { amazons, empty } = region;
        let mut moves = |amazons| {
            let moves = self.fill().in_region(Side { amazons, empty }, 0);
            moves.exactly().map(|moves| moves as i32)
        };
        match amazons {
            _ if empty == 0 => Some(0),
            [own, 0] => moves(own),
            [0, other] => Some(-moves(other)?),
            _ => None,
        }
    }

    /// The integer that a region is: not less than it, and not more.
    fn find_integer(&mut self, region: Part) -> Option<i32> {
        self.limit = u64::MAX;
        let mut is_at_least =
            |part: Part, ahead| self.wins_within(part.turned(), ahead) == Some(false);
        let (view, sign) = match [region, region.turned()].map(|part| is_at_least(part, 0)) {
            [true, true] => return Some(0),
            [true, false] => (region, 1),
            [false, true] => (region.turned(), -1),
            [false, false] => return None,
        };
        let ahead = (1..).take_while(|&ahead| is_at_least(view, ahead)).last()?;
        is_at_least(view.turned(), -ahead).then_some(sign * ahead)
    }

    /// Tests if the first player, to move next and with so many moves more besides, wins; nothing if the work that a further try is
    /// worth does not show it.
    pub fn wins(&mut self, part: Part, besides: i32) -> Option<bool> {
        let known = self.entry(part);
        let tries = known.tries;
        if let Some(wins) = known.wins(besides) {
            return Some(wins);
        }
        if let Ok(wins) = self.count(part, besides) {
            self.put(part, besides, wins);
            return Some(wins);
        }
        if tries == MOST_TRIES {
            return None;
        }
        self.limit = self.looked_at + (FIRST_TRY << tries);
        let wins = self.search(part, besides);
        if wins.is_none() {
            self.entry(part).tries = tries + 1;
        }
        wins
    }

    /// The same within the limit, whatever was tried before.
    fn wins_within(&mut self, part: Part, besides: i32) -> Option<bool> {
        let counted = self.count(part, besides).ok();
        counted.or_else(|| self.search(part, besides))
    }

    /// The entry of a part; a new one in place of another part's.
    fn entry(&mut self, part: Part) -> &mut Known {
        let [own, other] = part.amazons;
        let check = hash([part.empty, own, other]);
        let known = &mut self.known[(check >> 32) as usize % REMEMBERED];
        if known.check != check {
            *known = Known {
                check,
                ..Known::NOTHING
            };
        }
        known
    }

    fn put(&mut self, part: Part, besides: i32, wins: bool) {
        let known = self.entry(part);
        let besides = besides as i8;
        if wins {
            known.won = known.won.min(besides);
        } else {
            known.lost = known.lost.max(besides);
        }
    }

    /// Whether the player to move wins, by counting moves; or else by how many squares the other one reaches more.
    fn count(&mut self, part: Part, besides: i32) -> Result<bool, i32> {
        let rivals = Rivals::of(part.amazons, part.empty);
        rivals.winner(besides, self.fill()).ok_or_else(|| {
            let [own, other] = rivals.reached.map(|set| set.count_ones() as i32);
            other - own
        })
    }

    /// Whether the player to move wins; nothing if that is not found within the limit.
    fn search(&mut self, part: Part, mut besides: i32) -> Option<bool> {
        let mut left = 0;
        for region in part.regions() {
            match self.alone(region) {
                Some(ahead) => besides += ahead,
                None => left |= region.squares(),
            }
        }
        let part = part.within(left);
        if let Some(wins) = self.entry(part).wins(besides) {
            return Some(wins);
        }
        self.looked_at += 1;
        if self.looked_at > self.limit {
            return None;
        }
        let wins = self.has_winning_option(part, besides)?;
        self.put(part, besides, wins);
        Some(wins)
    }

    /// Tries all options: first by counting moves, then those that leave the other player little.
    fn has_winning_option(&mut self, part: Part, besides: i32) -> Option<bool> {
        let mut open: SmallVec<[Choice; 64]> = SmallVec::new();
        let mut wins_by = |behind: Part, besides: i32| match self.count(behind, besides) {
            Ok(loses) => !loses,
            Err(rank) => {
                open.push((rank, behind, besides));
                false
            }
        };
        if besides > 0 && wins_by(part.turned(), 1 - besides) {
            return Some(true);
        }
        let [amazons, other] = part.amazons;
        let empty = part.empty;
        for (_, after) in Continuations::of(Side { amazons, empty }, 0).iter() {
            let behind = Part {
                amazons: [other, after.amazons],
                empty: after.empty,
            };
            if wins_by(behind, -besides) {
                return Some(true);
            }
        }
        open.sort_by_key(|&(rank, ..)| -rank);
        for (_, behind, besides) in open {
            if !self.search(behind, besides)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a first short try does not find, further ones do.
    #[test]
    fn each_further_try_may_look_at_more() {
        let part = Part {
            amazons: [1, 1 << 18],
            empty: 0x03_0706,
        };
        let mut parts = Parts::default();
        let tries = (1..=MOST_TRIES).find(|_| parts.wins(part, 0).is_some());
        assert!(tries.is_some_and(|tries| tries > 1), "{tries:?}");
    }
}
