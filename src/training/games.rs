//! Files of self-play games: compact, appended to as games end, read back for fitting.
//!
//! A file holds a header, then games one after another. All numbers are little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 7, 1 | `amazons`; the version, 5 |
//! | 8, 8 | seed; iterations a move |
//! | 1, 1 | fewest and most random plies of an opening |
//! | 4 | share of plies with noise, a float from 0 to 1 |
//! | 4, 4 | checksums of the weights of the value network and of the order network that played |
//! | 4 | checksum (CRC-32) of all bytes so far |
//!
//! | bytes of a game | what |
//! | --- | --- |
//! | 4 | number of the game in its schedule |
//! | 1 | plies of the whole game |
//! | 1 | random plies with which it began |
//! | 1 | winner: 0 black, 1 white |
//! | 4 | checksum of these bytes |
//! | 5 per ply | squares from, to, arrow (`8·y + x`), 128 added to the first if the move is noise; then the mover's win probability as the search saw it before the move, in 1/65535; 0 in the opening |
//! | 24 per ply, right behind its 5 | [`Shares`] of the visits: 8 amazon's moves, then 4 arrows |
//! | 4 | checksum of the game's bytes so far |
//!
//! | bytes of an entry of [`Shares`] | what |
//! | --- | --- |
//! | 1 | the amazon's number, 0 to 3 among those of the player to move by square, in the upper two bits, and the square that it moves to in the others; or the arrow's square |
//! | 1 | share of the visits of all half-moves in this place, in 1/255, rounded; 0 if there is no entry: then the other byte is 0, too |
//!
//! The most visited half-moves come first. The arrows are those behind the amazon's move that was played. All entries are
//! 0 in the opening, and where nothing was searched. A move that was found to lose for certain keeps its visits.
//!
//! A partial last game, left by a crash, is ignored. Every other fault is an error: checksums find damage, and games are
//! replayed to their end, which tells the winner.

mod plan;
mod shares;

pub use plan::SelfPlayPlan;
pub use shares::{Shares, WHOLE};

use base::append::AppendFile;
use base::error::ToolError;
use base::journal::differences;
use engine::board::{Board, Move, Square};
use engine::movegen;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// Bytes of a game before its moves, checksum left out.
const HEAD: usize = 7;

/// Bytes of a ply.
const PLY: usize = 29;

/// Marks a move as noise, in the byte of its first square.
const NOISE: u8 = 0x80;

/// Bytes of a checksum.
const SUM: usize = 4;

/// One game in this many is held out.
const HELD_OUT: u64 = 10;

/// The checksum of some bytes, as it stands in a file.
fn checksum(bytes: &[u8]) -> [u8; SUM] {
    crc32fast::hash(bytes).to_le_bytes()
}

/// Tests if so many bytes are followed by their checksum.
fn is_intact(bytes: &[u8], end: usize) -> bool {
    let sum = bytes.get(end..end + SUM);
    sum.is_some_and(|sum| *sum == checksum(&bytes[..end]))
}

/// A game of self-play.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfPlayGame {
    /// Number in the schedule.
    pub number: u32,
    /// Number of random plies at its beginning.
    pub opening: u8,
    /// Who won: 0 black, 1 white.
    pub winner: u8,
    /// All plies, those of the opening first.
    pub plies: Vec<Ply>,
}

/// A ply of a game of self-play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ply {
    /// The move.
    pub turn: Move,
    /// The mover's win probability before the move, 0 to 1, as the search saw it; 0 in an opening.
    pub win_probability: f32,
    /// Whether the move was drawn at random and is not the best one by the search.
    pub is_noise: bool,
    /// What the search visited most.
    pub shares: Shares,
}

impl Ply {
    /// The ply's bytes.
    fn to_bytes(self) -> impl Iterator<Item = u8> {
        let Move { from, to, arrow } = self.turn;
        let [from, to, arrow] = [from, to, arrow].map(|square| square.index() as u8);
        let mark = if self.is_noise { NOISE } else { 0 };
        let win_probability = (self.win_probability.clamp(0.0, 1.0) * 65535.0).round() as u16;
        let [low, high] = win_probability.to_le_bytes();
        let turn = [from | mark, to, arrow, low, high];
        turn.into_iter().chain(self.shares.to_bytes())
    }

    /// Reads the bytes of a ply; nothing if they are not [`PLY`].
    fn read(bytes: &[u8]) -> Option<Ply> {
        let (&[from, to, arrow, low, high], shares) = bytes.split_first_chunk()?;
        let square = |index: u8| Square::wrapping(index.into());
        Some(Ply {
            turn: Move {
                from: square(from & !NOISE),
                to: square(to),
                arrow: square(arrow),
            },
            win_probability: f32::from(u16::from_le_bytes([low, high])) / 65535.0,
            is_noise: from & NOISE != 0,
            shares: Shares::read(shares)?,
        })
    }
}

