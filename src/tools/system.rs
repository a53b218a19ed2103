//! Functions that depend on the operating system: they start and measure a bot's processes ([`BotProcesses`]), ask
//! about the terminal, and split command lines. Each operating system has its own version of these functions, under the
//! same names.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod non_linux;
#[cfg(all(unix, not(target_os = "linux")))]
mod process_group;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
pub use linux::{BotProcesses, MEASURE_INTERVAL};
#[cfg(not(target_os = "linux"))]
pub use non_linux::{BotProcesses, MEASURE_INTERVAL};

#[cfg(target_os = "linux")]
pub use linux::supervisor;
#[cfg(all(unix, not(target_os = "linux")))]
pub use process_group::supervisor;
#[cfg(windows)]
pub use windows::supervisor;

#[cfg(unix)]
use unix as native;
#[cfg(windows)]
use windows as native;

pub use native::{
    is_resource_shortage, is_running, is_terminal_closed, join_command_line, split_command_line,
    was_double_clicked,
};

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};

/// Name of a hidden subcommand of this program, by which this program starts itself as a bot's supervisor process: the
/// parent of the bot, which makes sure that all processes of the bot are ended.
pub const SUPERVISOR_SUBCOMMAND: &str = "keep-bot";

/// Names of the environment variables that this program passes on to a bot. A bot gets no others.
const ENVIRONMENT: &str = "HOME LANG LC_ALL LD_LIBRARY_PATH PATH TMPDIR TZ";

/// Names of environment variables that are passed on, too, without which most programs for Windows don't start.
const WINDOWS_ENVIRONMENT: &str =
    "APPDATA COMSPEC LOCALAPPDATA PATHEXT SYSTEMDRIVE SYSTEMROOT TEMP TMP USERPROFILE WINDIR";

/// Pipes between this program and a bot: the bot's standard input, output and error.
pub struct Streams {
    /// Standard input of the bot.
    pub stdin: ChildStdin,
    /// Standard output of the bot, which carries its answers.
    pub stdout: ChildStdout,
    /// Standard error of the bot.
    pub stderr: ChildStderr,
}

/// Number of a bot's processes and threads, and whether the bot uses the network. A value that the operating system
/// does not report is 0 or false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessStats {
    /// Number of the bot's processes.
    pub processes: usize,
    /// Number of threads of all the bot's processes; 0 if the system does not report it.
    pub threads: usize,
    /// Whether a process of the bot has a network socket, or had one at an earlier measurement; false if the system
    /// does not report it.
    pub has_socket: bool,
}

/// Returns the path of this program's executable file, so that this program can start itself as another process.
///
/// # Errors
/// If the operating system does not report the path. This does not happen on Linux.
pub fn own_program() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") {
        // The path `/proc/self/exe` stays valid even if the program's file is replaced.
        return Ok(PathBuf::from("/proc/self/exe"));
    }
    std::env::current_exe()
}

/// Returns a command that starts the program `program`: a bot or its supervisor process (the bot's parent process,
/// which ends all its processes). Standard input, output and error are pipes. Only the environment variables listed in
/// [`ENVIRONMENT`] and [`WINDOWS_ENVIRONMENT`] are passed on.
fn command(program: &Path, arguments: &[String]) -> Command {
    let is_inherited = |(name, _): &(OsString, OsString)| {
        let mut inherited = ENVIRONMENT.split(' ').chain(WINDOWS_ENVIRONMENT.split(' '));
        inherited.any(|inherited| name.eq_ignore_ascii_case(inherited))
    };
    let environment = std::env::vars_os().filter(is_inherited);
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(environment);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped());
    command
}

/// Takes the pipes to the standard streams out of `child`, which must have been started by [`command`].
///
/// # Errors
/// If a standard stream of `child` is not a pipe.
fn take_streams(child: &mut Child) -> io::Result<Streams> {
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
        let fault = "the standard streams of a child process are not pipes";
        return Err(io::Error::other(fault));
    };
    Ok(Streams {
        stdin,
        stdout,
        stderr,
    })
}
