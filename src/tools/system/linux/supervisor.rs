//! Supervisor process of a bot on Linux ([`run`]). It is the parent of the bot, and ends all processes of the bot when
//! the bot ends or when the program that plays with the bot ends.

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

/// Exit code of the supervisor process if it could not start the bot. In this case it has printed the operating
/// system's error number to standard output.
pub const NOT_STARTED_CODE: u8 = 126;

/// Offset of the supervisor process's exit code if a signal ended the bot: the exit code is this number plus the number
/// of the signal, as in a shell.
pub const SIGNAL_BASE: i32 = 128;

/// Maximum size in bytes of each file that a bot writes. The limit keeps a bot from filling the disk with one file.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// Starts the bot by the command line `command` and waits until it ends; then kills all processes that the bot has left
/// behind. Returns the exit code for this process:
/// - 0 to 125: exit code of the bot; 125 also stands for higher codes.
/// - 126: The bot could not be started or watched.
/// - 128 + n: Signal number n ended the bot.
/// - 1: A signal told this process to end, or the program that started this process has ended.
#[must_use]
pub fn run(command: &[String]) -> u8 {
    supervise(command).unwrap_or_else(|error| {
        let number = error.raw_os_error().unwrap_or(0);
        // Ignore an error of writing the error number. If the number is missing, the program that started this process,
        // such as `amazons arena`, reports an unknown error.
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
    let mut launch = Command::new(program);
    let bot = launch.args(arguments).process_group(0).spawn()?;
    let code = watch(bot, parent);
    kill_remaining();
    code
}

/// Waits until one of these events happens, and returns the exit code for this process:
/// - `bot` ends. The result is its exit code, at most 125, or 128 + n if signal number n ended the bot.
/// - `parent`, the program that started this process, ends. The result is 1.
/// - A signal (`SIGTERM`, `SIGHUP` or `SIGINT`) tells this process to end. The result is 1.
///
/// The function does not wait for `SIGCHLD`, because this signal would also wake this process each time the bot stops
/// or continues, which costs time in the bot's turn.
///
/// # Errors
/// If one of the system calls for signals, processes or file descriptors fails.
fn watch(mut bot: Child, parent: Pid) -> io::Result<u8> {
    // Block the signals only now that the bot has been started. Otherwise the bot, as a child process, would inherit
    // the blocked signals.
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

/// Replaces this process's standard streams by `/dev/null`. These streams are copies of the bot's pipes. As long as a
/// copy is open, a reader of the bot's output can't see that the bot has ended.
///
/// # Errors
/// If `/dev/null` can't be opened, or a stream can't be replaced.
fn close_streams() -> io::Result<()> {
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok(())
}

/// Kills all descendants of this process, and returns once they have ended. They are the processes that the bot left
/// behind.
fn kill_remaining() {
    let own = std::process::id().cast_signed();
    loop {
        // Ignore an error of `kill_descendants`, because the loop calls it again until no child is left.
        let _ = tree::kill_descendants(own);
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => std::thread::sleep(Duration::from_millis(1)),
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return,
        }
    }
}
