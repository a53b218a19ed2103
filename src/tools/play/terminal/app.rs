//! [`App`], the state of the full-screen interface, and how keys and the mouse change it.

use super::layout::Layout;
use super::overlay::Overlay;
use crate::play::command::{self, Command, GameCommand, ViewTarget};
use crate::play::session::{CommandResult, Message, PlaySession};
use crate::play::texts::{Texts, labels};
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

/// State of the full-screen interface of `amazons play`: the session, and what is shown besides the game. Keys and the
/// mouse change it; the functions in `view.rs` draw it.
pub struct App {
    pub session: PlaySession,
    pub texts: Texts,
    /// Square that the keyboard cursor is on.
    pub cursor: Square,
    /// Text that the user has typed so far in the line for commands, such as `save game.json`; empty if the user has
    /// typed none.
    pub input: String,
    /// Text below the board: the result of the last command, or the reason why it was rejected; empty if there is none.
    pub message: Line<'static>,
    /// True if the user has asked for a hint (a suggested move) in the current position; the search for the hint may
    /// still be running.
    pub shows_hint: bool,
    /// True if the user has turned on the win probability. Every new position in which a person is to move is then
    /// searched.
    pub shows_win_probability: bool,
    /// True if the user has turned on the marks of likely owners: each empty square is marked in the colour of the
    /// player who is likely to own it.
    pub shows_territory: bool,
    /// Help or other text that covers the board; `None` if the board is visible.
    pub overlay: Option<Overlay>,
    /// Number of lines by which the user has scrolled up in the list of moves.
    pub scroll_from_end: u16,
    /// Exit code of the program, set when the user ends the session; until then `None`.
    pub exit_code: Option<u8>,
}

impl App {
    /// Creates the interface for `session`. At first it shows `message`, or a welcome text if `message` is `None`.
    #[must_use]
    pub fn new(session: PlaySession, message: Option<Message>) -> App {
        let texts = session.texts;
        let mut app = App {
            session,
            texts,
            cursor: Square::new(2, 0).expect("on the board"),
            input: String::new(),
            message: Line::from(texts.label(labels::WELCOME)),
            shows_hint: false,
            shows_win_probability: false,
            shows_territory: false,
            overlay: None,
            scroll_from_end: 0,
            exit_code: None,
        };
        if let Some(message) = message {
            app.show_message(message);
        }
        app
    }

    /// Shows the next message that is ready, if any: a text, a hint, or the bot's move. If the user turned on the win
    /// probability, starts a search for it, unless a search is running or a bot is to move. Call this function before
    /// each drawing.
    pub fn tick(&mut self) {
        if self.shows_win_probability && !self.session.has_pending_events() {
            // `request_advice` fails if the game is over, or if a bot is to move. This error is ignored, because the
            // user did not ask for advice here.
            let _ = self.session.request_advice();
        }
        if let Some(message) = self.session.wait_for_message(Duration::ZERO) {
            self.show_message(message);
        }
    }

    /// Handles a key or mouse event. `area` is the area of the whole screen when it was last drawn.
    pub fn on_event(&mut self, event: &Event, area: Rect) {
        match event {
            Event::Key(key) if !key.is_release() => self.on_key(*key, area),
            Event::Mouse(mouse) if self.overlay.is_none() => self.on_mouse(*mouse, area),
            _ => {}
        }
    }

    fn on_mouse(&mut self, mouse: MouseEvent, area: Rect) {
        let Some(layout) = Layout::fit(area) else {
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
            self.exit_code = Some(EXIT_INTERRUPTED);
        } else if self.session.question.is_some() && !is_control {
            self.on_answer_key(key.code);
        } else if Layout::fit(area).is_none() {
            // The terminal is too small for the board: only `q` works, which quits. All other keys are ignored.
            if key.code == KeyCode::Char('q') {
                self.run_command(&GameCommand::Quit);
            }
        } else if is_control {
            self.on_control_key(key.code);
        } else if self.overlay.is_some() {
            self.on_overlay_key(key.code, area);
        } else if self.input.is_empty() {
            self.on_board_key(key.code);
        } else {
            self.on_typing_key(key.code);
        }
    }

