//! Running games, each kept in a file of its own in a folder of the user's, whether or not it is saved elsewhere.
//!
//! A file's name begins with the time and ends with the id of the process that keeps it. If that process has gone, the
//! game was left.

use super::log_file;
use super::player_kind::PlayerKind;
use super::table::Table;
use crate::system::is_running;
use base::error::ToolError;
use engine::botzone::options::seed_from_time;
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
        let game = &table.game;
        if game.moves().is_empty() || (game.winner().is_some() && !table.is_unsaved()) {
            if let Some((path, _)) = table.kept.take() {
                // A file that stays is only offered once more.
                let _ = fs::remove_file(path);
            }
            return Ok(());
        }
        let text = log_file::text(table);
        let path = match &table.kept {
            Some((path, kept)) if *kept == text && path.is_file() => return Ok(()),
            Some((path, _)) => path.clone(),
            None => self.fresh_path(),
        };
        fs::create_dir_all(&self.0).map_err(|error| format!("{}: {error}", self.0.display()))?;
        log_file::save(&path, table)?;
        table.kept = Some((path, text));
        Ok(())
    }

    /// The latest game that was left unfinished, in its file. `seats`: who plays if the file doesn't say it.
    #[must_use]
    pub fn left(&self, seats: [PlayerKind; 2]) -> Option<Table> {
        let read = |path: PathBuf| {
            let (table, _) = log_file::read(&path, seats).ok()?;
            let kept = Some((path, log_file::text(&table)));
            (table.game.winner().is_none()).then_some(Table { kept, ..table })
        };
        self.files_left().into_iter().find_map(read)
    }

    /// Takes over a game that was left by renaming its file.
    ///
    /// # Errors
    /// If the file can't be renamed.
    pub fn adopt(&self, table: &mut Table) -> Result<(), ToolError> {
        if let Some((path, _)) = &mut table.kept {
            let own = self.fresh_path();
            fs::rename(&*path, &own).map_err(|error| format!("{}: {error}", path.display()))?;
            *path = own;
        }
        Ok(())
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
        let left = autosave.left([PlayerKind::Human; 2]);
        assert!(left.is_none(), "the first process lives");
        let own = process::id();
        for time in 100..200 {
            content(&folder.path().join(format!("game-{time}-{own}.json")));
        }
        fs::write(folder.path().join(format!("game-300-{own}.json")), "torn").expect("written");
        let left = autosave.left([PlayerKind::Human; 2]);
        let mut left = left.expect("left by a process of the same number");
        let file = |table: &Table| table.kept.as_ref().expect("in a file").0.clone();
        let path = file(&left);
        assert!(
            path.ends_with(format!("game-199-{own}.json")),
            "the latest that is sound"
        );
        assert_eq!(left.game.moves().len(), 1);
        Autosave::new(folder.path());
        assert_eq!(files(folder.path()), MOST + 1);
        autosave.adopt(&mut left).expect("renamed");
        assert!(file(&left).exists() && !path.exists());
    }
}
