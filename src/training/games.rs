//! The binary file format of self-play games, which are the training data of networks and weights.
//!
//! A file holds a header, then the games. A game is appended to the file when it ends. All numbers are little-endian.
//!
//! | bytes of the header | content |
//! | --- | --- |
//! | 7, 1 | `amazons`; format version, 5 |
//! | 8, 8 | seed; search iterations per move |
//! | 1, 1 | minimum and maximum number of random opening plies |
//! | 4 | probability that a ply is noise (a random move), a float from 0 to 1 |
//! | 4, 4 | checksums of the weights of the value network and of the policy network that played |
//! | 4 | checksum (CRC-32) of the header's bytes so far |
//!
//! | bytes of a game | content |
//! | --- | --- |
//! | 4 | number of the game in its schedule |
//! | 1 | number of plies of the whole game |
//! | 1 | number of random opening plies |
//! | 1 | winner: 0 black, 1 white |
//! | 4 | checksum of the game's bytes so far |
//! | 5 per ply | squares from, to, arrow (`8·y + x`), 128 added to the first if the move is noise; then the win probability of the side to move by the search before the move, in 1/65535; 0 in the opening |
//! | 24 per ply, directly after its 5 | [`VisitShares`] of the visits: 8 amazon moves, then 4 arrows |
//! | 4 | checksum of the game's bytes so far |
//!
//! | bytes of an entry of [`VisitShares`] | content |
//! | --- | --- |
//! | 1 | amazon move: in the upper two bits the amazon's index, 0 to 3, among the amazons of the side to move in the order of their squares; in the lower six bits the destination. Arrow: its square |
//! | 1 | share of the visits of all sibling half-moves, in 1/255, rounded; if 0, the entry is unused and both bytes are 0 |
//!
//! The most visited half-moves come first. The arrows are the children of the amazon move that was played. All entries are 0
//! in the opening and if nothing was searched. A move that is a proven loss still has its visits.
//!
//! A partial last game, left by a crash, is ignored. All other faults are errors: checksums detect damaged bytes, and a replay
//! of each game checks its moves and its winner.

mod plan;
mod visit_shares;

pub use plan::SelfPlayPlan;
pub use visit_shares::{FULL_SHARE, VisitShares};

use base::append::AppendFile;
use base::error::ToolError;
use base::journal::differences;
use engine::board::{Board, Move, Square};
use engine::movegen;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// Length of a game's header, in bytes, without the header's checksum.
const HEAD_BYTES: usize = 7;

/// Length of a stored ply, in bytes.
const PLY_BYTES: usize = 29;

/// Bit that marks a move as noise (a random move), in the byte of the move's first square.
const NOISE_BIT: u8 = 0x80;

/// Length of a checksum, in bytes.
const CHECKSUM_BYTES: usize = 4;

/// Size of the held-out set: on average, one game in this many is held out for validation.
const HELD_OUT_PERIOD: u64 = 10;

/// Returns the CRC-32 of `bytes` as stored in a file, little-endian.
fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    crc32fast::hash(bytes).to_le_bytes()
}

/// Tests if the checksum of `bytes[..end]` is stored directly after these bytes.
fn checksum_matches(bytes: &[u8], end: usize) -> bool {
    let stored = bytes.get(end..end + CHECKSUM_BYTES);
    stored.is_some_and(|stored| *stored == checksum(&bytes[..end]))
}

/// A game of self-play.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfPlayGame {
    /// Index of the game in its schedule; together with the seed it determines the opening.
    pub number: u32,
    /// Number of random plies at the beginning of the game.
    pub opening_plies: u8,
    /// Winner of the game: 0 for black, 1 for white.
    pub winner: u8,
    /// All plies of the game, including the random opening.
    pub plies: Vec<Ply>,
}

/// A ply of a game of self-play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ply {
    /// Move that was played: the best one by the search, or a random one.
    pub turn: Move,
    /// Win probability of the side to move before the move, by the search, from 0 to 1; 0 in the random opening.
    pub win_probability: f32,
    /// True if the move was drawn at random and differs from the search's best move.
    pub is_noise: bool,
    /// Half-moves that the search visited most, with their shares of the visits.
    pub shares: VisitShares,
}

impl Ply {
    /// Returns the [`PLY_BYTES`] bytes by which a file stores the ply.
    fn to_bytes(self) -> impl Iterator<Item = u8> {
        let Move { from, to, arrow } = self.turn;
        let [from, to, arrow] = [from, to, arrow].map(|square| square.index() as u8);
        let noise_bit = if self.is_noise { NOISE_BIT } else { 0 };
        let win_probability = (self.win_probability.clamp(0.0, 1.0) * 65535.0).round() as u16;
        let [low, high] = win_probability.to_le_bytes();
        let turn = [from | noise_bit, to, arrow, low, high];
        turn.into_iter().chain(self.shares.to_bytes())
    }

    /// Parses a stored ply. Returns `None` if `bytes` are fewer than [`PLY_BYTES`].
    fn read(bytes: &[u8]) -> Option<Ply> {
        let (&[from, to, arrow, low, high], shares) = bytes.split_first_chunk()?;
        let square = |index: u8| Square::wrapping(index.into());
        Some(Ply {
            turn: Move {
                from: square(from & !NOISE_BIT),
                to: square(to),
                arrow: square(arrow),
            },
            win_probability: f32::from(u16::from_le_bytes([low, high])) / 65535.0,
            is_noise: from & NOISE_BIT != 0,
            shares: VisitShares::read(shares)?,
        })
    }
}

