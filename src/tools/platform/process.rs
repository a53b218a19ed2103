//! [`Process`] runs a bot as Botzone does. In each turn, it sends the input, enforces the limits of time and memory,
//! and determines the verdict, such as OK or TLE (time limit exceeded). Between turns, it suspends the bot.

pub mod limits;
mod running_bot;
pub mod sandbox;
pub mod stderr_buffer;
mod test_conditions;
mod turn;

pub use limits::Limits;
pub use sandbox::{Launch, LaunchArgs};
pub use test_conditions::TestConditions;
pub use turn::{TurnError, TurnReport};

use super::turn_input::turn_input;
use analysis::rejection::RejectedAnswer;
use engine::botzone::Protocol;
use record::judge::{self, Coordinates, Verdict};
use record::log::Answer;
use running_bot::{RunningBot, TurnEnd};
use serde_json::Value;
use std::io;
use std::thread;
use std::time::{Duration, Instant};
use stderr_buffer::StderrBuffer;

/// How to run a bot as a process: its command line, its protocol, and whether it is restarted every turn.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessSpec {
    /// Command line of the bot: the program's path or name, and its arguments.
    pub command: Vec<String>,
    /// Protocol between Botzone and this bot: JSON or simple.
    pub protocol: Protocol,
    /// True if a new process is started for every turn, even if the bot asks to be kept running.
    pub restarts: bool,
}

/// Bot that runs as a process. At the end of a turn, its process is suspended until the next turn if the bot has asked
/// to be kept running; otherwise it is killed, and the next turn starts a new one.
pub struct Process {
    spec: ProcessSpec,
    launch: Launch,
    /// Special conditions under which `amazons check` tests the bot, such as a slow machine.
    pub conditions: TestConditions,
    running: Option<RunningBot>,
    stderr: StderrBuffer,
}

impl Process {
    /// Creates a bot whose process is started in its first turn. `spec` says how to run the bot: command line and
    /// protocol. `launch` says how to supervise it: the path of the supervising program, and the sandbox, if there is
    /// one.
    #[must_use]
    pub fn new(spec: ProcessSpec, launch: Launch) -> Process {
        Process {
            spec,
            launch,
            conditions: TestConditions::default(),
            running: None,
            stderr: StderrBuffer::default(),
        }
    }

