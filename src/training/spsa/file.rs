//! The file of a tuning: a header that says what is tuned, then a line for every step.

use super::climb::Schedule;
use super::conditions::Conditions;
use base::journal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The header: files whose headers differ only in the number of pairs hold steps of one climb.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningHeader {
    /// Starts of the numbers that are tuned.
    pub tuned: BTreeMap<String, f32>,
    /// Values of the others, where they are not the defaults.
    pub fixed: BTreeMap<String, f32>,
    pub schedule: Schedule,
    /// Files of the networks of both settings, with their checksums.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<String>,
    /// What all games share.
    pub conditions: Conditions,
    /// Pairs of games in all, if more than the schedule was made for. The steps are still the schedule's: earlier ones
    /// stay as they are, and the sequence goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lengthened: Option<u64>,
}

impl TuningHeader {
    /// Pairs of games in all.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.lengthened.unwrap_or(self.schedule.pairs)
    }
}

/// The first line of a file: tells that it holds steps of this tool.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct FirstLine {
    pub spsa: TuningHeader,
}

impl journal::Header for FirstLine {
    type Record = Step;

    const WHAT: &'static str = "steps of spsa";

    fn differences(&self, expected: &FirstLine) -> Vec<String> {
        let mut as_long = expected.spsa.clone();
        as_long.schedule.pairs = self.spsa.schedule.pairs;
        as_long.lengthened = self.spsa.lengthened;
        journal::differences(&self.spsa, &as_long)
    }

    fn lengthened(&self, wanted: &FirstLine) -> Result<FirstLine, String> {
        let (pairs, wanted) = (self.spsa.pairs(), wanted.spsa.pairs());
        if wanted < pairs {
            return Err(format!(
                "--pairs {wanted}: expected {pairs} or more, as there are"
            ));
        }
        let mut spsa = self.spsa.clone();
        spsa.lengthened = (wanted > spsa.schedule.pairs).then_some(wanted);
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

/// Numbers as the command line has them.
#[must_use]
pub fn shown(numbers: &BTreeMap<String, f32>) -> String {
    let numbers = numbers.iter();
    let numbers = numbers.map(|(name, value)| format!("{name}={value}"));
    numbers.collect::<Vec<_>>().join(",")
}

/// A step as a line of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub step: usize,
    /// Games won by the setting in the direction of the signs, less those lost.
    pub result: i64,
    /// The numbers after the step.
    pub theta: BTreeMap<String, f32>,
}
