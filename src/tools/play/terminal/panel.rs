//! Draws the panel to the right of the board: players, win probability, and list of moves.

use super::app::App;
use super::board_view::colour;
use super::view::block;
use crate::play::texts::labels;
use engine::board::Player;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout as Split, Rect};
use ratatui::style::{Color, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

/// Draws the panel to the right of the board into `area`: the players, the win probability if the user turned it on,
/// and the list of moves.
pub fn draw(frame: &mut Frame, app: &App, area: Rect, colours: bool) {
    let rows = if app.shows_win_probability { 5 } else { 4 };
    let [players, record] =
        Split::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(area);
    draw_players(frame, app, players, colours);
    draw_move_list(frame, app, record);
}

fn draw_players(frame: &mut Frame, app: &App, area: Rect, colours: bool) {
    let block = block(app.texts.label(labels::PLAYERS));
    let width = block.inner(area).width;
    let players = [Player::Black, Player::White];
    let mut lines = Vec::from(players.map(|player| player_line(app, player, colours)));
    if app.shows_win_probability {
        lines.push(match app.session.black_win_probability() {
            Some(black_wins) => win_probability_bar(black_wins, width, colours),
            None => Line::from(app.texts.label(labels::WIN_PROBABILITY_PENDING)).dim(),
        });
    }
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// Returns the letter and the colour that represent a player: `B` and black, or `W` and white.
const fn letter_and_colour(player: Player) -> (&'static str, Color) {
    match player {
        Player::Black => ("B", colour::BLACK),
        Player::White => ("W", colour::WHITE),
    }
}

/// Returns the symbol of a player: a disc in the player's colour, or the letter `B` or `W` if colours are off.
fn player_symbol(player: Player, colours: bool) -> Span<'static> {
    match (letter_and_colour(player), colours) {
        ((_, own_colour), true) => Span::from(" ● ").fg(own_colour).bg(colour::SQUARE[0]),
        ((letter, _), false) => Span::from(format!(" {letter} ")),
    }
}

/// Returns the line about a player in the panel: the mark `▸` if the player is to move, the colour, and who plays it.
/// Then comes "has won" for the winner, or the time that a bot has been searching for its move.
fn player_line(app: &App, player: Player, colours: bool) -> Line<'static> {
    let game = app.session.game();
    let (is_to_move, winner) = (game.to_move() == player, game.winner());
    let has_turn = is_to_move && winner.is_none();
    let arrow = if has_turn { "▸ " } else { "  " };
    let name = app.texts.named_player(app.session.state(), player);
    let mut spans = vec![
        Span::from(arrow),
        player_symbol(player, colours),
        Span::from(format!(" {}  ", app.texts.player(player))),
        Span::from(name).dim(),
    ];
    if winner == Some(player) {
        spans.push(format!("  {}", app.texts.label(labels::HAS_WON)).bold());
    } else if is_to_move && let Some(spinner) = spinner(app) {
        spans.push(Span::from(format!("  {spinner}")));
    }
    match is_to_move || winner == Some(player) {
        true => Line::from(spans).bold(),
        false => Line::from(spans),
    }
}

/// Returns the text that shows that the bot is searching for its move: a rotating bar and the seconds since the search
/// began, such as `/ 1.2 s`. Returns `None` if no bot is searching for its move.
#[must_use]
pub fn spinner(app: &App) -> Option<String> {
    let time = app.session.engine.thinking_time()?;
    let frame = ['|', '/', '-', '\\'][time.as_millis() as usize / 100 % 4];
    Some(format!("{frame} {:.1} s", time.as_secs_f32()))
}

/// Returns the line that shows the win probabilities: black's percentage on the left, white's on the right, and a bar
/// between them. `black_wins` is black's win probability, from 0 to 1. The line is `width` columns wide.
fn win_probability_bar(black_wins: f32, width: u16, colours: bool) -> Line<'static> {
    let percent = 100.0 * black_wins;
    let [left, right] = [percent, 100.0 - percent].map(|share| format!(" {share:.0} % "));
    // The bar gets the columns that remain after both percentages and 7 other columns: 3 for the symbol of each player,
    // and 1 that stays empty at the right edge.
    let bar_width = usize::from(width).saturating_sub(7 + left.len() + right.len());
    let black = (bar_width as f32 * black_wins).round() as usize;
    let part = |player, columns| match (letter_and_colour(player), colours) {
        ((_, colour), true) => Span::from(" ".repeat(columns)).bg(colour),
        ((letter, _), false) => Span::from(letter.repeat(columns)),
    };
    Line::from(vec![
        player_symbol(Player::Black, colours),
        Span::from(left),
        part(Player::Black, black),
        part(Player::White, bar_width - black),
        Span::from(right),
        player_symbol(Player::White, colours),
    ])
}

/// Draws the list of moves into `area`, with one line for each round (a move of black, then one of white). The line
/// with the last move before the shown position is bold. The list is scrolled so that this line is visible; the user
/// can scroll up from there.
fn draw_move_list(frame: &mut Frame, app: &App, area: Rect) {
    let block = block(app.texts.label(labels::RECORD));
    let moves = app.session.game().moves();
    let text = app.texts.move_list(moves);
    let mut lines: Vec<Line> = text.lines().map(Line::from).collect();
    let shown = app.session.viewed_ply.unwrap_or(moves.len());
    let current = shown.div_ceil(2).saturating_sub(1);
    if let Some(line) = lines.get_mut(current) {
        *line = std::mem::take(line).bold();
    }
    let height: usize = block.inner(area).height.into();
    let hidden = (current + 1).saturating_sub(height);
    let first = hidden.saturating_sub(app.scroll_from_end.into()) as u16;
    let record = Paragraph::new(lines).scroll((first, 0)).block(block);
    frame.render_widget(record, area);
}
