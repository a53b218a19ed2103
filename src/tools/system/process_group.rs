//! Starts, stops and ends a bot's processes as a process group ([`Group`]), on Unix systems other than Linux, such as
//! macOS.

use super::command;
use super::unix::describe_signal;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ExitStatus};

/// True if a bot runs as a child of a supervisor process, a process of this program that ends all processes of the bot.
/// Always false on Unix systems other than Linux.
pub const HAS_SUPERVISOR: bool = false;

/// Placeholder for the supervisor process of a bot, which exists only on Linux and Windows. There, this program runs as
/// the supervisor process by its subcommand `keep-bot`. Here, this subcommand does nothing and returns exit code 2, an
/// error.
pub mod supervisor {
    /// Returns the exit code 2, an error. The subcommand `keep-bot` does nothing on Unix systems other than Linux,
    /// because bots have no supervisor process there.
    #[must_use]
    pub fn run(_command: &[String]) -> u8 {
        2
    }
}

/// Id of the process group that contains all processes of a bot.
pub struct Group(Pid);

impl Group {
    /// Starts the bot by the command line `bot` in a new process group. Returns the group and the bot's first process.
    /// The first parameter is not used: it is the program for a supervisor process, which exists only on Linux and
    /// Windows.
    ///
    /// # Errors
    /// If the bot can't be started.
    pub fn start(_supervisor: &Path, bot: &[String]) -> io::Result<(Group, Child)> {
        let (program, arguments) = bot.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let child = command(Path::new(program), arguments)
            .process_group(0)
            .spawn()?;
        Ok((Group(Pid::from_raw(child.id().cast_signed())), child))
    }

    /// Stops all processes of the bot by sending `SIGSTOP` to their process group.
    pub fn pause(&self) {
        self.signal(Signal::SIGSTOP);
    }

    /// Lets all stopped processes of the bot continue, by sending `SIGCONT` to their process group.
    pub fn resume(&self) {
        self.signal(Signal::SIGCONT);
    }

    /// Kills all processes of the bot by sending `SIGKILL` to their process group.
    pub fn kill(&mut self) {
        self.signal(Signal::SIGKILL);
    }

    /// Sends `signal` to all processes of the bot's process group. An error is ignored, because the processes may have
    /// ended.
    fn signal(&self, signal: Signal) {
        let _ = killpg(self.0, signal);
    }
}

/// Always returns `None`. On Unix systems other than Linux, no supervisor process reports that a bot could not be
/// started; [`Group::start`] returns this error itself.
pub const fn start_error(_status: ExitStatus, _output: &[u8]) -> Option<i32> {
    None
}

/// Describes how the bot ended, such as `exit code 1`; `None` after exit code 0.
pub fn describe_exit(status: ExitStatus) -> Option<String> {
    match (status.code(), status.signal()) {
        (Some(0), _) => None,
        (Some(code), _) => Some(format!("exit code {code}")),
        (None, signal) => Some(describe_signal(signal.unwrap_or(0))),
    }
}
