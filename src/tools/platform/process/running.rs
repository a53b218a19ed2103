//! A running bot: its pipes, the output of a turn, and the end of its processes.

use super::ProcessSpec;
use super::limits::Limits;
use super::sandbox::Launch;
use super::stderr_buffer::StderrBuffer;
use super::trial::Trial;
use super::turn::TurnError;
use crate::system::{Family, LOOK, ProcessStats};
use engine::botzone::KEEP_RUNNING;
use record::judge::Verdict;
use std::io::{self, Read, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum output of a turn, in bytes; a bot that prints more is ended.
const MAX_OUTPUT: usize = 1 << 20;

/// Maximum wall time of a turn if CPU time is limited, as a multiple of the CPU time limit.
const MAX_WALL_FACTOR: u32 = 20;

/// Time for a bot to exit after it closes its standard output.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// Time limit for reading what remains in the pipes of an ended bot. A process that escaped may still hold them open.
const PIPE_DRAIN_TIMEOUT: Duration = Duration::from_millis(200);

/// Capacity of the queue of output not yet processed, in reads of a pipe. A full queue blocks the bot's output.
const OUTPUT_QUEUE_CAPACITY: usize = 4;

/// Why the output of a turn ended.
pub enum End {
    /// The bot printed the keep-running marker, which asks Botzone not to end the process.
    Marker,
    /// The bot closed its standard output.
    Closed,
    /// The bot exceeded a limit or crashed, with the verdict and, after a crash, the reason.
    Limit(Verdict, Option<&'static str>),
}

/// Data read from one of the bot's pipes.
enum PipeData {
    /// Bytes of standard output; empty at its end.
    Output(Vec<u8>),
    /// Bytes of standard error; empty at its end.
    Complaint(Vec<u8>),
}

/// A bot whose processes have been started.
pub struct Running {
    /// All processes of the bot.
    pub family: Family,
    trial: Trial,
    /// Numbers of processes and threads at the last measurement, and whether any measurement found a network socket.
    pub process_stats: ProcessStats,
    /// Number of turns sent to the bot so far.
    turns: usize,
    stdin: Option<ChildStdin>,
    /// Queue of data from the threads that read the bot's pipes.
    heard: Receiver<PipeData>,
    /// Standard output received, not yet processed.
    output: Vec<u8>,
    /// Number of bytes of `output` already searched for the keep-running marker.
    searched: usize,
}

impl Running {
    /// Starts the bot's processes and a thread for each output pipe.
    ///
    /// # Errors
    /// If the bot can't be started, or if the system can't create processes, pipes or threads.
    pub fn start(spec: &ProcessSpec, launch: &Launch, trial: Trial) -> Result<Running, TurnError> {
        let (family, streams) = Family::start(&launch.keeper, &launch.command(spec))?;
        let (sender, heard) = mpsc::sync_channel(OUTPUT_QUEUE_CAPACITY);
        listen(streams.stdout, PipeData::Output, sender.clone())?;
        listen(streams.stderr, PipeData::Complaint, sender)?;
        Ok(Running {
            family,
            trial,
            process_stats: ProcessStats::default(),
            turns: 0,
            stdin: Some(streams.stdin),
            heard,
            output: Vec::new(),
            searched: 0,
        })
    }

    /// Measures CPU time and memory, and if the test conditions ask for it, counts processes, threads and sockets.
    fn measure(&mut self) -> io::Result<()> {
        self.family.look()?;
        if self.trial.counted {
            let process_stats = self.family.company()?;
            self.process_stats = ProcessStats {
                has_socket: process_stats.has_socket || self.process_stats.has_socket,
                ..process_stats
            };
        }
        Ok(())
    }

    /// Returns the output of the turn, and clears the buffer for the next turn.
    #[must_use]
    pub fn take_output(&mut self) -> Vec<u8> {
        self.searched = 0;
        std::mem::take(&mut self.output)
    }

    /// Measures CPU time and memory, then stops the bot until the next turn.
    ///
    /// # Errors
    /// If the system fails.
    pub fn pause(&mut self) -> io::Result<()> {
        self.measure()?;
        self.family.pause()
    }

    /// Writes the input of a turn to the bot. A failed write is ignored, because the bot has then exited and its closed
    /// output shows that.
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

    /// Reads the bot's output until the turn ends, and measures CPU time and memory at intervals.
    ///
    /// # Errors
    /// If the system fails, or if `is_cancelled` returns true.
    pub fn read_turn(
        &mut self,
        start: Instant,
        limit: Duration,
        limits: Limits,
        words: &mut StderrBuffer,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<End, TurnError> {
        let cpu_before = self.family.cpu();
        let patience = if limits.by_cpu { MAX_WALL_FACTOR } else { 1 };
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
                if is_cancelled() {
                    return Err(TurnError::BrokenOff);
                }
                self.measure()?;
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
                Ok(PipeData::Complaint(said)) => words.push(&said),
                Ok(PipeData::Output(said)) if said.is_empty() => return Ok(End::Closed),
                Ok(PipeData::Output(said)) => self.output.extend_from_slice(&said),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(End::Closed),
            }
        }
    }

    /// Stops a bot that is to run slower for a part of the polling interval; returns the rest of the interval.
    fn slow_down(&mut self) -> io::Result<Duration> {
        if self.trial.slower > 1.0 {
            self.family.pause()?;
            thread::sleep(LOOK.mul_f64(1.0 - 1.0 / self.trial.slower));
            self.family.go_on();
        }
        Ok(LOOK.div_f64(self.trial.slower))
    }

    /// Returns the offset in `output` of the line with the keep-running marker; `None` if the whole line has not arrived yet.
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

    /// Waits for the exit of a bot that closed its output; ends the bot if that takes too long. Returns a message if the exit
    /// was abnormal.
    ///
    /// # Errors
    /// If the bot could not be started, or if the system fails.
    pub fn wait_for_end(
        &mut self,
        output: &[u8],
        words: &mut StderrBuffer,
    ) -> Result<Option<String>, TurnError> {
        drop(self.stdin.take());
        if !self.family.wait(EXIT_GRACE)? {
            self.end(words)?;
            return Ok(Some("it closed its output and lived on".to_owned()));
        }
        if let Some(number) = self.family.not_started(output) {
            return Err(TurnError::not_started(number));
        }
        self.end(words)?;
        Ok(self.family.why())
    }

    /// Ends all processes of the bot, and reads the rest of its standard error into `words`.
    ///
    /// # Errors
    /// If the system fails.
    pub fn end(&mut self, words: &mut StderrBuffer) -> io::Result<()> {
        self.family.end()?;
        while let Ok(heard) = self.heard.recv_timeout(PIPE_DRAIN_TIMEOUT) {
            if let PipeData::Complaint(said) = heard {
                words.push(&said);
            }
        }
        Ok(())
    }
}

impl Drop for Running {
    /// Ends all processes of the bot. An error is ignored, because nothing else can be tried.
    fn drop(&mut self) {
        let _ = self.end(&mut StderrBuffer::default());
    }
}

/// Starts a thread that reads `pipe` to its end and sends the data to the queue.
fn listen(
    mut pipe: impl Read + Send + 'static,
    heard: fn(Vec<u8>) -> PipeData,
    sender: SyncSender<PipeData>,
) -> io::Result<()> {
    let read = move || {
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = match pipe.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // A failed read counts as the end of the pipe.
                read => read.unwrap_or(0),
            };
            if sender.send(heard(buffer[..count].to_vec())).is_err() || count == 0 {
                break;
            }
        }
        // Close the pipe before the sender: the receiver takes a disconnected queue as proof that all pipes are closed.
        drop(pipe);
    };
    thread::Builder::new().spawn(read).map(drop)
}
