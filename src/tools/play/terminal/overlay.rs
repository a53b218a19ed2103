//! Overlays, drawn in front of everything else: the help, the record of a game, a step of the primer.

use super::view::block;
use crate::board::Move;
use crate::tools::analysis::glossary::Term;
use crate::tools::play::words::{Words, labels};
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::Stylize;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};

/// What is shown in front of everything else.
pub struct Overlay {
    title: Term,
    rows: Vec<Row>,
    /// How many lines it is scrolled down.
    pub first: u16,
}

/// A name with its description.
type Row = (String, String);

/// Columns of the frame and its padding.
const FRAME: u16 = 4;

impl Overlay {
    /// The keys and commands.
    #[must_use]
    pub fn help(words: Words) -> Overlay {
        let text = |term: Term| words.label(term).to_owned();
        let heading = |term| (text(term), String::new());
        let mut rows = vec![heading(labels::KEYS_HEADING)];
        rows.extend(labels::KEYS.map(|(key, meaning)| (text(key), text(meaning))));
        rows.extend([Row::default(), heading(labels::COMMANDS_HEADING)]);
        rows.extend(labels::COMMANDS.map(|(name, meaning)| (name.to_owned(), text(meaning))));
        Overlay {
            title: labels::HELP,
            rows,
            first: 0,
        }
    }

    /// The moves of the game.
    #[must_use]
    pub fn record(moves: &[Move], words: Words) -> Overlay {
        Overlay::of_lines(&words.record(moves), labels::RECORD)
    }

    /// What a step of the primer explains and asks.
    #[must_use]
    pub fn rules(text: &str) -> Overlay {
        Overlay::of_lines(text, labels::RULES)
    }

    fn of_lines(text: &str, title: Term) -> Overlay {
        let rows = text.lines().map(|line| (String::new(), line.to_owned()));
        Overlay {
            title,
            rows: rows.collect(),
            first: 0,
        }
    }

    /// The lines beyond those that fit on a screen.
    #[must_use]
    pub fn hidden_rows(&self, area: Rect) -> u16 {
        (lines(&self.rows, area.width).len() as u16 + 2).saturating_sub(area.height)
    }
}

/// Draws an overlay.
pub fn draw(frame: &mut Frame, overlay: &Overlay, words: Words) {
    let area = frame.area();
    let lines = lines(&overlay.rows, area.width);
    let hidden = overlay.hidden_rows(area);
    let width = lines.iter().map(Line::width).max().unwrap_or_default() as u16;
    let area = area.centered(
        Constraint::Length((width + FRAME).min(area.width)),
        Constraint::Length((lines.len() as u16 + 2).min(area.height)),
    );
    let mut title = words.label(overlay.title).to_owned();
    if hidden > 0 {
        title += words.label(labels::MORE);
    }
    let text = Paragraph::new(lines)
        .scroll((overlay.first.min(hidden), 0))
        .block(block(&title));
    // A wide character that begins left of the overlay would reach into its frame.
    let beside = Rect {
        x: area.x.saturating_sub(1),
        width: area.width + area.x.min(1),
        ..area
    };
    frame.render_widget(Clear, beside);
    frame.render_widget(text, area);
}

/// The rows as lines of so many columns: names in one column, descriptions beside them, wrapped.
fn lines(rows: &[Row], columns: u16) -> Vec<Line<'static>> {
    let widest = rows.iter().map(|(name, _)| width(name)).max();
    let names = widest.unwrap_or_default() + 2;
    let room = usize::from(columns.saturating_sub(FRAME));
    let room = room.saturating_sub(names).max(1);
    let row = |(name, meaning): &Row| {
        let padding = " ".repeat(names - width(name));
        let mut heads = vec![Span::from(format!("{name}{padding}")).bold()];
        let lines = wrapped(meaning, room).into_iter().map(|text| {
            let head = heads.pop().unwrap_or_else(|| Span::from(" ".repeat(names)));
            Line::from(vec![head, Span::from(text)])
        });
        lines.collect::<Vec<_>>()
    };
    rows.iter().flat_map(row).collect()
}

/// Columns that a text takes.
fn width(text: &str) -> usize {
    Span::from(text).width()
}

/// A text in lines of at most so many columns, broken after blanks and around wide characters.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for piece in pieces(text) {
        let line = lines.last_mut().expect("never empty");
        if width(line) + width(piece.trim_end()) <= columns || line.is_empty() {
            line.push_str(piece);
        } else {
            lines.push(piece.to_owned());
        }
    }
    lines
}

/// The unbreakable pieces of a text: words with the blanks after them, and single wide characters.
fn pieces(text: &str) -> Vec<&str> {
    let is_wide = |character: char| !character.is_ascii() && width(&character.to_string()) > 1;
    let (mut pieces, mut start) = (Vec::new(), 0);
    let mut previous = None;
    for (at, character) in text.char_indices() {
        let breaks = match previous {
            None => false,
            Some(' ') => character != ' ',
            Some(previous) => is_wide(previous) && character != ' ' || is_wide(character),
        };
        if breaks {
            pieces.push(&text[start..at]);
            start = at;
        }
        previous = Some(character);
    }
    pieces.push(&text[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::analysis::glossary::Language;
    use crate::tools::analysis::primer::STEPS;

    #[test]
    fn texts_are_broken_behind_blanks_and_beside_wide_characters() {
        assert_eq!(wrapped("one two three", 8), ["one two ", "three"]);
        assert_eq!(wrapped("从 c1 走到 c6", 7), ["从 c1 ", "走到 c6"]);
        assert_eq!(wrapped("移动光标", 5), ["移动", "光标"]);
        assert_eq!(wrapped("", 5), [""]);
    }

    #[test]
    fn tasks_of_the_primer_fit_below_the_smallest_board() {
        for step in STEPS {
            for language in Language::ALL {
                let rows = wrapped(step.task.text(language), 48);
                assert!(rows.len() <= 3, "{rows:?}");
            }
        }
    }

    #[test]
    fn help_fits_the_narrowest_screen_in_every_language() {
        for language in Language::ALL {
            let help = Overlay::help(Words(language));
            let narrow = lines(&help.rows, 50);
            assert!(
                narrow.iter().all(|line| line.width() <= 46 + 1),
                "{language:?}"
            );
            let wide = lines(&help.rows, 120);
            assert_eq!(wide.len(), help.rows.len(), "{language:?}");
            assert!(help.hidden_rows(Rect::new(0, 0, 50, 16)) as usize + 14 == narrow.len());
        }
    }
}
