//! The positions of self-play games as samples of the training, each seen by the player to move.

use crate::board::{Board, Player};
use crate::eval;
use crate::tools::support::error::ToolError;
use crate::tools::training::games::{self, SelfPlayGame, is_held_out};
use std::ops::Range;
use std::path::PathBuf;

/// Number of arrows from which on the target no longer changes.
pub const LATE_ARROWS: u8 = 50;

/// Symmetries of the board.
pub const SYMMETRIES: u8 = 8;

/// A position in which a turn begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Amazons of the player to move.
    pub mine: u64,
    /// Amazons of the other player.
    pub theirs: u64,
    /// Empty squares.
    pub empty: u64,
    /// Log-odds that the player to move wins, by the linear evaluation.
    pub linear: f32,
    /// Win probability of the player to move as the search saw it.
    pub search: f32,
    /// Whether the player to move has won.
    pub won: bool,
    /// Whether a random move, here or later in the game, has spoilt the result.
    pub is_spoilt: bool,
    /// Arrows on the board.
    pub arrows: u8,
}

impl Sample {
    /// The sample of a position: what the search saw in it, who won, and if noise has spoilt that.
    ///
    /// The player to move has a move: lost positions, which the evaluation knows for certain, end a game.
    fn new(board: &Board, search: f32, winner: u8, is_spoilt: bool) -> Sample {
        let player = board.to_move();
        let black = eval::log_odds(eval::evaluate_board(board));
        Sample {
            mine: board.amazons(player),
            theirs: board.amazons(!player),
            empty: board.empty(),
            linear: match player {
                Player::Black => black,
                Player::White => -black,
            },
            search,
            won: player as u8 == winner,
            is_spoilt,
            arrows: board.arrow_count() as u8,
        }
    }

    /// The win probability to learn. `mix` is the share of the search's probability without arrows and at
    /// [`LATE_ARROWS`], linear in between; the game's result has the rest. Where that is spoilt it has none.
    #[inline(always)]
    #[must_use]
    pub fn target(&self, mix: [f32; 2]) -> f32 {
        if self.is_spoilt {
            return self.search;
        }
        let late = f32::from(self.arrows.min(LATE_ARROWS)) / f32::from(LATE_ARROWS);
        let share = mix[0] + (mix[1] - mix[0]) * late;
        let result = f32::from(self.won);
        result + share * (self.search - result)
    }

    /// Adds the sample to a checksum.
    fn sum_up(&self, checksum: &mut crc32fast::Hasher) {
        for set in [self.mine, self.theirs, self.empty] {
            checksum.update(&set.to_le_bytes());
        }
        for number in [self.linear, self.search] {
            checksum.update(&number.to_le_bytes());
        }
        checksum.update(&[self.won.into(), self.is_spoilt.into(), self.arrows]);
    }

    /// The position under one of the [`SYMMETRIES`] of the board.
    #[must_use]
    pub fn turned(self, symmetry: u8) -> Sample {
        Sample {
            mine: turned(self.mine, symmetry),
            theirs: turned(self.theirs, symmetry),
            empty: turned(self.empty, symmetry),
            ..self
        }
    }
}

/// A set of squares under a symmetry: two bits for the mirrors, one for the diagonal.
fn turned(mut set: u64, symmetry: u8) -> u64 {
    if symmetry & 1 != 0 {
        set = set.swap_bytes();
    }
    if symmetry & 2 != 0 {
        set = set.reverse_bits().swap_bytes();
    }
    if symmetry & 4 != 0 {
        set = transposed(set);
    }
    set
}

/// A set of squares mirrored at the main diagonal (Warren, Hacker's Delight, 7-3).
fn transposed(set: u64) -> u64 {
    const STEPS: [(u32, u64); 3] = [
        (7, 0x00aa_00aa_00aa_00aa),
        (14, 0x0000_cccc_0000_cccc),
        (28, 0x0000_0000_f0f0_f0f0),
    ];
    STEPS.into_iter().fold(set, |set, (by, mask)| {
        let swapped = (set ^ set >> by) & mask;
        set ^ swapped ^ swapped << by
    })
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
    /// Samples to measure by: those of held-out games whose result is not spoilt.
    pub held_out: Vec<Sample>,
    /// Checksum of all samples in the order of their games.
    checksum: crc32fast::Hasher,
}

