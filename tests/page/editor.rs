//! Position editor, and games in links.

use super::desktop;
use super::view::{
    cells, cells_of, click_move, listed_moves, selectable, square, wait_for_hash, wait_for_moves,
    wait_for_place,
};
use crate::common::browser::{Page, Window};
use engine::board::Board;
use record::tree::Record;

/// A position as the page's 64 cells. The black amazon on c1 can't move.
const CELLS: &str = concat!(
    ".xbx....", ".xxx....", "......b.", "........", "b......b", "...w....", "w......w", "...w....",
);

/// Paints all squares that have `letter` in [`CELLS`] with a brush.
fn paint(page: &Page, brush: &str, letter: char) {
    page.click(&format!("#brush-{brush}"));
    for (at, _) in CELLS.match_indices(letter) {
        let name = format!("{}{}", char::from(b'a' + (at % 8) as u8), at / 8 + 1);
        page.click(&square(&name));
    }
}

/// Checks that the editor rejects the position with a message that starts with `fault`.
fn assert_faulty(page: &Page, fault: &str) {
    assert!(page.text("#editor-fault").starts_with(fault));
    assert!(page.exists("#editor-done:disabled"));
}

#[test]
fn edited_position_is_studied_saved_and_linked() {
    let Some(page) = desktop() else { return };
    page.click("#tab-study");
    page.click("#editor-open");
    assert_eq!(page.text("#editor-fault"), "");
    // While the editor is open, no move can be played.
    page.click("#typed");
    page.type_text("c1 c6 f6\n");
    assert!(page.text("#notice").contains("no legal move here"));
    page.click("#editor-clear");
    assert_faulty(&page, "Black has 0 amazons");
    paint(&page, "black", 'b');
    assert_faulty(&page, "White has 0 amazons");
    paint(&page, "white", 'w');
    paint(&page, "arrow", 'x');
    assert!(page.exists("#editor-done:enabled"));
    // A brush removes a piece of its own kind; the empty brush removes any piece.
    page.click("#brush-white");
    page.click(&square("d8"));
    assert_faulty(&page, "White has 3 amazons");
    page.click(&square("d8"));
    page.click(&square("h1"));
    assert_faulty(&page, "White has 5 amazons");
    page.click("#brush-empty");
    page.click(&square("h1"));
    assert_eq!(page.text("#editor-fault"), "");
    page.choose("#mover", "white");
    page.click("#editor-done");
    assert_eq!(cells(&page), CELLS);
    assert_eq!(Vec::from_iter(selectable(&page)), ["a7", "d6", "d8", "h7"]);
    let other = page.open_fresh(&wait_for_hash(&page, "s="), Window::DESKTOP);
    assert_eq!(cells(&other), CELLS);
    // The editor starts with the shown position; cancelling changes nothing.
    for (button, mover) in [("cancel", "White"), ("done", "Black")] {
        other.click("#editor-open");
        other.choose("#mover", "black");
        other.click(&format!("#editor-{button}"));
        assert_eq!(other.text("#position"), format!("Start, {mover} to move"));
    }
    assert_eq!(Vec::from_iter(selectable(&other)), ["a5", "g3", "h5"]);
    // Match logs and reviews need the standard start position.
    assert!(other.exists("#review-run:disabled"));
    let turn = "g3 g4 g3";
    click_move(&other, turn);
    other.click("#room-file");
    other.choose("#save-as", "log");
    other.click("#save");
    other.wait_for("/begins at the start/.test(document.querySelector('#notice').textContent)");
    other.choose("#save-as", "sgf");
    other.click("#save");
    let record = Record::read(&other.downloaded("amazons.sgf")).expect("a record");
    assert_eq!(cells_of(record.game.start()), CELLS);
    assert_eq!(record.game.turns()[0].to_string(), turn);
    other.reload();
    assert_eq!(listed_moves(&other), [turn]);
    other.click("#editor-open");
    other.click("#editor-start");
    other.click("#editor-done");
    assert_eq!(cells(&other), cells_of(&Board::start()));
}

#[test]
fn damaged_links_are_reported_and_places_clamped() {
    let Some(first) = desktop() else { return };
    // No move, half a move, an illegal move, an unknown letter, no position, too few amazons.
    for damaged in [
        "#g=",
        "#g=AA",
        "#g=AAA",
        "#g=%C3%A4bc",
        "#g=&s=9",
        "#g=&s=bbbbwww57-b",
    ] {
        let page = first.open_fresh(damaged, Window::DESKTOP);
        assert_eq!(page.text("#notice"), "The link holds no game.", "{damaged}");
        assert_eq!(cells(&page), cells_of(&Board::start()));
        page.click("#tab-study");
        page.set_hash(damaged);
        page.wait_for("!/^#g=.+/.test(location.hash)");
        assert_eq!(cells(&page), cells_of(&Board::start()));
    }
    // An invalid place in the game is clamped and reported.
    for (number, shown) in [
        ("1", 1),
        ("-3", 0),
        ("1.5", 1),
        ("99", 2),
        ("x", 0),
        ("", 0),
    ] {
        let link = format!("#g=CqtohB&b=Anna&w=Ben&p={number}");
        let page = first.open_fresh(&link, Window::DESKTOP);
        wait_for_moves(&page, 2);
        let place = format!("{shown} / 2");
        wait_for_place(&page, &place);
        let is_reported = page.text("#notice").contains(&format!("“{number}”"));
        assert_eq!(is_reported, number != "1", "{number}");
        // A window that shows another game opens the link in the same way.
        page.set_hash("#g=CqtohB");
        wait_for_place(&page, "2 / 2");
        page.set_hash(&link);
        wait_for_place(&page, &place);
        let names = ["black", "white"].map(|player| page.text(&format!("#name-{player}")));
        assert_eq!(names, ["Anna", "Ben"]);
    }
}
