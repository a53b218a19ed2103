//! Communication with a bot whose processes are running: sends the bot input, reads the bot's output until a turn ends,
//! and ends the processes.

use super::ProcessSpec;
use super::limits::Limits;
use super::sandbox::Launch;
use super::stderr_buffer::StderrBuffer;
use super::test_conditions::TestConditions;
use super::turn::TurnError;
use crate::system::{BotProcesses, MEASURE_INTERVAL, ProcessStats};
use engine::botzone::KEEP_RUNNING;
use record::judge::Verdict;
use std::io::{self, Read, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum size of a bot's output in one turn, in bytes. A bot that prints more fails with a runtime error.
const MAX_OUTPUT_BYTES: usize = 1 << 20;

/// Maximum wall time of a turn if its CPU time is limited, as a multiple of the CPU time limit.
const WALL_TIME_FACTOR: u32 = 20;

/// Maximum time that a bot may take to exit after it has closed its standard output; after this time the bot is killed.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// Maximum time to wait for more data from the pipes of a bot that has ended. The wait needs a limit, because a process
/// of the bot that could not be found and ended may hold the pipes open.
const PIPE_DRAIN_TIMEOUT: Duration = Duration::from_millis(200);

/// Maximum length of the queue from the threads that read the bot's pipes to the thread that plays the turn, in reads
/// of up to 64 KiB each. While the queue is full, nothing more is read, so the bot's writes block.
const MAX_QUEUED_READS: usize = 4;

/// Reason why the output of a turn ended.
pub enum TurnEnd {
    /// The bot printed the line [`KEEP_RUNNING`], which asks Botzone to keep its process running.
    Marker,
    /// The bot closed its standard output.
    Closed,
    /// The bot failed: the verdict, and a description of a runtime error; `None` if the bot exceeded its time or memory
    /// limit.
    Failed(Verdict, Option<&'static str>),
}

/// Data from one read of one of the bot's output pipes.
enum PipeData {
    /// Bytes of standard output; empty when the pipe has ended.
    Stdout(Vec<u8>),
    /// Bytes of standard error; empty when the pipe has ended.
    Stderr(Vec<u8>),
}

/// A bot whose processes have been started.
pub struct RunningBot {
    /// Handle with which to measure, stop and end all processes of the bot.
    pub processes: BotProcesses,
    conditions: TestConditions,
    /// Numbers of processes and threads at the last measurement, and whether any measurement found a network socket.
    pub process_stats: ProcessStats,
    /// Number of turns sent to the bot so far.
    turns: usize,
    stdin: Option<ChildStdin>,
    /// Receiving end of the queue that the threads reading the bot's pipes fill.
    received: Receiver<PipeData>,
    /// Standard output received so far in this turn.
    output: Vec<u8>,
    /// Number of bytes at the beginning of `output` that were already searched for the line [`KEEP_RUNNING`].
    searched_bytes: usize,
}

impl RunningBot {
    /// Starts the bot's processes, and a thread for each of its two output pipes.
    ///
    /// # Errors
    /// If the bot can't be started, or if the system can't create processes, pipes or threads.
    pub fn start(
        spec: &ProcessSpec,
        launch: &Launch,
        conditions: TestConditions,
    ) -> Result<RunningBot, TurnError> {
        let (processes, streams) = BotProcesses::start(&launch.supervisor, &launch.command(spec))?;
        let (sender, received) = mpsc::sync_channel(MAX_QUEUED_READS);
        spawn_reader(streams.stdout, PipeData::Stdout, sender.clone())?;
        spawn_reader(streams.stderr, PipeData::Stderr, sender)?;
        Ok(RunningBot {
            processes,
            conditions,
            process_stats: ProcessStats::default(),
            turns: 0,
            stdin: Some(streams.stdin),
            received,
            output: Vec::new(),
            searched_bytes: 0,
        })
    }

    /// Measures CPU time and memory. If `conditions.counts_processes` is true, also counts processes and threads, and
    /// tests for network sockets.
    ///
    /// # Errors
    /// If the system does not report them.
    fn measure(&mut self) -> io::Result<()> {
        self.processes.measure()?;
        if self.conditions.counts_processes {
            let stats = self.processes.stats()?;
            self.process_stats = ProcessStats {
                has_socket: stats.has_socket || self.process_stats.has_socket,
                ..stats
            };
        }
        Ok(())
    }

    /// Returns the standard output of the turn, and clears the buffer for the next turn.
    #[must_use]
    pub fn take_output(&mut self) -> Vec<u8> {
        self.searched_bytes = 0;
        std::mem::take(&mut self.output)
    }

    /// Measures CPU time and memory, then stops the bot until the next turn.
    ///
    /// # Errors
    /// If the system fails.
    pub fn pause(&mut self) -> io::Result<()> {
        self.measure()?;
        self.processes.pause()
    }

    /// Writes the input of a turn to the bot. A failed write is ignored: it means that the bot has exited, and then the
    /// end of the bot's output shows this. Closes the bot's standard input after `conditions.max_input_turns` turns.
    pub fn send(&mut self, input: &str) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin
                .write_all(input.as_bytes())
                .and_then(|()| stdin.flush());
        }
        self.turns += 1;
        if self.turns >= self.conditions.max_input_turns {
            self.stdin = None;
        }
    }

    /// Reads the bot's output until the turn ends, and checks time and memory every [`MEASURE_INTERVAL`].
    ///
    /// The turn began at `start` and may take the time `limit`: CPU time if `limits.by_cpu` is true, otherwise wall
    /// time. What the bot writes to standard error is appended to `stderr`.
    ///
    /// # Errors
    /// If the system fails, or if `is_cancelled` returns true.
    pub fn read_turn(
        &mut self,
        start: Instant,
        limit: Duration,
        limits: Limits,
        stderr: &mut StderrBuffer,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<TurnEnd, TurnError> {
        let cpu_before = self.processes.cpu();
        let factor = if limits.by_cpu { WALL_TIME_FACTOR } else { 1 };
        let deadline = start + limit * factor;
        let mut next_measurement = start + MEASURE_INTERVAL;
        let crash = |reason| TurnEnd::Failed(Verdict::RuntimeError, Some(reason));
        loop {
            if let Some(end) = self.find_marker() {
                self.output.truncate(end);
                return Ok(TurnEnd::Marker);
            }
            if self.output.len() > MAX_OUTPUT_BYTES {
                return Ok(crash("more than 1 MiB of output"));
            }
            let now = Instant::now();
            if now >= deadline {
                return Ok(TurnEnd::Failed(Verdict::TimeLimitExceeded, None));
            }
            if now >= next_measurement {
                if is_cancelled() {
                    return Err(TurnError::Cancelled);
                }
                self.measure()?;
                next_measurement = Instant::now() + self.simulate_slowdown()?;
                if self.processes.memory() > limits.memory {
                    return Ok(TurnEnd::Failed(Verdict::MemoryLimitExceeded, None));
                }
                if limits.by_cpu && self.processes.cpu() - cpu_before > limit {
                    return Ok(TurnEnd::Failed(Verdict::TimeLimitExceeded, None));
                }
                if let Some(reason) = self.processes.check_supervisor()? {
                    return Ok(crash(reason));
                }
            }
            match self
                .received
                .recv_timeout(next_measurement.min(deadline) - now)
            {
                Ok(PipeData::Stderr(bytes)) => stderr.push(&bytes),
                Ok(PipeData::Stdout(bytes)) if bytes.is_empty() => return Ok(TurnEnd::Closed),
                Ok(PipeData::Stdout(bytes)) => self.output.extend_from_slice(&bytes),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(TurnEnd::Closed),
            }
        }
    }

    /// Slows the bot down by the factor `conditions.slowdown`: stops the bot for a part of [`MEASURE_INTERVAL`].
    /// Returns the length of the rest of the interval, in which the bot is to run.
    ///
    /// # Errors
    /// If the system can't list the bot's processes.
    fn simulate_slowdown(&mut self) -> io::Result<Duration> {
        if self.conditions.slowdown > 1.0 {
            self.processes.pause()?;
            thread::sleep(MEASURE_INTERVAL.mul_f64(1.0 - 1.0 / self.conditions.slowdown));
            self.processes.resume();
        }
        Ok(MEASURE_INTERVAL.div_f64(self.conditions.slowdown))
    }

    /// Returns the byte offset in `output` at which the line [`KEEP_RUNNING`] begins; `None` if the whole line has not
    /// arrived yet.
    fn find_marker(&mut self) -> Option<usize> {
        let marker = KEEP_RUNNING.as_bytes();
        let from = self.searched_bytes;
        let found = self.output[from..]
            .windows(marker.len())
            .position(|window| window == marker);
        let Some(at) = found.map(|at| from + at) else {
            self.searched_bytes = self.output.len().saturating_sub(marker.len() - 1).max(from);
            return None;
        };
        self.searched_bytes = at;
        let begins_line = at == 0 || self.output[at - 1] == b'\n';
        (begins_line && self.output[at..].contains(&b'\n')).then_some(at)
    }

    /// Waits for the exit of a bot that has closed its output, and kills the bot if it has not exited after
    /// `EXIT_GRACE`. Returns a description of an abnormal exit, or `None` after exit code 0. `output` is the bot's
    /// standard output in this turn; the rest of its standard error is appended to `stderr`.
    ///
    /// # Errors
    /// If the bot could not be started, or if the system fails.
    pub fn wait_for_exit(
        &mut self,
        output: &[u8],
        stderr: &mut StderrBuffer,
    ) -> Result<Option<String>, TurnError> {
        drop(self.stdin.take());
        if !self.processes.wait(EXIT_GRACE)? {
            self.kill(stderr)?;
            return Ok(Some("it closed its output but did not exit".to_owned()));
        }
        if let Some(number) = self.processes.start_error(output) {
            return Err(TurnError::not_started(number));
        }
        self.kill(stderr)?;
        Ok(self.processes.describe_exit())
    }

    /// Ends all processes of the bot, and appends the rest of its standard error to `stderr`.
    ///
    /// # Errors
    /// If the system fails.
    pub fn kill(&mut self, stderr: &mut StderrBuffer) -> io::Result<()> {
        self.processes.kill()?;
        while let Ok(data) = self.received.recv_timeout(PIPE_DRAIN_TIMEOUT) {
            if let PipeData::Stderr(bytes) = data {
                stderr.push(&bytes);
            }
        }
        Ok(())
    }
}

impl Drop for RunningBot {
    /// Ends all processes of the bot. An error is ignored, because there is no other way to end them.
    fn drop(&mut self) {
        let _ = self.kill(&mut StderrBuffer::default());
    }
}

/// Starts a thread that reads `pipe` to its end. The thread sends the bytes of each read, converted by `wrap`, to the
/// queue `sender`; no bytes stand for the end of the pipe.
///
/// # Errors
/// If the system can't create a thread.
fn spawn_reader(
    mut pipe: impl Read + Send + 'static,
    wrap: fn(Vec<u8>) -> PipeData,
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
            if sender.send(wrap(buffer[..count].to_vec())).is_err() || count == 0 {
                break;
            }
        }
        // Close the pipe before the sender is dropped: when all senders are gone, the receiver concludes that all pipes
        // are closed.
        drop(pipe);
    };
    thread::Builder::new().spawn(read).map(drop)
}
