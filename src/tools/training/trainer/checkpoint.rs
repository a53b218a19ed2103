//! The file from which a training goes on: its state after an epoch.
//!
//! | bytes | what |
//! | --- | --- |
//! | 15 | [`About::magic`](super::head::About::magic) |
//! | a line | settings, games and finished epochs, as JSON |
//! | 4 per number | the learner's numbers, then the best weights; little-endian |
//! | 4 | checksum (CRC-32) of all bytes so far |

use super::course::{Course, Epoch, Settings};
use super::head::Head;
use crate::tools::support::error::ToolError;
use crate::tools::support::files::Target;
use crate::tools::support::journal::differences;
use crate::tools::training::samples::Data;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Bytes of a number, and of the checksum.
const NUMBER: usize = 4;

/// All that is not weights.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct State<H: Head> {
    settings: Settings<H>,
    /// The games in words, and their checksum.
    games: (String, u32),
    epochs: Vec<Epoch>,
}

/// The file for the state of a training, if one is asked for.
///
/// # Errors
/// If it can't be written, or is something else; the message names it.
pub fn target<H: Head>(path: Option<&Path>) -> Result<Option<Target>, ToolError> {
    let what = format!("the state of a training of the {}", H::ABOUT.name);
    let is_state = |old: &[u8]| old.starts_with(H::ABOUT.magic);
    let target = path.map(|path| Target::replacing(path, &what, is_state));
    target.transpose()
}

/// The training in a file, or a new one if there is no file.
///
/// # Errors
/// If the file can't be read, is damaged, or holds another training; the message names it and the difference.
pub fn open<H: Head>(
    path: &Path,
    settings: Settings<H>,
    data: &Data<H::Sample>,
) -> Result<Course<H>, ToolError> {
    let named = |error: String| format!("{}: {error}", path.display());
    match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Course::new(settings)),
        Ok(bytes) if bytes.is_empty() => Ok(Course::new(settings)),
        Ok(bytes) => Ok(read(&bytes, settings, data).map_err(named)?),
        Err(error) => Err(named(error.to_string()).into()),
    }
}

/// All numbers of a training in their order in the file.
fn numbers<H: Head>(course: &mut Course<H>) -> impl Iterator<Item = &mut f32> {
    let learned = course.learner.parameters.numbers();
    learned.chain(course.best.tables.iter_mut().flatten().flatten())
}

/// The bytes of a file.
///
/// # Errors
/// If a number is none in JSON.
pub fn bytes<H: Head>(
    course: &mut Course<H>,
    data: &Data<H::Sample>,
) -> Result<Vec<u8>, ToolError> {
    let mut bytes = H::ABOUT.magic.to_vec();
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
    let content = content.strip_prefix(H::ABOUT.magic).ok_or(DAMAGED)?;
    let line = content.iter().position(|&byte| byte == b'\n');
    let (state, weights) = content.split_at(line.ok_or(DAMAGED)? + 1);
    let state: State<H> = serde_json::from_slice(state).map_err(|error| error.to_string())?;
    let mut course = Course::new(settings);
    let differences = differences(state.facts(), State::of(&course, data).facts());
    if !differences.is_empty() {
        let differences = differences.join("; ");
        return Err(format!("the state of another training: {differences}"));
    }
    let (weights, _) = weights.as_chunks::<NUMBER>();
    let (found, expected) = (weights.len(), numbers(&mut course).count());
    if found != expected {
        return Err(format!(
            "a network of another shape: {found} numbers instead of {expected}"
        ));
    }
    for (number, &bytes) in numbers(&mut course).zip(weights) {
        *number = f32::from_le_bytes(bytes);
    }
    let steps = state.epochs.len() * course.steps(data.train.len());
    course.learner.resume(steps as u32);
    course.epochs = state.epochs;
    Ok(course)
}

impl<H: Head> State<H> {
    fn of(course: &Course<H>, data: &Data<H::Sample>) -> State<H> {
        State {
            settings: course.settings.clone(),
            games: (data.summary(), data.checksum()),
            epochs: course.epochs.clone(),
        }
    }

    /// What a training is told from another by, by the names that messages use.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let (settings, games) = (&self.settings, &self.games);
        let mut facts = vec![
            ("games:", games.0.clone()),
            ("checksum of the games", games.1.to_string()),
            ("--epochs", settings.epochs.to_string()),
            ("--batch", settings.batch.to_string()),
            ("--rate", settings.rate.to_string()),
            ("--seed", settings.seed.to_string()),
        ];
        facts.extend(settings.head.facts());
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::super::course::tests::settings;
    use super::*;
    use crate::tools::training::value::Value;
    use crate::tools::training::value::outcome::tests::{VALUE, random_data};

    #[test]
    fn another_training_and_another_shape_are_refused_in_words() {
        let data = random_data(20);
        let state = bytes(&mut Course::new(settings(VALUE)), &data).expect("JSON");
        let refused = |state: &[u8], settings: Settings<Value>, games: u32| {
            let course = read(state, settings, &random_data(games));
            course.err().expect("another training")
        };
        let other = Settings {
            epochs: 3,
            batch: 99,
            rate: 0.1,
            head: Value {
                target_mix: 0.0,
                late_target_mix: None,
            },
            seed: 6,
        };
        assert_eq!(
            refused(&state, other, 20),
            "the state of another training: --epochs 4 instead of 3; --batch 64 instead of 99; \
             --rate 0.01 instead of 0.1; --seed 5 instead of 6; --target-mix 0.2 instead of 0; \
             --late-target-mix 0.4 instead of 0"
        );
        let complaint = refused(&state, settings(VALUE), 19);
        assert!(complaint.contains("games: 20 games"), "{complaint}");
        let mut short = state[..state.len() - 2 * NUMBER].to_vec();
        short.extend(crc32fast::hash(&short).to_le_bytes());
        let complaint = refused(&short, settings(VALUE), 20);
        assert!(complaint.contains("another shape"), "{complaint}");
    }
}
