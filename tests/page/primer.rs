//! Tests of the tutorial on the rules, which the page offers to new users.

use super::phone;
use super::view::{click_move, listed_moves, text};
use crate::common::browser::Page;

fn message(page: &Page) -> String {
    page.text("#primer-message")
}

/// Tests if the current step is solved.
fn is_solved(page: &Page) -> bool {
    page.eval("!document.querySelector('#primer-next').disabled") == true
}

#[test]
fn newcomer_learns_rules_and_starts_first_game() {
    let Some(page) = phone() else { return };
    page.click("#newcomer-rules");
    assert_eq!(page.text("#primer-title"), "Step 1 of 4: A turn");
    page.click("[data-square=c1]");
    assert_eq!(message(&page), "Choose where the amazon goes.");
    assert!(!is_solved(&page));
    page.click("[data-square=c1]");
    click_move(&page, "c1 c6 f6");
    assert!(message(&page).starts_with("That is a whole turn"));
    page.click("#primer-next");
    // A wrong turn is taken back, and the step continues.
    click_move(&page, "g4 g5 f5");
    assert!(
        message(&page).contains("has to land on g7"),
        "{}",
        message(&page)
    );
    assert!(!is_solved(&page));
    click_move(&page, "g4 g5 g7");
    assert!(message(&page).starts_with("Shut in"));
    page.click("[data-language=zh]");
    assert!(message(&page).starts_with("围住了"));
    page.click("[data-language=en]");
    page.click("#primer-next");
    click_move(&page, "a7 c7 d8");
    assert!(message(&page).contains("black has won"));
    page.click("#primer-next");
    click_move(&page, "c4 d4 e4");
    assert!(message(&page).contains("The left room is larger"));
    page.click("#primer-next");
    assert_eq!(text(page.eval("document.body.dataset.tab")), "play");
    assert_eq!(
        page.eval("document.querySelector('#seat-white').value"),
        "level-1"
    );
    assert!(listed_moves(&page).is_empty());
    // After a visit, the tutorial is no longer offered.
    page.reload();
    assert!(page.exists("#newcomer[hidden]"));
}
