//! The processes of a bot on Linux: below a keeper, which loses sight of none of them.

pub mod keeper;
mod tree;

use super::unix::ended_by;
use super::{Company, KEEP_BOT, Streams, command, streams};
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

/// Time between two looks at a running bot's memory and CPU time.
pub const LOOK: Duration = Duration::from_millis(10);

/// Time that a keeper may take to end a bot before the keeper is ended.
const PATIENCE_WITH_THE_KEEPER: Duration = Duration::from_secs(1);

/// Message about a bot whose keeper was killed, by this bot or another.
const NO_KEEPER: &str = "its keeper was killed";

/// All running keepers. Every other child of this process is an orphan that a bot has left.
static KEEPERS: Mutex<Vec<i32>> = Mutex::new(Vec::new());

/// All processes of a bot.
pub struct Family {
    keeper: Child,
    tree: ProcessTree,
    /// The keeper's end, and its own CPU time.
    ended: Option<(ResUse, Duration)>,
}

impl Family {
    /// Starts a bot under a keeper, which is this program.
    ///
    /// # Errors
    /// If the system gives no process or no pipes.
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

    /// Measures CPU time and memory.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn look(&mut self) -> io::Result<()> {
        self.tree.look()
    }

    /// What the bot has running and open now.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn company(&self) -> io::Result<Company> {
        self.tree.company()
    }

    /// CPU time of all processes at the last look, or at the end.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        // The keeper's usage includes all processes below it.
        let used = self.ended.as_ref().map(|(usage, own)| {
            let used = usage.rusage.utime + usage.rusage.stime;
            used.saturating_sub(*own)
        });
        self.tree.cpu.max(used.unwrap_or_default())
    }

    /// Peak of their memory at the last look, or at the end, in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        // The keeper's own memory counts where the bot's is less.
        let used = self.ended.as_ref().map(|(usage, _)| usage.rusage.maxrss);
        self.tree.memory.max(used.unwrap_or_default())
    }

    /// Stops all processes.
    ///
    /// # Errors
    /// If the system does not tell which they are.
    pub fn pause(&mut self) -> io::Result<()> {
        self.tree.stop()
    }

    /// Lets the stopped processes go on.
    pub fn go_on(&mut self) {
        self.tree.go_on();
    }

    /// Tests if the bot has ended, and notes how.
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

    /// Why nobody watches the bot any more, if so.
    ///
    /// # Errors
    /// If the system fails.
    pub fn unwatched(&mut self) -> io::Result<Option<&'static str>> {
        self.has_ended()?;
        Ok((self.ended.is_some() && self.code().is_none()).then_some(NO_KEEPER))
    }

    /// The system's error number if the bot could not be started. `output` is what came instead of the bot's.
    #[must_use]
    pub fn not_started(&self, output: &[u8]) -> Option<i32> {
        let failed = self.code() == Some(keeper::NOT_STARTED.into());
        let number = String::from_utf8_lossy(output).trim().parse();
        failed.then(|| number.unwrap_or(0))
    }

    /// Ends all processes.
    ///
    /// # Errors
    /// If the system fails.
    pub fn end(&mut self) -> io::Result<()> {
        let pid = self.pid();
        if self.has_ended()? {
            return Ok(());
        }
        // A keeper that the bot has stopped must go on to end the bot.
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

    /// Waits for the bot's end, with a time limit.
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

    /// Message about a bad end; nothing if the bot runs, or ended by itself and well.
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

    /// The exit code of a keeper that has ended; nothing if a signal ended it.
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

/// Notes that a keeper has ended, and ends the orphans that it may have left.
fn forget(keeper: i32) -> io::Result<()> {
    let mut keepers = keepers();
    // Another process may have been given the same number since.
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
