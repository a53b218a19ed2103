//! The file of an arena: a header line, then a line of JSON per game, written as soon as it ends.

use crate::board::Player;
use crate::tools::ToolError;
use crate::tools::judge::Verdict;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

/// What is played: two files with equal headers hold games of one schedule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The players as they were given, in order.
    pub players: Vec<String>,
    /// Their names.
    pub names: Vec<String>,
    /// Whether only the first player meets the others.
    pub gauntlet: bool,
    /// Games for every pairing.
    pub games: usize,
    /// Random plies of an opening.
    pub plies: usize,
    /// Seed of the openings.
    pub seed: u64,
    /// The conditions, for people: times, memory.
    pub conditions: String,
}

/// What a turn cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnCost {
    /// Wall time in milliseconds.
    pub wall_ms: f64,
    /// CPU time in milliseconds.
    pub cpu_ms: f64,
    /// Peak memory so far, in MB.
    pub memory_mb: f64,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Cause {
    /// The loser had no move.
    #[serde(rename = "no moves")]
    NoMoves,
    /// The loser's answer was illegal.
    #[serde(rename = "INVALIDMOVE")]
    InvalidMove,
    /// The loser's answer could not be read.
    #[serde(rename = "INVALID_INPUT")]
    InvalidInput,
    /// The loser's turn had another verdict than OK.
    #[serde(untagged)]
    Verdict(Verdict),
}

impl Cause {
    /// The cause's name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Cause::NoMoves => "no moves",
            Cause::InvalidMove => "INVALIDMOVE",
            Cause::InvalidInput => "INVALID_INPUT",
            Cause::Verdict(verdict) => verdict.name(),
        }
    }
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number in the schedule.
    pub game: usize,
    /// Numbers of the players: black's and white's.
    pub players: [usize; 2],
    /// Random plies with which it began.
    pub opening: usize,
    /// All moves as the platform writes them.
    pub moves: Vec<String>,
    /// Who won: 0 black, 1 white.
    pub winner: usize,
    /// Why the other lost.
    pub cause: Cause,
    /// Cost of every turn that was played, a fault's included.
    pub turns: Vec<TurnCost>,
}

impl GameRecord {
    /// The number of the player who won.
    #[must_use]
    pub fn winning_player(&self) -> usize {
        self.players[self.winner]
    }

    /// The colour that the turn was played with.
    #[must_use]
    pub const fn mover(&self, turn: usize) -> Player {
        if (self.opening + turn).is_multiple_of(2) {
            Player::Black
        } else {
            Player::White
        }
    }
}

/// The first line of a file: tells that it is an arena's.
#[derive(Serialize, Deserialize)]
struct FirstLine {
    arena: Header,
}

/// Reads a file of games. A last line that was cut, by a crash, is left out.
///
/// # Errors
/// If the file can't be read, or holds something else; the message names the line.
pub fn read(path: &Path) -> Result<(Header, Vec<GameRecord>), ToolError> {
    let name = path.display();
    let file = File::open(path).map_err(|error| format!("{name}: {error}"))?;
    let lines: Vec<String> = BufReader::new(file)
        .lines()
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{name}: {error}"))?;
    let fault =
        |number: usize, error| format!("{name}:{number}: {error}; expected an arena's games");
    let first = lines
        .first()
        .ok_or_else(|| format!("{name}: empty; expected an arena's games"))?;
    let FirstLine { arena } = serde_json::from_str(first).map_err(|error| fault(1, error))?;
    let mut games = Vec::new();
    for (number, line) in lines.iter().enumerate().skip(1) {
        match serde_json::from_str(line) {
            Ok(game) => games.push(game),
            Err(_) if number + 1 == lines.len() => {}
            Err(error) => return Err(fault(number + 1, error).into()),
        }
    }
    Ok((arena, games))
}

/// Makes a new file of games, or opens one to go on with it; returns its games so far.
///
/// # Errors
/// If the file is there already and not to be gone on with, or belongs to another schedule.
pub fn open(
    path: &Path,
    header: &Header,
    resume: bool,
) -> Result<(File, Vec<GameRecord>), ToolError> {
    let name = path.display();
    if !path.exists() {
        let mut file = File::create_new(path).map_err(|error| format!("{name}: {error}"))?;
        write(
            &mut file,
            &FirstLine {
                arena: header.clone(),
            },
        )?;
        return Ok((file, Vec::new()));
    }
    if !resume {
        return Err(format!("{name} exists: expected --resume, or another file").into());
    }
    let (found, games) = read(path)?;
    if found != *header {
        return Err(format!(
            "{name} holds games of another schedule: {}",
            difference(&found, header)
        )
        .into());
    }
    // Written anew without the line that a crash may have cut.
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    write(
        &mut file,
        &FirstLine {
            arena: header.clone(),
        },
    )?;
    for game in &games {
        write(&mut file, game)?;
    }
    Ok((file, games))
}

/// What differs between two headers, for people.
fn difference(found: &Header, expected: &Header) -> String {
    let text = |header: &Header| serde_json::to_string(header).unwrap_or_default();
    format!("found {}, expected {}", text(found), text(expected))
}

/// Appends a line and hands it to the system at once.
///
/// # Errors
/// If it can't be written.
pub fn write(file: &mut File, line: &impl Serialize) -> Result<(), ToolError> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    file.write_all(text.as_bytes())?;
    Ok(())
}
