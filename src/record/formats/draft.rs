//! [`Draft`]: a game parsed from another program's file, before its colours and ranks are converted to this program's.
//!
//! In this program black moves first, and black's amazons begin on ranks 1 and 3. In other files white may move first,
//! or the ranks may be mirrored: rank 8 there is rank 1 here. The conversion has these rules:
//! - The player who moves first becomes black.
//! - If the file sets up the start position, its pieces show whether the ranks are mirrored.
//! - If the file sets up no position, the ranks are mirrored only if its moves are illegal otherwise.
//! - A file that sets up another position is not converted.

use super::at_line;
use crate::log::LogError;
use crate::tree::{Node, Record};
use engine::board::{Board, Move, Player, Square};

/// A game as parsed from another program's file, before `Draft::into_record`. Its moves are not checked yet. Its
/// colours and ranks are still those of the file, in which white may move first, or ranks may count from the other
/// side.
pub struct Draft {
    /// Position before the first move, with its side to move, as the file sets it up. `None` if the file sets up no
    /// position; the game then begins at the standard start position.
    pub setup: Option<Board>,
    /// Player who moves first according to the file. If this is white, `Draft::into_record` swaps black and white,
    /// because in this program black moves first.
    pub first: Player,
    /// Names of the black and the white player, in this order; `None` if unknown. Black is the player whom the file
    /// calls black, even if white moves first.
    pub names: [Option<String>; 2],
    /// Nodes of the game tree, each parent before its children. Node 0 is the position before all moves.
    pub nodes: Vec<Node>,
    /// For each element of `nodes`, at the same index: number of the line in the file, counted from 1, that contains
    /// the node's move.
    pub lines: Vec<usize>,
    /// Warnings for the user, for example about assumptions of the parser, or about parts of the file that were
    /// skipped.
    pub warnings: Vec<String>,
}

impl Default for Draft {
    fn default() -> Draft {
        Draft {
            setup: None,
            first: Player::Black,
            names: [None, None],
            nodes: vec![Node::default()],
            lines: vec![1],
            warnings: Vec::new(),
        }
    }
}

impl Draft {
    /// Appends `node` to this game, as a child of the node with index `parent`, and returns the index of the appended
    /// node. `line` is the number of the line in the file, counted from 1, that contains the node's move.
    pub fn push(&mut self, parent: usize, node: Node, line: usize) -> usize {
        self.nodes.push(Node { parent, ..node });
        self.lines.push(line);
        self.nodes.len() - 1
    }

    /// Returns the same game with its nodes in depth-first order, as [`Record::nodes`] requires. Each parent must
    /// already precede its children.
    pub fn sorted_depth_first(self) -> Draft {
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
        // Stack of nodes to visit: index of the node in the old order, and index of its parent in the new order.
        let mut to_visit = vec![(0, 0)];
        while let Some((number, parent)) = to_visit.pop() {
            let new = ordered.nodes.len();
            to_visit.extend(children[number].iter().rev().map(|&child| (child, new)));
            ordered.nodes.push(Node {
                parent,
                ..std::mem::take(&mut nodes[number])
            });
            ordered.lines.push(self.lines[number]);
        }
        ordered
    }

    /// Converts the parsed game to a record: checks all moves, and adds warnings about assumptions. In some files the
    /// ranks are counted from the other side of the board. If the file does not show from which side, the moves are
    /// first tried with the ranks as written, and then with mirrored ranks.
    ///
    /// # Errors
    /// If a move is illegal both with the ranks as written and with mirrored ranks. The error is that of the attempt
    /// that reached the later move.
    pub fn into_record(self) -> Result<Record, LogError> {
        let swap = self.first == Player::White;
        let mappings = [false, true].map(|mirror| Mapping { swap, mirror });
        let leads_to_start = |mapping: &Mapping| {
            let setup = self.setup.as_ref();
            setup.is_none_or(|board| mapping.board(board) == Board::start())
        };
        let mut mappings: Vec<Mapping> = mappings.into_iter().filter(leads_to_start).collect();
        if mappings.is_empty() {
            mappings.push(Mapping::default());
        }
        let mut furthest = (0, String::new());
        for mapping in mappings {
            match self.apply_mapping(mapping) {
                Ok(record) => return Ok(record),
                Err(fault) if fault.0 > furthest.0 => furthest = fault,
                Err(_) => {}
            }
        }
        Err(at_line(self.lines[furthest.0], &furthest.1))
    }

