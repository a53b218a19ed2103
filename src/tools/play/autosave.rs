//! [`Autosave`]: saves every game of `amazons play` automatically, each in a file of its own in the user's state
//! folder. This file is separate from any file in which the user saves the game.
//!
//! The file is named `game-TIME-PID.json`: TIME is the time at which the file was named, in nanoseconds since 1970, and
//! PID is the id of the process that plays the game. If that process has ended, the game counts as unfinished and can
//! be resumed.

use super::log_file;
use super::play_state::PlayState;
use super::player_kind::PlayerKind;
use crate::system::is_running;
use base::error::Result;
use engine::botzone::options::seed_from_time;
use etcetera::BaseStrategy as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

/// Maximum number of unfinished games of ended processes that are kept in the folder of automatic saves. If there are
/// more, the oldest are deleted when a session of `amazons play` starts.
const MAX_UNFINISHED_GAMES: usize = 20;

/// Saves the games of `amazons play` automatically, each in a file of its own. Contains the path of the folder with
/// these files.
#[derive(Clone, Debug)]
pub struct Autosave(PathBuf);

impl Autosave {
    /// Creates an `Autosave` that saves games in the folder `amazons` of the user's state folder. The state folder is
    /// `$XDG_STATE_HOME`, by default `~/.local/state`; on Windows, the folder of local application data. Returns `None`
    /// if the user has no home folder, or if the path of the state folder is not absolute.
    #[must_use]
    pub fn in_user_folder() -> Option<Autosave> {
        let user = etcetera::choose_base_strategy().ok()?;
        let state = user.state_dir().unwrap_or_else(|| user.cache_dir());
        let state = state.is_absolute().then_some(state);
        Some(Autosave::new(&state?.join("amazons")))
    }

    /// Creates an `Autosave` that saves games in `folder`, which need not exist yet. If `folder` has more than
    /// [`MAX_UNFINISHED_GAMES`] unfinished games, deletes the files of the oldest ones.
    fn new(folder: &Path) -> Autosave {
        let autosave = Autosave(folder.to_owned());
        let unfinished = autosave.unfinished_files().into_iter();
        for old in unfinished.skip(MAX_UNFINISHED_GAMES) {
            // An error is ignored: a file that can't be deleted only takes up space.
            let _ = fs::remove_file(old);
        }
        autosave
    }

    /// Saves the current moves of the game in `state` automatically: overwrites the file of the game's last automatic
    /// save, or creates a file if there was no such save.
    ///
    /// Deletes the file instead if the game has no moves, or if the game is over and the user has saved all its moves
    /// in another file.
    ///
    /// # Errors
    /// If the folder can't be created or the file can't be written. The previous content of the file then stays
    /// unchanged.
    pub fn update(&self, state: &mut PlayState) -> Result<()> {
        let game = &state.game;
        if game.moves().is_empty() || (game.winner().is_some() && !state.has_unsaved_moves()) {
            if let Some((path, _)) = state.autosaved.take() {
                // The error is ignored: if the file of the automatic save can't be deleted, the only effect is that the
                // user is later offered to resume this game.
                let _ = fs::remove_file(path);
            }
            return Ok(());
        }
        let text = log_file::to_log(state);
        let path = match &state.autosaved {
            Some((path, saved)) if *saved == text && path.is_file() => return Ok(()),
            Some((path, _)) => path.clone(),
            None => self.new_path(),
        };
        fs::create_dir_all(&self.0).map_err(|error| format!("{}: {error}", self.0.display()))?;
        log_file::save(&path, state)?;
        state.autosaved = Some((path, text));
        Ok(())
    }

    /// Returns the unfinished game that was begun or resumed last, among those whose files can be read; `None` if there
    /// is none. `players`: who plays black and white, in this order, if the game's file doesn't say who plays them.
    #[must_use]
    pub fn latest_unfinished(&self, players: [PlayerKind; 2]) -> Option<PlayState> {
        let read = |path: PathBuf| {
            let (state, _) = log_file::read(&path, players).ok()?;
            let autosaved = Some((path, log_file::to_log(&state)));
            (state.game.winner().is_none()).then_some(PlayState { autosaved, ..state })
        };
        self.unfinished_files().into_iter().find_map(read)
    }

    /// Takes over an unfinished game that an ended process saved automatically: renames the game's file, so that its
    /// name contains the id of the running process. Call this function before the game continues.
    ///
    /// # Errors
    /// If the file can't be renamed.
    pub fn adopt(&self, state: &mut PlayState) -> Result<()> {
        if let Some((path, _)) = &mut state.autosaved {
            let own = self.new_path();
            fs::rename(&*path, &own).map_err(|error| format!("{}: {error}", path.display()))?;
            *path = own;
        }
        Ok(())
    }

    /// Returns the path `game-TIME-PID.json` for the file of a new game. `TIME` is the current time: the nanoseconds
    /// since 1970 (UTC), with 20 digits, so that the names sort by time. `PID` is the id of the running process.
    fn new_path(&self) -> PathBuf {
        let (time, id) = (seed_from_time(), process::id());
        self.0.join(format!("game-{time:020}-{id}.json"))
    }

    /// Returns the paths of the files of unfinished games; the game that was begun or resumed last comes first. A game
    /// counts as unfinished if the process that saved it has ended.
    fn unfinished_files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        // A file with this process's own id in its name was left by an ended process whose id the operating system has
        // given out again.
        let is_gone = |id: i32| u32::try_from(id) == Ok(process::id()) || !is_running(id);
        let is_left = |path: &PathBuf| owner_process_id(path).is_some_and(is_gone);
        let mut left: Vec<PathBuf> = paths.filter(is_left).collect();
        left.sort_unstable_by(|a, b| b.cmp(a));
        left
    }
}

/// Returns the id of the process that saved a game, from the name of the game's file, `game-TIME-PID.json`. Returns
/// `None` for any other name.
fn owner_process_id(path: &Path) -> Option<i32> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_prefix("game-")?.strip_suffix(".json")?;
    name.split_once('-')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::game::Game;
    use super::*;

    #[test]
    fn keeps_few_games_and_offers_only_abandoned_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        let autosave = Autosave::new(folder.path());
        let state = PlayState::new(Game::between_people(&["c1 c6 f6"]));
        let content = |path: &Path| log_file::save(path, &state).expect("written");
        content(&folder.path().join("game-9-1.json"));
        let left = autosave.latest_unfinished([PlayerKind::Human; 2]);
        assert!(left.is_none(), "the first process lives");
        let own = process::id();
        for time in 100..200 {
            content(&folder.path().join(format!("game-{time}-{own}.json")));
        }
        fs::write(folder.path().join(format!("game-300-{own}.json")), "torn").expect("written");
        let left = autosave.latest_unfinished([PlayerKind::Human; 2]);
        let mut left = left.expect("left by a process of the same number");
        let file = |state: &PlayState| state.autosaved.as_ref().expect("in a file").0.clone();
        let path = file(&left);
        let latest = format!("game-199-{own}.json");
        assert!(path.ends_with(latest), "the latest that is sound");
        assert_eq!(left.game.moves().len(), 1);
        Autosave::new(folder.path());
        let files = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(files, MAX_UNFINISHED_GAMES + 1);
        autosave.adopt(&mut left).expect("renamed");
        assert!(file(&left).exists() && !path.exists());
    }
}
