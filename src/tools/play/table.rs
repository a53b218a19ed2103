//! A game with its names, its file and its saved state; or a step of the primer.

use super::game::Game;
use super::player_kind::PlayerKind;
use analysis::primer::STEPS;
use engine::board::Move;
use std::path::PathBuf;

/// A game and what belongs to it.
#[derive(Clone, Debug)]
pub struct Table {
    pub game: Game,
    /// The players' names, if a log has told them.
    pub names: [Option<String>; 2],
    /// The file to which the game was last saved, or from which it was loaded.
    pub file: Option<PathBuf>,
    /// The moves that are in that file.
    pub saved: Vec<Move>,
    /// The file that keeps a copy of the game, and its text.
    pub kept: Option<(PathBuf, String)>,
    /// The step of the primer that is learned here. Its board never holds a move.
    pub step: Option<usize>,
}

impl Table {
    /// A game without a file.
    #[must_use]
    pub const fn new(game: Game) -> Table {
        Table {
            game,
            names: [None, None],
            file: None,
            saved: Vec::new(),
            kept: None,
            step: None,
        }
    }

    /// A step of the primer.
    #[must_use]
    pub fn of_step(at: usize) -> Table {
        Table {
            step: Some(at),
            ..Table::new(Game::at(STEPS[at].board(), [PlayerKind::Human; 2]))
        }
    }

    /// Notes that a file holds the game as it is.
    pub fn stored_in(&mut self, file: PathBuf) {
        self.file = Some(file);
        self.saved = self.game.moves().to_vec();
    }

    /// Tests if turns would be lost with this game.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        !self.saved.starts_with(self.game.moves())
    }
}
