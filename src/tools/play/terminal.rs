//! The game on the whole terminal, by keys and mouse.

mod app;
mod board_view;
mod events;
mod layout;
mod overlay;
mod panel;
mod picture;
mod screen;
mod view;

use super::sitting::{Note, Sitting};
use crate::system::has_hung_up;
use app::App;
use base::error::ToolError;
use base::workers::{self, INTERRUPTED};
use engine::console::print;
use ratatui::crossterm::event::Event;
use ratatui::crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::crossterm::{execute, queue};
use screen::Screen;
use std::io::{self, stdout};
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// Longest time between two checks for the bot's news.
const TICK: Duration = Duration::from_millis(50);

/// Plays until the user quits, the terminal is closed or a signal comes. Shows `note` first. Returns the exit code.
///
/// # Errors
/// If the terminal fails.
pub fn run(sitting: Sitting, note: Option<Note>) -> Result<u8, ToolError> {
    let stop = workers::stop_on_interrupt()?;
    // The convention of no-color.org.
    let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut screen = Screen::open()?;
    events::ensure_end(stop);
    let events = events::listen();
    let mut app = App::new(sitting, note);
    while app.exit.is_none() {
        let done = round(&mut screen, &mut app, &events, colours);
        // A closed terminal is no error.
        if stop.load(Ordering::SeqCst) || has_hung_up() {
            return Ok(INTERRUPTED);
        }
        done?;
    }
    drop(screen);
    if let Some(kept) = app.sitting.kept() {
        print(format_args!("{kept}\n"))?;
    }
    Ok(app.exit.unwrap_or_default())
}

/// Draws the game and waits a moment for a key.
fn round(
    screen: &mut Screen,
    app: &mut App,
    events: &Receiver<io::Result<Event>>,
    colours: bool,
) -> io::Result<()> {
    app.tick();
    // The terminal is told where a frame begins and ends, so that it shows none half drawn.
    queue!(stdout(), BeginSynchronizedUpdate)?;
    let drawn = screen.0.draw(|frame| view::draw(frame, app, colours));
    let area = drawn.map(|frame| frame.area);
    execute!(stdout(), EndSynchronizedUpdate)?;
    let area = area?;
    if let Some(event) = events.recv_timeout(TICK).ok().transpose()? {
        app.on_event(&event, area);
    }
    Ok(())
}
