//! [`Overlay`], a text that covers the board: the help, the list of moves, or a lesson of the rules tutorial.

use super::view::block;
use crate::play::texts::{Texts, labels};
use analysis::glossary::Term;
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::Stylize;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};

/// Scrollable text that covers the board.
pub struct Overlay {
    title: Term,
    /// Rows of the text, each with a label on the left (may be empty) and a description on the right, not yet wrapped
    /// to the width of the screen.
    rows: Vec<Row>,
    /// Number of lines, counted after wrapping, that are scrolled out of sight at the top of the text. It is 0 at
    /// first, and grows when the user scrolls down.
    pub first_line: u16,
}

/// Row of a text that covers the board, such as the help. First: label on the left, such as a command; may be empty.
/// Second: text on the right, such as the command's description.
type Row = (String, String);

/// Number of columns that the border and the padding take up, left and right together, around a text that covers the
/// board.
const BORDER_COLUMNS: u16 = 4;

impl Overlay {
    /// Creates the help: the list of all keys and commands, with their descriptions.
    #[must_use]
    pub fn help(texts: Texts) -> Overlay {
        let text = |term: Term| texts.label(term).to_owned();
        let heading = |term| (text(term), String::new());
        let mut rows = vec![heading(labels::KEYS_HEADING)];
        rows.extend(labels::KEYS.map(|(key, meaning)| (text(key), text(meaning))));
        rows.extend([Row::default(), heading(labels::COMMANDS_HEADING)]);
        rows.extend(labels::COMMANDS.map(|(name, meaning)| (name.to_owned(), text(meaning))));
        Overlay {
            title: labels::HELP,
            rows,
            first_line: 0,
        }
    }

    /// Creates an overlay (a text that covers the board) with the title `title`. It shows the lines of `text`, without
    /// a column of labels on the left.
    #[must_use]
    pub fn from_text(text: &str, title: Term) -> Overlay {
        let rows = text.lines().map(|line| (String::new(), line.to_owned()));
        Overlay {
            title,
            rows: rows.collect(),
            first_line: 0,
        }
    }

    /// Returns how many lines of the wrapped text don't fit on a screen of the size `area`, and can only be seen by
    /// scrolling.
    #[must_use]
    pub fn hidden_lines(&self, area: Rect) -> u16 {
        (wrap_rows(&self.rows, area.width).len() as u16 + 2).saturating_sub(area.height)
    }
}

/// Draws `overlay` in the middle of the screen, just large enough for its text. If the text is larger than the screen,
/// fills the screen and shows a part of the text, which the user can scroll.
pub fn draw(frame: &mut Frame, overlay: &Overlay, texts: Texts) {
    let area = frame.area();
    let lines = wrap_rows(&overlay.rows, area.width);
    let hidden = overlay.hidden_lines(area);
    let width = lines.iter().map(Line::width).max().unwrap_or_default() as u16;
    let columns = Constraint::Length((width + BORDER_COLUMNS).min(area.width));
    let rows = Constraint::Length((lines.len() as u16 + 2).min(area.height));
    let area = area.centered(columns, rows);
    let mut title = texts.label(overlay.title).to_owned();
    if hidden > 0 {
        title += texts.label(labels::SCROLL_HINT);
    }
    let scroll = (overlay.first_line.min(hidden), 0);
    let text = Paragraph::new(lines).scroll(scroll).block(block(&title));
    // The column to the left of the text's border is cleared, too: it may contain the left half of a character that is
    // two columns wide, which would cover the border.
    let (x, width) = (area.x.saturating_sub(1), area.width + area.x.min(1));
    let beside = Rect { x, width, ..area };
    frame.render_widget(Clear, beside);
    frame.render_widget(text, area);
}

/// Converts `rows` to lines of a text that covers the board: labels on the left, descriptions on the right.
/// Descriptions are wrapped so that a line and the border around the text need at most `columns` columns.
fn wrap_rows(rows: &[Row], columns: u16) -> Vec<Line<'static>> {
    let width = |text: &str| Span::from(text).width();
    let widest = rows.iter().map(|(name, _)| width(name)).max();
    let names = widest.unwrap_or_default() + 2;
    let room = usize::from(columns.saturating_sub(BORDER_COLUMNS)).saturating_sub(names);
    let row = |(name, meaning): &Row| {
        let padding = " ".repeat(names - width(name));
        let mut heads = vec![format!("{name}{padding}")];
        let lines = textwrap::wrap(meaning, room).into_iter().map(|text| {
            let head = heads.pop().unwrap_or_else(|| " ".repeat(names));
            Line::from(vec![head.bold(), Span::from(text.into_owned())])
        });
        lines.collect::<Vec<_>>()
    };
    rows.iter().flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::glossary::Language;
    use analysis::primer::STEPS;

    #[test]
    fn primer_tasks_fit_below_the_smallest_board() {
        for step in STEPS {
            for language in Language::ALL {
                let rows = textwrap::wrap(step.task.text(language), 48);
                assert!(rows.len() <= 3, "{rows:?}");
            }
        }
    }

    #[test]
    fn help_fits_the_narrowest_screen_in_every_language() {
        for language in Language::ALL {
            let help = Overlay::help(Texts(language));
            let narrow = wrap_rows(&help.rows, 50);
            let fits = narrow.iter().all(|line| line.width() <= 46 + 1);
            assert!(fits, "{language:?}");
            let wide = wrap_rows(&help.rows, 120);
            assert_eq!(wide.len(), help.rows.len(), "{language:?}");
            assert!(help.hidden_lines(Rect::new(0, 0, 50, 16)) as usize + 14 == narrow.len());
        }
    }
}
