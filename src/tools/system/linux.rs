//! Starts, measures, stops and ends a bot's processes on Linux ([`BotProcesses`]). The bot runs as a child of a
//! supervisor process. If the parent of one of the bot's processes ends, the supervisor process becomes the new parent,
//! so every process of the bot can be found.

pub mod supervisor;
mod tree;

use super::unix::describe_signal;
use super::{ProcessStats, SUPERVISOR_SUBCOMMAND, Streams, command, take_streams};
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tree::ProcessTree;
use wait4::{ResUse, Wait4};

/// Interval between measurements of a running bot's memory and CPU time.
pub const MEASURE_INTERVAL: Duration = Duration::from_millis(10);

/// Maximum time that a bot's supervisor process may take to end all processes of the bot and itself. Afterwards this
/// program kills them.
const SUPERVISOR_EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Error message about a bot: its supervisor process (parent process) was killed, by the bot itself or by another
/// process.
const SUPERVISOR_KILLED: &str = "its supervisor process was killed";

/// Process ids of the supervisor processes of all running bots; they are children of this program. Every other child of
/// this program was left behind by a bot that has ended. `reap_orphans` kills these other children.
static SUPERVISORS: Mutex<Vec<i32>> = Mutex::new(Vec::new());

/// All processes of a bot, which are measured, stopped and ended together. On Linux, they are the descendants of a
/// supervisor process, which this program starts for the bot.
pub struct BotProcesses {
    supervisor: Child,
    tree: ProcessTree,
    /// Measurements at the end of the bot's supervisor process (parent process); `None` while the supervisor process is
    /// running. First: the exit status of the supervisor process, and the resources that it and all processes of the
    /// bot used together. Second: the CPU time that the supervisor process alone used.
    exit: Option<(ResUse, Duration)>,
}

impl BotProcesses {
    /// Starts the bot by the command line `bot`, as a child of a supervisor process. `supervisor` is the path of this
    /// program's executable file, which is started as the supervisor process. Returns the bot's processes, and the
    /// pipes to the bot's standard input, output and error.
    ///
    /// # Errors
    /// If the supervisor process or the pipes can't be created. If only the bot can't be started, the method
    /// `start_error` reports it later.
    pub fn start(supervisor: &Path, bot: &[String]) -> io::Result<(BotProcesses, Streams)> {
        let mut supervisors = supervisors();
        prctl::set_child_subreaper(true)?;
        let arguments = [&[SUPERVISOR_SUBCOMMAND, "--"].map(str::to_owned), bot].concat();
        let mut launch = command(supervisor, &arguments);
        let mut supervisor = launch.arg0("amazons").process_group(0).spawn()?;
        let pid = supervisor.id().cast_signed();
        supervisors.push(pid);
        let streams = take_streams(&mut supervisor)?;
        let processes = BotProcesses {
            supervisor,
            tree: ProcessTree::new(pid),
            exit: None,
        };
        Ok((processes, streams))
    }

    /// Measures the CPU time and memory of all processes of the bot; the methods `cpu` and `memory` return the results.
    ///
    /// # Errors
    /// If a file about a process in `/proc` can't be read.
    pub fn measure(&mut self) -> io::Result<()> {
        self.tree.measure()
    }

    /// Counts the bot's processes and threads at this moment, and tests if one has a network socket.
    ///
    /// # Errors
    /// If a file about a process in `/proc` can't be read.
    pub fn stats(&self) -> io::Result<ProcessStats> {
        self.tree.stats()
    }

