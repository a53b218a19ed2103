//! The terminal itself: taken over at the start, restored on every way out.

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

/// The terminal while the game has it. Dropping it restores the terminal.
///
/// [`Terminal`]'s own drop reports an error on a closed terminal, and panics because that fails.
pub struct Screen(pub ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>);

impl Screen {
    /// Takes the terminal over: alternate screen, raw input, mouse.
    ///
    /// # Errors
    /// If the terminal refuses; it is then restored.
    pub fn open() -> io::Result<Screen> {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_back();
            previous(info);
        }));
        let terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        // From here on every failure drops the screen, which restores the terminal.
        let screen = Screen(ManuallyDrop::new(terminal));
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Restores the terminal. A failure has nobody to be reported to.
fn give_back() {
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}
