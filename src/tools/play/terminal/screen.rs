//! [`Screen`]: switches the terminal to full-screen mode, and restores normal mode even after errors and panics.

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use std::io::{self, Stdout, stdout};
use std::mem::ManuallyDrop;
use std::panic;

/// Terminal in full-screen mode. Dropping this value restores normal mode.
///
/// `ManuallyDrop` keeps the destructor of [`Terminal`] from running: if the terminal is closed, the destructor fails to
/// write to it, then fails to print the error, and panics.
pub struct Screen(pub ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>);

impl Screen {
    /// Switches the terminal to full-screen mode: alternate screen, raw input, mouse events. Also makes sure that a
    /// panic restores normal mode before its message is printed.
    ///
    /// # Errors
    /// If the terminal can't be switched to full-screen mode. Normal mode is then restored.
    pub fn open() -> io::Result<Screen> {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            restore_terminal();
            previous(info);
        }));
        let terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        // `screen` is created before the terminal is switched to full-screen mode: if a later step fails, dropping
        // `screen` restores normal mode.
        let screen = Screen(ManuallyDrop::new(terminal));
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore_terminal();
    }
}

/// Restores the terminal's normal mode. An error is ignored, because the terminal can't show it.
fn restore_terminal() {
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}