    /// Converts the parsed game to a record, and checks all moves. As `mapping` says, swaps black and white, mirrors
    /// the ranks (rank 8 becomes rank 1), does both or neither.
    ///
    /// # Errors
    /// If a move is illegal. First: index of the move's node in `nodes`; second: the rule that the move breaks.
    fn apply_mapping(&self, mapping: Mapping) -> Result<Record, (usize, String)> {
        let setup = self.setup.as_ref();
        let start = setup.map_or_else(Board::start, |board| mapping.board(board));
        let nodes = self.nodes.iter().map(|node| mapping.node(node)).collect();
        let mut record = Record::from_nodes(start, nodes)?;
        record.game.names = self.names.clone();
        if mapping.swap {
            record.game.names.reverse();
        }
        let warnings = self.warnings.iter().cloned();
        let warnings = warnings.chain(mapping.warnings().map(str::to_owned));
        warnings.for_each(|remark| record.warn(remark));
        Ok(record)
    }
}

/// SGF properties whose values are squares. If the board is mirrored, these values are mirrored, too.
const SQUARE_PROPERTIES: [&str; 12] = [
    "AR", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TB", "TR", "TW", "VW",
];

/// Pairs of SGF properties, about black and about white, such as the players' strengths (`BR` and `WR`). If the
/// conversion of a file swaps the colours, each pair's values are swapped.
const COLOUR_PROPERTIES: [[&str; 2]; 6] = [
    ["BR", "WR"],
    ["BT", "WT"],
    ["BL", "WL"],
    ["OB", "OW"],
    ["GB", "GW"],
    ["TB", "TW"],
];

/// Mirrors the ranks of the squares in an SGF property value: `aa`, `aa:bb` or a label `aa:text`. The rank is the
/// second letter of a square.
fn mirror_ranks(value: &str) -> String {
    let flip = |part: &str| match *part.as_bytes() {
        [x @ b'a'..=b'h', y @ b'a'..=b'h'] => [x, b'a' + b'h' - y].map(char::from).iter().collect(),
        _ => part.to_owned(),
    };
    let parts: Vec<String> = value.splitn(2, ':').map(flip).collect();
    parts.join(":")
}

/// Conversion of a game from another program's file to this program's colours and ranks. Here black moves first, and
/// black's amazons begin on ranks 1 and 3. The conversion swaps black and white, mirrors the ranks (rank 8 becomes rank
/// 1), does both or neither.
#[derive(Clone, Copy, Debug, Default)]
struct Mapping {
    /// True if black and white must be swapped, because white moves first in the file.
    swap: bool,
    /// True if the board must be mirrored: the file's rank 8 becomes rank 1, its rank 7 becomes rank 2, and so on.
    mirror: bool,
}

impl Mapping {
    fn board(self, board: &Board) -> Board {
        let mirror_ranks = |set: u64| if self.mirror { set.swap_bytes() } else { set };
        let mut players = [Player::Black, Player::White];
        let mut to_move = board.to_move();
        if self.swap {
            players.reverse();
            to_move = !to_move;
        }
        let [black, white] = players.map(|player| mirror_ranks(board.amazons(player)));
        let board = Board::from_bitboards(black, white, mirror_ranks(board.arrows()), to_move);
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
        if self.mirror && SQUARE_PROPERTIES.contains(&name.as_str()) {
            values = values.iter().map(|value| mirror_ranks(value)).collect();
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
        let pairs = COLOUR_PROPERTIES.iter();
        let mut pairs = pairs.flat_map(|&[black, white]| [(black, white), (white, black)]);
        let other = pairs.find(|(one, _)| one == name);
        let name = other.map_or(name.as_str(), |(_, other)| other);
        (name.to_owned(), values)
    }

    fn warnings(self) -> impl Iterator<Item = &'static str> {
        let swap = (self.swap, "white moves first there, and is black here");
        let mirror = "the board is mirrored: rank 8 there is rank 1 here";
        let all = [swap, (self.mirror, mirror)].into_iter();
        all.filter_map(|(applies, remark)| applies.then_some(remark))
    }
}
