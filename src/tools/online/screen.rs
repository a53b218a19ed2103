//! What people see: a live screen on a terminal, else one line for each event.

use super::news::News;
use super::quiet::Quiet;
use super::view::MatchView;
use crate::board::{Cell, Player, Square};
use crate::console::print;
use crate::tools::support::language::Language;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use ratatui::{Frame, buffer::Buffer, widgets::Widget};
use std::collections::VecDeque;
use std::io::{self, Stdin, Stdout, stdin, stdout};
use std::panic;

/// Columns and rows of a match on the live screen.
const TILE: [u16; 2] = [28, 13];

/// Lines of news that the live screen keeps.
const MOST_NEWS: usize = 100;

/// Where people look.
pub enum Screen {
    /// One line for each event on standard output.
    Lines(Language),
    /// The whole terminal.
    Full(Box<Full>),
}

impl Screen {
    /// Takes the terminal over, unless lines are wanted.
    ///
    /// # Errors
    /// If the terminal refuses.
    pub fn open(is_full: bool, language: Language) -> io::Result<Screen> {
        match is_full {
            true => Ok(Screen::Full(Box::new(Full::open(language)?))),
            false => Ok(Screen::Lines(language)),
        }
    }

    /// Tells news.
    ///
    /// # Errors
    /// If standard output can't be written.
    pub fn tell(&mut self, news: &News) -> io::Result<()> {
        match self {
            Screen::Lines(language) => print(news.text(*language) + "\n"),
            Screen::Full(full) => {
                full.keep(news);
                Ok(())
            }
        }
    }

    /// Draws the matches under way below the score, if this is a live screen.
    ///
    /// # Errors
    /// If the terminal can't be written.
    pub fn draw(&mut self, score: &[String], matches: &[MatchView]) -> io::Result<()> {
        match self {
            Screen::Lines(_) => Ok(()),
            Screen::Full(full) => full.draw(score, matches),
        }
    }
}

/// The whole terminal. Dropped, it is as before.
pub struct Full {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    language: Language,
    news: VecDeque<String>,
    _quiet: Option<Quiet<'static>>,
}

impl Full {
    fn open(language: Language) -> io::Result<Full> {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_back();
            previous(info);
        }));
        // Standard input lives as long as the program.
        let input: &'static Stdin = Box::leak(Box::new(stdin()));
        let full = Full {
            terminal: Terminal::new(CrosstermBackend::new(stdout()))?,
            language,
            news: VecDeque::new(),
            _quiet: Quiet::new(input).ok(),
        };
        execute!(stdout(), EnterAlternateScreen)?;
        Ok(full)
    }

    fn keep(&mut self, news: &News) {
        self.news.push_back(news.text(self.language));
        if self.news.len() > MOST_NEWS {
            self.news.pop_front();
        }
    }

    fn draw(&mut self, score: &[String], matches: &[MatchView]) -> io::Result<()> {
        let (language, news) = (self.language, &self.news);
        let draw = |frame: &mut Frame| {
            let area = frame.area();
            paint(frame.buffer_mut(), area, score, matches, news, language);
        };
        self.terminal.draw(draw).map(drop)
    }
}

impl Drop for Full {
    fn drop(&mut self) {
        give_back();
    }
}

/// Restores the terminal. A failure has nobody to be reported to.
fn give_back() {
    let _ = execute!(stdout(), LeaveAlternateScreen, Show);
}

/// Paints the score, the matches side by side, and the last news below them.
fn paint(
    buffer: &mut Buffer,
    area: Rect,
    score: &[String],
    matches: &[MatchView],
    news: &VecDeque<String>,
    language: Language,
) {
    let mut y = area.y;
    let row = |y: u16, height: u16| Rect { y, height, ..area }.intersection(area);
    for line in score {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        Paragraph::new(Line::styled(line.as_str(), bold)).render(row(y, 1), buffer);
        y += 1;
    }
    y += 1;
    let columns = usize::from((area.width / TILE[0]).max(1));
    for tiles in matches.chunks(columns) {
        for (at, view) in (0..).zip(tiles) {
            let tile = Rect::new(area.x + TILE[0] * at, y, TILE[0], TILE[1]);
            Paragraph::new(tile_lines(view, language)).render(tile.intersection(area), buffer);
        }
        y = y.saturating_add(TILE[1]);
    }
    let left = usize::from(area.bottom().saturating_sub(y));
    let shown = news.iter().skip(news.len().saturating_sub(left));
    for line in shown {
        Paragraph::new(line.as_str()).render(row(y, 1), buffer);
        y += 1;
    }
}

