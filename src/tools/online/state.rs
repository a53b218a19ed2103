//! The file beside the journal that lets a program that was killed go on with its matches.
//!
//! Lines of JSON, the last one on a match counts. It is emptied when no match is under way.

use super::seat::Seat;
use crate::board::{Move, Player};
use crate::tools::platform::address::Id;
use crate::tools::record::judge::Coordinates;
use crate::tools::support::append::AppendFile;
use crate::tools::support::error::ToolError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The first line of a file.
const MARK: &[u8] = b"{\"online\":1}\n";

/// What is known of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The match.
    pub id: Id,
    /// Its number in the schedule.
    pub game: usize,
    /// The moves that are certain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<[i64; 6]>,
    /// The answer that may have been sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<[i64; 6]>,
    /// The scores, once it has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<[f64; 2]>,
    /// Whether nothing is left to do for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub done: bool,
}

impl Entry {
    /// A match before its first move.
    #[must_use]
    pub const fn new(id: Id, game: usize) -> Entry {
        Entry {
            id,
            game,
            moves: Vec::new(),
            answer: None,
            scores: None,
            done: false,
        }
    }

    /// The entry with a seat's moves.
    #[must_use]
    pub fn with(mut self, seat: &Seat) -> Entry {
        let numbers = |turn: Move| Coordinates::from(turn).numbers();
        self.moves = seat.moves().iter().copied().map(numbers).collect();
        self.answer = seat.answer().map(numbers);
        self
    }

    /// The match as it was left. `colour`: ours.
    ///
    /// # Errors
    /// If a move is illegal.
    pub fn seat(&self, colour: Player) -> Result<Seat, String> {
        let read =
            |numbers: [i64; 6]| Move::from_coordinates(numbers).map_err(|error| error.to_string());
        let moves: Result<Vec<Move>, String> = self.moves.iter().copied().map(read).collect();
        Seat::resumed(colour, &moves?, self.answer.map(read).transpose()?)
    }
}

/// The file.
pub struct StateFile {
    file: AppendFile,
    /// Matches under way.
    pub live: BTreeMap<Id, Entry>,
}

impl StateFile {
    /// The name of the file that belongs to a journal.
    #[must_use]
    pub fn beside(journal: &Path) -> PathBuf {
        let mut name = journal.as_os_str().to_owned();
        name.push(".running");
        name.into()
    }

    /// Opens or creates a file.
    ///
    /// # Errors
    /// If it can't be read or written, is another program's, or holds something else.
    pub fn open(path: &Path) -> Result<StateFile, ToolError> {
        let name = path.display();
        let (file, bytes) = AppendFile::open(path)?;
        let entries = parse(&bytes).map_err(|error| format!("{name}:{error}"))?;
        let mut live: BTreeMap<Id, Entry> =
            entries.into_iter().map(|entry| (entry.id, entry)).collect();
        live.retain(|_, entry| !entry.done);
        let mut state = StateFile { file, live };
        match state.live.is_empty() {
            true => state.clear()?,
            // A last line that a crash has cut.
            false => state.file.cut(whole(&bytes) as u64)?,
        }
        Ok(state)
    }

    /// Empties the file.
    fn clear(&mut self) -> Result<(), ToolError> {
        self.file.cut(0)?;
        self.file.append(MARK)
    }

    /// Keeps what is known of a match. An answer, and the scores of one that is over, are on the disk when this returns.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn keep(&mut self, entry: Entry) -> Result<(), ToolError> {
        if self.live.get(&entry.id) == Some(&entry) {
            return Ok(());
        }
        self.file.append_line(&entry)?;
        if entry.answer.is_some() || entry.scores.is_some() {
            self.file.sync()?;
        }
        if !entry.done {
            self.live.insert(entry.id, entry);
            return Ok(());
        }
        self.live.remove(&entry.id);
        match self.live.is_empty() {
            true => self.clear(),
            false => Ok(()),
        }
    }
}

/// Bytes of the whole lines.
fn whole(bytes: &[u8]) -> usize {
    let end = bytes.iter().rposition(|&byte| byte == b'\n');
    end.map_or(0, |at| at + 1)
}

/// The entries of a file, in order. A last line that a crash has cut is left out.
fn parse(bytes: &[u8]) -> Result<Vec<Entry>, String> {
    if bytes.is_empty() || MARK.starts_with(bytes) {
        return Ok(Vec::new());
    }
    let expected = "expected a file of amazons online with its matches under way";
    let lines = bytes[..whole(bytes)]
        .strip_prefix(MARK)
        .ok_or_else(|| format!("1: {expected}"))?;
    (2..)
        .zip(lines.split_inclusive(|&byte| byte == b'\n'))
        .map(|(number, line)| {
            serde_json::from_slice(line).map_err(|_| format!("{number}: {expected}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> Id {
        format!("{number:024x}").parse().expect("an id")
    }

    #[test]
    fn what_is_under_way_is_found_again_and_what_is_done_is_forgotten() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = StateFile::beside(&folder.path().join("games.jsonl"));
        let mut state = StateFile::open(&path).expect("new");
        assert!(state.live.is_empty());
        let mut first = Entry::new(id(1), 0);
        state.keep(first.clone()).expect("kept");
        first.moves = vec![[2, 0, 2, 5, 5, 5]];
        first.answer = Some([2, 7, 2, 6, 3, 6]);
        state.keep(first.clone()).expect("kept");
        assert!(state.file.is_on_disk(), "an answer may be sent now");
        state.keep(Entry::new(id(2), 1)).expect("kept");
        assert!(!state.file.is_on_disk());
        let done = Entry {
            done: true,
            ..Entry::new(id(2), 1)
        };
        state.keep(done).expect("kept");
        drop(state);
        let mut bytes = std::fs::read(&path).expect("there");
        bytes.extend(b"{\"id\":\"cut");
        std::fs::write(&path, bytes).expect("written");
        let mut state = StateFile::open(&path).expect("there");
        assert!(state.live.values().eq([&first]));
        let seat = first.seat(Player::White).expect("legal");
        assert_eq!((seat.moves().len(), seat.answer().is_some()), (1, true));
        first.done = true;
        state.keep(first).expect("kept");
        assert_eq!(std::fs::read(&path).expect("there"), MARK);
        drop(state);
        std::fs::write(&path, "dear diary\n").expect("written");
        assert!(StateFile::open(&path).is_err());
        assert_eq!(std::fs::read(&path).expect("there"), b"dear diary\n");
    }
}
