//! Botzone's JSON protocol: [`parse_turn`] parses the bot's input and [`format_answer`] writes its answer. [`Value`] is
//! a small JSON parser.
//!
//! The parser follows [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259) by recursive descent. Unlike the standard, it
//! accepts some malformed numbers and skips comments. The engine does not use a JSON crate, to keep the bot's
//! dependencies few.

use super::content::{MAX_SENT_MOVES, SentMove, TurnInput};
use crate::console::quoted;
use std::fmt;

/// Maximum nesting depth of arrays and objects in a parsed JSON text; deeper texts are rejected, so that the recursive
/// parser cannot overflow the stack. In Botzone's input, moves are nested only three levels deep.
const MAX_DEPTH: usize = 64;

/// Maximum number of values in a parsed JSON text, counting nested values: 16,384. Texts with more are rejected, to
/// limit memory. Botzone's input for a long game has about 400 values.
const MAX_VALUES: usize = 1 << 14;

/// A parsed JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, `null`, `true` or `false`. The string is its spelling in the parsed text.
    Literal(String),
    /// A string, after its escape sequences were decoded.
    String(String),
    /// An array, represented by its elements.
    Array(Vec<Value>),
    /// An object, represented by pairs of a member's name and value, in the order of the parsed text. A name may occur
    /// several times.
    Object(Vec<(String, Value)>),
}

/// Formats the value as JSON, for error messages. Control characters are escaped as in Rust, not as in JSON.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Literal(text) => f.write_str(text),
            Value::String(text) => write!(f, "{text:?}"),
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(Value::to_string).collect();
                write!(f, "[{}]", items.join(","))
            }
            Value::Object(members) => {
                let members = members.iter();
                let members = members.map(|(name, value)| format!("{name:?}:{value}"));
                write!(f, "{{{}}}", members.collect::<Vec<_>>().join(","))
            }
        }
    }
}

impl Value {
    /// Parses a text that contains exactly one JSON value. White space and comments before and after the value are
    /// ignored.
    ///
    /// # Errors
    /// If `text` is not one JSON value, is nested more than 64 levels deep, or has more than 16,384 values. The message
    /// gives the byte offset and what was expected.
    pub fn parse(text: &str) -> Result<Value, String> {
        let mut parser = Parser::new(text);
        let value = parser.parse_value(MAX_DEPTH)?;
        parser.skip_space_and_comments();
        if parser.offset == text.len() {
            Ok(value)
        } else {
            Err(parser.expected("the end of the text"))
        }
    }

    /// Parses the JSON value at the beginning of `text`. Text after the value is not an error; it is ignored.
    ///
    /// # Errors
    /// If `text` does not begin with a JSON value, or if the value is nested more than 64 levels deep or contains more
    /// than 16,384 values. The message gives the byte offset and what was expected.
    pub fn parse_start(text: &str) -> Result<Value, String> {
        Parser::new(text).parse_value(MAX_DEPTH)
    }

    /// Returns the value of the member `name` if `self` is a JSON object. If several members have this name, returns
    /// the value of the last one. Returns `None` if `self` is not an object or has no such member.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Object(members) => {
                let member = members.iter().rfind(|(key, _)| key == name)?;
                Some(&member.1)
            }
            _ => None,
        }
    }

    /// Returns the elements of a JSON array. If this value is not an array, returns an empty slice.
    #[must_use]
    pub fn elements(&self) -> &[Value] {
        match self {
            Value::Array(elements) => elements,
            _ => &[],
        }
    }

    /// Returns the integer in a number such as `3` or a string such as `"3"`. Returns `None` for all other values,
    /// including fractions and integers that do not fit into 64 bits.
    #[must_use]
    pub fn integer(&self) -> Option<i64> {
        match self {
            Value::Literal(text) | Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
    }
}

