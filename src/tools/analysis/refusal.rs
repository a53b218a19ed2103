//! Why an answer was refused, in words.

use super::diagnosis::{self, Mistake};
use super::diagram::drawn;
use super::glossary::{COLON, Language, Term, say};
use crate::board::{Board, Cell, IllegalMove, Leg, Move, ParseMoveError, Player};
use crate::console::quoted;
use crate::movegen;
use crate::tools::record::judge::{Coordinates, Verdict};
use crate::tools::record::log::Answer;
use crate::tools::record::replayed::{Outcome, Replayed, board_after, player_at};

/// Number of mistakes that are named.
pub const MOST_SUSPECTS: usize = 2;

/// A mistake that may have been made.
pub const PERHAPS: Term = Term::new("perhaps: {0}", "可能：{0}");

/// A turn whose answer the judge refused, and what is known of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refused {
    /// The accepted moves before it, black's first.
    pub moves: Vec<Coordinates>,
    /// The answer as a log has it.
    pub answer: Answer,
    /// What the bot printed; a log does not tell.
    pub said: Option<String>,
    /// How the bot's process ended, if it ended badly; a log does not tell.
    pub why: Option<String>,
    /// What the bot was allowed; a log does not tell.
    pub limits: Option<TurnLimits>,
}

/// What a bot is allowed in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnLimits {
    /// Time in milliseconds.
    pub ms: u64,
    /// Memory in MB.
    pub mb: u64,
}

impl Refused {
    /// The answer by which a logged game was lost; nothing if it was lost otherwise.
    #[must_use]
    pub fn of_game(game: &Replayed) -> Option<Refused> {
        let is_fault = matches!(game.outcome(), Outcome::Fault { .. });
        let answer = game.answers.last().filter(|_| is_fault)?;
        Some(Refused {
            moves: game.moves.clone(),
            answer: answer.clone(),
            ..Refused::default()
        })
    }

    /// The position in which the answer was given.
    ///
    /// # Panics
    /// If the judge would not have accepted the moves before.
    #[must_use]
    pub fn board(&self) -> Board {
        board_after(&Board::start(), &self.moves)
    }

    /// The illegal move; nothing if the answer held none.
    #[must_use]
    pub fn illegal_move(&self) -> Option<Coordinates> {
        self.answer.response.as_ref().and_then(Coordinates::read)
    }

    /// The move to draw: the illegal one, or one that the bot could have made, if it found none.
    fn drawn_move(&self) -> Option<Coordinates> {
        let answer = self.illegal_move()?;
        let legal = is_giving_up(answer).then(|| movegen::moves(&self.board()));
        let legal = legal.and_then(|legal| legal.first().copied());
        Some(legal.map_or(answer, Coordinates::from))
    }

    /// Mistakes that would make the answer legal: see [`diagnosis::suspects`].
    #[must_use]
    pub fn suspects(&self, others: &[Board]) -> Vec<Mistake> {
        self.illegal_move().map_or(Vec::new(), |turn| {
            diagnosis::suspects(&self.moves, turn, others)
        })
    }

    /// What [`Refused::seen`] says, and the likeliest mistakes.
    #[must_use]
    pub fn told(&self, others: &[Board], language: Language) -> String {
        self.seen(language) + &self.perhaps(others, language)
    }

    /// The turn, the reason, and the position with the answer on it, in lines.
    #[must_use]
    pub fn seen(&self, language: Language) -> String {
        let (ply, player) = (self.moves.len() + 1, player_at(self.moves.len()));
        let (player, turn) = (Term::from(player).text(language), ply.div_ceil(2));
        let place = say!(
            language,
            "ply {}, {}'s turn {}",
            "第 {} 步，{}第 {} 回合",
            ply,
            player,
            turn
        );
        let reason = self.reason(language);
        COLON.of(language, &[&place, &reason])
            + "\n"
            + &drawn(&self.board(), self.drawn_move(), language)
    }

    /// The position with the answer on it, and the likeliest mistakes, in lines.
    #[must_use]
    pub fn shown(&self, others: &[Board], language: Language) -> String {
        drawn(&self.board(), self.drawn_move(), language) + &self.perhaps(others, language)
    }

    /// The likeliest mistakes, a line each.
    fn perhaps(&self, others: &[Board], language: Language) -> String {
        let suspects = self.suspects(others).into_iter().take(MOST_SUSPECTS);
        let line =
            |mistake: Mistake| PERHAPS.of(language, &[&mistake.term().text(language)]) + "\n";
        suspects.map(line).collect()
    }

