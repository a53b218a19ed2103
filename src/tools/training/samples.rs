//! Positions of self-play games as samples to learn from, split by game into those to train with and those held out.

use super::games::{self, SelfPlayGame, is_held_out};
use crate::bitboard::Lanes;
use crate::board::{Board, MAX_ARROWS};
use crate::eval::network::rows;
use crate::tools::support::error::ToolError;
use crc32fast::Hasher;
use std::path::PathBuf;

/// Makes samples of the positions of games.
pub trait Sampler {
    /// What is learned from a position.
    type Sample;

    /// Checks that the games of a file hold what is to be learned.
    ///
    /// # Errors
    /// If they do not.
    fn check(&self, _games: &[SelfPlayGame]) -> Result<(), String> {
        Ok(())
    }

    /// Tests if the position before a ply becomes a sample.
    fn is_sampled(&self, game: &SelfPlayGame, ply: usize, held_out: bool) -> bool;

    /// The sample of the position before a ply.
    fn sample(&self, board: &Board, game: &SelfPlayGame, ply: usize) -> Self::Sample;

    /// Adds a sample to a checksum.
    fn sum_up(&self, _sample: &Self::Sample, _checksum: &mut Hasher) {}
}

/// A position in which a turn begins, as the player to move sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// Amazons of the player to move.
    pub mine: u64,
    /// Amazons of the other player.
    pub theirs: u64,
    /// Empty squares.
    pub empty: u64,
}

impl Position {
    /// The position on a board.
    #[must_use]
    pub fn of(board: &Board) -> Position {
        let player = board.to_move();
        Position {
            mine: board.amazons(player),
            theirs: board.amazons(!player),
            empty: board.empty(),
        }
    }

    /// Arrows on the board.
    #[inline(always)]
    #[must_use]
    pub const fn arrows(&self) -> usize {
        MAX_ARROWS - self.empty.count_ones() as usize
    }

    /// The rows of a network that belong to the position, one for each square.
    #[inline(always)]
    pub(super) fn rows<L: Lanes>(&self) -> [u16; 64] {
        rows::<L>(self.mine, self.theirs, self.empty)
    }

    /// Adds the position to a checksum.
    pub(super) fn sum_up(&self, checksum: &mut Hasher) {
        for set in [self.mine, self.theirs, self.empty] {
            checksum.update(&set.to_le_bytes());
        }
    }
}

/// The samples of some games.
#[derive(Debug)]
pub struct Data<S> {
    /// Number of games.
    pub games: usize,
    /// How many of them are held out.
    pub held_out_games: usize,
    /// Samples to train with.
    pub train: Vec<S>,
    /// Samples to measure by.
    pub held_out: Vec<S>,
    /// Checksum of all samples in the order of their games.
    checksum: Hasher,
}

impl<S> Data<S> {
    /// No samples.
    #[must_use]
    pub fn empty() -> Data<S> {
        Data {
            games: 0,
            held_out_games: 0,
            train: Vec::new(),
            held_out: Vec::new(),
            checksum: Hasher::new(),
        }
    }

    /// Reads files of games.
    ///
    /// # Errors
    /// If a file can't be read, holds no games, impossible ones or none to learn from; the message names it. If there
    /// are no samples to train with, or none to measure by.
    pub fn read(
        files: &[PathBuf],
        sampler: &impl Sampler<Sample = S>,
    ) -> Result<Data<S>, ToolError> {
        let mut data = Data::empty();
        for path in files {
            let games = games::read(path)?.games;
            let added = match games.is_empty() {
                true => Err("expected self-play games, found none".to_owned()),
                false => data.add(&games, sampler),
            };
            added.map_err(|error| format!("{}: {error}", path.display()))?;
        }
        if data.train.is_empty() || data.held_out.is_empty() {
            let games = data.summary();
            return Err(
                format!("{games}: expected positions to train with and to hold out").into(),
            );
        }
        Ok(data)
    }

    /// Adds games. Memory grows to the size that is needed, not beyond.
    ///
    /// # Errors
    /// If there is nothing to learn in them.
    pub fn add(
        &mut self,
        games: &[SelfPlayGame],
        sampler: &impl Sampler<Sample = S>,
    ) -> Result<(), String> {
        sampler.check(games)?;
        for held_out in [false, true] {
            let games = games
                .iter()
                .filter(|game| is_held_out(game.number) == held_out);
            let count = |game: &SelfPlayGame| {
                let plies = 0..game.plies.len();
                plies
                    .filter(|&ply| sampler.is_sampled(game, ply, held_out))
                    .count()
            };
            self.part(held_out).reserve_exact(games.map(count).sum());
        }
        for game in games {
            let held_out = is_held_out(game.number);
            self.games += 1;
            self.held_out_games += usize::from(held_out);
            for sample in of_game(sampler, game, held_out) {
                sampler.sum_up(&sample, &mut self.checksum);
                self.part(held_out).push(sample);
            }
        }
        Ok(())
    }