impl Data {
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

    /// Adds games. Memory grows to the size that is needed, not beyond.
    fn add(&mut self, games: &[SelfPlayGame]) {
        for held_out in [false, true] {
            let games = games
                .iter()
                .filter(|game| is_held_out(game.number) == held_out);
            let size = |game| sampled(game, held_out).len();
            self.part(held_out).reserve_exact(games.map(size).sum());
        }
        for game in games {
            let held_out = is_held_out(game.number);
            self.games += 1;
            self.held_out_games += usize::from(held_out);
            for sample in of_game(game, sampled(game, held_out)) {
                sample.sum_up(&mut self.checksum);
                self.part(held_out).push(sample);
            }
        }
    }

    fn part(&mut self, held_out: bool) -> &mut Vec<Sample> {
        match held_out {
            true => &mut self.held_out,
            false => &mut self.train,
        }
    }
}

/// Reads files of games.
///
/// # Errors
/// If a file can't be read or holds no games or impossible ones; the message names it.
pub fn read(files: &[PathBuf]) -> Result<Data, ToolError> {
    let mut data = Data::default();
    games::read_each(files, |games| {
        data.add(games);
        Ok(())
    })?;
    Ok(data)
}

/// The plies of a game before which its samples lie: all behind its random opening; of a held-out game those behind all
/// noise.
fn sampled(game: &SelfPlayGame, held_out: bool) -> Range<usize> {
    let opening = usize::from(game.opening);
    let start = match held_out {
        true => opening.max(game.noise_end()),
        false => opening,
    };
    let end = game.plies.len();
    start.min(end)..end
}

