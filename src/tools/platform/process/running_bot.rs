//! [`RunningBot`], a bot whose processes have been started: sends it the input of a turn, reads its output, and
//! suspends or kills its processes.

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

/// Maximum size, in bytes, of a bot's output in one turn. A bot that prints more gets the verdict RE (runtime error).
const MAX_OUTPUT_BYTES: usize = 1 << 20;

/// Maximum wall time of a turn, as a multiple of its limit of CPU time: 20. It applies only if CPU time is limited, and
/// stops bots that wait without using CPU time.
const WALL_TIME_FACTOR: u32 = 20;

/// Time that a bot has to exit after closing its standard output. A bot that takes longer is killed.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// Maximum time to wait for the rest of a bot's output after its processes were killed. Without a limit, the wait might
/// never end: a process that was not found may still keep the pipe open.
const PIPE_DRAIN_TIMEOUT: Duration = Duration::from_millis(200);

/// Maximum number of chunks of the bot's output, of up to 64 KiB each, in the queue from the threads that read the
/// bot's pipes to the thread that plays the turn. If the queue is full, the threads stop reading, and the bot's writes
/// block.
const MAX_QUEUED_READS: usize = 4;

/// Event that has ended the reading of the bot's output in a turn.
pub enum TurnEnd {
    /// The bot printed the line [`KEEP_RUNNING`], by which it asks that its process be kept running.
    KeepRunning,
    /// The bot closed its standard output.
    OutputEnd,
    /// The bot failed. First: the verdict, such as TLE (time limit exceeded). Second: the description of a runtime
    /// error; `None` if the bot exceeded its time or memory limit.
    Failed(Verdict, Option<&'static str>),
}

/// Chunk of bytes that the bot has written to its standard output or its standard error.
enum PipeData {
    /// Bytes of the bot's standard output. If the vector is empty, the bot has closed its standard output.
    Stdout(Vec<u8>),
    /// Bytes of the bot's standard error. If the vector is empty, the bot has closed its standard error.
    Stderr(Vec<u8>),
}

/// A bot whose processes have been started, with its pipes and what it has written in the current turn.
pub struct RunningBot {
    /// Processes of the operating system that belong to the bot. The methods of this value measure, suspend and kill
    /// them.
    pub processes: BotProcesses,
    conditions: TestConditions,
    /// Numbers of the bot's processes and threads at the latest measurement of time and memory, and whether the bot had
    /// a network socket at any measurement. All are 0 or false unless [`TestConditions::counts_processes`] is true.
    pub process_stats: ProcessStats,
    /// Number of turns whose input was sent to the bot.
    turns_sent: usize,
    stdin: Option<ChildStdin>,
    /// Queue of the bot's output. Two threads read the bot's pipes and put the bytes into the queue.
    received: Receiver<PipeData>,
    /// Output of the bot to standard output in this turn.
    output: Vec<u8>,
    /// Number of bytes of `output` that were already searched for the line [`KEEP_RUNNING`].
    searched_bytes: usize,
}

impl RunningBot {
    /// Starts the bot's processes, and two threads that read its standard output and standard error.
    ///
    /// This succeeds even if the bot's program does not exist, because a supervisor process (part of this program) is
    /// started first and starts the bot. In this case, [`RunningBot::wait_for_exit`] returns the error.
    ///
    /// # Errors
    /// [`TurnError::System`] if the operating system can't create processes, pipes or threads.
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
            turns_sent: 0,
            stdin: Some(streams.stdin),
            received,
            output: Vec::new(),
            searched_bytes: 0,
        })
    }

    /// Measures CPU time and memory of the bot. If `conditions.counts_processes` is true, also counts its processes and
    /// threads and looks for network sockets.
    ///
    /// # Errors
    /// The operating system's error if it can't provide these numbers.
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

    /// Returns what the bot has written to standard output in this turn, and empties the buffer, so that the next turn
    /// starts with no output.
    #[must_use]
    pub fn take_output(&mut self) -> Vec<u8> {
        self.searched_bytes = 0;
        std::mem::take(&mut self.output)
    }

    /// Measures CPU time and memory of the bot's processes, and suspends them until the next turn.
    ///
    /// # Errors
    /// The operating system's error if the processes can't be measured or suspended.
    pub fn pause(&mut self) -> io::Result<()> {
        self.measure()?;
        self.processes.pause()
    }

    /// Writes the input of a turn to the bot's standard input. Closes the standard input after the number of turns in
    /// `conditions.max_input_turns`. Ignores write errors: they mean that the bot has exited, which is detected when
    /// its output is read.
    pub fn send(&mut self, input: &str) {
        if let Some(stdin) = &mut self.stdin {
            let written = stdin.write_all(input.as_bytes());
            let _ = written.and_then(|()| stdin.flush());
        }
        self.turns_sent += 1;
        if self.turns_sent >= self.conditions.max_input_turns {
            self.stdin = None;
        }
    }

    /// Reads the bot's output until the bot asks to be kept running, closes its output or fails. Returns which of these
    /// happened. Measures time and memory every [`MEASURE_INTERVAL`].
    ///
    /// `start` is the beginning of the turn. `limit` is the maximum CPU time of the turn if `limits.by_cpu` is true,
    /// otherwise the maximum wall time. What the bot writes to standard error is appended to `stderr`.
    ///
    /// # Errors
    /// [`TurnError::System`] if the operating system can't measure or suspend the bot's processes, or
    /// [`TurnError::Cancelled`] if `is_cancelled` returns true.
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
            if let Some(end) = self.find_keep_running() {
                self.output.truncate(end);
                return Ok(TurnEnd::KeepRunning);
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
                if self.processes.memory() > limits.memory_bytes {
                    return Ok(TurnEnd::Failed(Verdict::MemoryLimitExceeded, None));
                }
                if limits.by_cpu && self.processes.cpu() - cpu_before > limit {
                    return Ok(TurnEnd::Failed(Verdict::TimeLimitExceeded, None));
                }
                if let Some(reason) = self.processes.check_supervisor()? {
                    return Ok(crash(reason));
                }
            }
            let timeout = next_measurement.min(deadline) - now;
            match self.received.recv_timeout(timeout) {
                Ok(PipeData::Stderr(bytes)) => stderr.push(&bytes),
                Ok(PipeData::Stdout(bytes)) if bytes.is_empty() => return Ok(TurnEnd::OutputEnd),
                Ok(PipeData::Stdout(bytes)) => self.output.extend_from_slice(&bytes),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(TurnEnd::OutputEnd),
            }
        }
    }

    /// Simulates a machine that is slower by the factor `conditions.slowdown`. Suspends the bot for a part of one
    /// [`MEASURE_INTERVAL`], waits, and lets the bot continue. Returns the rest of the interval; the caller should call
    /// again after this time.
    ///
    /// # Errors
    /// The operating system's error if it can't list the bot's processes.
    fn simulate_slowdown(&mut self) -> io::Result<Duration> {
        if self.conditions.slowdown > 1.0 {
            self.processes.pause()?;
            thread::sleep(MEASURE_INTERVAL.mul_f64(1.0 - 1.0 / self.conditions.slowdown));
            self.processes.resume();
        }
        Ok(MEASURE_INTERVAL.div_f64(self.conditions.slowdown))
    }

    /// Returns the byte offset in `output` of the line [`KEEP_RUNNING`], by which the bot asks to be kept running.
    /// Returns `None` as long as the line or its line break has not been received.
    fn find_keep_running(&mut self) -> Option<usize> {
        let marker = KEEP_RUNNING.as_bytes();
        let from = self.searched_bytes;
        let mut windows = self.output[from..].windows(marker.len());
        let found = windows.position(|window| window == marker);
        let Some(at) = found.map(|at| from + at) else {
            self.searched_bytes = self.output.len().saturating_sub(marker.len() - 1).max(from);
            return None;
        };
        self.searched_bytes = at;
        let begins_line = at == 0 || self.output[at - 1] == b'\n';
        (begins_line && self.output[at..].contains(&b'\n')).then_some(at)
    }

    /// Waits until the bot, which has closed its standard output, exits; kills it if it takes longer than 200 ms
    /// (`EXIT_GRACE`). Returns a description of its exit, such as `exit code 1`; `None` if the exit code is 0.
    ///
    /// `output` is what was received on the bot's standard output in this turn. If the bot could not be started, it
    /// contains the error number, printed by the supervisor process (which starts the bot). What remains of the bot's
    /// standard error is appended to `stderr`.
    ///
    /// # Errors
    /// [`TurnError::NotStarted`] if the bot could not be started, or [`TurnError::System`] if the operating system
    /// can't wait for the processes or kill them.
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

    /// Kills all processes of the bot. Then appends the rest of what they had written to standard error to `stderr`.
    ///
    /// # Errors
    /// The operating system's error if the processes can't be listed or killed.
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
    /// Kills all processes of the bot. Errors are ignored, because `drop` can't return them.
    fn drop(&mut self) {
        let _ = self.kill(&mut StderrBuffer::default());
    }
}

/// Starts a thread that reads `pipe` until its end, in chunks. It converts each chunk with the function `wrap`, and
/// puts it into the queue `sender`. At the end of the pipe, it puts an empty chunk into the queue.
///
/// # Errors
/// The operating system's error if it can't create a thread.
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
                // Treat a read error as the end of the pipe, for which the number of bytes read is 0.
                read => read.unwrap_or(0),
            };
            if sender.send(wrap(buffer[..count].to_vec())).is_err() || count == 0 {
                break;
            }
        }
        // Close the pipe first, then (at the end of the thread) drop the sender of the queue. When the last sender is
        // dropped, the receiver concludes that all pipes are closed.
        drop(pipe);
    };
    thread::Builder::new().spawn(read).map(drop)
}
