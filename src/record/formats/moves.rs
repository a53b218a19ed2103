//! Reads and writes moves as text ([`read`], [`write()`]). A move may be written in any of these notations:
//! - `c1 c6 f6`, `c1c6f6`, `c1-c6(f6)`, `c1-c6/f6` or `1.c1–c6,f6;`
//! - `c1c6,c6f6`, as in Fairy-Stockfish
//! - `chccfc`, as in SGF
//! - six coordinates, as in Botzone
//!
//! Moves may be numbered. A line may contain several moves, but a move must end on the line on which it begins.
//! Elements of chess's PGN are allowed around the moves: tags, comments in braces, variations in brackets, annotation
//! symbols such as `!?`, and a result. A bracket after two squares of a move contains the arrow's square; any other
//! bracket contains a variation.

mod json;
mod tags;
mod tokens;

use super::draft::Draft;
use super::{TEN_BY_TEN, at_line};
use crate::log::LogError;
use crate::tree::Node;
use engine::board::{Move, Square};
use engine::console::quoted;
use tags::Tags;
use tokens::{Kind, Token, Tokens};

/// Words of the UCI protocol (for chess programs) that may precede the moves in a text; they are skipped.
const UCI_WORDS: [&str; 3] = ["position", "startpos", "moves"];

/// Annotation symbols of moves. First: the symbol, such as `!` (a good move). Second: the numeric code that PGN uses
/// for the same symbol, such as `$1`. Third and fourth: name and value of the SGF property in which the symbol is
/// stored.
const SIGNS: [(&str, &str, &str, &str); 6] = [
    ("!", "$1", "TE", "1"),
    ("?", "$2", "BM", "1"),
    ("!!", "$3", "TE", "2"),
    ("??", "$4", "BM", "2"),
    ("!?", "$5", "IT", ""),
    ("?!", "$6", "DO", ""),
];

/// Tests if `text` looks like a list of moves: it is a JSON list, or begins with a square, six coordinates or a PGN
/// tag. Skips move numbers, comments, separators and brackets before these.
pub fn is_moves(text: &str) -> bool {
    if json::is_list(text) {
        return true;
    }
    let (mut numbers, mut is_numbered) = (0, false);
    for token in Tokens::new(text) {
        match token.kind {
            Kind::Tag(..) => return true,
            Kind::Word if token.text == "startpos" => return true,
            Kind::Word if UCI_WORDS.contains(&token.text) => {}
            Kind::Word => {
                let has_digit = token.text[1..].starts_with(|c: char| c.is_ascii_digit());
                let may_be_letters = is_numbered || token.text.len() == 6;
                return has_digit || may_be_letters && is_squares(token.text);
            }
            Kind::Number if numbers == 5 => return true,
            Kind::Number => numbers += 1,
            Kind::MoveNumber => is_numbered = true,
            Kind::Comment(_) | Kind::Separator | Kind::Break | Kind::Open | Kind::Close => {}
            _ => return false,
        }
    }
    false
}

/// Iterates over the byte offsets at which the games of `text` begin, except the first game. A new game begins at any
/// of these:
/// - a PGN tag after moves
/// - the move number `1.` after other moves
/// - any move after a result
///
/// After a syntax error only a tag begins a new game.
pub fn game_starts(text: &str) -> impl Iterator<Item = usize> {
    let mut tokens = Tokens::new(text).peekable();
    if json::is_list(text) {
        tokens = Tokens::new("").peekable();
    }
    std::iter::from_fn(move || {
        let mut game = MoveParser::new(text, Draft::default());
        let mut no_error = true;
        while let Some(token) = tokens.next_if(|token| !game.begins_next_game(token, no_error)) {
            no_error &= game.process(&token, 0).is_ok();
        }
        tokens.peek().map(|token| token.offset)
    })
}

/// Parses one game from a text of moves or a JSON list of moves.
///
/// # Errors
/// At the first unexpected part of the text: its line number, and what was expected.
pub fn read(text: &str) -> Result<Draft, LogError> {
    if json::is_list(text) {
        return json::read(text);
    }
    read_from(Draft::default(), text, 1)
}

