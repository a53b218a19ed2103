//! A bot's processes on systems other than Linux: found by parent process ids.
//!
//! A process is missed in measurements if all its ancestors ended before they were seen. It is still ended with the rest.

#[cfg(unix)]
use super::group as system;
#[cfg(windows)]
use super::windows as system;
use super::{ProcessStats, Streams, streams};
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Interval between measurements of a running bot's memory and CPU time. It is longer than on Linux, because each measurement
/// lists all processes of the machine.
pub const LOOK: Duration = Duration::from_millis(50);

/// Interval between checks if a process has ended.
const NAP: Duration = Duration::from_millis(1);

/// Maximum time for ended processes to disappear.
const PATIENCE: Duration = Duration::from_secs(1);

/// All processes of a bot.
pub struct Family {
    group: system::Group,
    child: Child,
    system: System,
    /// Start time of the bot, in seconds of Unix time. An older process can't be the bot's, even if its parent's process id
    /// matches.
    began: u64,
    /// CPU time of each process of the bot seen so far.
    seen: HashMap<Pid, Duration>,
    memory: u64,
    ended: Option<ExitStatus>,
}

impl Family {
    /// Starts a bot. `keeper` is the path of this program, which supervises the bot on Windows.
    ///
    /// # Errors
    /// If the bot can't be started, or if the system can't create pipes.
    pub fn start(keeper: &Path, bot: &[String]) -> io::Result<(Family, Streams)> {
        // Do all that may fail before the start: an error after it would leave the bot running.
        let system = System::new().map_err(io::Error::other)?;
        let began = SystemTime::now().duration_since(UNIX_EPOCH);
        let (group, mut child) = system::Group::start(keeper, bot)?;
        let streams = streams(&mut child)?;
        let family = Family {
            seen: HashMap::from([(Pid::from_u32(child.id()), Duration::ZERO)]),
            group,
            child,
            system,
            began: began.unwrap_or_default().as_secs(),
            memory: 0,
            ended: None,
        };
        Ok((family, streams))
    }

    /// Measures CPU time and memory of all processes of the bot.
    ///
    /// # Errors
    /// Never on systems other than Linux.
    pub fn look(&mut self) -> io::Result<()> {
        let what = ProcessRefreshKind::nothing().with_cpu().with_memory();
        self.system
            .refresh_processes_specifics(ProcessesToUpdate::All, true, what);
        let all = self.system.processes();
        let mut known = 0;
        // Repeat until no new child process is found, because the list has no order.
        while known < self.seen.len() {
            known = self.seen.len();
            for (&id, process) in all {
                let parent = process.parent();
                let is_child = parent.is_some_and(|parent| self.seen.contains_key(&parent));
                if is_child && process.start_time() >= self.began {
                    self.seen.entry(id).or_default();
                }
            }
        }
        let keeper = system::HAS_KEEPER.then(|| Pid::from_u32(self.child.id()));
        let mut memory = 0;
        for (&id, cpu) in &mut self.seen {
            if let Some(process) = all.get(&id).filter(|_| Some(id) != keeper) {
                *cpu = Duration::from_millis(process.accumulated_cpu_time());
                memory += process.memory();
            }
        }
        self.memory = self.memory.max(memory);
        Ok(())
    }

    /// Returns the number of processes of the bot that were alive at the last measurement.
    ///
    /// # Errors
    /// Never on systems other than Linux.
    pub fn company(&self) -> io::Result<ProcessStats> {
        let alive = self.system.processes();
        Ok(ProcessStats {
            processes: self
                .seen
                .keys()
                .filter(|&id| alive.contains_key(id))
                .count(),
            ..ProcessStats::default()
        })
    }

    /// Returns the CPU time of all processes of the bot at the last measurement.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        self.seen.values().sum()
    }

    /// Returns the peak resident memory of the bot over all measurements, in bytes.
    #[must_use]
    pub const fn memory(&self) -> u64 {
        self.memory
    }

    /// Stops all processes of the bot, if the system can do that.
    ///
    /// # Errors
    /// Never on systems other than Linux.
    pub fn pause(&mut self) -> io::Result<()> {
        self.group.pause();
        Ok(())
    }

    /// Resumes all stopped processes of the bot.
    pub fn go_on(&mut self) {
        self.group.go_on();
    }

    /// Ends the remaining processes if the bot's first process has ended, because they would keep the bot's output open.
    /// Returns `None`: only on Linux can a bot lose its supervisor process.
    ///
    /// # Errors
    /// If the system fails.
    pub fn unwatched(&mut self) -> io::Result<Option<&'static str>> {
        if self.wait(Duration::ZERO)? {
            self.group.end();
        }
        Ok(None)
    }

    /// Returns the system's error number if the bot could not be started. On Windows the supervisor process prints the number
    /// to `output`.
    #[must_use]
    pub fn not_started(&self, output: &[u8]) -> Option<i32> {
        system::not_started(self.ended?, output)
    }

    /// Waits until the bot has ended, at most for `patience`; returns true if the bot has ended.
    ///
    /// # Errors
    /// If the system fails.
    pub fn wait(&mut self, patience: Duration) -> io::Result<bool> {
        let start = Instant::now();
        loop {
            if self.ended.is_none() {
                self.ended = self.child.try_wait()?;
            }
            if self.ended.is_some() || start.elapsed() >= patience {
                return Ok(self.ended.is_some());
            }
            std::thread::sleep(NAP);
        }
    }

    /// Ends all processes of the bot.
    ///
    /// # Errors
    /// If the system fails.
    pub fn end(&mut self) -> io::Result<()> {
        if !self.wait(Duration::ZERO)? {
            self.look()?;
        }
        self.group.end();
        self.wait(PATIENCE).map(drop)
    }

    /// Describes how the bot ended; `None` if the bot is running or ended normally.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        system::why(self.ended?)
    }
}
