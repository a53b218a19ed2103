//! Reads and writes SGF, the Smart Game Format (`FF[4]`), for Amazons (`GM[18]`):
//! <https://www.red-bean.com/sgf/amazons.html>.
//!
//! - Square: two letters, the first for the file from the left, the second for the rank from the top. a1 is `ah`.
//! - Move: three squares, or any notation of [`moves`], such as `D1-D7-G7`. Some programs write only the amazon's two
//!   squares as the move, and the arrow's square as `AE` or `AA` in the same node or the next.
//! - Empty move: a player who can't move or resigns.

mod syntax;

use super::draft::Draft;
use super::{TEN_BY_TEN, at_line, moves};
use crate::log::LogError;
use crate::tree::{Node, Record};
use engine::board::{Board, Move, Player, SIDE, Square, squares};
use engine::console::quoted;
use syntax::put_property;

/// SGF properties that describe the file and not the game, such as its character set. They are not copied when a file
/// is read; [`write()`] writes its own values.
const FILE_PROPERTIES: [&str; 5] = ["FF", "CA", "AP", "GM", "SZ"];

/// SGF properties that set up, in this order, black amazons, white amazons, arrows and empty squares.
const SETUP_PROPERTIES: [&str; 4] = ["AB", "AW", "AA", "AE"];

/// SGF properties that may contain the arrow's square of a move, if the move itself contains only the amazon's two
/// squares. Some programs write moves in this way.
const ARROW_PROPERTIES: [&str; 2] = ["AA", "AE"];

/// Values of a move property (in lower case) that mean that the player can't move or resigns.
const PASS_VALUES: [&str; 4] = ["", "tt", "pass", "resign"];

/// SGF properties for a move. First: name of the property. Second: player who makes the move.
const MOVE_PROPERTIES: [(&str, Player); 2] = [("B", Player::Black), ("W", Player::White)];

/// Parses one SGF game.
///
/// # Errors
/// - The text is not SGF.
/// - The game is not Amazons, or its board is not 8x8.
/// - A node has an invalid move or property; the error contains its line number.
pub fn read(text: &str) -> Result<Draft, LogError> {
    let (mut nodes, lines) = syntax::read_game(text)?;
    join_arrows(&mut nodes);
    let mut converter = Converter {
        draft_nodes: vec![0],
        movers: vec![None],
        empty_move_lines: vec![None],
        ..Converter::default()
    };
    for (node, &line) in nodes.iter().zip(&lines).skip(1) {
        let processed = converter.process_node(node, line);
        processed.map_err(|fault| at_line(line, &fault))?;
    }
    converter.finish()
}

/// Returns the value of the property `CA`, the character set that an SGF game declares. Returns an empty string if it
/// declares none, and `None` if the game has a syntax error.
pub fn charset(text: &str) -> Option<String> {
    let (nodes, _) = syntax::read_game(text).ok()?;
    Some(nodes[1].text("CA").unwrap_or_default().to_owned())
}

/// Completes moves that contain only the amazon's two squares, as some programs write them. Takes the arrow's square
/// from the property `AA` (add arrow) or `AE` (add empty) of the same node or of its children. The node itself is tried
/// first, then its children in order; the first one with an arrow's square completes the move. Each further child with
/// an arrow's square becomes a variation: the same amazon's move with the arrow of this child. Children without an
/// arrow's square stay as they are.
fn join_arrows(nodes: &mut [Node]) {
    let half = |node: &Node| {
        let (name, text) = MOVE_PROPERTIES
            .iter()
            .find_map(|(name, _)| Some((*name, node.text(name)?)))?;
        moves::has_two_squares(text).then(|| (name.to_owned(), text.to_owned()))
    };
    let mut halves: Vec<_> = nodes.iter().map(half).collect();
    let mut is_joined = vec![false; nodes.len()];
    for at in 0..nodes.len() {
        let parent = nodes[at].parent;
        let move_node = halves[parent].as_ref().map_or(at, |_| parent);
        let (Some((name, half)), Some(arrow)) = (&halves[move_node], arrow(&nodes[at])) else {
            continue;
        };
        let whole = (name.clone(), vec![format!("{half} {arrow}")]);
        let properties = &mut nodes[at].properties;
        properties.retain(|(name, _)| !ARROW_PROPERTIES.contains(&name.as_str()));
        let mut target = move_node;
        if std::mem::replace(&mut is_joined[move_node], true) {
            (target, nodes[at].parent) = (at, nodes[move_node].parent);
        }
        let properties = &mut nodes[target].properties;
        properties.retain(|(name, _)| *name != whole.0);
        properties.insert(0, whole);
        if move_node == at {
            halves[at] = None;
        }
    }
}

