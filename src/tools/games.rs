//! Files of self-play games: compact, appended to as games end, read back for fitting.
//!
//! A file is the eight bytes of [`MAGIC`], then games one after another. All numbers are little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 4 | number of the game in its schedule |
//! | 1 | plies of the whole game |
//! | 1 | random plies with which it began |
//! | 1 | winner: 0 black, 1 white |
//! | 5 per ply | squares from, to, arrow (`8·y + x`), then the mover's win probability as the search saw it before the move, in 1/65535; 0 for random plies |
//!
//! A game that was cut by a crash, the last one then, is left out when a file is read.

use super::ToolError;
use crate::board::{Move, Square};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

/// The first bytes of a file; the last of them is the version.
pub const MAGIC: [u8; 8] = *b"amazons\x01";

/// Bytes of a game before its moves.
const HEAD: usize = 7;

/// Bytes of a ply.
const PLY: usize = 5;

/// A game of self-play.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfPlayGame {
    /// Number in the schedule.
    pub number: u32,
    /// Random plies with which it began.
    pub opening: u8,
    /// Who won: 0 black, 1 white.
    pub winner: u8,
    /// All moves, each with the mover's win probability before it, 0 to 1; 0 for random plies.
    pub moves: Vec<(Move, f32)>,
}

impl SelfPlayGame {
    /// The game's bytes.
    ///
    /// # Panics
    /// If the game has more than 255 plies.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.number.to_le_bytes().to_vec();
        let plies = u8::try_from(self.moves.len()).expect("a game has at most 56 plies");
        bytes.extend([plies, self.opening, self.winner]);
        for (turn, probability) in &self.moves {
            bytes.extend([turn.from, turn.to, turn.arrow].map(|square| square.index() as u8));
            bytes.extend(((probability.clamp(0.0, 1.0) * 65535.0).round() as u16).to_le_bytes());
        }
        bytes
    }

    /// Reads a game from the front of some bytes; also how many it took. Nothing if it is cut.
    fn read(bytes: &[u8]) -> Option<(SelfPlayGame, usize)> {
        let (head, rest) = bytes.split_first_chunk::<HEAD>()?;
        let [a, b, c, d, plies, opening, winner] = *head;
        let moves = rest.get(..PLY * usize::from(plies))?;
        let ply = |ply: &[u8; PLY]| {
            let [from, to, arrow] =
                [ply[0], ply[1], ply[2]].map(|index| Square::wrapping(index.into()));
            (
                Move { from, to, arrow },
                f32::from(u16::from_le_bytes([ply[3], ply[4]])) / 65535.0,
            )
        };
        let game = SelfPlayGame {
            number: u32::from_le_bytes([a, b, c, d]),
            opening,
            winner,
            moves: moves.as_chunks::<PLY>().0.iter().map(ply).collect(),
        };
        Some((game, HEAD + moves.len()))
    }
}

/// Reads a file; also its length in bytes up to the last whole game.
///
/// # Errors
/// If the file can't be read or does not begin with [`MAGIC`].
pub fn read(path: &Path) -> Result<(Vec<SelfPlayGame>, u64), ToolError> {
    let name = path.display();
    let bytes = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    if !bytes.starts_with(&MAGIC) {
        return Err(format!("{name}: expected a file of self-play games").into());
    }
    let mut at = MAGIC.len();
    let mut games = Vec::new();
    while let Some((game, length)) = SelfPlayGame::read(&bytes[at..]) {
        games.push(game);
        at += length;
    }
    Ok((games, at as u64))
}

/// Opens a file to append games to, a new one if it is not there; also the games that it holds.
///
/// # Errors
/// If the file can't be read or written, or is something else.
pub fn append(path: &Path) -> Result<(fs::File, Vec<SelfPlayGame>), ToolError> {
    let name = path.display();
    let exists = path.exists();
    let (games, length) = if exists { read(path)? } else { (Vec::new(), 0) };
    let file = OpenOptions::new().create(true).append(true).open(path);
    let mut file = file.map_err(|error| format!("{name}: {error}"))?;
    if exists {
        // What a crash has cut is overwritten.
        file.set_len(length)?;
    } else {
        file.write_all(&MAGIC)?;
    }
    Ok((file, games))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_back_and_a_cut_one_is_left_out() {
        let game = |number| SelfPlayGame {
            number,
            opening: 1,
            winner: 1,
            moves: vec![
                ("c1 c6 f6".parse().expect("a move"), 0.0),
                ("f8 f7 g7".parse().expect("a move"), 1.0),
            ],
        };
        let folder = std::env::temp_dir().join(format!("amazons-games-{}", std::process::id()));
        let _ = fs::remove_file(&folder);
        let (mut file, games) = append(&folder).expect("new");
        assert!(games.is_empty());
        file.write_all(&game(7).to_bytes()).expect("written");
        file.write_all(&game(8).to_bytes()[..12]).expect("written");
        drop(file);
        let (mut file, games) = append(&folder).expect("there");
        assert_eq!(games, [game(7)]);
        file.write_all(&game(9).to_bytes()).expect("written");
        assert_eq!(read(&folder).expect("readable").0, [game(7), game(9)]);
        fs::write(&folder, "something else").expect("written");
        assert!(append(&folder).is_err());
        fs::remove_file(&folder).expect("removed");
    }
}
