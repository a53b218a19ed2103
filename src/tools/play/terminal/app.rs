//! State of the full-screen interface, and how keys and mouse change it.

use super::layout::Layout;
use super::overlay::Overlay;
use crate::play::command::{self, Action, Look, Typed};
use crate::play::sitting::{ActionResult, Note, Sitting};
use crate::play::words::{Words, labels};
use analysis::glossary::Term;
use analysis::primer::STEPS;
use base::workers::EXIT_INTERRUPTED;
use engine::board::{SIDE, Square};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Stylize};
use ratatui::text::Line;
use std::time::Duration;

/// State of the full-screen interface.
pub struct App {
    pub sitting: Sitting,
    pub words: Words,
    pub cursor: Square,
    /// Text of the command that is being typed.
    pub line: String,
    /// Message about the last action, or the reason why it was rejected.
    pub message: Line<'static>,
    /// Whether the user asked for a hint in the current position.
    pub hint: bool,
    /// Whether the win probability is shown.
    pub bar: bool,
    /// Whether each empty square shows which player owns it.
    pub territory: bool,
    /// Help or other text that covers the board, if any.
    pub overlay: Option<Overlay>,
    /// Number of lines by which the record of moves is scrolled up from its end.
    pub back: u16,
    /// Exit code of the program, once the game is to end.
    pub exit: Option<u8>,
}

impl App {
    /// Creates the interface to a session; `note` is the first message.
    #[must_use]
    pub fn new(sitting: Sitting, note: Option<Note>) -> App {
        let words = sitting.words;
        let mut app = App {
            sitting,
            words,
            cursor: Square::new(2, 0).expect("on the board"),
            line: String::new(),
            message: Line::from(words.label(labels::WELCOME)),
            hint: false,
            bar: false,
            territory: false,
            overlay: None,
            back: 0,
            exit: None,
        };
        if let Some(note) = note {
            app.tell(note);
        }
        app
    }

    /// Shows messages of the engine. Starts a search for advice if the win probability is shown and no search is running.
    pub fn tick(&mut self) {
        if self.bar && !self.sitting.is_waiting() {
            // This fails if the game is over, which needs no message.
            let _ = self.sitting.ask_advice();
        }
        if let Some(note) = self.sitting.wait(Duration::ZERO) {
            self.tell(note);
        }
    }

    /// Handles a key or mouse event; `area` is the screen as drawn when the event occurred.
    pub fn on_event(&mut self, event: &Event, area: Rect) {
        match event {
            Event::Key(key) if !key.is_release() => self.on_key(*key, area),
            Event::Mouse(mouse) if self.overlay.is_none() => self.on_mouse(*mouse, area),
            _ => {}
        }
    }

