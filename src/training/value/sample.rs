//! Training samples of the value network: positions of self-play games, from the perspective of the side to move, with
//! the search's win probability and the game's result.

use crate::samples::Position;
use engine::board::Board;
use engine::eval;

/// Training sample of the value network: a position, the search's win probability and the game's result. The network's
/// target output for the position is computed from the latter two. All fields are from the perspective of the side to
/// move.
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
    /// probability, with the weight `mix`, and the game's result (1 or 0). If a random move may have changed who won,
    /// the search's win probability alone is the target.
    #[inline(always)]
    #[must_use]
    pub fn target(&self, mix: f32) -> f32 {
        let result = f32::from(self.won);
        match self.has_noisy_result {
            true => self.search_win_probability,
            false => result + mix * (self.search_win_probability - result),
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::games::is_held_out;
    use crate::samples::tests::{dataset_of, random_game};
    use crate::samples::{Dataset, samples_of_game};
    use crate::value::ValueTraining;
    use std::slice;

    /// Options of the value network for tests: the weight of the search's win probability in the training target is 0.2.
    pub const VALUE_NET: ValueTraining = ValueTraining { target_mix: 0.2 };

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
                    false => plain.target(VALUE_NET.target_mix),
                };
                assert_eq!(sample.target(VALUE_NET.target_mix), target);
                assert_eq!(sample.won, plain.won);
            }
        }
    }

    #[test]
    fn target_is_between_result_and_search() {
        let mut sample = random_data(1).train[0];
        (sample.search_win_probability, sample.won) = (0.25, true);
        for (mix, target) in [(0.0, 1.0), (0.2, 0.85), (1.0, 0.25)] {
            assert!((sample.target(mix) - target).abs() < 1e-6);
        }
    }
}
