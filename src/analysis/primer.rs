//! The primer: an interactive introduction to the rules. Each step shows a position and a task, which the learner
//! solves by one move of an amazon and its arrow.
//!
//! The web page and the terminal game both show the steps in [`STEPS`].

use super::glossary::{Language, Term};
use engine::board::{Board, Move, Player};
use engine::mcts::endgame::moves_left;
use engine::movegen;
use record::cells;
use serde_json::{Value, json};

/// A step of the primer: a position with black to move, and a task for the learner.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Heading of the step.
    pub title: Term,
    /// Explanation of a rule, and the task that the learner has to solve.
    pub task: Term,
    /// Feedback on a move that solves the task.
    pub done: Term,
    /// Feedback on a legal move that does not solve the task.
    pub missed: Term,
    /// The 64 squares of the position: eight rows from rank 1 to rank 8 with a blank between two rows, one letter per
    /// square (`b` and `w`: amazons, `x`: arrow, `.`: empty). Without the blanks they are what [`cells::read`] expects.
    rows: &'static str,
    /// Function that tests if a move solves the task. First argument: the position after the move; second: the move.
    is_solved: fn(&Board, Move) -> bool,
}

impl Step {
    /// Returns the step's position, with black to move.
    ///
    /// # Panics
    /// If `rows` is no valid position. The tests exclude this.
    #[must_use]
    pub fn board(&self) -> Board {
        cells::read(&self.rows.replace(' ', ""), Player::Black).expect("a position")
    }

    /// Tests if the move `turn` solves the task. `turn` must be legal in the step's position.
    ///
    /// # Panics
    /// If `turn` is illegal.
    #[must_use]
    pub fn is_solved_by(&self, turn: Move) -> bool {
        let mut board = self.board();
        board.play(turn).expect("a legal turn");
        (self.is_solved)(&board, turn)
    }
}

/// Square on which the arrow of the step “Walls” has to land: g7. First: column 6; second: row 6, both counted from 0.
const GAP_SQUARE: (u8, u8) = (6, 6);

/// Steps of the primer, in teaching order: how to move and shoot, walls of arrows, the end of the game, territory.
pub const STEPS: [Step; 4] = [
    Step {
        title: Term::new("A turn", "一步棋"),
        task: Term::new(
            "Amazons move like a chess queen: in any direction, as far as the way is free. Then they shoot an arrow, also like a queen. Make a turn.",
            "棋子的走法同国际象棋的后：八个方向，路上无阻挡时走几格都行。走到后从那里射一支箭，飞法相同。请走一步。",
        ),
        done: Term::new(
            "That is a whole turn: move, then shoot. The arrow stays to the end of the game.",
            "这就是完整的一步：先走，再射箭。箭一直留在棋盘上。",
        ),
        missed: Term::new("Make any turn.", "随便走一步即可。"),
        rows: "..b..b.. ........ b......b ........ ........ w......w ........ ..w..w..",
        is_solved: |_, _| true,
    },
    Step {
        title: Term::new("Walls", "墙"),
        task: Term::new(
            "Nothing passes an arrow or an amazon, and nothing is taken. White's amazon on h8 can only leave over g7: shoot at g7.",
            "箭和棋子都不能越过，也没有吃子。h8 的白棋只剩 g7 一个出口：请把箭射到 g7。",
        ),
        done: Term::new(
            "Shut in: that amazon can neither move nor shoot any more.",
            "围住了：这个棋子再也不能走，也不能射箭。",
        ),
        missed: Term::new(
            "The arrow has to land on g7. Go where the way to g7 is free.",
            "箭要落在 g7。请先走到能射到 g7 的格子。",
        ),
        rows: "..b..b.. ........ b...x... ......b. ...x.... w....... .......x ..w..wxw",
        is_solved: |_, turn| (turn.arrow.x(), turn.arrow.y()) == GAP_SQUARE,
    },
    Step {
        title: Term::new("The end", "胜负"),
        task: Term::new(
            "Whoever is to move and can't has lost. White can only go to d8: take that square, or shoot at it.",
            "轮到谁走而无处可走，谁就输。白方只能走到 d8：请占住它，或把箭射到那里。",
        ),
        done: Term::new(
            "White has no move: black has won.",
            "白方无着可走，黑方获胜。",
        ),
        missed: Term::new(
            "White can still go to d8. Shoot there or move there.",
            "白方还能走到 d8。请射到或走到那里。",
        ),
        rows: "........ ..x..b.. .x...... .....x.. b...x... ..x....b b..xxxxx ..x.wwww",
        is_solved: |board, _| movegen::count(board) == 0,
    },
    Step {
        title: Term::new("Territory", "领地"),
        task: Term::new(
            "In the end each side fills a room of its own: more squares, more moves. Shut the gap on e4 with an arrow, and stay on its left.",
            "到后来双方各填各的区域：格子多，步数就多。请用箭封住 e4 的缺口，黑棋都留在左边。",
        ),
        done: Term::new(
            "The left room is larger: white runs out of moves first. That is the whole game: take room, and leave the other side none.",
            "左边的区域更大，白方会先走完。这就是整个游戏：占住地盘，不给对方留地方。",
        ),
        missed: Term::new(
            "The rooms are still joined. Shoot at e4, from the left.",
            "两边还连着。请从左边把箭射到 e4。",
        ),
        rows: "xb..xx.w x...xw.x b.x.x.xx ..b..w.x xb.xx.wx xxxxxxxx xxxxxxxx xxxxxxxx",
        is_solved: |board, _| moves_left(board).is_some_and(|[black, white]| black > white),
    },
];

