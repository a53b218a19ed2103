//! Files of self-play games: compact, appended to as games end, read back for fitting.
//!
//! A file holds a header, then games one after another. All numbers are little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | [`MAGIC`] |
//! | 8, 8 | seed; iterations a move |
//! | 1, 1 | fewest and most random plies of an opening |
//! | 4 | share of plies with noise, a float from 0 to 1 |
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
//! | 4 | checksum of the game's bytes so far |
//!
//! Version 2 did not have the share of noise, which is 0. Its games are as today's: a file of it stays of version 2 when
//! games are appended. Version 1 had no checksums, either, and nothing between [`MAGIC`] and the games. It is read, and no
//! longer written.
//!
//! A partial last game, left by a crash, is ignored. Every other fault is an error: games are replayed, and their end
//! tells the winner.

use crate::board::{Board, Move, Square};
use crate::movegen;
use crate::tools::player::openings;
use crate::tools::support::append::AppendFile;
use crate::tools::support::error::ToolError;
use crate::tools::support::journal::difference;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The first bytes of a file; the last of them is the version.
pub const MAGIC: [u8; 8] = *b"amazons\x03";

/// The version that had no checksums.
const FIRST_VERSION: u8 = 1;

/// The version that had no noise.
const SECOND_VERSION: u8 = 2;

/// Bytes before the first game, checksum left out.
const START: usize = 30;

/// The same in version 2.
const SECOND_START: usize = 26;

/// Bytes of a game before its moves, checksum left out.
const HEAD: usize = 7;

/// Bytes of a ply.
const PLY: usize = 5;

/// Marks a move as noise, in the byte of its first square.
const NOISE: u8 = 0x80;

/// Bytes of a checksum.
const SUM: usize = 4;

/// One game in this many is held out.
const HELD_OUT: u64 = 10;

/// Most random plies of an opening: later the game may be over.
pub const MAX_OPENING: u8 = 20;

/// The header: files of one schedule hold the same games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfPlayPlan {
    /// Seed of openings, searches and noise.
    pub seed: u64,
    /// Iterations a move.
    pub iterations: u64,
    /// Fewest random plies of an opening.
    pub min_plies: u8,
    /// Most random plies of an opening, [`MAX_OPENING`] at most.
    pub max_plies: u8,
    /// Probability of a random move instead of the best one, 0 to 1.
    pub noise: f32,
}

impl SelfPlayPlan {
    /// The random opening of a game.
    #[must_use]
    pub fn opening(&self, number: u32) -> Vec<Move> {
        let span = u32::from(self.max_plies - self.min_plies) + 1;
        let plies = u32::from(self.min_plies) + number % span;
        openings::opening(self.seed, number as usize, plies as usize)
    }

    /// The bytes with which a file begins.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.iterations.to_le_bytes());
        bytes.extend([self.min_plies, self.max_plies]);
        bytes.extend(self.noise.to_le_bytes());
        bytes.extend(checksum(&bytes));
        bytes
    }

    /// Reads the beginning of a file: so many bytes and their checksum.
    fn read(bytes: &[u8], end: usize) -> Result<SelfPlayPlan, String> {
        if !is_intact(bytes, end) {
            return Err(
                "the beginning is damaged: expected a seed, iterations, plies and their checksum"
                    .to_owned(),
            );
        }
        let number = |at: usize| {
            let bytes = bytes[at..].first_chunk().expect("the beginning is longer");
            u64::from_le_bytes(*bytes)
        };
        let [min_plies, max_plies] = [bytes[24], bytes[25]];
        if min_plies > max_plies || max_plies > MAX_OPENING {
            return Err(format!(
                "openings of {min_plies} to {max_plies} plies: expected {MAX_OPENING} at most"
            ));
        }
        let noise = bytes[SECOND_START..end].first_chunk();
        let noise = noise.map_or(0.0, |&bytes| f32::from_le_bytes(bytes));
        if !(0.0..=1.0).contains(&noise) {
            return Err(format!("noise {noise}: expected a number from 0 to 1"));
        }
        Ok(SelfPlayPlan {
            seed: number(8),
            iterations: number(16),
            min_plies,
            max_plies,
            noise,
        })
    }

    /// Describes the difference from an expected schedule.
    #[must_use]
    pub fn differences(&self, expected: &SelfPlayPlan) -> String {
        let differences = [
            difference("--seed", self.seed, expected.seed),
            difference("--iterations", self.iterations, expected.iterations),
            difference("--min-plies", self.min_plies, expected.min_plies),
            difference("--max-plies", self.max_plies, expected.max_plies),
            difference("--noise", self.noise, expected.noise),
        ];
        differences
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("; ")
    }
}

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
}

impl Ply {
    /// The ply's bytes.
    fn to_bytes(self) -> [u8; PLY] {
        let Move { from, to, arrow } = self.turn;
        let [from, to, arrow] = [from, to, arrow].map(|square| square.index() as u8);
        let mark = if self.is_noise { NOISE } else { 0 };
        let win_probability = (self.win_probability.clamp(0.0, 1.0) * 65535.0).round() as u16;
        let [low, high] = win_probability.to_le_bytes();
        [from | mark, to, arrow, low, high]
    }

    /// Reads the bytes of a ply; nothing if a square is beyond the board.
    fn read(&[from, to, arrow, low, high]: &[u8; PLY]) -> Option<Ply> {
        let square = |index: u8| (index < 64).then(|| Square::wrapping(index.into()));
        Some(Ply {
            turn: Move {
                from: square(from & !NOISE)?,
                to: square(to)?,
                arrow: square(arrow)?,
            },
            win_probability: f32::from(u16::from_le_bytes([low, high])) / 65535.0,
            is_noise: from & NOISE != 0,
        })
    }
}

