//! Files of a session: games that the user saves and loads, and the automatically saved copy of the current game.

use super::{ActionResult, Note, PlaySession, Question, with_message};
use crate::play::log_file;
use crate::play::play_state::PlayState;
use crate::play::words::{file, labels};
use base::error::ToolError;
use engine::console::{quoted, visible};
use std::path::{Path, PathBuf};

/// Returns the text of a file error, with control characters made harmless for the terminal.
fn fault(error: ToolError) -> String {
    visible(&error.to_string()).to_string()
}

impl PlaySession {
    /// Saves the game. Unless `replace` is set, asks before overwriting a file whose moves are not the beginning of this game.
    pub(super) fn save(&mut self, path: Option<PathBuf>, replace: bool) -> ActionResult {
        let table = &mut self.games[self.at];
        let Some(path) = path.or_else(|| table.file.clone()) else {
            let due = self.words.label(labels::A_FILE);
            return Err(self.words.expected("save", due));
        };
        if !replace
            && let Ok((other, _)) = log_file::read(&path, table.game.seats())
            && !table.game.moves().starts_with(other.game.moves())
        {
            self.question = Some(Question::Overwrite(path));
            return Ok(None);
        }
        log_file::save(&path, table).map_err(fault)?;
        let text = self.words.saved(file(&path));
        table.stored_in(path);
        self.keep();
        with_message(text)
    }

    /// Loads and resumes the game in a file; the file also says who plays, if `amazons play` wrote it.
    pub(super) fn load(&mut self, path: &Path) -> ActionResult {
        let read = log_file::read(path, self.game().seats());
        let (mut table, remark) = read.map_err(fault)?;
        let turns = self.words.turns(table.game.moves().len());
        table.stored_in(path.to_owned());
        self.replace(table);
        let loaded = self.words.loaded(turns, file(path));
        with_message(match remark {
            Some(remark) => format!("{loaded}\n{}", visible(&remark)),
            None => loaded,
        })
    }

    /// Resumes the last unfinished game.
    pub(super) fn go_on_with_left(&mut self) -> ActionResult {
        let nothing = || self.words.label(labels::NOTHING_LEFT).to_owned();
        let autosave = self.autosave.as_ref().ok_or_else(nothing)?;
        let mut table = self.left_table().ok_or_else(nothing)?;
        autosave.adopt(&mut table).map_err(fault)?;
        let turns = table.game.moves().len();
        self.replace(table);
        with_message(self.words.of_turns(labels::CONTINUED, turns))
    }

    /// Returns a message about the last unfinished game, if there is one to resume.
    #[must_use]
    pub fn left(&self) -> Option<Note> {
        let turns = self.left_table()?.game.moves().len();
        Some(Note::Said(self.words.of_turns(labels::LEFT, turns)))
    }

    fn left_table(&self) -> Option<PlayState> {
        self.autosave.as_ref()?.left(self.game().seats())
    }

    /// Updates the automatically saved copy of the game. After a failure, every action tries again, but only the first failure
    /// is reported.
    pub(super) fn keep(&mut self) {
        let Some(autosave) = &self.autosave else {
            return;
        };
        let failure = autosave.keep(&mut self.games[self.at]).err();
        if !self.is_unkept {
            let told = |error: &ToolError| self.words.not_kept(quoted(&error.to_string()));
            self.news = failure.as_ref().map(told);
        }
        self.is_unkept = failure.is_some();
    }
}
