//! What play says of a square that can't be chosen.

use super::{Words, list};
use crate::play::selection::choices;
use analysis::refusal::broken_rule;
use engine::board::{Board, Cell, IllegalMove, Move, Square};

impl Words {
    /// Why a square is no legal choice after the `chosen` ones, and what is one.
    ///
    /// # Panics
    /// If it is one.
    #[must_use]
    pub fn illegal(self, board: &Board, chosen: &[Square], square: Square) -> String {
        let (player, legal) = (board.to_move(), list(choices(board, chosen)));
        let broken = |from, to, arrow| {
            let rule = board.check(Move { from, to, arrow });
            broken_rule(rule.expect_err("the square is no legal choice"), self.0)
        };
        match *chosen {
            [] if board[square] == Cell::Amazon(player) => {
                self.no_amazon(self.shut_in(square), legal)
            }
            [] => {
                let found = board[square];
                let fault = IllegalMove::NotYourAmazon {
                    square,
                    player,
                    found,
                };
                self.no_amazon(broken_rule(fault, self.0), legal)
            }
            // An arrow back to where the amazon came from is always legal: the fault lies with the walk.
            [from] => self.no_destination(broken(from, square, from), from, legal),
            [from, to, ..] => self.no_arrow(broken(from, to, square), to, legal),
        }
    }
}
