//! Methods of [`PlaySession`] that save and load games. Each game is saved in a file that the user names, automatically
//! in a file of its own, or both.

use super::{CommandResult, Message, PlaySession, Question, with_message};
use crate::play::log_file;
use crate::play::play_state::PlayState;
use crate::play::texts::{display_path, labels};
use base::error::ToolError;
use engine::console::{escaped, quoted};
use std::path::{Path, PathBuf};

/// Returns the message of `error` with control characters escaped. The message may contain a file's name, and control
/// characters in it could change the terminal's settings.
fn error_text(error: ToolError) -> String {
    escaped(&error.to_string()).to_string()
}

impl PlaySession {
    /// Saves the current game as a match log in the file `path`. If `path` is `None`, uses the file that the game was
    /// last saved to or loaded from.
    ///
    /// What happens to an existing match log depends on its list of moves:
    /// - If it is a prefix of the current game's list, or equal to it, overwrites the file without asking.
    /// - Otherwise, if `replace` is true, overwrites the file without asking, too.
    /// - Otherwise saves nothing, and asks the user whether to overwrite the file.
    ///
    /// # Errors
    /// If `path` is `None` and the game was neither saved nor loaded, if the file exists and is not a match log, or if
    /// it can't be written.
    pub(super) fn save(&mut self, path: Option<PathBuf>, replace: bool) -> CommandResult {
        let state = &mut self.games[self.current];
        let Some(path) = path.or_else(|| state.file.clone()) else {
            let due = self.texts.label(labels::A_FILE);
            return Err(self.texts.expected("save", due));
        };
        if !replace
            && let Ok((other, _)) = log_file::read(&path, state.game.players())
            && !state.game.moves().starts_with(other.game.moves())
        {
            self.question = Some(Question::Overwrite(path));
            return Ok(None);
        }
        log_file::save(&path, state).map_err(error_text)?;
        let text = self.texts.saved(display_path(&path));
        state.mark_saved_in(path);
        self.update_autosave();
        with_message(text)
    }

    /// Loads the game in the file `path` and makes it the current game. If the file was saved by `amazons play`, it
    /// also says who plays black and white; otherwise the players stay the same.
    ///
    /// # Errors
    /// If the file can't be read or parsed.
    pub(super) fn load(&mut self, path: &Path) -> CommandResult {
        let read = log_file::read(path, self.game().players());
        let (mut state, remark) = read.map_err(error_text)?;
        let turns = self.texts.turns(state.game.moves().len());
        state.mark_saved_in(path.to_owned());
        self.start_game(state);
        let loaded = self.texts.loaded(turns, display_path(path));
        with_message(match remark {
            Some(remark) => format!("{loaded}\n{}", escaped(&remark)),
            None => loaded,
        })
    }

    /// Resumes the automatically saved, unfinished game that was begun or resumed last.
    ///
    /// # Errors
    /// If there is no unfinished game, if automatic saves are off, or if the game's file can't be renamed.
    pub(super) fn resume_unfinished_game(&mut self) -> CommandResult {
        let nothing = || self.texts.label(labels::NO_UNFINISHED_GAME).to_owned();
        let autosave = self.autosave.as_ref().ok_or_else(nothing)?;
        let mut state = self.unfinished_game().ok_or_else(nothing)?;
        autosave.adopt(&mut state).map_err(error_text)?;
        let turns = state.game.moves().len();
        self.start_game(state);
        with_message(self.texts.with_turns(labels::GAME_RESUMED, turns))
    }

    /// Returns the message that there is an unfinished game which can be resumed; it says how many turns were played in
    /// it. `None` if there is no unfinished game, or if automatic saves are off.
    #[must_use]
    pub fn unfinished_game_message(&self) -> Option<Message> {
        let turns = self.unfinished_game()?.game.moves().len();
        let text = self.texts.with_turns(labels::UNFINISHED_GAME, turns);
        Some(Message::Text(text))
    }

    fn unfinished_game(&self) -> Option<PlayState> {
        let autosave = self.autosave.as_ref()?;
        autosave.latest_unfinished(self.game().players())
    }

    /// Saves the current game automatically, if automatic saves are on. After a failed save, sets a warning for the
    /// user, unless the previous save has failed, too.
    pub(super) fn update_autosave(&mut self) {
        let Some(autosave) = &self.autosave else {
            return;
        };
        let failure = autosave.update(&mut self.games[self.current]).err();
        if !self.has_autosave_failed {
            let warning =
                |error: &ToolError| self.texts.autosave_failed(quoted(&error.to_string()));
            self.pending_message = failure.as_ref().map(warning);
        }
        self.has_autosave_failed = failure.is_some();
    }
}
