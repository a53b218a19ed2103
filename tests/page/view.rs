//! Helpers that read the page's visible state and compare it with the engine's rules. They expect the page in English.

use crate::common::browser::Page;
use engine::board::{Board, Cell, Move, Player, Square};
use engine::movegen;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The letters of all squares, from their accessible names.
const CELLS: &str = r#"[...document.querySelectorAll("[data-square]")].map((square) => {
    const name = square.getAttribute("aria-label").toLowerCase();
    return name.includes("black amazon") ? "b" : name.includes("white amazon") ? "w" : name.includes("arrow") ? "x" : ".";
}).join("")"#;

/// Waits for two frames, after which the drawings have adapted to a new width.
pub const SETTLED: &str =
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";

/// Returns the selector of a square.
pub fn square(name: &str) -> String {
    format!("[data-square={name}]")
}

/// Returns the text of a JSON string.
pub fn text(value: Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// Returns the texts of a JSON list of strings.
pub fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().expect("a list");
    list.iter().cloned().map(text).collect()
}

/// Returns the texts of all elements of a selector.
pub fn all_texts(page: &Page, css: &str) -> Vec<String> {
    let css = json!(css);
    texts(&page.eval(&format!(
        "[...document.querySelectorAll({css})].map((one) => one.textContent)"
    )))
}

/// Returns the selected value of a `select`.
pub fn selected(page: &Page, css: &str) -> String {
    text(page.eval(&format!("document.querySelector('{css}').value")))
}

/// Returns the shown board: a letter per square, row by row from a1.
pub fn cells(page: &Page) -> String {
    text(page.eval(CELLS))
}

/// Returns a board of the engine in the same letters as [`cells`].
pub fn cells_of(board: &Board) -> String {
    let letter = |square| match board[square] {
        Cell::Empty => '.',
        Cell::Arrow => 'x',
        Cell::Amazon(Player::Black) => 'b',
        Cell::Amazon(Player::White) => 'w',
        Cell::Border => unreachable!("no square"),
    };
    Square::all().map(letter).collect()
}

/// Returns the squares that can be selected.
pub fn selectable(page: &Page) -> BTreeSet<String> {
    let names =
        "[...document.querySelectorAll('#squares .may')].map((square) => square.dataset.square)";
    texts(&page.eval(names)).into_iter().collect()
}

/// Returns the moves of the list in its order, with variations and without annotation symbols.
pub fn listed_moves(page: &Page) -> Vec<String> {
    let moves =
        "[...document.querySelectorAll('#moves [data-node]')].map((move) => move.firstChild.data)";
    texts(&page.eval(moves))
}

/// Waits until the list has `count` moves.
pub fn wait_for_moves(page: &Page, count: usize) {
    page.wait_for(&format!(
        "document.querySelectorAll('#moves [data-node]').length === {count}"
    ));
}

/// Waits until the address's hash contains `part`, because the page updates it with a delay; returns the hash.
pub fn wait_for_hash(page: &Page, part: &str) -> String {
    text(page.wait_for(&format!(
        "location.hash.includes('{part}') && location.hash"
    )))
}

/// Returns the shown place in the game, such as `2 / 40`.
pub fn place_label(page: &Page) -> String {
    page.text("#place")
}

/// Waits until the page shows this place in the game.
pub fn wait_for_place(page: &Page, place: &str) {
    page.wait_for(&format!(
        "document.querySelector('#place').textContent === '{place}'"
    ));
}

/// Advances the page's clock.
pub fn advance_clock(page: &Page, seconds: u32) {
    page.eval(&format!(
        "{{ const now = performance.now.bind(performance); performance.now = () => now() + {seconds}_000; }}"
    ));
}

/// Returns the position after moves from the start.
///
/// # Panics
/// If a move is illegal.
pub fn board_after(moves: &[String]) -> Board {
    let mut board = Board::start();
    for word in moves {
        let turn: Move = word.parse().expect("a move");
        board.play(turn).expect("a legal move");
    }
    board
}

/// Returns the three squares of a move.
pub fn squares(turn: &str) -> [&str; 3] {
    let words: Vec<&str> = turn.split(' ').collect();
    words.try_into().expect("three squares")
}

/// Plays a move by three clicks.
pub fn click_move(page: &Page, turn: &str) {
    for name in squares(turn) {
        page.click(&square(name));
    }
}

/// Plays a move by three clicks; checks before each click that the page offers exactly the squares of legal moves.
pub fn click_checked(page: &Page, board: &Board, turn: Move) {
    let moves = movegen::moves(board);
    let (from, to) = (turn.from, turn.to);
    let offered = |names: BTreeSet<String>| assert_eq!(selectable(page), names);
    offered(moves.iter().map(|m| m.from.to_string()).collect());
    page.click(&square(&from.to_string()));
    let walks = moves.iter().filter(|m| m.from == from);
    offered(walks.map(|m| m.to.to_string()).collect());
    page.click(&square(&to.to_string()));
    let shots = moves.iter().filter(|m| m.from == from && m.to == to);
    offered(shots.map(|m| m.arrow.to_string()).collect());
    page.click(&square(&turn.arrow.to_string()));
}
