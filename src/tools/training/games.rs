//! Files of self-play games: compact, appended to as games end, read back for fitting.
//!
//! A file holds a header, then games one after another. All numbers are little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 7, 1 | `amazons`; the [`Version`] |
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
//! Version 4 did not have the checksums of the networks: its games count as played by those that are compiled in.
//! Version 3 did not have the shares, either: its plies take 5 bytes instead of 29. Version 2 did not have the share of noise,
//! either, which is 0. A file of these versions stays of its version when games are appended, so their shares are not
//! written. Version 1 had no checksums, either, and nothing between the version and the games. It is read, and no longer
//! written.
//!
//! A partial last game, left by a crash, is ignored. Every other fault is an error: games are replayed, and their end
//! tells the winner.

mod plan;
mod shares;
mod version;
mod writer;

pub use plan::{MAX_OPENING, SelfPlayPlan};
pub use shares::Shares;
pub use version::Version;
pub use writer::Writer;

use crate::board::{Board, Move, Square};
use crate::movegen;
use crate::tools::support::error::ToolError;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// Bytes of a game before its moves, checksum left out.
const HEAD: usize = 7;

/// Bytes of a ply without shares.
const PLY: usize = 5;

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
    /// The ply's bytes without its shares.
    fn to_bytes(self) -> [u8; PLY] {
        let Move { from, to, arrow } = self.turn;
        let [from, to, arrow] = [from, to, arrow].map(|square| square.index() as u8);
        let mark = if self.is_noise { NOISE } else { 0 };
        let win_probability = (self.win_probability.clamp(0.0, 1.0) * 65535.0).round() as u16;
        let [low, high] = win_probability.to_le_bytes();
        [from | mark, to, arrow, low, high]
    }

    /// Reads the bytes of a ply, with or without shares; nothing if a square is beyond the board.
    fn read(bytes: &[u8]) -> Option<Ply> {
        let (&[from, to, arrow, low, high], shares) = bytes.split_first_chunk::<PLY>()?;
        let square = |index: u8| (index < 64).then(|| Square::wrapping(index.into()));
        Some(Ply {
            turn: Move {
                from: square(from & !NOISE)?,
                to: square(to)?,
                arrow: square(arrow)?,
            },
            win_probability: f32::from(u16::from_le_bytes([low, high])) / 65535.0,
            is_noise: from & NOISE != 0,
            shares: Shares::read(shares).unwrap_or_default(),
        })
    }
}

impl SelfPlayGame {
    /// The game's bytes in a file of a version.
    ///
    /// # Panics
    /// If the game has more than 255 plies.
    #[must_use]
    pub fn to_bytes(&self, version: Version) -> Vec<u8> {
        let add_sum = |bytes: &mut Vec<u8>| {
            if version.has_sums() {
                bytes.extend(checksum(bytes));
            }
        };
        let mut bytes = self.number.to_le_bytes().to_vec();
        let plies = u8::try_from(self.plies.len()).expect("a game has at most 56 plies");
        bytes.extend([plies, self.opening, self.winner]);
        add_sum(&mut bytes);
        for ply in &self.plies {
            bytes.extend(ply.to_bytes());
            if version.has_shares() {
                bytes.extend(ply.shares.to_bytes());
            }
        }
        add_sum(&mut bytes);
        bytes
    }

    /// Reads a game from the front of some bytes. Also returns its length; nothing if it is cut.
    fn read(bytes: &[u8], version: Version) -> Result<Option<(SelfPlayGame, usize)>, String> {
        let has_sums = version.has_sums();
        let sum = if has_sums { SUM } else { 0 };
        let Some(&[a, b, c, d, plies, opening, winner]) = bytes.first_chunk::<HEAD>() else {
            return Ok(None);
        };
        if bytes.len() < HEAD + sum {
            return Ok(None);
        }
        if has_sums && !is_intact(bytes, HEAD) {
            return Err("its head is damaged, the checksum is another".to_owned());
        }
        let number = u32::from_le_bytes([a, b, c, d]);
        let end = HEAD + sum + version.ply() * usize::from(plies);
        if bytes.len() < end + sum {
            return Ok(None);
        }
        if has_sums && !is_intact(bytes, end) {
            return Err(format!("game {number} is damaged, the checksum is another"));
        }
        let plies = bytes[HEAD + sum..end].chunks_exact(version.ply());
        let plies = plies.map(Ply::read).collect::<Option<_>>();
        let game = SelfPlayGame {
            number,
            opening,
            winner,
            plies: plies.ok_or_else(|| format!("game {number}: a square beyond the board"))?,
        };
        Ok(Some((game, end + sum)))
    }

