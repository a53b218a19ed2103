//! The file from which a training goes on: its state after an epoch.
//!
//! | bytes | what |
//! | --- | --- |
//! | 15 | [`Head::MAGIC`](super::head::Head::MAGIC) |
//! | a line | settings, games and finished epochs, as JSON |
//! | 4 per number | the learner's numbers, then the best weights; little-endian |
//! | 4 | checksum (CRC-32) of all bytes so far |

use super::course::{Course, Epoch, Settings};
use super::head::{Head, HeadParameters, HeadWeights};
use crate::tools::support::error::ToolError;
use crate::tools::support::files::Target;
use crate::tools::support::journal::differences;
use crate::tools::training::samples::Data;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// Bytes of a number, and of the checksum.
const NUMBER: usize = 4;

/// The games of a training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Games {
    games: usize,
    positions: usize,
    checksum: u32,
}

/// All that is not weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
struct State<H: Head> {
    settings: Settings<H>,
    games: Games,
    epochs: Vec<Epoch>,
    steps: u32,
}

/// The file of a training.
pub struct Checkpoint {
    target: Target,
    name: String,
}

impl Checkpoint {
    /// A file to create, or to go on from.
    ///
    /// # Errors
    /// If it can't be written, or is something else; the message names it.
    pub fn new<H: Head>(path: &Path) -> Result<Checkpoint, ToolError> {
        let what = format!("the state of a training of {}", H::FILE);
        Ok(Checkpoint {
            target: Target::replacing(path, &what, |old| old.starts_with(H::MAGIC))?,
            name: path.display().to_string(),
        })
    }

    /// The training in the file, or a new one if there is no file.
    ///
    /// # Errors
    /// If the file can't be read, is damaged, or holds another training; the message names it and the difference.
    pub fn open<H: Head>(
        &self,
        settings: Settings<H>,
        data: &Data<H::Sample>,
    ) -> Result<Course<H>, ToolError> {
        let bytes = match fs::read(&self.name) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            bytes => bytes.map_err(|error| format!("{}: {error}", self.name))?,
        };
        if bytes.is_empty() {
            return Ok(Course::new(settings));
        }
        let course = read(&bytes, settings, data);
        Ok(course.map_err(|error| format!("{}: {error}", self.name))?)
    }

    /// Writes the state of a training.
    ///
    /// # Errors
    /// If it can't be written; the old state is still there then.
    pub fn write<H: Head>(
        &self,
        course: &mut Course<H>,
        data: &Data<H::Sample>,
    ) -> Result<(), ToolError> {
        self.target.write(&bytes(course, data)?)
    }
}

/// All numbers of a training in their order in the file.
fn numbers<H: Head>(course: &mut Course<H>) -> impl Iterator<Item = &mut f32> {
    let learned = course.learner.parameters.numbers();
    learned.into_iter().chain(course.best.tables()).flatten()
}

/// The bytes of a file.
fn bytes<H: Head>(course: &mut Course<H>, data: &Data<H::Sample>) -> Result<Vec<u8>, ToolError> {
    let mut bytes = H::MAGIC.to_vec();
    bytes.extend(serde_json::to_vec(&State::of(course, data))?);
    bytes.push(b'\n');
    bytes.extend(numbers(course).flat_map(|number| number.to_le_bytes()));
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(bytes)
}

/// Reads the bytes of a file.
fn read<H: Head>(
    bytes: &[u8],
    settings: Settings<H>,
    data: &Data<H::Sample>,
) -> Result<Course<H>, String> {
    const DAMAGED: &str = "the file is damaged: expected the state of a training and its checksum";
    let (content, sum) = bytes.split_last_chunk::<NUMBER>().ok_or(DAMAGED)?;
    if crc32fast::hash(content).to_le_bytes() != *sum {
        return Err(DAMAGED.to_owned());
    }
    let content = content.strip_prefix(H::MAGIC).ok_or(DAMAGED)?;
    let line = content.iter().position(|&byte| byte == b'\n');
    let (state, weights) = content.split_at(line.ok_or(DAMAGED)? + 1);
    let state: State<H> = serde_json::from_slice(state).map_err(|error| error.to_string())?;
    let mut course = Course::new(settings);
    let differences = differences(state.facts(), State::of(&course, data).facts());
    if !differences.is_empty() {
        let differences = differences.join("; ");
        return Err(format!("the state of another training: {differences}"));
    }
    let expected = numbers(&mut course).count();
    let (weights, rest) = weights.as_chunks::<NUMBER>();
    if weights.len() != expected || !rest.is_empty() {
        let found = weights.len();
        return Err(format!(
            "a network of another shape: {found} numbers instead of {expected}"
        ));
    }
    for (number, &bytes) in numbers(&mut course).zip(weights) {
        *number = f32::from_le_bytes(bytes);
    }
    course.learner.resume(state.steps);
    course.epochs = state.epochs;
    Ok(course)
}

impl<H: Head> State<H> {
    fn of(course: &Course<H>, data: &Data<H::Sample>) -> State<H> {
        State {
            settings: course.settings.clone(),
            games: Games {
                games: data.games,
                positions: data.positions(),
                checksum: data.checksum(),
            },
            epochs: course.epochs.clone(),
            steps: course.learner.steps,
        }
    }

    /// What a training is told from another by, by the names that messages use.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let (settings, games) = (&self.settings, &self.games);
        let mut facts = vec![
            ("games", games.games.to_string()),
            ("positions", games.positions.to_string()),
            ("checksum of the games", games.checksum.to_string()),
            ("--epochs", settings.epochs.to_string()),
            ("--batch", settings.batch.to_string()),
            ("--rate", settings.rate.to_string()),
        ];
        facts.extend(settings.head.facts());
        facts.push(("--seed", settings.seed.to_string()));
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::super::course::tests::settings;
    use super::*;
    use crate::tools::training::value::Value;
    use crate::tools::training::value::outcome::Sample;
    use crate::tools::training::value::outcome::tests::{VALUE, random_data};

    /// The complaint about a file.
    fn refused(state: &[u8], settings: Settings<Value>, data: &Data<Sample>) -> String {
        let course = read(state, settings, data);
        course.err().expect("another training")
    }

    #[test]
    fn another_training_is_refused_by_name() {
        let data = random_data(20);
        let state = bytes(&mut Course::new(settings(VALUE)), &data).expect("JSON");
        let other = Settings {
            epochs: 3,
            batch: 99,
            rate: 0.1,
            head: Value {
                target_mix: [0.0, 1.0],
            },
            seed: 6,
        };
        assert_eq!(
            refused(&state, other, &data),
            "the state of another training: --epochs 4 instead of 3; --batch 64 instead of 99; \
             --rate 0.01 instead of 0.1; --target-mix 0.2 instead of 0; --late-target-mix 0.4 instead of 1; \
             --seed 5 instead of 6"
        );
        let complaint = refused(&state, settings(VALUE), &random_data(19));
        assert!(complaint.contains("games 20 instead of 19"), "{complaint}");
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let data = random_data(20);
        let state = bytes(&mut Course::new(settings(VALUE)), &data).expect("JSON");
        for at in [20, 150, state.len() / 2, state.len() - 1] {
            let mut damaged = state.clone();
            damaged[at] ^= 1;
            assert!(refused(&damaged, settings(VALUE), &data).contains("damaged"));
            assert!(refused(&state[..at], settings(VALUE), &data).contains("damaged"));
        }
        let mut short = state[..state.len() - 2 * NUMBER].to_vec();
        short.extend(crc32fast::hash(&short).to_le_bytes());
        assert!(refused(&short, settings(VALUE), &data).contains("another shape"));
    }
}
