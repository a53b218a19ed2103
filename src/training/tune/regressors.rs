//! Samples of the logistic regression that fits the evaluation's weights: positions of self-play games as feature
//! vectors, with the game's result as target.

use crate::games::SelfPlayGame;
use crate::samples::Sampler;
use engine::board::{Board, Player};
use engine::eval::weights::{COLUMNS, SIDE_TO_MOVE};
use engine::eval::{Features, TERMS, UNITS};

/// Training sample of the regression: feature vector of one position, from black's perspective, and the game's result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Number of arrows on the board, 0 to 56, which determines the weights of the features.
    pub arrows: u8,
    /// Values of the evaluation's features, one for each column of its weight table: black's value minus white's.
    /// Exception: the element [`SIDE_TO_MOVE`] is 1 if black is to move, and −1 if white is.
    pub features: [f32; COLUMNS],
    /// Result of the game, which is the target of the regression: 1 if black won, 0 if white won.
    pub result: f32,
}

/// Converts positions of self-play games into samples of the regression. Leaves out the random opening, and all
/// positions of a game before its last random move (noise), because such a move may change who wins.
///
/// In every sample, the side to move has a legal move: only positions in which a move was played become samples.
pub struct RegressionSampler;

impl Sampler for RegressionSampler {
    type Sample = Sample;

    fn sample(&self, board: &Board, game: &SelfPlayGame, ply: usize, _: bool) -> Option<Sample> {
        if ply < usize::from(game.opening_plies).max(game.first_reliable_ply()) {
            return None;
        }
        let [black, white] = [Player::Black, Player::White].map(|player| board.amazons(player));
        let components = Features::<u64>::compute(black, white, board.empty()).terms();
        let mut values = [0.0; COLUMNS];
        for at in 0..TERMS {
            let column = at + usize::from(at >= SIDE_TO_MOVE);
            values[column] = (components[at] as i64 as f64 / UNITS[at]) as f32;
        }
        values[SIDE_TO_MOVE] = [1.0, -1.0][board.to_move() as usize];
        Some(Sample {
            arrows: board.arrow_count() as u8,
            features: values,
            result: if game.winner == 0 { 1.0 } else { 0.0 },
        })
    }
}
