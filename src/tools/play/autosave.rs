//! Running games, each kept in a file of its own in a folder of the user's, whether or not it is saved elsewhere.
//!
//! A file's name begins with the time and ends with the id of the process that keeps it. If that process has gone, the
//! game was left.

use super::log_file;
use super::table::{Kept, Table};
use crate::botzone::options::seed_from_time;
use crate::tools::support::error::ToolError;
use crate::tools::system::is_running;
use etcetera::BaseStrategy as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

/// Largest number of left games that are kept.
const MOST: usize = 20;

/// The folder in which games are kept.
#[derive(Clone, Debug)]
pub struct Autosave(PathBuf);

impl Autosave {
    /// Keeps games in the folder of the user's state: by the XDG base directory specification, on Windows that of local
    /// data; nothing without a home.
    #[must_use]
    pub fn of_user() -> Option<Autosave> {
        let user = etcetera::choose_base_strategy().ok()?;
        let state = user.state_dir().unwrap_or_else(|| user.cache_dir());
        let state = state.is_absolute().then_some(state);
        Some(Autosave::new(&state?.join("amazons")))
    }

    /// Keeps games in a folder, which is created for the first of them. Of the games left there only the latest few stay.
    fn new(folder: &Path) -> Autosave {
        let autosave = Autosave(folder.to_owned());
        for old in autosave.files_left().into_iter().skip(MOST) {
            // A file that stays does no harm.
            let _ = fs::remove_file(old);
        }
        autosave
    }

    /// Updates the kept copy of a game, or removes it if there is nothing to go on with.
    ///
    /// # Errors
    /// If the folder can't be made, or the file not written; what was kept before is still there then.
    pub fn keep(&self, table: &mut Table) -> Result<(), ToolError> {
        let is_empty = table.game.moves().is_empty();
        if is_empty || (table.game.winner().is_some() && !table.is_unsaved()) {
            if let Some(kept) = table.kept.take() {
                // A file that stays is only offered once more.
                let _ = fs::remove_file(kept.path);
            }
            return Ok(());
        }
        let game = &table.game;
        let is_kept = |kept: &Kept| {
            kept.moves == game.moves() && kept.seats == game.seats() && kept.path.is_file()
        };
        if table.kept.as_ref().is_some_and(is_kept) {
            return Ok(());
        }
        let path = table.kept.as_ref().map(|kept| kept.path.clone());
        let path = path.unwrap_or_else(|| self.fresh_path());
        fs::create_dir_all(&self.0).map_err(|error| format!("{}: {error}", self.0.display()))?;
        log_file::save(&path, table)?;
        table.is_kept_in(path);
        Ok(())
    }

    /// The latest game that was left unfinished, and its file.
    #[must_use]
    pub fn left(&self) -> Option<(PathBuf, log_file::Saved)> {
        let read = |path: PathBuf| {
            let saved = log_file::read(&path).ok()?;
            (!saved.is_over()).then_some((path, saved))
        };
        self.files_left().into_iter().find_map(read)
    }

    /// Takes over a game that was left by renaming its file. Returns its new file.
    pub fn adopt(&self, path: &Path) -> Result<PathBuf, ToolError> {
        let own = self.fresh_path();
        fs::rename(path, &own).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(own)
    }

    /// A unique file name.
    fn fresh_path(&self) -> PathBuf {
        let (time, id) = (seed_from_time(), process::id());
        self.0.join(format!("game-{time:020}-{id}.json"))
    }

    /// The games whose processes have gone, the latest first.
    fn files_left(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let mut left: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|path| keeper(path).is_some_and(|id| !is_alive(id)))
            .collect();
        left.sort_unstable_by(|a, b| b.cmp(a));
        left
    }
}

/// The id of the process that keeps a file; nothing if the file holds no kept game.
fn keeper(path: &Path) -> Option<i32> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_prefix("game-")?.strip_suffix(".json")?;
    name.split_once('-')?.1.parse().ok()
}

/// Tests if another process exists.
fn is_alive(id: i32) -> bool {
    let is_own = u32::try_from(id) == Ok(process::id());
    !is_own && is_running(id)
}

#[cfg(test)]
mod tests {
    use super::super::game::Game;
    use super::*;

    fn files(folder: &Path) -> usize {
        fs::read_dir(folder).expect("a folder").count()
    }

    #[test]
    fn games_of_living_processes_are_not_offered_and_few_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let autosave = Autosave::new(folder.path());
        let table = Table::new(Game::of_people(&["c1 c6 f6"]));
        let content = |path: &Path| log_file::save(path, &table).expect("written");
        content(&folder.path().join("game-9-1.json"));
        assert!(autosave.left().is_none(), "the first process lives");
        let own = process::id();
        for time in 100..200 {
            content(&folder.path().join(format!("game-{time}-{own}.json")));
        }
        fs::write(folder.path().join(format!("game-300-{own}.json")), "torn").expect("written");
        let (path, saved) = autosave
            .left()
            .expect("left by a process of the same number");
        assert!(
            path.ends_with(format!("game-199-{own}.json")),
            "the latest that is sound"
        );
        assert_eq!(saved.moves.len(), 1);
        Autosave::new(folder.path());
        assert_eq!(files(folder.path()), MOST + 1);
        let adopted = autosave.adopt(&path).expect("renamed");
        assert!(adopted.exists() && !path.exists());
    }
}