impl SelfPlayGame {
    /// The game's bytes in a file.
    ///
    /// # Panics
    /// If the game has more than 255 plies.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.number.to_le_bytes().to_vec();
        let plies = u8::try_from(self.plies.len()).expect("a game has at most 56 plies");
        bytes.extend([plies, self.opening, self.winner]);
        bytes.extend(checksum(&bytes));
        bytes.extend(self.plies.iter().flat_map(|ply| ply.to_bytes()));
        bytes.extend(checksum(&bytes));
        bytes
    }

    /// Reads a game from the front of some bytes. Also returns its length; nothing if it is cut.
    fn read(bytes: &[u8]) -> Result<Option<(SelfPlayGame, usize)>, String> {
        let Some(&[a, b, c, d, plies, opening, winner]) = bytes.first_chunk::<HEAD>() else {
            return Ok(None);
        };
        let start = HEAD + SUM;
        let end = start + PLY * usize::from(plies);
        if bytes.len() >= start && !is_intact(bytes, HEAD) {
            return Err("its head is damaged, the checksum is another".to_owned());
        }
        if bytes.len() < end + SUM {
            return Ok(None);
        }
        let number = u32::from_le_bytes([a, b, c, d]);
        if !is_intact(bytes, end) {
            return Err(format!("game {number} is damaged, the checksum is another"));
        }
        let plies = bytes[start..end].chunks_exact(PLY);
        let game = SelfPlayGame {
            number,
            opening,
            winner,
            plies: plies.filter_map(Ply::read).collect(),
        };
        Ok(Some((game, end + SUM)))
    }

    /// Returns the checksum of the game's bytes in a file.
    #[must_use]
    pub fn checksum(&self) -> [u8; SUM] {
        *self.to_bytes().last_chunk().expect("a game ends with it")
    }

    /// The first ply behind all noise. The results of earlier positions are spoilt by a random move.
    #[must_use]
    pub fn noise_end(&self) -> usize {
        let last = self.plies.iter().rposition(|ply| ply.is_noise);
        last.map_or(0, |last| last + 1)
    }

    /// Replays the game; its end tells who has won.
    fn check(&self) -> Result<(), String> {
        let number = self.number;
        let mut board = Board::start();
        for (at, ply) in self.plies.iter().enumerate() {
            let played = board.play(ply.turn);
            played.map_err(|error| format!("game {number}, ply {at}: {error}"))?;
        }
        let winner = !board.to_move() as u8;
        match movegen::count(&board) == 0 && self.winner == winner {
            true => Ok(()),
            false => Err(format!(
                "game {number}: expected an end that {winner} has won"
            )),
        }
    }
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGames {
    /// The schedule.
    pub plan: SelfPlayPlan,
    /// The games in the order of the file.
    pub games: Vec<SelfPlayGame>,
    /// Bytes up to the last whole game.
    pub length: usize,
}

/// Reads the bytes of a file.
///
/// # Errors
/// If they don't begin as a file does, or a game is damaged, impossible or there twice; the message names it.
pub fn parse(bytes: &[u8]) -> Result<StoredGames, String> {
    let (plan, mut length) = SelfPlayPlan::read(bytes)?;
    let mut games: Vec<SelfPlayGame> = Vec::new();
    let mut numbers = HashSet::new();
    loop {
        let fault = |fault| format!("entry {}: {fault}", games.len() + 1);
        let read = SelfPlayGame::read(&bytes[length..]).map_err(fault)?;
        let Some((game, size)) = read else { break };
        game.check().map_err(fault)?;
        let number = game.number;
        if !numbers.insert(number) {
            return Err(fault(format!("game {number} is there a second time")));
        }
        length += size;
        games.push(game);
    }
    Ok(StoredGames {
        plan,
        games,
        length,
    })
}

/// Reads a file.
///
/// # Errors
/// If the file can't be read, or holds something else; the message names it.
pub fn read(path: &Path) -> Result<StoredGames, ToolError> {
    let name = path.display();
    let bytes = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    Ok(parse(&bytes).map_err(|error| format!("{name}: {error}"))?)
}

/// Opens or creates a file to append games of a schedule to. Also returns its games.
///
/// # Errors
/// If the file can't be read or written, is something else, holds games of another schedule, or another program is writing
/// to it.
pub fn open(path: &Path, plan: SelfPlayPlan) -> Result<(AppendFile, Vec<SelfPlayGame>), ToolError> {
    let name = path.display();
    let (mut file, bytes) = AppendFile::open(path)?;
    let start = plan.to_bytes();
    if bytes.len() < start.len() && start.starts_with(&bytes) {
        // New, or cut before the first game.
        file.cut(0)?;
        file.append(&start)?;
        return Ok((file, Vec::new()));
    }
    let content = parse(&bytes).map_err(|error| format!("{name}: {error}"))?;
    let differences = differences(&content.plan, &plan).join("; ");
    if !differences.is_empty() {
        return Err(format!("{name} holds games of another schedule: {differences}").into());
    }
    file.cut(content.length as u64)?;
    Ok((file, content.games))
}

/// Tests if a game is held out: by a hash of its number, whatever file it is in.
#[must_use]
pub fn is_held_out(number: u32) -> bool {
    let hash = u64::from(number)
        .wrapping_add(1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (hash ^ hash >> 31).is_multiple_of(HELD_OUT)
}
