//! Stores the time, memory and debug text of a log's turns as SGF properties of a node, so that conversion to SGF and
//! back loses nothing.

use super::judge::explain_illegal;
use super::log::Answer;
use super::tree::Node;
use engine::board::{Board, Move};
use serde::Deserialize;
use serde_json::{Value, json};
use std::str::FromStr;

/// Private SGF property: time of the turn, in milliseconds.
const TIME: &str = "MS";

/// Private SGF property: memory of the bot, in MB.
const MEMORY: &str = "MB";

/// Private SGF property: debug text of the bot's answer, as JSON.
const DEBUG: &str = "DEBUG";

/// Private SGF property: `true` if the bot's process was kept running after the turn; absent otherwise.
const KEEP_RUNNING: &str = "KEPT";

/// Private SGF property of the last position: the answer that the judge rejected there, as JSON in the form of a match
/// log.
const REJECTED: &str = "REFUSED";

impl Node {
    /// Creates a child of node `parent` for the accepted move `turn`. Time, memory and debug text of `answer` become
    /// properties; zero and missing values are left out.
    pub(super) fn of_answer(parent: usize, turn: Move, answer: &Answer) -> Node {
        let mut node = Node::after(parent, turn);
        let amount = |amount: u64| (amount > 0).then(|| amount.to_string());
        let properties = [
            (TIME, amount(answer.time)),
            (MEMORY, amount(answer.memory)),
            (DEBUG, answer.debug.as_ref().map(Value::to_string)),
            (KEEP_RUNNING, answer.keep_running.then(|| true.to_string())),
        ];
        for (name, text) in properties {
            text.into_iter().for_each(|text| node.add(name, vec![text]));
        }
        node
    }

    /// Converts the node to an answer of a match log: the move `turn`, with time, memory and debug text from the
    /// properties.
    pub(super) fn answer(&self, turn: Move) -> Answer {
        Answer {
            time: self.parse_property(TIME).unwrap_or_default(),
            memory: self.parse_property(MEMORY).unwrap_or_default(),
            debug: self.parse_property(DEBUG),
            keep_running: self.parse_property(KEEP_RUNNING).unwrap_or_default(),
            ..Answer::from(turn)
        }
    }

    /// Stores an answer that the judge rejected at this position in a property.
    pub(super) fn set_rejected_answer(&mut self, answer: &Answer) {
        self.add(REJECTED, vec![json!(answer).to_string()]);
    }

    /// Returns the answer that the judge rejected at this position; `None` if there is none, or if the answer is legal on
    /// `board`.
    pub(super) fn rejected_answer(&self, board: &Board) -> Option<Answer> {
        let answer = Answer::deserialize(&self.parse_property::<Value>(REJECTED)?).ok()?;
        let response = answer.response.as_ref();
        let is_legal = response.is_some_and(|response| explain_illegal(board, response).is_none());
        (!is_legal).then_some(answer)
    }

    /// Parses the first value of the property `name`; returns `None` if the property is missing or malformed.
    fn parse_property<T: FromStr>(&self, name: &str) -> Option<T> {
        self.text(name)?.trim().parse().ok()
    }
}