/// Parses the moves in `text`, and returns the game `start` with these moves appended. `start` must have no moves yet,
/// but may begin at any position. `first_line` is the number of the line in the file (from 1) at which `text` begins.
///
/// # Errors
/// At the first unexpected part of the text: its line number, and what was expected.
pub fn read_from(start: Draft, text: &str, first_line: usize) -> Result<Draft, LogError> {
    let mut game = MoveParser::new(text, start);
    let mut line = first_line;
    for token in Tokens::new(text) {
        line = first_line + token.line;
        let text = quoted(token.text);
        let processed = match game.begins_next_game(&token, true) {
            true => Err(format!("\"{text}\", expected the end of the game")),
            false => game.process(&token, line),
        };
        processed.map_err(|fault| at_line(line, &fault))?;
    }
    game.finish()
        .map_err(|(begin, fault)| at_line(begin.unwrap_or(line), &fault))
}

/// Parses a text that contains exactly one move, with its annotation symbols and comments, into a node.
///
/// # Errors
/// At the first unexpected part of the text, or if there is not exactly one move.
pub fn read_one(text: &str) -> Result<Node, String> {
    let mut game = MoveParser::new(text, Draft::default());
    for token in Tokens::new(text) {
        game.process(&token, 1)?;
    }
    game.end_move(1)?;
    let is_bare = game.variations.is_empty() && game.tags.results.is_empty();
    match <[Node; 2]>::try_from(game.draft.nodes) {
        Ok([start, turn]) if is_bare && start.properties.is_empty() => Ok(turn),
        _ => Err("expected three squares a move".to_owned()),
    }
}

/// Parser of one game in a text of moves. It stores the game parsed so far, and the parts already read of a move that
/// is not complete yet.
#[derive(Default)]
struct MoveParser<'a> {
    text: &'a str,
    draft: Draft,
    tags: Tags,
    /// Index, in `draft.nodes`, of the last move read: in the innermost unclosed variation if there is one, otherwise
    /// in the main line. The next move becomes a child of this node.
    last_node: usize,
    /// True once a result such as `1-0` has been read outside of variations: the main line of this game has then ended.
    is_over: bool,
    /// Variations whose closing bracket has not been read yet, the innermost last. First: index, in `draft.nodes`, of
    /// the move to which the variation is an alternative. Second: number of the line that contains the variation's
    /// opening bracket.
    variations: Vec<(usize, usize)>,
    /// True if the current line of moves already contains a move. The current line is the innermost open variation
    /// (without a closing bracket so far); if no variation is open, it is the main line.
    has_move: bool,
    /// Comments at the beginning of a variation, before its first move. They are added to this move as soon as it has
    /// been read.
    pending_comments: Vec<String>,
    /// Squares already read of a move that is not complete yet: first the amazon's start square, then the square to
    /// which it moves. Empty between two moves.
    squares: Vec<Square>,
    span: (usize, usize),
    /// True if the opening bracket before an arrow's square, as in `c1-c6(f6)`, has been read, but not yet its closing
    /// bracket.
    in_bracket: bool,
    /// Numbers read so far in an unfinished sequence of numbers: optionally one move number, then six coordinates for
    /// each move. At the end of the sequence, a count of 6n + 1 means that the first is a move number.
    numbers: Vec<&'a str>,
}

