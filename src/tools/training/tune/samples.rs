//! The positions of self-play games as samples of the regression, split by game.

use crate::board::{Board, Player};
use crate::eval::weights::{COLUMNS, SIDE_TO_MOVE};
use crate::eval::{COMPONENTS, Features, UNITS};
use crate::tools::support::error::ToolError;
use crate::tools::training::games::{self, SelfPlayGame, is_held_out};
use std::path::PathBuf;

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

/// The samples of some games.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// Number of games.
    pub games: usize,
    /// How many of them are held out.
    pub held_out_games: usize,
    /// Samples to fit the weights to.
    pub fit: Vec<Sample>,
    /// Held-out samples to measure them by.
    pub held_out: Vec<Sample>,
}

impl Data {
    /// Adds a game.
    ///
    /// # Errors
    /// If the game's record is impossible.
    pub fn add(&mut self, game: &SelfPlayGame, target_mix: f32) -> Result<(), String> {
        let held_out = is_held_out(game.number);
        self.games += 1;
        self.held_out_games += usize::from(held_out);
        let samples = of_game(game, target_mix)?;
        match held_out {
            true => self.held_out.extend(samples),
            false => self.fit.extend(samples),
        }
        Ok(())
    }

    /// Number of positions, held out or not.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.fit.len() + self.held_out.len()
    }
}

/// Reads files of games.
///
/// # Errors
/// If a file can't be read or holds no games or impossible ones.
pub fn read(files: &[PathBuf], target_mix: f32) -> Result<Data, ToolError> {
    let mut data = Data::default();
    games::read_each(files, |games| {
        games.iter().try_for_each(|game| data.add(game, target_mix))
    })?;
    Ok(data)
}

/// The samples of a game: the positions behind its random opening and all noise, which spoils the result.
///
/// All are positions with a move. Lost positions without one, which the evaluation knows for certain, never occur.
///
/// # Errors
/// If a move is illegal or the winner is nobody.
pub fn of_game(game: &SelfPlayGame, target_mix: f32) -> Result<Vec<Sample>, String> {
    let number = game.number;
    let result = match game.winner {
        0 => 1.0,
        1 => 0.0,
        other => {
            return Err(format!(
                "game {number}: expected winner 0 or 1, found {other}"
            ));
        }
    };
    let mut board = Board::start();
    let mut samples = Vec::new();
    let start = usize::from(game.opening).max(game.noise_end());
    for (at, ply) in game.plies.iter().enumerate() {
        let black = match board.to_move() {
            Player::Black => ply.win_probability,
            Player::White => 1.0 - ply.win_probability,
        };
        let target = result + target_mix * (black - result);
        if at >= start {
            samples.push(sample(&board, result, target));
        }
        board
            .play(ply.turn)
            .map_err(|error| format!("game {number}, ply {at}: {error}"))?;
    }
    Ok(samples)
}

/// The sample of a position.
fn sample(board: &Board, result: f32, target: f32) -> Sample {
    let [black, white] = [Player::Black, Player::White].map(|player| board.amazons(player));
    let components = Features::<u64>::of(black, white, board.empty()).components();
    let mut values = [0.0; COLUMNS];
    for at in 0..COMPONENTS {
        let column = at + usize::from(at >= SIDE_TO_MOVE);
        values[column] = (components[at] as i64 as f64 / UNITS[at]) as f32;
    }
    values[SIDE_TO_MOVE] = match board.to_move() {
        Player::Black => 1.0,
        Player::White => -1.0,
    };
    Sample {
        arrows: board.arrow_count() as u8,
        values,
        result,
        target,
    }
}
