//! Positions of self-play games as samples to learn from, split by game into those to train with and those held out.

use super::games::{self, SelfPlayGame, is_held_out};
use base::error::ToolError;
use crc32fast::Hasher;
use engine::bitboard::Lanes;
use engine::board::{Board, MAX_ARROWS};
use engine::eval::network::rows;
use std::path::PathBuf;

/// Makes samples of the positions of games.
pub trait Sampler {
    /// What is learned from a position.
    type Sample;

    /// Returns the sample of the position before a ply; nothing if it is not to be learned from.
    fn sample(
        &self,
        board: &Board,
        game: &SelfPlayGame,
        ply: usize,
        held_out: bool,
    ) -> Option<Self::Sample>;
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

    /// Adds games.
    pub fn add(&mut self, games: &[SelfPlayGame], sampler: &impl Sampler<Sample = S>) {
        // Most plies become samples to train with: memory grows hardly beyond what is needed.
        let plies = games.iter().map(|game| game.plies.len());
        self.train.reserve_exact(plies.sum());
        for game in games {
            let is_held_out = is_held_out(game.number);
            let samples = of_game(sampler, game, is_held_out);
            match is_held_out {
                true => self.held_out.extend(samples),
                false => self.train.extend(samples),
            }
            self.games += 1;
            self.held_out_games += usize::from(is_held_out);
            self.checksum.update(&game.checksum());
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
        let sample = sampler.sample(&board, game, at, held_out);
        board.play(ply.turn).expect("a file's games are legal");
        sample
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::games::{Ply, SelfPlayPlan};
    use crate::selfplay;
    use crate::value::outcome::tests::VALUE;
    use engine::eval::Networks;

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
        let samples = |game: &SelfPlayGame| game.plies.len() - usize::from(game.opening);
        assert_eq!(data.positions(), games.iter().map(samples).sum::<usize>());
    }
}
