//! The specification of a player on the command line: a bot's command line, or `self:` for this engine.

use crate::botzone::Form;
use crate::botzone::options::{DAY_MS, MAX_MEMORY_MB};
use crate::budget::Budget;
use crate::mcts::Params;
use crate::tools::platform::process::ProcessSpec;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// A player of the arena.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// The specification as given.
    pub text: String,
    /// Its name in reports.
    pub name: String,
    /// What plays.
    pub kind: Kind,
}

/// What plays.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A process.
    Process(ProcessSpec),
    /// The engine in this process.
    Engine(EngineSpec),
}

/// A setting of the engine.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpec {
    /// Its budget for a move.
    pub budget: Budget,
    /// Memory of the tree, in bytes.
    pub memory: usize,
    /// Threads of a search.
    pub threads: usize,
    /// Added to the game's own seed.
    pub seed: u64,
    /// The tunable numbers.
    pub params: Params,
}

/// The fault of a specification: the word, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError(String);

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

impl FromStr for Spec {
    type Err = SpecError;

    /// Reads `[@NAME[,json][,fresh] ]COMMAND…` or `[@NAME ]self:[KEY=VALUE,…]`.
    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let text = text.trim();
        let (head, rest) = match text
            .strip_prefix('@')
            .map(|text| text.split_once(char::is_whitespace))
        {
            Some(Some((head, rest))) => (head, rest.trim()),
            Some(None) => {
                return Err(SpecError(format!(
                    "\"{text}\": expected a command or self: after the name"
                )));
            }
            None => ("", text),
        };
        let mut words = head.split(',');
        let name = words.next().filter(|name| !name.is_empty());
        let flags: Vec<&str> = words.collect();
        if let Some(settings) = rest.strip_prefix("self:") {
            if let Some(flag) = flags.first() {
                return Err(SpecError(format!("\"{flag}\": self: takes no flags")));
            }
            let kind = Kind::Engine(EngineSpec::parse(settings)?);
            let (text, name) = (text.to_owned(), name.unwrap_or(rest).to_owned());
            return Ok(Spec { text, name, kind });
        }
        let process = ProcessSpec::parse(rest, &flags)?;
        let program = process.command[0]
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .to_owned();
        let (text, name) = (text.to_owned(), name.map_or(program, str::to_owned));
        Ok(Spec {
            text,
            name,
            kind: Kind::Process(process),
        })
    }
}

impl ProcessSpec {
    fn parse(command: &str, flags: &[&str]) -> Result<ProcessSpec, SpecError> {
        let command = shlex::split(command).ok_or_else(|| {
            let expected =
                "expected every quote to be closed, and something behind every backslash";
            SpecError(format!("{command}: {expected}"))
        })?;
        if command.is_empty() {
            return Err(SpecError(
                "expected a command line, or self: with search options".to_owned(),
            ));
        }
        let mut spec = ProcessSpec {
            command,
            form: Form::Simple,
            fresh: false,
        };
        for &flag in flags {
            match flag {
                "json" => spec.form = Form::Json,
                "simple" => spec.form = Form::Simple,
                "fresh" => spec.fresh = true,
                _ => {
                    return Err(SpecError(format!(
                        "\"{flag}\": expected json, simple or fresh"
                    )));
                }
            }
        }
        Ok(spec)
    }
}

/// Most threads of a search.
pub const MAX_THREADS: u64 = 1024;