/// The samples of a game before some of its plies.
fn of_game(game: &SelfPlayGame, plies: Range<usize>) -> impl Iterator<Item = Sample> {
    let mut board = Board::start();
    for ply in &game.plies[..plies.start] {
        board.play(ply.turn).expect("a file's games are legal");
    }
    let noise_end = game.noise_end();
    plies.map(move |at| {
        let ply = game.plies[at];
        let sample = Sample::new(&board, ply.win_probability, game.winner, at < noise_end);
        board.play(ply.turn).expect("a file's games are legal");
        sample
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::eval::network::rows;
    use crate::movegen;
    use crate::tools::training::games::{Ply, Shares};
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use std::slice;

    /// Games of random moves, with random win probabilities. The moves count as the best ones, not as noise.
    pub fn random_data(games: u32) -> Data {
        let mut data = Data::default();
        data.add(&(0..games).map(random_game).collect::<Vec<_>>());
        data
    }

    fn random_game(number: u32) -> SelfPlayGame {
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

    /// All samples of a game that is not held out.
    fn all(game: &SelfPlayGame) -> Vec<Sample> {
        of_game(game, sampled(game, false)).collect()
    }

    #[test]
    fn samples_are_the_positions_of_a_game_as_the_mover_sees_them() {
        for number in 0..10 {
            let game = random_game(number);
            let samples = all(&game);
            let mut board = Board::start();
            for (index, ply) in game.plies.iter().enumerate() {
                if let Some(at) = index.checked_sub(game.opening.into()) {
                    let (sample, player) = (samples[at], board.to_move());
                    let sets = [board.amazons(player), board.amazons(!player), board.empty()];
                    assert_eq!([sample.mine, sample.theirs, sample.empty], sets);
                    assert_eq!(usize::from(sample.arrows), board.arrow_count());
                    assert_eq!(sample.search, ply.win_probability);
                    let moves_last = (game.plies.len() - index) % 2 == 1;
                    assert_eq!(sample.won, moves_last, "who moves last has won");
                }
                board.play(ply.turn).expect("legal");
            }
            assert_eq!(
                samples.len() + usize::from(game.opening),
                game.plies.len(),
                "every ply behind the opening"
            );
        }
    }

    /// At the end of a game the linear evaluation knows who wins, whatever the colour.
    #[test]
    fn the_linear_evaluation_is_the_movers() {
        let data = random_data(60);
        let late = || data.train.iter().filter(|sample| sample.arrows >= 40);
        let right = late().filter(|sample| (sample.linear > 0.0) == sample.won);
        assert!(10 * right.count() > 8 * late().count());
    }

    #[test]
    fn a_game_is_held_out_as_a_whole() {
        let data = random_data(50);
        let held_out: Vec<u32> = (0..50).filter(|&number| is_held_out(number)).collect();
        assert_eq!(
            (data.games, data.held_out_games),
            (50, held_out.len()),
            "all games"
        );
        let samples = held_out
            .iter()
            .flat_map(|&number| all(&random_game(number)));
        assert!(samples.eq(data.held_out.iter().copied()));
        assert_eq!(data.train.capacity(), data.train.len(), "no room is wasted");
    }

    /// Positions up to the last noise are learned from the search alone, and do not measure.
    #[test]
    fn noise_spoils_the_results_before_it() {
        for number in 0..50 {
            let mut game = random_game(number);
            let sound = all(&game);
            (game.plies[9].is_noise, game.plies[14].is_noise) = (true, true);
            let spoilt = 15 - usize::from(game.opening);
            let mut data = Data::default();
            data.add(slice::from_ref(&game));
            if is_held_out(number) {
                assert_eq!(data.held_out, sound[spoilt..]);
                assert_eq!(data.held_out.capacity(), data.held_out.len());
                continue;
            }
            assert_eq!(data.train.len(), sound.len());
            for (at, (sample, sound)) in data.train.iter().zip(&sound).enumerate() {
                let target = match at < spoilt {
                    true => sample.search,
                    false => sound.target([0.2, 0.4]),
                };
                assert_eq!(sample.target([0.2, 0.4]), target);
                assert_eq!(sample.won, sound.won);
            }
        }
    }

    #[test]
    fn the_checksum_tells_win_probabilities_and_noise() {
        let checksum = |change: &dyn Fn(&mut Ply)| {
            let mut game = random_game(1);
            change(&mut game.plies[9]);
            let mut data = Data::default();
            data.add(&[game]);
            data.checksum()
        };
        let sound = checksum(&|_| {});
        assert_ne!(sound, checksum(&|ply| ply.win_probability += 0.01));
        assert_ne!(sound, checksum(&|ply| ply.is_noise = true));
    }

    #[test]
    fn targets_move_from_one_mixture_to_the_other() {
        let mut sample = random_data(1).train[0];
        (sample.search, sample.won) = (0.25, true);
        for (arrows, target) in [(0, 0.925), (25, 0.775), (50, 0.625), (55, 0.625)] {
            sample.arrows = arrows;
            assert!((sample.target([0.1, 0.5]) - target).abs() < 1e-6);
        }
        assert_eq!(sample.target([0.0, 0.0]), 1.0);
        assert_eq!(sample.target([1.0, 1.0]), 0.25);
    }

    /// A turned board has the same kinds of squares, on the turned squares: so the eight ways cover each other.
    #[test]
    fn symmetries_turn_the_rows_with_the_board() {
        for sample in random_data(4).train.iter().step_by(7) {
            let rows_of = |sample: Sample| rows::<u64>(sample.mine, sample.theirs, sample.empty);
            let rows = rows_of(*sample);
            let mut images = Vec::new();
            for symmetry in 0..SYMMETRIES {
                let image = sample.turned(symmetry);
                let turned_rows = rows_of(image);
                for (square, row) in rows.iter().enumerate() {
                    let to = turned(1 << square, symmetry).trailing_zeros() as usize;
                    assert_eq!(turned_rows[to] / 64, row / 64);
                    assert_eq!(usize::from(turned_rows[to]) % 64, to);
                }
                images.push(image.empty);
            }
            images.sort_unstable();
            images.dedup();
            assert!(images.len() == 8 || sample.arrows < 3, "eight images");
        }
    }
}
