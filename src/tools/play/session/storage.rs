//! Files of a session: games that the user saves and loads, and the automatically saved copy of the current game.

use super::{ActionResult, Message, PlaySession, Question, with_message};
use crate::play::log_file;
use crate::play::play_state::PlayState;
use crate::play::texts::{file, labels};
use base::error::ToolError;
use engine::console::{quoted, visible};
use std::path::{Path, PathBuf};

/// Returns the text of a file error, with control characters made harmless for the terminal.
fn error_text(error: ToolError) -> String {
    visible(&error.to_string()).to_string()
}

impl PlaySession {
    /// Saves the game. Unless `replace` is set, asks before overwriting a file whose moves are not the beginning of this game.
    pub(super) fn save(&mut self, path: Option<PathBuf>, replace: bool) -> ActionResult {
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
        let text = self.texts.saved(file(&path));
        state.mark_saved_in(path);
        self.update_autosave();
        with_message(text)
    }

    /// Loads and resumes the game in a file; the file also says who plays, if `amazons play` wrote it.
    pub(super) fn load(&mut self, path: &Path) -> ActionResult {
        let read = log_file::read(path, self.game().players());
        let (mut state, remark) = read.map_err(error_text)?;
        let turns = self.texts.turns(state.game.moves().len());
        state.mark_saved_in(path.to_owned());
        self.start_game(state);
        let loaded = self.texts.loaded(turns, file(path));
        with_message(match remark {
            Some(remark) => format!("{loaded}\n{}", visible(&remark)),
            None => loaded,
        })
    }

    /// Resumes the last unfinished game.
    pub(super) fn resume_unfinished_game(&mut self) -> ActionResult {
        let nothing = || self.texts.label(labels::NO_UNFINISHED_GAME).to_owned();
        let autosave = self.autosave.as_ref().ok_or_else(nothing)?;
        let mut state = self.unfinished_game().ok_or_else(nothing)?;
        autosave.adopt(&mut state).map_err(error_text)?;
        let turns = state.game.moves().len();
        self.start_game(state);
        with_message(self.texts.with_turns(labels::GAME_RESUMED, turns))
    }

    /// Returns a message about the last unfinished game, if there is one to resume.
    #[must_use]
    pub fn unfinished_game_message(&self) -> Option<Message> {
        let turns = self.unfinished_game()?.game.moves().len();
        Some(Message::Text(
            self.texts.with_turns(labels::UNFINISHED_GAME, turns),
        ))
    }

    fn unfinished_game(&self) -> Option<PlayState> {
        self.autosave
            .as_ref()?
            .latest_unfinished(self.game().players())
    }

    /// Updates the automatically saved copy of the game. After a failure, every action tries again, but only the first failure
    /// is reported.
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
