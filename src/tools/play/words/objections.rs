//! What play says of what can't be done.

use super::{Words, labels, list};
use crate::console::{quoted, visible};
use crate::tools::analysis::refusal::{broken_rule, no_square};
use crate::tools::play::command::Expected;
use crate::tools::play::refusal::Refusal;
use crate::tools::play::selection::Selection;

impl Words {
    /// Why something was not done.
    #[must_use]
    pub fn refusal(self, refusal: &Refusal) -> String {
        match refusal {
            Refusal::Because(term) => self.label(*term).to_owned(),
            Refusal::Over(winner) => self.over(self.won(*winner)),
            Refusal::BotsTurn(player) => self.bots_turn(self.player(*player)),
            Refusal::TooManySquares(given, missing) => self.too_many_squares(given, missing),
            Refusal::ShutIn(square, legal) => self.no_amazon(self.shut_in(square), list(*legal)),
            Refusal::Illegal {
                fault,
                choice,
                legal,
            } => {
                let legal = list(*legal);
                let fault = broken_rule(*fault, self.0);
                match choice {
                    Selection::Nothing => self.no_amazon(fault, legal),
                    Selection::Amazon(from) => self.no_destination(fault, from, legal),
                    Selection::Walk { to, .. } => self.no_arrow(fault, to, legal),
                }
            }
            Refusal::NoSuchTurn(turns) => self.no_such_turn(turns),
            Refusal::Unknown(word) => self.unknown(quoted(word)),
            Refusal::Expected {
                command,
                expected,
                found,
            } => {
                let due = match expected {
                    Expected::File => self.label(labels::A_FILE).to_owned(),
                    Expected::Number(least, most) => self.number(least, most),
                    Expected::Sitter => self.label(labels::HUMAN_OR_BOT).to_owned(),
                };
                let due = self.expected(command, due);
                match found.as_str() {
                    "" => due,
                    _ => self.found(due, quoted(found)),
                }
            }
            Refusal::TooMuch { command, rest } => self.too_much(command, quoted(rest)),
            Refusal::Square(error) => no_square(error, self.0),
            Refusal::Tool(error) => visible(error).to_string(),
        }
    }
}
