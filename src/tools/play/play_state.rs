//! [`PlayState`], the state of one game in a session: its moves, the players' names, and the files in which it is
//! saved.

use super::game::Game;
use super::player_kind::PlayerKind;
use analysis::primer::STEPS;
use engine::board::Move;
use std::path::PathBuf;

/// A game, or a step of the rules tutorial, with the files in which it is saved.
#[derive(Clone, Debug)]
pub struct PlayState {
    pub game: Game,
    /// Names of black and white, in this order, from the file that the game was loaded from; `None` if the file has no
    /// name.
    pub names: [Option<String>; 2],
    /// File that the game was last saved to or loaded from; `None` if the game was neither saved by the user nor
    /// loaded.
    pub file: Option<PathBuf>,
    /// Moves of the game that the file `file` contains; empty if there is no file. [`PlayState::is_unsaved`] compares
    /// them with the moves of `game`.
    pub saved_moves: Vec<Move>,
    /// The automatically saved file of the game: first its path, then its content. `None` if there is no such file.
    pub autosaved: Option<(PathBuf, String)>,
    /// Index (from 0) of the current tutorial step; `None` outside the tutorial. During a step the game has no moves,
    /// because each attempt starts a new game.
    pub tutorial_step: Option<usize>,
}

impl PlayState {
    /// Creates the state of a game that is not saved in any file.
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

    /// Creates the state at the beginning of the rules tutorial's step `step` (index from 0): a game between two people
    /// from the step's position.
    ///
    /// # Panics
    /// If there is no such step.
    #[must_use]
    pub fn at_tutorial_step(step: usize) -> PlayState {
        PlayState {
            tutorial_step: Some(step),
            ..PlayState::new(Game::from_position(
                STEPS[step].board(),
                [PlayerKind::Human; 2],
            ))
        }
    }

    /// Records that the user has saved all moves of the game in `file`, or has loaded them from there.
    pub fn mark_saved_in(&mut self, file: PathBuf) {
        self.file = Some(file);
        self.saved_moves = self.game.moves().to_vec();
    }

    /// Tests if the game has moves that its file [`PlayState::file`] does not contain. Without a file, any move is
    /// unsaved.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        !self.saved_moves.starts_with(self.game.moves())
    }
}
