//! The terminal without echo: while a secret is typed, and under the live screen.

use rustix::fd::{AsFd, BorrowedFd};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use std::io;

/// A terminal that shows nothing of what is typed. Dropped, it does again. Ctrl-C works as ever.
pub struct Quiet<'a> {
    terminal: BorrowedFd<'a>,
    before: Termios,
}

impl<'a> Quiet<'a> {
    /// Turns the echo of a terminal off.
    ///
    /// # Errors
    /// If it is none.
    pub fn new(terminal: &'a impl AsFd) -> io::Result<Quiet<'a>> {
        let terminal = terminal.as_fd();
        let before = tcgetattr(terminal)?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO);
        tcsetattr(terminal, OptionalActions::Flush, &quiet)?;
        Ok(Quiet { terminal, before })
    }
}

impl Drop for Quiet<'_> {
    fn drop(&mut self) {
        // What was typed ahead is dropped. A failure has nobody to be reported to.
        let _ = tcsetattr(self.terminal, OptionalActions::Flush, &self.before);
    }
}
