//! [`Claim`]: a statement about a line of play that can be tested, such as “shuts in an amazon”. This module finds such
//! claims and tests them.

use super::line::Line;
use engine::bitboard::{Slides, union, with_neighbours};
use engine::board::{Board, Move, Player, Square, squares};
use engine::mcts::endgame::{moves_left, prove_endgame};
use serde::{Serialize, Serializer};
use std::cmp::Reverse;

/// Maximum number of empty squares that a shut-in amazon can still reach, in any number of moves.
const SHUT_IN_MAX_LEFT: u32 = 5;
/// Minimum number of empty squares that an amazon can no longer reach, compared with the position before the line of
/// play, for the amazon to count as shut in.
const SHUT_IN_MIN_LOST: u32 = 6;

/// Minimum difference between an amazon's mean room in the compared line of play and in the explained one, for
/// [`Effect::LittleRoom`]. An amazon's room is the number of squares that it reaches within two moves.
const ROOM_MIN_LOST: f32 = 6.0;
/// Maximum room of an amazon after the first two plies of a line of play for [`Effect::LittleRoom`], as a fraction of
/// the smaller of two numbers: its room before the line, and its room after two plies of the compared line. An amazon's
/// room is the number of squares that it reaches within two moves.
const ROOM_MAX_FRACTION: f32 = 0.8;
/// Maximum mean room of an amazon for [`Effect::LittleRoom`], as a fraction of its mean room in the compared line of
/// play. An amazon's room is the number of squares that it reaches within two moves.
const ROOM_MAX_MEAN_FRACTION: f32 = 0.85;
/// An amazon's mean room in a line of play is the mean over the positions after these numbers of plies. Black is to
/// move in some of these positions, white in the others. An amazon's room is the number of squares that it reaches
/// within two moves.
const ROOM_PLIES: [usize; 3] = [2, 3, 4];

/// Minimum number of connected squares for a claim that only one player can reach them ([`Effect::Alone`]).
const MIN_EXCLUSIVE_SQUARES: u32 = 4;

/// A set of squares: bit n stands for square n, row by row from a1. JSON holds the set as a list of square names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squares(pub u64);

impl Serialize for Squares {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(squares(self.0).map(|square| square.to_string()))
    }
}

/// A statement that a line of play has an effect in favour of a player. It can be tested: see [`Claim::degree`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// Effect of the line of play, such as a shut-in amazon.
    #[serde(flatten)]
    pub effect: Effect,
    /// Player whom the effect favours.
    pub player: Player,
    /// Number of plies of the line after which the effect shows: 1 for the line's first move, 2 for the reply to it.
    #[serde(skip)]
    pub plies: usize,
    /// Squares that the effect is about, such as those left to a shut-in amazon; without the square on which the amazon
    /// stands. `None` for [`Effect::Unexplained`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub squares: Option<Squares>,
}

/// Effect of a line of play, in favour of the player [`Claim::player`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// No empty square can be reached by both players any more, and the favoured player makes the last move.
    /// [`Claim::squares`] are the empty squares that the favoured player can reach.
    Count {
        /// Maximum number of moves that black can still make.
        black: u32,
        /// Maximum number of moves that white can still make.
        white: u32,
    },
    /// An amazon of the opponent is shut in: at most five empty squares are left to it. [`Claim::squares`] are these
    /// squares.
    ShutIn {
        /// Square of the shut-in amazon.
        #[serde(serialize_with = "as_text")]
        amazon: Square,
        /// Reply that shuts the amazon in; `None` if the line's first move shuts it in.
        #[serde(skip_serializing_if = "Option::is_none")]
        by: Option<Move>,
    },
    /// An amazon of the opponent has less room after two plies of the line of play than before it, and less than after
    /// two plies of the compared line. An amazon's room is the number of squares that it reaches within two moves;
    /// [`Claim::squares`] are the squares left to it.
    LittleRoom {
        /// Square on which the amazon stands after two plies of the line: the first move and the reply.
        #[serde(serialize_with = "as_text")]
        amazon: Square,
        /// Square of the amazon before the line's first move.
        #[serde(skip)]
        start: Square,
        /// Number of squares that the amazon reaches within two moves in the position before the line's first move.
        before: u32,
        /// Number of squares that the amazon reaches within two moves after two plies of the other line of play, with
        /// which this line is compared.
        other: u32,
        /// How many more squares the amazon reaches within two moves in the other line of play than in this one: the
        /// difference of two means over the positions after 2, 3 and 4 plies, rounded.
        #[serde(skip)]
        lost: u32,
    },
    /// Only the favoured player can still reach [`Claim::squares`]: arrows cut the opponent off.
    Alone,
    /// The search prefers another move, but no effect explains why.
    Unexplained,
}

