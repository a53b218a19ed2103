//! The file of a tuning run in JSON lines: a header with the settings, then a line for every step.

use super::conditions::Conditions;
use super::optimizer::Schedule;
use base::journal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Settings of a tuning run. A file can be resumed if its header differs from the command line only in the number of pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningHeader {
    /// Start values of the tuned parameters, by name.
    pub tuned: BTreeMap<String, f32>,
    /// Values of parameters that are not tuned and differ from their defaults, by name.
    pub fixed: BTreeMap<String, f32>,
    pub schedule: Schedule,
    /// Network files with their checksums; empty if the compiled-in networks play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<String>,
    /// Search iterations, opening length and seed of all games.
    pub conditions: Conditions,
    /// Total number of pairs of games after the run was extended; `None` if it was not. The schedule keeps its own number of
    /// pairs, on which the size of every step depends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lengthened: Option<u64>,
}

impl TuningHeader {
    /// Returns the total number of pairs of games, including an extension of the run.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.lengthened.unwrap_or(self.schedule.pairs)
    }
}

/// First line of a tuning file. Its key, `spsa`, names the tool that wrote the file.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct FirstLine {
    pub spsa: TuningHeader,
}

impl journal::Header for FirstLine {
    type Record = Step;

    const RECORDS_NAME: &'static str = "steps of spsa";

    fn differences(&self, expected: &FirstLine) -> Vec<String> {
        let mut expected_spsa = expected.spsa.clone();
        expected_spsa.schedule.pairs = self.spsa.schedule.pairs;
        expected_spsa.lengthened = self.spsa.lengthened;
        journal::differences(&self.spsa, &expected_spsa)
    }

    fn extended(&self, requested: &FirstLine) -> Result<FirstLine, String> {
        let (pairs, requested) = (self.spsa.pairs(), requested.spsa.pairs());
        if requested < pairs {
            return Err(format!(
                "--pairs {requested}: expected {pairs} or more, as there are"
            ));
        }
        let mut spsa = self.spsa.clone();
        spsa.lengthened = (requested > spsa.schedule.pairs).then_some(requested);
        Ok(FirstLine { spsa })
    }

    fn check(&self) -> Result<(), String> {
        match self.spsa.schedule.pairs {
            0 => Err("0 pairs: expected 1 or more".to_owned()),
            _ => Ok(()),
        }
    }

    fn number(step: &Step) -> usize {
        step.step
    }
}

/// Formats parameters as on the command line: `NAME=VALUE`, separated by commas.
#[must_use]
pub fn format_params(params: &BTreeMap<String, f32>) -> String {
    let params = params.iter();
    let params = params.map(|(name, value)| format!("{name}={value}"));
    params.collect::<Vec<_>>().join(",")
}

/// Result of one SPSA step, stored as a line of the tuning file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub step: usize,
    /// Games won minus games lost by the setting θ + c·δ.
    pub result: i64,
    /// Values of the tuned parameters after the step, by name.
    pub theta: BTreeMap<String, f32>,
}