    /// The first ply behind all noise. The results of earlier positions are spoilt by a random move.
    #[must_use]
    pub fn noise_end(&self) -> usize {
        let last = self.plies.iter().rposition(|ply| ply.is_noise);
        last.map_or(0, |last| last + 1)
    }

    /// Whether a ply has shares of the visits.
    #[must_use]
    pub fn has_shares(&self) -> bool {
        self.plies.iter().any(|ply| !ply.shares.is_empty())
    }

    /// The same game as a file of version 3 holds it.
    #[must_use]
    pub fn without_shares(mut self) -> SelfPlayGame {
        for ply in &mut self.plies {
            ply.shares = Shares::default();
        }
        self
    }

    /// Plays the moves and checks the shares; returns the last position.
    fn replay(&self) -> Result<Board, String> {
        let mut board = Board::start();
        for (at, ply) in self.plies.iter().enumerate() {
            let fault = |fault| format!("game {}, ply {at}: {fault}", self.number);
            let legal = board.check(ply.turn);
            legal.map_err(|error| fault(error.to_string()))?;
            if at < usize::from(self.opening) && !ply.shares.is_empty() {
                return Err(fault("expected no shares in the opening".to_owned()));
            }
            ply.shares.check(&board, ply.turn).map_err(fault)?;
            board.play(ply.turn).expect("a legal move");
        }
        Ok(board)
    }

    /// Replays the game; its end tells who has won.
    fn check(&self, schedule: Option<SelfPlayPlan>) -> Result<(), String> {
        let number = self.number;
        let fault = |fault: String| Err(format!("game {number}: {fault}"));
        let board = self.replay()?;
        if movegen::count(&board) > 0 {
            return fault("expected moves until there is none left".to_owned());
        }
        let winner = !board.to_move() as u8;
        if self.winner != winner {
            let found = self.winner;
            return fault(format!(
                "expected winner {winner}, as the end says, found {found}"
            ));
        }
        let has_noise = schedule.is_some_and(|schedule| schedule.noise > 0.0);
        if !has_noise && self.noise_end() > 0 {
            return fault("expected no noise in this schedule".to_owned());
        }
        if let Some(schedule) = schedule {
            let moves = self.plies.iter().map(|ply| ply.turn);
            let moves = moves.take(self.opening.into());
            if !moves.eq(schedule.opening(number)) {
                let seed = schedule.seed;
                return fault(format!("expected the opening that comes from seed {seed}"));
            }
        }
        Ok(())
    }
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGames {
    /// The version.
    pub version: Version,
    /// The schedule; version 1 has none.
    pub schedule: Option<SelfPlayPlan>,
    /// The games in the order of the file.
    pub games: Vec<SelfPlayGame>,
    /// Bytes up to the last whole game.
    pub length: usize,
}

impl StoredGames {
    /// The schedule of a file whose games are to be added to.
    ///
    /// # Errors
    /// If it is of version 1; the message names the file.
    pub fn known_schedule(&self, path: &Path) -> Result<SelfPlayPlan, ToolError> {
        let fault = "is of version 1, which does not tell seed and iterations";
        let name = path.display();
        let refused = || format!("{name} {fault}: expected another file to go on in");
        Ok(self.schedule.ok_or_else(refused)?)
    }
}

/// Reads the bytes of a file.
///
/// # Errors
/// If they don't begin as a file does, or a game is damaged, impossible or there twice; the message names it.
pub fn parse(bytes: &[u8]) -> Result<StoredGames, String> {
    let version = Version::of(bytes)?;
    let (schedule, mut length) = match version.has_sums() {
        false => (None, version.start()),
        true => {
            let schedule = SelfPlayPlan::read(bytes, version)?;
            (Some(schedule), version.start() + SUM)
        }
    };
    let mut games: Vec<SelfPlayGame> = Vec::new();
    let mut numbers = HashSet::new();
    loop {
        let fault = |fault| format!("entry {}: {fault}", games.len() + 1);
        let read = SelfPlayGame::read(&bytes[length..], version).map_err(fault)?;
        let Some((game, size)) = read else { break };
        game.check(schedule).map_err(fault)?;
        let number = game.number;
        if !numbers.insert(number) {
            return Err(fault(format!("game {number} is there a second time")));
        }
        length += size;
        games.push(game);
    }
    Ok(StoredGames {
        version,
        schedule,
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

/// Tests if a game is held out: by a hash of its number, whatever file it is in.
#[must_use]
pub fn is_held_out(number: u32) -> bool {
    let hash = u64::from(number)
        .wrapping_add(1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (hash ^ hash >> 31).is_multiple_of(HELD_OUT)
}
