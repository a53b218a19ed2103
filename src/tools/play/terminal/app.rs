//! The state of the interface, and what keys and mouse do to it.

use super::layout::Layout;
use crate::board::{SIDE, Square};
use crate::tools::ToolError;
use crate::tools::play::chances;
use crate::tools::play::command::{self, Action, Command};
use crate::tools::play::session::{News, Session};
use crate::tools::workers::INTERRUPTED;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};
use std::time::Duration;

/// The keys and what they do; every other one begins a line of text.
pub const KEYS: [(&str, &str); 11] = [
    (
        "arrows, Enter",
        "move the cursor, choose a square; so does a click",
    ),
    ("Esc", "step back"),
    ("a1 to h8", "type squares or commands, then Enter"),
    ("Tab", "hint"),
    ("Ctrl-Z, Ctrl-Y", "undo, redo"),
    ("Ctrl-P", "win probability on and off"),
    ("Ctrl-S, Ctrl-O", "save, load"),
    ("Page Up, Down", "look through the record"),
    ("Space", "let bots that wait go on"),
    ("?", "these lines"),
    ("q, Ctrl-C", "quit"),
];

/// What was done last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// It went well.
    Note(String),
    /// Nothing was changed.
    Fault(String),
}

/// The state of the interface.
pub struct App {
    /// The game and its bot.
    pub session: Session,
    /// Where the cursor is.
    pub cursor: Square,
    /// What is being typed.
    pub input: String,
    /// What was done last.
    pub message: Message,
    /// Whether a hint is wanted.
    pub hint: bool,
    /// Whether the win probability is shown.
    pub bar: bool,
    /// How far the keys are scrolled, if they are shown.
    pub help: Option<u16>,
    /// How many lines the record is scrolled back from its end.
    pub back: u16,
    /// The exit code, if it is time to end.
    pub exit: Option<u8>,
}

impl App {
    /// The interface to a session.
    #[must_use]
    pub fn new(session: Session) -> App {
        App {
            session,
            cursor: Square::new(2, 0).expect("on the board"),
            input: String::new(),
            message: Message::Note("? shows the keys".to_owned()),
            hint: false,
            bar: false,
            help: None,
            back: 0,
            exit: None,
        }
    }

    /// Looks what the bot has done; lets it think if there is something to think about.
    pub fn tick(&mut self) {
        if self.bar && !self.session.is_waiting() {
            // A game that is over needs no advice.
            let _ = self.session.ask_advice();
        }
        match self.session.wait(Duration::ZERO) {
            Some(News::Played(player, turn)) => {
                self.note(format!("{player} played {turn}"));
                self.board_changed();
            }
            Some(News::Advice(_)) => self.show_hint(),
            None => {}
        }
    }

    /// Does what an event asks for; `area` is the screen that the user saw.
    pub fn on_event(&mut self, event: &Event, area: Rect) {
        match event {
            Event::Key(key) if !key.is_release() => self.on_key(*key),
            Event::Mouse(mouse) if self.help.is_none() => self.on_mouse(*mouse, area),
            _ => {}
        }
    }

