//! The eight symmetries of the board: positions, squares and moves turned to an image and back.

use crate::board::{Board, Move, Player, Square, squares};
use crate::eval::order::turned;
use crate::mcts::HalfMove;

/// A symmetry of the board, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry(pub usize);

impl Symmetry {
    /// The symmetry that turns back.
    pub const fn inverse(self) -> Symmetry {
        match self.0 {
            // It swaps rows and columns first, so the mirrors change places.
            5 => Symmetry(6),
            6 => Symmetry(5),
            same => Symmetry(same),
        }
    }

    /// The image of a square.
    pub fn square(self, square: Square) -> Square {
        Square::wrapping(turned(square.index(), self.0) as u32)
    }

    /// The image of an amazon's move.
    pub fn amazon(self, amazon: HalfMove) -> HalfMove {
        HalfMove::amazon(self.square(amazon.from()), self.square(amazon.to()))
    }

    /// The image of a move.
    pub fn turn(self, turn: Move) -> Move {
        Move {
            from: self.square(turn.from),
            to: self.square(turn.to),
            arrow: self.square(turn.arrow),
        }
    }

    /// The image of a position.
    pub fn board(self, board: &Board) -> Board {
        let image = |set| squares(set).fold(0, |image, square| image | self.square(square).bit());
        let [black, white] =
            [Player::Black, Player::White].map(|player| image(board.amazons(player)));
        Board::from_sets(black, white, image(board.arrows()), board.to_move())
            .expect("an image of a position is one")
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::nearly_over;
    use super::*;
    use crate::eval::order::SYMMETRIES;
    use crate::movegen;

    #[test]
    fn every_symmetry_is_turned_back() {
        let board = nearly_over();
        for symmetry in (0..SYMMETRIES).map(Symmetry) {
            let image = symmetry.board(&board);
            assert_eq!(symmetry.inverse().board(&image), board);
            for turn in movegen::moves(&board) {
                assert_eq!(image.check(symmetry.turn(turn)), Ok(()));
            }
        }
    }
}
