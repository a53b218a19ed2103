//! Supervisor process between this program and a bot, which keeps track of all processes of the bot.

use super::tree;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::SignalFd;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout, getppid};
use rustix::process::{PidfdFlags, pidfd_open};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command};
use std::time::Duration;

/// Exit code of the supervisor process if it could not start the bot; it has then printed the system's error number to
/// standard output.
pub const NOT_STARTED_CODE: u8 = 126;

/// If a signal ended the bot, the supervisor process exits with this number plus the signal's number, as a shell does.
pub const SIGNAL_BASE: i32 = 128;

/// Maximum size, in bytes, of each file that a bot writes, so that no single file fills the disk.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// Runs the bot's command line `command`, then kills the processes that the bot left behind. Returns the exit code for
/// this process: the bot's exit code (125 if that is higher), 128 plus the number of the signal that ended the bot, 126
/// if the bot could not be started, or 1 if this process was told to end.
#[must_use]
pub fn run(command: &[String]) -> u8 {
    supervise(command).unwrap_or_else(|error| {
        let number = error.raw_os_error().unwrap_or(0);
        // If this printing of the error number fails, the tool that started this process, such as the arena, reports an
        // unknown error.
        let _ = write!(io::stdout(), "{number}");
        NOT_STARTED_CODE
    })
}

fn supervise(command: &[String]) -> io::Result<u8> {
    let parent = getppid();
    prctl::set_child_subreaper(true)?;
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    let (_, allowed) = getrlimit(Resource::RLIMIT_FSIZE)?;
    let largest = MAX_FILE_BYTES.min(allowed);
    setrlimit(Resource::RLIMIT_FSIZE, largest, largest)?;
    let (program, arguments) = command.split_first().ok_or(Errno::EINVAL)?;
    let bot = Command::new(program)
        .args(arguments)
        .process_group(0)
        .spawn()?;
    let code = watch(bot, parent);
    kill_remaining();
    code
}

/// Waits until the bot ends, the program that started this process (`parent`) ends, or a signal tells this process to
/// end. Returns the exit code for this process by the rules of [`run`].
///
/// The function does not use `SIGCHLD`: that signal would also wake this process whenever the bot stops or resumes,
/// which costs time in the bot's turn.
///
/// # Errors
/// If the system fails.
fn watch(mut bot: Child, parent: Pid) -> io::Result<u8> {
    // Signals are blocked only after the bot was started, because a child process inherits its parent's blocked
    // signals.
    let mut signals = SigSet::empty();
    for signal in [Signal::SIGTERM, Signal::SIGHUP, Signal::SIGINT] {
        signals.add(signal);
    }
    signals.thread_block()?;
    let termination = SignalFd::new(&signals)?;
    prctl::set_pdeathsig(Signal::SIGTERM)?;
    let exit = pidfd_open(rustix::process::Pid::from_child(&bot), PidfdFlags::empty())?;
    close_streams()?;
    if getppid() != parent {
        return Ok(1);
    }
    let mut events =
        [termination.as_fd(), exit.as_fd()].map(|event| PollFd::new(event, PollFlags::POLLIN));
    while let Err(Errno::EINTR) = poll(&mut events, PollTimeout::NONE) {}
    if events[1].any() != Some(true) {
        return Ok(1);
    }
    let status = bot.wait()?;
    let code = match (status.code(), status.signal()) {
        (Some(code), _) => code.min(i32::from(NOT_STARTED_CODE) - 1),
        (None, signal) => SIGNAL_BASE + signal.unwrap_or(0),
    };
    Ok(u8::try_from(code).unwrap_or(1))
}

/// Closes this process's copies of the bot's pipes, so that the pipes reach their end as soon as the bot has ended.
///
/// # Errors
/// If the system fails.
fn close_streams() -> io::Result<()> {
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok(())
}

/// Kills all remaining processes of the bot, and returns once they have ended.
fn kill_remaining() {
    let own = std::process::id().cast_signed();
    loop {
        // An error is ignored, because the next iteration of the loop tries again.
        let _ = tree::kill_descendants(own);
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => std::thread::sleep(Duration::from_millis(1)),
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return,
        }
    }
}
