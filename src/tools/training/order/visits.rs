//! The samples of the order head: positions of self-play games, each seen by the player to move, with the moves that a
//! search has visited most.

use crate::board::Board;
use crate::tools::training::games::Ply;
use crate::tools::training::samples::Position;

/// Most moves of a sample with a share of the visits.
pub const SHARES: usize = 8;

/// A position in which a turn begins, and what a search made of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub position: Position,
    /// Shares of the visits that amazon's moves have: 64 times the number of the amazon, from the lowest square up, plus
    /// the square that it enters; then the share in 1/255. Those behind the last move are 0.
    pub shares: [[u8; 2]; SHARES],
}

impl Sample {
    /// The sample of a position and the search before its ply.
    pub fn new(board: &Board, ply: &Ply) -> Sample {
        let position = Position::of(board);
        let mut shares = [[0; 2]; SHARES];
        let visited = ply.shares.amazon_moves(board);
        for (entry, (from, to, share)) in shares.iter_mut().zip(visited) {
            let amazon = (position.mine & (from.bit() - 1)).count_ones() as u8;
            let to = to.index() as u8;
            *entry = [amazon << 6 | to, (share * 255.0).round() as u8];
        }
        Sample { position, shares }
    }
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

    /// A sample of a position; `visits` gives those of its moves, in any unit.
    pub fn sample(board: &Board, visits: impl Fn(&AmazonMove) -> u32) -> Sample {
        let position = Position::of(board);
        let moves = amazon_moves(position.mine, position.empty);
        let all: u32 = moves.iter().map(&visits).sum();
        let entry = |turn: &AmazonMove| {
            let share = (visits(turn) * 255 + all / 2) / all;
            [turn.amazon << 6 | turn.to, share as u8]
        };
        let mut entries: Vec<[u8; 2]> = moves.iter().map(entry).collect();
        entries.retain(|entry| entry[1] > 0);
        entries.sort_by_key(|entry| Reverse(entry[1]));
        entries.resize(SHARES.max(entries.len()), [0; 2]);
        let shares = *entries.first_chunk().expect("as many as were filled up");
        Sample { position, shares }
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
        let mut proven = 0;
        for (board, ply) in boards(&game).iter().zip(&game.plies) {
            let is_proven = [0.0, 1.0].contains(&ply.win_probability);
            proven += usize::from(is_proven && !ply.shares.is_empty());
            if !is_proven && !ply.shares.is_empty() {
                let sample = samples.next().expect("a sample");
                assert_eq!(sample.position, Position::of(board));
                let visited = ply.shares.amazon_moves(board).map(|(from, to, share)| {
                    let amazon = squares(sample.position.mine).position(|square| square == from);
                    let amazon_and_to = 64 * amazon.expect("the mover's") + to.index();
                    [amazon_and_to as u8, (255.0 * share).round() as u8]
                });
                let visited: Vec<[u8; 2]> = visited.collect();
                assert!(!visited.is_empty());
                let (shares, none) = sample.shares.split_at(visited.len());
                assert_eq!(shares, visited);
                assert!(none.iter().all(|none| *none == [0; 2]));
            }
        }
        assert_eq!(samples.next(), None);
        assert!(proven > 0, "the game has a proven end");
    }
}
