//! [`PlayState`], the state of one game in a session of `amazons play`: its moves, the players' names, and the files in
//! which it is saved.

use super::game::Game;
use super::player_kind::PlayerKind;
use analysis::primer::STEPS;
use engine::board::Move;
use std::path::PathBuf;

/// State of one game in a session of `amazons play`: its moves, the players' names, the files in which it is saved, and
/// the step of the rules tutorial.
#[derive(Clone, Debug)]
pub struct PlayState {
    pub game: Game,
    /// Names of black and white, in this order, from the file that the game was loaded from; `None` for a player
    /// without a name there.
    pub names: [Option<String>; 2],
    /// File that the game was last saved to or loaded from; `None` if the game was neither saved by the user nor
    /// loaded.
    pub file: Option<PathBuf>,
    /// Moves that the file [`PlayState::file`] contains; empty if there is no such file. The game has unsaved moves
    /// unless its list of moves is a prefix of this list.
    pub saved_moves: Vec<Move>,
    /// Latest automatic save of the game. First: path of the file; second: content of the file. `None` if the game is
    /// not saved automatically.
    pub autosaved: Option<(PathBuf, String)>,
    /// Index (from 0) of the step of the rules tutorial that the learner is in; `None` outside the tutorial. Each step
    /// is a game without moves: the learner's first move either ends the step or begins it again.
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

    /// Creates the state at the beginning of a step of the rules tutorial: a game that begins at the step's position,
    /// in which the learner moves for both colours. `step` is the index of the step, from 0.
    ///
    /// # Panics
    /// If there is no step with this index.
    #[must_use]
    pub fn at_tutorial_step(step: usize) -> PlayState {
        let game = Game::from_position(STEPS[step].board(), [PlayerKind::Human; 2]);
        PlayState {
            tutorial_step: Some(step),
            ..PlayState::new(game)
        }
    }

    /// Records in this state that the file `file` contains all moves of the game. Call this function after the user has
    /// saved the game in `file` or loaded it from there.
    pub fn mark_saved_in(&mut self, file: PathBuf) {
        self.file = Some(file);
        self.saved_moves = self.game.moves().to_vec();
    }

    /// Tests if the game has moves that the user would lose without another save: moves that are not in the file
    /// [`PlayState::file`]. If there is no such file, these are all moves.
    #[must_use]
    pub fn has_unsaved_moves(&self) -> bool {
        !self.saved_moves.starts_with(self.game.moves())
    }
}
