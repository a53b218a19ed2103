//! The frame around a part of the screen.

use ratatui::style::{Style, Stylize};
use ratatui::text::Span;
use ratatui::widgets::{Block, BorderType, Padding};

/// A frame with a title.
#[must_use]
pub fn block(title: &'static str) -> Block<'static> {
    Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(Style::new().dim())
        .title(Span::from(format!(" {title} ")).bold())
        .padding(Padding::horizontal(1))
}
