//! Stores what a match log says about a bot's turn (time, memory, debug text) as SGF properties of a [`Node`], which is
//! one position of a game tree. A match log can thus be converted to SGF and back without loss.

use super::judge::explain_illegal;
use super::log::Answer;
use super::tree::Node;
use engine::board::{Board, Move};
use serde::Deserialize;
use serde_json::{Value, json};
use std::str::FromStr;

/// Name of a private SGF property (not in the SGF standard). Its value is the time that the bot took for its turn, in
/// milliseconds.
const TIME: &str = "MS";

/// Name of a private SGF property (not in the SGF standard). Its value is the memory that the bot's process used during
/// its turn, in megabytes.
const MEMORY: &str = "MB";

/// Name of a private SGF property (not in the SGF standard). Its value is the debug text that the bot sent with its
/// move, as JSON.
const DEBUG: &str = "DEBUG";

/// Name of a private SGF property (not in the SGF standard). Its value is `true` if Botzone kept the bot's process
/// running after the turn. Otherwise the property is missing.
const KEEP_RUNNING: &str = "KEPT";

/// Name of a private SGF property (not in the SGF standard) of the last position of a game. Its value is the bot's
/// answer that the judge rejected in this position, such as an illegal move, in the JSON of a match log.
const REJECTED: &str = "REFUSED";

impl Node {
    /// Creates the node after the move `turn`, which the judge has accepted. `parent` is the index of the parent node.
    /// `answer` is the bot's entry in the match log; its time, memory and debug text become properties of the node,
    /// unless they are zero or missing.
    pub(super) fn from_answer(parent: usize, turn: Move, answer: &Answer) -> Node {
        let mut node = Node::with_move(parent, turn);
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

    /// Builds the match-log entry for `turn`, the move that led to this node. Time, memory and debug text are taken
    /// from the SGF properties of the node; if a property is missing, the value is zero or missing in the entry, too.
    pub(super) fn to_answer(&self, turn: Move) -> Answer {
        Answer {
            time: self.parse_property(TIME).unwrap_or_default(),
            memory: self.parse_property(MEMORY).unwrap_or_default(),
            debug: self.parse_property(DEBUG),
            keep_running: self.parse_property(KEEP_RUNNING).unwrap_or_default(),
            ..Answer::from(turn)
        }
    }

    /// Stores `answer`, a bot's match-log entry that the judge rejected in the position of this node, as the SGF
    /// property whose name is `REJECTED`.
    pub(super) fn set_rejected_answer(&mut self, answer: &Answer) {
        self.add(REJECTED, vec![json!(answer).to_string()]);
    }

    /// Returns the bot's answer that the judge rejected in `board`, the position of this node. Returns `None` if the
    /// node stores no such answer. Also returns `None` if the stored answer is a legal move on `board`, because the
    /// judge cannot have rejected a legal move.
    pub(super) fn rejected_answer(&self, board: &Board) -> Option<Answer> {
        let answer = Answer::deserialize(&self.parse_property::<Value>(REJECTED)?).ok()?;
        let response = answer.response.as_ref();
        let is_legal = response.is_some_and(|response| explain_illegal(board, response).is_none());
        (!is_legal).then_some(answer)
    }

    /// Returns the first value of the SGF property `name` of this node, parsed as a `T`. Returns `None` if the property
    /// is missing or malformed.
    fn parse_property<T: FromStr>(&self, name: &str) -> Option<T> {
        self.text(name)?.trim().parse().ok()
    }
}