    fn on_mouse(&mut self, mouse: MouseEvent, area: Rect) {
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let position = Position::new(mouse.column, mouse.row);
                let layout = Layout::of(area);
                if let Some(square) = layout.and_then(|layout| layout.square_at(position)) {
                    self.cursor = square;
                    self.pick();
                }
            }
            MouseEventKind::Down(MouseButton::Right) => self.step_back(),
            MouseEventKind::ScrollUp => self.scroll(1),
            MouseEventKind::ScrollDown => self.scroll(-1),
            _ => {}
        }
    }

    fn on_key(&mut self, key: KeyEvent) {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            self.on_control_key(key.code);
        } else if let Some(line) = self.help {
            self.help = match key.code {
                KeyCode::Up => Some(line.saturating_sub(1)),
                KeyCode::Down => Some(line.saturating_add(1)),
                _ => None,
            };
        } else if self.input.is_empty() {
            self.on_board_key(key.code);
        } else {
            self.on_typing_key(key.code);
        }
    }

    fn on_control_key(&mut self, key: KeyCode) {
        match key {
            KeyCode::Char('c') => self.exit = Some(INTERRUPTED),
            KeyCode::Char('z') => self.act(&Action::Undo),
            KeyCode::Char('y') => self.act(&Action::Redo),
            KeyCode::Char('p') => self.execute(&Command::Win),
            KeyCode::Char('s') => self.begin_line("save"),
            KeyCode::Char('o') => self.begin_line("load"),
            _ => {}
        }
    }

    /// A key while a line is being typed.
    fn on_typing_key(&mut self, key: KeyCode) {
        match key {
            KeyCode::Char(char) => self.input.push(char),
            KeyCode::Backspace => drop(self.input.pop()),
            KeyCode::Esc => self.input.clear(),
            KeyCode::Enter => self.submit(),
            _ => self.on_board_key(key),
        }
    }

    /// A key while nothing is being typed.
    fn on_board_key(&mut self, key: KeyCode) {
        match key {
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Right => self.move_cursor(1, 0),
            KeyCode::Up => self.move_cursor(0, -1),
            KeyCode::Down => self.move_cursor(0, 1),
            KeyCode::PageUp => self.scroll(5),
            KeyCode::PageDown => self.scroll(-5),
            KeyCode::Enter | KeyCode::Char(' ') => self.pick(),
            KeyCode::Esc => self.step_back(),
            KeyCode::Tab => self.execute(&Command::Hint),
            KeyCode::Char('?') | KeyCode::F(1) => self.execute(&Command::Help),
            KeyCode::Char('q') => self.execute(&Command::Quit),
            KeyCode::Char(char) if char.is_alphanumeric() => self.input.push(char),
            _ => {}
        }
    }

    /// Begins a line with a command and the file that was used last.
    fn begin_line(&mut self, command: &str) {
        let file = self.session.file();
        let file = file.map_or("game.json".into(), |file| file.to_string_lossy());
        self.input = format!("{command} {file}");
    }

    /// Does what was typed; what can't be done stays to be mended.
    fn submit(&mut self) {
        match command::parse(&self.input) {
            Ok(Some(command)) => {
                self.execute(&command);
                if !matches!(self.message, Message::Fault(_)) {
                    self.input.clear();
                }
            }
            Ok(None) => self.input.clear(),
            Err(error) => self.fault(&error.into()),
        }
    }

    fn execute(&mut self, command: &Command) {
        match command {
            Command::Game(action) => self.act(action),
            Command::Hint => match self.session.ask_advice() {
                Ok(()) => {
                    self.hint = true;
                    self.note("looking for a hint".to_owned());
                    self.show_hint();
                }
                Err(refusal) => self.fault(&refusal.into()),
            },
            Command::Win => {
                self.bar = !self.bar;
                let state = if self.bar { "on" } else { "off" };
                self.note(format!("win probability {state}"));
            }
            Command::Board | Command::Record => self.note("it is on the screen".to_owned()),
            Command::Help => {
                self.note(String::new());
                self.help = Some(0);
            }
            Command::Quit => self.exit = Some(0),
        }
    }

    fn act(&mut self, action: &Action) {
        let result = self.session.act(action);
        // Moves are asked for and saved games are left without a change of the board.
        let keeps_board = matches!(action, Action::Moves(_) | Action::Save(_));
        self.done(result, !keeps_board);
    }

    /// Chooses the square under the cursor; lets bots that wait go on.
    fn pick(&mut self) {
        if self.session.game().is_paused() {
            return self.act(&Action::Go);
        }
        let result = self.session.pick(self.cursor);
        self.done(result, true);
    }

    /// Says how it went.
    fn done(&mut self, result: Result<Option<String>, ToolError>, board_changed: bool) {
        match result {
            Ok(message) => {
                self.note(message.unwrap_or_default());
                if board_changed {
                    self.board_changed();
                }
            }
            Err(error) => self.fault(&error),
        }
    }

    fn step_back(&mut self) {
        self.session.step_back();
        self.hint = false;
        self.note(String::new());
    }

    /// What belonged to the position before is not shown any longer.
    fn board_changed(&mut self) {
        self.hint &= self.session.advice().is_some();
        self.back = 0;
    }

    /// Says the hint, if it is wanted and there.
    fn show_hint(&mut self) {
        if let Some(advice) = self.session.advice().filter(|_| self.hint) {
            let chances = chances(advice.black_wins);
            self.note(format!("hint: {}  ({chances})", advice.turn));
        }
    }

    fn move_cursor(&mut self, dx: i8, dy: i8) {
        let moved = |place: u8, by: i8| place.saturating_add_signed(by).min(SIDE as u8 - 1);
        let square = Square::new(moved(self.cursor.x(), dx), moved(self.cursor.y(), dy));
        self.cursor = square.expect("on the board");
    }

    fn scroll(&mut self, lines: i16) {
        let rounds = self.session.game().moves().len().div_ceil(2) as u16;
        self.back = self.back.saturating_add_signed(lines).min(rounds);
    }

    fn note(&mut self, text: String) {
        self.message = Message::Note(text);
    }

    fn fault(&mut self, error: &ToolError) {
        self.message = Message::Fault(error.to_string());
    }
}
