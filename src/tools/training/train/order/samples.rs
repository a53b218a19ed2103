//! The positions of self-play games as samples of the order network, each seen by the player to move, with the moves that
//! a search has visited most.

use crate::board::{Board, MAX_ARROWS};
use crate::tools::support::error::ToolError;
use crate::tools::training::games::{self, Ply, SelfPlayGame, is_held_out};
use std::path::PathBuf;

/// Most moves of a sample with a share of the visits.
pub const SHARES: usize = 8;

/// A position in which a turn begins, and what a search made of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Amazons of the player to move.
    pub mine: u64,
    /// Amazons of the other player.
    pub theirs: u64,
    /// Empty squares.
    pub empty: u64,
    /// Shares of the visits that amazon's moves have: 64 times the number of the amazon, from the lowest square up, plus
    /// the square that it enters; then the share in 1/255. Those behind the last move are 0.
    pub shares: [[u8; 2]; SHARES],
}

impl Sample {
    /// The sample of a position and the search before its ply; nothing if there is nothing to learn.
    ///
    /// Nothing was searched in an opening. Where the winner is proven visits say little: the winning move may have few.
    fn new(board: &Board, ply: &Ply) -> Option<Sample> {
        let is_proven = ply.win_probability == 0.0 || ply.win_probability == 1.0;
        if is_proven || ply.shares.is_empty() {
            return None;
        }
        let player = board.to_move();
        let mine = board.amazons(player);
        let mut shares = [[0; 2]; SHARES];
        let told = ply.shares.amazon_moves(board);
        for (entry, (from, to, share)) in shares.iter_mut().zip(told) {
            let amazon = (mine & (from.bit() - 1)).count_ones() as u8;
            *entry = [
                amazon << 6 | to.index() as u8,
                (share * 255.0).round() as u8,
            ];
        }
        Some(Sample {
            mine,
            theirs: board.amazons(!player),
            empty: board.empty(),
            shares,
        })
    }

    /// Arrows on the board.
    #[inline(always)]
    #[must_use]
    pub fn arrows(&self) -> usize {
        MAX_ARROWS - self.empty.count_ones() as usize
    }
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
    /// Samples to measure by.
    pub held_out: Vec<Sample>,
}

impl Data {
    /// Number of positions to train with or to measure by.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.train.len() + self.held_out.len()
    }

    /// Adds the games of a file.
    ///
    /// # Errors
    /// If none of them tells shares of visits.
    fn add(&mut self, games: &[SelfPlayGame]) -> Result<(), String> {
        if !games.iter().any(SelfPlayGame::has_shares) {
            return Err(
                "expected games with shares of the visits, as `amazons selfplay` writes since version 4"
                    .to_owned(),
            );
        }
        for game in games {
            let held_out = is_held_out(game.number);
            self.games += 1;
            self.held_out_games += usize::from(held_out);
            let samples = of_game(game);
            match held_out {
                true => self.held_out.extend(samples),
                false => self.train.extend(samples),
            }
        }
        Ok(())
    }
}

/// Reads files of games.
///
/// # Errors
/// If a file can't be read, or holds no games, impossible ones or none with shares of the visits; the message names it.
pub fn read(files: &[PathBuf]) -> Result<Data, ToolError> {
    let mut data = Data::default();
    games::read_each(files, |games| data.add(games))?;
    Ok(data)
}

/// The samples of a game.
fn of_game(game: &SelfPlayGame) -> Vec<Sample> {
    let mut board = Board::start();
    let mut samples = Vec::new();
    for ply in &game.plies {
        samples.extend(Sample::new(&board, ply));
        board.play(ply.turn).expect("a file's games are legal");
    }
    samples
}
