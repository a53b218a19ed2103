//! [`spawn_event_reader`] reads key and mouse events from the terminal. [`spawn_exit_watchdog`] ends the program if the
//! terminal is closed.
//!
//! Each starts a thread, because the main thread must not read events: after the terminal is closed, a call of
//! crossterm that reads an event may never return (crossterm issue #793).

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

/// Time between two checks whether the terminal is closed or a signal has arrived.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// Time that the program has to end by itself after a signal or after the terminal was closed. After this time, the
/// watchdog thread ends the program.
const EXIT_GRACE: Duration = Duration::from_secs(2);

/// Starts a thread that reads key and mouse events, and returns the receiver of a channel. The thread sends each event
/// on this channel; if reading an event fails, it sends the error instead.
#[must_use]
pub fn spawn_event_reader() -> Receiver<io::Result<Event>> {
    let (sender, events) = mpsc::channel();
    thread::spawn(move || while sender.send(event::read()).is_ok() {});
    events
}

/// Starts a thread that waits until a signal sets `stop` or the terminal is closed. If the program has not ended by
/// itself `EXIT_GRACE` later, the thread ends it, even if the main thread is blocked writing to the terminal.
pub fn spawn_exit_watchdog(stop: &'static AtomicBool) {
    thread::spawn(move || {
        while !stop.load(Ordering::SeqCst) && !is_terminal_closed() {
            thread::sleep(CHECK_INTERVAL);
        }
        thread::sleep(EXIT_GRACE);
        // Leaving raw mode works even if the terminal accepts no more output. An error is ignored: nobody could see it.
        let _ = disable_raw_mode();
        process::exit(EXIT_INTERRUPTED.into());
    });
}