    /// The reason, in a sentence.
    #[must_use]
    pub fn reason(&self, language: Language) -> String {
        let Answer {
            verdict,
            time,
            memory,
            ..
        } = self.answer;
        let used = |used: u64, limit: Option<u64>, unit: &str| match limit {
            Some(limit) => say!(
                language,
                "{} {} used, {} allowed",
                "用了 {} {}，限 {}",
                used,
                unit,
                limit
            ),
            None => say!(language, "{} {} used", "用了 {} {}", used, unit),
        };
        if let Some(turn) = self.illegal_move() {
            return match is_giving_up(turn) {
                true => self.gave_up(turn, language),
                false => self.rule(turn, language),
            };
        }
        let limits = self.limits;
        match verdict.unwrap_or_default() {
            Verdict::Ok | Verdict::NotJson => self.no_move(language),
            Verdict::TimeLimitExceeded => {
                let used = used(time, limits.map(|limits| limits.ms), "ms");
                say!(
                    language,
                    "late: {}{}",
                    "超时：{}{}",
                    used,
                    self.printed(language)
                )
            }
            Verdict::MemoryLimitExceeded => {
                let used = used(memory, limits.map(|limits| limits.mb), "MB");
                say!(
                    language,
                    "too much memory: {}{}",
                    "内存超限：{}{}",
                    used,
                    self.printed(language)
                )
            }
            Verdict::RuntimeError => {
                let why = self
                    .why
                    .as_ref()
                    .map(|why| say!(language, ", {}", "，{}", why));
                let why = why.unwrap_or_default();
                say!(
                    language,
                    "runtime error{}{}",
                    "运行错误{}{}",
                    why,
                    self.printed(language)
                )
            }
            Verdict::OutputLimitExceeded => say!(language, "too much output", "输出超限"),
            Verdict::CompileError => say!(language, "it could not be started", "无法启动"),
        }
    }

    /// The number of moves that a bot which gave up could have made, and one of them.
    fn gave_up(&self, answer: Coordinates, language: Language) -> String {
        let legal = movegen::moves(&self.board());
        let example = legal.first().map_or(String::new(), |&turn| {
            format!("{turn} ({})", Coordinates::from(turn))
        });
        say!(
            language,
            "{} is no move, legal ones: {}, for example {}",
            "{} 不是着法，合法着法有 {} 个，例如 {}",
            answer,
            legal.len(),
            example
        )
    }

    /// Which rule a move breaks.
    fn rule(&self, turn: Coordinates, language: Language) -> String {
        let (squares, rule) = match Move::from_coordinates(turn.numbers()) {
            Ok(squares) => {
                let rule = self.board().check(squares).err();
                let rule = rule
                    .map(|rule| broken_rule(rule, language))
                    .unwrap_or_default();
                (say!(language, " ({})", "（{}）", squares), rule)
            }
            Err(error) => (String::new(), no_square(&error, language)),
        };
        say!(
            language,
            "{}{} is illegal: {}",
            "{}{}违规：{}",
            turn,
            squares,
            rule
        )
    }

    /// What was there instead of a move, and what was expected.
    fn no_move(&self, language: Language) -> String {
        let said = self.said.as_deref().map(str::trim_end);
        let found = match (&self.answer.response, said) {
            (Some(response), _) => say!(
                language,
                "the response is {}",
                "response 是 {}",
                quoted(&response.to_string())
            ),
            (None, None) => say!(
                language,
                "the answer can't be read, and the log does not hold it",
                "回答无法读取，日志中没有原文"
            ),
            (None, Some("")) => say!(language, "it printed nothing", "没有输出"),
            (None, Some(said)) => say!(language, "it printed \"{}\"", "输出是“{}”", quoted(said)),
        };
        say!(
            language,
            "{}, expected one line: x0 y0 x1 y1 x2 y2 with single blanks between, or {{\"response\": {{\"x0\": 2, …}}}} in JSON interaction",
            "{}，应是一行：x0 y0 x1 y1 x2 y2，以单个空格分隔；JSON 交互为 {{\"response\": {{\"x0\": 2, …}}}}",
            found
        )
    }

    /// What had been printed when the turn was ended, where that is known.
    fn printed(&self, language: Language) -> String {
        match self.said.as_deref().map(str::trim_end) {
            None => String::new(),
            Some("") => say!(language, "; it had printed nothing", "；没有输出"),
            Some(said) => say!(
                language,
                "; it had printed \"{}\"",
                "；已输出“{}”",
                quoted(said)
            ),
        }
    }
}

