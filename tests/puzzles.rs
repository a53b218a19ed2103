//! Tests of `amazons puzzles`, and of the puzzles on the page.

use crate::common::{assert_rejected, fresh_path, output, text};
use analysis::position::{Searcher, analysis_settings};
use analysis::puzzle::{Kind, Puzzle};
use engine::board::Player;
use engine::budget::Budget;
use engine::movegen;
use record::{cells, formats::fen};
use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::AtomicBool;

/// Match log of a game that contains puzzles.
const GAME: &str = "tests/logs/game_bot003_bot032.json";

/// File of the page's puzzles.
pub const SET: &str = include_str!("../src/page/puzzles.txt");

/// Reads the puzzles of a file, one per line after the heading.
pub fn puzzles(file: &str) -> Vec<Puzzle> {
    file.lines().skip(1).map(puzzle).collect()
}

/// Parses a puzzle in the text format of the program.
pub fn puzzle(text: &str) -> Puzzle {
    let (about, other) = text.split_once(" / ").expect("two lines");
    let words: Vec<&str> = about.split(' ').collect();
    let [kind, difficulty, position, best @ ..] = &words[..] else {
        panic!("{text}")
    };
    let other: Vec<&str> = other.split(' ').collect();
    let [other @ .., chance, less] = &other[..] else {
        panic!("{text}")
    };
    let moves = |words: &[&str]| {
        words
            .iter()
            .map(|word| word.parse().expect("a move"))
            .collect()
    };
    let (squares, to_move) = position.split_once('-').expect("somebody to move");
    let players = [("b", Player::Black), ("w", Player::White)];
    let to_move = players.into_iter().find(|(name, _)| *name == to_move);
    Puzzle {
        kind: *Kind::ALL
            .iter()
            .find(|known| known.name() == *kind)
            .expect("a kind"),
        difficulty: difficulty.parse().expect("a number"),
        board: cells::read(&fen::unpack_row(squares), to_move.expect("a player").1)
            .expect("a board"),
        best: moves(best),
        other: moves(other),
        chances: [chance, less].map(|chance| chance.parse().expect("a number")),
    }
}

#[test]
fn game_yields_puzzles_and_counts_rejected_positions() {
    let path = fresh_path("puzzles_of_a_game.txt");
    let name = path.to_str().expect("UTF-8");
    let command = ["puzzles", GAME, "--iterations", "100", "--out", name];
    // The second run replaces the file of the first.
    for _ in 0..2 {
        let done = output(&command, "");
        assert!(done.status.success(), "{}", text(&done.stderr));
    }
    let file = fs::read_to_string(&path).expect("written");
    let head = file.lines().next().expect("a head");
    assert!(
        head.starts_with(
            "# amazons puzzles: 100 iterations, checked by 10000; 55 positions of 1 game: "
        ),
        "{head}"
    );
    let counts = head.split(": ").nth(2).expect("counts").split(", ");
    let counts = counts.map(|part| {
        part.split(' ')
            .next()
            .and_then(|count| count.parse::<usize>().ok())
    });
    assert_eq!(counts.map(Option::unwrap).sum::<usize>(), 55, "{head}");
    let found = puzzles(&file);
    assert!(!found.is_empty());
    for (puzzle, line) in found.iter().zip(file.lines().skip(1)) {
        assert_eq!(puzzle.to_string(), line);
        assert!(puzzle.fits_kind(puzzle.kind), "{line}");
    }
    fs::write(&path, "a letter").expect("writable");
    assert_rejected(
        &output(&command, ""),
        &["is there and is not a file of puzzles"],
    );
}

#[test]
fn page_has_enough_valid_puzzles_per_kind() {
    let set = puzzles(SET);
    assert!(set.len() >= 100, "{}", set.len());
    assert!(SET.len() <= 15 * 1024, "{} bytes", SET.len());
    let positions: BTreeSet<String> = set
        .iter()
        .map(|puzzle| format!("{:?}", puzzle.board))
        .collect();
    assert_eq!(positions.len(), set.len(), "none is there twice");
    for kind in Kind::ALL {
        let count = set.iter().filter(|puzzle| puzzle.kind == kind).count();
        assert!(count >= 10, "{kind:?}: {count}");
    }
    for puzzle in &set {
        assert!(puzzle.fits_kind(puzzle.kind), "{puzzle}");
        let [best, other] = puzzle.chances;
        assert!(best >= 50 && best >= other + 10, "{puzzle}");
        assert_ne!(puzzle.best[0], puzzle.other[0], "{puzzle}");
        assert!(movegen::count(&puzzle.board) >= 10, "{puzzle}");
    }
}

/// A search as long as the verifying one prefers each puzzle's best move; tests every tenth puzzle.
#[test]
fn search_agrees_with_puzzles_of_the_page() {
    let stop = AtomicBool::new(false);
    let searcher = Searcher {
        budget: Budget::Iterations(100_000),
        settings: analysis_settings(16 << 20, 1),
        multipv: 2,
        stop: &stop,
    };
    for puzzle in puzzles(SET).iter().step_by(10) {
        let found = searcher
            .search_position(&puzzle.board, None)
            .expect("not broken off");
        // If the search proves a win before it tries another move, there is no second candidate.
        let (best, other) = match &found.candidates[..] {
            [best, other] => (best, other.win_probability),
            [best] if best.win_probability == 1.0 => (best, 0.0),
            _ => panic!("{puzzle}"),
        };
        assert_eq!(best.turn, puzzle.best[0], "{puzzle}");
        assert!(best.win_probability >= other + 0.10, "{puzzle}");
    }
}
