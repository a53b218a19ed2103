//! A game as a foreign file has it, and how its colours and ranks are mapped to ours.
//!
//! Here black moves first and has the ranks 1 and 3. Elsewhere white may move first, or the ranks may be counted from the
//! other side. So whoever moves first is black here. If the file sets the pieces up, they say which way the board lies;
//! otherwise the moves do: the board is mirrored where they are legal only then. A position that is not the start position
//! is left as it is.

use super::at_line;
use crate::log::LogError;
use crate::tree::{Node, Record};
use engine::board::{Board, Move, Player, Square};

/// A game as it stands in a file, not yet checked.
pub struct Draft {
    /// The position before the first move, with whoever is to move; without one it is the start.
    pub setup: Option<Board>,
    /// Who moves first, as the file has it.
    pub first: Player,
    /// The names of the file's black and white.
    pub names: [Option<String>; 2],
    /// As in [`Record::nodes`].
    pub nodes: Vec<Node>,
    /// The line of each node in the file, from 1.
    pub lines: Vec<usize>,
    /// What was assumed so far.
    pub remarks: Vec<String>,
}

impl Default for Draft {
    fn default() -> Draft {
        Draft {
            setup: None,
            first: Player::Black,
            names: [None, None],
            nodes: vec![Node::default()],
            lines: vec![1],
            remarks: Vec::new(),
        }
    }
}

impl Draft {
    /// Adds a node after another one; `line` is that of the file. Returns the number of the node.
    pub fn push(&mut self, parent: usize, node: Node, line: usize) -> usize {
        self.nodes.push(Node { parent, ..node });
        self.lines.push(line);
        self.nodes.len() - 1
    }

    /// Sorts the nodes into the order of [`Record::nodes`], if each one stands after its parent.
    pub fn in_order(self) -> Draft {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate().skip(1) {
            children[node.parent].push(number);
        }
        let mut ordered = Draft {
            nodes: Vec::new(),
            lines: Vec::new(),
            ..self
        };
        let mut nodes = self.nodes;
        // Nodes to come, each with the new number of its parent.
        let mut open = vec![(0, 0)];
        while let Some((number, parent)) = open.pop() {
            let new = ordered.nodes.len();
            open.extend(children[number].iter().rev().map(|&child| (child, new)));
            ordered.nodes.push(Node {
                parent,
                ..std::mem::take(&mut nodes[number])
            });
            ordered.lines.push(self.lines[number]);
        }
        ordered
    }

    /// The checked record, with a remark on what was assumed.
    ///
    /// # Errors
    /// At the first illegal move, as the mapping under which most moves are legal has it.
    pub fn record(self) -> Result<Record, LogError> {
        let swap = self.first == Player::White;
        let ways = [false, true].map(|mirror| Mapping { swap, mirror });
        let leads_to_start = |way: &Mapping| {
            let setup = self.setup.as_ref();
            setup.is_none_or(|board| way.board(board) == Board::start())
        };
        let mut ways: Vec<Mapping> = ways.into_iter().filter(leads_to_start).collect();
        if ways.is_empty() {
            ways.push(Mapping::default());
        }
        let mut failed = (0, String::new());
        for way in ways {
            match self.mapped(way) {
                Ok(record) => return Ok(record),
                Err(fault) if fault.0 > failed.0 => failed = fault,
                Err(_) => {}
            }
        }
        Err(at_line(self.lines[failed.0], &failed.1))
    }

    /// The record under a mapping; or the first node that makes no sense, and why.
    fn mapped(&self, way: Mapping) -> Result<Record, (usize, String)> {
        let start = self
            .setup
            .as_ref()
            .map_or_else(Board::start, |board| way.board(board));
        let nodes = self.nodes.iter().map(|node| way.node(node)).collect();
        let mut record = Record::of_nodes(start, nodes)?;
        record.game.names = self.names.clone();
        if way.swap {
            record.game.names.reverse();
        }
        let remarks = self.remarks.iter().cloned();
        let remarks = remarks.chain(way.remarks().map(str::to_owned));
        remarks.for_each(|remark| record.remark(remark));
        Ok(record)
    }
}

/// Properties of SGF that name squares.
const POINTS: [&str; 12] = [
    "AR", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TB", "TR", "TW", "VW",
];

/// Properties of SGF that are one player's, and the other's.
const COLOURS: [[&str; 2]; 6] = [
    ["BR", "WR"],
    ["BT", "WT"],
    ["BL", "WL"],
    ["OB", "OW"],
    ["GB", "GW"],
    ["TB", "TW"],
];

/// A value that names one square or two, such as `aa`, `aa:bb` or the label `aa:text`, with the ranks counted from the other side.
fn mirrored(value: &str) -> String {
    let flip = |part: &str| match *part.as_bytes() {
        [x @ b'a'..=b'h', y @ b'a'..=b'h'] => [x, b'a' + b'h' - y].map(char::from).iter().collect(),
        _ => part.to_owned(),
    };
    let parts: Vec<String> = value.splitn(2, ':').map(flip).collect();
    parts.join(":")
}

/// From a file's colours and ranks to ours.
#[derive(Clone, Copy, Debug, Default)]
struct Mapping {
    /// White is black here.
    swap: bool,
    /// Rank 8 is rank 1 here.
    mirror: bool,
}

impl Mapping {
    fn board(self, board: &Board) -> Board {
        let mirrored = |set: u64| if self.mirror { set.swap_bytes() } else { set };
        let mut players = [Player::Black, Player::White];
        let mut to_move = board.to_move();
        if self.swap {
            players.reverse();
            to_move = !to_move;
        }
        let [black, white] = players.map(|player| mirrored(board.amazons(player)));
        let board = Board::from_sets(black, white, mirrored(board.arrows()), to_move);
        board.expect("it was a position before")
    }

    fn square(self, square: Square) -> Square {
        let flip = if self.mirror { 0b11_1000 } else { 0 };
        Square::wrapping(square.index() as u32 ^ flip)
    }

    fn node(self, node: &Node) -> Node {
        let turn = |turn: Move| Move {
            from: self.square(turn.from),
            to: self.square(turn.to),
            arrow: self.square(turn.arrow),
        };
        let properties = node.properties.iter();
        Node {
            parent: node.parent,
            turn: node.turn.map(turn),
            properties: properties.map(|property| self.property(property)).collect(),
        }
    }

    fn property(self, (name, values): &(String, Vec<String>)) -> (String, Vec<String>) {
        let mut values = values.clone();
        if self.mirror && POINTS.contains(&name.as_str()) {
            values.iter_mut().for_each(|value| *value = mirrored(value));
        }
        if !self.swap {
            return (name.clone(), values);
        }
        if let ("RE", Some(result)) = (name.as_str(), values.first_mut()) {
            *result = match result.split_once('+') {
                Some(("B", by)) => format!("W+{by}"),
                Some(("W", by)) => format!("B+{by}"),
                _ => result.clone(),
            };
        }
        let other = COLOURS.iter().find_map(|[black, white]| match name {
            name if name == black => Some(*white),
            name if name == white => Some(*black),
            _ => None,
        });
        (other.unwrap_or(name).to_owned(), values)
    }

    fn remarks(self) -> impl Iterator<Item = &'static str> {
        let swap = (self.swap, "white moves first there, and is black here");
        let mirror = "the board is mirrored: rank 8 there is rank 1 here";
        let all = [swap, (self.mirror, mirror)].into_iter();
        all.filter_map(|(is_so, remark)| is_so.then_some(remark))
    }
}