/// Tests if an answer stands for "no move found": six times the same number, mostly -1 or 0.
#[must_use]
pub fn is_giving_up(answer: Coordinates) -> bool {
    let [first, others @ ..] = answer.numbers();
    others.iter().all(|&number| number == first)
}

/// A rule that is broken. In English the board itself says it.
#[must_use]
pub fn broken_rule(rule: IllegalMove, language: Language) -> String {
    match language {
        Language::En => rule.to_string(),
        Language::Zh => rule_in_chinese(rule),
    }
}

/// Why some words are no squares, or numbers none of the board. In English the error itself says it.
#[must_use]
pub fn no_square(error: &ParseMoveError, language: Language) -> String {
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
            format!("{square} 上是{}，应选{player}的棋子", cell(found))
        }
        IllegalMove::StandsStill { leg, square } => {
            format!("{}停在 {square}，应到别的格子", part(leg))
        }
        IllegalMove::NotAQueenLine { leg, from, to } => {
            format!("{}从 {from} 到 {to}，应走横线、竖线或斜线", part(leg))
        }
        IllegalMove::Blocked { leg, square, found } => {
            format!("{}在 {square} 被{}挡住", part(leg), cell(found))
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

    /// A refused answer at the start of a game.
    fn refused(
        verdict: Verdict,
        response: Option<serde_json::Value>,
        said: Option<&str>,
    ) -> Refused {
        Refused {
            answer: Answer {
                verdict: Some(verdict),
                response,
                time: 1051,
                memory: 300,
                ..Answer::default()
            },
            said: said.map(str::to_owned),
            limits: said.map(|_| TurnLimits { ms: 1000, mb: 256 }),
            ..Refused::default()
        }
    }

    fn illegal(numbers: [i64; 6]) -> Refused {
        let turn = Coordinates::new(numbers).to_value();
        refused(Verdict::Ok, Some(turn), Some(""))
    }

    #[test]
    fn every_reason_names_the_facts_in_every_language() {
        let (late, memory) = (Verdict::TimeLimitExceeded, Verdict::MemoryLimitExceeded);
        let crashed = Refused {
            why: Some("exit code 3".to_owned()),
            ..refused(Verdict::RuntimeError, None, Some("2 0\n"))
        };
        let printed = |said| refused(Verdict::NotJson, None, Some(said));
        let array = refused(Verdict::Ok, Some(json!([2, 0])), Some(""));
        for (refused, facts) in [
            (illegal([2, 0, 2, 7, 0, 0]), "2 0 2 7 0 0|c1 c8 a1| c8 "),
            (illegal([2, 0, 2, 5, 8, 5]), "2 0 2 5 8 5|(8, 5)|0|7"),
            (illegal([-1; 6]), "-1 -1|1232|c1 b1 a1 (2 0 1 0 0 0)"),
            (refused(late, None, None), "1051 ms"),
            (refused(late, None, Some("\n")), "1051 ms|1000"),
            (refused(memory, None, Some("\u{1b}")), "300|256|\\u{1b}"),
            (crashed, "exit code 3|2 0"),
            (printed("2 0\n2 5\n"), "2 0\\n2 5"),
            (array, "response|[2,0]"),
        ] {
            for reason in Language::ALL.map(|language| refused.reason(language)) {
                let is_told = |fact| reason.contains(fact);
                assert!(facts.split('|').all(is_told), "{reason}: {facts:?}");
            }
        }
        for (said, en, zh) in [(Some(" \n"), "nothing", "没有输出"), (None, "log", "日志")] {
            let refused = refused(Verdict::Ok, None, said);
            assert!(refused.reason(Language::En).contains(en));
            assert!(refused.reason(Language::Zh).contains(zh));
        }
    }

    /// The turn first, then the drawing, then two mistakes at most.
    #[test]
    fn the_whole_is_told_in_lines() {
        let from_one = illegal([3, 1, 3, 6, 6, 6]);
        for language in Language::ALL {
            let told = from_one.told(&[], language);
            let lines: Vec<&str> = told.lines().collect();
            assert!(lines[0].contains("3 1 3 6 6 6") && lines[0].contains("d2 d7 g7"));
            assert_eq!(lines[3], "2 . . .!. . . . .");
            assert!(lines[11].ends_with(Mistake::CountedFromOne.term().text(language)));
            assert_eq!(lines.len(), 12);
        }
        let late = refused(Verdict::TimeLimitExceeded, None, None);
        assert_eq!(late.told(&[], Language::En).lines().count(), 10);
    }
}