/// Returns the arrow's square that a node contains in `AA` or `AE` ([`ARROW_PROPERTIES`]) instead of in its move.
/// Returns `None` unless the node has exactly one of these properties, with exactly one value.
fn arrow(node: &Node) -> Option<String> {
    let properties = node.properties.iter();
    let found = properties.filter(|(name, _)| ARROW_PROPERTIES.contains(&name.as_str()));
    match found.collect::<Vec<_>>()[..] {
        [(_, values)] if values.len() == 1 => values.first().cloned(),
        _ => None,
    }
}

/// Converts the nodes of an SGF file, one after another, to a [`Draft`], which is a game whose moves are not checked
/// yet.
#[derive(Default)]
struct Converter {
    draft: Draft,
    /// For each node of the file: index of the corresponding node in `draft.nodes`. A node of the file without a move
    /// has no node of its own there; it has the index of its parent. Element 0 stands for the position before all
    /// moves.
    draft_nodes: Vec<usize>,
    /// For each element of `draft.nodes`: player who made the move of this node. `None` for node 0, the position before
    /// all moves.
    movers: Vec<Option<Player>>,
    /// Pieces that the file sets up, as bitboards: black amazons, white amazons and arrows, in this order. Bit *n* is
    /// the square with index *n*. `None` if the file sets up nothing.
    setup: Option<[u64; 3]>,
    /// Player who moves first: as stated by the SGF property `PL`, or the player of the first move. `None` as long as
    /// neither has been read.
    first: Option<Player>,
    has_size: bool,
    /// For each node of the file: number of the line with the empty move at this node or at one of its ancestors.
    /// `None` if there is no such move. An empty move means that a player can't move, or resigns; no move may follow
    /// it.
    empty_move_lines: Vec<Option<usize>>,
    /// True if the node read last is outside the main line. This is the case once a node has been read that is not a
    /// child of the node directly before it in the file.
    has_branched: bool,
    /// Player whose empty move (can't move, or resigns) ends the main line. This player has lost the game. `None` if
    /// the main line does not end with an empty move.
    loser: Option<Player>,
}

impl Converter {
    /// Processes `node`, the next node of the file, which is in line `line` (counted from 1). The first node may
    /// contain properties of the whole game as well as a move.
    ///
    /// # Errors
    /// If the node has an invalid property or move, or if the other player is to move.
    fn process_node(&mut self, node: &Node, line: usize) -> Result<(), String> {
        let before = self.draft_nodes[node.parent];
        self.has_branched |= node.parent != self.draft_nodes.len() - 1;
        let is_first = self.draft_nodes.len() == 1;
        if is_first {
            self.draft.lines[0] = line;
            self.process_game_properties(node)?;
        }
        let mut moves = MOVE_PROPERTIES
            .into_iter()
            .filter_map(|(name, player)| Some((player, node.text(name)?)));
        let mut ended = self.empty_move_lines[node.parent];
        let at = match (moves.next(), moves.next()) {
            (None, _) => before,
            (Some((player, text)), None)
                if PASS_VALUES.contains(&text.trim().to_lowercase().as_str()) =>
            {
                if ended.is_none() {
                    self.process_empty_move(before, player)?;
                    ended = Some(line);
                }
                before
            }
            (Some(_), None) if let Some(line) = ended => {
                return Err(format!(
                    "a move after the empty one of line {line}: nobody may pass"
                ));
            }
            (Some((player, text)), None) => {
                let turn = parse_move(text)?;
                self.check_mover(before, player)?;
                self.movers.push(Some(player));
                self.draft.push(before, turn, line)
            }
            _ => return Err("both players move, expected one move a node".to_owned()),
        };
        self.empty_move_lines.push(ended);
        if !is_first {
            self.copy_properties(at, node)?;
        }
        self.draft_nodes.push(at);
        Ok(())
    }

    /// Processes the properties of the whole game, such as its board size, which are in `node`, the first node of the
    /// file.
    ///
    /// # Errors
    /// If the properties name another game than Amazons, or a board other than 8x8.
    fn process_game_properties(&mut self, node: &Node) -> Result<(), String> {
        if let Some(game) = node.text("GM")
            && game.trim() != "18"
            && !game.trim().eq_ignore_ascii_case("amazons")
        {
            let game = quoted(game);
            return Err(format!("GM[{game}] is another game, expected GM[18]"));
        }
        match node.text("SZ").map(str::trim) {
            Some("8" | "8:8") => self.has_size = true,
            Some("10" | "10:10") => return Err(TEN_BY_TEN.to_owned()),
            Some(size) => return Err(format!("SZ[{}], expected SZ[8]", quoted(size))),
            None => {}
        }
        self.copy_properties(0, node)
    }

