//! Claims about lines of play, such as “shuts in an amazon”, and the tests whether they hold.

use super::line::Line;
use engine::bitboard::{Slides, union, with_neighbours};
use engine::board::{Board, Move, Player, Square, squares};
use engine::mcts::endgame::{moves_left, prove_endgame};
use serde::{Serialize, Serializer};

/// Maximum number of squares left to an amazon that is shut in, and minimum number of squares that it lost.
const SHUT_IN_MAX_LEFT: u32 = 5;
const SHUT_IN_MIN_LOST: u32 = 6;

/// Maximum number of squares that a hemmed-in amazon reaches in one move, and minimum number that it reached before.
const HEMMED_IN_MAX_REACH: u32 = 3;
const HEMMED_IN_MIN_BEFORE: u32 = 8;

/// Minimum number of connected squares in a claim that only one player reaches them.
const MIN_EXCLUSIVE_SQUARES: u32 = 4;

/// Minimum loss of territory that is claimed, in squares.
const MIN_COST: f32 = 1.5;

/// A set of squares, one bit each. JSON holds the set as a list of square names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squares(pub u64);

impl Serialize for Squares {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(squares(self.0).map(|square| square.to_string()))
    }
}

/// A claim about what a line of play achieves, and for whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// Effect that is claimed.
    #[serde(flatten)]
    pub kind: Kind,
    /// Player whom the effect favours.
    pub player: Player,
    /// Squares that the claim is about, without the square of an amazon; `None` if the claim is about the whole board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub squares: Option<Squares>,
}

/// Effect of a line of play in favour of one player, [`Claim::player`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// The players are separated, and the favoured player makes the last move. [`Claim::squares`] are those that this player
    /// reaches.
    Count {
        /// Number of moves that black can still make.
        black: u32,
        /// Number of moves that white can still make.
        white: u32,
        /// Number of plies from the start of the line to the separated position.
        plies: usize,
    },
    /// An amazon of the opponent is shut in. [`Claim::squares`] are the empty squares left to this amazon.
    ShutIn {
        /// Square of the amazon.
        #[serde(serialize_with = "as_text")]
        amazon: Square,
        /// Reply that shuts the amazon in; `None` if the first move of the line does.
        #[serde(skip_serializing_if = "Option::is_none")]
        by: Option<Move>,
    },
    /// An amazon of the opponent reaches few squares in one move: [`Claim::squares`].
    HemmedIn {
        /// Square of the amazon.
        #[serde(serialize_with = "as_text")]
        amazon: Square,
        /// Number of squares that the amazon reached before the line.
        before: u32,
    },
    /// From now on only the favoured player can reach [`Claim::squares`].
    Alone,
    /// The opponent's move costs the opponent territory, compared with the best move.
    Costs {
        /// Loss in squares, as a difference of summed ownership.
        cost: u32,
    },
}

fn as_text<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(square)
}

impl Claim {
    /// Returns all claims about `line` in favour of `player`, the most important first.
    ///
    /// A loss of territory is claimed only in comparison with `other`, and only if no count of remaining moves is claimed.
    #[must_use]
    pub fn all(line: &Line, other: Option<&Line>, player: Player) -> Vec<Claim> {
        let mut claims: Vec<Claim> = moves_left_claim(line, player).into_iter().collect();
        let is_counted = !claims.is_empty();
        claims.extend(shut_in_claims(line, player));
        claims.extend(exclusive_squares_claim(line, player));
        claims.extend(hemmed_in_claims(line, player));
        if !is_counted {
            claims.extend(other.and_then(|other| cost_claim(line, other, player)));
        }
        claims
    }

    /// Returns the degree to which the claim holds for `line`, from 0 to 1. A loss of territory compares `line` with `other`.
    #[must_use]
    pub fn degree(&self, line: &Line, other: Option<&Line>) -> f32 {
        if let Kind::Costs { .. } = self.kind {
            return degree_of(
                other.is_some_and(|other| territory_gain(line, other, self.player) > 0.0),
            );
        }
        let last = line.last_positions();
        last.iter().map(|board| self.degree_at(board)).sum::<f32>() / last.len() as f32
    }

