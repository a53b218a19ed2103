//! Appending games to a file.

use super::version::Version;
use super::{SelfPlayGame, SelfPlayPlan, parse};
use crate::tools::support::append::AppendFile;
use crate::tools::support::error::ToolError;
use std::path::Path;

/// A file to which games are appended.
#[derive(Debug)]
pub struct Writer {
    file: AppendFile,
    version: Version,
}

impl Writer {
    /// Opens or creates a file. Also returns its games.
    ///
    /// # Errors
    /// If the file can't be read or written, is something else, holds games of another schedule, or another
    /// program is writing to it.
    pub fn open(
        path: &Path,
        schedule: SelfPlayPlan,
    ) -> Result<(Writer, Vec<SelfPlayGame>), ToolError> {
        let name = path.display();
        let (mut file, bytes) = AppendFile::open(path)?;
        let start = schedule.to_bytes();
        if bytes.len() < start.len() && start.starts_with(&bytes) {
            // New, or cut before the first game.
            file.cut(0)?;
            file.append(&start)?;
            let version = Version::NEWEST;
            return Ok((Writer { file, version }, Vec::new()));
        }
        let content = parse(&bytes).map_err(|error| format!("{name}: {error}"))?;
        let differences = content.known_schedule(path)?.differences(&schedule);
        if !differences.is_empty() {
            return Err(format!("{name} holds games of another schedule: {differences}").into());
        }
        file.cut(content.length as u64)?;
        let version = content.version;
        Ok((Writer { file, version }, content.games))
    }

    /// Appends a game, in the version of the file, and flushes it to the system.
    ///
    /// # Errors
    /// If it can't be written; the file is as it was then.
    pub fn append(&mut self, game: &SelfPlayGame) -> Result<(), ToolError> {
        self.file.append(&game.to_bytes(self.version))
    }
}
