//! Starts, measures, stops and ends a bot's processes on Linux. The processes run below a supervisor process, which
//! becomes the parent of every orphaned process, so that none is lost.

pub mod supervisor;
mod tree;

use super::unix::describe_signal;
use super::{KEEP_BOT, ProcessStats, Streams, command, take_streams};
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

/// Maximum time that a bot's supervisor process may take to end the bot; then the supervisor is killed.
const SUPERVISOR_EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// Error message for a bot whose supervisor process was killed, by the bot itself or by another process.
const SUPERVISOR_KILLED: &str = "its supervisor process was killed";

/// Process ids of the supervisor processes that are running. Every other child of this program's process is an orphan
/// that a bot left behind.
static SUPERVISORS: Mutex<Vec<i32>> = Mutex::new(Vec::new());

/// Handle with which to measure, stop and end all processes of a bot, which run below its supervisor process.
pub struct BotProcesses {
    supervisor: Child,
    tree: ProcessTree,
    /// First: exit status and resource usage of the supervisor process, including the bot's processes. Second: CPU time
    /// of the supervisor process alone. `None` until the supervisor process has ended.
    exit: Option<(ResUse, Duration)>,
}

impl BotProcesses {
    /// Starts the command line `bot` under a supervisor process; `supervisor` is the path of this program. Returns the
    /// handle to the processes, and the pipes to the bot's standard streams.
    ///
    /// # Errors
    /// If the system can't create processes or pipes.
    pub fn start(supervisor: &Path, bot: &[String]) -> io::Result<(BotProcesses, Streams)> {
        let mut supervisors = supervisors();
        prctl::set_child_subreaper(true)?;
        let arguments = [&[KEEP_BOT, "--"].map(str::to_owned), bot].concat();
        let mut supervisor = command(supervisor, &arguments)
            .arg0("amazons")
            .process_group(0)
            .spawn()?;
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
    /// If the system does not report them.
    pub fn measure(&mut self) -> io::Result<()> {
        self.tree.measure()
    }

    /// Counts the bot's processes and threads at this moment, and tests for network sockets.
    ///
    /// # Errors
    /// If the system does not report them.
    pub fn stats(&self) -> io::Result<ProcessStats> {
        self.tree.stats()
    }

    /// Returns the CPU time that all processes of the bot have used since the bot's start, until the last measurement
    /// or the bot's end.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        // The supervisor's resource usage includes all processes below it.
        let used = self.exit.as_ref().map(|(usage, own)| {
            let used = usage.rusage.utime + usage.rusage.stime;
            used.saturating_sub(*own)
        });
        self.tree.cpu.max(used.unwrap_or_default())
    }

    /// Returns the bot's peak resident memory in bytes, from the bot's start until the last measurement or the bot's
    /// end.
    #[must_use]
    pub fn memory(&self) -> u64 {
        // `maxrss` may be the memory of the supervisor process itself, if the bot used less.
        let used = self.exit.as_ref().map(|(usage, _)| usage.rusage.maxrss);
        self.tree.memory.max(used.unwrap_or_default())
    }

    /// Stops all processes of the bot by `SIGSTOP`, until `resume` is called.
    ///
    /// # Errors
    /// If the system can't list the processes.
    pub fn pause(&mut self) -> io::Result<()> {
        self.tree.stop()
    }

    /// Resumes all stopped processes of the bot by `SIGCONT`.
    pub fn resume(&mut self) {
        self.tree.resume();
    }

    /// Tests if the bot has ended. If so, stores the bot's exit status and kills the orphaned processes that the bot
    /// left behind.
    ///
    /// # Errors
    /// If the system fails.
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

    /// Returns an error message if the bot's supervisor process was killed: without it, the bot's processes can't be
    /// tracked. Returns `None` otherwise.
    ///
    /// # Errors
    /// If the system fails.
    pub fn check_supervisor(&mut self) -> io::Result<Option<&'static str>> {
        self.poll_exit()?;
        Ok((self.exit.is_some() && self.exit_code().is_none()).then_some(SUPERVISOR_KILLED))
    }

    /// Returns the system's error number (0 if unknown) if the bot could not be started, and `None` if the bot was
    /// started. `output` is the bot's standard output, to which the supervisor process prints the number.
    #[must_use]
    pub fn start_error(&self, output: &[u8]) -> Option<i32> {
        let failed = self.exit_code() == Some(supervisor::NOT_STARTED_CODE.into());
        let number = String::from_utf8_lossy(output).trim().parse();
        failed.then(|| number.unwrap_or(0))
    }

    /// Ends all processes of the bot: tells the bot's supervisor process to end them, and kills them directly if that
    /// takes longer than 1 s.
    ///
    /// # Errors
    /// If the system fails.
    pub fn kill(&mut self) -> io::Result<()> {
        let pid = self.pid();
        if self.poll_exit()? {
            return Ok(());
        }
        // `SIGCONT` resumes a supervisor process that its bot has stopped.
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

    /// Waits until the bot has ended, for at most `timeout`. Returns true if the bot has ended.
    ///
    /// # Errors
    /// If the system fails.
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

    /// Returns the exit code of the supervisor process; `None` if this process is still running or was ended by a
    /// signal.
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

/// Removes the ended process `supervisor` from [`SUPERVISORS`], and kills the orphaned processes that its bot left
/// behind.
///
/// # Errors
/// If the system can't list the processes.
fn reap_orphans(supervisor: i32) -> io::Result<()> {
    let mut supervisors = supervisors();
    // Remove the process id first, because the system may give it to another process.
    if let Some(at) = supervisors.iter().position(|&known| known == supervisor) {
        supervisors.swap_remove(at);
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
