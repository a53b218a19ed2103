//! Data sets for training: samples made from the positions of self-play games. Each game belongs as a whole to the
//! training set or to the held-out set.

use super::games::{self, SelfPlayGame, is_held_out};
use base::error::Result;
use crc32fast::Hasher;
use engine::bitboard::Lanes;
use engine::board::{Board, MAX_ARROWS};
use engine::eval::value::amazons::AmazonInputs;
use engine::eval::value::{Inputs, find_inputs};
use std::path::PathBuf;

/// Converts positions of self-play games into training samples of the type [`Sample`](Sampler::Sample). Each network
/// and the linear evaluation has its own implementation.
pub trait Sampler {
    /// Training sample made from one position; it contains, for example, the network's input and the training target.
    type Sample;

    /// Returns the training sample for the position `board`, in which `game.plies[ply]` is about to be played. Returns
    /// `None` if the position is not to be used for training, for example because it belongs to the random opening.
    ///
    /// `held_out` is true if the game belongs to the held-out set, which is not trained on.
    fn sample(
        &self,
        board: &Board,
        game: &SelfPlayGame,
        ply: usize,
        held_out: bool,
    ) -> Option<Self::Sample>;
}

/// Position from the perspective of the side to move, as bitboards: bit n is square n, row by row from a1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// Bitboard of the amazons of the side to move.
    pub mine: u64,
    /// Bitboard of the amazons of the side that is not to move.
    pub theirs: u64,
    /// Bitboard of the squares without an amazon or an arrow.
    pub empty: u64,
}

impl Position {
    /// Converts `board` into a position from the perspective of its side to move: `mine` contains this side's amazons,
    /// `theirs` the opponent's. The squares stay the same; the board is not mirrored.
    #[must_use]
    pub fn from_board(board: &Board) -> Position {
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

    /// Returns the features and patterns of the position, the inputs of a network.
    #[inline(always)]
    pub(super) fn find_inputs<L: Lanes>(&self) -> Inputs {
        find_inputs::<L>(self.mine, self.theirs, self.empty)
    }

    /// Finds what the amazons see. `inputs` is the result of [`Position::find_inputs`].
    #[inline(always)]
    pub(super) fn amazon_inputs<'a, L: Lanes>(&self, inputs: &'a Inputs) -> AmazonInputs<'a> {
        AmazonInputs::new::<L>([self.mine, self.theirs], self.empty, inputs)
    }
}

/// Data set for training: samples of the type `S` made from self-play games, divided into a training set and a held-out
/// set. A game belongs as a whole to one of the two sets.
#[derive(Debug)]
pub struct Dataset<S> {
    /// Number of games in the training set and the held-out set together.
    pub games: usize,
    /// Number of games in the held-out set.
    pub held_out_games: usize,
    /// Training set: the samples from which weights are learned.
    pub train: Vec<S>,
    /// Held-out set: samples that are never trained on; their loss shows how well the weights predict new games.
    pub held_out: Vec<S>,
    /// CRC-32, not yet finalised, of the checksums of all games in the order in which they were added. It identifies
    /// the games of a data set.
    checksum: Hasher,
}

impl<S> Dataset<S> {
    /// Returns a data set without any games.
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

    /// Reads files of self-play games, converts their positions into samples with `sampler`, and returns the training
    /// set and the held-out set. On average, one game in ten is held out; the game's number determines which.
    ///
    /// # Errors
    /// - If a file can't be read, holds no games, or is damaged or holds an illegal game. The message names the file.
    /// - If the training set or the held-out set would be empty.
    pub fn read(files: &[PathBuf], sampler: &impl Sampler<Sample = S>) -> Result<Dataset<S>> {
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
            let expected = "expected positions to train with and to hold out";
            return Err(format!("{}: {expected}", data.summary()).into());
        }
        Ok(data)
    }

    /// Adds the samples of `games`. All samples of a game go into the same set, training or held-out, which
    /// [`is_held_out`] determines by the game's number.
    ///
    /// # Panics
    /// If a game contains an illegal move.
    pub fn add(&mut self, games: &[SelfPlayGame], sampler: &impl Sampler<Sample = S>) {
        // Reserve space for exactly one sample per ply. Hardly any memory is wasted: nearly every ply outside the
        // random opening gives a sample.
        let plies = games.iter().map(|game| game.plies.len());
        self.train.reserve_exact(plies.sum());
        for game in games {
            let is_held_out = is_held_out(game.number);
            let samples = samples_of_game(sampler, game, is_held_out);
            match is_held_out {
                true => self.held_out.extend(samples),
                false => self.train.extend(samples),
            }
            self.games += 1;
            self.held_out_games += usize::from(is_held_out);
            self.checksum.update(&game.checksum());
        }
    }

    /// Returns the number of samples in the training set and the held-out set together. A sample is one position.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.train.len() + self.held_out.len()
    }

    /// Returns the CRC-32 of the checksums of all games, which identifies the games of this data set. A checkpoint
    /// stores it: a training run can be resumed only with the same games.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        self.checksum.clone().finalize()
    }

    /// Returns a summary of the data set as a text: numbers of games, of held-out games, and of positions (samples).
    #[must_use]
    pub fn summary(&self) -> String {
        let (games, held_out) = (self.games, self.held_out_games);
        let positions = self.samples();
        format!("{games} games, {held_out} of them held out; {positions} positions")
    }
}

/// Replays `game` and returns the training samples that `sampler` makes from its positions, in the order of the plies.
/// `held_out` is true if the game belongs to the held-out set; it is passed to [`Sampler::sample`], which may leave out
/// unreliable positions in that case.
///
/// # Panics
/// The iterator panics if the game contains an illegal move.
pub fn samples_of_game<M: Sampler>(
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
    use crate::games::{Ply, SelfPlaySettings};
    use crate::selfplay;
    use crate::value::sample::tests::VALUE_NET;
    use engine::eval::Networks;

    /// Plays game number `number` with searches of 12 iterations per move, after an opening of zero to five random
    /// plies.
    pub fn random_game(number: u32) -> SelfPlayGame {
        let settings = SelfPlaySettings {
            iterations: 12,
            max_plies: 5,
            ..SelfPlaySettings::default()
        };
        let game = selfplay::play(settings, &Networks::default(), number, || false);
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

    /// Plays `games` games with searches of 12 iterations per move. Returns the board before each ply; final positions
    /// are left out.
    pub fn random_boards(games: u32) -> Vec<Board> {
        let games = (0..games).map(random_game);
        games.flat_map(|game| boards(&game)).collect()
    }

    /// Returns the data set with the samples that `sampler` extracts from `games`.
    pub fn dataset_of<M: Sampler>(games: &[SelfPlayGame], sampler: &M) -> Dataset<M::Sample> {
        let mut data = Dataset::empty();
        data.add(games, sampler);
        data
    }

    #[test]
    fn games_are_held_out_as_a_whole() {
        let games: Vec<SelfPlayGame> = (0..50).map(random_game).collect();
        let data = dataset_of(&games, &VALUE_NET);
        let held_out = || games.iter().filter(|game| is_held_out(game.number));
        assert_eq!([data.games, data.held_out_games], [50, held_out().count()]);
        let samples = held_out().flat_map(|game| samples_of_game(&VALUE_NET, game, true));
        assert_eq!(data.held_out, Vec::from_iter(samples));
        let samples = |game: &SelfPlayGame| game.plies.len() - usize::from(game.opening_plies);
        assert_eq!(data.samples(), games.iter().map(samples).sum::<usize>());
    }
}
