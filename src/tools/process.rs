//! A bot as a process under the platform's conditions: limits, stop and continue, verdicts.

use super::judge::{Coordinates, Verdict};
use super::log::Answer;
use super::spec::ProcessSpec;
use super::wire;
use crate::botzone::{Form, KEEP_RUNNING};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use serde_json::Value;
use std::collections::HashMap;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// Longest output of a turn; a bot that says more is stopped.
const MAX_OUTPUT: usize = 1 << 20;

/// Time between two looks at a running bot's memory and CPU time.
const LOOK: Duration = Duration::from_millis(10);

/// How long the wall clock may run, in multiples of the limit, where CPU time is what counts.
const WALL_PATIENCE: u32 = 5;

/// What a bot may use in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time of the first turn of a game.
    pub first: Duration,
    /// Time of any other turn.
    pub later: Duration,
    /// Resident memory, in bytes.
    pub memory: u64,
    /// Whether CPU time counts instead of wall time.
    pub by_cpu: bool,
}

/// The limits on the command line; Botzone's by default.
#[derive(Clone, Debug, clap::Args)]
pub struct LimitArgs {
    /// Limit of a bot's first turn, milliseconds
    #[arg(long, default_value_t = 2000)]
    first_ms: u64,
    /// Limit of a later turn, milliseconds
    #[arg(long, default_value_t = 1000)]
    time_ms: u64,
    /// Limit of resident memory, MB
    #[arg(long, default_value_t = 256)]
    memory_mb: u64,
    /// Let CPU time count instead of wall time, for busy machines
    #[arg(long)]
    cpu_time: bool,
}

impl LimitArgs {
    /// The limits.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        Limits {
            first: Duration::from_millis(self.first_ms),
            later: Duration::from_millis(self.time_ms),
            memory: self.memory_mb * 1_000_000,
            by_cpu: self.cpu_time,
        }
    }
}

impl std::fmt::Display for LimitArgs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let time = if self.cpu_time { "CPU" } else { "wall" };
        let LimitArgs {
            first_ms,
            time_ms,
            memory_mb,
            ..
        } = self;
        write!(
            f,
            "first turn {first_ms} ms, later {time_ms} ms of {time} time, {memory_mb} MB"
        )
    }
}

/// What a turn came to.
#[derive(Clone, Debug)]
pub struct Turn {
    /// What the platform would say of it.
    pub verdict: Verdict,
    /// The answer, if it could be read.
    pub response: Option<Value>,
    /// The debug text of an answer in JSON.
    pub debug: Option<Value>,
    /// Wall time from the input to the marker, or to the end of the process.
    pub wall: Duration,
    /// CPU time of the process in this turn.
    pub cpu: Duration,
    /// Peak resident memory so far, in bytes.
    pub memory: u64,
    /// Whether the bot asked to be kept running.
    pub keep_running: bool,
}

/// Why a turn's output ended.
enum End {
    /// The marker came.
    Marker,
    /// The output was closed.
    Closed,
    /// A limit was passed.
    Limit(Verdict),
}

/// A bot, its process running, stopped, or not there between two turns.
pub struct Process {
    spec: ProcessSpec,
    running: Option<Running>,
}

/// A process that was started.
struct Running {
    child: Child,
    group: Pid,
    /// Output that was read and not yet used.
    output: Vec<u8>,
    /// CPU time and peak memory when last looked at.
    cpu: Duration,
    memory: u64,
}

impl Process {
    /// A bot that is not running yet.
    #[must_use]
    pub fn new(spec: ProcessSpec) -> Process {
        Process {
            spec,
            running: None,
        }
    }

    /// Plays a turn: sends what the platform would send, and reads the answer.
    ///
    /// `record` holds the bot's requests and own responses in turn.
    pub fn turn(&mut self, record: &[Coordinates], limits: Limits) -> Turn {
        let fresh = self.running.is_none();
        let start = Instant::now();
        if fresh {
            self.running = Running::start(&self.spec).ok();
        }
        let Some(running) = &mut self.running else {
            return Turn::failed(Verdict::CompileError);
        };
        if !fresh {
            running.signal(Signal::SIGCONT);
        }
        let cpu_before = running.cpu;
        running.send(&wire::input(record, self.spec.form, fresh));
        let limit = if record.len() == 1 {
            limits.first
        } else {
            limits.later
        };
        let end = running.read_turn(start, limit, limits);
        let wall = start.elapsed();
        let mut turn = self.finish(end);
        turn.wall = wall;
        turn.cpu = turn.cpu.saturating_sub(cpu_before);
        let used = if limits.by_cpu { turn.cpu } else { wall };
        if turn.verdict == Verdict::Ok && used > limit {
            turn.verdict = Verdict::TimeLimitExceeded;
        }
        turn
    }

