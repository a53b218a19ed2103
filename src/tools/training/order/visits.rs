//! The samples of the order head: positions of self-play games, each seen by the player to move, with the moves that a
//! search has visited most.

use crate::board::{Board, MAX_ARROWS};
use crate::tools::training::games::Ply;

/// Most moves of a sample with a share of the visits.
pub const SHARES: usize = 8;

/// A position in which a turn begins, and what a search made of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Amazons of the player to move.
    pub mine: u64,
    /// Amazons of the other player.
    pub theirs: u64,
    /// Empty squares.
    pub empty: u64,
    /// Shares of the visits that amazon's moves have: 64 times the number of the amazon, from the lowest square up, plus
    /// the square that it enters; then the share in 1/255. Those behind the last move are 0.
    pub shares: [[u8; 2]; SHARES],
}

impl Sample {
    /// The sample of a position and the search before its ply.
    pub fn new(board: &Board, ply: &Ply) -> Sample {
        let player = board.to_move();
        let mine = board.amazons(player);
        let mut shares = [[0; 2]; SHARES];
        let visited = ply.shares.amazon_moves(board);
        for (entry, (from, to, share)) in shares.iter_mut().zip(visited) {
            let amazon = (mine & (from.bit() - 1)).count_ones() as u8;
            let to = to.index() as u8;
            *entry = [amazon << 6 | to, (share * 255.0).round() as u8];
        }
        Sample {
            mine,
            theirs: board.amazons(!player),
            empty: board.empty(),
            shares,
        }
    }

    /// Arrows on the board.
    #[inline(always)]
    #[must_use]
    pub fn arrows(&self) -> usize {
        MAX_ARROWS - self.empty.count_ones() as usize
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::Order;
    use super::super::moves::{AmazonMove, AmazonMoves};
    use super::*;
    use crate::board::squares;
    use crate::eval::Networks;
    use crate::tools::training::games::{SelfPlayGame, SelfPlayPlan};
    use crate::tools::training::samples::tests::random_game;
    use crate::tools::training::samples::{Data, of_game};
    use crate::tools::training::selfplay;
    use rand::rngs::SmallRng;
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};
    use std::cmp::Reverse;
    use std::slice;

    /// The boards of some random games, ends left out.
    pub fn random_boards(games: u32) -> Vec<Board> {
        let mut boards = Vec::new();
        for game in (0..games).map(random_game) {
            let mut board = Board::start();
            for ply in game.plies {
                boards.push(board.clone());
                board.play(ply.turn).expect("legal");
            }
        }
        boards
    }

    /// A sample of a position; `share` gives the visits of its moves, in any unit.
    pub fn sample(board: &Board, share: impl Fn(&AmazonMove) -> u32) -> Sample {
        let player = board.to_move();
        let (mine, empty) = (board.amazons(player), board.empty());
        let moves = AmazonMoves::of(mine, empty);
        let visits: u32 = moves.all().iter().map(&share).sum();
        let entry = |turn: &AmazonMove| {
            let share = (share(turn) * 255 + visits / 2) / visits;
            [turn.amazon << 6 | turn.to, share as u8]
        };
        let mut entries: Vec<[u8; 2]> = moves.all().iter().map(entry).collect();
        entries.sort_by_key(|entry| Reverse(entry[1]));
        let mut shares = [[0; 2]; SHARES];
        for (share, entry) in shares.iter_mut().zip(entries) {
            if entry[1] > 0 {
                *share = entry;
            }
        }
        Sample {
            mine,
            theirs: board.amazons(!player),
            empty,
            shares,
        }
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

    /// A game of self-play.
    fn searched_game(number: u32) -> SelfPlayGame {
        let plan = SelfPlayPlan {
            seed: 1,
            iterations: 60,
            min_plies: 3,
            max_plies: 3,
            noise: 0.5,
            networks: [0; 2],
        };
        selfplay::play(plan, &Networks::default(), number, || false).expect("nobody breaks it off")
    }

    #[test]
    fn samples_are_the_searched_positions_without_a_proven_winner() {
        let game = searched_game(1);
        let mut samples = of_game(&Order {}, &game, false);
        let mut board = Board::start();
        let mut proven = 0;
        for ply in &game.plies {
            let is_proven = [0.0, 1.0].contains(&ply.win_probability);
            proven += usize::from(is_proven && !ply.shares.is_empty());
            if !is_proven && !ply.shares.is_empty() {
                let sample = samples.next().expect("a sample");
                let player = board.to_move();
                let sets = [board.amazons(player), board.amazons(!player), board.empty()];
                assert_eq!([sample.mine, sample.theirs, sample.empty], sets);
                assert_eq!(sample.arrows(), board.arrow_count());
                let visited = ply.shares.amazon_moves(&board).map(|(from, to, share)| {
                    let amazon = squares(sample.mine).position(|square| square == from);
                    let amazon_and_to = 64 * amazon.expect("the mover's") + to.index();
                    [amazon_and_to as u8, (255.0 * share).round() as u8]
                });
                let visited: Vec<[u8; 2]> = visited.collect();
                assert!(!visited.is_empty());
                let (shares, none) = sample.shares.split_at(visited.len());
                assert_eq!(shares, visited);
                assert!(none.iter().all(|none| *none == [0; 2]));
            }
            board.play(ply.turn).expect("legal");
        }
        assert_eq!(samples.next(), None);
        assert!(proven > 0, "the game has a proven end");
    }

    #[test]
    fn games_without_shares_are_refused() {
        let game = searched_game(25);
        let mut data = Data::empty();
        data.add(slice::from_ref(&game), &Order {}).expect("shares");
        let refused = data.add(&[game.without_shares()], &Order {});
        let refused = refused.expect_err("no shares");
        assert!(refused.starts_with("expected games with shares"));
    }
}
