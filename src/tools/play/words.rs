//! Everything that play says: each phrase stands once, in all languages side by side.

pub mod labels;
mod notes;
mod objections;

use super::player_kind::PlayerKind;
use super::reviewer;
use crate::board::{Board, Move, Player, Square, squares};
use crate::budget::Budget;
use crate::console::{counted, visible};
use crate::tools::analysis::analysed::Analysis;
use crate::tools::analysis::glossary::{self, Language, Term, say};
use crate::tools::thinking::level::Strength;
use std::path::Path;

/// What play says in a language.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub Language);

impl Words {
    /// A text that is always the same.
    #[must_use]
    pub const fn label(self, term: Term) -> &'static str {
        term.text(self.0)
    }

    /// One of two texts.
    const fn text(self, en: &'static str, zh: &'static str) -> &'static str {
        self.label(Term::new(en, zh))
    }

    /// A colour.
    #[must_use]
    pub const fn player(self, player: Player) -> &'static str {
        self.label(player.term())
    }

    /// A bot's strength.
    fn strength(self, strength: Strength) -> String {
        match (self.0, strength) {
            (Language::En, _) => strength.to_string(),
            (_, Strength::Level(level)) => glossary::LEVEL.of(self.0, &[&level]),
            (_, Strength::Budget(Budget::Time(time))) => format!("{} 毫秒", time.as_millis()),
            (_, Strength::Budget(Budget::Iterations(most))) => format!("{most} 次迭代"),
        }
    }

    /// Who plays a colour.
    fn seat(self, seat: PlayerKind) -> String {
        let bot = self.label(glossary::BOT);
        match seat {
            PlayerKind::Human => self.text("human", "人").to_owned(),
            PlayerKind::Bot(strength) => {
                say!(self.0, "{bot}, {}", "{bot},{}", self.strength(strength))
            }
        }
    }

    /// Who plays a colour, by name if there is one.
    #[must_use]
    pub fn sitter(self, name: Option<&str>, seat: PlayerKind) -> String {
        match name {
            Some(name) => format!("{} ({})", visible(name), self.seat(seat)),
            None => self.seat(seat),
        }
    }

    /// Who plays black and white.
    fn seats(self, [black, white]: &[String; 2]) -> String {
        say!(
            self.0,
            "black: {black}; white: {white}",
            "黑方:{black};白方:{white}"
        )
    }

    /// Who plays black and white, in the plain game's first line.
    #[must_use]
    pub fn greeting(self, players: &[String; 2]) -> String {
        let help = self.text("; help lists the commands", ";输入 help 查看命令");
        self.seats(players) + help
    }

    /// A number of turns.
    #[must_use]
    pub fn turns(self, turns: usize) -> String {
        match self.0 {
            Language::En => counted(turns as u64, "turn", "turns"),
            Language::Zh => format!("{turns} 步"),
        }
    }

    /// In front of what was not done.
    #[must_use]
    pub fn not_done(self, why: &str) -> String {
        say!(self.0, "not done: {why}", "未执行:{why}")
    }

    /// Both players' win probabilities.
    #[must_use]
    pub fn chances(self, black_wins: f32) -> String {
        let (black, white) = (100.0 * black_wins, 100.0 - 100.0 * black_wins);
        say!(
            self.0,
            "black {black:.1} %, white {white:.1} %",
            "黑方 {black:.1} %,白方 {white:.1} %"
        )
    }

    /// The win probability.
    #[must_use]
    pub fn win_probability(self, black_wins: f32) -> String {
        self.named(
            self.label(glossary::WIN_PROBABILITY),
            &self.chances(black_wins),
        )
    }

    /// A move that is advised.
    #[must_use]
    pub fn hint(self, turn: Move) -> String {
        self.named(self.label(glossary::HINT), &turn.to_string())
    }

    /// Something behind what it belongs to.
    fn named(self, name: &str, what: &str) -> String {
        say!(self.0, "{name}: {what}", "{name}:{what}")
    }

    /// What a review has found: a heading and what is said, line by line.
    #[must_use]
    pub fn review(self, review: &Analysis) -> Vec<(String, String)> {
        let found = &review.summary.review;
        let sides = [(Player::Black, &found.black), (Player::White, &found.white)];
        let sides = sides.into_iter().map(|(player, side)| {
            let text = side.accuracy.map(|accuracy| {
                let name = self.label(glossary::ACCURACY);
                let counts = side.counts(self.0).join(self.text(", ", ","));
                say!(
                    self.0,
                    "{name} {accuracy:.1} %; {counts}",
                    "{name} {accuracy:.1} %;{counts}"
                )
            });
            let none = || self.label(glossary::NONE_COUNTS).to_owned();
            (self.player(player).to_owned(), text.unwrap_or_else(none))
        });
        let mistakes = reviewer::mistakes(review).filter_map(|found| {
            let mover = self.player(found.player);
            let played = glossary::PLAYED.of(self.0, &[&mover, &found.turn?]);
            let points = format!("{:.0}", 100.0 * found.loss?);
            let lost = glossary::LOST.of(self.0, &[&points]);
            let better = found.principal_variation.first()?;
            let better = glossary::BETTER.of(self.0, &[better]);
            Some((
                say!(self.0, "turn {}", "第 {} 步", found.ply),
                say!(
                    self.0,
                    "{played}: {lost}; {better}",
                    "{played}:{lost};{better}"
                ),
            ))
        });
        sides.chain(mistakes).collect()
    }

    /// What stands where, in a sentence.
    #[must_use]
    pub fn board(self, board: &Board) -> String {
        let arrows = match board.arrows() {
            0 => self.text("none", "无").to_owned(),
            arrows => list(squares(arrows)),
        };
        let [black, white] =
            [Player::Black, Player::White].map(|player| list(squares(board.amazons(player))));
        say!(
            self.0,
            "black amazons: {black}; white amazons: {white}; arrows: {arrows}",
            "黑棋:{black};白棋:{white};箭:{arrows}"
        )
    }

    /// The terminal has too few columns and rows, and how many are needed.
    #[must_use]
    pub fn too_small(self, [columns, rows]: [u16; 2], [wide, high]: [u16; 2]) -> String {
        say!(
            self.0,
            "This terminal has {columns} columns and {rows} rows, the game needs {wide} and {high}. Make it larger, or press q.",
            "终端有 {columns} 列 {rows} 行,至少需要 {wide} 列 {high} 行。请放大窗口,或按 q 退出。"
        )
    }

    /// The moves of a game, a line for both players' turns.
    #[must_use]
    pub fn record(self, moves: &[Move]) -> String {
        let rounds = moves.chunks(2).enumerate().map(|(number, turns)| {
            let turns: Vec<String> = turns.iter().map(Move::to_string).collect();
            format!("{:2}. {}", number + 1, turns.join("  "))
        });
        match moves {
            [] => self.label(labels::NO_MOVES).to_owned(),
            _ => rounds.collect::<Vec<_>>().join("\n"),
        }
    }
}

/// Squares in one line of text.
fn list(squares: impl IntoIterator<Item = Square>) -> String {
    let names = squares.into_iter().map(|square| square.to_string());
    names.collect::<Vec<_>>().join(" ")
}

/// A file's name, safe to show.
fn file(path: &Path) -> String {
    visible(&path.to_string_lossy()).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::message::Note;
    use super::super::refusal::Refusal;
    use super::*;

    #[test]
    fn what_others_have_written_steers_no_terminal() {
        for words in Language::ALL.map(Words) {
            let note = words.note(&Note::Saved("\x1b[2J.json".into()));
            let name = words.sitter(Some("\x1b]0;x\x07"), PlayerKind::Human);
            let unknown = words.refusal(&Refusal::Unknown("\u{9b}31m".to_owned()));
            let shown = note + &name + &unknown;
            assert!(!shown.chars().any(char::is_control), "{shown:?}");
        }
    }
}
