//! Explains in words why the judge rejected a bot's answer, for example because of an illegal move: [`RejectedAnswer`].

use super::diagnosis::{self, Mistake};
use super::diagram::{draw, faulty_square};
use super::glossary::{BRACKETS, COLON, Language, Term, terms};
use engine::board::{ActionKind, Board, Cell, IllegalMove, Move, ParseMoveError, Player, Square};
use engine::console::quoted;
use engine::movegen;
use record::checked_game::{CheckedGame, Outcome, board_after, player_at};
use record::judge::{Coordinates, Verdict};
use record::log::Answer;

/// Maximum number of likely programming mistakes in the explanation of a rejected answer.
pub const MAX_MISTAKES: usize = 2;

/// Example of a well-formed answer in Botzone's JSON protocol, shown in error messages.
const JSON_ANSWER: &str = "{\"response\": {\"x0\": 2, …}}";

terms! {
    PERHAPS: "perhaps: {0}", "可能：{0}";
    PLACE: "ply {0}, {1}'s turn {2}", "第 {0} 步，{1}第 {2} 回合";
    USED: "{0} {1} used", "用了 {0} {1}";
    USED_OF: "{0} {1} used, {2} allowed", "用了 {0} {1}，限 {2}";
    LATE: "late: {0}{1}", "超时：{0}{1}";
    TOO_MUCH_MEMORY: "too much memory: {0}{1}", "内存超限：{0}{1}";
    CRASHED: "runtime error{0}{1}", "运行错误{0}{1}";
    CAUSE: ", {0}", "，{0}";
    TOO_MUCH_OUTPUT: "too much output", "输出超限";
    NOT_STARTED: "it could not be started", "无法启动";
    GAVE_UP: "{0} is no move, legal ones: {1}, for example {2}", "{0} 不是着法，合法着法有 {1} 个，例如 {2}";
    ILLEGAL: "{0} is illegal: {1}", "{0}违规：{1}";
    RESPONSE: "the response is {0}", "response 是 {0}";
    UNKNOWN: "the answer can't be read, and the log does not hold it", "回答无法读取，日志中没有原文";
    SILENT: "it printed nothing", "没有输出";
    PRINTED: "it printed \"{0}\"", "输出是“{0}”";
    WAS_SILENT: "; it had printed nothing", "；没有输出";
    HAD_PRINTED: "; it had printed \"{0}\"", "；已输出“{0}”";
    EXPECTED:
        "{0}, expected one line: x0 y0 x1 y1 x2 y2 with single blanks between, or {1} in JSON interaction",
        "{0}，应是一行：x0 y0 x1 y1 x2 y2，以单个空格分隔；JSON 交互为 {1}";
}

/// An answer of a bot that the judge rejected, with what is known about the turn in which the bot gave it: the moves
/// before it, the bot's output, its failure and its limits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RejectedAnswer {
    /// Moves that were accepted before the turn, in the order of the game (black's first).
    pub moves: Vec<Coordinates>,
    /// The rejected answer, with Botzone's verdict and the time and memory used.
    pub answer: Answer,
    /// Text that the bot printed in this turn. `None` if the game was read from a log, because logs do not hold the
    /// text that bots print.
    pub output: Option<String>,
    /// How the bot's process failed in this turn, such as its exit code. `None` if the process did not fail, or if the
    /// game was read from a log.
    pub failure: Option<String>,
    /// Time and memory that the bot was allowed in this turn. `None` if the game was read from a log, because logs do
    /// not hold limits.
    pub limits: Option<TurnLimits>,
}

/// Limits on a bot's time and memory in one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnLimits {
    /// Time limit of the turn, in milliseconds.
    pub time_ms: u64,
    /// Memory limit of the bot, in MB (1,000,000 bytes).
    pub memory_mb: u64,
}

