//! Checkpoints: files with the state of a training run after an epoch, from which the run can be resumed. Layout:
//!
//! | bytes | content |
//! | --- | --- |
//! | 15 | [`NetworkInfo::magic`](super::network::NetworkInfo::magic) |
//! | variable | JSON array of two objects: the run's identity (settings and games) and its state |
//! | 4 | CRC-32 of all preceding bytes, little-endian |

use super::network::TrainableNetwork;
use super::training_run::{Settings, TrainingRun};
use crate::samples::Dataset;
use base::error::Result;
use base::journal::differences;
use serde::Serialize;
use serde_json::Value;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// Identity of a training run: its settings, its games, and the sizes of the network's weight tables. A run can be
/// resumed only from a checkpoint with the same identity.
#[derive(Serialize)]
#[serde(bound = "")]
struct Identity<'a, N: TrainableNetwork> {
    /// Hyperparameters of the run: epochs, batch size, learning rate, seed, and the network's own options.
    #[serde(flatten)]
    settings: &'a Settings<N>,
    /// Size of the data set as a text, such as `100 games, 10 of them held out; 5000 positions`. The first number
    /// includes the held-out games.
    games: String,
    /// Checksum of all games of the data set, from [`Dataset::checksum`].
    #[serde(rename = "checksum of the games")]
    checksum: u32,
    /// Number of rows of each weight table. A checkpoint with other numbers of rows is rejected, because another
    /// version of the program with a different network wrote it.
    rows: Vec<usize>,
}

impl<'a, N: TrainableNetwork> Identity<'a, N> {
    /// Returns the identity of the training run that has the hyperparameters `settings` and trains on the games of
    /// `data`. It consists of these hyperparameters, the size and checksum of the data set, and the sizes of the weight
    /// tables. A checkpoint stores the identity, and only a run with the same identity can be resumed from it.
    fn new(settings: &'a Settings<N>, data: &Dataset<N::Sample>) -> Identity<'a, N> {
        Identity {
            settings,
            games: data.summary(),
            checksum: data.checksum(),
            rows: N::SHAPES.iter().map(|shape| shape.rows).collect(),
        }
    }
}

/// Reads the training run that is stored in the checkpoint file `path`. Returns a new run if the file does not exist or
/// is empty.
///
/// # Errors
/// The message names the file.
/// - If the file can't be read or is damaged.
/// - If the stored run has other settings than `settings` or other games than `data`; the message lists the
///   differences.
pub fn resume_or_start<N: TrainableNetwork>(
    path: &Path,
    settings: Settings<N>,
    data: &Dataset<N::Sample>,
) -> Result<TrainingRun<N>> {
    let with_path = |error: String| format!("{}: {error}", path.display());
    match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(TrainingRun::new(settings)),
        Ok(bytes) if bytes.is_empty() => Ok(TrainingRun::new(settings)),
        Ok(bytes) => Ok(read(&bytes, &settings, data).map_err(with_path)?),
        Err(error) => Err(with_path(error.to_string()).into()),
    }
}

/// Serialises a training run into the bytes of a checkpoint, including magic bytes and checksum.
///
/// # Errors
/// If the JSON serialisation fails.
pub fn to_bytes<N: TrainableNetwork>(
    run: &TrainingRun<N>,
    data: &Dataset<N::Sample>,
) -> Result<Vec<u8>> {
    let mut bytes = N::INFO.magic.to_vec();
    serde_json::to_writer(&mut bytes, &(Identity::new(&run.settings, data), run))?;
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(bytes)
}

/// Parses the bytes of a checkpoint, and checks that it belongs to the run with `settings` on the games of `data`.
///
/// # Errors
/// If the bytes are damaged, or the stored run has other settings or games.
fn read<N: TrainableNetwork>(
    bytes: &[u8],
    settings: &Settings<N>,
    data: &Dataset<N::Sample>,
) -> Result<TrainingRun<N>, String> {
    const DAMAGED: &str = "the file is damaged: expected the state of a training and its checksum";
    let (content, checksum) = bytes.split_last_chunk().ok_or(DAMAGED)?;
    if crc32fast::hash(content).to_le_bytes() != *checksum {
        return Err(DAMAGED.to_owned());
    }
    let state = content.strip_prefix(N::INFO.magic).ok_or(DAMAGED)?;
    let (identity, mut run): (Value, TrainingRun<N>) =
        serde_json::from_slice(state).map_err(|error| error.to_string())?;
    let differences = differences(&identity, &Identity::new(settings, data));
    if !differences.is_empty() {
        let differences = differences.join("; ");
        return Err(format!("the state of another training: {differences}"));
    }
    run.learner = run.learner.fill_skipped_fields::<N>();
    Ok(run)
}
