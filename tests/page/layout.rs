//! Layout tests: the board fills the window, the controls are in view, and the board stays in place.

use super::play::{OPENING, begin};
use super::study::review_log;
use super::view::{SETTLED, click_move, square, wait_for_moves};
use super::{desktop, log};
use crate::common::browser::{Page, Window};
use serde_json::{Value, json};

/// Window width and height, and minimum side of the board, in pixels: two desktops, a phone on its side and upright, a tablet.
const SIZES: [(u32, u32, f64); 5] = [
    (1920, 1080, 930.0),
    (1280, 720, 580.0),
    (844, 390, 380.0),
    (390, 844, 340.0),
    (768, 1024, 650.0),
];

/// Returns a window of the given size; windows of phones and tablets are touch screens.
fn window(width: u32, height: u32) -> Window {
    let touch = width < 1000;
    Window {
        width,
        height,
        touch,
        ..Window::DESKTOP
    }
}

/// Filters the selectors whose element is not completely visible in the window, or is covered by another element.
const UNSEEN: &str = r#"(selectors) => selectors.filter((selector) => {
    const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
    const isInside = right > left && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const covering = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return !isInside || !covering || !document.querySelector(selector).contains(covering);
})"#;

fn unseen(page: &Page, selectors: &[&str]) -> Value {
    page.eval(&format!("({UNSEEN})({})", json!(selectors)))
}

/// Returns the board's left, top, width and height in the page, in pixels.
fn board_box(page: &Page) -> Vec<f64> {
    let place = "(({ x, y, width, height }) => [x, y + scrollY, width, height])(document.querySelector('#board').getBoundingClientRect())";
    let place: Vec<f64> = serde_json::from_value(page.eval(place)).expect("numbers");
    place.into_iter().map(f64::round).collect()
}

#[test]
fn board_fills_the_window_with_controls_in_view() {
    let Some(page) = desktop() else { return };
    begin(&page, &[("#seat-white", "person")]);
    click_move(&page, OPENING[0]);
    let always = ["#board", ".strip.black", ".strip.white", "#next", "#flip"];
    let play = ["#status", "#undo", "#hint", "#resign", "#new-game"];
    let study = ["#thinks"];
    let on_a_desktop = ["#moves", "#curve", "#review-run", "#show-best", "#typed"];
    for tab in ["play", "study"] {
        page.click(&format!("#tab-{tab}"));
        for (width, height, side) in SIZES {
            page.set_window(window(width, height));
            page.eval(&format!("scrollTo(0, 0), {SETTLED}"));
            let board = board_box(&page);
            assert!(board[2] >= side, "{width} x {height}: {board:?}");
            let needed = match tab {
                "play" => [&always[..], &play].concat(),
                _ if width > 1000 => [&always[..], &study, &on_a_desktop].concat(),
                _ => [&always[..], &study].concat(),
            };
            let unseen = unseen(&page, &needed);
            assert_eq!(unseen, json!([]), "{tab}, {width} x {height}");
            assert!(!page.scrolls_sideways(), "{tab}, {width} x {height}");
        }
        // A desktop at 200 % zoom, telephones held sideways.
        for width in (600..=840).step_by(40) {
            page.set_window(window(width, 360));
            page.eval(SETTLED);
            assert!(!page.scrolls_sideways(), "{tab}, {width} x 360");
            let language = unseen(&page, &["[data-language=zh]", "#look-open"]);
            assert_eq!(language, json!([]), "{tab}, {width} x 360");
        }
    }
}

#[test]
fn reviewed_log_leaves_controls_in_view() {
    let Some(page) = desktop() else { return };
    review_log(&page, "game_bot003_bot032");
    page.set_window(window(1280, 720));
    page.eval(&format!(
        "document.querySelector('.cards').scrollTo(0, 0), {SETTLED}"
    ));
    let needed = ["#mistake-next", "#thinks", "#curve", "#review-run"];
    assert_eq!(unseen(&page, &needed), json!([]), "at the start");
    assert!(
        page.text("#bar-charts").contains("Memory"),
        "it has more to show"
    );
    page.click("#mistake-next");
    while !page.exists("#reasons .reason") {
        page.click("#mistake-next");
    }
    let needed = ["#mistake-next", "#verdict", "#reasons", "#thinks"];
    assert_eq!(unseen(&page, &needed), json!([]), "at a mistake");
}