    fn on_control_key(&mut self, key: KeyCode) {
        self.overlay = None;
        match key {
            KeyCode::Char('u') => self.input.clear(),
            KeyCode::Char('w') => erase_word(&mut self.input),
            KeyCode::Char('h') => drop(self.input.pop()),
            KeyCode::Char('z') => self.run_command(&GameCommand::Undo),
            KeyCode::Char('y') => self.run_command(&GameCommand::Redo),
            KeyCode::Char('n') => self.run_command(&GameCommand::New),
            KeyCode::Char('t') => self.execute(&Command::Territory),
            KeyCode::Char('p') => self.execute(&Command::WinProbability),
            KeyCode::Char('s') => self.prefill_command("save"),
            KeyCode::Char('o') => self.prefill_command("load"),
            _ => {}
        }
    }

    /// Handles a key while a yes-or-no question is open: `y` answers yes, `n` answers no, Esc drops the question. In
    /// Chinese, the characters for yes and no also answer. Other keys do nothing.
    fn on_answer_key(&mut self, key: KeyCode) {
        match key {
            KeyCode::Char(character)
                if let Some(yes) = command::parse_yes_no(&character.to_string()) =>
            {
                let outcome = self.session.answer(yes);
                self.show_outcome(outcome);
            }
            KeyCode::Esc => self.step_back(),
            _ => {}
        }
    }

