//! A bot's processes on Linux. They run below a supervisor process, the keeper, which inherits orphaned processes, so that no
//! process escapes.

pub mod keeper;
mod tree;

use super::unix::ended_by;
use super::{KEEP_BOT, ProcessStats, Streams, command, streams};
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
pub const LOOK: Duration = Duration::from_millis(10);

/// Maximum time for the keeper, a bot's supervisor process, to end the bot; after that the keeper is killed.
const PATIENCE_WITH_THE_KEEPER: Duration = Duration::from_secs(1);

/// Error message for a bot whose supervisor process was killed, by the bot itself or by another process.
const NO_KEEPER: &str = "its keeper was killed";

/// Process ids of the running keepers, the supervisor processes of bots. Any other child of this process is an orphan that a
/// bot has left.
static KEEPERS: Mutex<Vec<i32>> = Mutex::new(Vec::new());

/// All processes of a bot, below its supervisor process.
pub struct Family {
    keeper: Child,
    tree: ProcessTree,
    /// Resource usage and exit status of the supervisor process, and its own CPU time; `None` until it has ended.
    ended: Option<(ResUse, Duration)>,
}

impl Family {
    /// Starts a bot under a supervisor process; `keeper` is the path of this program, which supervises.
    ///
    /// # Errors
    /// If the system can't create processes or pipes.
    pub fn start(keeper: &Path, bot: &[String]) -> io::Result<(Family, Streams)> {
        let mut keepers = keepers();
        prctl::set_child_subreaper(true)?;
        let arguments = [&[KEEP_BOT, "--"].map(str::to_owned), bot].concat();
        let mut keeper = command(keeper, &arguments)
            .arg0("amazons")
            .process_group(0)
            .spawn()?;
        let pid = keeper.id().cast_signed();
        keepers.push(pid);
        let streams = streams(&mut keeper)?;
        let family = Family {
            keeper,
            tree: ProcessTree::new(pid),
            ended: None,
        };
        Ok((family, streams))
    }

    /// Measures CPU time and memory of all processes of the bot.
    ///
    /// # Errors
    /// If the system does not report them.
    pub fn look(&mut self) -> io::Result<()> {
        self.tree.look()
    }

    /// Counts the processes, threads and network sockets of the bot at this moment.
    ///
    /// # Errors
    /// If the system does not report them.
    pub fn company(&self) -> io::Result<ProcessStats> {
        self.tree.company()
    }

    /// Returns the CPU time of all processes of the bot, at the last measurement or at the end.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        // The supervisor's resource usage includes all processes below it.
        let used = self.ended.as_ref().map(|(usage, own)| {
            let used = usage.rusage.utime + usage.rusage.stime;
            used.saturating_sub(*own)
        });
        self.tree.cpu.max(used.unwrap_or_default())
    }

    /// Returns the peak resident memory of the bot, at the last measurement or at the end, in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        // The result may be the supervisor's own memory, if the bot uses less.
        let used = self.ended.as_ref().map(|(usage, _)| usage.rusage.maxrss);
        self.tree.memory.max(used.unwrap_or_default())
    }

    /// Stops all processes of the bot.
    ///
    /// # Errors
    /// If the system can't list the processes.
    pub fn pause(&mut self) -> io::Result<()> {
        self.tree.stop()
    }

    /// Resumes all stopped processes of the bot.
    pub fn go_on(&mut self) {
        self.tree.go_on();
    }

    /// Tests if the bot has ended; if so, stores its exit status.
    ///
    /// # Errors
    /// If the system fails.
    pub fn has_ended(&mut self) -> io::Result<bool> {
        if self.ended.is_none() {
            let own = tree::cpu_time(self.pid());
            self.ended = self.keeper.try_wait4()?.map(|usage| (usage, own));
            if self.ended.is_some() {
                forget(self.pid())?;
            }
        }
        Ok(self.ended.is_some())
    }

    /// Returns an error message if the bot's supervisor process was killed, because the bot's processes can't be tracked
    /// then.
    ///
    /// # Errors
    /// If the system fails.
    pub fn unwatched(&mut self) -> io::Result<Option<&'static str>> {
        self.has_ended()?;
        Ok((self.ended.is_some() && self.code().is_none()).then_some(NO_KEEPER))
    }

    /// Returns the system's error number if the bot could not be started. The supervisor process prints the number to
    /// `output`.
    #[must_use]
    pub fn not_started(&self, output: &[u8]) -> Option<i32> {
        let failed = self.code() == Some(keeper::NOT_STARTED.into());
        let number = String::from_utf8_lossy(output).trim().parse();
        failed.then(|| number.unwrap_or(0))
    }

    /// Ends all processes of the bot.
    ///
    /// # Errors
    /// If the system fails.
    pub fn end(&mut self) -> io::Result<()> {
        let pid = self.pid();
        if self.has_ended()? {
            return Ok(());
        }
        // `SIGCONT` resumes a supervisor process that its bot has stopped.
        for signal in [Signal::SIGTERM, Signal::SIGCONT] {
            let _ = kill(Pid::from_raw(pid), signal);
        }
        if !self.wait(PATIENCE_WITH_THE_KEEPER)? {
            tree::kill_descendants(pid)?;
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
            self.wait(PATIENCE_WITH_THE_KEEPER)?;
        }
        Ok(())
    }

    /// Waits until the bot has ended, at most for `patience`; returns true if the bot has ended.
    ///
    /// # Errors
    /// If the system fails.
    pub fn wait(&mut self, patience: Duration) -> io::Result<bool> {
        let start = Instant::now();
        while !self.has_ended()? && start.elapsed() < patience {
            std::thread::sleep(Duration::from_micros(200));
        }
        self.has_ended()
    }

    /// Describes how the bot ended; `None` if the bot is running or ended normally.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        self.ended.as_ref()?;
        match self.code() {
            Some(0) => None,
            Some(code) if code > keeper::SIGNALLED => Some(ended_by(code - keeper::SIGNALLED)),
            Some(code) => Some(format!("exit code {code}")),
            None => Some(NO_KEEPER.to_owned()),
        }
    }

    /// Returns the exit code of the supervisor process; `None` if the process is running or a signal ended it.
    fn code(&self) -> Option<i32> {
        self.ended.as_ref()?.0.status.code()
    }

    fn pid(&self) -> i32 {
        self.keeper.id().cast_signed()
    }
}

fn keepers() -> MutexGuard<'static, Vec<i32>> {
    KEEPERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes an ended supervisor process from [`KEEPERS`], and kills the orphaned processes that it has left.
fn forget(keeper: i32) -> io::Result<()> {
    let mut keepers = keepers();
    // Remove the process id, because the system may give it to another process.
    if let Some(at) = keepers.iter().position(|&known| known == keeper) {
        keepers.swap_remove(at);
    }
    for orphan in tree::children(std::process::id().cast_signed())? {
        if !keepers.contains(&orphan) {
            tree::kill_descendants(orphan)?;
            let pid = Pid::from_raw(orphan);
            let _ = kill(pid, Signal::SIGKILL);
            let _ = waitpid(pid, None);
        }
    }
    Ok(())
}