    /// Checks that `player` may make the next move after a node of `draft`; `before` is the index of this node.
    ///
    /// # Errors
    /// If the other player is to move.
    fn check_mover(&mut self, before: usize, player: Player) -> Result<(), String> {
        let due = match self.movers[before] {
            Some(last) => !last,
            None => *self.first.get_or_insert(player),
        };
        if player != due {
            return Err(format!("a move of {player}, expected one of {due}"));
        }
        Ok(())
    }

    /// Processes an empty move: `player` can't move, or resigns. This ends the main line or the current variation after
    /// the node with index `before` in `draft`, and is reported in a warning.
    ///
    /// # Errors
    /// If the other player is to move.
    fn process_empty_move(&mut self, before: usize, player: Player) -> Result<(), String> {
        self.check_mover(before, player)?;
        let place = ["the game", "the variation"][usize::from(self.has_branched)];
        let remark = format!("an empty move of {player} ends {place}");
        self.draft.warnings.push(remark);
        if !self.has_branched {
            self.loser = Some(player);
        }
        Ok(())
    }

    /// Copies the properties of `node`, a node of the SGF file, to the node with index `index` in `draft.nodes`. Skips
    /// moves and properties of the file itself, such as its character set. Stores the start position in `self.setup`
    /// and `self.first` instead, and the players' names in `draft.names`.
    ///
    /// # Errors
    /// If a property sets up pieces after the first move.
    fn copy_properties(&mut self, index: usize, node: &Node) -> Result<(), String> {
        for (name, values) in &node.properties {
            match name.as_str() {
                "B" | "W" => {}
                name if FILE_PROPERTIES.contains(&name) => {}
                name if SETUP_PROPERTIES.contains(&name) || name == "PL" => {
                    if index != 0 || self.draft.nodes.len() > 1 {
                        return Err(format!("{name} behind a move, expected moves alone"));
                    }
                    self.process_setup(name, values)?;
                }
                "PB" | "PW" => {
                    let name = &mut self.draft.names[usize::from(name == "PW")];
                    *name = values.first().filter(|text| !text.is_empty()).cloned();
                }
                name => self.draft.nodes[index].add(name, values.clone()),
            }
        }
        Ok(())
    }

    /// Processes a property of the start position: one that sets up pieces, or `PL`, the side to move. `values` are its
    /// values.
    ///
    /// # Errors
    /// If a value is neither a square nor a rectangle, or if the value of `PL` is not a player.
    fn process_setup(&mut self, name: &str, values: &[String]) -> Result<(), String> {
        if name == "PL" {
            let value = values.first().map(|value| value.trim().to_uppercase());
            self.first = match value.as_deref() {
                Some("B" | "BLACK" | "1") => Some(Player::Black),
                Some("W" | "WHITE" | "2") => Some(Player::White),
                _ => return Err("PL: expected B or W".to_owned()),
            };
            return Ok(());
        }
        let sets = self.setup.get_or_insert_default();
        for value in values {
            let set = parse_rectangle(value)?;
            for (other, existing) in SETUP_PROPERTIES.iter().zip(sets.iter_mut()) {
                let added = if *other == name { set } else { 0 };
                *existing = *existing & !set | added;
            }
        }
        Ok(())
    }

    /// Completes the conversion after the last node of the file, and returns the game.
    ///
    /// # Errors
    /// If the file sets up an invalid position, such as one without four amazons of each player.
    fn finish(mut self) -> Result<Draft, LogError> {
        let first = self.first.unwrap_or(Player::Black);
        self.draft.first = first;
        if let Some([black, white, arrows]) = self.setup {
            let board = Board::from_bitboards(black, white, arrows, first);
            let board = board.map_err(|error| at_line(self.draft.lines[0], &error))?;
            self.draft.setup = Some(board);
        }
        if let (Some(loser), None) = (self.loser, self.draft.nodes[0].text("RE")) {
            let winner = ["B+", "W+"][!loser as usize];
            self.draft.nodes[0].add("RE", vec![winner.to_owned()]);
        }
        if !self.has_size {
            let remark = "no size is given (SZ): eight by eight squares are assumed";
            self.draft.warnings.push(remark.to_owned());
        }
        Ok(self.draft)
    }
}

/// Parses a square: two letters as in SGF (`ch`), or a letter and a number (`c1`).
///
/// # Errors
/// If `text` is no square of an 8x8 board.
fn parse_square(text: &str) -> Result<Square, String> {
    let square = moves::parse_square(text)?;
    let text = quoted(text);
    square.ok_or_else(|| format!("\"{text}\" is not a square, expected two letters from a to h"))
}