fn as_text<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(square)
}

impl Claim {
    /// Finds all claims about the line of play `line` in favour of `player`, the most important first. `other` is the
    /// line of play with which it is compared; without it, no claims with [`Effect::LittleRoom`] are found.
    #[must_use]
    pub fn find_all(line: &Line, other: Option<&Line>, player: Player) -> Vec<Claim> {
        let mut claims: Vec<Claim> = moves_left_claim(line, player).into_iter().collect();
        claims.extend(shut_in_claims(line, player));
        claims.extend(exclusive_squares_claim(line, player));
        if let Some(other) = other {
            claims.extend(little_room_claims(line, other, player));
        }
        claims
    }

    /// Returns the degree to which the claim holds for the line of play `line`, from 0 to 1: the mean over the line's
    /// last two positions.
    ///
    /// [`Effect::LittleRoom`] is an exception: its degree is 1 if the amazon's mean room in `line` is smaller than in
    /// the compared line `other` by at least half of the claim's `lost` squares. Otherwise, or if `other` is `None`, it
    /// is 0.
    #[must_use]
    pub fn degree(&self, line: &Line, other: Option<&Line>) -> f32 {
        if let Effect::LittleRoom { start, lost, .. } = self.effect {
            let difference = other.map(|other| mean_room(other, start) - mean_room(line, start));
            return bool_degree(difference.is_some_and(|squares| 2.0 * squares >= lost as f32));
        }
        let last = line.last_positions();
        last.iter().map(|board| self.degree_at(board)).sum::<f32>() / last.len() as f32
    }

    /// Returns the degree to which the claim holds in the position `board`: 0 or 1, for [`Effect::Alone`] the fraction
    /// of the claim's empty squares that only the favoured player can reach. For [`Effect::LittleRoom`] and
    /// [`Effect::Unexplained`] it is 0.
    fn degree_at(&self, board: &Board) -> f32 {
        let (player, squares) = (self.player, self.squares());
        let others = board.amazons(!player);
        bool_degree(match self.effect {
            Effect::Count { .. } => prove_endgame(board) == Some(player),
            Effect::ShutIn { .. } => {
                let mut inside = self::squares(others & squares);
                inside.any(|square| reachable_region(board, square) & !squares == 0)
            }
            Effect::Alone => {
                let left = squares & board.empty();
                return share_of(left & enclosed(board, player), left);
            }
            Effect::LittleRoom { .. } | Effect::Unexplained => false,
        })
    }

    /// Returns the squares that the claim is about, with the amazon's own square, as a bit set: bit n is square n, row
    /// by row from a1. The set is empty for [`Effect::Unexplained`].
    #[must_use]
    pub fn squares(&self) -> u64 {
        let amazon = match self.effect {
            Effect::ShutIn { amazon, .. } | Effect::LittleRoom { amazon, .. } => amazon.bit(),
            _ => 0,
        };
        self.squares.map_or(0, |Squares(set)| set) | amazon
    }
}