impl SelfPlayGame {
    /// Returns the bytes by which a file stores the game, with their checksums.
    ///
    /// # Panics
    /// If the game has more than 255 plies.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.number.to_le_bytes().to_vec();
        let plies = u8::try_from(self.plies.len()).expect("a game has at most 56 plies");
        bytes.extend([plies, self.opening_plies, self.winner]);
        bytes.extend(checksum(&bytes));
        bytes.extend(self.plies.iter().flat_map(|ply| ply.to_bytes()));
        bytes.extend(checksum(&bytes));
        bytes
    }

    /// Parses the game at the front of `bytes`. Returns the game and its length in bytes, or `None` if the game is incomplete.
    ///
    /// # Errors
    /// If a checksum does not match.
    fn read(bytes: &[u8]) -> Result<Option<(SelfPlayGame, usize)>, String> {
        let Some(&[a, b, c, d, plies, opening, winner]) = bytes.first_chunk::<HEAD_BYTES>() else {
            return Ok(None);
        };
        let start = HEAD_BYTES + CHECKSUM_BYTES;
        let end = start + PLY_BYTES * usize::from(plies);
        if bytes.len() >= start && !checksum_matches(bytes, HEAD_BYTES) {
            return Err("its head is damaged, the checksum is another".to_owned());
        }
        if bytes.len() < end + CHECKSUM_BYTES {
            return Ok(None);
        }
        let number = u32::from_le_bytes([a, b, c, d]);
        if !checksum_matches(bytes, end) {
            return Err(format!("game {number} is damaged, the checksum is another"));
        }
        let plies = bytes[start..end].chunks_exact(PLY_BYTES);
        let game = SelfPlayGame {
            number,
            opening_plies: opening,
            winner,
            plies: plies.filter_map(Ply::read).collect(),
        };
        Ok(Some((game, end + CHECKSUM_BYTES)))
    }

    /// Returns the checksum with which a file stores the game; equal games have equal checksums.
    #[must_use]
    pub fn checksum(&self) -> [u8; CHECKSUM_BYTES] {
        *self.to_bytes().last_chunk().expect("a game ends with it")
    }

    /// Returns the index of the ply after the last random move, or 0 for a game without noise. Before that ply, the game's
    /// result says little about a position, because a random move may have changed the winner.
    #[must_use]
    pub fn first_reliable_ply(&self) -> usize {
        let last = self.plies.iter().rposition(|ply| ply.is_noise);
        last.map_or(0, |last| last + 1)
    }

    /// Checks the game by a replay.
    ///
    /// # Errors
    /// If a move is illegal, the game is not over after its last move, or the stored winner is wrong.
    fn validate(&self) -> Result<(), String> {
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

/// Parsed content of a file of self-play games.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGames {
    /// Schedule of the games, from the header of the file.
    pub plan: SelfPlayPlan,
    /// Complete games, in the order of the file.
    pub games: Vec<SelfPlayGame>,
    /// Length of the header and all complete games, in bytes; a partial last game lies beyond.
    pub length: usize,
}

/// Parses the bytes of a file of self-play games.
///
/// # Errors
/// If the header is not that of such a file, or a game is damaged, breaks the rules or occurs twice. The message gives the
/// position of the game in the file.
pub fn parse(bytes: &[u8]) -> Result<StoredGames, String> {
    let (plan, mut length) = SelfPlayPlan::read(bytes)?;
    let mut games: Vec<SelfPlayGame> = Vec::new();
    let mut numbers = HashSet::new();
    loop {
        let fault = |fault| format!("entry {}: {fault}", games.len() + 1);
        let read = SelfPlayGame::read(&bytes[length..]).map_err(fault)?;
        let Some((game, size)) = read else { break };
        game.validate().map_err(fault)?;
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

/// Reads a file of self-play games.
///
/// # Errors
/// If the file can't be read, or [`parse`] rejects its bytes. The message names the file.
pub fn read(path: &Path) -> Result<StoredGames, ToolError> {
    let name = path.display();
    let bytes = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    Ok(parse(&bytes).map_err(|error| format!("{name}: {error}"))?)
}

/// Opens or creates the file to which the games of the schedule `plan` are appended. Also returns the games that the file
/// already holds.
///
/// # Errors
/// If the file can't be read or written, is not a file of self-play games, holds games of another schedule, or is open for
/// appending in another program.
pub fn open(path: &Path, plan: SelfPlayPlan) -> Result<(AppendFile, Vec<SelfPlayGame>), ToolError> {
    let name = path.display();
    let (mut file, bytes) = AppendFile::open(path)?;
    let header = plan.to_bytes();
    if bytes.len() < header.len() && header.starts_with(&bytes) {
        // The file is new, or a crash left a partial header.
        file.truncate(0)?;
        file.append(&header)?;
        return Ok((file, Vec::new()));
    }
    let content = parse(&bytes).map_err(|error| format!("{name}: {error}"))?;
    let differences = differences(&content.plan, &plan).join("; ");
    if !differences.is_empty() {
        return Err(format!("{name} holds games of another schedule: {differences}").into());
    }
    file.truncate(content.length as u64)?;
    Ok((file, content.games))
}

/// Tests if a game belongs to the held-out set. Only a hash of the game's number decides, so the answer is the same in every
/// file and every training run.
#[must_use]
pub fn is_held_out(number: u32) -> bool {
    let hash = u64::from(number)
        .wrapping_add(1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (hash ^ hash >> 31).is_multiple_of(HELD_OUT_PERIOD)
}