impl SelfPlayGame {
    /// The game's bytes.
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
    fn read(bytes: &[u8], has_sums: bool) -> Result<Option<(SelfPlayGame, usize)>, String> {
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
        let end = HEAD + sum + PLY * usize::from(plies);
        if bytes.len() < end + sum {
            return Ok(None);
        }
        if has_sums && !is_intact(bytes, end) {
            return Err(format!("game {number} is damaged, the checksum is another"));
        }
        let plies = bytes[HEAD + sum..end].as_chunks::<PLY>().0.iter();
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

    /// Replays the game; its end tells who has won.
    fn check(&self, schedule: Option<SelfPlayPlan>) -> Result<(), String> {
        let number = self.number;
        let fault = |fault: String| Err(format!("game {number}: {fault}"));
        let mut board = Board::start();
        for (at, ply) in self.plies.iter().enumerate() {
            let played = board.play(ply.turn);
            played.map_err(|error| format!("game {number}, ply {at}: {error}"))?;
        }
        if movegen::count(&board) > 0 {
            return fault("expected moves until there is none left".to_owned());
        }
        let winner = !board.to_move() as u8;
        if self.winner != winner {
            return fault(format!(
                "expected winner {winner}, as the end says, found {}",
                self.winner
            ));
        }
        let has_noise = schedule.is_some_and(|schedule| schedule.noise > 0.0);
        if !has_noise && self.noise_end() > 0 {
            return fault("expected no noise in this schedule".to_owned());
        }
        if let Some(schedule) = schedule {
            let opening = schedule.opening(number);
            let moves = self.plies.iter().map(|ply| ply.turn);
            if usize::from(self.opening) != opening.len() || !moves.take(opening.len()).eq(opening)
            {
                return fault(format!(
                    "expected the opening that comes from seed {}",
                    schedule.seed
                ));
            }
        }
        Ok(())
    }
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGames {
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
        let refused = || {
            format!(
                "{} {fault}: expected another file to go on in",
                path.display()
            )
        };
        Ok(self.schedule.ok_or_else(refused)?)
    }
}

/// Reads the bytes of a file.
///
/// # Errors
/// If they don't begin as a file does, or a game is damaged, impossible or there twice; the message names it.
pub fn parse(bytes: &[u8]) -> Result<StoredGames, String> {
    let [name @ .., version] = MAGIC;
    let found = bytes.strip_prefix(&name).and_then(|rest| rest.first());
    let (schedule, mut length) = match found {
        Some(&FIRST_VERSION) => (None, MAGIC.len()),
        Some(&found) if (SECOND_VERSION..=version).contains(&found) => {
            let end = if found == version {
                START
            } else {
                SECOND_START
            };
            (Some(SelfPlayPlan::read(bytes, end)?), end + SUM)
        }
        Some(found) => {
            return Err(format!(
                "version {found}: expected {FIRST_VERSION} to {version}"
            ));
        }
        None => return Err("expected a file of self-play games".to_owned()),
    };
    let mut games: Vec<SelfPlayGame> = Vec::new();
    let mut numbers = HashSet::new();
    loop {
        let fault = |fault| format!("entry {}: {fault}", games.len() + 1);
        let read = SelfPlayGame::read(&bytes[length..], schedule.is_some()).map_err(fault)?;
        let Some((game, size)) = read else { break };
        game.check(schedule).map_err(fault)?;
        if !numbers.insert(game.number) {
            return Err(fault(format!(
                "game {} is there a second time",
                game.number
            )));
        }
        length += size;
        games.push(game);
    }
    Ok(StoredGames {
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

/// Reads files and hands the games of each to `take`.
///
/// # Errors
/// If a file can't be read or holds no games or impossible ones, or the first error of `take`; the message names the
/// file.
pub fn read_each(
    files: &[PathBuf],
    mut take: impl FnMut(&[SelfPlayGame]) -> Result<(), String>,
) -> Result<(), ToolError> {
    for path in files {
        let games = read(path)?.games;
        let taken = match games.is_empty() {
            true => Err("expected self-play games, found none".to_owned()),
            false => take(&games),
        };
        taken.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
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

/// A file to which games are appended.
#[derive(Debug)]
pub struct Writer {
    file: AppendFile,
}

impl Writer {
    /// Opens or creates a file. Also returns its games.
    ///
    /// # Errors
    /// If the file can't be read or written, is something else, holds games of another schedule, or another
    /// program is writing to it.
    pub fn open(
        path: &Path,
        schedule: SelfPlayPlan,
    ) -> Result<(Writer, Vec<SelfPlayGame>), ToolError> {
        let name = path.display();
        let (file, bytes) = AppendFile::open(path)?;
        let mut writer = Writer { file };
        let start = schedule.to_bytes();
        if bytes.len() < start.len() && start.starts_with(&bytes) {
            // New, or cut before the first game.
            writer.file.cut(0)?;
            writer.file.append(&start)?;
            return Ok((writer, Vec::new()));
        }
        let content = parse(&bytes).map_err(|error| format!("{name}: {error}"))?;
        let differences = content.known_schedule(path)?.differences(&schedule);
        if !differences.is_empty() {
            return Err(format!("{name} holds games of another schedule: {differences}").into());
        }
        writer.file.cut(content.length as u64)?;
        Ok((writer, content.games))
    }

    /// Appends a game and flushes it to the system.
    ///
    /// # Errors
    /// If it can't be written; the file is as it was then.
    pub fn append(&mut self, game: &SelfPlayGame) -> Result<(), ToolError> {
        self.file.append(&game.to_bytes())
    }
}
