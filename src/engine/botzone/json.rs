//! Botzone's JSON interaction format, and the JSON parser that it needs.
//!
//! The parser follows [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259) by recursive descent, but does not fully
//! validate numbers, and skips comments. It replaces a JSON crate, because the bot has only two dependencies.

use super::content::{Entry, MAX_ENTRIES, Turn};
use crate::console::quoted;
use std::fmt;

/// Maximum nesting depth of arrays and objects: much more than the platform sends, and safe for the call stack.
const MAX_DEPTH: usize = 64;

/// Maximum number of values in a text, to limit memory. The record of a long game has about 400.
const MAX_VALUES: usize = 1 << 14;

/// A parsed JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, `null`, `true` or `false`, spelled as in the text.
    Literal(String),
    /// A string, after its escape sequences were decoded.
    String(String),
    /// An array; its elements in order.
    Array(Vec<Value>),
    /// An object; its members as pairs of name and value, in the order of the text. A name may occur several times.
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
    /// Parses a text that consists of exactly one JSON value, with white space around it allowed.
    ///
    /// # Errors
    /// If `text` is not one JSON value, is nested more than 64 deep, or has more than 16,384 values. The message gives
    /// the byte offset and what was expected.
    pub fn parse(text: &str) -> Result<Value, String> {
        let mut reader = Reader::new(text);
        let value = reader.value(MAX_DEPTH)?;
        reader.skip_blanks();
        if reader.at == text.len() {
            Ok(value)
        } else {
            Err(reader.expected("the end of the text"))
        }
    }

    /// Parses the JSON value at the beginning of `text` and ignores the text after it.
    ///
    /// # Errors
    /// If `text` does not begin with a JSON value, or the value exceeds the limits of [`Value::parse`]. The message
    /// gives the byte offset and what was expected.
    pub fn parse_start(text: &str) -> Result<Value, String> {
        Reader::new(text).value(MAX_DEPTH)
    }

    /// Returns the value of the member `name` of an object, of the last one if several have this name. Returns `None`
    /// if there is none, or if this value is no object.
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

    /// Returns the elements of an array, or an empty slice if this value is no array.
    #[must_use]
    pub fn elements(&self) -> &[Value] {
        match self {
            Value::Array(elements) => elements,
            _ => &[],
        }
    }

    /// Returns the integer that a number literal or a string contains, for example of `3` or `"3"`. Returns `None` for
    /// other values.
    #[must_use]
    pub fn integer(&self) -> Option<i64> {
        match self {
            Value::Literal(text) | Value::String(text) => text.trim().parse().ok(),
            _ => None,
        }
    }
}

/// Parses a turn from a line of JSON: an object with `requests` and `responses` (a whole record), an object with
/// `request`, or a bare move. A line that cannot be parsed gives an [`Entry::Unreadable`].
#[must_use]
pub fn turn(line: &str) -> Turn {
    let value = match Value::parse(line) {
        Ok(value) => value,
        Err(fault) => {
            let fault = format!("\"{}\": {fault}", quoted(line));
            return Turn::Request(Entry::Unreadable(fault));
        }
    };
    let Some(requests) = value.get("requests") else {
        return Turn::Request(parse_entry(value.get("request").unwrap_or(&value)));
    };
    match (requests.elements(), value.get("responses")) {
        ([request], None) => Turn::Request(parse_entry(request)),
        (requests, responses) => {
            let responses = responses.map_or(&[][..], Value::elements);
            Turn::History(interleave(requests, responses))
        }
    }
}

/// Merges requests and responses alternately into one record. A missing response becomes an [`Entry::Unreadable`].
/// Requests after the first 64 are dropped, and one [`Entry::Unreadable`] at the end reports them.
fn interleave(requests: &[Value], responses: &[Value]) -> Vec<Entry> {
    const MAX_REQUESTS: usize = MAX_ENTRIES / 2;
    let mut entries = Vec::new();
    for (number, request) in requests.iter().take(MAX_REQUESTS).enumerate() {
        entries.push(parse_entry(request));
        if number + 1 < requests.len() {
            let missing = || Entry::Unreadable("nothing: expected a response".to_owned());
            entries.push(responses.get(number).map_or_else(missing, parse_entry));
        }
    }
    if requests.len() > MAX_REQUESTS {
        let fault = format!(
            "{} requests: expected at most {MAX_REQUESTS}",
            requests.len()
        );
        entries.push(Entry::Unreadable(fault));
    }
    entries
}

