//! Input from the terminal: keys, mouse, and hang-up.
//!
//! crossterm never returns from a terminal that has hung up (its issue #793). A thread of its own calls it, and ends
//! with the program. Hang-up is checked beside it.

use crate::system::has_hung_up;
use base::workers::INTERRUPTED;
use ratatui::crossterm::event::{self, Event};
use ratatui::crossterm::terminal::disable_raw_mode;
use std::io;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// Time between two checks of the thread that watches for the end.
const LOOK: Duration = Duration::from_millis(200);
/// Time that the program has to end by itself.
const GRACE: Duration = Duration::from_secs(2);

/// Begins to read keys and mouse, as they come.
#[must_use]
pub fn listen() -> Receiver<io::Result<Event>> {
    let (sender, events) = mpsc::channel();
    thread::spawn(move || while sender.send(event::read()).is_ok() {});
    events
}

/// Ends the program once `stop` is set or the terminal is gone, even if the terminal blocks output.
pub fn ensure_end(stop: &'static AtomicBool) {
    thread::spawn(move || {
        while !stop.load(Ordering::SeqCst) && !has_hung_up() {
            thread::sleep(LOOK);
        }
        thread::sleep(GRACE);
        // Nothing can be written, but the terminal's modes can be restored. A failure has nobody to be reported to.
        let _ = disable_raw_mode();
        process::exit(INTERRUPTED.into());
    });
}