impl<'a> MoveParser<'a> {
    fn new(text: &'a str, draft: Draft) -> MoveParser<'a> {
        MoveParser {
            text,
            draft,
            ..MoveParser::default()
        }
    }

    /// Tests if another game of the text begins at `token`. `no_error` is true as long as the current game has no
    /// syntax error before `token`. After an error, only a PGN tag begins another game, because move numbers and moves
    /// are then not reliable.
    fn begins_next_game(&self, token: &Token, no_error: bool) -> bool {
        let is_main_line = self.variations.is_empty();
        let is_over = self.is_over && is_main_line;
        match token.kind {
            Kind::Tag(..) => is_over || !no_error || self.has_move && is_main_line,
            _ if !no_error => false,
            Kind::MoveNumber if token.text == "1." => {
                is_over || is_main_line && self.draft.nodes.len() > 2
            }
            Kind::Word | Kind::Number | Kind::MoveNumber => is_over,
            _ => false,
        }
    }

    /// Processes `token` if it may be part of a move or of a move number, such as a separator, a coordinate or the
    /// bracket of `1)`, and returns true. Otherwise does nothing and returns false.
    fn continue_move(&mut self, token: &Token<'a>) -> bool {
        match token.kind {
            Kind::Separator => {}
            Kind::Star if !self.squares.is_empty() => {}
            Kind::Open if self.squares.len() == 2 => self.in_bracket = true,
            Kind::Number if self.squares.is_empty() => {
                self.numbers.push(token.text);
                self.in_bracket = false;
            }
            // A number before a closing bracket is a move number, as in `1) c1-c6(f6)`.
            Kind::Close if self.numbers.len() == 1 => self.numbers.clear(),
            _ => return false,
        }
        true
    }

    /// Parses `token`, the next token of the text, and adds what it means to the game parsed so far. `line` is the
    /// number of its line in the file, counted from 1.
    ///
    /// # Errors
    /// If no token of this kind may follow the tokens before it; the message says what was expected.
    fn process(&mut self, token: &Token<'a>, line: usize) -> Result<(), String> {
        if token.kind == Kind::Word {
            return self.process_word(token, line);
        }
        if self.continue_move(token) {
            return Ok(());
        }
        self.end_move(line)?;
        let was_in_bracket = std::mem::take(&mut self.in_bracket);
        match &token.kind {
            Kind::Close if was_in_bracket => {}
            Kind::Open if token.text != "[" => return self.begin_variation(token, line),
            Kind::Close if token.text != "]" => return self.end_variation(),
            Kind::Comment(text) => self.add_comment(text),
            Kind::Sign => return self.add_sign(token.text),
            Kind::Tag(name, value) if self.variations.is_empty() => {
                return self.tags.add(name, value, &mut self.draft);
            }
            Kind::Result | Kind::Star if self.variations.is_empty() => {
                self.is_over = true;
                self.tags.results.push(token.text.to_owned());
            }
            // Store a result within a variation as a comment, because only the main line can have a result.
            Kind::Result | Kind::Star => self.add_comment(token.text),
            Kind::Fault(fault) => return Err(fault.clone()),
            Kind::Break | Kind::MoveNumber => {}
            _ => return Err(self.unexpected(token.text)),
        }
        Ok(())
    }

    /// Returns the error message for `text`, which does not continue the unfinished move.
    fn unexpected(&self, text: &str) -> String {
        format!("\"{}\", {}", quoted(text), self.expectation())
    }

    /// Returns what the unfinished move needs next, such as "expected the arrow's square". This becomes the end of an
    /// error message.
    fn expectation(&self) -> &'static str {
        match self.squares.len() {
            0 => "expected a move such as c1-c6(f6)",
            1 => "expected the square to which the amazon moves",
            _ => "expected the arrow's square",
        }
    }

    /// Parses `token`, a word of one or more squares such as `c1` or `c1c6f6`, and adds the squares to the unfinished
    /// move. Every third square completes a move. `line` is the token's line number in the file, counted from 1.
    ///
    /// # Errors
    /// - A part of the word is not a square.
    /// - At least two numbers precede the word. They begin a move that is written as six numbers, so no square may
    ///   follow.
    fn process_word(&mut self, token: &Token<'a>, line: usize) -> Result<(), String> {
        if self.draft.nodes.len() == 1 && UCI_WORDS.contains(&token.text) {
            return Ok(());
        }
        if std::mem::take(&mut self.numbers).len() > 1 {
            let text = quoted(token.text);
            return Err(format!("\"{text}\", expected six coordinates a move"));
        }
        let mut pieces = split_squares(token.text).into_iter().peekable();
        while let Some(piece) = pieces.next() {
            let (text, expectation) = (quoted(piece), self.expectation());
            let fault = || format!("\"{text}\" is not a square, {expectation}");
            let square = parse_square(piece)?.ok_or_else(fault)?;
            match self.squares[..] {
                [] => self.span.0 = token.offset,
                // Skip the second of two equal squares: the notation `c1c6,c6f6` repeats the square to which the amazon
                // moves.
                [_, to] if to == square && pieces.peek().is_some() => continue,
                _ => {}
            }
            self.squares.push(square);
            self.span.1 = token.offset + token.text.len();
            if let [from, to, arrow] = self.squares[..] {
                self.squares.clear();
                self.add_move(Move { from, to, arrow }, line);
            }
        }
        Ok(())
    }

