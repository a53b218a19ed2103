//! What the page shows, as a reader of English sees it, and the same by the rules of the crate.

use crate::common::browser::Page;
use engine::board::{Board, Cell, Move, Player, Square};
use engine::movegen;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The letters of all squares, from the names that screen readers hear.
const CELLS: &str = r#"[...document.querySelectorAll("[data-square]")].map((square) => {
    const name = square.getAttribute("aria-label").toLowerCase();
    return name.includes("black amazon") ? "b" : name.includes("white amazon") ? "w" : name.includes("arrow") ? "x" : ".";
}).join("")"#;

/// Two frames, in which the drawings take a new width.
pub const SETTLED: &str =
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";

/// The selector of a square.
pub fn square(name: &str) -> String {
    format!("[data-square={name}]")
}

/// The text that a value is.
pub fn text(value: Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// The texts that a list holds.
pub fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().expect("a list");
    list.iter().cloned().map(text).collect()
}

/// The texts of all elements of a selector.
pub fn all(page: &Page, css: &str) -> Vec<String> {
    let css = json!(css);
    texts(&page.eval(&format!(
        "[...document.querySelectorAll({css})].map((one) => one.textContent)"
    )))
}

/// What is chosen in a `select`.
pub fn chosen(page: &Page, css: &str) -> String {
    text(page.eval(&format!("document.querySelector('{css}').value")))
}

/// The board: a letter for every square by rows from a1.
pub fn cells(page: &Page) -> String {
    text(page.eval(CELLS))
}

/// The same of a board of the crate.
pub fn letters(board: &Board) -> String {
    let letter = |square| match board[square] {
        Cell::Empty => '.',
        Cell::Arrow => 'x',
        Cell::Amazon(Player::Black) => 'b',
        Cell::Amazon(Player::White) => 'w',
        Cell::Border => unreachable!("no square"),
    };
    Square::all().map(letter).collect()
}

/// The squares that may be chosen.
pub fn choices(page: &Page) -> BTreeSet<String> {
    let names =
        "[...document.querySelectorAll('#squares .may')].map((square) => square.dataset.square)";
    texts(&page.eval(names)).into_iter().collect()
}

/// The list of moves as it stands, with variations and without signs.
pub fn listed(page: &Page) -> Vec<String> {
    let moves =
        "[...document.querySelectorAll('#moves [data-node]')].map((move) => move.firstChild.data)";
    texts(&page.eval(moves))
}

/// Waits until the list has so many moves.
pub fn wait_for_moves(page: &Page, count: usize) {
    page.wait_for(&format!(
        "document.querySelectorAll('#moves [data-node]').length === {count}"
    ));
}

/// What stands behind the page's address, once it has a part: the page writes it down a moment later.
pub fn hash(page: &Page, part: &str) -> String {
    text(page.wait_for(&format!(
        "location.hash.includes('{part}') && location.hash"
    )))
}

/// Which position is shown of how many.
pub fn place(page: &Page) -> String {
    page.text("#place")
}

/// Waits until this position is shown of so many.
pub fn wait_for_place(page: &Page, place: &str) {
    page.wait_for(&format!(
        "document.querySelector('#place').textContent === '{place}'"
    ));
}

/// Puts the page's clock forward.
pub fn pass(page: &Page, seconds: u32) {
    page.eval(&format!(
        "{{ const now = performance.now.bind(performance); performance.now = () => now() + {seconds}_000; }}"
    ));
}

/// The position after some moves.
///
/// # Panics
/// If one is illegal.
pub fn after(moves: &[String]) -> Board {
    let mut board = Board::start();
    for word in moves {
        let turn: Move = word.parse().expect("a move");
        board.play(turn).expect("a legal move");
    }
    board
}

/// The three squares of a move.
pub fn squares(turn: &str) -> [&str; 3] {
    let words: Vec<&str> = turn.split(' ').collect();
    words.try_into().expect("three squares")
}

/// Chooses a move by three clicks.
pub fn click_move(page: &Page, turn: &str) {
    for name in squares(turn) {
        page.click(&square(name));
    }
}

/// Chooses a move by three clicks; before each, the page offers just the squares that lead to legal moves.
pub fn click_checked(page: &Page, board: &Board, turn: Move) {
    let moves = movegen::moves(board);
    let (from, to) = (turn.from, turn.to);
    let offered = |names: BTreeSet<String>| assert_eq!(choices(page), names);
    offered(moves.iter().map(|m| m.from.to_string()).collect());
    page.click(&square(&from.to_string()));
    let walks = moves.iter().filter(|m| m.from == from);
    offered(walks.map(|m| m.to.to_string()).collect());
    page.click(&square(&to.to_string()));
    let shots = moves.iter().filter(|m| m.from == from && m.to == to);
    offered(shots.map(|m| m.arrow.to_string()).collect());
    page.click(&square(&turn.arrow.to_string()));
}
