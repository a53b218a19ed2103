//! What play says of what can't be done.

use super::{Words, labels, list};
use crate::board::{Cell, IllegalMove, Leg, ParseMoveError, Player};
use crate::console::{quoted, visible};
use crate::tools::analysis::glossary::{Language, Term};
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
                let fault = match self.0 {
                    Language::En => fault.to_string(),
                    Language::Zh => rule_in_chinese(*fault),
                };
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
            Refusal::Square(error) => match self.0 {
                Language::En => quoted(&error.to_string()).to_string(),
                Language::Zh => square_in_chinese(error),
            },
            Refusal::Tool(error) => visible(error).to_string(),
        }
    }
}

/// A rule that is broken. In English the board itself says it.
fn rule_in_chinese(rule: IllegalMove) -> String {
    let cell = |cell| match cell {
        Cell::Empty => "空格",
        Cell::Amazon(Player::Black) => "黑棋",
        Cell::Amazon(Player::White) => "白棋",
        Cell::Arrow => "箭",
        Cell::Border => "棋盘边缘",
    };
    let part = |leg| match leg {
        Leg::Walk => "棋子",
        Leg::Shot => "箭",
    };
    match rule {
        IllegalMove::NotYourAmazon {
            square,
            player,
            found,
        } => {
            let player = Term::from(player).text(Language::Zh);
            format!("{square} 上是{},应选{player}的棋子", cell(found))
        }
        IllegalMove::StandsStill { leg, square } => {
            format!("{}停在 {square},应到别的格子", part(leg))
        }
        IllegalMove::NotAQueenLine { leg, from, to } => {
            format!("{}从 {from} 到 {to},应走横线、竖线或斜线", part(leg))
        }
        IllegalMove::Blocked { leg, square, found } => {
            format!("{}在 {square} 被{}挡住", part(leg), cell(found))
        }
    }
}

/// Why some words are no squares. In English the error itself says it.
fn square_in_chinese(error: &ParseMoveError) -> String {
    match error {
        ParseMoveError::OffBoard { x, y } => format!("({x}, {y}) 不在棋盘上:坐标是 0 到 7"),
        ParseMoveError::NotASquare(word) => format!("“{}”不是格子:应是 a1 到 h8", quoted(word)),
        ParseMoveError::WrongCount(count) => {
            format!("应是六个坐标或三个格子,而不是 {count} 个格子")
        }
    }
}
