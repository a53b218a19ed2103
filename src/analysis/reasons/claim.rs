//! What can be claimed of a line, and where it holds.

use super::line::Line;
use engine::bitboard::{Slides, union, with_neighbours};
use engine::board::{Board, Move, Player, Square, squares};
use engine::mcts::endgame::{moves_left, settle};
use serde::{Serialize, Serializer};

/// Most squares that an amazon has which is called shut in, and how many more it had before at least.
const SHUT: (u32, u32) = (5, 6);

/// Most squares that an amazon reaches in one move which is called hemmed in, and fewest that it reached before.
const HEMMED: (u32, u32) = (3, 8);

/// Fewest squares that only one player reaches.
const ALONE: u32 = 4;

/// Least loss of territory, in squares.
const COST: f32 = 1.5;

/// A set of squares; in JSON a list of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squares(pub u64);

impl Serialize for Squares {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(squares(self.0).map(|square| square.to_string()))
    }
}

/// A claim about a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// What is claimed.
    #[serde(flatten)]
    pub kind: Kind,
    /// Whom it favours.
    pub player: Player,
    /// The squares that it is about, but for that of an amazon; nothing if it is about the whole board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub squares: Option<Squares>,
}

/// What is claimed of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// The players are separated, and the player makes the last move. The squares are those that the player alone reaches.
    Count {
        /// How many moves black can still make.
        black: u32,
        /// How many moves white can still make.
        white: u32,
        /// How many plies of the line lead there.
        plies: usize,
    },
    /// An amazon of the other player is shut in. The squares are those that are left to it.
    ShutIn {
        /// Where the amazon stands.
        #[serde(serialize_with = "in_words")]
        amazon: Square,
        /// The reply that does it; nothing if the move itself does.
        #[serde(skip_serializing_if = "Option::is_none")]
        by: Option<Move>,
    },
    /// An amazon of the other player reaches few squares in one move. The squares are these.
    HemmedIn {
        /// Where the amazon stands.
        #[serde(serialize_with = "in_words")]
        amazon: Square,
        /// How many it reached before.
        before: u32,
    },
    /// The player alone reaches the squares from then on.
    Alone,
    /// The move costs the other player territory, against the best one.
    Costs {
        /// By how many squares, by the sum of ownership.
        cost: u32,
    },
}

fn in_words<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(square)
}

impl Claim {
    /// Returns all that can be claimed of a line in a player's favour, the weightiest first. Territory is claimed only against
    /// another line, and only if the moves left can't be counted.
    #[must_use]
    pub fn all(line: &Line, other: Option<&Line>, player: Player) -> Vec<Claim> {
        let mut claims: Vec<Claim> = count(line, player).into_iter().collect();
        let is_counted = !claims.is_empty();
        claims.extend(shut_in(line, player));
        claims.extend(alone(line, player));
        claims.extend(hemmed_in(line, player));
        if !is_counted {
            claims.extend(other.and_then(|other| costs(line, other, player)));
        }
        claims
    }

    /// How far the claim holds of a line, from 0 to 1; against another one, if it is about the difference.
    #[must_use]
    pub fn degree(&self, line: &Line, other: Option<&Line>) -> f32 {
        if let Kind::Costs { .. } = self.kind {
            return degree_of(other.is_some_and(|other| lead(line, other, self.player) > 0.0));
        }
        let end = line.end();
        end.iter().map(|board| self.degree_at(board)).sum::<f32>() / end.len() as f32
    }

    /// How far the claim holds in a position, from 0 to 1.
    fn degree_at(&self, board: &Board) -> f32 {
        let (player, squares) = (self.player, self.squares());
        let others = board.amazons(!player);
        degree_of(match self.kind {
            Kind::Count { .. } => settle(board) == Some(player),
            Kind::ShutIn { .. } => {
                let mut inside = self::squares(others & squares);
                inside.any(|square| region(board, square) & !squares == 0)
            }
            Kind::HemmedIn { amazon, .. } => {
                others & amazon.bit() != 0 && reach(board, amazon).count_ones() <= HEMMED.0 + 1
            }
            Kind::Alone => {
                let left = squares & board.empty();
                return share_of(left & enclosed(board, player), left);
            }
            Kind::Costs { .. } => false,
        })
    }

    /// The squares that the claim is about, that of an amazon counted; none if it is about the whole board.
    #[must_use]
    pub fn squares(&self) -> u64 {
        let amazon = match self.kind {
            Kind::ShutIn { amazon, .. } | Kind::HemmedIn { amazon, .. } => amazon.bit(),
            _ => 0,
        };
        self.squares.map_or(0, |Squares(set)| set) | amazon
    }
}

