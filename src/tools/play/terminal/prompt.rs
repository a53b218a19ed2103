//! The typed line.

/// A line of text that is edited at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompt(String);

impl Prompt {
    /// A line with a text.
    #[must_use]
    pub const fn new(text: String) -> Prompt {
        Prompt(text)
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Tests if there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends a character, unless it is a control character.
    pub fn push(&mut self, character: char) {
        if !character.is_control() {
            self.0.push(character);
        }
    }

    /// Removes the last character.
    pub fn erase(&mut self) {
        self.0.pop();
    }

    /// Removes the last word and the blanks after it.
    pub fn erase_word(&mut self) {
        let rest = self.0.trim_end();
        let end = rest.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        self.0.truncate(end);
    }

    /// Returns the text and empties the line.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_erased_from_the_end() {
        let mut line = Prompt::new("save my gäme.json  ".to_owned());
        for rest in ["save my ", "save ", "", ""] {
            line.erase_word();
            assert_eq!(line.text(), rest);
        }
        "c1\x1b\n"
            .chars()
            .for_each(|character| line.push(character));
        assert_eq!(line.text(), "c1");
        line.erase();
        assert_eq!(line.take(), "c");
        assert!(line.is_empty());
    }
}