impl RejectedAnswer {
    /// Returns the rejected answer by which a game ended; `None` if the game is running, or if it ended because a
    /// player had no legal move.
    #[must_use]
    pub fn of_game(game: &CheckedGame) -> Option<RejectedAnswer> {
        let is_fault = matches!(game.outcome(), Outcome::Fault { .. });
        let answer = game.answers.last().filter(|_| is_fault)?;
        Some(RejectedAnswer {
            moves: game.moves.clone(),
            answer: answer.clone(),
            ..RejectedAnswer::default()
        })
    }

    /// Returns the position in which the bot gave the answer.
    ///
    /// # Panics
    /// If the judge would reject one of the earlier moves.
    #[must_use]
    pub fn board(&self) -> Board {
        board_after(&Board::start(), &self.moves)
    }

    /// Returns the six coordinates of the answer. They are those of an illegal move, because the judge would have
    /// accepted a legal one. Returns `None` if the answer held no coordinates.
    #[must_use]
    pub fn illegal_move(&self) -> Option<Coordinates> {
        self.answer.response.as_ref().and_then(Coordinates::read)
    }

    /// Returns programming mistakes that may explain the illegal move, the likeliest first: see
    /// [`diagnosis::mistakes`]. Empty if the answer held no coordinates, or if no mistake explains it.
    ///
    /// `others`: positions in which the bot had to move in its other games. If the answer is legal in one of them, the
    /// bot may have kept its board from that game ([`Mistake::OtherGame`]).
    #[must_use]
    pub fn likely_mistakes(&self, others: &[Board]) -> Vec<Mistake> {
        self.illegal_move().map_or(Vec::new(), |turn| {
            diagnosis::mistakes(&self.moves, turn, others)
        })
    }

    /// Explains the rejection in lines of text: the turn with the reason of the rejection, the position with the
    /// answer's squares marked, and at most [`MAX_MISTAKES`] likely programming mistakes.
    #[must_use]
    pub fn explanation(&self, language: Language) -> String {
        self.headline(language) + &self.diagram(language) + &self.format_mistakes(language)
    }

    /// Returns the three squares of an illegal move: from, to, arrow. Returns `None` in three cases:
    /// - The answer held no coordinates.
    /// - A square is off the board.
    /// - The answer means “no move found” (see [`is_giving_up`]).
    #[must_use]
    pub fn squares(&self) -> Option<[Square; 3]> {
        let turn = self.illegal_move().filter(|&turn| !is_giving_up(turn))?;
        let turn = Move::from_coordinates(turn.numbers()).ok()?;
        Some([turn.from, turn.to, turn.arrow])
    }

    /// Returns the square on which an illegal move breaks a rule. It is the start square if no amazon of the side to
    /// move stands there, otherwise the first occupied square in the way of the amazon or of the arrow.
    ///
    /// Returns `None` if the move breaks another rule, or if [`RejectedAnswer::squares`] is `None`.
    #[must_use]
    pub fn faulty_square(&self) -> Option<Square> {
        self.squares()?;
        faulty_square(&self.board(), self.illegal_move()?)
    }

    /// Returns one line of text that says in which turn the answer was rejected, and why.
    #[must_use]
    pub fn headline(&self, language: Language) -> String {
        let plies = self.moves.len();
        let player = Term::from(player_at(plies)).text(language);
        let place = PLACE.fill(language, &[&(plies + 1), &player, &(plies / 2 + 1)]);
        COLON.fill(language, &[&place, &self.reason(language)]) + "\n"
    }

    /// Draws the position as text and marks the squares of the answer. If the answer means “no move found”, marks the
    /// squares of a legal move instead, as an example.
    #[must_use]
    pub fn diagram(&self, language: Language) -> String {
        let board = self.board();
        let is_no_move = |&answer: &Coordinates| is_giving_up(answer);
        let answer = self.illegal_move();
        let legal = answer.filter(is_no_move).map(|_| movegen::moves(&board));
        let example = legal.and_then(|legal| Some(Coordinates::from(*legal.first()?)));
        draw(&board, example.or(answer), language)
    }

