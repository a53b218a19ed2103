//! Parses the syntax of SGF into a list of nodes ([`read_game`]), without interpreting their properties. The parser
//! does not recurse, so deeply nested files can't overflow the stack.

use super::at_line;
use crate::log::LogError;
use crate::tree::Node;
use std::iter::Peekable;
use std::str::Chars;

/// Reads a text character by character, and counts its lines from 1.
struct CharReader<'a> {
    letters: Peekable<Chars<'a>>,
    line: usize,
}

impl CharReader<'_> {
    fn next(&mut self) -> Option<char> {
        let letter = self.letters.next()?;
        self.line += usize::from(letter == '\n');
        Some(letter)
    }

    /// Reads the next character that is not whitespace. Returns `None` at the end of the text.
    fn next_non_blank(&mut self) -> Option<char> {
        self.skip_blanks();
        self.next()
    }

    fn skip_blanks(&mut self) {
        let is_blank = |letter: &char| letter.is_whitespace();
        while self.letters.peek().is_some_and(is_blank) {
            self.next();
        }
    }

    /// Parses the rest of an SGF property after `first`, the first letter of its name. Returns the property's name and
    /// its values. Lower-case letters of the name are left out: before version `FF[4]` they were allowed, but had no
    /// meaning.
    ///
    /// # Errors
    /// If the property has no value, or if the closing bracket of a value is missing.
    fn parse_property(&mut self, first: char) -> Result<(String, Vec<String>), LogError> {
        let line = self.line;
        let mut name = String::from(first);
        while let Some(letter) = self.letters.next_if(char::is_ascii_alphanumeric) {
            name.push(letter);
        }
        let mut values = Vec::new();
        self.skip_blanks();
        while self.letters.next_if_eq(&'[').is_some() {
            values.push(self.parse_value()?);
            self.skip_blanks();
        }
        if values.is_empty() {
            return Err(at_line(line, &format!("{name}: expected a value in [ ]")));
        }
        name.retain(|letter| !letter.is_ascii_lowercase());
        Ok((name, values))
    }

    /// Parses the rest of an SGF property value after its opening bracket, up to its closing bracket. Returns the value
    /// without the backslashes that escape characters.
    ///
    /// # Errors
    /// If the closing bracket is missing. The error has the line number of the opening bracket.
    fn parse_value(&mut self) -> Result<String, LogError> {
        let begin = self.line;
        let mut value = String::new();
        while let Some(letter) = self.next() {
            match letter {
                ']' => return Ok(value),
                '\\' => match self.next() {
                    // A backslash removes the line break after it. In this case the line break is `\r\n`, so skip the
                    // `\n`, too.
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

/// Parses the SGF game at the beginning of `text`. Returns its nodes in file order, and the line number (from 1) of
/// each. Node 0 is an additional empty node: the position before the game's first node.
///
/// # Errors
/// At the first syntax error: the line number, and what was expected.
pub fn read_game(text: &str) -> Result<(Vec<Node>, Vec<usize>), LogError> {
    let letters = text.chars().peekable();
    let mut reader = CharReader { letters, line: 1 };
    let (mut nodes, mut lines) = (vec![Node::default()], vec![1]);
    // Stack with an element for each unclosed parenthesis, the innermost last: index of the node before the
    // parenthesis. The first node inside the parenthesis, and the first node after it, are children of this node.
    let mut branch_points = Vec::new();
    let mut last = 0;
    while let Some(letter) = reader.next_non_blank() {
        let line = reader.line;
        match letter {
            '(' => branch_points.push(last),
            ')' => {
                last = branch_points.pop().unwrap_or_default();
                if branch_points.is_empty() {
                    break;
                }
            }
            ';' if !branch_points.is_empty() && (last > 0 || nodes.len() == 1) => {
                nodes.push(Node {
                    parent: last,
                    ..Node::default()
                });
                lines.push(line);
                last = nodes.len() - 1;
            }
            letter if letter.is_ascii_uppercase() && last > 0 => {
                nodes[last].properties.push(reader.parse_property(letter)?);
            }
            other => {
                let other = other.escape_default();
                let fault = format!("'{other}', expected a node or a property");
                return Err(at_line(line, &fault));
            }
        }
    }
    if !branch_points.is_empty() {
        let fault = "the end, expected ) behind the last node";
        return Err(at_line(reader.line, &fault));
    }
    if nodes.len() == 1 {
        return Err(at_line(1, &"no node, expected (;"));
    }
    Ok((nodes, lines))
}

/// Appends the property `name` with its `values` to `text`; escapes backslashes and closing brackets.
pub fn put_property(text: &mut String, name: &str, values: &[String]) {
    *text += name;
    for value in values {
        let value = value.replace('\\', "\\\\").replace(']', "\\]");
        *text += &format!("[{value}]");
    }
}
