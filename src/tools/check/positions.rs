//! Finds rare positions for test cases ([`RarePosition::find`]) by playing random games until such a position occurs.

use super::missing_moves::shoots_back;
use engine::board::{Board, Move, Player, Square, squares};
use engine::movegen;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

/// Maximum number of random games that are played to find one rare position.
const MAX_RANDOM_GAMES: u64 = 20_000;

/// Kind of position that rarely occurs in games. Therefore a bug that shows only in such positions may remain unnoticed
/// in games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RarePosition {
    /// The side to move has exactly one legal move.
    OneMove,
    /// In every legal move, the arrow flies back over or onto the square that the amazon has just left.
    OnlyShotsBack,
    /// Only one amazon of the side to move can move, and this amazon has at least two legal moves.
    OneAmazon,
    /// Of the four amazons of the side to move, at least two can't move.
    WalledIn,
    /// At least one legal move leaves the opponent without a legal move, and thus wins.
    WinInOne,
    /// At least fifty plies have been played before this position.
    LateGame,
}

impl RarePosition {
    /// All kinds of rare positions in which bots are tested. First: the kind. Second: its name as a part of the names
    /// of test cases, such as `one-move` in `simple-one-move-black-1`.
    pub const ALL: [(RarePosition, &'static str); 6] = [
        (RarePosition::OneMove, "one-move"),
        (RarePosition::OnlyShotsBack, "only-back"),
        (RarePosition::OneAmazon, "one-amazon"),
        (RarePosition::WalledIn, "walled-in"),
        (RarePosition::WinInOne, "last"),
        (RarePosition::LateGame, "long"),
    ];

    /// Tests if `board` is a rare position of this kind. `plies` is the number of plies (turns) played before it. The
    /// side to move must have a legal move.
    fn matches(self, board: &Board, plies: usize) -> bool {
        let moves = || movegen::moves(board);
        match self {
            RarePosition::OneMove => movegen::only_move(board).is_some(),
            RarePosition::OnlyShotsBack => moves().iter().all(|turn| shoots_back(*turn)),
            RarePosition::OneAmazon => {
                let moves = moves();
                moves.len() > 1 && moves.iter().all(|turn| turn.from == moves[0].from)
            }
            RarePosition::WalledIn => {
                let amazons = squares(board.amazons(board.to_move()));
                amazons.filter(|&from| is_walled_in(board, from)).count() >= 2
            }
            RarePosition::WinInOne => moves().iter().any(|&turn| {
                let mut after = board.clone();
                after.play(turn).is_ok() && movegen::count(&after) == 0
            }),
            RarePosition::LateGame => plies >= 50,
        }
    }

    /// Plays random games until a position of this kind with `colour` to move occurs. Returns the moves from the start
    /// of the game to this position, or `None` if it does not occur in [`MAX_RANDOM_GAMES`] games. `seed` and `number`
    /// determine the random games; to find several positions with the same seed, pass a different `number` for each.
    #[must_use]
    pub fn find(self, colour: Player, number: u64, seed: u64) -> Option<Vec<Move>> {
        let kind = (self as u64) << 4 ^ u64::from(colour == Player::Black);
        let mut random = SmallRng::seed_from_u64(seed ^ (number << 8) ^ kind);
        (0..MAX_RANDOM_GAMES).find_map(|_| {
            let game = random_game(&mut random);
            let mut board = Board::start();
            for (ply, &turn) in game.iter().enumerate() {
                if board.to_move() == colour && self.matches(&board, ply) {
                    return Some(game[..ply].to_vec());
                }
                board.play(turn).expect("a generated move is legal");
            }
            None
        })
    }
}

fn is_walled_in(board: &Board, from: Square) -> bool {
    let mut targets = 0;
    movegen::for_each_target(board, from, |_| targets += 1);
    targets == 0
}

/// Plays a whole game of uniformly random moves from the start position and returns its moves.
pub fn random_game(random: &mut impl Rng) -> Vec<Move> {
    let mut board = Board::start();
    let mut game = Vec::new();
    while let Some(&turn) = movegen::moves(&board).choose(random) {
        board.play(turn).expect("a generated move is legal");
        game.push(turn);
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::checked_game::CheckedGame;
    use std::collections::BTreeSet;

    /// Tests if every legal arrow shot flies over or onto the square that its amazon has just left. Does not use
    /// `shoots_back`, the function to be tested: instead blocks that square by an arrow, and tests if the amazon then
    /// can't shoot at all.
    fn must_shoot_back(board: &Board) -> bool {
        movegen::moves(board).iter().all(|turn| {
            let player = board.to_move();
            let mut amazons = [Player::Black, Player::White].map(|player| board.amazons(player));
            amazons[player as usize] ^= turn.from.bit() ^ turn.to.bit();
            let [black, white] = amazons;
            let arrows = board.arrows() | turn.from.bit();
            let walled = Board::from_bitboards(black, white, arrows, player).expect("four amazons");
            is_walled_in(&walled, turn.to)
        })
    }

    #[test]
    fn found_positions_are_of_the_requested_kind() {
        for (kind, name) in RarePosition::ALL {
            for (number, colour) in [(0, Player::Black), (0, Player::White), (1, Player::Black)] {
                let game = kind.find(colour, number, 7).expect(name);
                let checked = CheckedGame::from_moves(&game).expect("legal");
                let board = checked.board_at(game.len());
                assert_eq!(board.to_move(), colour, "{name}");
                let moves = movegen::moves(&board);
                let movers: BTreeSet<Square> = moves.iter().map(|turn| turn.from).collect();
                let matches = match kind {
                    RarePosition::OneMove => moves.len() == 1,
                    RarePosition::OnlyShotsBack => must_shoot_back(&board),
                    RarePosition::OneAmazon => moves.len() > 1 && movers.len() == 1,
                    RarePosition::WalledIn => movers.len() <= 2,
                    RarePosition::WinInOne => moves.iter().any(|&turn| {
                        let mut after = board.clone();
                        after.play(turn).expect("legal");
                        movegen::moves(&after).is_empty()
                    }),
                    RarePosition::LateGame => game.len() >= 50,
                };
                assert!(matches && !moves.is_empty(), "{name}:\n{board}");
            }
        }
    }
}
