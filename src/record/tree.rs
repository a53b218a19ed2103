//! A game record as a tree: the main line, variations, comments and other annotations.

use super::checked_game::{CheckedGame, Fault, Outcome};
use super::formats;
use super::judge::Verdict;
use super::log::LogError;
use engine::board::{Board, Move, Player};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// Record of a game as a tree. The main line is stored as a game with checked moves; all positions, with variations and
/// annotations, are stored as nodes.
#[derive(Clone, Debug)]
pub struct Record {
    /// Main line of the game, with the players' names. Its moves were checked by the judge's rules.
    pub game: CheckedGame,
    /// Nodes (positions) of the game tree in depth-first order; node 0 is the position before all moves. The first
    /// child of a node continues the main line or the variation that contains the node. Each other child begins a
    /// variation. The main line leads from node 0 always to the first child.
    pub nodes: Vec<Node>,
}

/// Node of a game tree: a position, and the move that led to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Index of the parent in [`Record::nodes`]; 0 for node 0 itself, which has no parent.
    pub parent: usize,
    /// Move that led to this position. `None` only for node 0, which is the position before all moves.
    #[serde(rename = "move", deserialize_with = "read_move")]
    pub turn: Option<Move>,
    /// Annotations as pairs of an SGF property name and its values, without SGF's escapes. Examples: `C` is a comment;
    /// in the first node, `RE` is the result, `DT` the date, `PC` the place and `EV` the event.
    pub properties: Vec<(String, Vec<String>)>,
}

/// Deserialises a move from text such as `c1-c6(f6)`; null becomes `None`.
fn read_move<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Move>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    let turn = text.map(|text| {
        text.parse()
            .map_err(|error| D::Error::custom(format!("{text}: {error}")))
    });
    turn.transpose()
}

impl Node {
    /// Returns a new node without annotations, which is not yet in a tree: for the position after the move `turn` in the
    /// node with the index `parent`.
    #[must_use]
    pub fn with_move(parent: usize, turn: Move) -> Node {
        Node {
            parent,
            turn: Some(turn),
            properties: Vec::new(),
        }
    }

    /// Returns the first value of the property `name`. Returns `None` if the node has no such property, or if the
    /// property has no value.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        let found = self.properties.iter().find(|(other, _)| other == name);
        found?.1.first().map(String::as_str)
    }

    /// Adds `values` to the property `name`, and creates the property if it is missing. A comment (`C`) always has one
    /// value: new text is appended to it after a line break.
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
    /// Parses a record in any format of [`formats::Format`]. If the text contains several games, returns the first,
    /// with a warning.
    ///
    /// # Errors
    /// If the first game has a syntax error or an illegal move.
    pub fn read(text: &str) -> Result<Record, LogError> {
        Record::first(formats::read_all(text))
    }

    /// Returns the first of `games`, the parsed games of a file. If there are others, adds a warning.
    ///
    /// # Errors
    /// The error of the first game if it could not be parsed.
    ///
    /// # Panics
    /// If `games` is empty.
    pub fn first(games: Vec<Result<Record, LogError>>) -> Result<Record, LogError> {
        let count = games.len();
        let first = games.into_iter().next();
        let mut record = first.expect("a file has a game or a fault")?;
        if count > 1 {
            record.warn(format!("the file holds {count} games: this is the first"));
        }
        Ok(record)
    }

    /// Adds `warning` to the warnings of this record for the user. Examples: an assumption of the parser, or skipped
    /// text.
    pub(super) fn warn(&mut self, warning: String) {
        self.game.warnings.push(LogError::in_text(warning));
    }

    /// Converts a checked game to a record without variations: one node for the start position, and one for each
    /// accepted move. Times, memory and debug texts are stored as SGF properties of the moves' nodes, a rejected answer
    /// as a property of the last node.
    #[must_use]
    pub fn from_game(game: CheckedGame) -> Record {
        let mut nodes = vec![Node::default()];
        let mut answers = game.answers.iter();
        for (ply, (turn, answer)) in game.turns().into_iter().zip(&mut answers).enumerate() {
            nodes.push(Node::from_answer(ply, turn, answer));
        }
        if let (Some(last), Some(answer)) = (nodes.last_mut(), answers.next()) {
            last.set_rejected_answer(answer);
        }
        Record { game, nodes }
    }

    /// Builds a record from the start position `start` and from `nodes`, whose first element stands for the start
    /// position. The nodes must be in the depth-first order of [`Record::nodes`]. All moves are checked.
    ///
    /// # Errors
    /// If a node is out of order, or if its move is illegal. The error is about the first such node. First: its index
    /// in `nodes`; second: what is wrong with it.
    pub fn from_nodes(start: Board, nodes: Vec<Node>) -> Result<Record, (usize, String)> {
        let plies_before = start.arrow_count();
        let mut game = CheckedGame::from_start(start.clone());
        let mut path = vec![(0, start)];
        for (number, node) in nodes.iter().enumerate().skip(1) {
            while path.last().is_some_and(|&(last, _)| last > node.parent) {
                path.pop();
            }
            let parent = path.last().filter(|&&(last, _)| last == node.parent);
            let (Some((_, board)), Some(turn)) = (parent, node.turn) else {
                return Err((number, "expected a move behind an earlier one".to_owned()));
            };
            let mut board = board.clone();
            let ply = board.arrow_count() - plies_before;
            let played = board.play(turn);
            played.map_err(|fault| (number, format!("ply {}, {turn}: {fault}", ply + 1)))?;
            // The nodes are in depth-first order, and the main line comes first. Therefore this node belongs to the
            // main line if all nodes before it are its ancestors: `path` contains exactly the ancestors, from node 0 to
            // the parent.
            if path.len() == number {
                game.add(node.to_answer(turn));
            }
            path.push((number, board));
        }
        let rejected = nodes[game.plies()].rejected_answer(game.judge.board());
        if let Some(answer) = rejected.filter(|_| !game.judge.is_over()) {
            game.add(answer);
        }
        Ok(Record { game, nodes })
    }

    /// Returns the result of the game in SGF's notation, such as `B+` (black has won) or `W+T` (white has won on time).
    /// This is the property `RE` if the record has one, otherwise the outcome of the moves. Returns `None` if the
    /// record has no result and the game is running.
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
        let result_by_moves = || {
            let winner = ["B", "W"][outcome.winner()? as usize];
            Some(format!("{winner}+{reason}"))
        };
        self.nodes[0]
            .text("RE")
            .map(str::to_owned)
            .or_else(result_by_moves)
    }

    /// Returns the winner according to [`Record::result`]. Returns `None` for a draw, for a result of unknown form, and
    /// if there is no result.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        match self.result()?.get(..2)? {
            "B+" => Some(Player::Black),
            "W+" => Some(Player::White),
            _ => None,
        }
    }
}