    /// Ends the process, if it is there; the next turn starts it anew.
    pub fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.end();
        }
    }

    /// Stops or ends the process after a turn and judges what it said.
    fn finish(&mut self, end: End) -> Turn {
        let Some(mut running) = self.running.take() else {
            return Turn::failed(Verdict::RuntimeError);
        };
        let output = std::mem::take(&mut running.output);
        let (verdict, cpu, memory, keep_running) = match end {
            End::Marker => {
                running.look();
                let (cpu, memory) = (running.cpu, running.memory);
                if self.spec.fresh {
                    running.end();
                } else {
                    running.signal(Signal::SIGSTOP);
                    self.running = Some(running);
                }
                (Verdict::Ok, cpu, memory, !self.spec.fresh)
            }
            End::Closed => {
                let memory = running.memory;
                let (success, cpu) = running.wait();
                (
                    if success {
                        Verdict::Ok
                    } else {
                        Verdict::RuntimeError
                    },
                    cpu,
                    memory,
                    false,
                )
            }
            End::Limit(verdict) => {
                let memory = running.memory;
                (verdict, running.end(), memory, false)
            }
        };
        let mut turn = Turn {
            cpu,
            memory,
            keep_running,
            ..Turn::failed(verdict)
        };
        if verdict == Verdict::Ok {
            turn.read(&output, self.spec.form);
        }
        turn
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop();
    }
}

impl From<Turn> for Answer {
    /// The turn as a log has it.
    fn from(turn: Turn) -> Answer {
        Answer {
            verdict: turn.verdict,
            response: turn.response,
            debug: turn.debug,
            time: turn.wall.as_millis() as u64,
            memory: turn.memory / 1_000_000,
            keep_running: turn.keep_running,
        }
    }
}

impl Turn {
    /// A turn without an answer.
    fn failed(verdict: Verdict) -> Turn {
        Turn {
            verdict,
            response: None,
            debug: None,
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            memory: 0,
            keep_running: false,
        }
    }

    /// Reads the answer from a turn's output. Further lines are the bot's own affair.
    fn read(&mut self, output: &[u8], form: Form) {
        let text = String::from_utf8_lossy(output);
        let line = text
            .lines()
            .find(|line| !line.trim().is_empty())
            .unwrap_or("");
        match form {
            Form::Simple => self.response = read_simple(line),
            Form::Json => match serde_json::from_str::<Value>(line) {
                Ok(answer) => {
                    self.response = answer.get("response").cloned();
                    self.debug = answer.get("debug").cloned();
                }
                Err(_) => self.verdict = Verdict::NotJson,
            },
        }
    }
}

/// Reads an answer of the simple interaction: six numbers with single blanks between them.
fn read_simple(line: &str) -> Option<Value> {
    let numbers: Option<Vec<i64>> = line
        .trim_end()
        .split(' ')
        .map(|word| word.parse().ok())
        .collect();
    let numbers: [i64; 6] = numbers?.try_into().ok()?;
    serde_json::to_value(Coordinates::from(numbers)).ok()
}

