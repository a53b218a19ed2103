//! The file from which a training goes on: its state after an epoch.
//!
//! | bytes | what |
//! | --- | --- |
//! | 15 | [`MAGIC`] |
//! | a line | settings, games and finished epochs, as JSON |
//! | 4 per number | the learner's numbers, then those of the best network; little-endian |
//! | 4 | checksum (CRC-32) of all bytes so far |

use super::course::{Course, Epoch, Settings};
use super::samples::Data;
use crate::tools::support::error::ToolError;
use crate::tools::support::files::Target;
use crate::tools::support::journal::difference;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// The first bytes of a file; the last but one is the version.
const MAGIC: &[u8; 15] = b"amazons-train2\n";

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
struct Head {
    settings: Settings,
    games: Games,
    epochs: Vec<Epoch>,
    /// Steps that the learner has made.
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
    pub fn new(path: &Path) -> Result<Checkpoint, ToolError> {
        Ok(Checkpoint {
            target: Target::replacing(path, "the state of a training", |old| {
                old.starts_with(MAGIC)
            })?,
            name: path.display().to_string(),
        })
    }

    /// The training in the file, or a new one if there is no file.
    ///
    /// # Errors
    /// If the file can't be read, is damaged, or holds another training; the message names it and the difference.
    pub fn open(&self, settings: Settings, data: &Data) -> Result<Course, ToolError> {
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
    pub fn write(&self, course: &mut Course, data: &Data) -> Result<(), ToolError> {
        self.target.write(&bytes(course, data)?)
    }
}

impl Games {
    fn of(data: &Data) -> Games {
        Games {
            games: data.games,
            positions: data.positions(),
            checksum: data.checksum(),
        }
    }
}

/// All numbers of a training in their order in the file.
fn numbers(course: &mut Course) -> impl Iterator<Item = &mut f32> {
    let best = &mut course.best;
    let best = [
        best.rows.as_flattened_mut(),
        best.biases.as_flattened_mut(),
        best.outputs.as_flattened_mut(),
    ];
    course.learner.numbers().chain(best).flatten()
}

/// The bytes of a file.
fn bytes(course: &mut Course, data: &Data) -> Result<Vec<u8>, ToolError> {
    let head = Head {
        settings: course.settings,
        games: Games::of(data),
        epochs: course.epochs.clone(),
        steps: course.learner.steps(),
    };
    let mut bytes = MAGIC.to_vec();
    bytes.extend(serde_json::to_vec(&head)?);
    bytes.push(b'\n');
    bytes.extend(numbers(course).flat_map(|number| number.to_le_bytes()));
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(bytes)
}

/// Reads the bytes of a file.
fn read(bytes: &[u8], settings: Settings, data: &Data) -> Result<Course, String> {
    const DAMAGED: &str = "the file is damaged: expected the state of a training and its checksum";
    let (content, sum) = bytes.split_last_chunk::<NUMBER>().ok_or(DAMAGED)?;
    if crc32fast::hash(content).to_le_bytes() != *sum {
        return Err(DAMAGED.to_owned());
    }
    let content = content.strip_prefix(MAGIC).ok_or(DAMAGED)?;
    let line = content.iter().position(|&byte| byte == b'\n');
    let (head, weights) = content.split_at(line.ok_or(DAMAGED)? + 1);
    let head: Head = serde_json::from_slice(head).map_err(|error| error.to_string())?;
    let differences = head.differences(settings, Games::of(data));
    if !differences.is_empty() {
        let differences = differences.join("; ");
        return Err(format!("the state of another training: {differences}"));
    }
    let mut course = Course::new(settings);
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
    course.learner.resume(head.steps);
    course.epochs = head.epochs;
    Ok(course)
}

impl Head {
    /// Describes the difference from an expected training.
    fn differences(&self, settings: Settings, games: Games) -> Vec<String> {
        let Settings {
            epochs,
            batch,
            rate,
            target_mix: [early, late],
            seed,
        } = self.settings;
        [
            difference("games", self.games.games, games.games),
            difference("positions", self.games.positions, games.positions),
            difference("checksum of the games", self.games.checksum, games.checksum),
            difference("--epochs", epochs, settings.epochs),
            difference("--batch", batch, settings.batch),
            difference("--rate", rate, settings.rate),
            difference("--target-mix", early, settings.target_mix[0]),
            difference("--late-target-mix", late, settings.target_mix[1]),
            difference("--seed", seed, settings.seed),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::course::tests::{SETTINGS, go_on};
    use super::super::samples::tests::random_data;
    use super::*;

    #[test]
    fn a_resumed_training_ends_with_the_same_bytes() {
        let data = random_data(60);
        let mut whole = Course::new(SETTINGS);
        let mut resumed = Course::new(SETTINGS);
        while !whole.is_over() {
            go_on(&mut whole, &data);
            go_on(&mut resumed, &data);
            let state = bytes(&mut resumed, &data).expect("JSON");
            resumed = read(&state, SETTINGS, &data).expect("its own state");
        }
        assert!(resumed.is_over());
        assert_eq!(resumed.best.network(), whole.best.network());
        let [whole, resumed] = [whole, resumed].map(|mut course| bytes(&mut course, &data));
        assert_eq!(whole.expect("JSON"), resumed.expect("JSON"));
    }

    #[test]
    fn another_training_and_a_damaged_file_are_refused_by_name() {
        let data = random_data(20);
        let state = bytes(&mut Course::new(SETTINGS), &data).expect("JSON");
        let refused = |state: &[u8], settings, data: &Data| {
            let course = read(state, settings, data);
            course.err().expect("another training")
        };
        let other = Settings {
            epochs: 3,
            batch: 99,
            rate: 0.1,
            target_mix: [0.0, 1.0],
            seed: 6,
        };
        assert_eq!(
            refused(&state, other, &data),
            "the state of another training: --epochs 4 instead of 3; --batch 100 instead of 99; \
             --rate 0.003 instead of 0.1; --target-mix 0.2 instead of 0; --late-target-mix 0.1 instead of 1; \
             --seed 5 instead of 6"
        );
        let complaint = refused(&state, SETTINGS, &random_data(19));
        assert!(complaint.contains("games 20 instead of 19"), "{complaint}");
        for at in [20, 300, state.len() / 2, state.len() - 1] {
            let mut damaged = state.clone();
            damaged[at] ^= 1;
            assert!(refused(&damaged, SETTINGS, &data).contains("damaged"));
            assert!(refused(&state[..at], SETTINGS, &data).contains("damaged"));
        }
        let mut short = state[..state.len() - 2 * NUMBER].to_vec();
        short.extend(crc32fast::hash(&short).to_le_bytes());
        assert!(refused(&short, SETTINGS, &data).contains("another shape"));
    }

    #[test]
    fn the_checksum_tells_games_apart() {
        let [one, other] = [20, 21].map(|games| random_data(games).checksum());
        assert_eq!(one, random_data(20).checksum());
        assert_ne!(one, other);
    }
}
