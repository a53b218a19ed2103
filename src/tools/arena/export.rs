//! Optional output files of the arena: match logs in the platform's format, and the bots' standard error.

use super::results::GameRecord;
use crate::platform::process::stderr_buffer::StderrBuffer;
use base::error::ToolError;
use base::files::OutputFile;
use record::log::{LogEntry, write_entry};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Writes what each bot has written to standard error to the file `game_<number>_<colour>.txt` in `folder`, with at
/// least five digits for the number of the game. Skips a bot that has written nothing. `stderr` holds the output of
/// black's bot, then that of white's bot.
///
/// # Errors
/// If a file can't be written.
pub fn write_stderr(
    folder: &Path,
    game: &GameRecord,
    stderr: &[StderrBuffer; 2],
) -> Result<(), ToolError> {
    for (colour, stderr) in ["black", "white"].into_iter().zip(stderr) {
        if !stderr.is_empty() {
            let path = folder.join(format!("game_{:05}_{colour}.txt", game.game));
            OutputFile::new(&path)?.write(&stderr.to_bytes())?;
        }
    }
    Ok(())
}

/// Writes the match log of a game to `game_<number>.json` in `folder`, in the platform's format. `names` are the names
/// of all players of the arena, indexed by the numbers in `game.players`. Returns the path of the file.
///
/// # Errors
/// If the file can't be written.
pub fn write_match_log(
    folder: &Path,
    names: &[String],
    game: &GameRecord,
    log: &[LogEntry],
) -> Result<PathBuf, ToolError> {
    let path = folder.join(format!("game_{:05}.json", game.game));
    let entries: Vec<_> = log.iter().map(write_entry).collect();
    let [black, white] = game.players.map(|player| &names[player]);
    let players = json!({ "0": black, "1": white });
    let text = json!({ "players": players, "log": entries }).to_string();
    OutputFile::new(&path)?.write(text.as_bytes())?;
    Ok(path)
}
