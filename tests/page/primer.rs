//! The rules in a minute: offered to newcomers, learned on the board.

use super::phone;
use super::seen::{click_move, listed, text};
use crate::common::browser::Page;

fn said(page: &Page) -> String {
    page.text("#primer-message")
}

/// Tests if the next step can be begun.
fn goes_on(page: &Page) -> bool {
    page.eval("!document.querySelector('#primer-next').disabled") == true
}

#[test]
fn a_newcomer_learns_the_rules_and_plays_a_first_game() {
    let Some(page) = phone() else { return };
    page.click("#newcomer-rules");
    assert_eq!(page.text("#primer-title"), "Step 1 of 4: A turn");
    page.click("[data-square=c1]");
    assert_eq!(said(&page), "Choose where the amazon goes.");
    assert!(!goes_on(&page));
    page.click("[data-square=c1]");
    click_move(&page, "c1 c6 f6");
    assert!(said(&page).starts_with("That is a whole turn"));
    page.click("#primer-next");
    // A turn that does not do it is taken back, and the step goes on.
    click_move(&page, "g4 g5 f5");
    assert!(said(&page).contains("has to land on g7"), "{}", said(&page));
    assert!(!goes_on(&page));
    click_move(&page, "g4 g5 g7");
    assert!(said(&page).starts_with("Shut in"));
    page.click("[data-language=zh]");
    assert!(said(&page).starts_with("围住了"));
    page.click("[data-language=en]");
    page.click("#primer-next");
    click_move(&page, "a7 c7 d8");
    assert!(said(&page).contains("black has won"));
    page.click("#primer-next");
    click_move(&page, "c4 d4 e4");
    assert!(said(&page).contains("The left room is larger"));
    page.click("#primer-next");
    assert_eq!(text(page.eval("document.body.dataset.tab")), "play");
    assert_eq!(
        page.eval("document.querySelector('#seat-white').value"),
        "level-1"
    );
    assert!(listed(&page).is_empty());
    // Whoever has been here is offered nothing any more.
    page.reload();
    assert!(page.exists("#newcomer[hidden]"));
}
