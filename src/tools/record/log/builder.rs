//! A log that grows with a game.

use super::entry::{Answer, LogEntry};
use crate::tools::record::judge::{Judge, Output};

/// A game under the judge, and its log so far.
pub struct LogBuilder {
    /// The judge after the last answer.
    pub judge: Judge,
    /// The judge's outputs and the players' answers in turn.
    pub entries: Vec<LogEntry>,
}

impl Default for LogBuilder {
    fn default() -> LogBuilder {
        let judge = Judge::default();
        let entries = vec![LogEntry::Judge(judge.opening())];
        LogBuilder { judge, entries }
    }
}

impl LogBuilder {
    /// Adds the answer of the player to move, and what the judge says of it. Returns the latter.
    pub fn add(&mut self, answer: Answer) -> Output {
        let player = self.judge.board().to_move();
        let output = self.judge.answer(answer.verdict, answer.response.as_ref());
        self.entries.push(LogEntry::Bot(player, answer));
        self.entries.push(LogEntry::Judge(output.clone()));
        output
    }
}
