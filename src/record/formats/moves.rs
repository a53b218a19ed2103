//! Reads and writes moves as text, in all common notations: `c1 c6 f6`, `c1c6f6`, `c1-c6(f6)`, `c1-c6/f6`, `1.c1–c6,f6;`,
//! Fairy-Stockfish's `c1c6,c6f6`, SGF's `chccfc`, and Botzone's six coordinates. Moves may be numbered, and a line may hold
//! several moves. A move must end on the line on which it begins.
//!
//! Other elements of chess's PGN may stand around the moves: tags, comments in braces, variations in brackets, annotation
//! signs such as `!?`, and a result. A bracket after two squares of a move encloses the arrow's square; any other bracket
//! encloses a variation.

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

/// Words of the UCI protocol that may precede the first move and are skipped.
const UCI_WORDS: [&str; 3] = ["position", "startpos", "moves"];

/// Annotation signs of moves, as tuples: sign, its numeric code in PGN, SGF property, value of this property.
const SIGNS: [(&str, &str, &str, &str); 6] = [
    ("!", "$1", "TE", "1"),
    ("?", "$2", "BM", "1"),
    ("!!", "$3", "TE", "2"),
    ("??", "$4", "BM", "2"),
    ("!?", "$5", "IT", ""),
    ("?!", "$6", "DO", ""),
];

