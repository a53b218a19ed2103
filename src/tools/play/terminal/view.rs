//! Draws the interface: title, board, players, record, messages, help.

use super::app::{App, KEYS, Message};
use super::board::BoardView;
use super::layout::Layout;
use crate::board::Player;
use crate::tools::play::command::HELP;
use crate::tools::play::game::Selection;
use crate::tools::play::{chances, record};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout as Split, Position, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Padding, Paragraph, Wrap};
use std::time::Duration;

/// Draws everything.
pub fn draw(frame: &mut Frame, app: &App, colours: bool) {
    let Some(layout) = Layout::of(frame.area()) else {
        return draw_too_small(frame);
    };
    let game = app.session.game();
    let board = game.shown_board();
    let view = BoardView {
        layout: &layout,
        board: &board,
        targets: match game.selection() {
            Selection::Nothing => 0,
            _ => game.targets(),
        },
        chosen: match game.selection() {
            Selection::Nothing => None,
            Selection::Amazon(square) | Selection::Walk { to: square, .. } => Some(square),
        },
        last: game.last_move(),
        hint: app
            .session
            .advice()
            .filter(|_| app.hint)
            .map(|advice| advice.turn),
        cursor: app.cursor,
        colours,
    };
    frame.render_widget(view, layout.squares);
    frame.render_widget(title(app, layout.panel.is_none()), layout.title);
    if let Some(panel) = layout.panel {
        draw_panel(frame, app, panel);
    }
    draw_footer(frame, app, &layout);
    if let Some(line) = app.help {
        draw_help(frame, line);
    }
}

fn draw_too_small(frame: &mut Frame) {
    let (area, needed) = (frame.area(), Layout::SMALLEST);
    let text = format!(
        "This terminal has {} columns and {} rows, the game needs {} and {}. Make it larger, or press q.",
        area.width, area.height, needed.width, needed.height
    );
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}

/// The title; where there is no panel, with what would stand in it.
fn title(app: &App, all: bool) -> Line<'static> {
    let game = app.session.game();
    let mut spans = vec![Span::from("Amazons").bold()];
    let mut add = |text: String| spans.push(Span::from(format!("  {text}")));
    match game.moves().len() {
        0 => {}
        1 => add("1 turn".to_owned()),
        turns => add(format!("{turns} turns")),
    }
    if all {
        let chances = app.session.black_wins().filter(|_| app.bar).map(chances);
        chances.into_iter().for_each(&mut add);
        spinner(app).into_iter().for_each(&mut add);
    }
    Line::from(spans)
}

/// What turns while the bot thinks, and for how long it has been.
fn spinner(app: &App) -> Option<String> {
    let thinking = app.session.thinking()?;
    Some(format!(
        "{} {:.1} s",
        frame_at(thinking),
        thinking.as_secs_f32()
    ))
}

fn frame_at(time: Duration) -> char {
    const FRAMES: [char; 4] = ['|', '/', '-', '\\'];
    FRAMES[time.as_millis() as usize / 100 % FRAMES.len()]
}

