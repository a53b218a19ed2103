//! Training samples of the policy head: positions of self-play games from the perspective of the side to move, with the
//! search's visits as targets.

use crate::games::Ply;
use crate::samples::Position;
use engine::board::Board;

/// Training sample of one turn: the visits of a search for the amazon move, and for the arrow after the amazon move that was
/// played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub amazons: Decision,
    /// Visits of the arrows; `None` if the file of games has no shares for them.
    pub arrows: Option<Decision>,
}

/// One decision in a turn, either the amazon move or the arrow: the position and the search's visit shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    pub position: Position,
    /// Square of the amazon that shoots the arrow; `None` if the decision is the amazon move.
    pub shooter: Option<u8>,
    /// Coded half-moves and their shares of the visits, as in [`VisitShares`](crate::games::VisitShares).
    pub shares: [[u8; 2]; 8],
}

impl Decision {
    /// Returns the visit share of the half-move with the code `code`, in 1/255; 0 if no share is listed for it.
    #[inline(always)]
    pub fn share(&self, code: u8) -> u8 {
        let entry = self.shares.iter().find(|entry| entry[0] == code);
        entry.map_or(0, |entry| entry[1])
    }
}

impl Sample {
    /// Builds the sample of a turn from the position `board` and the stored visit shares of `ply`.
    pub fn new(board: &Board, ply: &Ply) -> Sample {
        let (mut after_move, turn) = (board.clone(), ply.turn);
        after_move.move_amazon(turn.from, turn.to);
        let mut shares = [[0; 2]; 8];
        shares[..ply.shares.arrows.len()].copy_from_slice(&ply.shares.arrows);
        Sample {
            amazons: Decision {
                position: Position::of(board),
                shooter: None,
                shares: ply.shares.amazons,
            },
            arrows: (shares[0][1] > 0).then(|| Decision {
                position: Position::of(&after_move),
                shooter: Some(turn.to.index() as u8),
                shares,
            }),
        }
    }

    /// Returns the decisions of the turn: the amazon move, and the arrow if its visits are known.
    #[inline(always)]
    pub fn decisions(&self) -> [Option<&Decision>; 2] {
        [Some(&self.amazons), self.arrows.as_ref()]
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::PolicyHead;
    use super::*;
    use crate::samples::of_game;
    use crate::samples::tests::{boards, random_game};

    /// Plays `games` games of weak searches and returns their samples.
    pub fn random_samples(games: u32) -> Vec<Sample> {
        let games = (0..games).map(random_game);
        games
            .flat_map(|game| of_game(&PolicyHead {}, &game, false).collect::<Vec<_>>())
            .collect()
    }

    #[test]
    fn samples_are_searched_positions_without_proven_winner() {
        let game = random_game(3);
        let mut samples = of_game(&PolicyHead {}, &game, false);
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
            assert_eq!(amazons.position, Position::of(board));
            assert_eq!(
                (amazons.shooter, amazons.shares),
                (None, ply.shares.amazons)
            );
            let Some(arrows) = arrows else {
                assert_eq!(ply.shares.arrows, [[0; 2]; 4]);
                continue;
            };
            let mut after_move = board.clone();
            after_move.move_amazon(ply.turn.from, ply.turn.to);
            assert_eq!(arrows.position, Position::of(&after_move));
            assert_eq!(arrows.shooter.map(usize::from), Some(ply.turn.to.index()));
            assert_eq!(arrows.shares, [ply.shares.arrows, [[0; 2]; 4]].concat()[..]);
            shot += 1;
        }
        assert_eq!(samples.next(), None);
        assert!(proven > 0, "the game has a proven end");
        assert!(shot > 0, "arrows were searched");
    }
}