    /// Handles a key while a text covers the board: arrow keys and Page Up or Down scroll the text, any other key
    /// closes it. `area` is the area of the whole screen.
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
        let first = overlay.first_line.saturating_add_signed(lines);
        overlay.first_line = first.min(overlay.hidden_lines(area));
    }

    /// Handles a key while the user is typing a command: printable keys and Backspace edit it, Enter carries it out,
    /// Esc clears it. Other keys, such as the arrow keys, do the same as when no command is being typed.
    fn on_typing_key(&mut self, key: KeyCode) {
        match key {
            KeyCode::Enter => self.submit(),
            KeyCode::Esc => self.input.clear(),
            KeyCode::Backspace => drop(self.input.pop()),
            KeyCode::Char(character) if !character.is_control() => self.input.push(character),
            _ => self.on_board_key(key),
        }
    }

    /// Handles a key while no command is being typed.
    ///
    /// - Arrow keys move the cursor. Enter chooses the square under the cursor.
    /// - Space pauses or resumes the bots; if no bot is to move, it chooses the square under the cursor.
    /// - Esc goes back a step, such as the choice of the last square.
    /// - Page Up and Page Down scroll the list of moves. Tab gives a hint.
    /// - `[` and `]` show the previous and the next position, `?` shows the help, `q` quits.
    /// - Any other letter or digit begins a typed command.
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
            KeyCode::Tab => self.execute(&Command::Hint),
            KeyCode::Char('[') => self.run_command(&GameCommand::Look(ViewTarget::Back)),
            KeyCode::Char(']') => self.run_command(&GameCommand::Look(ViewTarget::Forward)),
            KeyCode::Char('?') | KeyCode::F(1) => self.execute(&Command::Help),
            KeyCode::Char('q') => self.run_command(&GameCommand::Quit),
            KeyCode::Char(character) if character.is_alphanumeric() => self.input.push(character),
            _ => {}
        }
    }

    /// Fills the line for commands with `command` (`save` or `load`) and a file's name, for the user to edit. The file
    /// is the one that the game was last saved to or loaded from, else `game.json`.
    fn prefill_command(&mut self, command: &str) {
        let file = self.session.state().file.as_ref();
        let file = file.map_or("game.json".into(), |file| file.to_string_lossy());
        self.input = format!("{command} {file}");
    }

    /// Carries out the command in the line for commands, and clears the line. Shows the error if it is no command.
    fn submit(&mut self) {
        match command::parse(&std::mem::take(&mut self.input), self.texts) {
            Ok(Some(command)) => self.execute(&command),
            Ok(None) => {}
            Err(why) => self.show_error(&why),
        }
    }

    fn execute(&mut self, command: &Command) {
        match command {
            Command::Game(command) => self.run_command(command),
            Command::Hint => match self.session.request_advice() {
                Ok(()) => {
                    self.shows_hint = true;
                    self.show_label(labels::LOOKING_FOR_HINT);
                    self.show_hint();
                }
                Err(why) => self.show_error(&why),
            },
            Command::WinProbability => {
                self.shows_win_probability = !self.shows_win_probability;
                self.show_label(match self.shows_win_probability {
                    true => labels::WIN_PROBABILITY_ON,
                    false => labels::WIN_PROBABILITY_OFF,
                });
            }
            Command::Territory => {
                self.shows_territory = !self.shows_territory;
                self.show_label(match self.shows_territory {
                    true => labels::TERRITORY_ON,
                    false => labels::TERRITORY_OFF,
                });
            }
            Command::Board => self.show_label(labels::ALREADY_SHOWN),
            Command::Record => {
                self.show_text("");
                let record = self.texts.move_list(self.session.game().moves());
                self.overlay = Some(Overlay::from_text(&record, labels::RECORD));
            }
            Command::Help => {
                self.show_text("");
                self.overlay = Some(Overlay::help(self.texts));
            }
        }
    }

    fn run_command(&mut self, command: &GameCommand) {
        let outcome = self.session.run_command(command);
        self.show_outcome(outcome);
    }

    /// Chooses the square under the cursor, as a mouse click does.
    fn pick(&mut self) {
        let outcome = self.session.pick(self.cursor);
        self.show_outcome(outcome);
    }

    /// Handles the space bar: resumes the bots if they are paused; otherwise pauses them if a bot is to move; otherwise
    /// chooses the square under the cursor.
    fn pause_or_pick(&mut self) {
        let game = self.session.game();
        match (game.is_paused, game.bot_to_move()) {
            (true, _) => self.run_command(&GameCommand::Go),
            (false, Some(_)) => self.run_command(&GameCommand::Pause),
            (false, None) => self.pick(),
        }
    }

    /// Shows `outcome`, the message or error of a command. If the command has ended the session, also sets the exit
    /// code.
    fn show_outcome(&mut self, outcome: CommandResult) {
        if self.session.has_quit {
            self.exit_code = Some(0);
        }
        match outcome {
            Ok(None) => {
                self.show_text("");
                self.on_position_change();
            }
            Ok(Some(message)) => self.show_message(message),
            Err(why) => self.show_error(&why),
        }
    }

    /// Shows `message`: a hint or other text below the board, a lesson of the rules tutorial over the board.
    fn show_message(&mut self, message: Message) {
        match message {
            Message::Advice => self.show_hint(),
            Message::Text(text) => {
                self.on_position_change();
                self.show_text(&text);
            }
            Message::Lesson(text) => {
                self.on_position_change();
                let step = self.session.state().tutorial_step;
                self.show_text(step.map_or("", |at| self.texts.label(STEPS[at].task)));
                self.overlay = Some(Overlay::from_text(&text, labels::RULES));
            }
        }
    }

    fn step_back(&mut self) {
        self.session.step_back();
        self.shows_hint = false;
        self.show_text("");
    }

    /// Turns the hint off if it belonged to an earlier position, and scrolls the list of moves to its end. Call this
    /// function after a command or event that may have changed the position.
    fn on_position_change(&mut self) {
        self.shows_hint &= self.session.engine.advice.is_some();
        self.scroll_from_end = 0;
    }

    /// Shows the suggested move below the board if the user asked for a hint and the search for it has finished;
    /// otherwise does nothing.
    fn show_hint(&mut self) {
        if let Some(advice) = self.session.engine.advice.filter(|_| self.shows_hint) {
            self.show_text(&self.texts.advice(advice));
        }
    }

    fn move_cursor(&mut self, dx: i8, dy: i8) {
        let moved = |place: u8, by: i8| place.saturating_add_signed(by).min(SIDE as u8 - 1);
        let square = Square::new(moved(self.cursor.x(), dx), moved(self.cursor.y(), dy));
        self.cursor = square.expect("on the board");
    }

    fn scroll(&mut self, lines: i16) {
        let rounds = self.session.game().moves().len().div_ceil(2) as u16;
        let scrolled = self.scroll_from_end.saturating_add_signed(lines);
        self.scroll_from_end = scrolled.min(rounds);
    }

    fn show_text(&mut self, text: &str) {
        self.message = Line::from(text.to_owned());
    }

    fn show_label(&mut self, term: Term) {
        self.show_text(self.texts.label(term));
    }

    fn show_error(&mut self, why: &str) {
        self.message = Line::from(format!("! {why}")).fg(Color::Red);
    }
}

/// Removes the last word of `line`, and the blanks after it; keeps the blanks before it.
fn erase_word(line: &mut String) {
    let rest = line.trim_end();
    let end = rest.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    line.truncate(end);
}