    /// Appends the move `turn` after the last move read: to the innermost variation that is not closed yet, or
    /// otherwise to the main line. `line` is the number of the move's line in the file, counted from 1.
    fn add_move(&mut self, turn: Move, line: usize) {
        let node = Node::with_move(0, turn);
        self.last_node = self.draft.push(self.last_node, node, line);
        self.has_move = true;
        let comments = std::mem::take(&mut self.pending_comments);
        comments.iter().for_each(|text| self.add_comment(text));
    }

    /// Ends the sequence of squares or of numbers read so far, before a token that cannot continue it. Converts numbers
    /// to moves, six coordinates each. If the count of numbers is one more than a multiple of six, the first is a move
    /// number. Squares can only be an incomplete move, because [`MoveParser::process_word`] completes each move at its
    /// third square. `line` is the line of these moves in the file, counted from 1.
    ///
    /// # Errors
    /// - Squares were read: they are a move with fewer than three squares.
    /// - Numbers were read, and the last move has fewer than six coordinates.
    /// - Numbers were read, and the six coordinates of a move are invalid.
    /// - Exactly one number was read, and it is not the number of the next move.
    fn end_move(&mut self, line: usize) -> Result<(), String> {
        if !self.squares.is_empty() {
            let text = quoted(&self.text[self.span.0..self.span.1]);
            return Err(format!("\"{text}\": expected three squares a move"));
        }
        let mut numbers = std::mem::take(&mut self.numbers);
        if numbers.len() % 6 == 1 {
            let number = numbers.remove(0);
            if numbers.is_empty() && number.parse() != Ok(self.move_number()) {
                return Err(self.unexpected(number));
            }
        }
        for six in numbers.chunks(6) {
            let text = six.join(" ");
            if six.len() < 6 {
                let text = quoted(&text);
                return Err(format!("\"{text}\": expected six coordinates a move"));
            }
            let turn = text.parse::<Move>().map_err(|error| error.to_string())?;
            self.add_move(turn, line);
        }
        Ok(())
    }

    /// Returns the number that the next move should have in the text, counted from 1. A move of the player who began
    /// the game and the other player's reply have the same number.
    fn move_number(&self) -> usize {
        let parents = std::iter::successors(Some(self.last_node), |&node| {
            (node > 0).then(|| self.draft.nodes[node].parent)
        });
        parents.count().div_ceil(2)
    }

    /// Begins a variation: an alternative to the last move. `token` is its opening bracket, in line `line` of the file.
    ///
    /// # Errors
    /// If there is no move before the variation.
    fn begin_variation(&mut self, token: &Token, line: usize) -> Result<(), String> {
        if !self.has_move {
            let text = quoted(token.text);
            return Err(format!("\"{text}\", expected a move before its variations"));
        }
        self.variations.push((self.last_node, line));
        self.last_node = self.draft.nodes[self.last_node].parent;
        self.has_move = false;
        Ok(())
    }

    /// Ends the innermost variation at its closing bracket. The next move in the text then continues the line of moves
    /// from which the variation branched off.
    ///
    /// # Errors
    /// If the variation contains no move, or if there is no variation to end.
    fn end_variation(&mut self) -> Result<(), String> {
        if !self.has_move && !self.variations.is_empty() {
            return Err("a variation without a move".to_owned());
        }
        let open = self.variations.pop();
        (self.last_node, _) = open.ok_or("\")\" without \"(\"")?;
        Ok(())
    }

    /// Adds a comment to the last move read. A comment before the first move of a variation is kept, and added to this
    /// first move as soon as it has been read.
    fn add_comment(&mut self, text: &str) {
        if !self.has_move && !self.variations.is_empty() {
            self.pending_comments.push(text.to_owned());
        } else if !text.is_empty() {
            self.draft.nodes[self.last_node].add("C", vec![text.to_owned()]);
        }
    }