impl EngineSpec {
    fn parse(settings: &str) -> Result<EngineSpec, SpecError> {
        let mut spec = EngineSpec {
            budget: Budget::Time(Duration::from_millis(100)),
            memory: 64 << 20,
            threads: 1,
            seed: 0,
            params: Params::default(),
        };
        let mut iterations = None;
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            let fault = |expected: &str| SpecError(format!("\"{setting}\": expected {expected}"));
            let (key, value) = setting.split_once('=').ok_or_else(|| fault("KEY=VALUE"))?;
            let number = |range: RangeInclusive<u64>| {
                let number = value.parse().ok().filter(|number| range.contains(number));
                let (low, high) = range.into_inner();
                number.ok_or_else(|| fault(&format!("a whole number from {low} to {high}")))
            };
            match key {
                "iterations" => iterations = Some(number(1..=u64::MAX)?),
                "time-ms" => spec.budget = Budget::Time(Duration::from_millis(number(1..=DAY_MS)?)),
                "memory-mb" => {
                    spec.memory = (number(1..=MAX_MEMORY_MB as u64)? as usize) << 20;
                }
                "threads" => spec.threads = number(1..=MAX_THREADS)? as usize,
                "seed" => spec.seed = number(0..=u64::MAX)?,
                _ => {
                    let value = value.parse().map_err(|_| fault("a number"))?;
                    spec.params.set(key, value).map_err(|error| {
                        SpecError(format!(
                            "{error}; known: iterations, time-ms, memory-mb, threads, seed and {}",
                            known_params()
                        ))
                    })?;
                }
            }
        }
        // Iterations take precedence over time, as they do for the bot.
        if let Some(iterations) = iterations {
            spec.budget = Budget::Iterations(iterations);
        }
        Ok(spec)
    }
}

/// The names of all tunable numbers, for messages.
#[must_use]
pub fn known_params() -> String {
    Params::TABLE
        .iter()
        .map(|entry| entry.0)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read() {
        let spec: Spec = "@old,json,fresh 'my bot' --seed \"1 2\" 3\\ 4"
            .parse()
            .expect("a spec");
        assert_eq!(spec.name, "old");
        let Kind::Process(process) = spec.kind else {
            panic!("a process")
        };
        assert_eq!(process.command, ["my bot", "--seed", "1 2", "3 4"]);
        assert_eq!((process.form, process.fresh), (Form::Json, true));
        assert_eq!(
            "/some/where/bot -x".parse::<Spec>().expect("a spec").name,
            "bot"
        );
        let spec: Spec = "self:iterations=50,explore_amazon=0.6"
            .parse()
            .expect("a spec");
        let Kind::Engine(engine) = spec.kind else {
            panic!("an engine")
        };
        assert_eq!(
            (engine.budget, engine.params.explore_amazon),
            (Budget::Iterations(50), 0.6)
        );
        assert_eq!(spec.name, "self:iterations=50,explore_amazon=0.6");
    }

    #[test]
    fn iterations_count_whatever_the_time() {
        let budget = |text: &str| match text.parse::<Spec>().expect("a spec").kind {
            Kind::Engine(engine) => engine.budget,
            Kind::Process(_) => panic!("an engine"),
        };
        let ms = |ms| Budget::Time(Duration::from_millis(ms));
        assert_eq!(budget("self:"), ms(100));
        assert_eq!(budget("self:time-ms=7"), ms(7));
        for both in ["self:iterations=5,time-ms=7", "self:time-ms=7,iterations=5"] {
            assert_eq!(budget(both), Budget::Iterations(5));
        }
    }

    #[test]
    fn faults_name_the_word() {
        for (text, complaint) in [
            ("", "expected a command line"),
            ("@name", "after the name"),
            ("@a,slow bot", "\"slow\""),
            ("self:fast", "\"fast\": expected KEY=VALUE"),
            ("self:iterations=many", "iterations=many"),
            ("self:iterations=0", "from 1 to"),
            ("self:time-ms=86400001", "from 1 to 86400000"),
            ("self:memory-mb=70000", "from 1 to 32768"),
            ("self:memory-mb=18446744073709551615", "from 1 to 32768"),
            ("self:speed=1", "no parameter \"speed\""),
            ("bot 'x", "expected every quote to be closed"),
            ("bot \\", "something behind every backslash"),
        ] {
            let error = text.parse::<Spec>().expect_err(text).to_string();
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }
}