/// Parses the input of a turn from a line of JSON. The line has one of these forms, in which `MOVE` is an object with
/// the coordinates `x0`, `y0`, `x1`, `y1`, `x2` and `y2`:
///
/// - `{"requests":[MOVE,…],"responses":[MOVE,…]}`: all moves of the game
/// - `{"request":MOVE}`: the opponent's newest move
/// - `MOVE`: the opponent's newest move
///
/// A line that is not JSON, or a move that cannot be parsed, becomes a [`SentMove::Unreadable`].
#[must_use]
pub fn parse_turn(line: &str) -> TurnInput {
    let value = match Value::parse(line) {
        Ok(value) => value,
        Err(fault) => {
            let fault = format!("\"{}\": {fault}", quoted(line));
            return TurnInput::Request(SentMove::Unreadable(fault));
        }
    };
    let Some(requests) = value.get("requests") else {
        return TurnInput::Request(parse_move(value.get("request").unwrap_or(&value)));
    };
    match (requests.elements(), value.get("responses")) {
        ([request], None) => TurnInput::Request(parse_move(request)),
        (requests, responses) => {
            let responses = responses.map_or(&[][..], Value::elements);
            TurnInput::History(interleave(requests, responses))
        }
    }
}

/// Merges the requests (the opponent's moves) and the responses (the bot's moves) into one list in the order of play,
/// which begins and ends with a request. A missing response becomes a [`SentMove::Unreadable`]. A longer game than the
/// rules allow is cut: only the first 64 requests are used, and a [`SentMove::Unreadable`] at the end says how many
/// there were.
fn interleave(requests: &[Value], responses: &[Value]) -> Vec<SentMove> {
    const MAX_REQUESTS: usize = MAX_SENT_MOVES / 2;
    let mut moves = Vec::new();
    for (number, request) in requests.iter().take(MAX_REQUESTS).enumerate() {
        moves.push(parse_move(request));
        if number + 1 < requests.len() {
            let missing = || SentMove::Unreadable("nothing: expected a response".to_owned());
            moves.push(responses.get(number).map_or_else(missing, parse_move));
        }
    }
    if requests.len() > MAX_REQUESTS {
        let fault = format!(
            "{} requests: expected at most {MAX_REQUESTS}",
            requests.len()
        );
        moves.push(SentMove::Unreadable(fault));
    }
    moves
}

/// Parses one move of the JSON protocol: an object `{"x0":…,"y0":…,"x1":…,"y1":…,"x2":…,"y2":…}`, or a string that
/// contains the JSON text of such an object. Returns a [`SentMove::Unreadable`] if a coordinate is missing or invalid.
fn parse_move(value: &Value) -> SentMove {
    if let Value::String(text) = value
        && let Ok(inner @ Value::Object(_)) = Value::parse(text)
    {
        return parse_move(&inner);
    }
    let mut coordinates = [0; 6];
    for (coordinate, name) in coordinates
        .iter_mut()
        .zip(["x0", "y0", "x1", "y1", "x2", "y2"])
    {
        match value.get(name).and_then(Value::integer) {
            Some(number) => *coordinate = number,
            None => {
                return SentMove::Unreadable(format!(
                    "{}: expected an object with a whole number {name}",
                    quoted(&value.to_string())
                ));
            }
        }
    }
    SentMove::from_coordinates(coordinates)
}

/// Formats the bot's answer as a line of JSON, without line break at its end. The array contains the coordinates of the
/// move, and becomes the member `response`. `debug` is the text that Botzone's replay shows; it must not contain
/// characters that JSON escapes (quotation marks, backslashes and control characters).
#[must_use]
pub fn format_answer([x0, y0, x1, y1, x2, y2]: [i64; 6], debug: &str) -> String {
    format!(
        r#"{{"response":{{"x0":{x0},"y0":{y0},"x1":{x1},"y1":{y1},"x2":{x2},"y2":{y2}}},"debug":"{debug}"}}"#
    )
}

/// State of the JSON parser. It contains the text to parse, the byte offset of the next character, and the number of
/// values that may still be parsed; a text with more than [`MAX_VALUES`] values is rejected.
struct Parser<'a> {
    text: &'a str,
    offset: usize,
    values_left: usize,
}