/// Parses an entry of the record: an object `{"x0":…,"y0":…,"x1":…,"y1":…,"x2":…,"y2":…}`, or a string that contains
/// such an object as JSON.
fn parse_entry(value: &Value) -> Entry {
    if let Value::String(text) = value
        && let Ok(inner @ Value::Object(_)) = Value::parse(text)
    {
        return parse_entry(&inner);
    }
    let mut coordinates = [0; 6];
    for (coordinate, name) in coordinates
        .iter_mut()
        .zip(["x0", "y0", "x1", "y1", "x2", "y2"])
    {
        match value.get(name).and_then(Value::integer) {
            Some(number) => *coordinate = number,
            None => {
                return Entry::Unreadable(format!(
                    "{}: expected an object with a whole number {name}",
                    quoted(&value.to_string())
                ));
            }
        }
    }
    Entry::from_coordinates(coordinates)
}

/// Formats the answer line: the six coordinates as `response`, and `debug`, a text for the replay that must need no
/// escapes in JSON.
#[must_use]
pub fn format_answer([x0, y0, x1, y1, x2, y2]: [i64; 6], debug: &str) -> String {
    format!(
        r#"{{"response":{{"x0":{x0},"y0":{y0},"x1":{x1},"y1":{y1},"x2":{x2},"y2":{y2}}},"debug":"{debug}"}}"#
    )
}

/// State of the parser: the text, the byte offset `at` of the next byte to parse, and the number of values that may
/// still be parsed before [`MAX_VALUES`] is exceeded.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    values_left: usize,
}

impl Reader<'_> {
    const fn new(text: &str) -> Reader<'_> {
        Reader {
            text,
            at: 0,
            values_left: MAX_VALUES,
        }
    }

    fn expected(&self, expected: &str) -> String {
        format!("not JSON at byte {}: expected {expected}", self.at)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space and C++ comments (`//` and `/* */`), which the platform's JSON parser ignores, too.
    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let [first, rest @ ..] = &bytes[self.at..] {
            self.at += match (first, rest) {
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
        self.skip_blanks();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        self.skip_blanks();
        let deeper = depth.checked_sub(1);
        let deeper = deeper.ok_or_else(|| self.expected("less nesting"))?;
        let fewer = self.values_left.checked_sub(1);
        self.values_left = fewer.ok_or_else(|| self.expected("fewer values"))?;
        match self.peek() {
            Some(b'{') => {
                let end = (b'}', "a comma or the end of the object");
                let members = self.list(end, |reader| reader.member(deeper));
                members.map(Value::Object)
            }
            Some(b'[') => {
                let end = (b']', "a comma or the end of the array");
                let elements = self.list(end, |reader| reader.value(deeper));
                elements.map(Value::Array)
            }
            Some(b'"') => self.string().map(Value::String),
            _ => self.literal().map(Value::Literal),
        }
    }

    /// Parses the items of an array or object from its opening bracket to the closing bracket `end`. `item` parses one
    /// item; `comma_or_end` names what is expected after an item, for the error message.
    fn list<T>(
        &mut self,
        (end, comma_or_end): (u8, &str),
        mut item: impl FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        self.at += 1;
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
        self.skip_blanks();
        let name = self.string()?;
        if !self.accept(b':') {
            return Err(self.expected("a colon"));
        }
        Ok((name, self.value(depth)?))
    }

    fn string(&mut self) -> Result<String, String> {
        if self.peek() != Some(b'"') {
            return Err(self.expected("a string"));
        }
        let mut chars = self.text[self.at + 1..].char_indices();
        let mut string = String::new();
        while let Some((offset, char)) = chars.next() {
            match char {
                '"' => {
                    self.at += offset + 2;
                    return Ok(string);
                }
                '\\' => match unescape(&mut chars) {
                    Some(char) => string.push(char),
                    None => {
                        self.at += 1 + offset;
                        return Err(self.expected("an escape"));
                    }
                },
                _ => string.push(char),
            }
        }
        Err(self.expected("a string that ends"))
    }

    fn literal(&mut self) -> Result<String, String> {
        let rest = &self.text[self.at..];
        let words = ["null", "true", "false"];
        let word = words.into_iter().find(|&word| rest.starts_with(word));
        let end = rest.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'));
        let number = &rest[..end.unwrap_or(rest.len())];
        let is_number = number.starts_with(|c: char| c == '-' || c.is_ascii_digit())
            && number.ends_with(|c: char| c == '.' || c.is_ascii_digit());
        let literal = word.or_else(|| is_number.then_some(number));
        let literal = literal.ok_or_else(|| self.expected("a value"))?;
        self.at += literal.len();
        Ok(literal.to_owned())
    }
}

/// Decodes an escape sequence after its backslash. Returns `None` if it is invalid. Surrogates become U+FFFD
/// (replacement character), since no move contains them.
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
