//! Starts, measures, stops and ends a bot's processes on systems other than Linux ([`BotProcesses`]). The processes are
//! found by their parents' ids in the list of all processes.

#[cfg(unix)]
use super::process_group as system;
#[cfg(windows)]
use super::windows as system;
use super::{ProcessStats, Streams, take_streams};
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Interval between measurements of a running bot's memory and CPU time. It is longer than on Linux, because each
/// measurement lists all processes of the machine.
pub const MEASURE_INTERVAL: Duration = Duration::from_millis(50);

/// Interval between two tests whether the bot's first process (the one that this program has started) has ended.
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Maximum time to wait for the end of the bot's first process after the bot was killed. The first process is the one
/// that this program has started for the bot.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// All processes of a bot, which are measured, stopped and ended together. On this system, they are found by their
/// parents' process ids.
pub struct BotProcesses {
    group: system::Group,
    child: Child,
    system: System,
    /// Start time of the bot, in seconds of Unix time. A process that started earlier is not the bot's, even if its
    /// parent has the id of one of the bot's processes, because systems reuse ids.
    start_time: u64,
    /// CPU time of each process of the bot that has been found by any measurement, keyed by process id.
    cpu_times: HashMap<Pid, Duration>,
    memory: u64,
    exit_status: Option<ExitStatus>,
}

impl BotProcesses {
    /// Starts the bot by the command line `bot`. Returns the bot's processes, and the pipes to its standard input,
    /// output and error. `supervisor` is the path of this program's executable file. On Windows, it is started as the
    /// bot's supervisor process (parent process); on other systems, it is not used.
    ///
    /// # Errors
    /// If the bot can't be started, or a pipe can't be created.
    pub fn start(supervisor: &Path, bot: &[String]) -> io::Result<(BotProcesses, Streams)> {
        // Create `system` before the bot is started. If its creation failed afterwards, the function would return an
        // error and leave the bot running.
        let system = System::new().map_err(io::Error::other)?;
        let start_time = SystemTime::now().duration_since(UNIX_EPOCH);
        let (group, mut child) = system::Group::start(supervisor, bot)?;
        let streams = take_streams(&mut child)?;
        let processes = BotProcesses {
            cpu_times: HashMap::from([(Pid::from_u32(child.id()), Duration::ZERO)]),
            group,
            child,
            system,
            start_time: start_time.unwrap_or_default().as_secs(),
            memory: 0,
            exit_status: None,
        };
        Ok((processes, streams))
    }

    /// Measures the CPU time and memory of all processes of the bot; the methods `cpu` and `memory` return the results.
    ///
    /// # Errors
    /// None. The function returns a `Result` only because its version for Linux can fail.
    pub fn measure(&mut self) -> io::Result<()> {
        let what = ProcessRefreshKind::nothing().with_cpu().with_memory();
        self.system
            .refresh_processes_specifics(ProcessesToUpdate::All, true, what);
        let all = self.system.processes();
        let mut known_count = 0;
        // Repeat until no more processes of the bot are found. A single pass can miss some, because the list may
        // contain a child before its parent, by which the child is recognised.
        while known_count < self.cpu_times.len() {
            known_count = self.cpu_times.len();
            for (&id, process) in all {
                let parent = process.parent();
                let is_child = parent.is_some_and(|parent| self.cpu_times.contains_key(&parent));
                if is_child && process.start_time() >= self.start_time {
                    self.cpu_times.entry(id).or_default();
                }
            }
        }
        let supervisor = system::HAS_SUPERVISOR.then(|| Pid::from_u32(self.child.id()));
        let mut memory = 0;
        for (&id, cpu) in &mut self.cpu_times {
            if let Some(process) = all.get(&id).filter(|_| Some(id) != supervisor) {
                *cpu = Duration::from_millis(process.accumulated_cpu_time());
                memory += process.memory();
            }
        }
        self.memory = self.memory.max(memory);
        Ok(())
    }

    /// Returns the number of processes of the bot that were alive at the last measurement. The number of threads and
    /// the use of sockets are known only on Linux, so the result contains 0 and false for them.
    ///
    /// # Errors
    /// None. The function returns a `Result` only because its version for Linux can fail.
    pub fn stats(&self) -> io::Result<ProcessStats> {
        let alive = self.system.processes();
        Ok(ProcessStats {
            processes: self
                .cpu_times
                .keys()
                .filter(|&id| alive.contains_key(id))
                .count(),
            ..ProcessStats::default()
        })
    }

    /// Returns the CPU time that all processes of the bot have used from the bot's start until the last measurement.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        self.cpu_times.values().sum()
    }

    /// Returns the bot's peak resident memory over all measurements, in bytes.
    #[must_use]
    pub const fn memory(&self) -> u64 {
        self.memory
    }

    /// Stops all processes of the bot until `resume` is called. Does nothing on Windows.
    ///
    /// # Errors
    /// None. The function returns a `Result` only because its version for Linux can fail.
    pub fn pause(&mut self) -> io::Result<()> {
        self.group.pause();
        Ok(())
    }

    /// Continues the processes of the bot that `pause` has stopped. Does nothing on Windows.
    pub fn resume(&mut self) {
        self.group.resume();
    }

    /// Ends all processes of the bot if its first process has ended: other processes would keep the bot's output open,
    /// and a reader would wait for more. Returns `None`; the version of this function for Linux may return an error
    /// message.
    ///
    /// # Errors
    /// If the operating system does not report the state of the bot's first process.
    pub fn check_supervisor(&mut self) -> io::Result<Option<&'static str>> {
        if self.wait(Duration::ZERO)? {
            self.group.kill();
        }
        Ok(None)
    }

    /// Returns the operating system's error number if the bot could not be started, otherwise `None`. There are two
    /// cases:
    /// - On Windows, the supervisor process has printed the error number to the bot's standard output. `output` is
    ///   everything read from there. The result is 0 if `output` contains no number.
    /// - On other systems, the result is always `None`, because `start` itself returns the error.
    #[must_use]
    pub fn start_error(&self, output: &[u8]) -> Option<i32> {
        system::start_error(self.exit_status?, output)
    }

    /// Waits until the bot's first process has ended, for at most `timeout`. Returns true if this process has ended,
    /// false after the time-out.
    ///
    /// # Errors
    /// If the operating system does not report the state of the bot's first process.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<bool> {
        let start = Instant::now();
        loop {
            if self.exit_status.is_none() {
                self.exit_status = self.child.try_wait()?;
            }
            if self.exit_status.is_some() || start.elapsed() >= timeout {
                return Ok(self.exit_status.is_some());
            }
            std::thread::sleep(EXIT_POLL_INTERVAL);
        }
    }

    /// Ends all processes of the bot, and waits at most 1 s for the end of its first process.
    ///
    /// # Errors
    /// If the operating system does not report the state of the bot's first process.
    pub fn kill(&mut self) -> io::Result<()> {
        if !self.wait(Duration::ZERO)? {
            self.measure()?;
        }
        self.group.kill();
        self.wait(EXIT_TIMEOUT).map(drop)
    }

    /// Describes how the bot ended, such as `exit code 1`; `None` if the bot is still running or ended with exit code
    /// 0.
    #[must_use]
    pub fn describe_exit(&self) -> Option<String> {
        system::describe_exit(self.exit_status?)
    }
}