impl Parser<'_> {
    const fn new(text: &str) -> Parser<'_> {
        Parser {
            text,
            offset: 0,
            values_left: MAX_VALUES,
        }
    }

    fn expected(&self, expected: &str) -> String {
        format!("not JSON at byte {}: expected {expected}", self.offset)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    /// Skips white space and C++ comments (`//` and `/* */`). Botzone's own JSON parser also accepts such comments.
    fn skip_space_and_comments(&mut self) {
        let bytes = self.text.as_bytes();
        while let [first, rest @ ..] = &bytes[self.offset..] {
            self.offset += match (first, rest) {
                (b' ' | b'\t' | b'\r' | b'\n', _) => 1,
                (b'/', [b'/', ..]) => rest.iter().take_while(|&&byte| byte != b'\n').count() + 1,
                (b'/', [b'*', rest @ ..]) => match rest.windows(2).position(|two| two == b"*/") {
                    Some(length) => length + 4,
                    None => return,
                },
                _ => return,
            };
        }
    }

    /// Skips white space, and then `byte` if it comes next. Returns true if `byte` was skipped.
    fn accept(&mut self, byte: u8) -> bool {
        self.skip_space_and_comments();
        let found = self.peek() == Some(byte);
        self.offset += usize::from(found);
        found
    }

    fn parse_value(&mut self, depth: usize) -> Result<Value, String> {
        self.skip_space_and_comments();
        let deeper = depth.checked_sub(1);
        let deeper = deeper.ok_or_else(|| self.expected("less nesting"))?;
        let fewer = self.values_left.checked_sub(1);
        self.values_left = fewer.ok_or_else(|| self.expected("fewer values"))?;
        match self.peek() {
            Some(b'{') => {
                let end = (b'}', "a comma or the end of the object");
                let members = self.parse_list(end, |parser| parser.member(deeper));
                members.map(Value::Object)
            }
            Some(b'[') => {
                let end = (b']', "a comma or the end of the array");
                let elements = self.parse_list(end, |parser| parser.parse_value(deeper));
                elements.map(Value::Array)
            }
            Some(b'"') => self.string().map(Value::String),
            _ => self.literal().map(Value::Literal),
        }
    }

    /// Parses a JSON array or object from its opening bracket to its closing bracket `end`, and returns its items.
    /// `item` is a function that parses one item. `comma_or_end` is the text in the error message that names both
    /// characters that may follow an item.
    fn parse_list<T>(
        &mut self,
        (end, comma_or_end): (u8, &str),
        mut item: impl FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        self.offset += 1;
        let mut items = Vec::new();
        let mut is_over = self.accept(end);
        while !is_over {
            items.push(item(self)?);
            is_over = self.accept(end);
            if !is_over && !self.accept(b',') {
                return Err(self.expected(comma_or_end));
            }
        }
        Ok(items)
    }

    fn member(&mut self, depth: usize) -> Result<(String, Value), String> {
        self.skip_space_and_comments();
        let name = self.string()?;
        if !self.accept(b':') {
            return Err(self.expected("a colon"));
        }
        Ok((name, self.parse_value(depth)?))
    }

    fn string(&mut self) -> Result<String, String> {
        if self.peek() != Some(b'"') {
            return Err(self.expected("a string"));
        }
        let mut chars = self.text[self.offset + 1..].char_indices();
        let mut string = String::new();
        while let Some((offset, char)) = chars.next() {
            match char {
                '"' => {
                    self.offset += offset + 2;
                    return Ok(string);
                }
                '\\' => match unescape(&mut chars) {
                    Some(char) => string.push(char),
                    None => {
                        self.offset += 1 + offset;
                        return Err(self.expected("an escape"));
                    }
                },
                _ => string.push(char),
            }
        }
        Err(self.expected("a string that ends"))
    }

    fn literal(&mut self) -> Result<String, String> {
        let rest = &self.text[self.offset..];
        let words = ["null", "true", "false"];
        let word = words.into_iter().find(|&word| rest.starts_with(word));
        let end = rest.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'));
        let number = &rest[..end.unwrap_or(rest.len())];
        let is_number = number.starts_with(|c: char| c == '-' || c.is_ascii_digit())
            && number.ends_with(|c: char| c == '.' || c.is_ascii_digit());
        let literal = word.or_else(|| is_number.then_some(number));
        let literal = literal.ok_or_else(|| self.expected("a value"))?;
        self.offset += literal.len();
        Ok(literal.to_owned())
    }
}

/// Decodes one escape sequence of a JSON string, such as `\n`, and returns its character; `None` if the sequence is
/// invalid. The caller has already read the backslash from `chars`. A `\u` escape of a surrogate (half of a UTF-16
/// pair) gives U+FFFD (replacement character).
fn unescape(chars: &mut std::str::CharIndices<'_>) -> Option<char> {
    Some(match chars.next()?.1 {
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => {
            let mut code = 0;
            for _ in 0..4 {
                code = 16 * code + chars.next()?.1.to_digit(16)?;
            }
            char::from_u32(code).unwrap_or('\u{fffd}')
        }
        char @ ('"' | '\\' | '/') => char,
        _ => return None,
    })
}