impl Running {
    fn start(spec: &ProcessSpec) -> std::io::Result<Running> {
        let child = Command::new(&spec.command[0])
            .args(&spec.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let group = Pid::from_raw(child.id().cast_signed());
        Ok(Running {
            child,
            group,
            output: Vec::new(),
            cpu: Duration::ZERO,
            memory: 0,
        })
    }

    /// Writes the input. A bot that is gone is found out by its closed output.
    fn send(&mut self, input: &str) {
        if let Some(stdin) = &mut self.child.stdin {
            let _ = stdin
                .write_all(input.as_bytes())
                .and_then(|()| stdin.flush());
        }
    }

    /// Sends a signal to the bot and all that it started in its group. It may be gone already.
    fn signal(&self, signal: Signal) {
        let _ = killpg(self.group, signal);
    }

    /// Reads output until the turn ends.
    fn read_turn(&mut self, start: Instant, limit: Duration, limits: Limits) -> End {
        let cpu_before = self.cpu;
        let wall_limit = if limits.by_cpu {
            limit * WALL_PATIENCE
        } else {
            limit
        };
        let mut next_look = start + LOOK;
        loop {
            if let Some(end) = self.marker() {
                self.output.truncate(end);
                return End::Marker;
            }
            if self.output.len() > MAX_OUTPUT {
                return End::Limit(Verdict::RuntimeError);
            }
            let now = Instant::now();
            if now >= start + wall_limit {
                return End::Limit(Verdict::TimeLimitExceeded);
            }
            if now >= next_look {
                self.look();
                next_look = now + LOOK;
                if self.memory > limits.memory {
                    return End::Limit(Verdict::MemoryLimitExceeded);
                }
                if limits.by_cpu && self.cpu - cpu_before > limit {
                    return End::Limit(Verdict::TimeLimitExceeded);
                }
            }
            match self.read_some(next_look.min(start + wall_limit) - now) {
                Ok(0) => return End::Closed,
                Ok(_) | Err(Errno::EAGAIN | Errno::EINTR) => {}
                Err(_) => return End::Closed,
            }
        }
    }

    /// Waits for output and reads what is there; `EAGAIN` if nothing came in time.
    fn read_some(&mut self, patience: Duration) -> Result<usize, Errno> {
        let stdout = self.child.stdout.as_mut().ok_or(Errno::EBADF)?;
        // Rounded up, or the last millisecond would be spent in a busy loop.
        let timeout = PollTimeout::try_from(patience.as_millis() + 1).unwrap_or(PollTimeout::MAX);
        if poll(
            &mut [PollFd::new(stdout.as_fd(), PollFlags::POLLIN)],
            timeout,
        )? == 0
        {
            return Err(Errno::EAGAIN);
        }
        let mut buffer = [0; 1 << 16];
        let count = stdout
            .read(&mut buffer)
            .map_err(|error| Errno::from_raw(error.raw_os_error().unwrap_or(0)))?;
        self.output.extend_from_slice(&buffer[..count]);
        Ok(count)
    }

    /// Where the marker's line begins, if it has come.
    fn marker(&self) -> Option<usize> {
        let at = self
            .output
            .windows(KEEP_RUNNING.len())
            .position(|window| window == KEEP_RUNNING.as_bytes())?;
        let begins_line = at == 0 || self.output[at - 1] == b'\n';
        (begins_line && self.output[at..].contains(&b'\n')).then_some(at)
    }

    /// Looks at CPU time and peak memory.
    fn look(&mut self) {
        let Ok(process) = procfs::process::Process::new(self.group.as_raw()) else {
            return;
        };
        if let Ok(tasks) = process.tasks() {
            let times = tasks
                .flatten()
                .filter_map(|task| task.schedstat().ok())
                .map(|stat| stat.sum_exec_runtime);
            self.cpu = self.cpu.max(Duration::from_nanos(times.sum()));
        }
        if let Some(peak) = process.status().ok().and_then(|status| status.vmhwm) {
            self.memory = self.memory.max(1024 * peak);
        }
    }

    /// Waits for a bot that closed its output; returns success and CPU time. One that does not end is ended.
    fn wait(mut self) -> (bool, Duration) {
        drop(self.child.stdin.take());
        let patience = Instant::now() + Duration::from_millis(200);
        while Instant::now() < patience {
            if let Ok(Some(usage)) = self.child.try_wait4() {
                self.signal(Signal::SIGKILL);
                return (
                    usage.status.success(),
                    usage.rusage.utime + usage.rusage.stime,
                );
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        (false, self.end())
    }

    /// Ends the bot with everything that it started; returns its CPU time.
    fn end(self) -> Duration {
        for process in descendants(self.group.as_raw()) {
            let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
        }
        self.signal(Signal::SIGKILL);
        let cpu = self.cpu;
        self.child
            .wait4()
            .map_or(cpu, |usage| usage.rusage.utime + usage.rusage.stime)
    }
}

/// All processes that a process has started, directly or not.
fn descendants(ancestor: i32) -> Vec<i32> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    if let Ok(all) = procfs::process::all_processes() {
        for stat in all.flatten().filter_map(|process| process.stat().ok()) {
            children.entry(stat.ppid).or_default().push(stat.pid);
        }
    }
    let mut found = children.remove(&ancestor).unwrap_or_default();
    let mut at = 0;
    while let Some(&process) = found.get(at) {
        found.extend(children.remove(&process).unwrap_or_default());
        at += 1;
    }
    found
}
