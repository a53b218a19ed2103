//! The processes of a bot where the system does not keep them together for us: told by who started whom.
//!
//! A process whose parents all ended before they were seen is not counted. It is ended with the others.

#[cfg(unix)]
use super::group as system;
#[cfg(windows)]
use super::windows as system;
use super::{Company, Streams, streams};
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Time between two looks at a running bot's memory and CPU time; each lists all processes of the machine.
pub const LOOK: Duration = Duration::from_millis(50);

/// Time between two questions whether a process has ended.
const NAP: Duration = Duration::from_millis(1);

/// Time that ended processes may take to be gone.
const PATIENCE: Duration = Duration::from_secs(1);

/// All processes of a bot.
pub struct Family {
    group: system::Group,
    child: Child,
    system: System,
    /// When it was started, in seconds of Unix time. An older process is none of its, whatever its parent's number.
    began: u64,
    /// The CPU time of each process that was seen.
    seen: HashMap<Pid, Duration>,
    memory: u64,
    ended: Option<ExitStatus>,
}

impl Family {
    /// Starts a bot. `keeper` is this program, for systems on which a bot has a keeper.
    ///
    /// # Errors
    /// If the bot can't be started, or the system gives no pipes.
    pub fn start(keeper: &Path, bot: &[String]) -> io::Result<(Family, Streams)> {
        // Whatever can fail comes first: a bot that runs needs somebody to end it.
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

    /// Measures CPU time and memory.
    ///
    /// # Errors
    /// Never here.
    pub fn look(&mut self) -> io::Result<()> {
        let what = ProcessRefreshKind::nothing().with_cpu().with_memory();
        self.system
            .refresh_processes_specifics(ProcessesToUpdate::All, true, what);
        let all = self.system.processes();
        let mut known = 0;
        // Once more until nobody's child is new.
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

    /// How many processes of the bot were alive at the last look.
    ///
    /// # Errors
    /// Never here.
    pub fn company(&self) -> io::Result<Company> {
        let alive = self.system.processes();
        Ok(Company {
            processes: self
                .seen
                .keys()
                .filter(|&id| alive.contains_key(id))
                .count(),
            ..Company::default()
        })
    }

    /// CPU time of all processes at the last look.
    #[must_use]
    pub fn cpu(&self) -> Duration {
        self.seen.values().sum()
    }

    /// Peak of their memory at the looks so far, in bytes.
    #[must_use]
    pub const fn memory(&self) -> u64 {
        self.memory
    }

    /// Stops all processes, where the system can.
    ///
    /// # Errors
    /// Never here.
    pub fn pause(&mut self) -> io::Result<()> {
        self.group.pause();
        Ok(())
    }

    /// Lets the stopped processes go on.
    pub fn go_on(&mut self) {
        self.group.go_on();
    }

    /// Why nobody watches the bot any more, if so: here nobody does from the start. What a bot that has ended has left
    /// is ended here, or it would hold the bot's output open.
    ///
    /// # Errors
    /// If the system fails.
    pub fn unwatched(&mut self) -> io::Result<Option<&'static str>> {
        if self.wait(Duration::ZERO)? {
            self.group.end();
        }
        Ok(None)
    }

    /// The system's error number if the bot could not be started. `output` is what came instead of the bot's.
    #[must_use]
    pub fn not_started(&self, output: &[u8]) -> Option<i32> {
        system::not_started(self.ended?, output)
    }

    /// Waits for the bot's end, with a time limit.
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

    /// Ends all processes.
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

    /// Message about a bad end; nothing if the bot runs, or ended by itself and well.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        system::why(self.ended?)
    }
}
