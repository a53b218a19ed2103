//! Draws the full-screen interface. This file draws title, board and messages; `panel.rs` draws the panel, and
//! `overlay.rs` the texts that cover the board.

use super::app::App;
use super::board_view::BoardView;
use super::layout::Layout;
use super::{overlay, panel};
use crate::play::texts::labels;
use analysis::ownership::ownership;
use ratatui::Frame;
use ratatui::layout::{Position, Size};
use ratatui::style::{Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Padding, Paragraph, Wrap};

/// Draws the whole interface once. If `colours` is false, letters and shaded blocks take the place of colours.
pub fn draw(frame: &mut Frame, app: &App, colours: bool) {
    let Some(layout) = Layout::fit(frame.area()) else {
        return draw_text_only(frame, app);
    };
    draw_board(frame, app, &layout, colours);
    frame.render_widget(title(app, layout.panel.is_none()), layout.title);
    if let Some(area) = layout.panel {
        panel::draw(frame, app, area, colours);
    }
    draw_footer(frame, app, &layout);
    if let Some(overlay) = &app.overlay {
        overlay::draw(frame, overlay, app.texts);
    }
}

/// Draws the board with pieces, cursor and highlights. While the user looks at an earlier position, the squares chosen
/// in the current turn and the hint are not highlighted.
fn draw_board(frame: &mut Frame, app: &App, layout: &Layout, colours: bool) {
    let game = app.session.game();
    let is_current = app.session.viewed_ply.is_none();
    let chosen = if is_current { game.chosen() } else { &[] };
    let (board, last_move) = app.session.shown_position();
    let advice = app.session.engine.advice;
    let advice = advice.filter(|_| app.shows_hint && is_current);
    let view = BoardView {
        layout,
        board: &board,
        targets: if chosen.is_empty() { 0 } else { game.targets() },
        chosen: chosen.last().copied(),
        last_move,
        hint: advice.map(|advice| advice.turn),
        owners: app.shows_territory.then(|| ownership(&board)),
        cursor: app.cursor,
        colours,
    };
    view.draw(frame.buffer_mut());
}

/// Draws a text instead of the interface, because the terminal is too small for the board. The text is the question
/// that waits for an answer, if there is one, else how large the terminal must be.
fn draw_text_only(frame: &mut Frame, app: &App) {
    let (area, Size { width, height }) = (frame.area(), Layout::MIN_SIZE);
    let text = match &app.session.question {
        Some(question) => app.texts.question(question),
        None => app.texts.too_small(area.width, area.height, width, height),
    };
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}

/// Returns the top line of the screen: the game's name and the number of turns played. If the terminal is too narrow
/// for the panel (`is_without_panel`), adds what the panel would show: the win probability and the time the bot has
/// been searching.
fn title(app: &App, is_without_panel: bool) -> Line<'static> {
    let turns = app.session.game().moves().len();
    let mut spans = vec![Span::from(app.texts.label(labels::TITLE)).bold()];
    let mut add = |text: String| spans.push(Span::from(format!("  {text}")));
    if turns > 0 {
        add(app.texts.turns(turns));
    }
    if is_without_panel {
        let black_wins = app.session.black_win_probability();
        let black_wins = black_wins.filter(|_| app.shows_win_probability);
        let win_percentages = black_wins.map(|black_wins| app.texts.win_percentages(black_wins));
        win_percentages.into_iter().for_each(&mut add);
        panel::spinner(app).into_iter().for_each(&mut add);
    }
    Line::from(spans)
}

fn draw_footer(frame: &mut Frame, app: &App, layout: &Layout) {
    let text = Line::from(app.texts.status(&app.session)).bold();
    // A question is drawn in the area for messages, because it may need several rows; the status line has only one.
    let (message, text) = match app.session.question {
        Some(_) => (text, Line::default()),
        None => (app.message.clone(), text),
    };
    let message = Paragraph::new(message).wrap(Wrap { trim: true });
    frame.render_widget(message, layout.message);
    frame.render_widget(text, layout.status);
    let input = Line::from(format!("> {}", app.input));
    let end = layout.input.x + input.width() as u16;
    frame.render_widget(input, layout.input);
    frame.render_widget(key_reminder(app, layout.keys.width.into()), layout.keys);
    if !app.input.is_empty() && app.overlay.is_none() {
        let column = end.min(layout.input.right());
        frame.set_cursor_position(Position::new(column, layout.input.y));
    }
}

/// Returns the bottom line of the screen, which lists the keys that are useful now. Lists fewer keys if the full list
/// is wider than `width` columns.
fn key_reminder(app: &App, width: usize) -> Line<'static> {
    let line = |term| Line::from(app.texts.label(term)).dim();
    let [long, short] = [labels::FOOTER, labels::NARROW_FOOTER].map(line);
    match app.session.question {
        Some(_) => line(labels::YES_NO_KEYS),
        None if app.session.shows_game_over() => line(labels::GAME_OVER_KEYS),
        None if long.width() <= width => long,
        None => short,
    }
}

/// Returns a rounded border with the title `title`, to draw around the panel or a text that covers the board.
#[must_use]
pub fn block(title: &str) -> Block<'static> {
    Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(Style::new().dim())
        .title(Span::from(format!(" {title} ")).bold())
        .padding(Padding::horizontal(1))
}