    fn on_mouse(&mut self, mouse: MouseEvent, area: Rect) {
        let Some(layout) = Layout::of(area) else {
            return;
        };
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let position = Position::new(mouse.column, mouse.row);
                if let Some(square) = layout.square_at(position) {
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

    fn on_key(&mut self, key: KeyEvent, area: Rect) {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if is_control && key.code == KeyCode::Char('c') {
            self.exit = Some(EXIT_INTERRUPTED);
        } else if self.sitting.question.is_some() && !is_control {
            self.on_answer_key(key.code);
        } else if Layout::of(area).is_none() {
            // If the terminal is too small for the board, `q` quits and any other key is ignored.
            if key.code == KeyCode::Char('q') {
                self.act(&Action::Quit);
            }
        } else if is_control {
            self.on_control_key(key.code);
        } else if self.overlay.is_some() {
            self.on_overlay_key(key.code, area);
        } else if self.line.is_empty() {
            self.on_board_key(key.code);
        } else {
            self.on_typing_key(key.code);
        }
    }

    fn on_control_key(&mut self, key: KeyCode) {
        self.overlay = None;
        match key {
            KeyCode::Char('u') => self.line.clear(),
            KeyCode::Char('w') => erase_word(&mut self.line),
            KeyCode::Char('h') => drop(self.line.pop()),
            KeyCode::Char('z') => self.act(&Action::Undo),
            KeyCode::Char('y') => self.act(&Action::Redo),
            KeyCode::Char('n') => self.act(&Action::New),
            KeyCode::Char('t') => self.execute(&Typed::Territory),
            KeyCode::Char('p') => self.execute(&Typed::Win),
            KeyCode::Char('s') => self.begin_line("save"),
            KeyCode::Char('o') => self.begin_line("load"),
            _ => {}
        }
    }

    /// Handles a key while a yes-or-no question is open.
    fn on_answer_key(&mut self, key: KeyCode) {
        match key {
            KeyCode::Char(character) if let Some(yes) = command::answer(&character.to_string()) => {
                let outcome = self.sitting.answer(yes);
                self.done(outcome);
            }
            KeyCode::Esc => self.step_back(),
            _ => {}
        }
    }

    /// Handles a key while an overlay covers the board: scrolls it, or closes it.
    fn on_overlay_key(&mut self, key: KeyCode, area: Rect) {
        let Some(overlay) = &mut self.overlay else {
            return;
        };
        let lines = match key {
            KeyCode::Up => -1,
            KeyCode::Down => 1,
            KeyCode::PageUp => -10,
            KeyCode::PageDown => 10,
            _ => return self.overlay = None,
        };
        let first = overlay.first.saturating_add_signed(lines);
        overlay.first = first.min(overlay.hidden_rows(area));
    }

    /// Handles a key while the user is typing a command.
    fn on_typing_key(&mut self, key: KeyCode) {
        match key {
            KeyCode::Enter => self.submit(),
            KeyCode::Esc => self.line.clear(),
            KeyCode::Backspace => drop(self.line.pop()),
            KeyCode::Char(character) if !character.is_control() => self.line.push(character),
            _ => self.on_board_key(key),
        }
    }

    /// Handles a key while no command is being typed.
    fn on_board_key(&mut self, key: KeyCode) {
        match key {
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Right => self.move_cursor(1, 0),
            KeyCode::Up => self.move_cursor(0, -1),
            KeyCode::Down => self.move_cursor(0, 1),
            KeyCode::PageUp => self.scroll(5),
            KeyCode::PageDown => self.scroll(-5),
            KeyCode::Enter => self.pick(),
            KeyCode::Char(' ') => self.pause_or_pick(),
            KeyCode::Esc => self.step_back(),
            KeyCode::Tab => self.execute(&Typed::Hint),
            KeyCode::Char('[') => self.act(&Action::Look(Look::Back)),
            KeyCode::Char(']') => self.act(&Action::Look(Look::Forward)),
            KeyCode::Char('?') | KeyCode::F(1) => self.execute(&Typed::Help),
            KeyCode::Char('q') => self.act(&Action::Quit),
            KeyCode::Char(character) if character.is_alphanumeric() => self.line.push(character),
            _ => {}
        }
    }

    /// Starts typing `command` for the user, followed by the file that was used last.
    fn begin_line(&mut self, command: &str) {
        let file = self.sitting.table().file.as_ref();
        let file = file.map_or("game.json".into(), |file| file.to_string_lossy());
        self.line = format!("{command} {file}");
    }

    /// Carries out the command that the user typed.
    fn submit(&mut self) {
        match command::parse(&std::mem::take(&mut self.line), self.words) {
            Ok(Some(command)) => self.execute(&command),
            Ok(None) => {}
            Err(why) => self.complain(&why),
        }
    }

    fn execute(&mut self, command: &Typed) {
        match command {
            Typed::Game(action) => self.act(action),
            Typed::Hint => match self.sitting.ask_advice() {
                Ok(()) => {
                    self.hint = true;
                    self.label(labels::LOOKING_FOR_HINT);
                    self.show_hint();
                }
                Err(why) => self.complain(&why),
            },
            Typed::Win => {
                self.bar = !self.bar;
                self.label(if self.bar {
                    labels::WIN_ON
                } else {
                    labels::WIN_OFF
                });
            }
            Typed::Territory => {
                self.territory = !self.territory;
                self.label(match self.territory {
                    true => labels::TERRITORY_ON,
                    false => labels::TERRITORY_OFF,
                });
            }
            Typed::Board => self.label(labels::ON_SCREEN),
            Typed::Record => {
                self.note("");
                let record = self.words.record(self.sitting.game().moves());
                self.overlay = Some(Overlay::of_lines(&record, labels::RECORD));
            }
            Typed::Help => {
                self.note("");
                self.overlay = Some(Overlay::help(self.words));
            }
        }
    }

    fn act(&mut self, action: &Action) {
        let outcome = self.sitting.act(action);
        self.done(outcome);
    }

    /// Chooses the square under the cursor.
    fn pick(&mut self) {
        let outcome = self.sitting.pick(self.cursor);
        self.done(outcome);
    }

    /// Pauses or resumes the bots; if no bot is to move, chooses the square under the cursor.
    fn pause_or_pick(&mut self) {
        let game = self.sitting.game();
        match (game.paused, game.bot_to_move()) {
            (true, _) => self.act(&Action::Go),
            (false, Some(_)) => self.act(&Action::Pause),
            (false, None) => self.pick(),
        }
    }

    /// Shows the outcome of an action, and sets the exit code if the action ends the session.
    fn done(&mut self, outcome: ActionResult) {
        if self.sitting.has_ended {
            self.exit = Some(0);
        }
        match outcome {
            Ok(None) => {
                self.note("");
                self.position_changed();
            }
            Ok(Some(note)) => self.tell(note),
            Err(why) => self.complain(&why),
        }
    }

    /// Shows a message.
    fn tell(&mut self, note: Note) {
        match note {
            Note::Advice => self.show_hint(),
            Note::Said(text) => {
                self.position_changed();
                self.note(&text);
            }
            Note::Lesson(text) => {
                self.position_changed();
                let step = self.sitting.table().step;
                self.note(step.map_or("", |at| self.words.label(STEPS[at].task)));
                self.overlay = Some(Overlay::of_lines(&text, labels::RULES));
            }
        }
    }

    fn step_back(&mut self) {
        self.sitting.step_back();
        self.hint = false;
        self.note("");
    }

    /// Drops a hint that no longer belongs to the current position, and scrolls the record of moves to its end.
    fn position_changed(&mut self) {
        self.hint &= self.sitting.engine.advice.is_some();
        self.back = 0;
    }

    /// Shows the hint if the user asked for one and the search has finished.
    fn show_hint(&mut self) {
        if let Some(advice) = self.sitting.engine.advice.filter(|_| self.hint) {
            self.note(&self.words.advice(advice));
        }
    }

    fn move_cursor(&mut self, dx: i8, dy: i8) {
        let moved = |place: u8, by: i8| place.saturating_add_signed(by).min(SIDE as u8 - 1);
        let square = Square::new(moved(self.cursor.x(), dx), moved(self.cursor.y(), dy));
        self.cursor = square.expect("on the board");
    }

    fn scroll(&mut self, lines: i16) {
        let rounds = self.sitting.game().moves().len().div_ceil(2) as u16;
        self.back = self.back.saturating_add_signed(lines).min(rounds);
    }

    fn note(&mut self, text: &str) {
        self.message = Line::from(text.to_owned());
    }

    fn label(&mut self, term: Term) {
        self.note(self.words.label(term));
    }

    fn complain(&mut self, why: &str) {
        self.message = Line::from(format!("! {why}")).fg(Color::Red);
    }
}

/// Removes the last word of `line` and the blanks after it.
fn erase_word(line: &mut String) {
    let rest = line.trim_end();
    let end = rest.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    line.truncate(end);
}
