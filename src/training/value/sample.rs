//! Training samples of the value head: positions of self-play games from the perspective of the side to move, with the game's
//! result.

use crate::samples::Position;
use engine::board::Board;
use engine::eval;

/// Number of arrows at which the weight of the search in the target reaches its final value (`--late-target-mix`).
pub const LATE_ARROWS: u8 = 50;

/// A position with the search's win probability and the result of its game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub position: Position,
    /// Log-odds that the side to move wins, by the linear evaluation.
    pub linear: f32,
    /// Win probability of the side to move by the search, from 0 to 1.
    pub search: f32,
    /// True if the side to move won the game.
    pub won: bool,
    /// True if this move or a later one was random (noise), so that the result says little about the position.
    pub has_noisy_result: bool,
}

impl Sample {
    /// Builds the sample of a position. `search` is the win probability of the side to move, `winner` is 0 for black and 1 for
    /// white, and `has_noisy_result` is true if this move or a later one was random.
    ///
    /// The side to move must have a legal move.
    pub fn new(board: &Board, search: f32, winner: u8, has_noisy_result: bool) -> Sample {
        let player = board.to_move();
        let black = eval::log_odds(eval::evaluate_board(board));
        Sample {
            position: Position::of(board),
            linear: [black, -black][player as usize],
            search,
            won: player as u8 == winner,
            has_noisy_result,
        }
    }

    /// Returns the target win probability: a weighted mean of the search's win probability and the game's result.
    ///
    /// `mix` is the weight of the search without arrows and from [`LATE_ARROWS`] arrows on, linear in between. If a random
    /// move may have changed the result, the target is the search's win probability alone.
    #[inline(always)]
    #[must_use]
    pub fn target(&self, mix: [f32; 2]) -> f32 {
        if self.has_noisy_result {
            return self.search;
        }
        let late =
            f32::from((self.position.arrows() as u8).min(LATE_ARROWS)) / f32::from(LATE_ARROWS);
        let weight = mix[0] + (mix[1] - mix[0]) * late;
        let result = f32::from(self.won);
        result + weight * (self.search - result)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::games::is_held_out;
    use crate::samples::tests::{data_of, random_game};
    use crate::samples::{Dataset, of_game};
    use crate::value::ValueHead;
    use engine::board::MAX_ARROWS;
    use std::slice;

    /// Value head whose targets mix the search's win probability and the result.
    pub const VALUE: ValueHead = ValueHead {
        target_mix: 0.2,
        late_target_mix: Some(0.4),
    };

    /// Returns the data set of `games` games of weak searches.
    pub fn random_data(games: u32) -> Dataset<Sample> {
        data_of(&(0..games).map(random_game).collect::<Vec<_>>(), &VALUE)
    }

    #[test]
    fn every_ply_after_the_opening_has_a_sample() {
        for number in 0..10 {
            let game = random_game(number);
            let samples = Vec::from_iter(of_game(&VALUE, &game, false));
            let plies = &game.plies[game.opening_plies.into()..];
            assert_eq!(samples.len(), plies.len());
            for (at, (sample, ply)) in samples.iter().zip(plies).enumerate() {
                assert_eq!(sample.search, ply.win_probability);
                let moves_last = (plies.len() - at) % 2 == 1;
                assert_eq!(sample.won, moves_last, "who moves last has won");
            }
        }
    }

    /// Up to the last random move, positions have the search's win probability as their target, and are left out of the
    /// held-out set.
    #[test]
    fn results_before_noise_are_not_targets() {
        for number in 0..50 {
            let mut game = random_game(number);
            let plain = Vec::from_iter(of_game(&VALUE, &game, false));
            (game.plies[9].is_noise, game.plies[14].is_noise) = (true, true);
            let reliable_from = 15 - usize::from(game.opening_plies);
            let data = data_of(slice::from_ref(&game), &VALUE);
            if is_held_out(number) {
                assert_eq!(data.held_out, plain[reliable_from..]);
                continue;
            }
            assert_eq!(data.train.len(), plain.len());
            for (at, (sample, plain)) in data.train.iter().zip(&plain).enumerate() {
                let target = match at < reliable_from {
                    true => sample.search,
                    false => plain.target([0.2, 0.4]),
                };
                assert_eq!(sample.target([0.2, 0.4]), target);
                assert_eq!(sample.won, plain.won);
            }
        }
    }

    #[test]
    fn target_mix_is_linear_in_arrows() {
        let mut sample = random_data(1).train[0];
        (sample.search, sample.won) = (0.25, true);
        for (arrows, target) in [(0, 0.925), (25, 0.775), (50, 0.625), (55, 0.625)] {
            sample.position.empty = (1 << (MAX_ARROWS - arrows)) - 1;
            assert!((sample.target([0.1, 0.5]) - target).abs() < 1e-6);
        }
        assert_eq!(sample.target([0.0, 0.0]), 1.0);
        assert_eq!(sample.target([1.0, 1.0]), 0.25);
    }
}