    /// Returns the CPU time that all processes of the bot have used from the bot's start until its end, or until the
    /// last call of `measure` if the bot is still running.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        // The resource usage in `exit` is that of the bot and its supervisor process together. Subtract the CPU time of
        // the supervisor process.
        let used = self.exit.as_ref().map(|(usage, own)| {
            let used = usage.rusage.utime + usage.rusage.stime;
            used.saturating_sub(*own)
        });
        self.tree.cpu.max(used.unwrap_or_default())
    }

    /// Returns the bot's peak resident memory in bytes from the bot's start until its end, or until the last call of
    /// `measure` if the bot is still running.
    #[must_use]
    pub fn memory(&self) -> u64 {
        // `maxrss` is the largest peak memory of a single process, among the processes of the bot and its supervisor
        // process. So if the bot used very little memory, the result is the memory of the supervisor process.
        let used = self.exit.as_ref().map(|(usage, _)| usage.rusage.maxrss);
        self.tree.memory.max(used.unwrap_or_default())
    }

    /// Stops all processes of the bot by `SIGSTOP`. They continue after a call of `resume`.
    ///
    /// # Errors
    /// If the processes can't be listed, because a file in `/proc` can't be read.
    pub fn pause(&mut self) -> io::Result<()> {
        self.tree.stop()
    }

    /// Sends `SIGCONT` to all processes of the bot that `pause` has stopped, so that they continue.
    pub fn resume(&mut self) {
        self.tree.resume();
    }

    /// Tests if the bot has ended, without waiting. If so, stores its exit status and kills the processes that it left
    /// behind.
    ///
    /// # Errors
    /// - If the operating system does not report the state of the supervisor process.
    /// - If the processes left behind can't be listed, because a file in `/proc` can't be read.
    pub fn poll_exit(&mut self) -> io::Result<bool> {
        if self.exit.is_none() {
            let own = tree::cpu_time(self.pid());
            self.exit = self.supervisor.try_wait4()?.map(|usage| (usage, own));
            if self.exit.is_some() {
                reap_orphans(self.pid())?;
            }
        }
        Ok(self.exit.is_some())
    }

    /// Tests if the bot's supervisor process (parent process) was killed. If so, the bot's processes can no longer be
    /// found, and the function returns an error message as `Ok(Some(message))`. Otherwise returns `Ok(None)`.
    ///
    /// # Errors
    /// - If the operating system does not report the state of the supervisor process.
    /// - If the bot has ended, and the processes that it left behind can't be listed.
    pub fn check_supervisor(&mut self) -> io::Result<Option<&'static str>> {
        self.poll_exit()?;
        Ok((self.exit.is_some() && self.exit_code().is_none()).then_some(SUPERVISOR_KILLED))
    }

    /// Tests if the bot could not be started. If so, returns the operating system's error number, or 0 if the number is
    /// unknown; otherwise returns `None`. `output` is everything read from the bot's standard output, to which the
    /// supervisor process has printed the number.
    #[must_use]
    pub fn start_error(&self, output: &[u8]) -> Option<i32> {
        let failed = self.exit_code() == Some(supervisor::NOT_STARTED_CODE.into());
        let number = String::from_utf8_lossy(output).trim().parse();
        failed.then(|| number.unwrap_or(0))
    }

    /// Ends all processes of the bot. First tells the supervisor process to end them. If the supervisor process is
    /// still running after 1 s, kills it and all processes of the bot.
    ///
    /// # Errors
    /// - If the operating system does not report the state of the supervisor process.
    /// - If the bot's processes can't be listed, because a file in `/proc` can't be read.
    pub fn kill(&mut self) -> io::Result<()> {
        let pid = self.pid();
        if self.poll_exit()? {
            return Ok(());
        }
        // Send `SIGCONT`, too: if the bot has stopped its supervisor process by a signal, that process can't react to
        // `SIGTERM` before it continues.
        for signal in [Signal::SIGTERM, Signal::SIGCONT] {
            let _ = kill(Pid::from_raw(pid), signal);
        }
        if !self.wait(SUPERVISOR_EXIT_TIMEOUT)? {
            tree::kill_descendants(pid)?;
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
            self.wait(SUPERVISOR_EXIT_TIMEOUT)?;
        }
        Ok(())
    }

    /// Waits until the bot has ended, for at most `timeout`. Returns true if the bot has ended, false after the
    /// time-out.
    ///
    /// # Errors
    /// - If the operating system does not report the state of the supervisor process.
    /// - If the processes that the bot left behind can't be listed.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<bool> {
        let start = Instant::now();
        while !self.poll_exit()? && start.elapsed() < timeout {
            std::thread::sleep(Duration::from_micros(200));
        }
        self.poll_exit()
    }

    /// Describes how the bot ended, such as `exit code 1`; `None` if the bot is still running or ended with exit code
    /// 0.
    #[must_use]
    pub fn describe_exit(&self) -> Option<String> {
        self.exit.as_ref()?;
        match self.exit_code() {
            Some(0) => None,
            Some(code) if code > supervisor::SIGNAL_BASE => {
                Some(describe_signal(code - supervisor::SIGNAL_BASE))
            }
            Some(code) => Some(format!("exit code {code}")),
            None => Some(SUPERVISOR_KILLED.to_owned()),
        }
    }

    /// Returns the exit code of the supervisor process; `None` if the process is still running or a signal has ended
    /// it.
    fn exit_code(&self) -> Option<i32> {
        self.exit.as_ref()?.0.status.code()
    }

    fn pid(&self) -> i32 {
        self.supervisor.id().cast_signed()
    }
}

fn supervisors() -> MutexGuard<'static, Vec<i32>> {
    SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Cleans up after the supervisor process with the process id `supervisor` has ended: removes the id from
/// [`SUPERVISORS`], and kills all processes that a bot has left behind. These are the children of this program that are
/// no supervisor processes, with all their descendants.
///
/// # Errors
/// If the processes can't be listed, because a file in `/proc` can't be read.
fn reap_orphans(supervisor: i32) -> io::Result<()> {
    let mut supervisors = supervisors();
    // Remove the process id of the ended supervisor process from the list first, because the loop below spares all
    // processes in the list. The operating system may already have given the id to another process. If a bot left that
    // process behind, it must be killed.
    if let Some(index) = supervisors.iter().position(|&known| known == supervisor) {
        supervisors.swap_remove(index);
    }
    for orphan in tree::children(std::process::id().cast_signed())? {
        if !supervisors.contains(&orphan) {
            tree::kill_descendants(orphan)?;
            let pid = Pid::from_raw(orphan);
            let _ = kill(pid, Signal::SIGKILL);
            let _ = waitpid(pid, None);
        }
    }
    Ok(())
}
