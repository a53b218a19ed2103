//! Checkpoints: files with the state of a training run after an epoch, from which the run can be resumed.
//!
//! | bytes | content |
//! | --- | --- |
//! | 15 | [`HeadInfo::magic`](super::head::HeadInfo::magic) |
//! | variable | JSON array of the run's identity (settings and games) and its state |
//! | 4 | checksum (CRC-32) of all preceding bytes, little-endian |

use super::head::Head;
use super::training_run::{Settings, TrainingRun};
use crate::samples::Dataset;
use base::error::ToolError;
use base::journal::differences;
use serde::Serialize;
use serde_json::Value;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Identity of a training run: its settings, games and table sizes. A run is resumed only from a checkpoint of equal
/// identity.
#[derive(Serialize)]
#[serde(bound = "")]
struct Identity<'a, H: Head> {
    #[serde(flatten)]
    settings: &'a Settings<H>,
    games: String,
    #[serde(rename = "checksum of the games")]
    checksum: u32,
    /// Number of rows of each weight table.
    rows: Vec<usize>,
}

impl<'a, H: Head> Identity<'a, H> {
    fn of(settings: &'a Settings<H>, data: &Dataset<H::Sample>) -> Identity<'a, H> {
        Identity {
            settings,
            games: data.summary(),
            checksum: data.checksum(),
            rows: H::SHAPES.iter().map(|shape| shape.rows).collect(),
        }
    }
}

/// Resumes the training run of the checkpoint `path`, or returns a new run if the file does not exist or is empty.
///
/// # Errors
/// If the file can't be read, is damaged, or belongs to a run with other settings or games. The message names the file and
/// the difference.
pub fn resume_or_start<H: Head>(
    path: &Path,
    settings: Settings<H>,
    data: &Dataset<H::Sample>,
) -> Result<TrainingRun<H>, ToolError> {
    let with_path = |error: String| format!("{}: {error}", path.display());
    match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(TrainingRun::new(settings)),
        Ok(bytes) if bytes.is_empty() => Ok(TrainingRun::new(settings)),
        Ok(bytes) => Ok(read(&bytes, &settings, data).map_err(with_path)?),
        Err(error) => Err(with_path(error.to_string()).into()),
    }
}

/// Serialises a training run into the bytes of a checkpoint.
///
/// # Errors
/// If the JSON serialisation fails.
pub fn to_bytes<H: Head>(
    run: &TrainingRun<H>,
    data: &Dataset<H::Sample>,
) -> Result<Vec<u8>, ToolError> {
    let mut bytes = H::INFO.magic.to_vec();
    serde_json::to_writer(&mut bytes, &(Identity::of(&run.settings, data), run))?;
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(bytes)
}

/// Parses the bytes of a checkpoint.
///
/// # Errors
/// If the bytes are damaged, or the checkpoint belongs to a run with other settings or games.
fn read<H: Head>(
    bytes: &[u8],
    settings: &Settings<H>,
    data: &Dataset<H::Sample>,
) -> Result<TrainingRun<H>, String> {
    const DAMAGED: &str = "the file is damaged: expected the state of a training and its checksum";
    let (content, checksum) = bytes.split_last_chunk().ok_or(DAMAGED)?;
    if crc32fast::hash(content).to_le_bytes() != *checksum {
        return Err(DAMAGED.to_owned());
    }
    let state = content.strip_prefix(H::INFO.magic).ok_or(DAMAGED)?;
    let (identity, mut run): (Value, TrainingRun<H>) =
        serde_json::from_slice(state).map_err(|error| error.to_string())?;
    let differences = differences(&identity, &Identity::of(settings, data));
    if !differences.is_empty() {
        let differences = differences.join("; ");
        return Err(format!("the state of another training: {differences}"));
    }
    run.learner = run.learner.fill_skipped_fields::<H>();
    Ok(run)
}