/// Converts a test result to a degree: 1 if true, 0 if false.
fn bool_degree(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// Returns the fraction of the squares in `all` that are also in its subset `part`; 0 if `all` is empty.
fn share_of(part: u64, all: u64) -> f32 {
    part.count_ones() as f32 / all.count_ones().max(1) as f32
}

// ---- Detection of each kind of claim

/// Returns the claim that `player` makes the last move of the game. It is decided in the first position of `line` in
/// which an exact count of each player's remaining moves succeeds.
///
/// Returns `None` if there is no such position, or if in it the opponent makes the last move or a player has no move.
fn moves_left_claim(line: &Line, player: Player) -> Option<Claim> {
    let mut positions = (1..).zip(line.later_boards());
    let (plies, board, [black, white]) =
        positions.find_map(|(plies, board)| Some((plies, board, moves_left(board)?)))?;
    let own = [black, white][player as usize];
    let other = [white, black][player as usize];
    let wins = own > other || own == other && board.to_move() != player;
    let both_can_move = own > 0 && other > 0;
    (wins && both_can_move).then(|| Claim {
        player,
        plies,
        squares: Some(Squares(reachable_squares(board, player))),
        effect: Effect::Count { black, white },
    })
}

/// Returns a claim for each amazon of the opponent that is shut in, in favour of `player`. Tested is the position after
/// the line's first move and, if the opponent made this move, also the position after the reply.
fn shut_in_claims(line: &Line, player: Player) -> Vec<Claim> {
    let shut = |watched: AmazonInLine| {
        let (board, amazon, start) = (watched.board, watched.amazon, watched.start);
        let room = reachable_region(board, amazon) & board.empty();
        let had = (reachable_region(line.before(), start) & line.before().empty()).count_ones();
        let is_alone = reachable_region(board, amazon) & board.amazons(!player) == amazon.bit();
        let is_shut =
            room.count_ones() <= SHUT_IN_MAX_LEFT && had >= room.count_ones() + SHUT_IN_MIN_LOST;
        (is_shut && is_alone).then_some(Claim {
            player,
            plies: 1 + usize::from(watched.reply.is_some()),
            squares: Some(Squares(room)),
            effect: Effect::ShutIn {
                amazon,
                by: watched.reply,
            },
        })
    };
    let mut found: Vec<Claim> = Vec::new();
    for claim in amazons_in_line(line, !player).into_iter().filter_map(shut) {
        let mut known = found.iter().map(Claim::squares);
        if known.all(|squares| squares & claim.squares() == 0) {
            found.push(claim);
        }
    }
    found
}

/// Returns a claim for each amazon of the opponent that has lost room, in favour of `player`. After two plies of
/// `line`, the amazon must reach fewer squares within two moves than before `line`, and fewer than after two plies of
/// `other`. The claim with the greatest loss comes first.
fn little_room_claims(line: &Line, other: &Line, player: Player) -> Vec<Claim> {
    let claim = |start: Square| {
        let amazon = line.track(start, 2);
        let set = room(line.board_after(2), amazon);
        let now = set.count_ones() as f32;
        let before = room(line.before(), start).count_ones();
        let other_now = room(other.board_after(2), other.track(start, 2)).count_ones();
        let [mean, other_mean] = [line, other].map(|line| mean_room(line, start));
        let is_less = now <= ROOM_MAX_FRACTION * before.min(other_now) as f32
            && mean <= ROOM_MAX_MEAN_FRACTION * other_mean
            && other_mean - mean >= ROOM_MIN_LOST;
        let lost = (other_mean - mean).round() as u32;
        let claim = Claim {
            player,
            plies: 2,
            squares: Some(Squares(set)),
            effect: Effect::LittleRoom {
                amazon,
                start,
                before,
                other: other_now,
                lost,
            },
        };
        is_less.then_some((lost, claim))
    };
    let amazons = squares(line.before().amazons(!player));
    let mut claims: Vec<(u32, Claim)> = amazons.filter_map(claim).collect();
    claims.sort_by_key(|&(lost, _)| Reverse(lost));
    claims.into_iter().map(|(_, claim)| claim).collect()
}

/// An amazon in one of the first two positions of a line of play: after the first move, or after the reply to it.
struct AmazonInLine<'a> {
    /// Reply after which the amazon is examined; `None` if it is examined after the line's first move.
    reply: Option<Move>,
    board: &'a Board,
    amazon: Square,
    /// Square of the amazon before the line's first move.
    start: Square,
}

/// Returns the amazons of `player` in the position after the line's first move. If `player` made the first move, also
/// returns those in the position after the reply.
fn amazons_in_line(line: &Line, player: Player) -> Vec<AmazonInLine<'_>> {
    let is_mover = line.before().to_move() == player;
    let plies = if is_mover { 2 } else { 1 };
    let replies = [None, line.replies.first().copied()];
    let positions = line.later_boards().iter().zip(replies).take(plies);
    let mut found = Vec::new();
    for (board, reply) in positions {
        for amazon in squares(board.amazons(player)) {
            let has_moved = is_mover && amazon == line.turn.to;
            let start = if has_moved { line.turn.from } else { amazon };
            found.push(AmazonInLine {
                reply,
                board,
                amazon,
                start,
            });
        }
    }
    found
}

