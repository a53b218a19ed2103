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
/// Minimum number of empty squares that an amazon must have lost to count as shut in: the number that it could reach
/// before the line of play, in any number of moves, minus the number that it can still reach.
const SHUT_IN_MIN_LOST: u32 = 6;

/// Threshold for [`Effect::LittleRoom`], in squares: minimum loss of an amazon's mean room. The loss is the amazon's
/// mean room in the line of play that begins with the alternative move, minus that in the line that begins with the
/// explained move. Mean room: the number of squares that the amazon reaches within two moves, averaged over the
/// positions after 2, 3 and 4 plies of the line.
const ROOM_MIN_LOST: f32 = 6.0;
/// Threshold for [`Effect::LittleRoom`]: maximum ratio of an amazon's room after the explained move and the reply to
/// the smaller of two numbers. These are its room before the explained move, and its room after the alternative move
/// and the reply. Room: the number of squares that the amazon reaches within two moves.
const ROOM_MAX_FRACTION: f32 = 0.8;
/// Threshold for [`Effect::LittleRoom`]: maximum ratio of an amazon's mean room in the line of play that begins with
/// the explained move to that in the line that begins with the alternative move. Mean room: the number of squares that
/// the amazon reaches within two moves, averaged over the positions after 2, 3 and 4 plies of the line.
const ROOM_MAX_MEAN_FRACTION: f32 = 0.85;
/// Numbers of plies (moves by either player) of a line of play after which an amazon's room is measured. Room: the
/// number of squares that the amazon reaches within two moves. The mean over these positions is the amazon's mean room.
const ROOM_PLIES: [usize; 3] = [2, 3, 4];

/// Minimum number of squares that only one player can reach and that are connected by king steps, for
/// [`Effect::Alone`].
const MIN_EXCLUSIVE_SQUARES: u32 = 4;

/// A set of squares as a bit set: bit n is square n, row by row from a1. Serialised as a list of square names, such as
/// `["b1", "a2"]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Squares(pub u64);

impl Serialize for Squares {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(squares(self.0).map(|square| square.to_string()))
    }
}

/// A statement that a line of play (a move with the replies expected after it) has an effect in favour of a player, for
/// example that an amazon of the opponent is shut in. [`Claim::degree`] returns how far the claim is true of a line of
/// play, from 0 (false) to 1 (true).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// Effect of the line of play, such as a shut-in amazon.
    #[serde(flatten)]
    pub effect: Effect,
    /// Player whom the effect favours.
    pub player: Player,
    /// Number of plies (moves by either player) of the line of play after which the effect can first be seen: 1 if
    /// after its first move, 2 if after the reply, and so on.
    #[serde(skip)]
    pub plies: usize,
    /// Squares to highlight; `None` for [`Effect::Unexplained`]. If an amazon is shut in, for example, these are the
    /// empty squares that it can still reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub squares: Option<Squares>,
}

/// Effect that a line of play (a move with the replies expected after it) has in favour of the player
/// [`Claim::player`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// The favoured player makes the last move of the game. This is certain, because no empty square can be reached by
    /// both players, so that the moves of each can be counted. [`Claim::squares`] are the empty squares that the
    /// favoured player can reach.
    Count {
        /// Maximum number of moves that black can still make in the game, after the first [`Claim::plies`] moves of the
        /// line of play.
        black: u32,
        /// Maximum number of moves that white can still make in the game, after the first [`Claim::plies`] moves of the
        /// line of play.
        white: u32,
    },
    /// An amazon of the opponent of [`Claim::player`] is shut in: it can reach at most five empty squares, in any number
    /// of moves. [`Claim::squares`] contains these squares.
    ShutIn {
        /// Square on which the shut-in amazon stands.
        #[serde(serialize_with = "as_text")]
        amazon: Square,
        /// Reply (second move of the line of play) that shuts the amazon in; `None` if the first move of the line does.
        #[serde(skip_serializing_if = "Option::is_none")]
        by: Option<Move>,
    },
    /// An amazon of the opponent has lost room: the number of squares that the amazon reaches within two moves. Its
    /// room after the explained move and the reply is smaller than before the explained move. It is also smaller than
    /// after the alternative move and the reply. [`Claim::squares`] are the squares that the amazon reaches after the
    /// explained move and the reply.
    LittleRoom {
        /// Square of the amazon that has lost room, after the explained move and the reply. It is an amazon of the
        /// opponent of [`Claim::player`].
        #[serde(serialize_with = "as_text")]
        amazon: Square,
        /// Square of the amazon that has lost room, before the explained move.
        #[serde(skip)]
        start: Square,
        /// Number of squares that the amazon that has lost room reaches within two moves, in the position before the
        /// explained move.
        before: u32,
        /// Number of squares that the amazon that has lost room reaches within two moves, in the other line of play: in
        /// the position after the alternative move and the reply.
        other: u32,
        /// Loss of mean room in squares, rounded: the amazon's mean room after the alternative move minus that after
        /// the explained move. Mean room: the number of squares that the amazon reaches within two moves, averaged over
        /// the positions after the first 2, 3 and 4 plies of the line. The first ply is the explained or the alternative
        /// move.
        #[serde(skip)]
        lost: u32,
    },
    /// Only the favoured player can still reach [`Claim::squares`]: arrows cut the opponent off.
    Alone,
    /// The search prefers another move to the played one, but no effect is known that explains why.
    Unexplained,
}

