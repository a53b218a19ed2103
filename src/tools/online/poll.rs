//! The text of a poll's answer: matches with a request, and matches that have ended.

use crate::console::quoted;
use crate::tools::platform::address::Id;

/// What a poll has brought.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PollReply {
    /// Matches with a request, and the request as it was sent.
    pub requests: Vec<(Id, String)>,
    /// Matches that have ended.
    pub endings: Vec<Ending>,
}

/// The end of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// The match.
    pub id: Id,
    /// One's own place: 0 black, 1 white.
    pub slot: usize,
    /// The players' scores; none, if the match was aborted.
    pub scores: Vec<f64>,
}

impl Ending {
    /// Who has won, 0 black or 1 white; nothing for an aborted match.
    #[must_use]
    pub fn winner(&self) -> Option<usize> {
        match self.scores[..] {
            [black, white] if black != white => Some(usize::from(white > black)),
            _ => None,
        }
    }

    /// Whether we have won, where somebody has.
    #[must_use]
    pub fn won(&self) -> Option<bool> {
        self.winner().map(|winner| winner == self.slot)
    }
}

/// Reads the text of an answer. A text without a word brings nothing, as a poll that was held for long may.
///
/// # Errors
/// If it is anything else than the two lists that it announces, for example cut short.
pub fn parse(text: &str) -> Result<PollReply, String> {
    if text.trim().is_empty() {
        return Ok(PollReply::default());
    }
    let mut lines = text.lines();
    let head = lines.next().unwrap_or_default();
    let [asked, ended] = numbers(head)
        .ok_or_else(|| format!("\"{}\", expected two numbers of matches", quoted(head)))?;
    let mut reply = PollReply::default();
    for _ in 0..asked {
        let id = read(lines.next(), "a match's id", |line| line.parse().ok())?;
        let request = read(lines.next(), "a match's request", |line| {
            Some(line.to_owned())
        })?;
        reply.requests.push((id, request));
    }
    for _ in 0..ended {
        reply
            .endings
            .push(read(lines.next(), "a match's result", ending)?);
    }
    match lines.find(|line| !line.trim().is_empty()) {
        Some(line) => Err(format!("\"{}\", expected the end", quoted(line))),
        None => Ok(reply),
    }
}

/// Reads a line as a value.
fn read<T>(
    line: Option<&str>,
    what: &str,
    value: impl FnOnce(&str) -> Option<T>,
) -> Result<T, String> {
    let line = line.ok_or_else(|| format!("cut short, expected {what}"))?;
    value(line.trim()).ok_or_else(|| format!("\"{}\", expected {what}", quoted(line)))
}

/// Reads two numbers and nothing else.
fn numbers(line: &str) -> Option<[usize; 2]> {
    let words = line.split_whitespace();
    let numbers: Option<Vec<usize>> = words.map(|word| word.parse().ok()).collect();
    numbers?.try_into().ok()
}

/// Reads the end of a match: its id, one's own place, the number of players and their scores.
fn ending(line: &str) -> Option<Ending> {
    let mut words = line.split_whitespace();
    let id = words.next()?.parse().ok()?;
    let slot = words.next()?.parse().ok()?;
    let players: usize = words.next()?.parse().ok()?;
    let score = |word: &str| word.parse().ok().filter(|score: &f64| score.is_finite());
    let mut scores = words.map(score).collect::<Option<Vec<f64>>>()?;
    // An aborted match may come with scores, or without a place for them.
    if players == 0 {
        scores.clear();
    }
    (scores.len() == players).then_some(Ending { id, slot, scores })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const A: &str = "594553a2630d4c0758e2b2b1";
    const B: &str = "594553a2630d4c0758e2b2b2";

    #[test]
    fn requests_and_endings_are_read() {
        let text = format!("1 2\r\n{A}\r\n-1 -1 -1 -1 -1 -1\r\n{B} 1 2 0 2\r\n{A} 0 0\r\n");
        let reply = parse(&text).expect("a reply");
        let [a, b] = [A, B].map(|id| id.parse().expect("an id"));
        assert_eq!(reply.requests, [(a, "-1 -1 -1 -1 -1 -1".to_owned())]);
        assert_eq!(reply.endings[0].id, b);
        assert_eq!(reply.endings[0].winner(), Some(1));
        assert_eq!(reply.endings[1].scores, [0.0; 0]);
        assert_eq!(parse("0 0"), Ok(PollReply::default()));
        assert_eq!(parse(" \n"), Ok(PollReply::default()));
    }

    #[test]
    fn what_is_cut_short_or_something_else_is_refused() {
        for text in [
            "<html><body>502 Bad Gateway</body></html>",
            "1",
            "1 0",
            &format!("1 0\n{A}"),
            &format!("0 1\n{A} 0 2 2"),
            &format!("0 1\n{A} 0"),
            &format!("0 1\n{A} 0 2 2 NaN"),
            "1 0\n5945\n0 0 0 0 0 0",
            "-1 0",
            "18446744073709551615 0",
            "99999999999999999999 0",
            "0 0\nmore",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[0-9a-f \n\r{}\":,x-]{0,200}") {
            let _ = parse(&text);
        }

        /// A whole answer that is cut anywhere is refused, or is the whole but for its last line's end.
        #[test]
        fn a_cut_answer_is_never_taken_for_another(cut in 0_usize..120) {
            let text = format!("1 1\n{A}\n2 0 2 5 6 5\n{B} 1 2 0 2\n");
            let cut = cut.min(text.len() - 1);
            let whole = parse(&text);
            match parse(&text[..cut]) {
                Ok(reply) if cut > 0 => prop_assert_eq!(Ok(reply), whole),
                _ => {}
            }
        }
    }
}