/// Returns the claim that only `player` can reach certain squares, after the first move that `player` makes in `line`.
/// Returns `None` if fewer than [`MIN_EXCLUSIVE_SQUARES`] connected squares are newly enclosed.
///
/// Amazons do not enclose squares, because they may move away.
fn exclusive_squares_claim(line: &Line, player: Player) -> Option<Claim> {
    let plies = if line.before().to_move() == player {
        1
    } else {
        2
    };
    let board = line.later_boards().get(plies - 1)?;
    let new = enclosed(board, player) & !enclosed(line.before(), player);
    largest_component(new, MIN_EXCLUSIVE_SQUARES).map(|set| Claim {
        player,
        plies,
        squares: Some(Squares(set)),
        effect: Effect::Alone,
    })
}

// ---- Measurements of positions and lines

/// Returns the squares that an amazon reaches within two moves, if nobody else moves, as a bit set.
fn room(board: &Board, amazon: Square) -> u64 {
    let slides = Slides::over(board.empty());
    let one = union(slides.rays_from(amazon.bit())) & board.empty();
    one | union(slides.rays_from(one)) & board.empty()
}

/// Returns the mean number of squares that an amazon reaches within two moves, over the positions after 2, 3 and 4
/// plies of `line`. `start` is the amazon's square before the line's first move.
fn mean_room(line: &Line, start: Square) -> f32 {
    let rooms = ROOM_PLIES
        .map(|plies| room(line.board_after(plies), line.track(start, plies)).count_ones());
    rooms.iter().sum::<u32>() as f32 / ROOM_PLIES.len() as f32
}

/// Returns the empty squares that `player` can reach in any number of moves, as a bit set.
fn reachable_squares(board: &Board, player: Player) -> u64 {
    flood_fill(board.amazons(player), board.empty()) & board.empty()
}

/// Returns the empty squares that `player` can reach and the opponent cannot, because arrows block every path; as a bit
/// set.
///
/// Amazons do not count as blocking a path, because they may move away.
#[must_use]
pub fn enclosed(board: &Board, player: Player) -> u64 {
    let others = flood_fill(board.amazons(!player), !board.arrows());
    reachable_squares(board, player) & !others
}

/// Returns the square `amazon` and all squares connected with it, as a bit set. Paths may lead over empty squares and
/// over amazons of the same player, which may move away.
fn reachable_region(board: &Board, amazon: Square) -> u64 {
    let own = [Player::Black, Player::White].map(|player| board.amazons(player));
    let own = own.into_iter().find(|set| set & amazon.bit() != 0);
    flood_fill(amazon.bit(), board.empty() | own.unwrap_or_default())
}

/// Returns `start` with all squares of `set` that are connected with it by king steps (flood fill).
fn flood_fill(start: u64, set: u64) -> u64 {
    let mut region = start;
    loop {
        let further = region | with_neighbours(region) & set;
        if further == region {
            return region;
        }
        region = further;
    }
}

/// Returns the largest connected set of squares in `set`; `None` if it has fewer than `min_size` squares.
fn largest_component(mut set: u64, min_size: u32) -> Option<u64> {
    let mut components = Vec::new();
    while set != 0 {
        let component = flood_fill(set & set.wrapping_neg(), set);
        components.push(component);
        set &= !component;
    }
    let largest = components
        .into_iter()
        .max_by_key(|component| component.count_ones())?;
    (largest.count_ones() >= min_size).then_some(largest)
}

/// Returns the square of `set` with the smallest sum of king distances to the other squares of `set`; `None` if `set`
/// is empty.
#[must_use]
pub fn centre(set: u64) -> Option<Square> {
    let steps = |a: Square, b: Square| u32::from(a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y())));
    squares(set).min_by_key(|&one| squares(set).map(|other| steps(one, other)).sum::<u32>())
}
