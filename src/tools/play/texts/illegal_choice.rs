//! [`Texts::illegal_choice`]: explains to the user why a square can't be chosen.

use super::{Texts, square_list};
use crate::play::selection::legal_choices;
use analysis::rejection::describe_rule;
use engine::board::{Board, Cell, IllegalMove, Move, Square};

impl Texts {
    /// Explains why `square` may not be chosen next in this turn, and lists the squares that may. `chosen` has the
    /// squares chosen so far: none, an amazon, or an amazon and its destination.
    ///
    /// # Panics
    /// If `square` may be chosen.
    #[must_use]
    pub fn illegal_choice(self, board: &Board, chosen: &[Square], square: Square) -> String {
        let (player, legal) = (board.to_move(), square_list(legal_choices(board, chosen)));
        let broken_rule = |from, to, arrow| {
            let rule = board.check(Move { from, to, arrow });
            describe_rule(rule.expect_err("the square is no legal choice"), self.0)
        };
        match *chosen {
            [] if board[square] == Cell::Amazon(player) => {
                self.no_amazon(self.cannot_move(square), legal)
            }
            [] => {
                let found = board[square];
                let illegal_move = IllegalMove::NotYourAmazon {
                    square,
                    player,
                    found,
                };
                self.no_amazon(describe_rule(illegal_move, self.0), legal)
            }
            // The amazon on `from` is chosen, and it can't move to `square`. `broken_rule` needs a whole turn, with an
            // arrow. The arrow's square does not matter, because the amazon's move is checked first.
            [from] => self.no_destination(broken_rule(from, square, from), from, legal),
            [from, to, ..] => self.no_arrow(broken_rule(from, to, square), to, legal),
        }
    }
}
