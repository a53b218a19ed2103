//! Runs a bot as a process under Botzone's conditions: time and memory limits, pauses between turns, and verdicts.

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
use engine::botzone::Form;
use record::judge::{self, Coordinates, Verdict};
use record::log::Answer;
use running_bot::{RunningBot, TurnEnd};
use serde_json::Value;
use std::io;
use std::thread;
use std::time::{Duration, Instant};
use stderr_buffer::StderrBuffer;

/// Specification of a bot that runs as a process: command line, interaction and restarts.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessSpec {
    /// Path of the program or its name, then its arguments.
    pub command: Vec<String>,
    /// Form of interaction that the bot uses: JSON or simple.
    pub form: Form,
    /// Whether to start a new process for every turn, even if the bot asks to be kept running.
    pub fresh: bool,
}

/// A bot that runs as a process during its turns. Between two turns, the process is either stopped until the next turn
/// or has ended.
pub struct Process {
    spec: ProcessSpec,
    launch: Launch,
    /// Special conditions under which `amazons check` tests the bot, such as a slowed-down machine.
    pub conditions: TestConditions,
    running: Option<RunningBot>,
    stderr: StderrBuffer,
}

impl Process {
    /// Returns a bot whose process has not been started yet.
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

    /// Plays a turn: sends the input to the bot, reads its answer and returns a report.
    ///
    /// `record` alternates between requests to the bot and the bot's earlier responses, and ends with the request that
    /// the bot is to answer. If `is_cancelled` returns true during the turn, the turn is cancelled.
    ///
    /// # Errors
    /// If the bot can't be started, if the system fails, or if the turn is cancelled.
    pub fn play_turn(
        &mut self,
        record: &[Coordinates],
        limits: Limits,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<TurnReport, TurnError> {
        let start = Instant::now();
        let fresh = !self.is_running();
        let mut running = match self.running.take() {
            Some(running) => running,
            None => RunningBot::start(&self.spec, &self.launch, self.conditions)?,
        };
        running.processes.resume();
        let cpu_before = running.processes.cpu();
        running.send(&self.turn_input(record, fresh));
        let limit = limits.turn_time(record.len());
        let end = running.read_turn(start, limit, limits, &mut self.stderr, is_cancelled)?;
        let wall = start.elapsed();
        let mut turn = self.end_turn(end, running)?;
        turn.wall = wall;
        turn.cpu = turn.cpu.saturating_sub(cpu_before);
        let used = if limits.by_cpu { turn.cpu } else { wall };
        if turn.verdict == Verdict::Ok && used > limit {
            turn.verdict = Verdict::TimeLimitExceeded;
            // Botzone discards a late answer, too.
            turn.response = None;
        }
        Ok(turn)
    }

    /// Tests if the bot's process was kept running for the next turn.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Returns the text to send to the bot for a turn: the whole `record` if the process was started for this turn
    /// (`fresh`), otherwise only the last request.
    #[must_use]
    pub fn turn_input(&self, record: &[Coordinates], fresh: bool) -> String {
        let mut input = turn_input(record, self.spec.form, fresh);
        if self.conditions.sends_data && fresh && self.spec.form == Form::Simple {
            input += "data of the bot\nglobaldata of the bot\n";
        }
        input
    }

    /// Lets the stopped bot run for the duration `time` between two turns, without input, and stops it again. Returns
    /// the CPU time that the bot used meanwhile; zero if no process is kept running.
    ///
    /// # Errors
    /// If the system fails.
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

    /// Ends the process, if one is running; the next turn starts a new process.
    pub fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            // An error can be ignored: `RunningBot` tries again to end the process when it is dropped.
            let _ = running.kill(&mut self.stderr);
        }
    }

    /// Returns what all processes of this bot have written to standard error so far.
    #[must_use]
    pub const fn stderr(&self) -> &StderrBuffer {
        &self.stderr
    }

    /// Stops or ends the process after a turn; `end` is the reason why the turn's output ended. Returns the turn's
    /// report with the verdict; the caller sets the wall time, and subtracts the CPU time of earlier turns.
    ///
    /// # Errors
    /// If the bot could not be started, or if the system fails.
    fn end_turn(&mut self, end: TurnEnd, mut running: RunningBot) -> Result<TurnReport, TurnError> {
        let output = running.take_output();
        let mut turn = TurnReport {
            output: String::from_utf8_lossy(&output).into_owned(),
            ..TurnReport::default()
        };
        match end {
            TurnEnd::Marker => {
                running.pause()?;
                turn.keep_running = !self.spec.fresh;
            }
            TurnEnd::Closed => {
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
        (turn.cpu, turn.memory) = (running.processes.cpu(), running.processes.memory());
        if turn.keep_running {
            self.running = Some(running);
        } else {
            running.kill(&mut self.stderr)?;
        }
        if turn.verdict == Verdict::Ok {
            turn.parse_answer(self.spec.form);
        }
        Ok(turn)
    }
}

impl From<&TurnReport> for Answer {
    /// Converts a report to an answer in the form of match logs, with time in milliseconds and memory in MB.
    fn from(turn: &TurnReport) -> Answer {
        Answer {
            verdict: Some(turn.verdict),
            response: turn.response.clone(),
            debug: turn.debug.clone(),
            time: turn.wall.as_millis() as u64,
            memory: turn.memory / limits::MB,
            keep_running: turn.keep_running,
        }
    }
}

impl TurnReport {
    /// Returns the data from which a message can explain why the judge rejected this turn's answer. `moves` are the
    /// moves before the turn, `limits` the time and memory limits of the game.
    #[must_use]
    pub fn rejection(&self, moves: &[Coordinates], limits: Limits) -> RejectedAnswer {
        let mut answer = Answer::from(self);
        if limits.by_cpu {
            answer.time = self.cpu.as_millis() as u64;
        }
        RejectedAnswer {
            moves: moves.to_vec(),
            answer,
            output: Some(self.output.clone()),
            failure: self.exit_reason.clone(),
            limits: Some(limits.turn_limits(moves.len())),
        }
    }

    /// Parses the first line of the output that is not blank, and sets `response` and, in the JSON interaction,
    /// `debug`. In the JSON interaction, sets the verdict [`Verdict::NotJson`] if the line is not JSON.
    fn parse_answer(&mut self, form: Form) {
        let line = self.output.lines().find(|line| !line.trim().is_empty());
        let line = line.unwrap_or_default();
        match form {
            Form::Simple => {
                // Botzone requires six numbers with single spaces between them.
                let turn = Coordinates::parse_words(line.trim_end().split(' '));
                self.response = turn.and_then(|turn| serde_json::to_value(turn).ok());
            }
            Form::Json => match serde_json::from_str::<Value>(line) {
                Ok(answer) => {
                    self.response = judge::response(&answer).cloned();
                    self.debug = answer.get("debug").cloned();
                }
                Err(_) => self.verdict = Verdict::NotJson,
            },
        }
    }
}