    /// Returns the degree to which the claim holds in one position, from 0 to 1.
    fn degree_at(&self, board: &Board) -> f32 {
        let (player, squares) = (self.player, self.squares());
        let others = board.amazons(!player);
        degree_of(match self.kind {
            Kind::Count { .. } => prove_endgame(board) == Some(player),
            Kind::ShutIn { .. } => {
                let mut inside = self::squares(others & squares);
                inside.any(|square| reachable_region(board, square) & !squares == 0)
            }
            Kind::HemmedIn { amazon, .. } => {
                others & amazon.bit() != 0
                    && reach(board, amazon).count_ones() <= HEMMED_IN_MAX_REACH + 1
            }
            Kind::Alone => {
                let left = squares & board.empty();
                return share_of(left & enclosed(board, player), left);
            }
            Kind::Costs { .. } => false,
        })
    }

    /// Returns the squares that the claim is about, with the amazon's square; empty if the claim is about the whole board.
    #[must_use]
    pub fn squares(&self) -> u64 {
        let amazon = match self.kind {
            Kind::ShutIn { amazon, .. } | Kind::HemmedIn { amazon, .. } => amazon.bit(),
            _ => 0,
        };
        self.squares.map_or(0, |Squares(set)| set) | amazon
    }
}

/// Returns the degree of a yes-or-no claim: 1 if true, 0 if false.
fn degree_of(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// Returns the fraction of the squares in `all` that are also in its subset `part`; 0 if `all` is empty.
fn share_of(part: u64, all: u64) -> f32 {
    part.count_ones() as f32 / all.count_ones().max(1) as f32
}

// ---- Detection of each kind of claim

/// Returns a claim that `player` makes the last move, based on the line's first position whose remaining moves can be counted.
fn moves_left_claim(line: &Line, player: Player) -> Option<Claim> {
    let mut positions = (1..).zip(line.after());
    let (plies, board, [black, white]) =
        positions.find_map(|(plies, board)| Some((plies, board, moves_left(board)?)))?;
    let own = [black, white][player as usize];
    let other = [white, black][player as usize];
    let wins = own > other || own == other && board.to_move() != player;
    let both_can_move = own > 0 && other > 0;
    (wins && both_can_move).then(|| Claim {
        player,
        squares: Some(Squares(reached(board, player))),
        kind: Kind::Count {
            black,
            white,
            plies,
        },
    })
}

/// Returns a claim for each of the opponent's amazons that is shut in after the line's first move or after the reply.
fn shut_in_claims(line: &Line, player: Player) -> Vec<Claim> {
    let shut = |watched: WatchedAmazon| {
        let (board, amazon, origin) = (watched.board, watched.amazon, watched.origin);
        let room = reachable_region(board, amazon) & board.empty();
        let had = (reachable_region(line.before(), origin) & line.before().empty()).count_ones();
        let is_alone = reachable_region(board, amazon) & board.amazons(!player) == amazon.bit();
        let is_shut =
            room.count_ones() <= SHUT_IN_MAX_LEFT && had >= room.count_ones() + SHUT_IN_MIN_LOST;
        (is_shut && is_alone).then_some(Claim {
            player,
            squares: Some(Squares(room)),
            kind: Kind::ShutIn {
                amazon,
                by: watched.reply,
            },
        })
    };
    let mut found: Vec<Claim> = Vec::new();
    for claim in watched_amazons(line, !player).into_iter().filter_map(shut) {
        let mut known = found.iter().map(Claim::squares);
        if known.all(|squares| squares & claim.squares() == 0) {
            found.push(claim);
        }
    }
    found
}

/// Returns a claim for each of the opponent's amazons that reaches few squares after the line's first move or after the reply.
fn hemmed_in_claims(line: &Line, player: Player) -> Vec<Claim> {
    let hemmed = |watched: WatchedAmazon| {
        let amazon = watched.amazon;
        let now = reach(watched.board, amazon);
        let before = reach(line.before(), watched.origin).count_ones();
        let is_hemmed = now.count_ones() <= HEMMED_IN_MAX_REACH && before >= HEMMED_IN_MIN_BEFORE;
        is_hemmed.then_some(Claim {
            player,
            squares: Some(Squares(now)),
            kind: Kind::HemmedIn { amazon, before },
        })
    };
    let watched = watched_amazons(line, !player).into_iter();
    watched.filter_map(hemmed).collect()
}

/// An amazon in the position after the line's first move or after the reply.
struct WatchedAmazon<'a> {
    /// Reply that was played; `None` in the position before the reply.
    reply: Option<Move>,
    board: &'a Board,
    amazon: Square,
    /// Square of the amazon before the line.
    origin: Square,
}

