//! Training samples of the policy network: positions of self-play games from the perspective of the side to move, with
//! the search's visits as targets.

use crate::games::Ply;
use crate::samples::Position;
use engine::board::Board;

/// Training sample made from one played move: how a search distributed its visits over the amazon moves, and over the
/// arrow shots after the amazon move that was played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Position before the move, with the search's visits of the amazon moves.
    pub amazons: Decision,
    /// Position after the amazon move that was played, with the search's visits of the arrow shots. `None` if the file
    /// of games lists no visits of arrow shots for this move.
    pub arrows: Option<Decision>,
}

/// Training data for one choice (of an amazon move or of an arrow shot): the position, and how the search distributed
/// its visits over the alternatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Position in which the amazon move or the arrow shot is chosen, from the perspective of the side that chooses it.
    pub position: Position,
    /// Index (0 to 63) of the square from which the arrow is shot. `None` if an amazon move is to be chosen.
    pub shooter: Option<u8>,
    /// The most visited amazon moves or arrow shots, in descending order of visits, each as two bytes. The first
    /// encodes the move or shot as in [`VisitShares`](crate::games::VisitShares); the second is its share of the visits
    /// in units of 1/255. Unused places contain `[0, 0]`.
    pub shares: [[u8; 2]; 8],
}

impl Decision {
    /// Returns the visit share, in units of 1/255, of the amazon move or arrow shot with the code `code`; 0 if `shares`
    /// does not list it. The code of an amazon move is `64·i + destination`: amazon `i` (0 to 3, in ascending order of
    /// the squares) moves to the square with index `destination`. The code of an arrow shot is the index of the arrow's
    /// square.
    #[inline(always)]
    pub fn share(&self, code: u8) -> u8 {
        let entry = self.shares.iter().find(|entry| entry[0] == code);
        entry.map_or(0, |entry| entry[1])
    }
}

impl Sample {
    /// Builds the training sample for the move of `ply`, which was played on `board`. `ply` also contains the visits of
    /// the search that chose this move.
    pub fn new(board: &Board, ply: &Ply) -> Sample {
        let (mut after_move, turn) = (board.clone(), ply.turn);
        after_move.move_amazon(turn.from, turn.to);
        let mut shares = [[0; 2]; 8];
        shares[..ply.shares.arrows.len()].copy_from_slice(&ply.shares.arrows);
        Sample {
            amazons: Decision {
                position: Position::from_board(board),
                shooter: None,
                shares: ply.shares.amazons,
            },
            arrows: (shares[0][1] > 0).then(|| Decision {
                position: Position::from_board(&after_move),
                shooter: Some(turn.to.index() as u8),
                shares,
            }),
        }
    }

    /// Returns the two choices that make up the move. First: choice of the amazon move, never `None`. Second: choice of
    /// the arrow shot; `None` if the visits of arrow shots are unknown.
    #[inline(always)]
    pub fn decisions(&self) -> [Option<&Decision>; 2] {
        [Some(&self.amazons), self.arrows.as_ref()]
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::PolicyTraining;
    use super::*;
    use crate::samples::samples_of_game;
    use crate::samples::tests::{boards, random_game};

    /// Plays `games` games with searches of 12 iterations per move. Returns the policy network's samples of these
    /// games.
    pub fn random_samples(games: u32) -> Vec<Sample> {
        let games = (0..games).map(random_game);
        games
            .flat_map(|game| samples_of_game(&PolicyTraining {}, &game, false).collect::<Vec<_>>())
            .collect()
    }

    #[test]
    fn samples_are_searched_positions_without_proven_winner() {
        let game = random_game(4);
        let mut samples = samples_of_game(&PolicyTraining {}, &game, false);
        let (mut proven, mut shot) = (0, 0);
        for (board, ply) in boards(&game).iter().zip(&game.plies) {
            if ply.shares.is_empty() {
                continue;
            }
            if [0.0, 1.0].contains(&ply.win_probability) {
                proven += 1;
                continue;
            }
            let Sample { amazons, arrows } = samples.next().expect("a sample");
            assert_eq!(amazons.position, Position::from_board(board));
            assert_eq!(amazons.shooter, None);
            assert_eq!(amazons.shares, ply.shares.amazons);
            let Some(arrows) = arrows else {
                assert_eq!(ply.shares.arrows, [[0; 2]; 4]);
                continue;
            };
            let mut after_move = board.clone();
            after_move.move_amazon(ply.turn.from, ply.turn.to);
            assert_eq!(arrows.position, Position::from_board(&after_move));
            assert_eq!(arrows.shooter.map(usize::from), Some(ply.turn.to.index()));
            assert_eq!(arrows.shares, [ply.shares.arrows, [[0; 2]; 4]].concat()[..]);
            shot += 1;
        }
        assert_eq!(samples.next(), None);
        assert!(proven > 0, "the game has a proven end");
        assert!(shot > 0, "arrows were searched");
    }
}