/// A match: its id, its board, and how it stands.
fn tile_lines(view: &MatchView, language: Language) -> Vec<Line<'static>> {
    let mut lines = vec![Line::raw(view.id.to_string())];
    lines.push(Line::raw("  a b c d e f g h"));
    for y in 0..8 {
        let mut spans = vec![Span::raw(format!("{}", y + 1))];
        for x in 0..8 {
            let cell = Square::new(x, y).map_or(Cell::Empty, |square| view.board[square]);
            spans.push(Span::raw(" "));
            spans.push(mark(cell));
        }
        lines.push(Line::from(spans));
    }
    let [standing, clock] = standing(view, language);
    lines.push(Line::raw(standing));
    lines.push(Line::raw(clock));
    lines
}

/// A square as it is drawn.
fn mark(cell: Cell) -> Span<'static> {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    match cell {
        Cell::Amazon(Player::Black) => Span::styled("B", bold.fg(Color::Yellow)),
        Cell::Amazon(Player::White) => Span::styled("W", bold.fg(Color::Cyan)),
        Cell::Arrow => Span::styled("x", Style::new().fg(Color::DarkGray)),
        _ => Span::raw("."),
    }
}

/// Our colour, the ply and our win probability; then whose clock runs, and for how long.
fn standing(view: &MatchView, language: Language) -> [String; 2] {
    let is_english = language == Language::En;
    let colour = match (view.colour, is_english) {
        (Some(colour), true) => format!("{colour}, "),
        (Some(Player::Black), false) => "执黑,".to_owned(),
        (Some(Player::White), false) => "执白,".to_owned(),
        (None, _) => String::new(),
    };
    let chance = view.chance.map(|chance| 100.0 * chance);
    let chance = chance.map_or(String::new(), |chance| format!(", {chance:.0} %"));
    let seconds = view.clock.as_secs_f32();
    let plies = view.plies;
    match (is_english, view.is_ours) {
        (true, ours) => {
            let whose = if ours { "we think" } else { "they think" };
            [
                format!("{colour}ply {plies}{chance}"),
                format!("{whose}, {seconds:.0} s"),
            ]
        }
        (false, ours) => {
            let whose = if ours { "我方思考" } else { "对手思考" };
            [
                format!("{colour}第 {plies} 步{chance}"),
                format!("{whose} {seconds:.0} 秒"),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use std::time::Duration;

    #[test]
    fn a_screen_of_any_size_is_painted() {
        let view = MatchView {
            id: "594553a2630d4c0758e2b2b1".parse().expect("an id"),
            board: Board::start(),
            plies: 0,
            colour: Some(Player::Black),
            chance: Some(0.5),
            is_ours: true,
            clock: Duration::from_secs(2),
        };
        let views = [view.clone(), view.clone(), view];
        let news: VecDeque<String> = (0..50).map(|line| format!("news {line}")).collect();
        for (width, height) in [(1, 1), (20, 5), (80, 24), (200, 60)] {
            for language in [Language::En, Language::Zh] {
                let area = Rect::new(0, 0, width, height);
                let mut buffer = Buffer::empty(area);
                paint(
                    &mut buffer,
                    area,
                    &["3-1".to_owned()],
                    &views,
                    &news,
                    language,
                );
                let text: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
                assert!(text.starts_with('3'));
                let whole = width > 56 && height > 13;
                assert_eq!(text.matches("a b c d e f g h").count() > 1, whole);
            }
        }
    }
}
