//! What people see: a live screen on a terminal, else one line for each event.

use super::lookout::Detail;
use super::news::{line, side};
use super::seat::{Seat, Stage};
use crate::board::{Cell, Player, Square};
use crate::console::print;
use crate::tools::analysis::glossary::{Language, Term, say};
use crate::tools::platform::address::Id;
use crate::tools::system::Quiet;
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
use std::fmt::Display;
use std::io::{self, Stdout, stdin, stdout};
use std::panic;

/// Columns and rows of a match on the live screen.
const TILE: [u16; 2] = [28, 13];

/// Lines of news that the live screen keeps.
const MOST_NEWS: usize = 100;

/// A match under way, and what is kept of it beside its seat.
pub type Shown<'a> = (Id, &'a Seat, Detail);

/// Where people look.
pub struct Screen {
    /// The language of all that is said.
    pub language: Language,
    /// The whole terminal; without it, standard output has one line for each event.
    pub full: Option<Full>,
}

impl Screen {
    /// Takes the terminal over, unless lines are wanted.
    ///
    /// # Errors
    /// If the terminal refuses.
    pub fn open(is_full: bool, language: Language) -> io::Result<Screen> {
        let full = is_full.then(Full::open).transpose()?;
        Ok(Screen { language, full })
    }

    /// Tells news.
    ///
    /// # Errors
    /// If standard output can't be written.
    pub fn tell(&mut self, news: Term, parts: &[&dyn Display]) -> io::Result<()> {
        let line = line(news, self.language, parts);
        let Some(full) = &mut self.full else {
            return print(line + "\n");
        };
        full.news.push_back(line);
        if full.news.len() > MOST_NEWS {
            full.news.pop_front();
        }
        Ok(())
    }

    /// Draws the matches under way below the score, if this is a live screen.
    ///
    /// # Errors
    /// If the terminal can't be written.
    pub fn draw(&mut self, score: &[String], matches: &[Shown]) -> io::Result<()> {
        let Some(Full { terminal, news, .. }) = &mut self.full else {
            return Ok(());
        };
        let draw = |frame: &mut Frame| {
            paint(frame.buffer_mut(), score, matches, news, self.language);
        };
        terminal.draw(draw).map(drop)
    }
}

/// The whole terminal. Dropped, it is as before.
pub struct Full {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    news: VecDeque<String>,
    _quiet: Option<Quiet>,
}

impl Full {
    fn open() -> io::Result<Full> {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_back();
            previous(info);
        }));
        let full = Full {
            terminal: Terminal::new(CrosstermBackend::new(stdout()))?,
            news: VecDeque::new(),
            _quiet: Quiet::new(stdin()).ok(),
        };
        execute!(stdout(), EnterAlternateScreen)?;
        Ok(full)
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
    score: &[String],
    matches: &[Shown],
    news: &VecDeque<String>,
    language: Language,
) {
    let area = buffer.area;
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
        for (at, &shown) in (0..).zip(tiles) {
            let tile = Rect::new(area.x + TILE[0] * at, y, TILE[0], TILE[1]);
            Paragraph::new(tile_lines(shown, language)).render(tile.intersection(area), buffer);
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
fn tile_lines((id, seat, detail): Shown, language: Language) -> Vec<Line<'static>> {
    let mut board = seat.board().clone();
    let answer = seat.answer();
    let is_answered = answer.is_some_and(|answer| board.play(answer).is_ok());
    let plies = seat.moves().len() + usize::from(is_answered);
    let mut lines = vec![Line::raw(id.to_string())];
    lines.push(Line::raw("  a b c d e f g h"));
    for y in 0..8 {
        let mut spans = vec![Span::raw(format!("{}", y + 1))];
        for x in 0..8 {
            let cell = Square::new(x, y).map_or(Cell::Empty, |square| board[square]);
            spans.push(Span::raw(" "));
            spans.push(mark(cell));
        }
        lines.push(Line::from(spans));
    }
    lines.extend(standing(seat, plies, detail, language).map(Line::raw));
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
fn standing(seat: &Seat, plies: usize, detail: Detail, language: Language) -> [String; 2] {
    let colour = seat.colour().map(|colour| side(colour, language));
    let colour = colour.map_or(String::new(), |colour| {
        say!(language, "{colour}, ", "{colour}，")
    });
    let chance = detail.chance.map(|chance| 100.0 * chance);
    let chance = chance.map_or(String::new(), |chance| {
        say!(language, ", {chance:.0} %", "，{chance:.0} %")
    });
    let seconds = detail.heard.elapsed().as_secs_f32();
    let clock = match seat.stage() {
        Stage::Thinking | Stage::Due => {
            say!(
                language,
                "we think, {seconds:.0} s",
                "我方思考 {seconds:.0} 秒"
            )
        }
        _ => say!(
            language,
            "they think, {seconds:.0} s",
            "对手思考 {seconds:.0} 秒"
        ),
    };
    [
        say!(
            language,
            "{colour}ply {plies}{chance}",
            "{colour}第 {plies} 步{chance}"
        ),
        clock,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::online::lookout::Lookout;
    use crate::tools::online::timing::Timing;

    #[test]
    fn a_screen_of_any_size_is_painted() {
        let id = "594553a2630d4c0758e2b2b1".parse().expect("an id");
        let seat = Seat::new(Some(Player::Black));
        let detail = *Lookout::new(Timing::of(true)).of(id);
        let shown = [(id, &seat, detail); 3];
        let news: VecDeque<String> = (0..50).map(|line| format!("news {line}")).collect();
        for (width, height) in [(1, 1), (20, 5), (80, 24), (200, 60)] {
            for language in Language::ALL {
                let area = Rect::new(0, 0, width, height);
                let mut buffer = Buffer::empty(area);
                let score = ["3-1".to_owned()];
                paint(&mut buffer, &score, &shown, &news, language);
                let text: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
                assert!(text.starts_with('3'));
                let whole = width > 56 && height > 13;
                assert_eq!(text.matches("a b c d e f g h").count() > 1, whole);
            }
        }
    }
}
