//! The files of a sitting: saved and loaded games, and the kept copy of the running one.

use super::{ActionResult, Sitting};
use crate::tools::play::command::Expected;
use crate::tools::play::game::Game;
use crate::tools::play::log_file::{self, Saved};
use crate::tools::play::message::{Note, Question};
use crate::tools::play::refusal::Refusal;
use crate::tools::play::table::Table;
use crate::tools::play::words::labels;
use std::path::{Path, PathBuf};

impl Sitting {
    /// Saves the game. Without `replace` it asks first if turns of another game would be lost.
    pub(super) fn save(&mut self, path: Option<PathBuf>, replace: bool) -> ActionResult {
        let path = path.or_else(|| self.table().file.clone());
        let path = path.ok_or_else(|| Refusal::Expected {
            command: "save".to_owned(),
            expected: Expected::File,
            found: String::new(),
        })?;
        let table = &mut self.tables[self.at];
        if !replace
            && let Ok(other) = log_file::read(&path)
            && !table.game.moves().starts_with(&other.moves)
        {
            self.question = Some(Question::Overwrite(path));
            return Ok(None);
        }
        log_file::save(&path, table)?;
        table.saved = table.game.moves().to_vec();
        table.file = Some(path.clone());
        self.keep();
        Ok(Some(Note::Saved(path)))
    }

    /// Resumes the game in a file, with the file's seats if it has any.
    pub(super) fn load(&mut self, path: &Path) -> ActionResult {
        let mut saved = log_file::read(path)?;
        let (plies, remark) = (saved.moves.len(), saved.remark.take());
        let mut table = self.seated(saved);
        table.saved = table.game.moves().to_vec();
        table.file = Some(path.to_owned());
        self.replace(table);
        Ok(Some(Note::Loaded(plies, path.to_owned(), remark)))
    }

    /// Goes on with the game that was left last.
    pub(super) fn go_on_with_left(&mut self) -> ActionResult {
        let autosave = self
            .autosave
            .as_ref()
            .ok_or(Refusal::Because(labels::NOTHING_LEFT))?;
        let (path, saved) = autosave
            .left()
            .ok_or(Refusal::Because(labels::NOTHING_LEFT))?;
        let path = autosave.adopt(&path)?;
        let plies = saved.moves.len();
        let mut table = self.seated(saved);
        table.is_kept_in(path);
        self.replace(table);
        Ok(Some(Note::OfTurns(labels::CONTINUED, plies)))
    }

    /// That a game was left, if one was.
    #[must_use]
    pub fn left(&self) -> Option<Note> {
        let (_, saved) = self.autosave.as_ref()?.left()?;
        Some(Note::OfTurns(labels::LEFT, saved.moves.len()))
    }

    fn seated(&self, saved: Saved) -> Table {
        let seats = saved.seats.unwrap_or(self.game().seats());
        let game = Game::with_moves(seats, saved.moves).expect("the judge accepted the moves");
        Table {
            names: saved.names,
            ..Table::new(game)
        }
    }

    /// Updates the kept copy of the game. Why it fails is told once; every action tries again.
    pub(super) fn keep(&mut self) {
        let Some(autosave) = &self.autosave else {
            return;
        };
        let failure = autosave.keep(&mut self.tables[self.at]).err();
        if !self.is_unkept {
            self.news = failure
                .as_ref()
                .map(|error| Note::NotKept(error.to_string()));
        }
        self.is_unkept = failure.is_some();
    }
}
