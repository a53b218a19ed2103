//! The file of an arena: a header line, then a line of JSON per game, written as soon as it ends.

use crate::board::Player;
use crate::tools::judge::Verdict;
use crate::tools::{ToolError, journal};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::Path;

/// What messages call the lines of such a file.
const WHAT: &str = "an arena's games";

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
#[derive(PartialEq, Serialize, Deserialize)]
struct FirstLine {
    arena: Header,
}

/// Reads a file of games. A last line that was cut, by a crash, is left out.
///
/// # Errors
/// If the file can't be read, or holds something else; the message names the line.
pub fn read(path: &Path) -> Result<(Header, Vec<GameRecord>), ToolError> {
    let (first, games) = journal::read::<FirstLine, _>(path, WHAT)?;
    Ok((first.arena, games))
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
    let arena = header.clone();
    journal::open(path, &FirstLine { arena }, resume, WHAT)
}
