//! Formats claims about lines of play, such as “shuts in an amazon”, as English and Chinese sentences.

use super::Text;
use super::claim::{Claim, Effect, Squares, centre};
use super::line::Line;
use crate::glossary::{Language, MOVES_LEFT, Term, terms};
use engine::board::Move;
use std::fmt::Display;

terms! {
    COUNTED: "after {0} {1}", "{0} 之后{1}";
    COUNTED_REPLIED: "after {0} and {2} {1}", "{0}、{2} 之后，{1}";
    COUNTED_LATER: "after {0} and the best replies {1}", "{0} 之后，双方若应对最佳，{1}";
    SHUTS_IN: "{0} shuts {1}’s amazon on {2} into {3}", "{0} 把{1} {2} 的棋子困在 {3}之内";
    LETS_SHUT_IN: "{0} lets {4} shut {1}’s amazon on {2} into {3}: {5}", "{0} 之后，{4}可用 {5} 把{1} {2} 的棋子困在 {3}之内";
    WALLS_IN: "{0} walls {1}’s amazon on {2} in", "{0} 把{1} {2} 的棋子完全围死";
    LETS_WALL_IN: "{0} lets {3} wall {1}’s amazon on {2} in: {4}", "{0} 之后，{3}可用 {4} 把{1} {2} 的棋子完全围死";
    LITTLE_ROOM: "after {0} {1}’s amazon on {2} reaches {3} within two moves ({4} before, {5} after {6})", "{0} 之后，{1} {2} 的棋子两步内只能到 {3}（之前 {4} 格，{6} 之后 {5} 格）";
    UNEXPLAINED: "the search prefers {0}, we can’t say why in words", "引擎更看好 {0}，但说不出具体原因";
    ALONE: "after {0} only {1} reaches the {2} around {3}", "{0} 之后，{3} 一带的 {2}只有{1}能到达";
}

/// English words for the numbers from 0 to 12.
const NUMBER_WORDS: [&str; 13] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

/// Formats `claim`, a statement about the first move of `line`, as a sentence in English and Chinese. `other` is the
/// move with which this first move is compared, such as the best move if `line` begins with a mistake.
pub fn text(line: &Line, claim: &Claim, other: Option<Move>) -> Text {
    let [en, zh] = Language::ALL.map(|language| sentence(line, claim, other, language));
    Text {
        en: capitalized(&en),
        zh,
    }
}

/// Returns `text` with its first letter in upper case. A text that begins with a move, such as `c1 c6 f6`, remains
/// unchanged.
fn capitalized(text: &str) -> String {
    match text.as_bytes() {
        [first, b'1'..=b'8', ..] if first.is_ascii_lowercase() => text.to_owned(),
        _ => text[..1].to_uppercase() + &text[1..],
    }
}

fn sentence(line: &Line, claim: &Claim, other: Option<Move>, language: Language) -> String {
    let turn = line.turn;
    let [who, whose] =
        [claim.player, !claim.player].map(|player| Term::from(player).text(language));
    let set = claim.squares.map_or(0, |Squares(set)| set);
    let room = squares_in_words(set.count_ones(), language);
    let other = other.map_or(String::new(), |turn| turn.to_string());
    match &claim.effect {
        Effect::Count { black, white } => {
            let left = MOVES_LEFT.fill(language, &[black, white]);
            moves_left_sentence(line, claim.plies, &left, language)
        }
        Effect::ShutIn { amazon, by } => match (by, set) {
            (Some(by), 0) => LETS_WALL_IN.fill(language, &[&turn, &whose, amazon, &who, by]),
            (None, 0) => WALLS_IN.fill(language, &[&turn, &whose, amazon]),
            (Some(by), _) => LETS_SHUT_IN.fill(language, &[&turn, &whose, amazon, &room, &who, by]),
            (None, _) => SHUTS_IN.fill(language, &[&turn, &whose, amazon, &room]),
        },
        Effect::LittleRoom {
            amazon,
            before,
            other: other_room,
            ..
        } => {
            let moves = both_moves(line, language);
            let values: [&dyn Display; 7] =
                [&moves, &whose, amazon, &room, before, other_room, &other];
            LITTLE_ROOM.fill(language, &values)
        }
        Effect::Alone => {
            let middle = centre(set).map_or(String::new(), |square| square.to_string());
            ALONE.fill(language, &[&turn, &who, &room, &middle])
        }
        Effect::Unexplained => UNEXPLAINED.fill(language, &[&other]),
    }
}

/// Returns the first two moves of `line` as text, for example “c1 c6 f6 and a6 a4 h4” in English.
fn both_moves(line: &Line, language: Language) -> String {
    let and = [" and ", "、"][usize::from(language == Language::Zh)];
    let moves = line.moves(2).into_iter().map(|turn| turn.to_string());
    moves.collect::<Vec<_>>().join(and)
}

/// Returns a sentence that says how many moves each player has left after the first `plies` moves of `line`.
/// `moves_left` is the part of the sentence with these numbers, such as “moves of their own left: black 3, white 2”.
fn moves_left_sentence(line: &Line, plies: usize, moves_left: &str, language: Language) -> String {
    match (plies, line.replies.first()) {
        (1, _) | (_, None) => COUNTED.fill(language, &[&line.turn, &moves_left]),
        (2, Some(reply)) => COUNTED_REPLIED.fill(language, &[&line.turn, &moves_left, reply]),
        _ => COUNTED_LATER.fill(language, &[&line.turn, &moves_left]),
    }
}

/// Returns a number of squares in words, for example “three squares”.
fn squares_in_words(count: u32, language: Language) -> String {
    match language {
        Language::En if count == 1 => "one square".to_owned(),
        Language::En => match NUMBER_WORDS.get(count as usize) {
            Some(word) => format!("{word} squares"),
            None => format!("{count} squares"),
        },
        Language::Zh => format!("{count} 格"),
    }
}
