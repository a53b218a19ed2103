//! The samples of the order head: positions of self-play games, each seen by the player to move, with the half-moves that a
//! search has visited most.

use crate::board::{Board, Square};
use crate::tools::training::games::Ply;
use crate::tools::training::samples::Position;

/// Most half-moves of a view with a share of the visits.
pub const SHARES: usize = 8;

/// What a search made of a position in which a turn begins: its choice of an amazon's move, and of the arrow behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub amazons: View,
    /// Nothing if no arrow was searched.
    pub arrows: Option<View>,
}

/// A choice of half-moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    pub position: Position,
    /// The square from which an arrow is to be shot; nothing where an amazon is to move.
    pub shooter: Option<u8>,
    /// Shares of the visits that half-moves have: for an amazon's move 64 times the number of the amazon, from the lowest
    /// square up, plus the square that it enters; for an arrow its square; then the share in 1/255. Those behind the last
    /// half-move are 0.
    pub shares: [[u8; 2]; SHARES],
}

impl Sample {
    /// The sample of a position and the search before its ply.
    pub fn new(board: &Board, ply: &Ply) -> Sample {
        let before = Position::of(board);
        let number = |from: Square| (before.mine & (from.bit() - 1)).count_ones() as u8;
        let visited = ply.shares.amazon_moves(board);
        let amazons = visited.map(|(from, to, share)| (number(from) << 6, to, share));
        let (mut moved, turn) = (board.clone(), ply.turn);
        moved.move_amazon(turn.from, turn.to);
        let arrows = ply.shares.arrows().map(|(to, share)| (0, to, share));
        let arrows = View {
            position: Position::of(&moved),
            shooter: Some(turn.to.index() as u8),
            shares: entries(arrows),
        };
        Sample {
            amazons: View {
                position: before,
                shooter: None,
                shares: entries(amazons),
            },
            arrows: (arrows.shares[0][1] > 0).then_some(arrows),
        }
    }

    /// Both choices.
    #[inline(always)]
    pub fn views(&self) -> [Option<&View>; 2] {
        [Some(&self.amazons), self.arrows.as_ref()]
    }
}

/// The entries of [`View::shares`]: each tells the bits of the amazon, the square that is entered, and the share.
fn entries(visited: impl Iterator<Item = (u8, Square, f32)>) -> [[u8; 2]; SHARES] {
    let mut shares = [[0; 2]; SHARES];
    for (entry, (amazon, to, share)) in shares.iter_mut().zip(visited) {
        *entry = [amazon | to.index() as u8, (share * 255.0).round() as u8];
    }
    shares
}

