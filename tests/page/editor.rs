//! Positions that are set up, and games in links.

use super::seen::{cells, choices, hash, letters, listed, place, square, wait_for_moves};
use super::{Site, log};
use crate::common::browser::{Page, Window};
use amazons::board::Board;
use amazons::tools::record::tree::Record;

/// A position in the letters of the page. The black amazon on c1 can't move.
const CELLS: &str = concat!(
    ".xbx....", ".xxx....", "......b.", "........", "b......b", "...w....", "w......w", "...w....",
);

fn is_disabled(page: &Page, css: &str) -> bool {
    page.eval(&format!("document.querySelector('{css}').disabled")) == true
}

/// Puts what a brush holds on all squares where [`CELLS`] has a letter.
fn paint(page: &Page, brush: &str, letter: char) {
    page.click(&format!("#brush-{brush}"));
    for (at, _) in CELLS.match_indices(letter) {
        let name = format!("{}{}", char::from(b'a' + (at % 8) as u8), at / 8 + 1);
        page.click(&square(&name));
    }
}

/// Checks that the position can't be studied, and why.
fn assert_faulty(page: &Page, fault: &str) {
    assert_eq!(page.text("#editor-fault"), fault);
    assert!(is_disabled(page, "#editor-done"));
}

#[test]
fn a_position_is_set_up_and_sent_as_a_link() {
    let Some(site) = Site::start() else { return };
    let page = site.open("", Window::DESKTOP);
    page.click("#tab-study");
    page.click("#editor-open");
    assert_eq!(page.text("#editor-fault"), "");
    page.click("#editor-clear");
    assert_faulty(&page, "Black has 0 amazons, expected 4.");
    paint(&page, "black", 'b');
    assert_faulty(&page, "White has 0 amazons, expected 4.");
    paint(&page, "white", 'w');
    paint(&page, "arrow", 'x');
    assert!(!is_disabled(&page, "#editor-done"));
    // What is there already is taken away; an empty brush takes anything.
    page.click("#brush-white");
    page.click(&square("d8"));
    assert_faulty(&page, "White has 3 amazons, expected 4.");
    page.click(&square("d8"));
    page.click(&square("h1"));
    assert_faulty(&page, "White has 5 amazons, expected 4.");
    page.click("#brush-empty");
    page.click(&square("h1"));
    assert_eq!(page.text("#editor-fault"), "");
    page.choose("#mover", "white");
    page.click("#editor-done");
    assert_eq!(cells(&page), CELLS);
    assert_eq!(
        choices(&page).into_iter().collect::<Vec<_>>(),
        ["a7", "d6", "d8", "h7"]
    );
    let other = site.open(&hash(&page, "s="), Window::DESKTOP);
    assert_eq!(cells(&other), CELLS);
    assert_eq!(other.text("#position"), "Start, White to move");
    // The editor begins with what is shown; whoever leaves it changes nothing.
    other.click("#editor-open");
    other.choose("#mover", "black");
    other.click("#editor-cancel");
    assert_eq!(other.text("#position"), "Start, White to move");
    other.click("#editor-open");
    other.choose("#mover", "black");
    other.click("#editor-done");
    assert_eq!(
        choices(&other).into_iter().collect::<Vec<_>>(),
        ["a5", "g3", "h5"]
    );
    // No match log begins there.
    assert!(is_disabled(&other, "#review-run"));
    assert!(other.text("#review-note").contains("start position"));
    for amazon in ["g3", "g4", "g3"] {
        other.click(&square(amazon));
    }
    other.choose("#save-as", "log");
    other.click("#save");
    other.wait_for("/begins at the start/.test(document.querySelector('#notice').textContent)");
    other.choose("#save-as", "sgf");
    other.click("#save");
    let record = Record::read(&other.downloaded("amazons.sgf")).expect("a record");
    assert_eq!(letters(record.game.start()), CELLS);
    assert_eq!(record.game.turns()[0].to_string(), "g3 g4 g3");
    other.reload();
    assert_eq!(listed(&other), ["g3 g4 g3"]);
    other.click("#editor-open");
    other.click("#editor-start");
    other.click("#editor-done");
    assert_eq!(cells(&other), letters(&Board::start()));
}

#[test]
fn a_link_holds_a_whole_game_at_a_position() {
    let Some(site) = Site::start() else { return };
    let page = site.open("", Window::DESKTOP);
    page.drop_file("body", "a game.json", &log("game_bot003_bot032"));
    page.wait_for("document.body.dataset.tab === 'study'");
    page.key("Home");
    (0..7).for_each(|_| page.key("ArrowRight"));
    let seen = |page: &Page| {
        let names = ["black", "white"].map(|player| page.text(&format!("#name-{player}")));
        (cells(page), listed(page), place(page), names)
    };
    assert!(place(&page).starts_with("7 / "));
    let link = hash(&page, "p=7");
    let other = site.open(&link, Window::DESKTOP);
    assert_eq!(seen(&other), seen(&page));
    other.click("#first");
    other.go(&link);
    other.wait_for("/^7 /.test(document.querySelector('#place').textContent)");
    assert_eq!(seen(&other), seen(&page));
}

#[test]
fn a_move_typed_in_the_editor_is_not_played_behind_it() {
    let Some(site) = Site::start() else { return };
    let page = site.open("", Window::DESKTOP);
    page.click("#tab-study");
    page.click("#editor-open");
    page.click("#typed");
    page.type_text("c1 c6 f6\n");
    assert!(page.text("#notice").contains("no legal move here"));
    page.click("#editor-cancel");
    wait_for_moves(&page, 0);
    assert_eq!(cells(&page), letters(&Board::start()));
}

#[test]
fn damaged_links_say_so() {
    let Some(site) = Site::start() else { return };
    // No move, a move's half, an illegal move, no letter of ours, no position, too few amazons.
    for damaged in [
        "#g=",
        "#g=AA",
        "#g=AAA",
        "#g=%C3%A4bc",
        "#g=&s=9",
        "#g=&s=bbbbwww57-b",
    ] {
        let page = site.open(damaged, Window::DESKTOP);
        assert_eq!(page.text("#notice"), "The link holds no game.", "{damaged}");
        assert_eq!(cells(&page), letters(&Board::start()));
        page.click("#tab-study");
        page.go(damaged);
        page.wait_for("!/^#g=.+/.test(location.hash)");
        assert_eq!(cells(&page), letters(&Board::start()));
    }
    // The place in the game is no matter of life and death.
    let game = "g=CqtohB";
    for (number, shown) in [("-3", 0), ("1.5", 1), ("99", 2), ("x", 0), ("", 0)] {
        let page = site.open(&format!("#{game}&p={number}"), Window::DESKTOP);
        wait_for_moves(&page, 2);
        assert_eq!(place(&page), format!("{shown} / 2"), "{number}");
        let said = format!("The link asks for position “{number}” of a game of 2 moves.");
        assert_eq!(page.text("#notice"), said);
    }
}
