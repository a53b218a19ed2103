//! A bot that has been started: its keeper, its pipes, a turn's output, its end.

use super::ProcessSpec;
use super::keeper;
use super::limits::Limits;
use super::sandbox::Launch;
use super::tree::{self, ProcessTree};
use super::turn::TurnError;
use super::utterances::Utterances;
use crate::botzone::KEEP_RUNNING;
use crate::tools::record::judge::Verdict;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use wait4::{ResUse, Wait4};

/// Longest output of a turn; a bot that says more is stopped.
const MAX_OUTPUT: usize = 1 << 20;

/// Time between two checks of a running bot's memory and CPU time, and of whether the game is broken off.
const LOOK: Duration = Duration::from_millis(10);

/// Limit on wall time, in multiples of the time limit, where CPU time is limited: a bot loses on a machine that is
/// busier than that.
const WALL_PATIENCE: u32 = 20;

/// Time that a bot may live after closing its output.
const PATIENCE_WITH_THE_SILENT: Duration = Duration::from_millis(200);

/// Time that a keeper may take to end a bot before the keeper is ended.
const PATIENCE_WITH_THE_KEEPER: Duration = Duration::from_secs(1);

/// Message about a bot whose keeper was killed, by this bot or another.
const NO_KEEPER: &str = "its keeper was killed";

/// The environment variables that a bot receives.
const ENVIRONMENT: &[&str] = &[
    "HOME",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "PATH",
    "TMPDIR",
    "TZ",
];

/// All running keepers. Every other child of this process is an orphan that a bot has left.
static KEEPERS: Mutex<Vec<i32>> = Mutex::new(Vec::new());