/// Tests if `text` begins with a move or a tag, after any numbers, comments and brackets, or is a JSON list of moves.
pub fn is_moves(text: &str) -> bool {
    if json::is_list(text) {
        return true;
    }
    let (mut numbers, mut is_numbered) = (0, false);
    for token in Tokens::of(text) {
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

/// Iterates over the byte offset of each game after the first. A game begins at a tag after moves, at a move numbered 1
/// after other moves, or at any move after a result. After a syntax error only a tag begins the next game.
pub fn game_starts(text: &str) -> impl Iterator<Item = usize> {
    let mut tokens = Tokens::of(text).peekable();
    if json::is_list(text) {
        tokens = Tokens::of("").peekable();
    }
    std::iter::from_fn(move || {
        let mut game = Game::new(text, Draft::default());
        let mut is_valid = true;
        while let Some(token) = tokens.next_if(|token| !game.begins_next_game(token, is_valid)) {
            is_valid &= game.process(&token, 0).is_ok();
        }
        tokens.peek().map(|token| token.at)
    })
}

/// Parses a text that holds one game, as moves or as a JSON list of moves.
///
/// # Errors
/// At the first unexpected token: the token, its line number, and what was expected.
pub fn read(text: &str) -> Result<Draft, LogError> {
    if json::is_list(text) {
        return json::read(text);
    }
    read_from(Draft::default(), text, 1)
}

/// Parses the moves in `text` and appends them to the game `start`; `first_line` is the line number (from 1) in the
/// file at which `text` begins.
///
/// # Errors
/// At the first unexpected token: the token, its line number, and what was expected.
pub fn read_from(start: Draft, text: &str, first_line: usize) -> Result<Draft, LogError> {
    let mut game = Game::new(text, start);
    let mut line = first_line;
    for token in Tokens::of(text) {
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

/// Parses a text that holds one move, with its annotation signs and comments, into a node.
///
/// # Errors
/// At the first unexpected token, or if the text does not hold exactly one move.
pub fn read_one(text: &str) -> Result<Node, String> {
    let mut game = Game::new(text, Draft::default());
    for token in Tokens::of(text) {
        game.process(&token, 1)?;
    }
    game.end_move(1)?;
    let is_bare = game.variations.is_empty() && game.tags.results.is_empty();
    match <[Node; 2]>::try_from(game.draft.nodes) {
        Ok([start, turn]) if is_bare && start.properties.is_empty() => Ok(turn),
        _ => Err("expected three squares a move".to_owned()),
    }
}

/// State of the parser of moves: the game parsed so far, and the unfinished move.
#[derive(Default)]
struct Game<'a> {
    text: &'a str,
    draft: Draft,
    tags: Tags,
    /// Index, in the draft's nodes, of the node whose child the next move becomes.
    current: usize,
    /// Whether a result such as `1-0` has ended the main line.
    is_over: bool,
    /// Stack of open variations: index of the node that the variation replaces, and line number of the opening bracket.
    variations: Vec<(usize, usize)>,
    /// Whether the innermost open variation, or the main line if none is open, has a move yet.
    has_move: bool,
    /// Comments before the first move of a variation, to be added to that move when it is parsed.
    pending_comments: Vec<String>,
    /// Squares of the unfinished move, at most two; `span` is the move's byte range in the text.
    squares: Vec<Square>,
    span: (usize, usize),
    /// Whether an opening bracket before the arrow's square is still unclosed.
    in_bracket: bool,
    /// Pending numbers: either the coordinates of moves, six per move, or a single move number.
    numbers: Vec<&'a str>,
}

impl<'a> Game<'a> {
    fn new(text: &'a str, draft: Draft) -> Game<'a> {
        Game {
            text,
            draft,
            ..Game::default()
        }
    }

    /// Tests if `token` begins the next game of the text. If `is_valid` is false (after a syntax error), only a tag
    /// does.
    fn begins_next_game(&self, token: &Token, is_valid: bool) -> bool {
        let is_main_line = self.variations.is_empty();
        let is_over = self.is_over && is_main_line;
        match token.kind {
            Kind::Tag(..) => is_over || !is_valid || self.has_move && is_main_line,
            _ if !is_valid => false,
            Kind::MoveNumber if token.text == "1." => {
                is_over || is_main_line && self.draft.nodes.len() > 2
            }
            Kind::Word | Kind::Number | Kind::MoveNumber => is_over,
            _ => false,
        }
    }

    /// Processes a token that may stand within a move or before it, such as a separator; returns false for any other
    /// token and does nothing.
    fn continue_move(&mut self, token: &Token<'a>) -> bool {
        match token.kind {
            Kind::Separator => {}
            Kind::Star if !self.squares.is_empty() => {}
            Kind::Open if self.squares.len() == 2 => self.in_bracket = true,
            Kind::Number if self.squares.is_empty() => {
                self.numbers.push(token.text);
                self.in_bracket = false;
            }
            // This number and bracket number a move, as in `1) c1-c6(f6)`.
            Kind::Close if self.numbers.len() == 1 => self.numbers.clear(),
            _ => return false,
        }
        true
    }

    /// Processes the next token; `line` is its line number in the file, counted from 1.
    ///
    /// # Errors
    /// If the token is not allowed here; the message says what was expected.
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
            // A result within a variation is stored as a comment.
            Kind::Result | Kind::Star => self.add_comment(token.text),
            Kind::Fault(fault) => return Err(fault.clone()),
            Kind::Break | Kind::MoveNumber => {}
            _ => {
                return Err(format!(
                    "\"{}\", {}",
                    quoted(token.text),
                    self.expectation()
                ));
            }
        }
        Ok(())
    }

    /// Returns a phrase for an error message that says what the unfinished move needs next.
    fn expectation(&self) -> &'static str {
        match self.squares.len() {
            0 => "expected a move such as c1-c6(f6)",
            1 => "expected the square to which the amazon moves",
            _ => "expected the arrow's square",
        }
    }

    /// Parses a word of one or more squares, such as `c1` or `c1c6f6`, and adds the squares to the unfinished move; a
    /// third square completes the move.
    ///
    /// # Errors
    /// If a part of the word is not a square, or if the word follows several numbers.
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
            let found = parse_square(piece)?;
            let square = found.ok_or_else(|| {
                format!(
                    "\"{}\" is not a square, {}",
                    quoted(piece),
                    self.expectation()
                )
            })?;
            match self.squares[..] {
                [] => self.span.0 = token.at,
                // The notation `c1c6,c6f6` writes the amazon's target square twice: skip the second.
                [_, to] if to == square && pieces.peek().is_some() => continue,
                _ => {}
            }
            self.squares.push(square);
            self.span.1 = token.at + token.text.len();
            if let [from, to, arrow] = self.squares[..] {
                self.squares.clear();
                self.add_move(Move { from, to, arrow }, line);
            }
        }
        Ok(())
    }

    /// Appends the move `turn` as a child of the current node; `line` is its line number in the file.
    fn add_move(&mut self, turn: Move, line: usize) {
        self.current = self.draft.push(self.current, Node::after(0, turn), line);
        self.has_move = true;
        let comments = std::mem::take(&mut self.pending_comments);
        comments.iter().for_each(|text| self.add_comment(text));
    }

    /// Ends the current move. Pending numbers become moves of six coordinates each.
    ///
    /// # Errors
    /// If the move has fewer than three squares, or if the number of pending coordinates is no multiple of six.
    fn end_move(&mut self, line: usize) -> Result<(), String> {
        if !self.squares.is_empty() {
            let text = quoted(&self.text[self.span.0..self.span.1]);
            return Err(format!("\"{text}\": expected three squares a move"));
        }
        let mut numbers = std::mem::take(&mut self.numbers);
        if numbers.len() % 6 == 1 {
            let number = numbers.remove(0);
            if numbers.is_empty() && number.parse() != Ok(self.move_number()) {
                return Err(format!("\"{}\", {}", quoted(number), self.expectation()));
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

    /// Returns the number of the next move, counted from 1; both players' moves of a round have the same number.
    fn move_number(&self) -> usize {
        let parents = std::iter::successors(Some(self.current), |&node| {
            (node > 0).then(|| self.draft.nodes[node].parent)
        });
        parents.count().div_ceil(2)
    }

    /// Begins a variation, which replaces the last move.
    ///
    /// # Errors
    /// If there is no move to replace.
    fn begin_variation(&mut self, token: &Token, line: usize) -> Result<(), String> {
        if !self.has_move {
            let text = quoted(token.text);
            return Err(format!("\"{text}\", expected a move before its variations"));
        }
        self.variations.push((self.current, line));
        self.current = self.draft.nodes[self.current].parent;
        self.has_move = false;
        Ok(())
    }

    /// Ends the innermost variation and returns to the line that it branched from.
    ///
    /// # Errors
    /// If the variation has no move, or if none is open.
    fn end_variation(&mut self) -> Result<(), String> {
        if !self.has_move && !self.variations.is_empty() {
            return Err("a variation without a move".to_owned());
        }
        let open = self.variations.pop();
        (self.current, _) = open.ok_or("\")\" without \"(\"")?;
        Ok(())
    }

    /// Adds a comment to the last move; at the beginning of a variation, to the next move.
    fn add_comment(&mut self, text: &str) {
        if !self.has_move && !self.variations.is_empty() {
            self.pending_comments.push(text.to_owned());
        } else if !text.is_empty() {
            self.draft.nodes[self.current].add("C", vec![text.to_owned()]);
        }
    }

    /// Adds an annotation sign to the last move, as the SGF property in [`SIGNS`] or else as a comment.
    ///
    /// # Errors
    /// If there is no move before the sign.
    fn add_sign(&mut self, text: &str) -> Result<(), String> {
        if !self.has_move {
            return Err(format!("\"{}\", {}", quoted(text), self.expectation()));
        }
        let mut signs = SIGNS.iter();
        match signs.find(|(sign, number, ..)| [*sign, *number].contains(&text)) {
            Some((_, _, name, value)) => {
                self.draft.nodes[self.current].add(name, vec![(*value).to_owned()]);
            }
            None => self.add_comment(text),
        }
        Ok(())
    }

    /// Returns the finished game, with the data of its tags.
    ///
    /// # Errors
    /// If a move is incomplete, or if a bracket is still open. The number is the line of the open bracket, `None`
    /// for an incomplete move.
    fn finish(mut self) -> Result<Draft, (Option<usize>, String)> {
        self.end_move(0).map_err(|fault| (None, fault))?;
        if let Some(&(_, line)) = self.variations.last() {
            return Err((Some(line), "\"(\" has no end, expected )".to_owned()));
        }
        self.tags.apply(&mut self.draft);
        Ok(self.draft.sorted_depth_first())
    }
}

/// Splits a word into its squares: before each letter if the word has digits (`c1c6`, `c1xc6`), otherwise after every
/// second letter (`chcc`). The parts may be invalid squares.
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
            pieces.push(&word[begin..at]);
            begin = at;
        }
    }
    let is_between = |at: usize, piece: &str| at > 0 && piece.eq_ignore_ascii_case("x");
    let pieces = pieces.into_iter().enumerate();
    let squares = pieces.filter(|&(at, piece)| !is_between(at, piece));
    squares
        .map(|(_, piece)| piece)
        .chain([&word[begin..]])
        .collect()
}

/// Tests if `text` consists of exactly two squares: a move without its arrow.
pub fn has_two_squares(text: &str) -> bool {
    let words = Tokens::of(text).filter(|token| token.kind != Kind::Separator);
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

/// Parses a square: a letter and a number (`c1`), or two letters as in SGF (`ch`), whose second letter counts ranks
/// from the top. Returns `None` if `text` is not a square.
///
/// # Errors
/// If the square exists on a board of 10x10 squares but not on one of 8x8.
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

/// Writes numbered moves, such as `1. c1-c6(f6) f8-f7(e7)`, with one move of each player per line.
pub fn write(turns: &[Move]) -> String {
    let turn = |Move { from, to, arrow }: &Move| format!("{from}-{to}({arrow})");
    let pair = |(number, pair): (usize, &[Move])| {
        let pair: Vec<String> = pair.iter().map(turn).collect();
        format!("{}. {}\n", number + 1, pair.join(" "))
    };
    turns.chunks(2).enumerate().map(pair).collect()
}
