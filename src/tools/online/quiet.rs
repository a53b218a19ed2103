//! The terminal without echo: while a secret is typed, and under the live screen.
//!
//! The crate rpassword prints its prompt before it turns the echo off: what is pasted in between would be seen.

use rustix::fd::AsFd;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use std::io;

/// A terminal that shows nothing of what is typed. Dropped, it does again. Ctrl-C works as ever.
pub struct Quiet<T: AsFd> {
    terminal: T,
    before: Termios,
}

impl<T: AsFd> Quiet<T> {
    /// Turns the echo of a terminal off.
    ///
    /// # Errors
    /// If it is none.
    pub fn new(terminal: T) -> io::Result<Quiet<T>> {
        let before = tcgetattr(&terminal)?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&terminal, OptionalActions::Flush, &quiet)?;
        Ok(Quiet { terminal, before })
    }
}

impl<T: AsFd> Drop for Quiet<T> {
    fn drop(&mut self) {
        // What was typed ahead is dropped. A failure has nobody to be reported to.
        let _ = tcsetattr(&self.terminal, OptionalActions::Flush, &self.before);
    }
}