#[cfg(test)]
pub mod tests {
    use super::super::Order;
    use super::super::moves::{AmazonMove, amazon_moves};
    use super::*;
    use crate::board::squares;
    use crate::eval::Networks;
    use crate::tools::training::games::SelfPlayPlan;
    use crate::tools::training::samples::tests::{boards, random_boards};
    use crate::tools::training::samples::{Data, of_game};
    use crate::tools::training::selfplay;
    use rand::rngs::SmallRng;
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};
    use std::cmp::Reverse;

    /// A choice on a board; `visits` gives those of its half-moves, in any unit.
    fn view(board: &Board, shooter: Option<u8>, visits: impl Fn(&AmazonMove) -> u32) -> View {
        let position = Position::of(board);
        let amazons = shooter.map_or(position.mine, |shooter| 1 << shooter);
        let moves = amazon_moves(amazons, position.empty);
        let all: u32 = moves.iter().map(&visits).sum();
        let entry = |turn: &AmazonMove| {
            let share = (visits(turn) * 255 + all / 2) / all;
            [turn.amazon << 6 | turn.to, share as u8]
        };
        let mut entries: Vec<[u8; 2]> = moves.iter().map(entry).collect();
        entries.retain(|entry| entry[1] > 0);
        entries.sort_by_key(|entry| Reverse(entry[1]));
        entries.resize(SHARES.max(entries.len()), [0; 2]);
        View {
            position,
            shooter,
            shares: *entries.first_chunk().expect("as many as were filled up"),
        }
    }

    /// A sample of a position, with the arrows behind one of its moves; `visits` gives those of half-moves, in any unit.
    pub fn sample(board: &Board, visits: impl Fn(&AmazonMove) -> u32) -> Sample {
        let amazons = view(board, None, &visits);
        let moves = amazon_moves(amazons.position.mine, amazons.position.empty);
        let arrows = moves.get(moves.len() / 2).map(|turn| {
            let mut moved = board.clone();
            let [from, to] = [turn.from, turn.to].map(|at| Square::wrapping(at.into()));
            moved.move_amazon(from, to);
            view(&moved, Some(turn.to), &visits)
        });
        Sample { amazons, arrows }
    }

    /// Random positions in random order, with random shares.
    pub fn random_samples(games: u32) -> Vec<Sample> {
        let mut random = SmallRng::seed_from_u64(games.into());
        let boards = random_boards(games).into_iter();
        let mut samples: Vec<Sample> = boards
            .map(|board| {
                let far = random.random_range(0..64);
                sample(&board, |turn| {
                    1 + u32::from(turn.to ^ far).pow(2) * u32::from(turn.amazon)
                })
            })
            .collect();
        samples.shuffle(&mut random);
        samples
    }

    /// Searches that love long ways.
    pub fn long_ways() -> Data<Sample> {
        let visits = |turn: &AmazonMove| (u32::from(turn.way) % 7).pow(4) + 1;
        let boards = random_boards(60).into_iter();
        let samples = boards.map(|board| sample(&board, visits));
        let mut data = Data::empty();
        data.train = samples.collect();
        data.held_out = data.train.split_off(50 * data.train.len() / 60);
        data
    }

    #[test]
    fn samples_are_the_searched_positions_without_a_proven_winner() {
        let plan = SelfPlayPlan {
            seed: 1,
            iterations: 60,
            min_plies: 3,
            max_plies: 3,
            noise: 0.5,
            networks: [0; 2],
        };
        let game = selfplay::play(plan, &Networks::default(), 1, || false).expect("played");
        let mut samples = of_game(&Order {}, &game, false);
        let (mut proven, mut shot) = (0, 0);
        for (board, ply) in boards(&game).iter().zip(&game.plies) {
            let is_proven = [0.0, 1.0].contains(&ply.win_probability);
            proven += usize::from(is_proven && !ply.shares.is_empty());
            if !is_proven && !ply.shares.is_empty() {
                let sample = samples.next().expect("a sample");
                let amazons = sample.amazons;
                assert_eq!(amazons.position, Position::of(board));
                assert_eq!(amazons.shooter, None);
                let visited = ply.shares.amazon_moves(board).map(|(from, to, share)| {
                    let amazon = squares(amazons.position.mine).position(|square| square == from);
                    (64 * amazon.expect("the mover's") + to.index(), share)
                });
                check_shares(&amazons, visited);
                let mut moved = board.clone();
                moved.move_amazon(ply.turn.from, ply.turn.to);
                if let Some(arrows) = sample.arrows {
                    assert_eq!(arrows.position, Position::of(&moved));
                    assert_eq!(arrows.shooter.map(usize::from), Some(ply.turn.to.index()));
                    let visited = ply.shares.arrows();
                    check_shares(&arrows, visited.map(|(to, share)| (to.index(), share)));
                    shot += 1;
                } else {
                    assert_eq!(ply.shares.arrows().count(), 0);
                }
            }
        }
        assert_eq!(samples.next(), None);
        assert!(proven > 0, "the game has a proven end");
        assert!(shot > 0, "arrows were searched");
    }

    /// The shares of a choice are those of the half-moves visited, by their numbers.
    fn check_shares(view: &View, visited: impl Iterator<Item = (usize, f32)>) {
        let entry = |(number, share): (usize, f32)| [number as u8, (255.0 * share).round() as u8];
        let visited: Vec<[u8; 2]> = visited.map(entry).collect();
        assert!(!visited.is_empty());
        let (shares, none) = view.shares.split_at(visited.len());
        assert_eq!(shares, visited);
        assert!(none.iter().all(|none| *none == [0; 2]));
    }
}
