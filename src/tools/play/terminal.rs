//! [`run`], the full-screen interface of `amazons play` in the terminal, with keyboard and mouse.

mod app;
mod board_view;
mod events;
mod layout;
mod overlay;
mod panel;
mod picture;
mod screen;
mod view;

use super::session::{Message, PlaySession};
use crate::system::is_terminal_closed;
use app::App;
use base::error::Result;
use base::workers::{self, EXIT_INTERRUPTED};
use engine::console::print;
use ratatui::crossterm::event::Event;
use ratatui::crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::crossterm::{execute, queue};
use screen::Screen;
use std::io::{self, stdout};
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// Maximum time from one drawing of the full-screen interface to the next. The screen shows a hint or a bot's move at
/// the first drawing after it was found.
const FRAME_INTERVAL: Duration = Duration::from_millis(50);

/// Runs the full-screen interface until the user quits, the terminal is closed or a signal arrives. Shows `message`
/// first, if any. Returns the exit code: 130 after Ctrl-C, a signal or a closed terminal, else 0.
///
/// # Errors
/// If the terminal can't be set up, read or written.
pub fn run(session: PlaySession, message: Option<Message>) -> Result<u8> {
    let stop = workers::stop_on_interrupt()?;
    // Any value of NO_COLOR except an empty one turns colours off, by the convention of no-color.org.
    let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut screen = Screen::open()?;
    events::spawn_exit_watchdog(stop);
    let events = events::spawn_event_reader();
    let mut app = App::new(session, message);
    while app.exit_code.is_none() {
        let done = draw_and_handle_event(&mut screen, &mut app, &events, colours);
        // `done` is the result of drawing and of handling an event. After a signal, or if the terminal is closed, its
        // error is not reported: drawing to a closed terminal always fails.
        if stop.load(Ordering::SeqCst) || is_terminal_closed() {
            return Ok(EXIT_INTERRUPTED);
        }
        done?;
    }
    drop(screen);
    if let Some(message) = app.session.autosave_message() {
        print(format_args!("{message}\n"))?;
    }
    Ok(app.exit_code.unwrap_or_default())
}

/// Plays the bot's move or shows the hint or warning that has become ready since the last call. Then draws the screen
/// once. Then waits up to [`FRAME_INTERVAL`] for a key or mouse event, and handles the event.
fn draw_and_handle_event(
    screen: &mut Screen,
    app: &mut App,
    events: &Receiver<io::Result<Event>>,
    colours: bool,
) -> io::Result<()> {
    app.tick();
    // A synchronized update: the terminal shows nothing of the new screen until it is drawn completely.
    queue!(stdout(), BeginSynchronizedUpdate)?;
    let drawn = screen.0.draw(|frame| view::draw(frame, app, colours));
    let area = drawn.map(|frame| frame.area);
    execute!(stdout(), EndSynchronizedUpdate)?;
    let area = area?;
    if let Some(event) = events.recv_timeout(FRAME_INTERVAL).ok().transpose()? {
        app.on_event(&event, area);
    }
    Ok(())
}
