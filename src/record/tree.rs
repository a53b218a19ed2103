//! A record as people keep it: the main line, its variations, comments and whatever else stands beside the moves.

use super::formats;
use super::judge::Verdict;
use super::log::LogError;
use super::replayed::{Fault, Outcome, Replayed};
use engine::board::{Board, Move, Player};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// A game with its variations.
#[derive(Clone, Debug)]
pub struct Record {
    /// The main line, checked, with the players' names.
    pub game: Replayed,
    /// The positions: first the one before all moves, then each behind its parent and before its parent's next child. The
    /// first child goes on the line of its parent.
    pub nodes: Vec<Node>,
}

/// A position of a record, and how it came about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Number of the position before it; the first position is its own.
    pub parent: usize,
    /// The move that led to it; nothing for the first position alone.
    #[serde(rename = "move", deserialize_with = "read_move")]
    pub turn: Option<Move>,
    /// What else is known: names as in SGF (`C` a comment; `RE`, `DT`, `PC`, `EV` in the first node result, date, place,
    /// event) with their values, without the marks that SGF needs to write them down.
    pub properties: Vec<(String, Vec<String>)>,
}

/// Reads a move, if there is one.
fn read_move<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Move>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    let turn = text.map(|text| {
        text.parse()
            .map_err(|error| D::Error::custom(format!("{text}: {error}")))
    });
    turn.transpose()
}

impl Node {
    /// The position after a move.
    #[must_use]
    pub fn after(parent: usize, turn: Move) -> Node {
        Node {
            parent,
            turn: Some(turn),
            properties: Vec::new(),
        }
    }

    /// The first value of a property.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        let found = self.properties.iter().find(|(other, _)| other == name);
        found?.1.first().map(String::as_str)
    }

    /// Adds values to those that a property has; a comment goes on in a new line.
    pub fn add(&mut self, name: &str, values: Vec<String>) {
        match self.properties.iter_mut().find(|(other, _)| other == name) {
            Some((_, known)) if name == "C" => {
                known.extend(values);
                *known = vec![known.join("\n")];
            }
            Some((_, known)) => known.extend(values),
            None => self.properties.push((name.to_owned(), values)),
        }
    }
}

impl Record {
    /// Reads a record in any of the forms that the tools know; of a file with several games the first, and says so.
    ///
    /// # Errors
    /// At what can't be read or breaks a rule.
    pub fn read(text: &str) -> Result<Record, LogError> {
        Record::first(formats::read_all(text))
    }

    /// Returns the first of a file's games, with a remark if there are others.
    ///
    /// # Errors
    /// If the first game can't be read.
    ///
    /// # Panics
    /// If there is neither a game nor a fault.
    pub fn first(games: Vec<Result<Record, LogError>>) -> Result<Record, LogError> {
        let count = games.len();
        let first = games.into_iter().next();
        let mut record = first.expect("a file has a game or a fault")?;
        if count > 1 {
            record.remark(format!("the file holds {count} games: this is the first"));
        }
        Ok(record)
    }

    /// Reads all games of a file in any of these forms, each for itself: at least one game or fault.
    #[must_use]
    pub fn read_all(text: &str) -> Vec<Result<Record, LogError>> {
        formats::read_all(text)
    }

    /// Adds what was assumed of the record, or is not in it.
    pub(super) fn remark(&mut self, remark: String) {
        self.game.remarks.push(LogError::whole(remark));
    }

    /// The record of a game without variations.
    #[must_use]
    pub fn of(game: Replayed) -> Record {
        let mut nodes = vec![Node::default()];
        let mut answers = game.answers.iter();
        for (ply, (turn, answer)) in game.turns().into_iter().zip(&mut answers).enumerate() {
            nodes.push(Node::of_answer(ply, turn, answer));
        }
        if let (Some(last), Some(answer)) = (nodes.last_mut(), answers.next()) {
            last.refuse(answer);
        }
        Record { game, nodes }
    }

    /// The record of nodes that follow each other as [`Record::nodes`] says.
    ///
    /// # Errors
    /// At the first node that is out of order or whose move is illegal: its number, and what is wrong.
    pub fn of_nodes(start: Board, nodes: Vec<Node>) -> Result<Record, (usize, String)> {
        let plies_before = start.arrow_count();
        let mut game = Replayed::at(start.clone());
        let mut line = vec![(0, start)];
        for (number, node) in nodes.iter().enumerate().skip(1) {
            while line.last().is_some_and(|&(last, _)| last > node.parent) {
                line.pop();
            }
            let parent = line.last().filter(|&&(last, _)| last == node.parent);
            let (Some((_, board)), Some(turn)) = (parent, node.turn) else {
                return Err((number, "expected a move behind an earlier one".to_owned()));
            };
            let mut board = board.clone();
            let ply = board.arrow_count() - plies_before;
            let played = board.play(turn);
            played.map_err(|fault| (number, format!("ply {}, {turn}: {fault}", ply + 1)))?;
            // Without a node left out, this is the main line.
            if line.len() == number {
                game.add(node.answer(turn));
            }
            line.push((number, board));
        }
        let refused = nodes[game.plies()].refused(game.judge.board());
        if let Some(answer) = refused.filter(|_| !game.judge.is_over()) {
            game.add(answer);
        }
        Ok(Record { game, nodes })
    }

    /// The result as SGF has it, such as `B+`: as it was written down, or else as the game ended.
    #[must_use]
    pub fn result(&self) -> Option<String> {
        let outcome = self.game.outcome();
        let reason = match outcome {
            Outcome::Fault {
                fault: Fault::NoMove(Verdict::TimeLimitExceeded),
                ..
            } => "T",
            Outcome::Fault { .. } => "F",
            _ => "",
        };
        let ended = || {
            let winner = ["B", "W"][outcome.winner()? as usize];
            Some(format!("{winner}+{reason}"))
        };
        self.nodes[0].text("RE").map(str::to_owned).or_else(ended)
    }

    /// The winner by [`Record::result`].
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        match self.result()?.get(..2)? {
            "B+" => Some(Player::Black),
            "W+" => Some(Player::White),
            _ => None,
        }
    }
}