#[test]
fn board_stays_in_place() {
    let Some(page) = desktop() else { return };
    review_log(&page, "random_vs_random");
    for (width, height) in [(1280, 720), (844, 390), (390, 844)] {
        page.set_window(window(width, height));
        // Hides a notice of an earlier step.
        page.eval("document.querySelector('#notice').hidden = true");
        page.eval(SETTLED);
        let before = board_box(&page);
        let stays = |what: &str| assert_eq!(board_box(&page), before, "{what}, {width} x {height}");
        page.click("#typed");
        page.type_text("a1\n");
        page.wait_for("!document.querySelector('#notice').hidden");
        stays("a notice");
        page.click("#show-bar");
        stays("the bar");
        page.click("#show-bar");
        page.click("#editor-open");
        stays("the editor");
        page.click("#editor-cancel");
        page.click("#lesson-start");
        stays("a lesson");
        page.click("#lesson-quit");
        page.click("#tab-play");
        stays("the game");
        page.click("#tab-study");
    }
    let before = board_box(&page);
    page.drop_files(&[("other.json", &log("fault_crash"))]);
    wait_for_moves(&page, 10);
    assert_eq!(board_box(&page), before, "a file");
}

/// Tests if every letter and number at the edge of the board is next to the squares with this name.
const LABELLED: &str = r#"[...document.querySelectorAll('#board text')].every((text) => {
    const isRank = /\d/.test(text.textContent);
    const name = isRank ? 'a' + text.textContent : text.textContent + '1';
    const [own, other] = [text, document.querySelector(`[data-square=${name}]`)].map((element) => element.getBoundingClientRect());
    const middle = ({ left, right, top, bottom }) => isRank ? (top + bottom) / 2 : (left + right) / 2;
    return Math.abs(middle(own) - middle(other)) < 10;
})"#;

#[test]
fn flipped_board_moves_labels_pieces_and_keys() {
    let Some(page) = desktop() else { return };
    page.set_window(Window {
        still: true,
        ..Window::DESKTOP
    });
    // Returns the grid cell of an element: 0 at the upper left, 63 at the lower right.
    let at = |css: &str| {
        let place = format!(
            "(() => {{ const board = document.querySelector('#squares').getBoundingClientRect();
                const {{ left, right, top, bottom }} = document.querySelector({}).getBoundingClientRect();
                const index = (middle, from, size) => Math.floor(8 * (middle - from) / size);
                return 8 * index((top + bottom) / 2, board.top, board.height) + index((left + right) / 2, board.left, board.width); }})()",
            json!(css)
        );
        page.eval(&place).as_i64().expect("a number")
    };
    let is_black_below = || {
        page.eval("document.querySelector('.strip.black').getBoundingClientRect().top > document.querySelector('#board').getBoundingClientRect().top")
    };
    let check = |is_flipped: bool| {
        let expected = if is_flipped { [63, 0, 61] } else { [0, 63, 2] };
        assert_eq!(["a1", "h8", "c1"].map(|name| at(&square(name))), expected);
        assert_eq!(at("#drawing .amazon.black"), expected[2]);
        assert_eq!(page.eval(LABELLED), true);
        assert_eq!(is_black_below(), is_flipped);
    };
    // a1 is at the upper left for everybody. The page offers once to turn the board for a person who plays black.
    check(false);
    page.click("#newcomer-no");
    page.click("#turn-yes");
    check(true);
    begin(
        &page,
        &[("#seat-black", "level-1"), ("#seat-white", "person")],
    );
    assert_eq!(is_black_below(), true);
    page.click("#flip");
    begin(&page, &[("#seat-black", "person")]);
    check(false);
    assert!(page.exists("#turn-offer[hidden]"));
    page.click("#flip");
    check(true);
    page.reload();
    check(true);
    // Arrow keys and clicks follow the flipped board.
    page.eval("document.querySelector('[data-square=a1]').focus()");
    page.key("Enter");
    page.key("ArrowUp");
    page.key("ArrowLeft");
    assert_eq!(page.eval("document.activeElement.dataset.square"), "b2");
    click_move(&page, OPENING[0]);
    assert_eq!(at("#drawing rect.arrow"), at(&square("f6")));
}
