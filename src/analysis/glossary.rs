//! The glossary: user-interface texts in English and Chinese about players, moves, judgements, endings and results, as
//! constants of type [`Term`].
//!
//! The terminal game, the reports and the web page show these texts.

use super::judgement::Judgement;
use engine::board::Player;
use record::checked_game::{Fault, Outcome};
use serde_json::{Map, Value};
use std::fmt::Display;

/// Language of the user interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "native", derive(clap::ValueEnum))]
pub enum Language {
    /// English
    En,
    /// 中文
    Zh,
}

impl Language {
    /// All supported languages, the default first.
    pub const ALL: [Language; 2] = [Language::En, Language::Zh];

    /// Returns the language of the system's locale: Chinese if the locale begins with `zh`, otherwise English.
    #[cfg(feature = "native")]
    #[must_use]
    pub fn of_system() -> Language {
        match sys_locale::get_locale() {
            Some(locale) if locale.to_lowercase().starts_with("zh") => Language::Zh,
            _ => Language::En,
        }
    }

    /// Returns the BCP 47 language tag, for the `lang` attribute of web pages.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Zh => "zh",
        }
    }
}

/// A user-interface text in English and in Chinese. Placeholders `{0}` to `{7}` stand for values that [`Term::fill`]
/// inserts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    en: &'static str,
    zh: &'static str,
}

impl Term {
    /// Creates a text from its English and its Chinese version.
    ///
    /// # Panics
    /// If the versions don't have the same placeholders. In a constant, this is a compile-time error.
    #[must_use]
    pub const fn new(en: &'static str, zh: &'static str) -> Term {
        assert!(placeholders(en) == placeholders(zh), "they differ");
        Term { en, zh }
    }

    /// Returns the text in `language`, without filling its placeholders, such as `{0}`.
    #[must_use]
    pub const fn text(self, language: Language) -> &'static str {
        match language {
            Language::En => self.en,
            Language::Zh => self.zh,
        }
    }

    /// Returns the text in `language`, with each placeholder `{n}` replaced by `parts[n]`.
    ///
    /// # Panics
    /// If the text has a placeholder beyond the end of `parts`.
    #[must_use]
    pub fn fill(self, language: Language, parts: &[&dyn Display]) -> String {
        let mut pieces = self.text(language).split('{');
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let split = piece.split_once('}');
            match split.and_then(|(number, rest)| Some((number.parse::<usize>().ok()?, rest))) {
                Some((index, rest)) => text += &format!("{}{rest}", parts[index]),
                None => text += &format!("{{{piece}"),
            }
        }
        text
    }
}

/// Returns a bit set of the placeholders `{0}` to `{7}` in a text: bit n is set if the text contains `{n}`. Other
/// braces are ignored.
const fn placeholders(text: &str) -> u8 {
    let (mut rest, mut placeholders) = (text.as_bytes(), 0);
    while let [first, others @ ..] = rest {
        if *first == b'{'
            && let [digit @ b'0'..=b'7', b'}', ..] = others
        {
            placeholders |= 1 << (*digit - b'0');
        }
        rest = others;
    }
    placeholders
}

/// Declares user-interface texts as public constants of type [`Term`]. Syntax of each: `NAME: "English text", "Chinese
/// text";`.
#[macro_export]
macro_rules! terms {
    ($($name:ident: $en:literal, $zh:literal;)*) => {
        $(
            #[doc = concat!("“", $en, "”.")]
            pub const $name: $crate::glossary::Term =
                $crate::glossary::Term::new($en, $zh);
        )*
    };
}
pub use crate::terms;

