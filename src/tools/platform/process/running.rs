//! A bot that has been started: its pipes, a turn's output, its end.

use super::ProcessSpec;
use super::limits::Limits;
use super::sandbox::Launch;
use super::trial::Trial;
use super::turn::TurnError;
use super::utterances::Utterances;
use crate::system::{Company, Family, LOOK};
use engine::botzone::KEEP_RUNNING;
use record::judge::Verdict;
use std::io::{self, Read, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Longest output of a turn; a bot that says more is stopped.
const MAX_OUTPUT: usize = 1 << 20;

/// Limit on wall time, in multiples of the time limit, where CPU time is limited: a bot loses on a machine that is
/// busier than that.
const WALL_PATIENCE: u32 = 20;

/// Time that a bot may live after closing its output.
const PATIENCE_WITH_THE_SILENT: Duration = Duration::from_millis(200);

/// Time for the last words of a bot that has ended, should a process that escaped hold its pipes open.
const PATIENCE_WITH_THE_WORDS: Duration = Duration::from_millis(200);

/// Pieces of output that wait to be taken; a bot that says more has to wait.
const MOST_HEARD: usize = 4;

/// Why a turn's output ended.
pub enum End {
    /// The marker came.
    Marker,
    /// The output was closed.
    Closed,
    /// A limit was passed, or the bot counts as crashed: then the text says why.
    Limit(Verdict, Option<&'static str>),
}

/// What came out of a bot.
enum Heard {
    /// Some of its standard output; nothing when that is closed.
    Output(Vec<u8>),
    /// Some of its standard error.
    Complaint(Vec<u8>),
}

/// A bot that has been started.
pub struct Running {
    /// Its processes.
    pub family: Family,
    trial: Trial,
    /// The processes and threads that were seen last, and whether a socket ever was.
    pub company: Company,
    /// Turns that it was sent.
    turns: usize,
    stdin: Option<ChildStdin>,
    /// What a thread for each pipe reads.
    heard: Receiver<Heard>,
    /// Output read and not yet used.
    output: Vec<u8>,
    /// How much of it has been searched for the marker.
    searched: usize,
}

impl Running {
    /// Starts a bot.
    ///
    /// # Errors
    /// If the system gives no process, no pipes or no threads, or the bot can't be started.
    pub fn start(spec: &ProcessSpec, launch: &Launch, trial: Trial) -> Result<Running, TurnError> {
        let (family, streams) = Family::start(&launch.keeper, &launch.command(spec))?;
        let (sender, heard) = mpsc::sync_channel(MOST_HEARD);
        listen(streams.stdout, Heard::Output, sender.clone())?;
        listen(streams.stderr, Heard::Complaint, sender)?;
        Ok(Running {
            family,
            trial,
            company: Company::default(),
            turns: 0,
            stdin: Some(streams.stdin),
            heard,
            output: Vec::new(),
            searched: 0,
        })
    }

    /// Looks at CPU time and memory, and at what else is counted.
    fn look(&mut self) -> io::Result<()> {
        self.family.look()?;
        if self.trial.counted {
            let company = self.family.company()?;
            self.company = Company {
                has_socket: company.has_socket || self.company.has_socket,
                ..company
            };
        }
        Ok(())
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
        self.look()?;
        self.family.pause()
    }

    /// Writes the input. If that fails, the bot is gone, and its closed output tells.
    pub fn send(&mut self, input: &str) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin
                .write_all(input.as_bytes())
                .and_then(|()| stdin.flush());
        }
        self.turns += 1;
        if self.turns >= self.trial.turns_of_input {
            self.stdin = None;
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
        let cpu_before = self.family.cpu();
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
                self.look()?;
                next_look = Instant::now() + self.slow_down()?;
                if self.family.memory() > limits.memory {
                    return Ok(End::Limit(Verdict::MemoryLimitExceeded, None));
                }
                if limits.by_cpu && self.family.cpu() - cpu_before > limit {
                    return Ok(End::Limit(Verdict::TimeLimitExceeded, None));
                }
                if let Some(why) = self.family.unwatched()? {
                    return Ok(crash(why));
                }
            }
            match self.heard.recv_timeout(next_look.min(deadline) - now) {
                Ok(Heard::Complaint(said)) => words.push(&said),
                Ok(Heard::Output(said)) if said.is_empty() => return Ok(End::Closed),
                Ok(Heard::Output(said)) => self.output.extend_from_slice(&said),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(End::Closed),
            }
        }
    }

    /// Stops a bot that is to be slower for its share of the time until the next look. Returns the rest of it.
    fn slow_down(&mut self) -> io::Result<Duration> {
        if self.trial.slower > 1.0 {
            self.family.pause()?;
            thread::sleep(LOOK.mul_f64(1.0 - 1.0 / self.trial.slower));
            self.family.go_on();
        }
        Ok(LOOK.div_f64(self.trial.slower))
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

    /// Waits for the end of a bot that closed its output, and ends it if it takes too long. Returns a message about a
    /// bad end.
    ///
    /// # Errors
    /// If the bot could not be started, or the system fails.
    pub fn wait_for_end(
        &mut self,
        output: &[u8],
        words: &mut Utterances,
    ) -> Result<Option<String>, TurnError> {
        drop(self.stdin.take());
        if !self.family.wait(PATIENCE_WITH_THE_SILENT)? {
            self.end(words)?;
            return Ok(Some("it closed its output and lived on".to_owned()));
        }
        if let Some(number) = self.family.not_started(output) {
            return Err(TurnError::not_started(number));
        }
        self.end(words)?;
        Ok(self.family.why())
    }

    /// Ends the bot with everything that it started.
    ///
    /// # Errors
    /// If the system fails.
    pub fn end(&mut self, words: &mut Utterances) -> io::Result<()> {
        self.family.end()?;
        while let Ok(heard) = self.heard.recv_timeout(PATIENCE_WITH_THE_WORDS) {
            if let Heard::Complaint(said) = heard {
                words.push(&said);
            }
        }
        Ok(())
    }
}

impl Drop for Running {
    /// Ends the bot. A failure leaves nothing else to try.
    fn drop(&mut self) {
        let _ = self.end(&mut Utterances::default());
    }
}

/// Reads a pipe to its end, in a thread of its own.
fn listen(
    mut pipe: impl Read + Send + 'static,
    heard: fn(Vec<u8>) -> Heard,
    sender: SyncSender<Heard>,
) -> io::Result<()> {
    let read = move || {
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = match pipe.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // A pipe that fails is as good as closed.
                read => read.unwrap_or(0),
            };
            if sender.send(heard(buffer[..count].to_vec())).is_err() || count == 0 {
                break;
            }
        }
        // Before the sender, whose end tells that nothing is open any more.
        drop(pipe);
    };
    thread::Builder::new().spawn(read).map(drop)
}