fn as_text<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(square)
}

impl Claim {
    /// Finds all claims about the line of play `line` in favour of `player`. They are ordered by effect:
    /// [`Effect::Count`], [`Effect::ShutIn`], [`Effect::Alone`], [`Effect::LittleRoom`].
    ///
    /// `other` is the line of play with which `line` is compared. If `other` is `None`, leaves out claims with
    /// [`Effect::LittleRoom`], which compare two lines.
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

    /// Returns the degree of truth of the claim for the line of play `line`, from 0 (false) to 1 (true). How it is
    /// computed depends on the effect:
    ///
    /// - [`Effect::Count`] and [`Effect::ShutIn`]: the share of the last two positions of `line` in which the claim is
    ///   true.
    /// - [`Effect::Alone`]: the share of the claim's empty squares that only the favoured player can reach, averaged
    ///   over the last two positions of `line`.
    /// - [`Effect::LittleRoom`]: 1 if the amazon's mean room in `other`, the line of play after an alternative move,
    ///   exceeds that in `line` by at least half of the stored `lost`. Otherwise, or if `other` is `None`: 0.
    /// - [`Effect::Unexplained`]: it is always 0.
    ///
    /// Mean room: the number of squares that the amazon reaches within two moves, averaged over the positions after 2,
    /// 3 and 4 plies of a line of play.
    #[must_use]
    pub fn degree(&self, line: &Line, other: Option<&Line>) -> f32 {
        if let Effect::LittleRoom { start, lost, .. } = self.effect {
            let difference = other.map(|other| mean_room(other, start) - mean_room(line, start));
            return bool_degree(difference.is_some_and(|squares| 2.0 * squares >= lost as f32));
        }
        // The last two positions, so that each player is to move in one of them.
        let after = line.later_boards();
        let last = &after[after.len().saturating_sub(2)..];
        last.iter().map(|board| self.degree_at(board)).sum::<f32>() / last.len() as f32
    }

    /// Returns the degree (0 to 1) to which the claim is true in the position `board`:
    /// - [`Effect::Alone`]: the fraction of the claim's empty squares that only the favoured player can reach.
    /// - [`Effect::Count`] and [`Effect::ShutIn`]: 1 if true, 0 if false.
    /// - [`Effect::LittleRoom`] and [`Effect::Unexplained`]: 0, because one position does not decide them.
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
                let enclosed = left & enclosed(board, player);
                return enclosed.count_ones() as f32 / left.count_ones().max(1) as f32;
            }
            Effect::LittleRoom { .. } | Effect::Unexplained => false,
        })
    }

    /// Returns the squares that the claim is about, as a bit set: the squares to highlight and, for a claim about an
    /// amazon, the amazon's square. Bit n is square n, row by row from a1. The set is empty for
    /// [`Effect::Unexplained`].
    #[must_use]
    pub fn squares(&self) -> u64 {
        let amazon = match self.effect {
            Effect::ShutIn { amazon, .. } | Effect::LittleRoom { amazon, .. } => amazon.bit(),
            _ => 0,
        };
        self.squares.map_or(0, |Squares(set)| set) | amazon
    }
}

