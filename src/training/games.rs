//! Binary file format of self-play games, the training data of the networks and of the evaluation's weights.
//!
//! A file holds a header, then the games, each appended when it ends. All numbers are little-endian; checksums are
//! CRC-32. The index of a square is `8·y + x`, from 0 for a1, 1 for b1 to 63 for h8.
//!
//! | bytes of the header | content |
//! | --- | --- |
//! | 7, 1 | `amazons`; format version, 5 |
//! | 8, 8 | seed; search iterations per move |
//! | 1, 1 | minimum and maximum number of random opening plies |
//! | 4 | probability that a ply is noise (a random move), a 32-bit float from 0 to 1 |
//! | 4, 4 | checksums of the weights of the value network and of the policy network that played |
//! | 4 | checksum of the header's bytes so far |
//!
//! | bytes of a game | content |
//! | --- | --- |
//! | 4 | number of the game in the self-play run, from 0 |
//! | 1 | number of plies of the whole game |
//! | 1 | number of random opening plies |
//! | 1 | winner: 0 black, 1 white |
//! | 4 | checksum of the game's bytes so far |
//! | 29 per ply | the ply, see the next table |
//! | 4 | checksum of the game's bytes so far |
//!
//! | bytes of a ply | content |
//! | --- | --- |
//! | 1, 1, 1 | indices of the squares from, to and arrow; 128 is added to the first if the move is noise |
//! | 2 | win probability of the side to move before the move, by the search, in units of 1/65535; 0 in the opening |
//! | 24 | [`VisitShares`]: 8 entries of amazon moves, then 4 of arrows |
//!
//! | bytes of an entry of [`VisitShares`] | content |
//! | --- | --- |
//! | 1 | amazon move: the upper two bits are the amazon's index, 0 to 3, among the amazons of the side to move in ascending order of their squares; the lower six bits are the destination. Arrow: its square |
//! | 1 | share of the visits of all sibling actions, in units of 1/255, rounded; if 0, the entry is unused and both bytes are 0 |
//!
//! The most visited actions come first. The arrows are the children of the amazon move that was played. All entries
//! are 0 in the opening and if nothing was searched. A move that is a proven loss still has its visits.
//!
//! A partial last game, left by a crash, is ignored. All other faults are errors: checksums detect damaged bytes, and a
//! replay of each game checks its moves and its winner.

mod settings;
mod visit_shares;

pub use settings::SelfPlaySettings;
pub use visit_shares::{FULL_SHARE, VisitShares};

use base::append::AppendFile;
use base::error::Result;
use base::journal::differences;
use engine::board::{Board, Move, Square};
use engine::movegen;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// Length in bytes of the fields at the beginning of each game in a file of self-play games: 4 bytes for the game's
/// number, 1 each for the number of plies, the number of random opening plies and the winner. The checksum after these
/// fields is not counted.
const GAME_HEADER_BYTES: usize = 7;

/// Length of a ply in a file of self-play games, in bytes: 3 for the squares of the move, 2 for the win probability, 24
/// for the visit shares.
const PLY_BYTES: usize = 29;

/// Bit that marks a ply as noise (a random move) in a file of self-play games. It is set in the byte that contains the
/// square from which the amazon moves.
const NOISE_BIT: u8 = 0x80;

/// Length of a CRC-32 checksum in a file of self-play games, in bytes.
const CHECKSUM_BYTES: usize = 4;

/// How rare held-out games are: on average, one of `HELD_OUT_PERIOD` games is held out. Held-out games are not used for
/// training, but to measure the loss.
const HELD_OUT_PERIOD: u64 = 10;

/// Returns the CRC-32 of `bytes` as files of self-play games store it: in little-endian byte order.
fn checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    crc32fast::hash(bytes).to_le_bytes()
}

/// Tests if the checksum that is stored in `bytes` at offset `end` is that of `bytes[..end]`. Returns false if `bytes`
/// ends before the stored checksum does.
fn checksum_matches(bytes: &[u8], end: usize) -> bool {
    let stored = bytes.get(end..end + CHECKSUM_BYTES);
    stored.is_some_and(|stored| *stored == checksum(&bytes[..end]))
}

/// A game that the engine played against itself: its moves and, for each, the search's win probability and visits.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfPlayGame {
    /// Number of the game in the self-play run, from 0. The number and the run's settings determine the random opening
    /// and all other random choices.
    pub number: u32,
    /// Number of random plies at the beginning of the game, which were not searched.
    pub opening_plies: u8,
    /// Winner of the game: 0 for black, 1 for white.
    pub winner: u8,
    /// All plies of the game, including the random opening.
    pub plies: Vec<Ply>,
}

/// One ply (amazon move and arrow) of a self-play game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ply {
    /// Move of this ply. It is a random move in the random opening and wherever `is_noise` is true, and otherwise the
    /// best move that the search found.
    pub turn: Move,
    /// Win probability of the side to move before this ply, from 0 to 1, as found by the search. It is exactly 0 or 1
    /// if the winner is proven.
    ///
    /// It is also 0, without any meaning, in the random opening, which is not searched: the first
    /// [`SelfPlayGame::opening_plies`] plies of a game.
    pub win_probability: f32,
    /// True if a random move was played that differs from the search's best move; always false in the opening.
    pub is_noise: bool,
    /// The most visited amazon moves (at most 8), and the most visited arrow shots (at most 4) after the amazon move
    /// played, by the search before this ply. Each list is in descending order of visits. Each entry has its share of
    /// the visits of all legal alternatives. Both lists are empty in the random opening.
    pub shares: VisitShares,
}

