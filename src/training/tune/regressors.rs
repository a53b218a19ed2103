//! The samples of the regression: positions of self-play games, each with its features.

use crate::games::SelfPlayGame;
use crate::samples::Sampler;
use engine::board::{Board, Player};
use engine::eval::weights::{COLUMNS, SIDE_TO_MOVE};
use engine::eval::{COMPONENTS, Features, UNITS};

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Arrows on the board.
    pub arrows: u8,
    /// The features, in the order of the weights' columns.
    pub values: [f32; COLUMNS],
    /// 1 if black won, 0 if white.
    pub result: f32,
    /// Target of the fit: the result, or its mixture with the search's win probability.
    pub target: f32,
}

/// What makes samples of the positions behind the random opening of a game and all noise, which spoils the result.
///
/// All are positions with a move. Lost positions without one, which the evaluation knows for certain, never occur.
pub struct Regression {
    /// Share of the search's win probability in the target; the game's result has the rest.
    pub target_mix: f32,
}

impl Sampler for Regression {
    type Sample = Sample;

    fn sample(&self, board: &Board, game: &SelfPlayGame, ply: usize, _: bool) -> Option<Sample> {
        if ply < usize::from(game.opening).max(game.noise_end()) {
            return None;
        }
        let result = if game.winner == 0 { 1.0 } else { 0.0 };
        let search = game.plies[ply].win_probability;
        let (side, search) = match board.to_move() {
            Player::Black => (1.0, search),
            Player::White => (-1.0, 1.0 - search),
        };
        let [black, white] = [Player::Black, Player::White].map(|player| board.amazons(player));
        let components = Features::<u64>::of(black, white, board.empty()).components();
        let mut values = [0.0; COLUMNS];
        for at in 0..COMPONENTS {
            let column = at + usize::from(at >= SIDE_TO_MOVE);
            values[column] = (components[at] as i64 as f64 / UNITS[at]) as f32;
        }
        values[SIDE_TO_MOVE] = side;
        Some(Sample {
            arrows: board.arrow_count() as u8,
            values,
            result,
            target: result + self.target_mix * (search - result),
        })
    }
}
