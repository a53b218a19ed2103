//! What play says of what can't be done.

use super::{Words, list};
use crate::board::{Cell, IllegalMove, Leg, ParseMoveError, Player};
use crate::console::{counted, quoted, visible};
use crate::tools::analysis::glossary::{self, Language, say};
use crate::tools::play::command::Expected;
use crate::tools::play::refusal::{BrokenRule, Refusal};
use crate::tools::play::selection::Selection;

impl Words {
    /// Why something was not done.
    #[must_use]
    pub fn refusal(self, refusal: &Refusal) -> String {
        match refusal {
            Refusal::Over { winner } => {
                let won = glossary::WON.of(self.0, &[&self.player(*winner)]);
                say!(
                    self.0,
                    "the game is over, {won}: expected undo, new or quit",
                    "对局已结束,{won}:可以 undo、new 或 quit"
                )
            }
            Refusal::BotsTurn(player) => say!(
                self.0,
                "it is {}'s turn, a bot's: expected go, undo or quit",
                "轮到{}的电脑:可以 go、undo 或 quit",
                self.player(*player)
            ),
            Refusal::TooManySquares { given, missing } => match self.0 {
                Language::En => format!(
                    "{}, expected at most {missing} more for this turn",
                    counted(*given as u64, "square", "squares")
                ),
                Language::Zh => format!("给了 {given} 个格子,这一步最多还需 {missing} 个"),
            },
            Refusal::Illegal {
                fault,
                choice,
                legal,
            } => {
                let (fault, legal) = (self.fault(*fault), list(legal.iter().copied()));
                match choice {
                    Selection::Nothing => say!(
                        self.0,
                        "{fault}; these can move: {legal}",
                        "{fault};可以走的棋子:{legal}"
                    ),
                    Selection::Amazon(from) => say!(
                        self.0,
                        "{fault}; from {from} it reaches {legal}",
                        "{fault};从 {from} 能到:{legal}"
                    ),
                    Selection::Walk { to, .. } => say!(
                        self.0,
                        "{fault}; from {to} the arrow reaches {legal}",
                        "{fault};箭从 {to} 能到:{legal}"
                    ),
                }
            }
            Refusal::NoSuchTurn { turns } => say!(
                self.0,
                "look: expected a number from 0 to {turns}",
                "look:后面应是 0 到 {turns} 的数"
            ),
            Refusal::NothingToUndo => say!(self.0, "there is no turn to take back", "没有可悔的棋"),
            Refusal::NothingToRedo => say!(self.0, "no turn has been taken back", "没有悔过的棋"),
            Refusal::NoBots => say!(
                self.0,
                "no bot plays: expected black bot or white bot",
                "没有电脑在下:可以 black bot 或 white bot",
            ),
            Refusal::NothingLeft => say!(self.0, "no game was left", "没有未下完的对局"),
            Refusal::Unknown(word) => say!(
                self.0,
                "\"{}\": expected squares such as c1 c6 f6, or a command such as moves, hint, undo, save, new or quit; help lists them",
                "“{}”:应输入格子(例如 c1 c6 f6)或命令(例如 moves、hint、undo、save、new、quit);help 列出全部",
                quoted(word)
            ),
            Refusal::Expected {
                command,
                expected,
                found,
            } => {
                let due = self.expected(*expected);
                let due = say!(
                    self.0,
                    "{command}: expected {due} after it",
                    "{command}:后面应是{due}"
                );
                match found.as_str() {
                    "" => due,
                    _ => say!(
                        self.0,
                        "{due}, found \"{}\"",
                        "{due},而不是“{}”",
                        quoted(found)
                    ),
                }
            }
            Refusal::TooMuch { command, rest } => say!(
                self.0,
                "{command}: expected nothing after it, found \"{}\"",
                "{command}:后面不应有“{}”",
                quoted(rest)
            ),
            Refusal::Square(error) => match self.0 {
                Language::En => quoted(&error.to_string()).to_string(),
                Language::Zh => square_in_chinese(error),
            },
            Refusal::Tool(error) => visible(error).to_string(),
        }
    }

    fn fault(self, fault: BrokenRule) -> String {
        match fault {
            BrokenRule::Rule(rule) => match self.0 {
                Language::En => rule.to_string(),
                Language::Zh => rule_in_chinese(rule),
            },
            BrokenRule::ShutIn(square) => say!(
                self.0,
                "the amazon on {square} is shut in",
                "{square} 上的棋子已被围住"
            ),
        }
    }

    fn expected(self, expected: Expected) -> String {
        match expected {
            Expected::File => self.text("a file", "文件名").to_owned(),
            Expected::Number(least, most) => say!(
                self.0,
                "a number from {least} to {most}",
                "{least} 到 {most} 的数"
            ),
            Expected::Sitter => self
                .text("human or bot", "human(人)或 bot(电脑)")
                .to_owned(),
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
            let player = player.term().text(Language::Zh);
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
