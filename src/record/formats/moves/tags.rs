//! Converts PGN tags of a game, such as `[White "Anna"]`, and its result to SGF properties ([`Tags`]).

use super::tokens::parse_result;
use crate::formats::draft::Draft;
use crate::formats::fen;
use engine::board::Player;
use engine::console::quoted;

/// PGN tags, and the SGF properties with the same meaning. First: name of the tag, in lower case. Second: name of the
/// property.
const TAGS: [(&str, &str); 12] = [
    ("event", "EV"),
    ("site", "PC"),
    ("date", "DT"),
    ("round", "RO"),
    ("annotator", "AN"),
    ("opening", "ON"),
    ("source", "SO"),
    ("timecontrol", "OT"),
    ("whiteelo", "WR"),
    ("blackelo", "BR"),
    ("whiteteam", "WT"),
    ("blackteam", "BT"),
];

/// PGN tags and results of a game, collected by the parser while it reads the moves.
#[derive(Default)]
pub struct Tags {
    /// Pairs of a tag's name and value, in the order of the text.
    tags: Vec<(String, String)>,
    /// Results of the game as written in the text, such as `1-0`: the value of the tag `Result`, and results after the
    /// moves. A text may contain several results, even contradictory ones.
    pub results: Vec<String>,
}

impl Tags {
    /// Stores a PGN tag with its value, except values such as `?`, which mean that something is unknown. The tag `FEN`
    /// is not stored; it immediately sets the start position of `draft`.
    ///
    /// # Errors
    /// If the value of the tag `FEN` is not a position.
    pub fn add(&mut self, name: &str, value: &str, draft: &mut Draft) -> Result<(), String> {
        match (name.to_lowercase().as_str(), value.trim()) {
            // PGN writes these values if something is unknown.
            (_, "" | "?" | "-" | "????.??.??") => {}
            ("result", value) => self.results.push(value.to_owned()),
            ("fen", value) => {
                let board = fen::parse_position(value)?;
                draft.first = board.to_move();
                draft.setup = Some(board);
            }
            (_, value) => self.tags.push((name.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    /// Copies all collected tags and the result to `draft`: the players' names to [`Draft::names`], everything else to
    /// SGF properties of its first node.
    pub fn apply(self, draft: &mut Draft) {
        let position_of = |name: &str| {
            let mut tags = self.tags.iter();
            tags.position(|(tag, _)| tag.eq_ignore_ascii_case(name))
        };
        // White moves first, as in chess, unless the tag `Black` precedes the tag `White`.
        let black_is_first =
            position_of("black") < position_of("white") && position_of("black").is_some();
        if draft.setup.is_none()
            && !black_is_first
            && (position_of("white").or(position_of("black"))).is_some()
        {
            draft.first = Player::White;
        }
        let mut others = Vec::new();
        for (name, value) in &self.tags {
            let lower = name.to_lowercase();
            match TAGS.iter().find(|(tag, _)| *tag == lower) {
                None if lower == "black" && draft.names[0].is_none() => {
                    draft.names[0] = Some(value.clone())
                }
                None if lower == "white" && draft.names[1].is_none() => {
                    draft.names[1] = Some(value.clone())
                }
                Some((_, "DT")) => draft.nodes[0].add("DT", vec![sgf_date(value)]),
                Some((_, property)) => draft.nodes[0].add(property, vec![value.clone()]),
                None => others.push(format!("{name}: {value}")),
            }
        }
        if !others.is_empty() {
            draft.nodes[0].add("GC", vec![others.join("\n")]);
        }
        self.apply_results(draft);
    }

    /// Stores the game's result in `draft`, as SGF property `RE`. If one result is the beginning of another, such as
    /// `B+` and `B+R`, the longer is stored, because it says more. A result that contradicts an earlier one is ignored,
    /// with a warning.
    fn apply_results(&self, draft: &mut Draft) {
        // `1-0` usually means that white wins. If the file has no FEN tag and black moves first, it means that black
        // wins.
        let white_is_first = draft.setup.is_some() || draft.first == Player::White;
        let [won, lost] = [white_is_first, !white_is_first]
            .map(|white_is_first| ["B+", "W+"][usize::from(white_is_first)]);
        let mut chosen = String::new();
        for text in &self.results {
            let found = match parse_result(text) {
                Some((found, length)) if length == text.len() => {
                    found.replace("1-0", won).replace("0-1", lost)
                }
                _ if text == "*" => continue,
                _ => text.clone(),
            };
            if chosen.is_empty() || found.starts_with(&chosen) {
                chosen = found;
            } else if !chosen.starts_with(&found) {
                let remark = format!("a second result, \"{}\", is left out", quoted(text));
                draft.warnings.push(remark);
            }
            if !white_is_first && ["1-0", "0-1"].contains(&text.as_str()) {
                let remark = format!("{text} is read as said of whoever moves first");
                draft.warnings.push(remark);
            }
        }
        if !chosen.is_empty() {
            draft.nodes[0].add("RE", vec![chosen]);
        }
    }
}

/// Converts a date of PGN to SGF's form: `2024.05.03` becomes `2024-05-03`, and `2024.??.??` becomes `2024`.
fn sgf_date(text: &str) -> String {
    let text = text.replace(['.', '/'], "-");
    text.trim_end_matches("-??").to_owned()
}