/// Converts the result of a test to a degree of truth: 1 if true, 0 if false.
fn bool_degree(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

// ---- Detection of each kind of claim

/// Returns the claim that `player` makes the last move of the game ([`Effect::Count`]). Examines one position: the
/// first one after a move of `line` in which no empty square can be reached by both players. There, the remaining moves
/// of each player can be counted.
///
/// Returns `None` if there is no such position, if the opponent makes the last move, or if a player has 0 moves left in
/// the position.
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

/// Returns claims that amazons of the opponent of `player` are shut in. Shut in: in any number of moves, the amazon can
/// reach at most 5 empty squares, and at least 6 fewer than before `line`. No other amazon of its player is in the same
/// region.
///
/// Examines the position after the first move of `line` if `player` makes this move. If the opponent makes it, examines
/// two positions: after the first move, and after the reply by `player`. Leaves out claims that have a square in common
/// with an earlier claim.
fn shut_in_claims(line: &Line, player: Player) -> Vec<Claim> {
    let is_opponents_move = line.before().to_move() != player;
    let replies = [None, line.replies.first().copied()];
    let positions = line.later_boards().iter().zip(replies);
    let mut found: Vec<Claim> = Vec::new();
    for (board, by) in positions.take(1 + usize::from(is_opponents_move)) {
        for amazon in squares(board.amazons(!player)) {
            let has_moved = is_opponents_move && amazon == line.turn.to;
            let start = if has_moved { line.turn.from } else { amazon };
            let had = reachable_region(line.before(), start) & line.before().empty();
            let region = reachable_region(board, amazon);
            let room = region & board.empty();
            let is_alone = region & board.amazons(!player) == amazon.bit();
            let is_shut = room.count_ones() <= SHUT_IN_MAX_LEFT
                && had.count_ones() >= room.count_ones() + SHUT_IN_MIN_LOST;
            let claim = Claim {
                player,
                plies: 1 + usize::from(by.is_some()),
                squares: Some(Squares(room)),
                effect: Effect::ShutIn { amazon, by },
            };
            let is_known = |known: &Claim| known.squares() & claim.squares() != 0;
            if is_shut && is_alone && !found.iter().any(is_known) {
                found.push(claim);
            }
        }
    }
    found
}

/// Returns claims that amazons of the opponent of `player` have lost room ([`Effect::LittleRoom`]), the greatest loss
/// of mean room first. `player` is the player whom the effect favours; either player may make the first moves.
///
/// `line` begins with the explained move, `other` with the alternative move. An amazon has lost room if all of these
/// conditions are met:
///
/// - Its room after two plies of `line` is at most [`ROOM_MAX_FRACTION`] times its room before `line`, and at most
///   [`ROOM_MAX_FRACTION`] times its room after two plies of `other`.
/// - Its mean room in `line` is at most [`ROOM_MAX_MEAN_FRACTION`] times its mean room in `other`.
/// - Its mean room in `line` is at least [`ROOM_MIN_LOST`] squares below its mean room in `other`.
///
/// Room: the number of squares that the amazon reaches within two moves. Mean room: the room averaged over the
/// positions after 2, 3 and 4 plies of a line.
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

/// Returns the claim that only `player` can reach certain squares ([`Effect::Alone`]), in the position after the first
/// move that `player` makes in `line`. These squares are the largest group that is connected by king steps; squares
/// that only `player` could reach before `line` do not count. Returns `None` if the group has fewer than
/// [`MIN_EXCLUSIVE_SQUARES`] squares, or if `player` makes no move in `line`.
///
/// Only arrows make squares unreachable; amazons do not, because they may move away.
fn exclusive_squares_claim(line: &Line, player: Player) -> Option<Claim> {
    let plies = 1 + usize::from(line.before().to_move() != player);
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

/// Returns an amazon's room as a bit set: the empty squares that it reaches within two moves, if nobody else moves.
fn room(board: &Board, amazon: Square) -> u64 {
    let slides = Slides::over(board.empty());
    let one = union(slides.rays_from(amazon.bit())) & board.empty();
    one | union(slides.rays_from(one)) & board.empty()
}

/// Returns an amazon's mean room in `line`: the number of empty squares that it reaches within two moves, if nobody
/// else moves, averaged over the positions after 2, 3 and 4 plies. If `line` is shorter, its last position stands for
/// the missing ones. `start` is the amazon's square before the line's first move.
fn mean_room(line: &Line, start: Square) -> f32 {
    let rooms = ROOM_PLIES
        .map(|plies| room(line.board_after(plies), line.track(start, plies)).count_ones());
    rooms.iter().sum::<u32>() as f32 / ROOM_PLIES.len() as f32
}

/// Returns the empty squares that `player` can reach in any number of moves, as a bit set, if no arrow is shot and no
/// other amazon moves.
fn reachable_squares(board: &Board, player: Player) -> u64 {
    flood_fill(board.amazons(player), board.empty()) & board.empty()
}

/// Returns, as a bit set, the empty squares that `player` can reach in any number of moves and the opponent cannot.
/// Amazons and arrows block the paths of `player`. Only arrows block the paths of the opponent, because amazons may
/// move away.
#[must_use]
pub fn enclosed(board: &Board, player: Player) -> u64 {
    let others = flood_fill(board.amazons(!player), !board.arrows());
    reachable_squares(board, player) & !others
}

/// Returns, as a bit set, the square of `amazon` and all squares that it could reach if amazons of the same player
/// moved out of its way. Squares of these amazons are included; arrows and the opponent's amazons block paths.
fn reachable_region(board: &Board, amazon: Square) -> u64 {
    let own = [Player::Black, Player::White].map(|player| board.amazons(player));
    let own = own.into_iter().find(|set| set & amazon.bit() != 0);
    flood_fill(amazon.bit(), board.empty() | own.unwrap_or_default())
}

/// Returns `start` and all squares of `set` that are connected with it by king steps over squares of `set` (flood
/// fill). Both are bit sets of squares.
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

/// Returns the largest part of the bit set `set` whose squares are connected by king steps; `None` if this part has
/// fewer than `min_size` squares.
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

/// Returns the central square of the bit set `set`: the one with the smallest sum of king distances to the other
/// squares of `set`. `None` if `set` is empty.
#[must_use]
pub fn centre(set: u64) -> Option<Square> {
    let steps = |a: Square, b: Square| u32::from(a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y())));
    squares(set).min_by_key(|&one| squares(set).map(|other| steps(one, other)).sum::<u32>())
}
