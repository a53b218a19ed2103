//! [`spawn_event_reader`] reads key and mouse events from the terminal. [`spawn_exit_watchdog`] ends the program if the
//! terminal is closed.
//!
//! Each function starts a thread of its own, because crossterm's `read` never returns if the terminal is closed
//! (crossterm issue #793).

use crate::system::is_terminal_closed;
use base::workers::EXIT_INTERRUPTED;
use ratatui::crossterm::event::{self, Event};
use ratatui::crossterm::terminal::disable_raw_mode;
use std::io;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// Time between two checks for a closed terminal or a signal.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// Time after a signal within which the program should end normally. After this time it is ended by force.
const EXIT_GRACE: Duration = Duration::from_secs(2);

/// Starts a thread that reads key and mouse events, and returns the channel on which they arrive. The channel also
/// receives an error if reading fails.
#[must_use]
pub fn spawn_event_reader() -> Receiver<io::Result<Event>> {
    let (sender, events) = mpsc::channel();
    thread::spawn(move || while sender.send(event::read()).is_ok() {});
    events
}

/// Starts a thread that ends the program [`EXIT_GRACE`] after `stop` is set or the terminal is closed, even if writing
/// to the terminal blocks.
pub fn spawn_exit_watchdog(stop: &'static AtomicBool) {
    thread::spawn(move || {
        while !stop.load(Ordering::SeqCst) && !is_terminal_closed() {
            thread::sleep(CHECK_INTERVAL);
        }
        thread::sleep(EXIT_GRACE);
        // Leaving raw mode works even if the terminal accepts no more output. An error is ignored because it can't be
        // shown.
        let _ = disable_raw_mode();
        process::exit(EXIT_INTERRUPTED.into());
    });
}
