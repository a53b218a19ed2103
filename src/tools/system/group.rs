//! A bot's processes on Unix systems other than Linux: a process group.

use super::command;
use super::unix::ended_by;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ExitStatus};

/// A bot runs without a keeper here.
pub const HAS_KEEPER: bool = false;

/// There is no keeper here.
pub mod keeper {
    /// Refuses to run.
    #[must_use]
    pub fn run(_command: &[String]) -> u8 {
        2
    }
}

/// A bot's processes: a process group.
pub struct Group(Pid);

impl Group {
    /// Starts a bot in a process group of its own.
    pub fn start(_keeper: &Path, bot: &[String]) -> io::Result<(Group, Child)> {
        let (program, arguments) = bot.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let child = command(Path::new(program), arguments)
            .process_group(0)
            .spawn()?;
        Ok((Group(Pid::from_raw(child.id().cast_signed())), child))
    }

    /// Stops all processes.
    pub fn pause(&self) {
        self.signal(Signal::SIGSTOP);
    }

    /// Lets the processes go on.
    pub fn go_on(&self) {
        self.signal(Signal::SIGCONT);
    }

    /// Ends all processes.
    pub fn end(&mut self) {
        self.signal(Signal::SIGKILL);
    }

    /// Sends a signal to the group, which may be gone.
    fn signal(&self, signal: Signal) {
        let _ = killpg(self.0, signal);
    }
}

/// Whether the bot could not be started: that was told at once.
pub const fn not_started(_ended: ExitStatus, _output: &[u8]) -> Option<i32> {
    None
}

/// Message about a bad end.
pub fn why(ended: ExitStatus) -> Option<String> {
    match (ended.code(), ended.signal()) {
        (Some(0), _) => None,
        (Some(code), _) => Some(format!("exit code {code}")),
        (None, signal) => Some(ended_by(signal.unwrap_or(0))),
    }
}
