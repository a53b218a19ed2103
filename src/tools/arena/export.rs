//! Writes the arena's optional output files: with `--export` a match log of each game in Botzone's JSON format
//! ([`write_match_log`]), with `--stderr` the bots' standard error ([`write_stderr`]).

use super::referee::FinishedGame;
use super::results::GameRecord;
use base::error::Result;
use base::files::OutputFile;
use record::log::{LogEntry, write_entry};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Writes what each bot printed to standard error in the game `played` to the file `game_<number>_<colour>.txt` in
/// `folder`, such as `game_00012_black.txt`. The number is `played.game.game`. A bot without such output gets no file.
///
/// # Errors
/// If a file can't be created or written; the message names the file.
pub fn write_stderr(folder: &Path, played: &FinishedGame) -> Result<()> {
    for (colour, stderr) in ["black", "white"].into_iter().zip(&played.stderr) {
        if !stderr.is_empty() {
            let path = folder.join(format!("game_{:05}_{colour}.txt", played.game.game));
            OutputFile::new(&path)?.write(&stderr.to_bytes())?;
        }
    }
    Ok(())
}

/// Writes `log`, the match log of one game in Botzone's JSON format, to the file `game_<number>.json` in `folder`, such
/// as `game_00012.json`. Returns the path of the file. The number is `game.game`. `names` contains the names of all
/// bots; the two numbers in `game.players` are indices in it.
///
/// # Errors
/// If the file can't be created or written; the message names the file.
pub fn write_match_log(
    folder: &Path,
    names: &[String],
    game: &GameRecord,
    log: &[LogEntry],
) -> Result<PathBuf> {
    let path = folder.join(format!("game_{:05}.json", game.game));
    let entries: Vec<_> = log.iter().map(write_entry).collect();
    let [black, white] = game.players.map(|player| &names[player]);
    let players = json!({ "0": black, "1": white });
    let text = json!({ "players": players, "log": entries }).to_string();
    OutputFile::new(&path)?.write(text.as_bytes())?;
    Ok(path)
}
