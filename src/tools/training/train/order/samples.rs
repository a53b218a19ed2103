//! The positions of self-play games as samples of the order network, each seen by the player to move, with the moves that
//! a search has visited most.

use crate::board::{Board, MAX_ARROWS};
use crate::tools::support::error::ToolError;
use crate::tools::training::games::{self, Ply, SelfPlayGame, is_held_out};
use std::path::PathBuf;

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
    /// The sample of a position and the search before its ply; nothing if there is nothing to learn.
    ///
    /// Nothing was searched in an opening. Where the winner is proven visits say little: the winning move may have few.
    fn new(board: &Board, ply: &Ply) -> Option<Sample> {
        let is_proven = ply.win_probability == 0.0 || ply.win_probability == 1.0;
        if is_proven || ply.shares.is_empty() {
            return None;
        }
        let player = board.to_move();
        let mine = board.amazons(player);
        let mut shares = [[0; 2]; SHARES];
        let told = ply.shares.amazon_moves(board);
        for (entry, (from, to, share)) in shares.iter_mut().zip(told) {
            let amazon = (mine & (from.bit() - 1)).count_ones() as u8;
            *entry = [
                amazon << 6 | to.index() as u8,
                (share * 255.0).round() as u8,
            ];
        }
        Some(Sample {
            mine,
            theirs: board.amazons(!player),
            empty: board.empty(),
            shares,
        })
    }

    /// Arrows on the board.
    #[inline(always)]
    #[must_use]
    pub fn arrows(&self) -> usize {
        MAX_ARROWS - self.empty.count_ones() as usize
    }
}

/// The samples of some games.
#[derive(Debug, Default)]
pub struct Data {
    /// Number of games.
    pub games: usize,
    /// How many of them are held out.
    pub held_out_games: usize,
    /// Samples to train with.
    pub train: Vec<Sample>,
    /// Samples to measure by.
    pub held_out: Vec<Sample>,
}

impl Data {
    /// Number of positions to train with or to measure by.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.train.len() + self.held_out.len()
    }

    /// Adds the games of a file.
    ///
    /// # Errors
    /// If none of them tells shares of visits.
    fn add(&mut self, games: &[SelfPlayGame]) -> Result<(), String> {
        if !games.iter().any(SelfPlayGame::has_shares) {
            return Err(
                "expected games with shares of the visits, as `amazons selfplay` writes since version 4"
                    .to_owned(),
            );
        }
        for game in games {
            let held_out = is_held_out(game.number);
            self.games += 1;
            self.held_out_games += usize::from(held_out);
            let samples = of_game(game);
            match held_out {
                true => self.held_out.extend(samples),
                false => self.train.extend(samples),
            }
        }
        Ok(())
    }
}

/// Reads files of games.
///
/// # Errors
/// If a file can't be read, or holds no games, impossible ones or none with shares of the visits; the message names it.
pub fn read(files: &[PathBuf]) -> Result<Data, ToolError> {
    let mut data = Data::default();
    games::read_each(files, |games| data.add(games))?;
    Ok(data)
}

/// The samples of a game.
fn of_game(game: &SelfPlayGame) -> Vec<Sample> {
    let mut board = Board::start();
    let mut samples = Vec::new();
    for ply in &game.plies {
        samples.extend(Sample::new(&board, ply));
        board.play(ply.turn).expect("a file's games are legal");
    }
    samples
}

#[cfg(test)]
pub mod tests {
    use super::super::moves::{AmazonMove, AmazonMoves};
    use super::*;
    use crate::board::squares;
    use crate::mcts::{Params, Search};
    use crate::movegen;
    use crate::tools::training::games::Shares;
    use rand::rngs::SmallRng;
    use rand::seq::{IndexedRandom, SliceRandom};
    use rand::{RngExt, SeedableRng};
    use std::cmp::Reverse;

    /// The boards of some random games, ends left out.
    pub fn random_boards(games: u64) -> Vec<Board> {
        let mut boards = Vec::new();
        for seed in 0..games {
            let mut random = SmallRng::seed_from_u64(seed);
            let mut board = Board::start();
            while let Some(&turn) = movegen::moves(&board).choose(&mut random) {
                boards.push(board.clone());
                board.play(turn).expect("legal");
            }
        }
        boards
    }

    /// A sample of a position; `share` tells the visits of its moves, in any unit.
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
    pub fn random_samples(games: u64) -> Vec<Sample> {
        let mut random = SmallRng::seed_from_u64(games);
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

    /// A game in which random moves are played, but every position is searched.
    fn searched_game(number: u32) -> SelfPlayGame {
        let mut random = SmallRng::seed_from_u64(number.into());
        let mut search = Search::new(Board::start(), 4 << 20, 1, Params::default());
        let mut plies = Vec::new();
        while let Some(&turn) = movegen::moves(search.board()).choose(&mut random) {
            search.run(|iterations| iterations < 60);
            let is_opening = plies.len() < 3;
            plies.push(Ply {
                turn,
                win_probability: match is_opening {
                    true => 0.0,
                    false => search.report().win_probability,
                },
                is_noise: !is_opening,
                shares: match is_opening {
                    true => Shares::default(),
                    false => Shares::of(&search, turn),
                },
            });
            search.advance_root(turn).expect("legal");
        }
        SelfPlayGame {
            number,
            opening: 3,
            winner: !search.board().to_move() as u8,
            plies,
        }
    }

    #[test]
    fn samples_are_the_searched_positions_without_a_proven_winner() {
        let game = searched_game(1);
        let mut samples = of_game(&game).into_iter();
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
                let told = ply.shares.amazon_moves(&board).map(|(from, to, share)| {
                    let amazon = squares(sample.mine).position(|square| square == from);
                    let amazon = amazon.expect("an amazon of the mover");
                    [
                        (64 * amazon + to.index()) as u8,
                        (255.0 * share).round() as u8,
                    ]
                });
                let told: Vec<[u8; 2]> = told.collect();
                assert!(!told.is_empty());
                assert_eq!(sample.shares[..told.len()], told);
                assert!(
                    sample.shares[told.len()..]
                        .iter()
                        .all(|none| *none == [0; 2])
                );
            }
            board.play(ply.turn).expect("legal");
        }
        assert_eq!(samples.next(), None);
        assert!(proven > 0, "the game has a proven end");
    }

    #[test]
    fn one_game_in_ten_is_held_out_and_shares_are_asked_for() {
        let games: Vec<SelfPlayGame> = (25..40).map(searched_game).collect();
        let mut data = Data::default();
        data.add(&games).expect("shares");
        let held_out = games.iter().filter(|game| is_held_out(game.number));
        let samples: Vec<Sample> = held_out.clone().flat_map(of_game).collect();
        assert_eq!([data.games, data.held_out_games], [15, held_out.count()]);
        assert!(data.held_out == samples && !samples.is_empty());
        let all = games.iter().flat_map(of_game).count();
        assert_eq!(data.positions(), all);
        let without: Vec<_> = games
            .into_iter()
            .map(SelfPlayGame::without_shares)
            .collect();
        let refused = data.add(&without).expect_err("no shares");
        assert!(refused.starts_with("expected games with shares"));
    }
}