    /// Plays a turn: sends the input to the bot, reads its answer, and returns a report with the verdict.
    ///
    /// `history` contains the game so far: requests to the bot alternate with the bot's responses, and the last element
    /// is the request to be answered now. If `is_cancelled` returns true, the turn is cancelled.
    ///
    /// # Errors
    /// [`TurnError::NotStarted`] if the bot can't be started, [`TurnError::System`] if the operating system can't
    /// create, measure or stop processes, and [`TurnError::Cancelled`] if the turn is cancelled. A failure of the bot
    /// is not an error, but a verdict.
    pub fn play_turn(
        &mut self,
        history: &[Coordinates],
        limits: Limits,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<TurnReport, TurnError> {
        let start = Instant::now();
        let is_new_process = !self.is_running();
        let mut running = match self.running.take() {
            Some(running) => running,
            None => RunningBot::start(&self.spec, &self.launch, self.conditions)?,
        };
        running.processes.resume();
        let cpu_before = running.processes.cpu();
        running.send(&self.turn_input(history, is_new_process));
        let limit = limits.turn_time(history.len());
        let end = running.read_turn(start, limit, limits, &mut self.stderr, is_cancelled)?;
        let wall = start.elapsed();
        let mut turn = self.end_turn(end, running)?;
        turn.wall_time = wall;
        turn.cpu_time = turn.cpu_time.saturating_sub(cpu_before);
        let used = if limits.by_cpu { turn.cpu_time } else { wall };
        if turn.verdict == Verdict::Ok && used > limit {
            turn.verdict = Verdict::TimeLimitExceeded;
            // Discard the answer, because the bot has exceeded its time limit. Botzone does the same.
            turn.response = None;
        }
        Ok(turn)
    }

    /// Returns true if the bot's process was kept running at the end of its last turn, so that the next turn starts no
    /// process.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Returns the text to write to the bot's standard input in a turn. `history` contains the requests to the bot and
    /// its responses. If the process is started for this turn (`is_new_process`), the text contains all of them,
    /// otherwise only the last request.
    #[must_use]
    pub fn turn_input(&self, history: &[Coordinates], is_new_process: bool) -> String {
        let mut input = turn_input(history, self.spec.protocol, is_new_process);
        if self.conditions.sends_data && is_new_process && self.spec.protocol == Protocol::Simple {
            input += "data of the bot\nglobaldata of the bot\n";
        }
        input
    }

    /// Lets the bot's process, which is normally suspended between turns, run for the duration `time` without giving it
    /// input, and then suspends it again. Returns the CPU time that the process used meanwhile; zero if there is no
    /// process.
    ///
    /// # Errors
    /// The operating system's error if the bot's processes can't be measured or suspended.
    pub fn run_idle(&mut self, time: Duration) -> io::Result<Duration> {
        let Some(running) = &mut self.running else {
            return Ok(Duration::ZERO);
        };
        let before = running.processes.cpu();
        running.processes.resume();
        thread::sleep(time);
        running.pause()?;
        Ok(running.processes.cpu().saturating_sub(before))
    }

    /// Kills the bot's process, if there is one, so that the next turn starts a new process. Errors are ignored.
    pub fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            // If this fails, ignore the error: the bot's processes are killed once more when `running` is dropped.
            let _ = running.kill(&mut self.stderr);
        }
    }

    /// Returns what the bot has written to standard error in all turns so far. If this is more than about 1 MiB, only
    /// the first 1 MiB and the last 4 KiB are stored.
    #[must_use]
    pub const fn stderr(&self) -> &StderrBuffer {
        &self.stderr
    }

    /// Ends a turn: suspends or kills the bot's process, parses its answer, and returns the report with the verdict.
    /// `end` says why reading the bot's output has stopped.
    ///
    /// In the report, the wall time is zero, and the CPU time also counts earlier turns of the process. The caller
    /// corrects both.
    ///
    /// # Errors
    /// [`TurnError::NotStarted`] if the bot could not be started, or [`TurnError::System`] if the operating system
    /// can't measure, suspend or kill its processes.
    fn end_turn(&mut self, end: TurnEnd, mut running: RunningBot) -> Result<TurnReport, TurnError> {
        let output = running.take_output();
        let mut turn = TurnReport {
            output: String::from_utf8_lossy(&output).into_owned(),
            ..TurnReport::default()
        };
        match end {
            TurnEnd::KeepRunning => {
                running.pause()?;
                turn.keep_running = !self.spec.restarts;
            }
            TurnEnd::OutputEnd => {
                turn.exit_reason = running.wait_for_exit(&output, &mut self.stderr)?;
                if turn.exit_reason.is_some() {
                    turn.verdict = Verdict::RuntimeError;
                }
            }
            TurnEnd::Failed(verdict, reason) => {
                running.kill(&mut self.stderr)?;
                (turn.verdict, turn.exit_reason) = (verdict, reason.map(str::to_owned));
            }
        }
        turn.process_stats = running.process_stats;
        (turn.cpu_time, turn.peak_memory) = (running.processes.cpu(), running.processes.memory());
        if turn.keep_running {
            self.running = Some(running);
        } else {
            running.kill(&mut self.stderr)?;
        }
        if turn.verdict == Verdict::Ok {
            turn.parse_answer(self.spec.protocol);
        }
        Ok(turn)
    }
}

impl From<&TurnReport> for Answer {
    /// Converts the report on a bot's turn to the form that a match log has for the bot's answer, with wall time in
    /// milliseconds and memory in MB.
    fn from(turn: &TurnReport) -> Answer {
        Answer {
            verdict: Some(turn.verdict),
            response: turn.response.clone(),
            debug: turn.debug.clone(),
            time: turn.wall_time.as_millis() as u64,
            memory: turn.peak_memory / limits::MB,
            keep_running: turn.keep_running,
        }
    }
}

impl TurnReport {
    /// Returns the data for an error report about this turn, in which the judge has rejected the bot's answer. `moves`
    /// are the moves played before this turn, and `limits` the time and memory limits of the game.
    #[must_use]
    pub fn rejection(&self, moves: &[Coordinates], limits: Limits) -> RejectedAnswer {
        let mut answer = Answer::from(self);
        if limits.by_cpu {
            answer.time = self.cpu_time.as_millis() as u64;
        }
        RejectedAnswer {
            moves: moves.to_vec(),
            answer,
            output: Some(self.output.clone()),
            failure: self.exit_reason.clone(),
            limits: Some(limits.turn_limits(moves.len())),
        }
    }

    /// Parses the first non-blank line of the bot's output, and stores the bot's move in `response`. In the JSON
    /// protocol, also stores the member `debug`; if the line is not JSON, sets the verdict to [`Verdict::NotJson`].
    fn parse_answer(&mut self, protocol: Protocol) {
        let line = self.output.lines().find(|line| !line.trim().is_empty());
        let line = line.unwrap_or_default();
        match protocol {
            Protocol::Simple => {
                // Split at single spaces, as Botzone does: in the simple protocol, it rejects a move whose six numbers
                // are separated by more than one space.
                let turn = Coordinates::parse_words(line.trim_end().split(' '));
                self.response = turn.and_then(|turn| serde_json::to_value(turn).ok());
            }
            Protocol::Json => match serde_json::from_str::<Value>(line) {
                Ok(answer) => {
                    self.response = judge::response_of(&answer).cloned();
                    self.debug = answer.get("debug").cloned();
                }
                Err(_) => self.verdict = Verdict::NotJson,
            },
        }
    }
}
