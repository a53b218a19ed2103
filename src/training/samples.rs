//! Data sets of samples from self-play games, split by game into a training set and a held-out set.

use super::games::{self, SelfPlayGame, is_held_out};
use base::error::ToolError;
use crc32fast::Hasher;
use engine::bitboard::Lanes;
use engine::board::{Board, MAX_ARROWS};
use engine::eval::value::row_indices;
use std::path::PathBuf;

/// Turns positions of self-play games into samples.
pub trait Sampler {
    /// Input and target of the training for one position.
    type Sample;

    /// Returns the sample of the position `board` before ply number `ply` of `game`, or `None` if the position is excluded.
    /// `held_out` is true if the game belongs to the held-out set.
    fn sample(
        &self,
        board: &Board,
        game: &SelfPlayGame,
        ply: usize,
        held_out: bool,
    ) -> Option<Self::Sample>;
}

/// A position at the start of a turn, from the perspective of the side to move, as sets of squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// Squares of the side to move's amazons.
    pub mine: u64,
    /// Squares of the opponent's amazons.
    pub theirs: u64,
    /// Squares without an amazon or an arrow.
    pub empty: u64,
}

impl Position {
    /// Returns the position of `board` from the perspective of its side to move.
    #[must_use]
    pub fn of(board: &Board) -> Position {
        let player = board.to_move();
        Position {
            mine: board.amazons(player),
            theirs: board.amazons(!player),
            empty: board.empty(),
        }
    }

    /// Returns the number of arrows on the board.
    #[inline(always)]
    #[must_use]
    pub const fn arrows(&self) -> usize {
        MAX_ARROWS - self.empty.count_ones() as usize
    }

    /// Returns the index of the weight row of each square's active feature: 64 times the feature, plus the square.
    #[inline(always)]
    pub(super) fn row_indices<L: Lanes>(&self) -> [u16; 64] {
        row_indices::<L>(self.mine, self.theirs, self.empty)
    }
}

/// Training set and held-out set, made from self-play games.
#[derive(Debug)]
pub struct Dataset<S> {
    /// Number of games, including the held-out games.
    pub games: usize,
    /// Number of held-out games.
    pub held_out_games: usize,
    /// Samples of the training set.
    pub train: Vec<S>,
    /// Samples of the held-out set, by which predictions are measured.
    pub held_out: Vec<S>,
    /// Running checksum of all games; the order of the games matters.
    checksum: Hasher,
}

impl<S> Dataset<S> {
    /// Returns a data set without games.
    #[must_use]
    pub fn empty() -> Dataset<S> {
        Dataset {
            games: 0,
            held_out_games: 0,
            train: Vec::new(),
            held_out: Vec::new(),
            checksum: Hasher::new(),
        }
    }

    /// Reads files of self-play games and makes samples of their positions.
    ///
    /// # Errors
    /// - If a file can't be read, or holds no games or illegal ones. The message names the file.
    /// - If the training set or the held-out set would be empty.
    pub fn read(
        files: &[PathBuf],
        sampler: &impl Sampler<Sample = S>,
    ) -> Result<Dataset<S>, ToolError> {
        let mut data = Dataset::empty();
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

    /// Adds the samples of `games` to the training set or the held-out set, by the number of each game.
    pub fn add(&mut self, games: &[SelfPlayGame], sampler: &impl Sampler<Sample = S>) {
        // Reserves a training sample for each ply. Nearly every ply becomes one, so little memory is wasted.
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

    /// Returns the number of samples in the training set and the held-out set together.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.train.len() + self.held_out.len()
    }

    /// Returns the checksum of all games, by which a checkpoint recognises its data set.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        self.checksum.clone().finalize()
    }

    /// Describes the size of the data set: games, held-out games and positions.
    #[must_use]
    pub fn summary(&self) -> String {
        let (games, held_out) = (self.games, self.held_out_games);
        let positions = self.positions();
        format!("{games} games, {held_out} of them held out; {positions} positions")
    }
}

/// Replays a game and returns the samples of its positions. `held_out` is true if the game belongs to the held-out set.
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
    use crate::value::sample::tests::VALUE;
    use engine::eval::Networks;

    /// Plays game number `number` with searches of 12 iterations, after an opening of two to five random plies.
    pub fn random_game(number: u32) -> SelfPlayGame {
        let plan = SelfPlayPlan {
            iterations: 12,
            max_plies: 5,
            ..SelfPlayPlan::default()
        };
        let game = selfplay::play(plan, &Networks::default(), number, || false);
        game.expect("not broken off")
    }

    /// Returns the board before each ply of a game.
    pub fn boards(game: &SelfPlayGame) -> Vec<Board> {
        let mut board = Board::start();
        let before = |ply: &Ply| {
            let before = board.clone();
            board.play(ply.turn).expect("legal");
            before
        };
        game.plies.iter().map(before).collect()
    }

    /// Returns the boards before each ply of `games` weak games; final positions are left out.
    pub fn random_boards(games: u32) -> Vec<Board> {
        let games = (0..games).map(random_game);
        games.flat_map(|game| boards(&game)).collect()
    }

    /// Returns the data set of `games`.
    pub fn data_of<M: Sampler>(games: &[SelfPlayGame], sampler: &M) -> Dataset<M::Sample> {
        let mut data = Dataset::empty();
        data.add(games, sampler);
        data
    }

    #[test]
    fn games_are_held_out_as_a_whole() {
        let games: Vec<SelfPlayGame> = (0..50).map(random_game).collect();
        let data = data_of(&games, &VALUE);
        let held_out = || games.iter().filter(|game| is_held_out(game.number));
        assert_eq!([data.games, data.held_out_games], [50, held_out().count()]);
        let samples = held_out().flat_map(|game| of_game(&VALUE, game, true));
        assert_eq!(data.held_out, Vec::from_iter(samples));
        let samples = |game: &SelfPlayGame| game.plies.len() - usize::from(game.opening_plies);
        assert_eq!(data.positions(), games.iter().map(samples).sum::<usize>());
    }
}