    /// Returns at most [`MAX_MISTAKES`] likely programming mistakes of the bot as text, one per line.
    #[must_use]
    pub fn format_mistakes(&self, language: Language) -> String {
        let mistakes = self.likely_mistakes(&[]).into_iter().take(MAX_MISTAKES);
        let line =
            |mistake: Mistake| PERHAPS.fill(language, &[&mistake.advice().text(language)]) + "\n";
        mistakes.map(line).collect()
    }

    /// Returns a phrase that says why the answer was rejected, such as “late: 1200 ms used, 1000 allowed”.
    #[must_use]
    pub fn reason(&self, language: Language) -> String {
        if let Some(turn) = self.illegal_move() {
            return match is_giving_up(turn) {
                true => self.gave_up_phrase(turn, language),
                false => self.rule_phrase(turn, language),
            };
        }
        let used = |used: u64, limit: Option<u64>, unit: &str| match limit {
            Some(limit) => USED_OF.fill(language, &[&used, &unit, &limit]),
            None => USED.fill(language, &[&used, &unit]),
        };
        let (answer, limits, printed) = (&self.answer, self.limits, self.output_clause(language));
        match answer.verdict.unwrap_or_default() {
            Verdict::Ok | Verdict::NotJson => self.no_move_phrase(language),
            Verdict::TimeLimitExceeded => {
                let used = used(answer.time, limits.map(|limits| limits.time_ms), "ms");
                LATE.fill(language, &[&used, &printed])
            }
            Verdict::MemoryLimitExceeded => {
                let used = used(answer.memory, limits.map(|limits| limits.memory_mb), "MB");
                TOO_MUCH_MEMORY.fill(language, &[&used, &printed])
            }
            Verdict::RuntimeError => {
                let cause = self.failure.as_ref();
                let cause = cause.map(|failure| CAUSE.fill(language, &[failure]));
                CRASHED.fill(language, &[&cause.unwrap_or_default(), &printed])
            }
            Verdict::OutputLimitExceeded => TOO_MUCH_OUTPUT.fill(language, &[]),
            Verdict::CompileError => NOT_STARTED.fill(language, &[]),
        }
    }

    /// Returns a phrase about an answer by which the bot says that it found no move: six equal numbers, such as -1. The
    /// phrase gives the number of legal moves in the position, and one of them as an example.
    fn gave_up_phrase(&self, answer: Coordinates, language: Language) -> String {
        let legal = movegen::moves(&self.board());
        let example = legal.first().map_or(String::new(), |&turn| {
            format!("{turn} ({})", Coordinates::from(turn))
        });
        GAVE_UP.fill(language, &[&answer, &legal.len(), &example])
    }

    /// Returns a phrase that says which rule the illegal move `turn` breaks.
    fn rule_phrase(&self, turn: Coordinates, language: Language) -> String {
        let (turn, rule) = match Move::from_coordinates(turn.numbers()) {
            Ok(squares) => {
                let rule = self.board().check(squares).err();
                let rule = rule.map(|rule| describe_rule(rule, language));
                let turn = BRACKETS.fill(language, &[&turn, &squares]);
                (turn, rule.unwrap_or_default())
            }
            Err(error) => (turn.to_string(), describe_square_error(&error, language)),
        };
        ILLEGAL.fill(language, &[&turn, &rule])
    }

    /// Returns a phrase about an answer without coordinates, such as “it printed nothing, expected one line: x0 y0 …”.
    fn no_move_phrase(&self, language: Language) -> String {
        let output = self.output.as_deref().map(str::trim_end);
        let found = match (&self.answer.response, output) {
            (Some(response), _) => RESPONSE.fill(language, &[&quoted(&response.to_string())]),
            (None, None) => UNKNOWN.fill(language, &[]),
            (None, Some("")) => SILENT.fill(language, &[]),
            (None, Some(output)) => PRINTED.fill(language, &[&quoted(output)]),
        };
        EXPECTED.fill(language, &[&found, &JSON_ANSWER])
    }