fn panel_block(title: &'static str) -> Block<'static> {
    Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(Style::new().dim())
        .title(Span::from(format!(" {title} ")).bold())
        .padding(Padding::horizontal(1))
}

fn draw_panel(frame: &mut Frame, app: &App, area: Rect) {
    let rows = if app.bar { 5 } else { 4 };
    let [players, record] =
        Split::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(area);
    draw_players(frame, app, players);
    draw_record(frame, app, record);
}

fn draw_players(frame: &mut Frame, app: &App, area: Rect) {
    let block = panel_block("Players");
    let width = block.inner(area).width;
    let mut lines = vec![player(app, Player::Black), player(app, Player::White)];
    if app.bar {
        lines.push(bar(app.session.black_wins(), width));
    }
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// A player: whose turn it is, the seat, and the clock.
fn player(app: &App, player: Player) -> Line<'static> {
    let game = app.session.game();
    let (is_to_move, winner) = (game.to_move() == player, game.winner());
    let piece = match player {
        Player::Black => "●",
        Player::White => "○",
    };
    let arrow = if is_to_move && winner.is_none() {
        "▸"
    } else {
        " "
    };
    let mut spans = vec![
        Span::from(format!("{arrow} {piece} ")),
        Span::from(format!("{player}  ")),
        Span::from(game.seat(player).to_string()).dim(),
    ];
    if winner == Some(player) {
        spans.push("  has won".bold());
    } else if is_to_move && let Some(spinner) = spinner(app) {
        spans.push(Span::from(format!("  {spinner}")));
    }
    match is_to_move || winner == Some(player) {
        true => Line::from(spans).bold(),
        false => Line::from(spans),
    }
}

/// Black's share of the win probability as a bar.
fn bar(black_wins: Option<f32>, width: u16) -> Line<'static> {
    let Some(black_wins) = black_wins else {
        return Line::from("win probability: thinking").dim();
    };
    let percent = 100.0 * black_wins;
    let [left, right] = [
        format!("  ● {percent:.0} % "),
        format!(" {:.0} % ○", 100.0 - percent),
    ];
    let room = usize::from(width).saturating_sub(left.chars().count() + right.chars().count());
    let filled = (room as f32 * black_wins).round() as usize;
    Line::from(format!(
        "{left}{}{}{right}",
        "█".repeat(filled),
        "░".repeat(room - filled)
    ))
}

fn draw_record(frame: &mut Frame, app: &App, area: Rect) {
    let block = panel_block("Record");
    let text = record(app.session.game().moves());
    let mut lines: Vec<Line> = text.lines().map(Line::from).collect();
    if let Some(last) = lines.last_mut() {
        *last = std::mem::take(last).bold();
    }
    let hidden = lines.len().saturating_sub(block.inner(area).height.into()) as u16;
    let first = hidden.saturating_sub(app.back);
    let record = Paragraph::new(lines).scroll((first, 0)).block(block);
    frame.render_widget(record, area);
}

fn draw_footer(frame: &mut Frame, app: &App, layout: &Layout) {
    let message = match &app.message {
        Message::Note(text) => Line::from(text.as_str()),
        Message::Fault(text) => Line::from(format!("! {text}")).style(Style::new().fg(Color::Red)),
    };
    let message = Paragraph::new(message).wrap(Wrap { trim: true });
    frame.render_widget(message, layout.message);
    frame.render_widget(Line::from(app.session.state()).bold(), layout.state);
    frame.render_widget(format!("> {}", app.input).as_str(), layout.input);
    let keys = "Esc back  Tab hint  ^Z undo  ^Y redo  ^P win  ^S save  ^O load  ? help  q quit";
    let short = "Enter  Esc  Tab hint  ? keys  q quit";
    let fits = keys.len() <= usize::from(layout.keys.width);
    frame.render_widget(
        Line::from(if fits { keys } else { short }).dim(),
        layout.keys,
    );
    if !app.input.is_empty() && app.help.is_none() {
        let column = layout.input.x + 2 + app.input.chars().count() as u16;
        frame.set_cursor_position(Position::new(
            column.min(layout.input.right()),
            layout.input.y,
        ));
    }
}

/// The keys and commands in front of everything else.
fn draw_help(frame: &mut Frame, first: u16) {
    let lines: Vec<Line> = [("Keys", "")]
        .iter()
        .chain(&KEYS)
        .chain(&[("", ""), ("Commands", "")])
        .chain(&HELP)
        .map(|(name, meaning)| {
            Line::from(vec![
                Span::from(format!("{name:16}")).bold(),
                Span::from(*meaning),
            ])
        })
        .collect();
    let area = frame.area();
    let width = lines.iter().map(Line::width).max().unwrap_or_default() as u16 + 4;
    let area = area.centered(
        Constraint::Length(width.min(area.width)),
        Constraint::Length((lines.len() as u16 + 2).min(area.height)),
    );
    let hidden = (lines.len() as u16 + 2).saturating_sub(area.height);
    let title = match hidden {
        0 => "Help",
        _ => "Help, up and down for more",
    };
    let help = Paragraph::new(lines)
        .scroll((first.min(hidden), 0))
        .block(panel_block(title));
    frame.render_widget(Clear, area);
    frame.render_widget(help, area);
}
