//! Files of self-play games with random moves.

use engine::board::{Board, Player};
use engine::movegen;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use training::games::{Ply, SelfPlayGame, SelfPlaySettings, VisitShares};

/// Plays random moves to the end of a game. The first `opening` plies count as the opening.
pub fn random_game(number: u32, opening: u8) -> SelfPlayGame {
    let mut rng = SmallRng::seed_from_u64(number.into());
    let mut board = Board::start();
    let mut plies = Vec::new();
    loop {
        let choices = movegen::moves(&board);
        if choices.is_empty() {
            break;
        }
        let turn = choices[rng.next_u32() as usize % choices.len()];
        let searched = plies.len() >= usize::from(opening);
        plies.push(Ply {
            turn,
            win_probability: if searched { 0.25 } else { 0.0 },
            is_noise: false,
            shares: VisitShares::default(),
        });
        board.play(turn).expect("legal");
    }
    SelfPlayGame {
        number,
        opening_plies: opening,
        winner: u8::from(board.to_move() == Player::Black),
        plies,
    }
}

/// Returns the bytes of a file of games.
pub fn games_file(games: impl Iterator<Item = SelfPlayGame>) -> Vec<u8> {
    let mut bytes = SelfPlaySettings::default().to_bytes();
    bytes.extend(games.flat_map(|game| game.to_bytes()));
    bytes
}