    fn part(&mut self, held_out: bool) -> &mut Vec<S> {
        match held_out {
            true => &mut self.held_out,
            false => &mut self.train,
        }
    }

    /// Number of positions to train with or to measure by.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.train.len() + self.held_out.len()
    }

    /// Checksum of all that is in the samples.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        self.checksum.clone().finalize()
    }

    /// The size of the data in words.
    #[must_use]
    pub fn summary(&self) -> String {
        let (games, held_out) = (self.games, self.held_out_games);
        let positions = self.positions();
        format!("{games} games, {held_out} of them held out; {positions} positions")
    }
}

/// The samples of a game.
pub fn of_game<M: Sampler>(
    sampler: &M,
    game: &SelfPlayGame,
    held_out: bool,
) -> impl Iterator<Item = M::Sample> {
    let mut board = Board::start();
    game.plies.iter().enumerate().filter_map(move |(at, ply)| {
        let is_sampled = sampler.is_sampled(game, at, held_out);
        let sample = is_sampled.then(|| sampler.sample(&board, game, at));
        board.play(ply.turn).expect("a file's games are legal");
        sample
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::movegen;
    use crate::tools::training::games::{Ply, Shares};
    use crate::tools::training::value::outcome::tests::VALUE;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// A game of random moves, with random win probabilities. The moves count as the best ones, not as noise.
    pub fn random_game(number: u32) -> SelfPlayGame {
        let mut random = SmallRng::seed_from_u64(number.into());
        let mut board = Board::start();
        let mut plies = Vec::new();
        loop {
            let choices = movegen::moves(&board);
            if choices.is_empty() {
                break;
            }
            let turn = choices[random.random_range(0..choices.len())];
            plies.push(Ply {
                turn,
                win_probability: random.random_range(0.0..1.0),
                is_noise: false,
                shares: Shares::default(),
            });
            board.play(turn).expect("legal");
        }
        SelfPlayGame {
            number,
            opening: (number % 6) as u8,
            winner: !board.to_move() as u8,
            plies,
        }
    }

    /// The boards before the plies of a game.
    pub fn boards(game: &SelfPlayGame) -> Vec<Board> {
        let mut board = Board::start();
        let before = |ply: &Ply| {
            let before = board.clone();
            board.play(ply.turn).expect("legal");
            before
        };
        game.plies.iter().map(before).collect()
    }

    /// The boards of some random games, ends left out.
    pub fn random_boards(games: u32) -> Vec<Board> {
        let games = (0..games).map(random_game);
        games.flat_map(|game| boards(&game)).collect()
    }

    /// The samples of some games.
    pub fn data_of<M: Sampler>(games: &[SelfPlayGame], sampler: &M) -> Data<M::Sample> {
        let mut data = Data::empty();
        data.add(games, sampler).expect("samples");
        data
    }

    #[test]
    fn a_game_is_held_out_as_a_whole() {
        let games: Vec<SelfPlayGame> = (0..50).map(random_game).collect();
        let data = data_of(&games, &VALUE);
        let held_out = || games.iter().filter(|game| is_held_out(game.number));
        assert_eq!([data.games, data.held_out_games], [50, held_out().count()]);
        let samples = held_out().flat_map(|game| of_game(&VALUE, game, true));
        assert_eq!(data.held_out, Vec::from_iter(samples));
        assert_eq!(data.train.capacity(), data.train.len(), "no room is wasted");
        let samples = |game: &SelfPlayGame| game.plies.len() - usize::from(game.opening);
        assert_eq!(data.positions(), games.iter().map(samples).sum::<usize>());
    }

    #[test]
    fn the_checksum_is_that_of_the_samples_in_order() {
        let checksum = |numbers: &[u32], change: &dyn Fn(&mut Ply)| {
            let games = numbers.iter().copied().map(random_game);
            let mut games: Vec<SelfPlayGame> = games.collect();
            change(&mut games[1].plies[9]);
            data_of(&games, &VALUE).checksum()
        };
        let sound = checksum(&[20, 21, 22], &|_| {});
        assert_eq!(sound, checksum(&[20, 21, 22], &|_| {}));
        assert_ne!(sound, checksum(&[20, 21], &|_| {}));
        let nearer = |ply: &mut Ply| ply.win_probability += 0.01;
        assert_ne!(sound, checksum(&[20, 21, 22], &nearer));
        let noise = |ply: &mut Ply| ply.is_noise = true;
        assert_ne!(sound, checksum(&[20, 21, 22], &noise));
    }
}