    /// Returns a clause that says what the bot printed in this turn, such as `; it had printed "3 1"`. Returns an empty
    /// text if the output is unknown.
    fn output_clause(&self, language: Language) -> String {
        match self.output.as_deref().map(str::trim_end) {
            None => String::new(),
            Some("") => WAS_SILENT.fill(language, &[]),
            Some(output) => HAD_PRINTED.fill(language, &[&quoted(output)]),
        }
    }
}

/// Tests if an answer means “no move found”: all six coordinates are the same number. Bots then print -1 or 0, for
/// example.
#[must_use]
pub fn is_giving_up(answer: Coordinates) -> bool {
    let [first, others @ ..] = answer.numbers();
    others.iter().all(|&number| number == first)
}

/// Says in a phrase which rule an illegal move breaks. In English, this is the text of [`IllegalMove`] (`Display`).
#[must_use]
pub fn describe_rule(rule: IllegalMove, language: Language) -> String {
    match language {
        Language::En => rule.to_string(),
        Language::Zh => rule_in_chinese(rule),
    }
}

/// Says in a phrase why an input is not a move: a square is off the board, a word names no square, or the number of
/// squares is wrong. In English, this is the text of [`ParseMoveError`] (`Display`).
#[must_use]
pub fn describe_square_error(error: &ParseMoveError, language: Language) -> String {
    match language {
        Language::En => quoted(&error.to_string()).to_string(),
        Language::Zh => square_in_chinese(error),
    }
}

fn rule_in_chinese(rule: IllegalMove) -> String {
    let cell = |cell| match cell {
        Cell::Empty => "空格",
        Cell::Amazon(Player::Black) => "黑棋",
        Cell::Amazon(Player::White) => "白棋",
        Cell::Arrow => "箭",
        Cell::Border => "棋盘边缘",
    };
    let part = |action| match action {
        ActionKind::Move => "棋子",
        ActionKind::Shot => "箭",
    };
    match rule {
        IllegalMove::NotYourAmazon {
            square,
            player,
            found,
        } => {
            let player = Term::from(player).text(Language::Zh);
            format!("{square} 上是{}，应选{player}的棋子", cell(found))
        }
        IllegalMove::StandsStill { action, square } => {
            format!("{}停在 {square}，应到别的格子", part(action))
        }
        IllegalMove::NotAQueenLine { action, from, to } => {
            format!("{}从 {from} 到 {to}，应走横线、竖线或斜线", part(action))
        }
        IllegalMove::Blocked {
            action,
            square,
            found,
        } => {
            format!("{}在 {square} 被{}挡住", part(action), cell(found))
        }
    }
}

fn square_in_chinese(error: &ParseMoveError) -> String {
    match error {
        ParseMoveError::OffBoard { x, y } => format!("({x}, {y}) 不在棋盘上：坐标是 0 到 7"),
        ParseMoveError::NotASquare(word) => format!("“{}”不是格子：应是 a1 到 h8", quoted(word)),
        ParseMoveError::WrongCount(count) => {
            format!("应是六个坐标或三个格子，而不是 {count} 个格子")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Returns an answer with the content `response`, given in the first turn of a game and rejected by the judge.
    fn rejected(response: serde_json::Value) -> RejectedAnswer {
        RejectedAnswer {
            answer: Answer::good(response),
            ..RejectedAnswer::default()
        }
    }

    #[test]
    fn explanation_has_turn_then_drawing_then_mistakes() {
        let from_one = rejected(Coordinates::new([3, 1, 3, 6, 6, 6]).to_value());
        for language in Language::ALL {
            let text = from_one.explanation(language);
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines[0].contains("3 1 3 6 6 6") && lines[0].contains("d2 d7 g7"));
            assert_eq!(lines[3], "2 . . .!. . . . .");
            assert!(lines[11].ends_with(Mistake::CountedFromOne.advice().text(language)));
            assert_eq!(lines.len(), 12);
        }
        let off_board = rejected(Coordinates::new([2, 0, 2, 5, 8, 5]).to_value());
        for (answer, fact) in [(off_board, "(8, 5)"), (rejected(json!([2, 0])), "is [2,0]")] {
            assert!(answer.reason(Language::En).contains(fact));
        }
    }
}
