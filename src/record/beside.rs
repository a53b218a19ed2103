//! What a match log tells of a turn besides its move, as properties of a record's node: so it survives every form that keeps
//! properties.

use super::judge::objection;
use super::log::Answer;
use super::tree::Node;
use engine::board::{Board, Move};
use serde::Deserialize;
use serde_json::{Value, json};
use std::str::FromStr;

/// Milliseconds of the turn.
const TIME: &str = "MS";

/// Memory of the bot in MB.
const MEMORY: &str = "MB";

/// The debug text, as JSON.
const DEBUG: &str = "DEBUG";

/// Whether the bot was kept running: `true`, or it is not there.
const KEPT: &str = "KEPT";

/// The answer to the position that was refused, as it stands in a match log.
const REFUSED: &str = "REFUSED";

impl Node {
    /// The node behind another one of an answer that was accepted.
    pub(super) fn of_answer(parent: usize, turn: Move, answer: &Answer) -> Node {
        let mut node = Node::after(parent, turn);
        let amount = |amount: u64| (amount > 0).then(|| amount.to_string());
        let told = [
            (TIME, amount(answer.time)),
            (MEMORY, amount(answer.memory)),
            (DEBUG, answer.debug.as_ref().map(Value::to_string)),
            (KEPT, answer.keep_running.then(|| true.to_string())),
        ];
        for (name, text) in told {
            text.into_iter().for_each(|text| node.add(name, vec![text]));
        }
        node
    }

    /// The answer that is this node's move.
    pub(super) fn answer(&self, turn: Move) -> Answer {
        Answer {
            time: self.parsed(TIME).unwrap_or_default(),
            memory: self.parsed(MEMORY).unwrap_or_default(),
            debug: self.parsed(DEBUG),
            keep_running: self.parsed(KEPT).unwrap_or_default(),
            ..Answer::from(turn)
        }
    }

    /// Notes the answer to this position that was refused.
    pub(super) fn refuse(&mut self, answer: &Answer) {
        self.add(REFUSED, vec![json!(answer).to_string()]);
    }

    /// The answer to this position that was refused; nothing if there is none, or the judge would have accepted it.
    pub(super) fn refused(&self, board: &Board) -> Option<Answer> {
        let answer = Answer::deserialize(&self.parsed::<Value>(REFUSED)?).ok()?;
        let response = answer.response.as_ref();
        let is_good = response.is_some_and(|response| objection(board, response).is_none());
        (!is_good).then_some(answer)
    }

    /// The first value of a property, if it is what it should be.
    fn parsed<T: FromStr>(&self, name: &str) -> Option<T> {
        self.text(name)?.trim().parse().ok()
    }
}