/// Returns the steps as a JSON list for the web page. Each step is an object with these keys:
///
/// - `title`: heading of the step, as an object with the keys `en` and `zh`.
/// - `task`: explanation of a rule, and the task, in the same form.
/// - `done`: text shown after a move that solves the task, in the same form.
/// - `missed`: text shown after any other legal move, in the same form.
/// - `cells`: the 64 squares row by row from a1, one letter each (`b` and `w`: amazons, `x`: arrow, `.`: empty).
/// - `moves`: list of the moves that solve the task, such as `c1 c6 f6`; `null` if all legal moves do.
#[must_use]
pub fn json() -> Value {
    let texts = |term: Term| {
        let texts =
            Language::ALL.map(|language| (language.tag().to_owned(), term.text(language).into()));
        Value::Object(texts.into_iter().collect())
    };
    let step = |step: &Step| {
        let all = movegen::moves(&step.board());
        let solutions = all.iter().filter(|turn| step.is_solved_by(**turn));
        let solutions: Vec<&Move> = solutions.collect();
        json!({
            "title": texts(step.title), "task": texts(step.task), "done": texts(step.done), "missed": texts(step.missed),
            "cells": step.rows.replace(' ', ""), "moves": (solutions.len() < all.len()).then_some(solutions),
        })
    };
    STEPS.iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the squares of the arrows of all moves that solve the task, sorted and without repetition.
    fn arrow_squares(step: &Step) -> Vec<String> {
        let all = movegen::moves(&step.board());
        let solutions = all.iter().filter(|turn| step.is_solved_by(**turn));
        let mut arrow_squares: Vec<String> = solutions.map(|turn| turn.arrow.to_string()).collect();
        arrow_squares.sort_unstable();
        arrow_squares.dedup();
        arrow_squares
    }

    #[test]
    fn tasks_are_solved_as_their_texts_say() {
        let [turn, walls, end, territory] = STEPS;
        assert_eq!(turn.board(), Board::start());
        let mut turns = movegen::moves(&turn.board()).into_iter();
        assert!(turns.all(|made| turn.is_solved_by(made)));
        assert_eq!(arrow_squares(&walls), ["g7"]);
        assert_eq!(arrow_squares(&territory), ["e4"]);
        for turn in movegen::moves(&end.board()) {
            let closes_d8 = [turn.to, turn.arrow]
                .iter()
                .any(|square| square.to_string() == "d8");
            assert_eq!(end.is_solved_by(turn), closes_d8, "{turn}");
        }
        // The tasks say what white could do if white were to move. “Walls”: white's amazon on h8 can leave its square,
        // so it must have a legal move. “The end”: white can only go to d8, so every legal move of white must lead
        // there.
        for (step, from, to) in [(walls, Some("h8"), "g7"), (end, None, "d8")] {
            let mut board = step.board();
            board.set_to_move(Player::White);
            let moves = movegen::moves(&board);
            let own = moves
                .iter()
                .filter(|turn| from.is_none_or(|from| turn.from.to_string() == from));
            assert!(own.clone().count() > 0);
            assert!(from.is_some() || own.clone().all(|turn| turn.to.to_string() == to));
        }
    }
}
