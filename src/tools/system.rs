//! What differs between operating systems, behind one face: a bot's processes, the terminal, files for others to read.
//!
//! Linux tells and ends every process of a bot, whatever it does. Elsewhere a family is told by who started whom, and
//! ended by a job object (Windows) or a process group (macOS and other Unix systems).

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(all(unix, not(target_os = "linux")))]
mod group;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::{Family, LOOK};
#[cfg(target_os = "linux")]
pub use linux::{Family, LOOK};

#[cfg(all(unix, not(target_os = "linux")))]
pub use group::keeper;
#[cfg(target_os = "linux")]
pub use linux::keeper;
#[cfg(windows)]
pub use windows::keeper;

#[cfg(unix)]
use unix as own;
#[cfg(windows)]
use windows as own;

pub use own::{has_hung_up, is_running, line, means_a_busy_machine, was_double_clicked, words};

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};

/// The subcommand that keeps a bot.
pub const KEEP_BOT: &str = "keep-bot";

/// The environment variables that a bot receives.
const ENVIRONMENT: &[&str] = &[
    "HOME",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "PATH",
    "TMPDIR",
    "TZ",
    // Without these hardly a program starts on Windows.
    "APPDATA",
    "COMSPEC",
    "LOCALAPPDATA",
    "PATHEXT",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "WINDIR",
];

/// The standard streams of a bot.
pub struct Streams {
    /// What it reads.
    pub stdin: ChildStdin,
    /// What it answers.
    pub stdout: ChildStdout,
    /// What it says besides.
    pub stderr: ChildStderr,
}

/// What a bot has running and open, as far as the system tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Company {
    /// Its processes.
    pub processes: usize,
    /// Their threads; 0 where the system does not tell.
    pub threads: usize,
    /// Whether a socket into a network is open, or was; not where the system does not tell.
    pub has_socket: bool,
}

/// This program, to be started once more.
///
/// # Errors
/// If the system does not tell.
pub fn own_program() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") {
        // Also after the file has been replaced.
        return Ok(PathBuf::from("/proc/self/exe"));
    }
    std::env::current_exe()
}

/// The command of a bot, or of its keeper, with streams of its own and little of the environment.
fn command(program: &Path, arguments: &[String]) -> Command {
    let known = |name: &OsStr| {
        ENVIRONMENT
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    };
    let environment = std::env::vars_os().filter(|(name, _)| known(name));
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .envs(environment)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The streams of a child that was started by [`command`].
fn streams(child: &mut Child) -> io::Result<Streams> {
    let all = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(stdin), Some(stdout), Some(stderr)) = all else {
        return Err(io::Error::other("a process without streams"));
    };
    Ok(Streams {
        stdin,
        stdout,
        stderr,
    })
}