/// Declares user-interface texts that the web page looks up by a key. Syntax: `TABLE;`, then for each text `NAME,
/// "key": "English text", "Chinese text";`.
///
/// Each `NAME` becomes a public constant of type [`Term`]. `TABLE` becomes a private list of pairs. First: the key;
/// second: its text.
macro_rules! table {
    ($(#[$about:meta])* $table:ident; $($name:ident, $key:literal: $en:literal, $zh:literal;)*) => {
        terms! { $($name: $en, $zh;)* }
        $(#[$about])*
        const $table: &[(&str, Term)] = &[$(($key, $name)),*];
    };
}

terms! {
    COMMA: ", ", "，";
    SEMICOLON: "; ", "；";
    COLON: "{0}: {1}", "{0}：{1}";
    BRACKETS: "{0} ({1})", "{0}（{1}）";
}

table! {
    /// User-interface texts about players, moves and whole games, in English and Chinese; the web page looks them up by
    /// key. First: the key; second: the text.
    GENERAL_TEXTS;
    BLACK, "black": "black", "黑方";
    WHITE, "white": "white", "白方";
    AMAZON, "amazon": "amazon", "棋子";
    BOT, "bot": "bot", "电脑";
    LEVEL, "level": "level {0}", "{0} 级";
    WIN_PROBABILITY, "winProbability": "win probability", "胜率";
    HINT, "hint": "hint", "提示";
    REVIEW, "review": "review", "复盘";
    ACCURACY, "accuracy": "accuracy", "准确率";
    OVER_MOVES, "overMoves": "over {0}", "{0} 步";
    NONE_COUNTS, "noneCounts": "no move that counts", "没有计入的着法";
    INACCURACY, "inaccuracy": "inaccuracy", "欠准";
    MISTAKE, "mistake": "mistake", "失误";
    BLUNDER, "blunder": "blunder", "大失误";
    INACCURACIES, "inaccuracies": "inaccuracies {0}", "欠准 {0}";
    MISTAKES, "mistakes": "mistakes {0}", "失误 {0}";
    BLUNDERS, "blunders": "blunders {0}", "大失误 {0}";
    PLAYED, "played": "{0} played {1}", "{0}走了 {1}";
    LOST, "lost": "{0} points lost", "损失 {0} 个百分点";
    BETTER, "better": "better {0}", "宜走 {0}";
    TURNING_POINTS, "turningPoints": "turning points", "转折点";
    LEADS, "leads": "{0} takes the lead", "{0}取得优势";
    DECIDED, "decided": "what decided it", "胜负关键";
    KEPT_LEAD, "keptLead": "after ply {1} {0} leads to the end", "{0}从第 {1} 步之后领先到底";
    LED, "led": "{0} leads from the beginning to the end", "{0}从开局领先到底";
    SEPARATED, "separated":
        "from ply {0} on the players are separated, {1} to move", "从第 {0} 步起双方已隔开，轮到{1}";
    MOVES_LEFT, "movesLeft":
        "moves of their own left: black {0}, white {1}", "黑方还能走 {0} 步，白方还能走 {1} 步";
    DECIDED_AFTER, "decidedAfter":
        "decided after ply {0}: {1} wins, whatever both play", "第 {0} 步之后胜负已定：无论双方怎么走，{1}必胜";
    LAST_CHANCE, "lastChance": "{0}'s last chance was after ply {1}", "{0}最后的机会在第 {1} 步之后";
    NO_CHANCE, "noChance": "{0} had no chance from ply {1} on; earlier positions are not solved", "从第 {1} 步之后{0}一直没有机会；更早的局面没有求解";
    OPEN_END, "openEnd": "open: the winner of the last position is not found", "未定：最后局面的胜者没有找到";
    THREW_AWAY, "threwAway": "threw a won game away", "断送胜局";
    RUNNING, "running": "the game is running", "对局进行中";
    TO_MOVE, "toMove": "{0} to move", "轮到{0}";
    WON, "won": "{0} won", "{0}获胜";
}

table! {
    /// User-interface texts, in English and Chinese, that say how a player lost. First: the reason as a key, such as
    /// `TLE` (too late) or `no move`; second: the sentence, in which the placeholder `{0}` stands for the loser.
    ENDINGS;
    NO_MOVE, "no move": "{0} has no move", "{0}无着可走";
    ILLEGAL, "INVALIDMOVE": "{0}'s answer was illegal", "{0}着法违规";
    NOT_A_MOVE, "OK": "{0}'s answer was not a move", "{0}的回答不是着法";
    LATE, "TLE": "{0} was late", "{0}超时";
    MEMORY, "MLE": "{0} used too much memory", "{0}内存超限";
    CRASHED, "RE": "{0} crashed", "{0}运行错误";
    TALKATIVE, "OLE": "{0} printed too much", "{0}输出超限";
    NOT_JSON, "NJ": "{0}'s answer was not JSON", "{0}的回答不是 JSON";
    NOT_STARTED, "CE": "{0} could not be started", "{0}无法启动";
    RESIGNED, "resigned": "{0} resigned", "{0}认输";
    ON_TIME, "time": "{0} has no time left", "{0}用时耗尽";
    BY_RECORD, "record": "{0} lost, says the record", "据棋谱所记{0}负";
}

impl From<Player> for Term {
    /// Returns the name of the player's colour in English and Chinese: “black” or “white” in English.
    fn from(player: Player) -> Term {
        [BLACK, WHITE][player as usize]
    }
}

impl Judgement {
    /// Returns the judgement's name in English and Chinese, such as “blunder”.
    #[must_use]
    pub const fn term(self) -> Term {
        match self {
            Judgement::Inaccuracy => INACCURACY,
            Judgement::Mistake => MISTAKE,
            Judgement::Blunder => BLUNDER,
        }
    }
}

/// Returns the sentence that says how a player lost. `fault` is the reason why the judge rejected the player's answer.
/// The placeholder `{0}` of the sentence stands for the player.
#[must_use]
pub fn fault_term(fault: Fault) -> Term {
    let mut endings = ENDINGS.iter();
    let found = endings.find(|(key, _)| *key == fault.abbreviation());
    found.map_or(NOT_A_MOVE, |&(_, term)| term)
}

/// Returns the outcome of a game as an English sentence: who won and why, or that the game is running and who is to
/// move.
#[must_use]
pub fn outcome_sentence(outcome: Outcome) -> String {
    let fill = |term: Term, player: Player| term.fill(Language::En, &[&player]);
    match outcome {
        Outcome::Running { to_move } => {
            format!("{}, {}", RUNNING.en, fill(TO_MOVE, to_move))
        }
        Outcome::NoMove { winner } => {
            format!("{}: {}", fill(WON, winner), fill(NO_MOVE, !winner))
        }
        Outcome::Fault { winner, fault } => {
            let (won, lost) = (fill(WON, winner), fill(fault_term(fault), !winner));
            format!("{won}: {lost} ({})", fault.abbreviation())
        }
    }
}

/// Returns the user-interface texts for the web page as JSON. The JSON object has a key for each language, such as
/// `en`; its value maps keys to texts: `{"en": {"black": "black", …, "endings": {"no move": …}}, "zh": …}`.
#[must_use]
pub fn json() -> Value {
    let texts = |terms: &[(&str, Term)], language| -> Map<String, Value> {
        let texts = terms.iter().map(|(key, term)| (key, term.text(language)));
        texts
            .map(|(&key, text)| (key.to_owned(), text.into()))
            .collect()
    };
    let languages = Language::ALL.map(|language| {
        let mut words = texts(GENERAL_TEXTS, language);
        words.insert("endings".to_owned(), texts(ENDINGS, language).into());
        (language.tag().to_owned(), words.into())
    });
    Value::Object(languages.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::judge::Verdict;

    #[test]
    fn every_verdict_has_an_ending() {
        let verdict = |key: &str| serde_json::from_value::<Verdict>(key.into()).ok();
        let faults = ENDINGS
            .iter()
            .filter_map(|(key, term)| Some((verdict(key)?, *term)));
        let faults: Vec<(Verdict, Term)> = faults.collect();
        assert_eq!(faults.len(), 7);
        for (verdict, term) in faults {
            assert_eq!(fault_term(Fault::NoMove(verdict)), term);
        }
    }

    #[test]
    fn placeholders_inside_arguments_are_not_filled() {
        let text = PLAYED.fill(Language::En, &[&"{1}", &"c1 c6 f6"]);
        assert_eq!(text, "{1} played c1 c6 f6");
    }
}
