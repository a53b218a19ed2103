//! The samples of the value head: positions of self-play games, each seen by the player to move, with their outcome.

use crate::samples::Position;
use engine::board::Board;
use engine::eval;

/// Number of arrows from which on the target no longer changes.
pub const LATE_ARROWS: u8 = 50;

/// A position, and how the game went on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub position: Position,
    /// Log-odds that the player to move wins, by the linear evaluation.
    pub linear: f32,
    /// Win probability of the player to move as the search saw it.
    pub search: f32,
    /// Whether the player to move has won.
    pub won: bool,
    /// Whether a random move, here or later in the game, has spoilt the result.
    pub is_spoilt: bool,
}

impl Sample {
    /// The sample of a position: what the search saw in it, who won, and if noise has spoilt that.
    ///
    /// The player to move has a move: lost positions, which the evaluation knows for certain, end a game.
    pub fn new(board: &Board, search: f32, winner: u8, is_spoilt: bool) -> Sample {
        let player = board.to_move();
        let black = eval::log_odds(eval::evaluate_board(board));
        Sample {
            position: Position::of(board),
            linear: [black, -black][player as usize],
            search,
            won: player as u8 == winner,
            is_spoilt,
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
        let late =
            f32::from((self.position.arrows() as u8).min(LATE_ARROWS)) / f32::from(LATE_ARROWS);
        let share = mix[0] + (mix[1] - mix[0]) * late;
        let result = f32::from(self.won);
        result + share * (self.search - result)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::games::is_held_out;
    use crate::samples::tests::{data_of, random_game};
    use crate::samples::{Data, of_game};
    use crate::value::Value;
    use engine::board::MAX_ARROWS;
    use std::slice;

    /// The value head with mixed targets.
    pub const VALUE: Value = Value {
        target_mix: 0.2,
        late_target_mix: Some(0.4),
    };

    /// The samples of random games.
    pub fn random_data(games: u32) -> Data<Sample> {
        data_of(&(0..games).map(random_game).collect::<Vec<_>>(), &VALUE)
    }

    #[test]
    fn samples_tell_of_every_ply_behind_the_opening_whether_the_mover_wins() {
        for number in 0..10 {
            let game = random_game(number);
            let samples = Vec::from_iter(of_game(&VALUE, &game, false));
            let plies = &game.plies[game.opening.into()..];
            assert_eq!(samples.len(), plies.len());
            for (at, (sample, ply)) in samples.iter().zip(plies).enumerate() {
                assert_eq!(sample.search, ply.win_probability);
                let moves_last = (plies.len() - at) % 2 == 1;
                assert_eq!(sample.won, moves_last, "who moves last has won");
            }
        }
    }

    /// Positions up to the last noise are learned from the search alone, and do not measure.
    #[test]
    fn noise_spoils_the_results_before_it() {
        for number in 0..50 {
            let mut game = random_game(number);
            let sound = Vec::from_iter(of_game(&VALUE, &game, false));
            (game.plies[9].is_noise, game.plies[14].is_noise) = (true, true);
            let spoilt = 15 - usize::from(game.opening);
            let data = data_of(slice::from_ref(&game), &VALUE);
            if is_held_out(number) {
                assert_eq!(data.held_out, sound[spoilt..]);
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
    fn targets_move_from_one_mixture_to_the_other() {
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
