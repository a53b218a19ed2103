//! Words claims as sentences, in English and Chinese.

use super::Text;
use super::claim::{Claim, Kind, Squares, centre};
use super::line::Line;
use crate::glossary::{Language, MOVES_LEFT, Term, terms};

terms! {
    COUNTED: "after {0} {1}", "{0} 之后{1}";
    COUNTED_REPLIED: "after {0} and {2} {1}", "{0}、{2} 之后，{1}";
    COUNTED_LATER: "after {0} and the best replies {1}", "{0} 之后，双方若应对最佳，{1}";
    SHUTS_IN: "{0} shuts {1}’s amazon on {2} into {3}", "{0} 把{1} {2} 的棋子困在 {3}之内";
    LETS_SHUT_IN: "{0} lets {4} shut {1}’s amazon on {2} into {3}: {5}", "{0} 之后，{4}可用 {5} 把{1} {2} 的棋子困在 {3}之内";
    WALLS_IN: "{0} walls {1}’s amazon on {2} in", "{0} 把{1} {2} 的棋子完全围死";
    LETS_WALL_IN: "{0} lets {3} wall {1}’s amazon on {2} in: {4}", "{0} 之后，{3}可用 {4} 把{1} {2} 的棋子完全围死";
    HEMS_IN: "after {0} {1}’s amazon on {2} has {3} to go to, {4} before", "{0} 之后，{1} {2} 的棋子只有 {3}可走，之前有 {4}";
    COSTS: "{0} costs {1} territory", "{0} 使{1}损失领地";
    ALONE: "after {0} only {1} reaches the {2} around {3}", "{0} 之后，{3} 一带的 {2}只有{1}能到达";
}

/// English words for the numbers from 0 to 12.
const NUMBER_WORDS: [&str; 13] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

/// Returns the sentence that states `claim` about the first move of `line`.
pub fn text(line: &Line, claim: &Claim) -> Text {
    let [en, zh] = Language::ALL.map(|language| sentence(line, claim, language));
    Text { en, zh }
}

fn sentence(line: &Line, claim: &Claim, language: Language) -> String {
    let turn = line.turn;
    let [who, whose] =
        [claim.player, !claim.player].map(|player| Term::from(player).text(language));
    let set = claim.squares.map_or(0, |Squares(set)| set);
    let room = squares_in_words(set.count_ones(), language);
    match &claim.kind {
        Kind::Count {
            black,
            white,
            plies,
        } => {
            let left = MOVES_LEFT.of(language, &[black, white]);
            moves_left_sentence(line, *plies, &left, language)
        }
        Kind::ShutIn { amazon, by } => match (by, set) {
            (Some(by), 0) => LETS_WALL_IN.of(language, &[&turn, &whose, amazon, &who, by]),
            (None, 0) => WALLS_IN.of(language, &[&turn, &whose, amazon]),
            (Some(by), _) => LETS_SHUT_IN.of(language, &[&turn, &whose, amazon, &room, &who, by]),
            (None, _) => SHUTS_IN.of(language, &[&turn, &whose, amazon, &room]),
        },
        Kind::HemmedIn { amazon, before } => {
            let had = match language {
                Language::En => number_in_words(*before),
                Language::Zh => squares_in_words(*before, language),
            };
            HEMS_IN.of(language, &[&turn, &whose, amazon, &room, &had])
        }
        Kind::Alone => {
            let middle = centre(set).map_or(String::new(), |square| square.to_string());
            ALONE.of(language, &[&turn, &who, &room, &middle])
        }
        Kind::Costs { .. } => COSTS.of(language, &[&turn, &whose]),
    }
}

/// Returns the sentence that after `plies` plies of `line` the numbers of moves left are `moves_left`.
fn moves_left_sentence(line: &Line, plies: usize, moves_left: &str, language: Language) -> String {
    match (plies, line.replies.first()) {
        (1, _) | (_, None) => COUNTED.of(language, &[&line.turn, &moves_left]),
        (2, Some(reply)) => COUNTED_REPLIED.of(language, &[&line.turn, &moves_left, reply]),
        _ => COUNTED_LATER.of(language, &[&line.turn, &moves_left]),
    }
}

/// Returns a number of squares in words, for example “three squares”.
fn squares_in_words(count: u32, language: Language) -> String {
    match language {
        Language::En if count == 1 => "one square".to_owned(),
        Language::En => format!("{} squares", number_in_words(count)),
        Language::Zh => format!("{count} 格"),
    }
}

/// Returns the English word for a number from 0 to 12, or the digits of a larger number.
fn number_in_words(count: u32) -> String {
    NUMBER_WORDS
        .get(count as usize)
        .map_or_else(|| count.to_string(), |&word| word.to_owned())
}