/// Returns the amazons of `player` after the line's first move, and also after the reply if `player` made the first move.
fn watched_amazons(line: &Line, player: Player) -> Vec<WatchedAmazon<'_>> {
    let is_mover = line.before().to_move() == player;
    let plies = if is_mover { 2 } else { 1 };
    let replies = [None, line.replies.first().copied()];
    let positions = line.after().iter().zip(replies).take(plies);
    let mut found = Vec::new();
    for (board, reply) in positions {
        for amazon in squares(board.amazons(player)) {
            let has_moved = is_mover && amazon == line.turn.to;
            let origin = if has_moved { line.turn.from } else { amazon };
            found.push(WatchedAmazon {
                reply,
                board,
                amazon,
                origin,
            });
        }
    }
    found
}

/// Returns a claim about squares that only `player` can reach, in the position after the first move of `player` in the line.
///
/// Amazons do not close off squares: they may move away.
fn exclusive_squares_claim(line: &Line, player: Player) -> Option<Claim> {
    let plies = if line.before().to_move() == player {
        1
    } else {
        2
    };
    let board = line.after().get(plies - 1)?;
    let new = enclosed(board, player) & !enclosed(line.before(), player);
    largest(new, MIN_EXCLUSIVE_SQUARES).map(|set| Claim {
        player,
        squares: Some(Squares(set)),
        kind: Kind::Alone,
    })
}

/// Returns a claim that the opponent of `player` lost territory by the line's first move, if the opponent made this move.
fn cost_claim(line: &Line, other: &Line, player: Player) -> Option<Claim> {
    let cost = territory_gain(line, other, player);
    (cost >= MIN_COST && line.before().to_move() != player).then(|| Claim {
        player,
        squares: None,
        kind: Kind::Costs {
            cost: cost.round() as u32,
        },
    })
}

// ---- Measurements of positions and lines

/// Returns how many more squares `player` leads by after `line` than after `other`, by the expected ownership.
fn territory_gain(line: &Line, other: &Line, player: Player) -> f32 {
    line.expected_ownership.lead(player) - other.expected_ownership.lead(player)
}

/// Returns the squares that an amazon reaches in one move.
fn reach(board: &Board, amazon: Square) -> u64 {
    union(Slides::over(board.empty()).from(amazon.bit())) & board.empty()
}

/// Returns the empty squares that `player` can reach in any number of moves.
fn reached(board: &Board, player: Player) -> u64 {
    connected(board.amazons(player), board.empty()) & board.empty()
}

/// Returns the empty squares that `player` can reach and from which arrows cut the opponent off.
///
/// The opponent's way counts as open if only amazons block it, since they may move away.
#[must_use]
pub fn enclosed(board: &Board, player: Player) -> u64 {
    let others = connected(board.amazons(!player), !board.arrows());
    reached(board, player) & !others
}

/// Returns all squares connected with `amazon` over empty squares and over the same player's amazons, which may move away.
fn reachable_region(board: &Board, amazon: Square) -> u64 {
    let own = [Player::Black, Player::White].map(|player| board.amazons(player));
    let own = own.into_iter().find(|set| set & amazon.bit() != 0);
    connected(amazon.bit(), board.empty() | own.unwrap_or_default())
}

/// Returns `start` with all squares of `set` that are connected with it by king steps (flood fill).
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

/// Returns the largest connected component of `set`, if it has at least `least` squares.
fn largest(mut set: u64, least: u32) -> Option<u64> {
    let mut components = Vec::new();
    while set != 0 {
        let component = connected(set & set.wrapping_neg(), set);
        components.push(component);
        set &= !component;
    }
    let largest = components
        .into_iter()
        .max_by_key(|component| component.count_ones())?;
    (largest.count_ones() >= least).then_some(largest)
}

/// Returns the square of `set` with the smallest sum of king distances to the other squares of `set`.
#[must_use]
pub fn centre(set: u64) -> Option<Square> {
    let steps = |a: Square, b: Square| u32::from(a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y())));
    squares(set).min_by_key(|&one| squares(set).map(|other| steps(one, other)).sum::<u32>())
}