    /// Adds an annotation symbol such as `!?` to the last move: as an SGF property if [`SIGNS`] contains the symbol,
    /// otherwise as a comment.
    ///
    /// # Errors
    /// If there is no move before the symbol.
    fn add_sign(&mut self, text: &str) -> Result<(), String> {
        if !self.has_move {
            return Err(self.unexpected(text));
        }
        let mut signs = SIGNS.iter();
        match signs.find(|(sign, number, ..)| [*sign, *number].contains(&text)) {
            Some((_, _, name, value)) => {
                self.draft.nodes[self.last_node].add(name, vec![(*value).to_owned()]);
            }
            None => self.add_comment(text),
        }
        Ok(())
    }

    /// Ends the parsing at the end of the text. Returns the parsed game, including the players' names, the result and
    /// other data from its PGN tags.
    ///
    /// # Errors
    /// If a move is incomplete, or if a variation is not closed. First: number of the line that contains the
    /// variation's opening bracket; `None` for an incomplete move. Second: the message.
    fn finish(mut self) -> Result<Draft, (Option<usize>, String)> {
        self.end_move(0).map_err(|fault| (None, fault))?;
        if let Some(&(_, line)) = self.variations.last() {
            return Err((Some(line), "\"(\" has no end, expected )".to_owned()));
        }
        self.tags.apply(&mut self.draft);
        Ok(self.draft.sorted_depth_first())
    }
}

/// Splits a word into its squares. A word with digits is split before each letter (`c1c6` or `c1xc6` becomes `c1`,
/// `c6`), any other word after every second letter (`chcc` becomes `ch`, `cc`). The parts are not checked.
fn split_squares(word: &str) -> Vec<&str> {
    let has_digit = word.contains(|c: char| c.is_ascii_digit());
    let is_in_pairs = word.is_ascii() && word.len().is_multiple_of(2);
    let (mut pieces, mut begin) = (Vec::new(), 0);
    for (at, letter) in word.char_indices().skip(1) {
        let is_begin = match has_digit {
            true => letter.is_ascii_alphabetic(),
            false => is_in_pairs && at.is_multiple_of(2),
        };
        if is_begin {
            let piece = &word[begin..at];
            if begin == 0 || !piece.eq_ignore_ascii_case("x") {
                pieces.push(piece);
            }
            begin = at;
        }
    }
    pieces.push(&word[begin..]);
    pieces
}

/// Tests if `text` consists of exactly two squares: a move without its arrow.
pub fn has_two_squares(text: &str) -> bool {
    let words = Tokens::new(text).filter(|token| token.kind != Kind::Separator);
    let found = words.map(|token| {
        (token.kind == Kind::Word && is_squares(token.text))
            .then(|| split_squares(token.text).len())
    });
    found.sum::<Option<usize>>() == Some(2)
}

/// Tests if a word consists of squares of an 8x8 or 10x10 board.
fn is_squares(word: &str) -> bool {
    split_squares(word)
        .into_iter()
        .all(|piece| parse_square(piece) != Ok(None))
}

/// Parses a square: a letter and a number (`c1`), or two letters as in SGF (`ch`, where the second letter is `a` for
/// rank 8). Returns `None` if `text` has neither form.
///
/// # Errors
/// If the square exists only on a board of 10x10 squares.
pub fn parse_square(text: &str) -> Result<Option<Square>, String> {
    match *text.to_ascii_lowercase().as_bytes() {
        [x @ b'a'..=b'h', y @ b'a'..=b'h'] => Ok(Square::new(x - b'a', b'h' - y)),
        [b'a'..=b'j', b'a'..=b'j' | b'1'..=b'9'] | [b'a'..=b'j', b'1', b'0'] => text
            .parse()
            .map(Some)
            .map_err(|_| format!("\"{text}\": {TEN_BY_TEN}")),
        _ => Ok(None),
    }
}

/// Formats moves as numbered lines, each with a move of both players, such as `1. c1-c6(f6) f8-f7(e7)`.
pub fn write(turns: &[Move]) -> String {
    let turn = |Move { from, to, arrow }: &Move| format!("{from}-{to}({arrow})");
    let pair = |(number, pair): (usize, &[Move])| {
        let pair: Vec<String> = pair.iter().map(turn).collect();
        format!("{}. {}\n", number + 1, pair.join(" "))
    };
    turns.chunks(2).enumerate().map(pair).collect()
}
