//! File of an SPSA tuning run, in JSON lines: a header line with the run's settings, then a line for each SPSA step. If
//! the run is later extended to more games, a header line with the new settings is appended, then the further steps.

use super::conditions::Conditions;
use super::optimizer::Schedule;
use base::journal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Settings of a tuning run. A run can be resumed only with the same settings; only the number of game pairs may be
/// larger than before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningHeader {
    /// Start values of the tuned parameters, by parameter name.
    pub tuned: BTreeMap<String, f32>,
    /// Values of the parameters that `--start` sets but that are not tuned, by parameter name. They are the same in all
    /// games.
    pub fixed: BTreeMap<String, f32>,
    /// Settings of SPSA itself, such as the number of game pairs, the perturbation and the learning rate.
    pub schedule: Schedule,
    /// Networks that were read from files, each as `network=FILE` or `policy=FILE` with the file's checksum. Empty if
    /// the engines use the compiled-in networks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<String>,
    /// Search iterations per move, number of opening plies and seed of all games.
    pub conditions: Conditions,
    /// Total number of game pairs after an extension of the run by `--resume`; `None` if the run was never extended.
    /// The original number stays in `schedule.pairs`, because perturbation and learning rate are computed from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lengthened: Option<u64>,
}

impl TuningHeader {
    /// Returns the total number of game pairs to play, including those by which the run was extended. A pair is two
    /// games with the same opening and exchanged colours.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.lengthened.unwrap_or(self.schedule.pairs)
    }
}

/// Header line of a tuning file: a JSON object with the single field `spsa`, which identifies the tool that wrote the
/// file.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct HeaderLine {
    /// Settings of the tuning run.
    pub spsa: TuningHeader,
}

impl journal::Header for HeaderLine {
    type Record = Step;

    const RECORDS_NAME: &'static str = "steps of spsa";

    fn differences(&self, expected: &HeaderLine) -> Vec<String> {
        let mut expected_spsa = expected.spsa.clone();
        expected_spsa.schedule.pairs = self.spsa.schedule.pairs;
        expected_spsa.lengthened = self.spsa.lengthened;
        journal::differences(&self.spsa, &expected_spsa)
    }

    fn with_length_of(&self, requested: &HeaderLine) -> Result<HeaderLine, String> {
        let (pairs, requested) = (self.spsa.pairs(), requested.spsa.pairs());
        if requested < pairs {
            return Err(format!(
                "--pairs {requested}: expected {pairs} or more, as there are"
            ));
        }
        let mut spsa = self.spsa.clone();
        spsa.lengthened = (requested > spsa.schedule.pairs).then_some(requested);
        Ok(HeaderLine { spsa })
    }

    fn check(&self) -> Result<(), String> {
        match self.spsa.schedule.pairs {
            0 => Err("0 pairs: expected 1 or more".to_owned()),
            _ => Ok(()),
        }
    }

    fn record_number(step: &Step) -> usize {
        step.step
    }
}

/// Formats parameters as on the command line: `NAME=VALUE,NAME=VALUE`, sorted by name.
#[must_use]
pub fn format_params(params: &BTreeMap<String, f32>) -> String {
    let params = params.iter();
    let params = params.map(|(name, value)| format!("{name}={value}"));
    params.collect::<Vec<_>>().join(",")
}

/// Result of one SPSA step, stored as a line of the tuning file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Number of the SPSA step, counted from 1.
    pub step: usize,
    /// Number of games that the first setting of the step, [`Trial::plus`](super::optimizer::Trial::plus), won minus
    /// the number that it lost.
    pub result: i64,
    /// Values of the tuned parameters (not their logarithms) after the step, by parameter name.
    pub theta: BTreeMap<String, f32>,
}
