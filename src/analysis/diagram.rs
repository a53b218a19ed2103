//! Draws positions as text, with the squares of a bot's answer marked.

use super::glossary::{COMMA, Language, terms};
use engine::board::{Board, IllegalMove, Move, Square};
use record::judge::Coordinates;

/// Length of each line of a text diagram, in bytes: a row number or a blank, eight squares of two bytes each, and a
/// line break.
const LINE_BYTES: usize = 18;

terms! {
    FROM: "1 from {0}", "1 起点 {0}";
    TO: "2 to {0}", "2 落点 {0}";
    ARROW: "3 arrow {0}", "3 箭 {0}";
    AT_FAULT: "! {0} breaks the rule", "! {0} 违规";
}

/// Draws the position `board` as text. If a bot's `answer` is given, marks its squares and explains the marks in a last
/// line, in `language`. A square's mark is the character to the left of its content: `1` for the amazon's start, `2` for
/// its target, `3` for the arrow, `!` where the answer breaks a rule.
///
/// ```
/// use engine::board::Board;
/// use analysis::{diagram::draw, glossary::Language};
/// use record::judge::Coordinates;
/// let answer = Coordinates::new([2, 0, 2, 1, 2, 7]);
/// assert_eq!(format!("\n{}", draw(&Board::start(), Some(answer), Language::En)), "
///   a b c d e f g h
/// 1 . .1B . . B . .
/// 2 . .2. . . . . .
/// 3 B . . . . . . B
/// 4 . . . . . . . .
/// 5 . . . . . . . .
/// 6 W . . . . . . W
/// 7 . . . . . . . .
/// 8 . .!W . . W . .
/// 1 from c1, 2 to c2, 3 arrow c8, ! c8 breaks the rule
/// ");
/// ```
#[must_use]
pub fn draw(board: &Board, answer: Option<Coordinates>, language: Language) -> String {
    let mut text = board.to_string();
    let Some(answer) = answer else { return text };
    let [x0, y0, x1, y1, x2, y2] = answer.numbers();
    let places = [[x0, y0], [x1, y1], [x2, y2]];
    let mut legend = Vec::new();
    // If two of the answer's squares are equal, the mark with the smaller number has to remain visible. So the marks
    // are set in reverse order, the smallest number last.
    let marks = [("1", FROM), ("2", TO), ("3", ARROW)];
    for ([x, y], (mark, term)) in places.into_iter().zip(marks).rev() {
        let found = square_at([x, y]);
        if let Some(square) = found {
            set_mark(&mut text, square, mark);
        }
        let name = found.map_or(format!("({x}, {y})"), |square| square.to_string());
        legend.insert(0, term.fill(language, &[&name]));
    }
    if let Some(square) = faulty_square(board, answer) {
        set_mark(&mut text, square, "!");
        legend.push(AT_FAULT.fill(language, &[&square]));
    }
    text + &legend.join(COMMA.text(language)) + "\n"
}

/// Marks `square` in `text`, a text diagram of the board: `mark`, one ASCII character, replaces the character to the
/// left of the square's content.
fn set_mark(text: &mut String, square: Square, mark: &str) {
    let at = LINE_BYTES * (usize::from(square.y()) + 1) + 2 * usize::from(square.x()) + 1;
    text.replace_range(at..=at, mark);
}

/// Returns the square in column `x` (0 to 7, from file a) and row `y` (0 to 7, from rank 1); `None` if it is off the
/// board.
fn square_at([x, y]: [i64; 2]) -> Option<Square> {
    Square::new(x.try_into().ok()?, y.try_into().ok()?)
}

/// Returns the square on which an illegal `answer` breaks a rule. It is the start square if no amazon of the side to
/// move stands there, otherwise the first occupied square in the way of the amazon or of the arrow.
///
/// Returns `None` in three cases: the answer is legal, it has a square off the board, or no single square is at fault
/// (for example, the amazon would not move along a row, column or diagonal).
pub fn faulty_square(board: &Board, answer: Coordinates) -> Option<Square> {
    let turn = Move::from_coordinates(answer.numbers()).ok()?;
    match board.check(turn).err()? {
        IllegalMove::NotYourAmazon { square, .. } | IllegalMove::Blocked { square, .. } => {
            Some(square)
        }
        IllegalMove::StandsStill { .. } | IllegalMove::NotAQueenLine { .. } => None,
    }
}