impl Ply {
    /// Returns the [`PLY_BYTES`] bytes with which a file of games stores the ply.
    fn to_bytes(self) -> impl Iterator<Item = u8> {
        let Move { from, to, arrow } = self.turn;
        let [from, to, arrow] = [from, to, arrow].map(|square| square.index() as u8);
        let noise_bit = if self.is_noise { NOISE_BIT } else { 0 };
        let win_probability = (self.win_probability.clamp(0.0, 1.0) * 65535.0).round() as u16;
        let [low, high] = win_probability.to_le_bytes();
        let turn = [from | noise_bit, to, arrow, low, high];
        turn.into_iter().chain(self.shares.to_bytes())
    }

    /// Parses a ply from the bytes with which a file of games stores it. Returns `None` if `bytes` has fewer than
    /// [`PLY_BYTES`] bytes.
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
    /// Returns the bytes with which a file of games stores the game, including their checksums.
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

    /// Parses the game at the beginning of `bytes`. Returns a pair: first the game, second its length in bytes. Returns
    /// `None` if `bytes` ends before the game does.
    ///
    /// # Errors
    /// If a checksum does not match.
    fn read(bytes: &[u8]) -> Result<Option<(SelfPlayGame, usize)>, String> {
        let Some(&[a, b, c, d, plies, opening, winner]) = bytes.first_chunk::<GAME_HEADER_BYTES>()
        else {
            return Ok(None);
        };
        let start = GAME_HEADER_BYTES + CHECKSUM_BYTES;
        let end = start + PLY_BYTES * usize::from(plies);
        if bytes.len() >= start && !checksum_matches(bytes, GAME_HEADER_BYTES) {
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

    /// Returns the checksum with which a file of games ends this game: the CRC-32 of the game's preceding bytes,
    /// little-endian. Equal games have equal checksums.
    #[must_use]
    pub fn checksum(&self) -> [u8; CHECKSUM_BYTES] {
        *self.to_bytes().last_chunk().expect("a game ends with it")
    }

    /// Returns the index (from 0) of the ply after the last random move (noise), or 0 for a game without noise. The
    /// random opening does not count.
    ///
    /// The winner of the game is a reliable training target only for positions from this ply on: before it, a random
    /// move may have changed who wins.
    #[must_use]
    pub fn first_reliable_ply(&self) -> usize {
        let last = self.plies.iter().rposition(|ply| ply.is_noise);
        last.map_or(0, |last| last + 1)
    }

    /// Checks the game by playing its moves from the start position.
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
        let is_valid_end = movegen::count(&board) == 0 && self.winner == winner;
        let fault = || format!("game {number}: expected an end that {winner} has won");
        is_valid_end.then_some(()).ok_or_else(fault)
    }
}

/// Parsed content of a file of self-play games.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGames {
    /// Settings of the self-play run, such as its seed and search iterations per move, parsed from the header of the
    /// file.
    pub settings: SelfPlaySettings,
    /// All complete games of the file, in the order of the file.
    pub games: Vec<SelfPlayGame>,
    /// Length in bytes of the header and all complete games. Any further bytes are an incomplete last game, left by a
    /// crash.
    pub complete_bytes: usize,
}

/// Parses the bytes of a file of self-play games, and checks the games by playing their moves. Ignores an incomplete
/// last game.
///
/// # Errors
/// - If the header is damaged, or is that of another file type or version.
/// - If a game is damaged, breaks the rules, or has the number of an earlier game. The message gives its position in
///   the file, from 1.
pub fn parse(bytes: &[u8]) -> Result<StoredGames, String> {
    let (settings, mut length) = SelfPlaySettings::read(bytes)?;
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
        settings,
        games,
        complete_bytes: length,
    })
}

/// Reads and parses a file of self-play games.
///
/// # Errors
/// If the file can't be read, is damaged, or contains an illegal game. The message names the file.
pub fn read(path: &Path) -> Result<StoredGames> {
    let name = path.display();
    let bytes = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    Ok(parse(&bytes).map_err(|error| format!("{name}: {error}"))?)
}

/// Opens a file for appending games of the self-play run `settings`; creates the file if it does not exist. Returns the
/// open file and the games that it already contains. Cuts off an incomplete last game, which a crash may have left.
///
/// # Errors
/// If the file can't be read or written, is not a file of self-play games, contains games of a run with other settings,
/// or is open for appending in another program.
pub fn open(path: &Path, settings: SelfPlaySettings) -> Result<(AppendFile, Vec<SelfPlayGame>)> {
    let name = path.display();
    let (mut file, bytes) = AppendFile::open(path)?;
    let header = settings.to_bytes();
    if bytes.len() < header.len() && header.starts_with(&bytes) {
        // The file is empty, or a crash left only a part of its header: write the complete header at its beginning.
        file.truncate(0)?;
        file.append(&header)?;
        return Ok((file, Vec::new()));
    }
    let content = parse(&bytes).map_err(|error| format!("{name}: {error}"))?;
    let differences = differences(&content.settings, &settings).join("; ");
    if !differences.is_empty() {
        return Err(format!("{name} holds games of another schedule: {differences}").into());
    }
    file.truncate(content.complete_bytes as u64)?;
    Ok((file, content.games))
}

/// Tests if the game with the number `number` is in the held-out set, on which networks are not trained. The result
/// depends only on a hash of the number, so it is the same in every file and every training run.
#[must_use]
pub fn is_held_out(number: u32) -> bool {
    let hash = u64::from(number)
        .wrapping_add(1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (hash ^ hash >> 31).is_multiple_of(HELD_OUT_PERIOD)
}