/// Returns a square as the two letters of SGF: file from the left, rank from the top, so that a1 is `ah`.
fn square_letters(square: Square) -> String {
    let [x, y] = [square.x(), SIDE as u8 - 1 - square.y()];
    [x, y].map(|at| char::from(b'a' + at)).iter().collect()
}

/// Parses a square such as `aa`, or a rectangle given by two opposite corners such as `aa:cc`. Returns its squares as a
/// bitboard (bit *n* is the square with index *n*).
///
/// # Errors
/// If a corner is no square of an 8x8 board.
fn parse_rectangle(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let (one, other) = text.split_once(':').unwrap_or((text, text));
    let [one, other] = [parse_square(one)?, parse_square(other)?];
    let within = |at: u8, one: u8, other: u8| (one.min(other)..=one.max(other)).contains(&at);
    let inside = Square::all().filter(|square| {
        within(square.x(), one.x(), other.x()) && within(square.y(), one.y(), other.y())
    });
    Ok(inside.fold(0, |set, square| set | square.bit()))
}

/// Parses the value of a move property into a node. Some programs append numbers after a slash, as in
/// `D1-D7-G7/11.50/5.04`; they become a comment.
///
/// # Errors
/// If the value does not contain exactly one move.
fn parse_move(text: &str) -> Result<Node, String> {
    let text = text.trim();
    if text.contains(|c: char| c.is_ascii_digit()) {
        let (head, tail) = text.split_once('/').unwrap_or((text, ""));
        let Ok(mut turn) = moves::read_one(head) else {
            return moves::read_one(text);
        };
        if !tail.is_empty() {
            turn.add("C", vec![tail.to_owned()]);
        }
        return Ok(turn);
    }
    let text: String = text.split_whitespace().collect();
    if text.len() != 6 || !text.is_ascii() {
        let text = quoted(&text);
        return Err(format!("\"{text}\" is no move, expected three squares"));
    }
    moves::read_one(&text)
}

/// Converts a record, with its variations and annotations, to the text of an SGF file.
pub fn write(record: &Record) -> String {
    let mut text = format!(
        "(;FF[4]GM[18]CA[UTF-8]AP[amazons:{}]SZ[8]",
        env!("CARGO_PKG_VERSION")
    );
    write_game_properties(&mut text, record);
    let first = record.game.start().to_move();
    // `children` is the number of children of each node; `depths` is the number of moves from the start position to
    // each node.
    let mut children = vec![0; record.nodes.len()];
    let others = record.nodes.iter().skip(1);
    others.for_each(|node| children[node.parent] += 1);
    let mut depths = vec![0; record.nodes.len()];
    let mut open: Vec<usize> = Vec::new();
    for (number, node) in record.nodes.iter().enumerate().skip(1) {
        while open.last().is_some_and(|&branch| branch > node.parent) {
            text.push(')');
            open.pop();
        }
        if children[node.parent] > 1 {
            text += "\n(";
            open.push(number);
        }
        depths[number] = depths[node.parent] + 1;
        let mover = [!first, first][depths[number] % 2];
        let squares = |Move { from, to, arrow }| [from, to, arrow].map(square_letters).concat();
        let turn = node.turn.map_or(String::new(), squares);
        text += "\n;";
        put_property(&mut text, MOVE_PROPERTIES[mover as usize].0, &[turn]);
        write_properties(&mut text, node);
    }
    text.extend(open.iter().map(|_| ')'));
    text + ")\n"
}

/// Appends the properties of the whole game to `text`: the names, the result, and the start position if it is not the
/// standard one.
fn write_game_properties(text: &mut String, record: &Record) {
    let start = record.game.start();
    let [black, white] = [Player::Black, Player::White].map(|player| start.amazons(player));
    let sets = [black, white, start.arrows()];
    let setup = SETUP_PROPERTIES.iter().zip(sets);
    for (name, set) in setup.filter(|(_, set)| *set != 0) {
        let values: Vec<String> = squares(set).map(square_letters).collect();
        put_property(text, name, &values);
    }
    if start.to_move() == Player::White {
        put_property(text, "PL", &["W".to_owned()]);
    }
    for (name, value) in ["PB", "PW"].iter().zip(&record.game.names) {
        if let Some(value) = value {
            put_property(text, name, std::slice::from_ref(value));
        }
    }
    if let (None, Some(result)) = (record.nodes[0].text("RE"), record.result()) {
        put_property(text, "RE", &[result]);
    }
    write_properties(text, &record.nodes[0]);
}

/// Appends all properties of `node` to `text`, except its move.
fn write_properties(text: &mut String, node: &Node) {
    for (name, values) in &node.properties {
        put_property(text, name, values);
    }
}