/// Why a turn's output ended.
pub enum End {
    /// The marker came.
    Marker,
    /// The output was closed.
    Closed,
    /// A limit was passed, or the bot counts as crashed: then the text says why.
    Limit(Verdict, Option<&'static str>),
}

/// How a bot ended.
pub struct Ended {
    /// Message about a bad end; nothing if the bot ended by itself and well.
    pub why: Option<String>,
    /// CPU time of all of its processes.
    pub cpu: Duration,
    /// Peak of their memory, in bytes.
    pub memory: u64,
}

/// A bot that has been started.
pub struct Running {
    keeper: Child,
    /// Standard error, while the bot holds it open.
    stderr: Option<ChildStderr>,
    tree: ProcessTree,
    /// Output read and not yet used.
    output: Vec<u8>,
    /// How much of it has been searched for the marker.
    searched: usize,
    /// The keeper's end, and its own CPU time.
    ended: Option<(ResUse, Duration)>,
}

impl Running {
    /// Starts a bot.
    ///
    /// # Errors
    /// If the system gives no process or no pipes.
    pub fn start(spec: &ProcessSpec, launch: &Launch) -> io::Result<Running> {
        let mut keepers = keepers();
        prctl::set_child_subreaper(true)?;
        let environment =
            std::env::vars_os().filter(|(name, _)| ENVIRONMENT.iter().any(|known| name == known));
        let mut keeper = Command::new(&launch.keeper)
            .arg0("amazons")
            .args([keeper::NAME, "--"])
            .args(launch.command(spec))
            .env_clear()
            .envs(environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let pid = keeper.id().cast_signed();
        keepers.push(pid);
        Ok(Running {
            stderr: keeper.stderr.take(),
            keeper,
            tree: ProcessTree::new(pid),
            output: Vec::new(),
            searched: 0,
            ended: None,
        })
    }

    /// CPU time so far.
    #[must_use]
    pub const fn cpu(&self) -> Duration {
        self.tree.cpu
    }

    /// Peak memory so far, in bytes.
    #[must_use]
    pub const fn memory(&self) -> u64 {
        self.tree.memory
    }

    /// Takes the output of a turn.
    #[must_use]
    pub fn take_output(&mut self) -> Vec<u8> {
        self.searched = 0;
        std::mem::take(&mut self.output)
    }

    /// Looks at CPU time and memory, and stops the bot until the next turn.
    ///
    /// # Errors
    /// If the system fails.
    pub fn pause(&mut self) -> io::Result<()> {
        self.tree.look()?;
        self.tree.stop()
    }

    /// Lets a stopped bot go on.
    pub fn go_on(&mut self) {
        self.tree.go_on();
    }

    /// Writes the input. If the bot is gone, its closed output tells.
    ///
    /// # Errors
    /// If the system fails.
    pub fn send(&mut self, input: &str) -> io::Result<()> {
        let Some(stdin) = &mut self.keeper.stdin else {
            return Ok(());
        };
        match stdin
            .write_all(input.as_bytes())
            .and_then(|()| stdin.flush())
        {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }

    /// Reads output until the turn ends.
    ///
    /// # Errors
    /// If the system fails, or the game is broken off.
    pub fn read_turn(
        &mut self,
        start: Instant,
        limit: Duration,
        limits: Limits,
        words: &mut Utterances,
        broken_off: &dyn Fn() -> bool,
    ) -> Result<End, TurnError> {
        let cpu_before = self.tree.cpu;
        let patience = if limits.by_cpu { WALL_PATIENCE } else { 1 };
        let deadline = start + limit * patience;
        let mut next_look = start + LOOK;
        let crash = |why| End::Limit(Verdict::RuntimeError, Some(why));
        loop {
            if let Some(end) = self.marker() {
                self.output.truncate(end);
                return Ok(End::Marker);
            }
            if self.output.len() > MAX_OUTPUT {
                return Ok(crash("more than 1 MiB of output"));
            }
            let now = Instant::now();
            if now >= deadline {
                return Ok(End::Limit(Verdict::TimeLimitExceeded, None));
            }
            if now >= next_look {
                if broken_off() {
                    return Err(TurnError::BrokenOff);
                }
                self.tree.look()?;
                next_look = now + LOOK;
                if self.tree.memory > limits.memory {
                    return Ok(End::Limit(Verdict::MemoryLimitExceeded, None));
                }
                if limits.by_cpu && self.tree.cpu - cpu_before > limit {
                    return Ok(End::Limit(Verdict::TimeLimitExceeded, None));
                }
                if self.has_lost_its_keeper()? {
                    return Ok(crash(NO_KEEPER));
                }
            }
            if self.read_some(next_look.min(deadline) - now, words)? == Some(0) {
                return Ok(End::Closed);
            }
        }
    }

    /// Waits for standard output or error and reads it. Returns the bytes of output, or nothing if none came in time.
    fn read_some(
        &mut self,
        patience: Duration,
        words: &mut Utterances,
    ) -> io::Result<Option<usize>> {
        let Some(stdout) = &mut self.keeper.stdout else {
            return Ok(Some(0));
        };
        // Rounded up: otherwise the last millisecond would be a busy loop.
        let timeout = PollTimeout::try_from(patience.as_millis() + 1).unwrap_or(PollTimeout::MAX);
        let readable = PollFlags::POLLIN;
        let mut pipes = vec![PollFd::new(stdout.as_fd(), readable)];
        pipes.extend(
            self.stderr
                .iter()
                .map(|pipe| PollFd::new(pipe.as_fd(), readable)),
        );
        match poll(&mut pipes, timeout) {
            Ok(0) | Err(Errno::EINTR) => return Ok(None),
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        let ready: Vec<bool> = pipes
            .iter()
            .map(|pipe| pipe.any().unwrap_or(true))
            .collect();
        if ready.get(1) == Some(&true) {
            listen(&mut self.stderr, words)?;
        }
        if !ready[0] {
            return Ok(None);
        }
        let mut buffer = [0; 1 << 16];
        let count = stdout.read(&mut buffer)?;
        self.output.extend_from_slice(&buffer[..count]);
        Ok(Some(count))
    }

    /// Where the marker's line begins, if it has come.
    fn marker(&mut self) -> Option<usize> {
        let marker = KEEP_RUNNING.as_bytes();
        let from = self.searched;
        let found = self.output[from..]
            .windows(marker.len())
            .position(|window| window == marker);
        let Some(at) = found.map(|at| from + at) else {
            self.searched = self.output.len().saturating_sub(marker.len() - 1).max(from);
            return None;
        };
        self.searched = at;
        let begins_line = at == 0 || self.output[at - 1] == b'\n';
        (begins_line && self.output[at..].contains(&b'\n')).then_some(at)
    }

    /// Tests if the keeper has ended, and notes how.
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

    fn pid(&self) -> i32 {
        self.keeper.id().cast_signed()
    }

    /// Tests if the keeper was killed, which leaves the bot on its own.
    fn has_lost_its_keeper(&mut self) -> io::Result<bool> {
        self.has_ended()?;
        let status = self.ended.as_ref().map(|(usage, _)| usage.status);
        Ok(status.is_some_and(|status| status.code().is_none()))
    }

    /// Waits for the keeper's end, with a time limit.
    fn wait(&mut self, patience: Duration) -> io::Result<bool> {
        let start = Instant::now();
        while !self.has_ended()? && start.elapsed() < patience {
            std::thread::sleep(Duration::from_micros(200));
        }
        self.has_ended()
    }

    /// Waits for the end of a bot that closed its output, and ends it if it takes too long.
    ///
    /// # Errors
    /// If the bot could not be started, or the system fails.
    pub fn wait_for_end(
        &mut self,
        output: &[u8],
        words: &mut Utterances,
    ) -> Result<Ended, TurnError> {
        drop(self.keeper.stdin.take());
        if !self.wait(PATIENCE_WITH_THE_SILENT)? {
            let mut ended = self.end(words)?;
            ended.why = Some("it closed its output and lived on".to_owned());
            return Ok(ended);
        }
        let status = self.ended.as_ref().map(|(usage, _)| usage.status);
        if status.and_then(|status| status.code()) == Some(keeper::NOT_STARTED.into()) {
            let number = String::from_utf8_lossy(output).trim().parse();
            return Err(TurnError::not_started(number.unwrap_or(0)));
        }
        Ok(self.end(words)?)
    }

    /// Ends the bot with everything that it started.
    ///
    /// # Errors
    /// If the system fails.
    pub fn end(&mut self, words: &mut Utterances) -> io::Result<Ended> {
        let pid = self.pid();
        if !self.has_ended()? {
            // A keeper that the bot has stopped must go on to end the bot.
            for signal in [Signal::SIGTERM, Signal::SIGCONT] {
                let _ = kill(Pid::from_raw(pid), signal);
            }
            if !self.wait(PATIENCE_WITH_THE_KEEPER)? {
                tree::kill_descendants(pid)?;
                let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
                self.wait(PATIENCE_WITH_THE_KEEPER)?;
            }
        }
        while self.stderr.is_some() && self.has_complaints()? {
            listen(&mut self.stderr, words)?;
        }
        let (mut cpu, mut memory, mut why) = (self.tree.cpu, self.tree.memory, None);
        if let Some((usage, own)) = &self.ended {
            // The keeper's usage includes all processes below it. Its memory counts where the bot's is less.
            let used = usage.rusage.utime + usage.rusage.stime;
            cpu = cpu.max(used.saturating_sub(*own));
            memory = memory.max(usage.rusage.maxrss);
            why = reason(usage.status.code());
        }
        Ok(Ended { why, cpu, memory })
    }

    /// Tests if standard error holds something to be read.
    fn has_complaints(&self) -> io::Result<bool> {
        let Some(pipe) = &self.stderr else {
            return Ok(false);
        };
        let mut pipes = [PollFd::new(pipe.as_fd(), PollFlags::POLLIN)];
        Ok(poll(&mut pipes, PollTimeout::ZERO)? > 0)
    }
}

impl Drop for Running {
    /// Ends the bot. A failure leaves nothing else to try.
    fn drop(&mut self) {
        let _ = self.end(&mut Utterances::default());
    }
}

/// Takes what standard error holds.
fn listen(pipe: &mut Option<ChildStderr>, words: &mut Utterances) -> io::Result<()> {
    let mut buffer = [0; 1 << 16];
    if let Some(open) = pipe {
        match open.read(&mut buffer)? {
            0 => *pipe = None,
            count => words.push(&buffer[..count]),
        }
    }
    Ok(())
}

/// The message for a keeper's exit code; nothing if a signal ended the keeper.
fn reason(code: Option<i32>) -> Option<String> {
    match code {
        Some(0) => None,
        Some(code) if code > keeper::SIGNALLED => {
            let number = code - keeper::SIGNALLED;
            let signal = Signal::try_from(number).map_or("unknown", Signal::as_str);
            Some(format!("ended by signal {number}, {signal}"))
        }
        Some(code) => Some(format!("exit code {code}")),
        None => Some(NO_KEEPER.to_owned()),
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
