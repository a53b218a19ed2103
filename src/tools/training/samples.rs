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

    /// Tests if the position before a ply becomes a sample.
    fn is_sampled(&self, game: &SelfPlayGame, ply: usize, held_out: bool) -> bool;

    /// The sample of the position before a ply.
    fn sample(&self, board: &Board, game: &SelfPlayGame, ply: usize) -> Self::Sample;
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
    /// Checksum of all games in their order.
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
    /// If a file can't be read, holds no games or impossible ones; the message names it. If there are no samples to train
    /// with, or none to measure by.
    pub fn read(
        files: &[PathBuf],
        sampler: &impl Sampler<Sample = S>,
    ) -> Result<Data<S>, ToolError> {
        let mut data = Data::empty();
        for path in files {
            let games = games::read(path)?.games;
            if games.is_empty() {
                let name = path.display();
                return Err(format!("{name}: expected self-play games, found none").into());
            }
            data.add(&games, sampler);
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
    pub fn add(&mut self, games: &[SelfPlayGame], sampler: &impl Sampler<Sample = S>) {
        self.games += games.len();
        for game in games {
            game.sum_up(&mut self.checksum);
            self.held_out_games += usize::from(is_held_out(game.number));
        }
        for (held_out, part) in [(false, &mut self.train), (true, &mut self.held_out)] {
            let is_part = |game: &&SelfPlayGame| is_held_out(game.number) == held_out;
            let games = || games.iter().filter(is_part);
            let count = |game: &SelfPlayGame| {
                let is_sampled = |ply: &usize| sampler.is_sampled(game, *ply, held_out);
                (0..game.plies.len()).filter(is_sampled).count()
            };
            part.reserve_exact(games().map(count).sum());
            part.extend(games().flat_map(|game| of_game(sampler, game, held_out)));
        }
    }

    /// Number of positions to train with or to measure by.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.train.len() + self.held_out.len()
    }

    /// Checksum of all games.
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
    use crate::eval::Networks;
    use crate::tools::training::games::{Ply, SelfPlayPlan};
    use crate::tools::training::selfplay;
    use crate::tools::training::value::outcome::tests::VALUE;

    /// A game of weak searches behind an opening of up to five random plies.
    pub fn random_game(number: u32) -> SelfPlayGame {
        let plan = SelfPlayPlan {
            iterations: 12,
            max_plies: 5,
            ..SelfPlayPlan::default()
        };
        let game = selfplay::play(plan, &Networks::default(), number, || false);
        game.expect("not broken off")
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
        data.add(games, sampler);
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
    fn the_checksum_is_that_of_the_games_in_order() {
        let checksum = |change: fn(&mut Vec<SelfPlayGame>)| {
            let mut games = [20, 21, 22].map(random_game).to_vec();
            change(&mut games);
            data_of(&games, &VALUE).checksum()
        };
        let sound = checksum(|_| {});
        assert_eq!(sound, checksum(|_| {}));
        assert_ne!(sound, checksum(|games| drop(games.pop())));
        assert_ne!(sound, checksum(|games| games.swap(0, 1)));
        assert_ne!(sound, checksum(|games| games[1].plies[9].is_noise = true));
        assert_ne!(sound, checksum(|games| games[2].winner ^= 1));
    }
}
