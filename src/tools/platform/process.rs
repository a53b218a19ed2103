//! A bot as a process under the platform's conditions: limits, stop and continue, verdicts.

pub mod limits;
mod running;
pub mod sandbox;
mod trial;
mod turn;
pub mod utterances;

pub use limits::Limits;
pub use sandbox::{Launch, LaunchArgs};
pub use trial::Trial;
pub use turn::{TurnError, TurnReport};

use super::wire;
use analysis::refusal::Refused;
use engine::botzone::Form;
use record::judge::{self, Coordinates, Verdict};
use record::log::Answer;
use running::{End, Running};
use serde_json::Value;
use std::io;
use std::thread;
use std::time::{Duration, Instant};
use utterances::Utterances;

/// A bot that runs as a process.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessSpec {
    /// Program and arguments.
    pub command: Vec<String>,
    /// The interaction it is given.
    pub form: Form,
    /// Whether it is started anew for every turn, even if it asks to be kept running.
    pub fresh: bool,
}

/// A bot. Between turns its process is stopped or has ended.
pub struct Process {
    spec: ProcessSpec,
    launch: Launch,
    /// What it meets beside the turns of a game.
    pub trial: Trial,
    running: Option<Running>,
    words: Utterances,
}

impl Process {
    /// A bot that is not running yet.
    #[must_use]
    pub fn new(spec: ProcessSpec, launch: Launch) -> Process {
        Process {
            spec,
            launch,
            trial: Trial::default(),
            running: None,
            words: Utterances::default(),
        }
    }

    /// Plays a turn: sends the platform's input and reads the answer.
    ///
    /// `record`: the bot's requests and own responses in turn. `broken_off` is polled during the turn.
    ///
    /// # Errors
    /// If the bot can't be started, the machine fails, or the game is broken off.
    pub fn turn(
        &mut self,
        record: &[Coordinates],
        limits: Limits,
        broken_off: &dyn Fn() -> bool,
    ) -> Result<TurnReport, TurnError> {
        let start = Instant::now();
        let fresh = !self.is_running();
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&self.spec, &self.launch, self.trial)?,
        };
        running.family.go_on();
        let cpu_before = running.family.cpu();
        running.send(&self.input(record, fresh));
        let limit = limits.time(record.len());
        let end = running.read_turn(start, limit, limits, &mut self.words, broken_off)?;
        let wall = start.elapsed();
        let mut turn = self.finish(end, running)?;
        turn.wall = wall;
        turn.cpu = turn.cpu.saturating_sub(cpu_before);
        let used = if limits.by_cpu { turn.cpu } else { wall };
        if turn.verdict == Verdict::Ok && used > limit {
            turn.verdict = Verdict::TimeLimitExceeded;
            // Nor does the platform keep what is too late.
            turn.response = None;
        }
        Ok(turn)
    }

    /// Tests if a process is kept for the next turn.
    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// What is sent for a turn: all of the record to a process that begins with it.
    #[must_use]
    pub fn input(&self, record: &[Coordinates], fresh: bool) -> String {
        let mut input = wire::input(record, self.spec.form, fresh);
        if self.trial.with_data && fresh && self.spec.form == Form::Simple {
            input += "data of the bot\nglobaldata of the bot\n";
        }
        input
    }

    /// Lets a bot that was kept running go on without a turn. Returns the CPU time that it uses meanwhile; none if no
    /// process is kept.
    ///
    /// # Errors
    /// If the system fails.
    pub fn idle(&mut self, time: Duration) -> io::Result<Duration> {
        let Some(running) = &mut self.running else {
            return Ok(Duration::ZERO);
        };
        let before = running.family.cpu();
        running.family.go_on();
        thread::sleep(time);
        running.pause()?;
        Ok(running.family.cpu().saturating_sub(before))
    }

    /// Ends the process, if there is one; the next turn starts it anew.
    pub fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            // An error doesn't matter: dropping the process ends it, too.
            let _ = running.end(&mut self.words);
        }
    }

    /// The bot's standard error since it was made.
    #[must_use]
    pub const fn words(&self) -> &Utterances {
        &self.words
    }

    /// Stops or ends the process after a turn and judges its output.
    fn finish(&mut self, end: End, mut running: Running) -> Result<TurnReport, TurnError> {
        let output = running.take_output();
        let mut turn = TurnReport {
            said: String::from_utf8_lossy(&output).into_owned(),
            ..TurnReport::default()
        };
        match end {
            End::Marker => {
                running.pause()?;
                turn.keep_running = !self.spec.fresh;
            }
            End::Closed => {
                turn.why = running.wait_for_end(&output, &mut self.words)?;
                if turn.why.is_some() {
                    turn.verdict = Verdict::RuntimeError;
                }
            }
            End::Limit(verdict, why) => {
                running.end(&mut self.words)?;
                (turn.verdict, turn.why) = (verdict, why.map(str::to_owned));
            }
        }
        turn.company = running.company;
        (turn.cpu, turn.memory) = (running.family.cpu(), running.family.memory());
        if turn.keep_running {
            self.running = Some(running);
        } else {
            running.end(&mut self.words)?;
        }
        if turn.verdict == Verdict::Ok {
            turn.read(self.spec.form);
        }
        Ok(turn)
    }
}

impl From<&TurnReport> for Answer {
    /// The turn as a log has it.
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
    /// The turn as one whose answer the judge refused. `moves`: those before it, black's first.
    #[must_use]
    pub fn refused(&self, moves: &[Coordinates], limits: Limits) -> Refused {
        let mut answer = Answer::from(self);
        if limits.by_cpu {
            answer.time = self.cpu.as_millis() as u64;
        }
        Refused {
            moves: moves.to_vec(),
            answer,
            said: Some(self.said.clone()),
            why: self.why.clone(),
            limits: Some(limits.of_turn(moves.len())),
        }
    }

    /// Reads the answer from a turn's output. Further lines are ignored.
    fn read(&mut self, form: Form) {
        let line = self.said.lines().find(|line| !line.trim().is_empty());
        let line = line.unwrap_or_default();
        match form {
            Form::Simple => {
                // Six numbers with single blanks between them.
                let turn = Coordinates::of_words(line.trim_end().split(' '));
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
