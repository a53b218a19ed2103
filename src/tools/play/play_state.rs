//! The state of one game in a session: the game, the players' names, its file, and what is saved.

use super::game::Game;
use super::player_kind::PlayerKind;
use analysis::primer::STEPS;
use engine::board::Move;
use std::path::PathBuf;

/// A game, or a step of the rules tutorial, with its file and its saved state.
#[derive(Clone, Debug)]
pub struct PlayState {
    pub game: Game,
    /// Names of black and white, if the game was loaded from a file that has names.
    pub names: [Option<String>; 2],
    /// Path of the file to which the game was last saved, or from which it was loaded.
    pub file: Option<PathBuf>,
    /// Moves that `file` contains.
    pub saved_moves: Vec<Move>,
    /// Path and content of the automatically saved file, if the game has one.
    pub autosaved: Option<(PathBuf, String)>,
    /// Index of the tutorial step that is shown, if any. A step's game has no moves: each attempt begins anew.
    pub tutorial_step: Option<usize>,
}

impl PlayState {
    /// Creates the state of a game that has no file yet.
    #[must_use]
    pub const fn new(game: Game) -> PlayState {
        PlayState {
            game,
            names: [None, None],
            file: None,
            saved_moves: Vec::new(),
            autosaved: None,
            tutorial_step: None,
        }
    }

    /// Creates the position and task of step `at` of the rules tutorial.
    #[must_use]
    pub fn at_tutorial_step(at: usize) -> PlayState {
        PlayState {
            tutorial_step: Some(at),
            ..PlayState::new(Game::from_position(
                STEPS[at].board(),
                [PlayerKind::Human; 2],
            ))
        }
    }

    /// Records that `file` now contains all moves of the game.
    pub fn mark_saved_in(&mut self, file: PathBuf) {
        self.file = Some(file);
        self.saved_moves = self.game.moves().to_vec();
    }

    /// Tests if the game has moves that the user has not saved.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        !self.saved_moves.starts_with(self.game.moves())
    }
}