/// The degree of what holds or does not.
fn degree_of(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// The share of a set that is in a part of it; 0 of none.
fn share_of(part: u64, all: u64) -> f32 {
    part.count_ones() as f32 / all.count_ones().max(1) as f32
}

// ---- What is looked for

/// The first position of the line whose moves can be counted.
fn count(line: &Line, player: Player) -> Option<Claim> {
    let mut behind = (1..).zip(line.behind());
    let (plies, board, [black, white]) =
        behind.find_map(|(plies, board)| Some((plies, board, moves_left(board)?)))?;
    let own = [black, white][player as usize];
    let other = [white, black][player as usize];
    let wins = own > other || own == other && board.to_move() != player;
    let lasts = own > 0 && other > 0;
    (wins && lasts).then(|| Claim {
        player,
        squares: Some(Squares(reached(board, player))),
        kind: Kind::Count {
            black,
            white,
            plies,
        },
    })
}

/// The other player's amazons that the move shuts in, or the reply.
fn shut_in(line: &Line, player: Player) -> Vec<Claim> {
    let (most, less) = SHUT;
    let shut = |Watched {
                    by,
                    board,
                    amazon,
                    was,
                }: Watched| {
        let room = region(board, amazon) & board.empty();
        let had = (region(line.before(), was) & line.before().empty()).count_ones();
        let is_alone = region(board, amazon) & board.amazons(!player) == amazon.bit();
        let is_shut = room.count_ones() <= most && had >= room.count_ones() + less;
        (is_shut && is_alone).then_some(Claim {
            player,
            squares: Some(Squares(room)),
            kind: Kind::ShutIn { amazon, by },
        })
    };
    let mut found: Vec<Claim> = Vec::new();
    for claim in watched(line, !player).into_iter().filter_map(shut) {
        let mut known = found.iter().map(Claim::squares);
        if known.all(|squares| squares & claim.squares() == 0) {
            found.push(claim);
        }
    }
    found
}

/// The other player's amazons that reach few squares behind the move, or behind the reply.
fn hemmed_in(line: &Line, player: Player) -> Vec<Claim> {
    let (most, least) = HEMMED;
    let hemmed = |Watched {
                      board, amazon, was, ..
                  }: Watched| {
        let (now, had) = (reach(board, amazon), reach(line.before(), was).count_ones());
        (now.count_ones() <= most && had >= least).then_some(Claim {
            player,
            squares: Some(Squares(now)),
            kind: Kind::HemmedIn {
                amazon,
                before: had,
            },
        })
    };
    let watched = watched(line, !player).into_iter();
    watched.filter_map(hemmed).collect()
}

/// An amazon behind a move or a reply.
struct Watched<'a> {
    /// The reply that has been played.
    by: Option<Move>,
    board: &'a Board,
    amazon: Square,
    /// Where it stood before the move.
    was: Square,
}

/// A player's amazons behind the move; behind the reply, too, if the player has made the move.
fn watched(line: &Line, player: Player) -> Vec<Watched<'_>> {
    let is_mover = line.before().to_move() == player;
    let plies = if is_mover { 2 } else { 1 };
    let by = [None, line.replies.first().copied()];
    let positions = line.behind().iter().zip(by).take(plies);
    let mut found = Vec::new();
    for (board, by) in positions {
        for amazon in squares(board.amazons(player)) {
            let has_moved = is_mover && amazon == line.turn.to;
            let was = if has_moved { line.turn.from } else { amazon };
            found.push(Watched {
                by,
                board,
                amazon,
                was,
            });
        }
    }
    found
}

/// Squares that only the player reaches, whichever amazons leave: behind the move, or behind the other player's reply.
fn alone(line: &Line, player: Player) -> Option<Claim> {
    let plies = if line.before().to_move() == player {
        1
    } else {
        2
    };
    let board = line.behind().get(plies - 1)?;
    let new = enclosed(board, player) & !enclosed(line.before(), player);
    largest(new, ALONE).map(|set| Claim {
        player,
        squares: Some(Squares(set)),
        kind: Kind::Alone,
    })
}

/// Territory that the other player loses, if it is the other player who has moved.
fn costs(line: &Line, other: &Line, player: Player) -> Option<Claim> {
    let cost = lead(line, other, player);
    (cost >= COST && line.before().to_move() != player).then(|| Claim {
        player,
        squares: None,
        kind: Kind::Costs {
            cost: cost.round() as u32,
        },
    })
}

// ---- What positions and searches tell

/// By how many squares a player has more behind one line than behind another, by the ownership that the search foresees.
fn lead(line: &Line, other: &Line, player: Player) -> f32 {
    line.prospect.lead(player) - other.prospect.lead(player)
}

/// Returns the squares that an amazon reaches in one move.
fn reach(board: &Board, amazon: Square) -> u64 {
    union(Slides::over(board.empty()).from(amazon.bit())) & board.empty()
}

/// The empty squares that a player reaches in any number of moves.
fn reached(board: &Board, player: Player) -> u64 {
    connected(board.amazons(player), board.empty()) & board.empty()
}

/// The empty squares that a player reaches and that arrows keep the other one from, whichever amazons leave.
#[must_use]
pub fn enclosed(board: &Board, player: Player) -> u64 {
    let others = connected(board.amazons(!player), !board.arrows());
    reached(board, player) & !others
}

/// What hangs together with an amazon over empty squares and its player's other amazons, which can leave.
fn region(board: &Board, amazon: Square) -> u64 {
    let own = [Player::Black, Player::White].map(|player| board.amazons(player));
    let own = own.into_iter().find(|set| set & amazon.bit() != 0);
    connected(amazon.bit(), board.empty() | own.unwrap_or_default())
}

/// A start with all squares of a set that hang together with it, by king steps.
fn connected(start: u64, set: u64) -> u64 {
    let mut region = start;
    loop {
        let further = region | with_neighbours(region) & set;
        if further == region {
            return region;
        }
        region = further;
    }
}

/// The largest part of a set that hangs together, if it has so many squares.
fn largest(mut set: u64, least: u32) -> Option<u64> {
    let mut parts = Vec::new();
    while set != 0 {
        let part = connected(set & set.wrapping_neg(), set);
        parts.push(part);
        set &= !part;
    }
    let largest = parts.into_iter().max_by_key(|part| part.count_ones())?;
    (largest.count_ones() >= least).then_some(largest)
}

/// The square of a set from which the others are the fewest king steps away in all.
#[must_use]
pub fn centre(set: u64) -> Option<Square> {
    let steps = |a: Square, b: Square| u32::from(a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y())));
    squares(set).min_by_key(|&one| squares(set).map(|other| steps(one, other)).sum::<u32>())
}
