//! A game with its names, its file and its saved state; and the games before and after it.

use super::game::Game;
use super::player_kind::PlayerKind;
use crate::board::Move;
use std::path::PathBuf;

/// A game and what belongs to it.
#[derive(Clone, Debug)]
pub struct Table {
    /// The game.
    pub game: Game,
    /// The players' names, where a log has told them.
    pub names: [Option<String>; 2],
    /// The file to which the game was last saved, or from which it was loaded.
    pub file: Option<PathBuf>,
    /// The moves that are in that file.
    pub saved: Vec<Move>,
    /// The kept copy of an unsaved game.
    pub kept: Option<Kept>,
}

/// The kept copy of an unsaved game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The file.
    pub path: PathBuf,
    /// Its moves.
    pub moves: Vec<Move>,
    /// Its players.
    pub seats: [PlayerKind; 2],
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
        }
    }

    /// Notes that a file keeps a copy of the game as it is.
    pub fn is_kept_in(&mut self, path: PathBuf) {
        self.kept = Some(Kept {
            path,
            moves: self.game.moves().to_vec(),
            seats: self.game.seats(),
        });
    }

    /// Tests if turns would be lost with this game.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        !self.saved.starts_with(self.game.moves())
    }
}

/// The current game, and the games before and after it. Undo and redo go from one to the other.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The game that is played.
    pub now: Table,
    earlier: Vec<Table>,
    later: Vec<Table>,
}

impl Tables {
    /// A single game.
    #[must_use]
    pub const fn new(table: Table) -> Tables {
        Tables {
            now: table,
            earlier: Vec::new(),
            later: Vec::new(),
        }
    }

    /// Goes on with another game; undo brings this one back.
    pub fn replace(&mut self, table: Table) {
        self.later.clear();
        let before = std::mem::replace(&mut self.now, table);
        // A game without a turn is not kept.
        if !before.game.moves().is_empty() {
            self.earlier.push(before);
        }
    }

    /// Goes back to the game before. Returns whether there is one.
    pub fn go_back(&mut self) -> bool {
        step(&mut self.earlier, &mut self.now, &mut self.later)
    }

    /// Goes on to the game after. Returns whether there is one.
    pub fn go_on(&mut self) -> bool {
        step(&mut self.later, &mut self.now, &mut self.earlier)
    }
}

/// Puts the nearest table of a side in the place of the present one, which moves to the other side.
fn step(side: &mut Vec<Table>, now: &mut Table, other: &mut Vec<Table>) -> bool {
    let next = side.pop();
    let is_there = next.is_some();
    other.extend(next.map(|table| std::mem::replace(now, table)));
    is_there
}
