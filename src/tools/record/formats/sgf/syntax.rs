//! The syntax of SGF: trees of nodes of properties, whatever they mean. Without recursion, so that no file is too deep.

use super::at_line;
use crate::tools::record::log::LogError;
use std::iter::Peekable;
use std::str::Chars;

/// A node of a file.
#[derive(Default)]
pub struct Raw {
    /// Number of the node before it; nothing for the first one.
    pub parent: Option<usize>,
    /// The line in which it begins, from 1.
    pub line: usize,
    /// Names with their values, without escapes.
    pub properties: Vec<(String, Vec<String>)>,
}

impl Raw {
    /// The first value of a property.
    pub fn text(&self, name: &str) -> Option<&str> {
        let found = self.properties.iter().find(|(other, _)| other == name);
        found?.1.first().map(String::as_str)
    }
}

/// The games of a file, each as its nodes in their order. What stands behind the last game, or behind one that is no SGF, is
/// not read.
pub struct Games<'a>(Reader<'a>);

impl<'a> Games<'a> {
    /// The games of a text.
    pub fn of(text: &'a str) -> Games<'a> {
        let letters = text.chars().peekable();
        Games(Reader { letters, line: 1 })
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Vec<Raw>, LogError>;

    /// Reads the next game. At what is no SGF the fault says the line, and what was expected.
    fn next(&mut self) -> Option<Self::Item> {
        let Games(reader) = self;
        reader.skip_blanks();
        reader.letters.peek().filter(|&&letter| letter == '(')?;
        let game = reader.game();
        if game.is_err() {
            reader.letters = "".chars().peekable();
        }
        Some(game)
    }
}

/// Reads a text letter by letter.
struct Reader<'a> {
    letters: Peekable<Chars<'a>>,
    line: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let letter = self.letters.next()?;
        self.line += usize::from(letter == '\n');
        Some(letter)
    }

    /// The next letter that is not blank.
    fn next_mark(&mut self) -> Option<char> {
        self.skip_blanks();
        self.next()
    }

    fn skip_blanks(&mut self) {
        while self
            .letters
            .peek()
            .is_some_and(|letter| letter.is_whitespace())
        {
            self.next();
        }
    }

    /// Reads the nodes of a game.
    fn game(&mut self) -> Result<Vec<Raw>, LogError> {
        let mut nodes: Vec<Raw> = Vec::new();
        // The last node of each tree around the one that is read.
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut last = None;
        while let Some(letter) = self.next_mark() {
            let line = self.line;
            match letter {
                '(' => open.push(last),
                ')' => {
                    last = open.pop().flatten();
                    if open.is_empty() {
                        break;
                    }
                }
                ';' if !open.is_empty() && (last.is_some() || nodes.is_empty()) => {
                    nodes.push(Raw {
                        parent: last,
                        line,
                        properties: Vec::new(),
                    });
                    last = Some(nodes.len() - 1);
                }
                letter if letter.is_ascii_uppercase() && last.is_some() => {
                    let property = self.property(letter)?;
                    nodes[last.unwrap_or_default()].properties.push(property);
                }
                other => {
                    let fault = format!(
                        "'{}', expected a node or a property",
                        other.escape_default()
                    );
                    return Err(at_line(line, &fault));
                }
            }
        }
        if !open.is_empty() {
            return Err(at_line(
                self.line,
                &"the end, expected ) behind the last node",
            ));
        }
        if nodes.is_empty() {
            return Err(at_line(1, &"no node, expected (;"));
        }
        Ok(nodes)
    }

    /// Reads a property whose first letter has been read. In old files small letters stand between the large ones.
    fn property(&mut self, first: char) -> Result<(String, Vec<String>), LogError> {
        let line = self.line;
        let mut name = String::from(first);
        while let Some(letter) = self.letters.next_if(char::is_ascii_alphanumeric) {
            name.push(letter);
        }
        let mut values = Vec::new();
        self.skip_blanks();
        while self.letters.next_if_eq(&'[').is_some() {
            values.push(self.value()?);
            self.skip_blanks();
        }
        if values.is_empty() {
            return Err(at_line(line, &format!("{name}: expected a value in [ ]")));
        }
        name.retain(|letter| !letter.is_ascii_lowercase());
        Ok((name, values))
    }

    /// Reads a value behind its opening bracket.
    fn value(&mut self) -> Result<String, LogError> {
        let begin = self.line;
        let mut value = String::new();
        while let Some(letter) = self.next() {
            match letter {
                ']' => return Ok(value),
                '\\' => match self.next() {
                    // A line that is broken in the file alone.
                    Some('\r') if self.letters.peek() == Some(&'\n') => drop(self.next()),
                    Some('\n') | None => {}
                    Some(letter) => value.push(letter),
                },
                '\r' if self.letters.peek() == Some(&'\n') => {}
                letter => value.push(letter),
            }
        }
        Err(at_line(begin, &"a value has no end, expected ]"))
    }
}

/// Writes a property.
pub fn put(text: &mut String, name: &str, values: &[String]) {
    *text += name;
    for value in values {
        let value = value.replace('\\', "\\\\").replace(']', "\\]");
        *text += &format!("[{value}]");
    }
}
