//! The game on the whole terminal, by keys and mouse.

mod app;
mod board;
mod layout;
mod screen;
mod sprite;
mod view;

use super::session::Session;
use crate::tools::ToolError;
use crate::tools::workers::{self, INTERRUPTED};
use app::App;
use ratatui::crossterm::event;
use screen::Screen;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Longest time between two looks at what the bot has done.
const TICK: Duration = Duration::from_millis(50);

/// Plays until the user quits; returns the exit code.
///
/// # Errors
/// If the terminal fails.
pub fn run(session: Session) -> Result<u8, ToolError> {
    let stop = workers::stop_on_interrupt()?;
    // The convention of no-color.org.
    let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut screen = Screen::open()?;
    let mut app = App::new(session);
    loop {
        app.tick();
        let area = screen.draw(|frame| view::draw(frame, &app, colours))?.area;
        if event::poll(TICK)? {
            app.on_event(&event::read()?, area);
        }
        if stop.load(Ordering::SeqCst) {
            return Ok(INTERRUPTED);
        }
        if let Some(code) = app.exit {
            return Ok(code);
        }
    }
}
