//! Training samples of the value network: positions of self-play games, from the perspective of the side to move, with
//! the search's win probability and the game's result.

use crate::samples::Position;
use engine::board::Board;
use engine::eval;

/// Number of arrows from which on the search's win probability has the weight `--late-target-mix` in the training
/// target. Without arrows, it has the weight `--target-mix`. In between, the weight is interpolated linearly. The
/// game's result has the remaining weight.
pub const LATE_ARROWS: u8 = 50;

/// Training sample of the value network: a position with the search's win probability and the game's result, from which
/// its target is computed. All fields are from the perspective of the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Position whose win probability the network predicts.
    pub position: Position,
    /// Log-odds that the side to move wins, as the linear evaluation estimates them. They are multiplied by a trained
    /// weight and added to the network's output.
    pub linear_log_odds: f32,
    /// Win probability of the side to move, from 0 to 1, as found by the search of this position.
    pub search_win_probability: f32,
    /// True if the side to move won the game.
    pub won: bool,
    /// True if the move played in this position, or a later one in the game, was a random move (noise). Such a move may
    /// change who wins; therefore the game's result is not used as a target.
    pub has_noisy_result: bool,
}

impl Sample {
    /// Builds the training sample of the position `board`, in which the side to move must have a legal move.
    /// `win_probability` is that of the side to move, from 0 to 1, as found by the search. `winner` is 0 if black won
    /// the game, 1 if white won. `has_noisy_result` is true if the move played on `board` or a later one was random.
    pub fn new(board: &Board, win_probability: f32, winner: u8, has_noisy_result: bool) -> Sample {
        let player = board.to_move();
        let black = eval::log_odds(eval::evaluate_board(board));
        Sample {
            position: Position::from_board(board),
            linear_log_odds: [black, -black][player as usize],
            search_win_probability: win_probability,
            won: player as u8 == winner,
            has_noisy_result,
        }
    }

    /// Returns the training target of the network: a win probability from 0 to 1, the weighted mean of the search's win
    /// probability and the game's result (1 or 0).
    ///
    /// `mix` contains the weight of the search's win probability. First: weight without arrows on the board. Second:
    /// weight with [`LATE_ARROWS`] or more. In between, the weight is linear in the number of arrows. If a random move
    /// may have changed who won, the search's win probability alone is the target.
    #[inline(always)]
    #[must_use]
    pub fn target(&self, mix: [f32; 2]) -> f32 {
        if self.has_noisy_result {
            return self.search_win_probability;
        }
        let late =
            f32::from((self.position.arrows() as u8).min(LATE_ARROWS)) / f32::from(LATE_ARROWS);
        let weight = mix[0] + (mix[1] - mix[0]) * late;
        let result = f32::from(self.won);
        result + weight * (self.search_win_probability - result)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::games::is_held_out;
    use crate::samples::tests::{dataset_of, random_game};
    use crate::samples::{Dataset, samples_of_game};
    use crate::value::ValueTraining;
    use engine::board::MAX_ARROWS;
    use std::slice;

    /// Options of the value network for tests: the weight of the search's win probability in the training target is 0.2
    /// without arrows, rises linearly to 0.4 at 50 arrows, and then stays 0.4.
    pub const VALUE_NET: ValueTraining = ValueTraining {
        target_mix: 0.2,
        late_target_mix: Some(0.4),
    };

    /// Plays `games` games with searches of 12 iterations per move, after openings of zero to five random plies.
    /// Returns the value network's data set of these games, which is the same in each call.
    pub fn random_data(games: u32) -> Dataset<Sample> {
        dataset_of(&(0..games).map(random_game).collect::<Vec<_>>(), &VALUE_NET)
    }

    #[test]
    fn every_ply_after_the_opening_has_a_sample() {
        for number in 0..10 {
            let game = random_game(number);
            let samples = Vec::from_iter(samples_of_game(&VALUE_NET, &game, false));
            let plies = &game.plies[game.opening_plies.into()..];
            assert_eq!(samples.len(), plies.len());
            for (at, (sample, ply)) in samples.iter().zip(plies).enumerate() {
                assert_eq!(sample.search_win_probability, ply.win_probability);
                let moves_last = (plies.len() - at) % 2 == 1;
                assert_eq!(sample.won, moves_last, "who moves last has won");
            }
        }
    }

    /// Checks that the game's result is no target in any position before the game's last random move (noise). There,
    /// the target in the training set is the search's win probability. The held-out set leaves such positions out.
    #[test]
    fn results_before_noise_are_not_targets() {
        for number in 0..50 {
            let mut game = random_game(number);
            let plain = Vec::from_iter(samples_of_game(&VALUE_NET, &game, false));
            (game.plies[9].is_noise, game.plies[14].is_noise) = (true, true);
            let reliable_from = 15 - usize::from(game.opening_plies);
            let data = dataset_of(slice::from_ref(&game), &VALUE_NET);
            if is_held_out(number) {
                assert_eq!(data.held_out, plain[reliable_from..]);
                continue;
            }
            assert_eq!(data.train.len(), plain.len());
            for (at, (sample, plain)) in data.train.iter().zip(&plain).enumerate() {
                let target = match at < reliable_from {
                    true => sample.search_win_probability,
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
        (sample.search_win_probability, sample.won) = (0.25, true);
        for (arrows, target) in [(0, 0.925), (25, 0.775), (50, 0.625), (55, 0.625)] {
            sample.position.empty = (1 << (MAX_ARROWS - arrows)) - 1;
            assert!((sample.target([0.1, 0.5]) - target).abs() < 1e-6);
        }
        assert_eq!(sample.target([0.0, 0.0]), 1.0);
        assert_eq!(sample.target([1.0, 1.0]), 0.25);
    }
}
