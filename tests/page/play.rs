//! Tests of the "Play" tab: entering moves, buttons, clocks, bots, a whole game, and reloads.

use super::study::review;
use super::view::{
    advance_clock, board_after, cells, cells_of, click_checked, click_move, listed_moves,
    place_label, selectable, selected, square, wait_for_moves, wait_for_place,
};
use super::{desktop, log, view};
use crate::common::Dice;
use crate::common::browser::{Page, Window};
use crate::common::{printed, write_file};
use engine::board::{Board, Move};
use engine::movegen;
use serde_json::{Value, json};

/// Three legal moves from the start position.
pub const OPENING: [&str; 3] = ["c1 c6 f6", "a6 b5 b1", "f1 f5 c2"];

/// Begins a game between two players, such as `person` and `level-1`.
pub fn begin_between(page: &Page, black: &str, white: &str) {
    begin(page, &[("#seat-black", black), ("#seat-white", white)]);
}

/// Begins a game with choices in the new-game dialog: selectors and values.
pub fn begin(page: &Page, choices: &[(&str, &str)]) {
    page.click("#new-game");
    for (css, value) in choices {
        page.choose(css, value);
    }
    page.click("#begin");
}

/// Waits until the text of `#status` contains `part`.
pub fn wait_for_status(page: &Page, part: &str) {
    page.wait_for(&format!(
        "document.querySelector('#status').textContent.includes('{part}')"
    ));
}

/// Plays the first legal move by clicks.
fn click_any(page: &Page) {
    let board = board_after(&listed_moves(page));
    click_checked(page, &board, movegen::moves(&board)[0]);
}

/// Resigns the game.
fn resign(page: &Page) {
    page.click("#resign");
    page.click("#answer-yes");
}

/// Returns the shown board, the moves, and the place in the game.
fn shown_game(page: &Page) -> (String, Vec<String>, String) {
    (cells(page), listed_moves(page), place_label(page))
}

#[test]
fn whole_game_by_clicks_offers_only_legal_moves() {
    let Some(page) = desktop() else { return };
    begin_between(&page, "person", "level-1");
    let mut dice = Dice::new(7);
    let (moves, board) = loop {
        page.wait_for(
            "/^Black to move|has won/.test(document.querySelector('#status').textContent)",
        );
        let moves = listed_moves(&page);
        let board = board_after(&moves);
        assert_eq!(cells(&page), cells_of(&board));
        if page.text("#status").contains("has won") {
            break (moves, board);
        }
        let legal = movegen::moves(&board);
        let turn = legal[dice.below(legal.len())];
        click_checked(&page, &board, turn);
        page.wait_for(&format!(
            "document.querySelectorAll('#moves [data-node]').length > {}",
            moves.len()
        ));
        let now = listed_moves(&page);
        assert_eq!(now[..moves.len()], moves);
        assert_eq!(now[moves.len()], turn.to_string());
    };
    assert_eq!(movegen::count(&board), 0);
    let [winner, loser] = [!board.to_move(), board.to_move()].map(|player| player.to_string());
    let said = page.text("#status").to_lowercase();
    assert!(said.starts_with(&format!("{winner} has won")), "{said}");
    page.choose("#save-as", "log");
    page.click("#save");
    let saved = page.downloaded("amazons.json");
    let replayed = printed(&["replay", &write_file("page_whole_game.json", &saved)]);
    let line = format!("{winner} won: {loser} has no move; {} plies", moves.len());
    assert!(replayed.contains(&line), "{line}: {replayed}");
    let saved: Value = serde_json::from_str(&saved).expect("JSON");
    assert_eq!(saved["players"], json!({ "0": "human", "1": "level 1" }));
}

#[test]
fn moves_are_entered_by_mouse_touch_and_text() {
    let Some(page) = desktop() else { return };
    begin_between(&page, "person", "person");
    // One drag moves the amazon, another one shoots the arrow.
    page.drag(&square("c1"), &square("c6"));
    assert_eq!(page.text("#status"), "Choose where the arrow goes.");
    page.drag(&square("c6"), &square("f6"));
    assert_eq!(listed_moves(&page), OPENING[..1]);
    // A drag to an unreachable square keeps the amazon selected; another drag and a click complete the move.
    page.drag(&square("a6"), &square("b8"));
    assert_eq!(page.text("#status"), "Choose where the amazon goes.");
    page.drag(&square("a6"), &square("b5"));
    page.click(&square("b1"));
    assert_eq!(listed_moves(&page), OPENING[..2]);
    // A second click on the selected amazon cancels the selection.
    page.click(&square("f1"));
    page.click(&square("f1"));
    assert_eq!(page.text("#status"), "Black to move: choose an amazon.");
    // Typed moves, in the formats that the tools read.
    for (typed, count) in [("f1f5c2\n", 3), ("f1 f1 f1", 3), ("h6-h5-h4", 4)] {
        page.click("#typed");
        page.key("Control+a");
        page.type_text(typed);
        page.key("Enter");
        assert_eq!(listed_moves(&page).len(), count, "{typed}");
        let is_named = page.text("#notice").contains(typed);
        assert_eq!(is_named, typed == "f1 f1 f1", "{typed}");
    }
    page.set_window(Window::PHONE);
    begin(&page, &[]);
    wait_for_moves(&page, 0);
    for name in view::squares(OPENING[0]) {
        page.tap(&square(name));
    }
    page.touch_drag(&square("a6"), &square("b5"));
    page.touch_drag(&square("b5"), &square("b1"));
    assert_eq!(listed_moves(&page), OPENING[..2]);
}

#[test]
fn hint_is_legal_and_undo_restores_positions() {
    let Some(page) = desktop() else { return };
    begin_between(&page, "person", "level-1");
    page.click("#hint");
    wait_for_status(&page, "Hint: ");
    let hint: Move = page.text("#status")["Hint: ".len()..]
        .parse()
        .expect("a move");
    assert_eq!(Board::start().check(hint), Ok(()));
    assert_eq!(page.count("#drawing .way.hinted"), 2);
    let mut boards = vec![cells(&page)];
    for count in [2, 4] {
        click_any(&page);
        wait_for_moves(&page, count);
        wait_for_status(&page, "Black to move");
        boards.push(cells(&page));
    }
    // Undo and redo change the board and the place; the list keeps all moves.
    for (button, at) in [("undo", 1), ("undo", 0), ("redo", 1), ("redo", 2)] {
        page.click(&format!("#{button}"));
        assert_eq!(cells(&page), boards[at]);
        assert_eq!(place_label(&page), format!("{} / 4", 2 * at));
        assert_eq!(page.text("#status"), "Black to move: choose an amazon.");
    }
    assert!(page.exists("#redo:disabled"));
    // A new move in an earlier position replaces the later moves.
    page.click("#undo");
    let board = board_after(&listed_moves(&page)[..2]);
    let turn = *movegen::moves(&board).last().expect("a move");
    click_checked(&page, &board, turn);
    wait_for_place(&page, "4 / 4");
    assert_eq!(listed_moves(&page)[2], turn.to_string());
}

#[test]
fn two_bots_pause_and_finish_the_game() {
    let Some(page) = desktop() else { return };
    begin_between(&page, "level-1", "level-1");
    page.wait_for("document.querySelectorAll('#moves [data-node]').length >= 2");
    page.click("#pause");
    assert_eq!(page.text("#status"), "The bots wait.");
    let paused = shown_game(&page);
    page.click("#undo");
    assert_ne!(cells(&page), paused.0);
    page.click("#redo");
    assert_eq!(shown_game(&page), paused);
    assert_eq!(page.text("#status"), "The bots wait.");
    page.choose("#pace", "0");
    // Moves don't rebuild the list of players, which the user may have open.
    page.eval("option = document.querySelector('#seat-black').options[3]");
    page.click("#pause");
    wait_for_status(&page, "has won");
    assert_eq!(page.eval("option.isConnected"), true);
    let moves = listed_moves(&page);
    assert_eq!(moves[..paused.1.len()], paused.1);
    assert_eq!(movegen::count(&board_after(&moves)), 0);
}

#[test]
fn unfinished_game_is_discarded_only_after_confirmation() {
    let Some(page) = desktop() else { return };
    begin_between(&page, "person", "person");
    assert!(!page.exists("dialog[open]"), "nothing is lost");
    click_move(&page, OPENING[0]);
    for (button, words) in [("#new-game", "lose it?"), ("#resign", "Resign this game?")] {
        page.click(button);
        assert!(page.text("dialog[open]").contains(words));
        page.click("dialog[open] button:not(.main)");
        page.wait_for("!document.querySelector('dialog[open]')");
        page.click(button);
        // Escape means no.
        page.key("Escape");
        page.wait_for("!document.querySelector('dialog[open]')");
        assert_eq!(listed_moves(&page), OPENING[..1]);
        assert_eq!(page.text("#status"), "White to move: choose an amazon.");
    }
    resign(&page);
    wait_for_status(&page, "Black has won: White resigned.");
    assert!(selectable(&page).is_empty(), "the game is over");
    page.click("#undo");
    assert_eq!(page.text("#status"), "Black to move: choose an amazon.");
    page.click("#redo");
    begin(&page, &[]);
    wait_for_moves(&page, 0);
    assert_eq!(cells(&page), cells_of(&Board::start()));
}

#[test]
fn reload_restores_both_games() {
    let Some(page) = desktop() else { return };
    begin_between(&page, "person", "level-1");
    click_move(&page, OPENING[0]);
    wait_for_moves(&page, 2);
    wait_for_status(&page, "Black to move");
    let played = shown_game(&page);
    page.reload();
    assert_eq!(shown_game(&page), played);
    let seats = ["black", "white"].map(|player| selected(&page, &format!("#seat-{player}")));
    assert_eq!(seats, ["person", "level-1"]);
    page.click("#tab-study");
    OPENING.iter().for_each(|turn| click_move(&page, turn));
    page.click("#previous");
    page.click("#previous");
    click_move(&page, "a6 b6 b1");
    click_move(&page, "f1 f2 f3");
    page.click("#previous");
    let studied = shown_game(&page);
    let variation = ["1… a6 b6 b1", "2. f1 f2 f3"];
    assert_eq!(
        studied.1,
        [&OPENING[..2], &variation, &OPENING[2..]].concat()
    );
    assert_eq!(studied.2, "2 / 3");
    page.reload();
    assert_eq!(shown_game(&page), studied);
    page.click("#tab-play");
    assert_eq!(shown_game(&page), played);
    // The game is copied to the "Study" tab, and the study back to "Play".
    page.click("#study-this");
    assert_eq!(shown_game(&page), played);
    page.click("#before");
    assert_eq!(shown_game(&page), studied);
    page.click("#play-this");
    page.click("#answer-yes");
    wait_for_place(&page, "2 / 2");
    assert_eq!(listed_moves(&page), [OPENING[0], "a6 b6 b1"]);
    assert!(page.text("#status").starts_with("Black to move"));
}

#[test]
fn clocks_add_increments_and_end_the_game() {
    let Some(page) = desktop() else { return };
    let clocks = || ["black", "white"].map(|player| page.text(&format!("#clock-{player}")));
    for (clock, after) in [("3", "3:00"), ("3+2", "3:02"), ("15s", "0:15")] {
        begin(&page, &[("#seat-white", "person"), ("#limit", clock)]);
        click_move(&page, OPENING[0]);
        // Black's first turn takes no time: the clock starts with the move.
        assert_eq!(clocks()[0], after, "{clock}");
    }
    // If time runs out while the dialog is open, the game is lost by time.
    page.click("#resign");
    advance_clock(&page, 180);
    let end = "Black has won: White has no time left.";
    wait_for_status(&page, end);
    page.click("#answer-yes");
    page.wait_for("!document.querySelector('dialog[open]')");
    assert_eq!(page.text("#status"), end);
    assert_eq!(clocks(), ["0:15", "0:00"]);
    assert!(selectable(&page).is_empty());
    page.reload();
    assert_eq!(page.text("#status"), end);
}

#[test]
fn undo_between_persons_needs_consent() {
    let Some(page) = desktop() else { return };
    begin_between(&page, "person", "person");
    OPENING[..2].iter().for_each(|turn| click_move(&page, turn));
    for (answer, shown) in [("no", "2 / 2"), ("yes", "1 / 2")] {
        page.click("#undo");
        let asked = page.text("#question-text");
        assert!(asked.starts_with("White asks to take back"), "{asked}");
        page.click(&format!("#answer-{answer}"));
        page.wait_for("!document.querySelector('dialog[open]')");
        // The dialog's close event comes shortly after the dialog has closed.
        wait_for_place(&page, shown);
    }
    // After consent, the move can be replaced; an earlier position needs new consent.
    click_move(&page, "a6 b6 b1");
    assert_eq!(listed_moves(&page).len(), 3);
    page.click("#first");
    click_move(&page, "c1 c5 f5");
    let asked = page.text("#question-text");
    assert!(asked.starts_with("Black asks to take back"), "{asked}");
    page.click("#answer-no");
    wait_for_place(&page, "2 / 2");
    assert_eq!(listed_moves(&page).len(), 3);
}

#[test]
fn game_end_shows_winner_and_next_steps() {
    let Some(page) = desktop() else { return };
    begin_between(&page, "person", "level-1");
    assert!(page.exists("#ended[hidden]"));
    click_move(&page, OPENING[0]);
    wait_for_moves(&page, 2);
    wait_for_status(&page, "Black to move");
    resign(&page);
    page.wait_for("!document.querySelector('#ended').hidden");
    let said = ["who", "why"].map(|part| page.text(&format!("#ended-{part}")));
    assert_eq!(said, ["White won", "Black resigned, after 2 moves."]);
    let movers = ["black", "white"].map(|player| page.text(&format!("#mover-{player}")));
    assert_eq!(movers, ["", ""], "nobody is to move");
    page.click("#save-this");
    assert!(page.downloaded("amazons.sgf").contains("RE[W+R]"));
    page.click("#review-this");
    page.wait_for("document.body.dataset.tab === 'study'");
    page.wait_for("!document.querySelector('#mistake-steps').hidden");
    page.click("#tab-play");
    // After the switch, the bot moves first.
    page.click("#switch-sides");
    wait_for_moves(&page, 1);
    wait_for_status(&page, "White to move");
    resign(&page);
    page.click("#rematch");
    wait_for_moves(&page, 1);
    assert!(page.exists("#ended[hidden]"));
}

#[test]
fn moves_are_animated_and_audible_if_enabled() {
    let Some(page) = desktop() else { return };
    begin_between(&page, "person", "person");
    page.eval("tones = 0; make = AudioContext.prototype.createOscillator");
    page.eval("AudioContext.prototype.createOscillator = function () { tones += 1; return make.call(this); }");
    page.eval("animate = Element.prototype.animate; moved = []");
    page.eval("Element.prototype.animate = function (...parts) { moved.push(this.getAttribute('class') ?? 'arrow'); return animate.apply(this, parts); }");
    let check = |count: usize, what: &str| {
        page.wait_for(
            "!document.getAnimations().some(({ effect }) => effect.target.closest('#drawing'))",
        );
        assert_eq!(page.eval("new Set(moved.splice(0)).size"), count, "{what}");
    };
    // The user has already moved the amazon: only the arrow is animated.
    click_move(&page, OPENING[0]);
    check(1, "the arrow");
    page.click("#previous");
    check(1, "the amazon goes back");
    page.click("#next");
    check(2, "the amazon and its arrow");
    assert_eq!(page.eval("tones"), 0, "no sound is switched on");
    page.click("#look-open");
    page.click("#sound");
    page.click("#look .main");
    page.set_window(Window {
        still: true,
        ..page.window()
    });
    page.eval("tones = 0");
    click_move(&page, OPENING[1]);
    assert_eq!(page.eval("tones"), 2, "the arrow's");
    check(0, "reduced motion");
    page.reload();
    assert!(page.exists("#sound[aria-pressed=true]"));
}

#[test]
fn bot_with_unresponsive_engine_can_be_replaced() {
    let Some(page) = desktop() else { return };
    begin_between(&page, "person", "level-1");
    page.eval("[post, every, fast] = [Worker.prototype.postMessage, setInterval, 1]");
    page.eval("window.setInterval = (act, ms) => every(() => { for (let second = 0; second < fast; second++) act(); }, ms)");
    // Drops all messages to the worker, and makes timers run faster.
    let silence = || page.eval("Worker.prototype.postMessage = () => {}; fast = 30");
    silence();
    click_move(&page, OPENING[0]);
    let fault = "The engine stopped: it says nothing any more";
    wait_for_status(&page, fault);
    page.eval("Worker.prototype.postMessage = post; fast = 1");
    page.click("#retry");
    wait_for_moves(&page, 2);
    assert!(page.exists("#failure[hidden]"));
    wait_for_status(&page, "Black to move");
    silence();
    click_any(&page);
    wait_for_status(&page, fault);
    page.click("#take-over");
    assert!(page.text("#status").starts_with("White to move"));
    assert_eq!(selected(&page, "#seat-white"), "person");
}

#[test]
fn bot_pauses_while_another_tab_is_open() {
    let Some(page) = desktop() else { return };
    begin_between(&page, "person", "level-15");
    click_move(&page, OPENING[0]);
    page.drop_files(&[("other.json", &log("random_vs_random"))]);
    page.wait_for("document.body.dataset.tab === 'study'");
    // Takes longer than the bot's search.
    review(&page);
    assert_eq!(
        (place_label(&page).as_str(), listed_moves(&page).len()),
        ("0 / 40", 40)
    );
    page.click("#tab-play");
    wait_for_moves(&page, 2);
}

#[test]
fn bot_warns_of_mistakes_if_enabled() {
    let Some(page) = desktop() else { return };
    begin_between(&page, "person", "level-1");
    let (mistake, fair) = ("a3 a1 b2", "c1 c6 f6");
    click_move(&page, mistake);
    wait_for_moves(&page, 2);
    page.click("#undo");
    page.choose("#warnings", "blunder");
    let warned = || {
        click_move(&page, mistake);
        page.wait_for("!document.querySelector('#warning').hidden");
    };
    warned();
    let said = page.text("#warning-text");
    assert!(said.starts_with("a3 a1 b2: blunder, "), "{said}");
    assert!(
        page.text("#warning-reasons")
            .contains("black’s amazon on a1 reaches")
    );
    page.click("#warning-back");
    assert_eq!(cells(&page), cells_of(&Board::start()));
    assert!(page.exists("#warning[hidden]"));
    warned();
    page.click("#warning-on");
    wait_for_status(&page, "Black to move");
    assert_eq!(listed_moves(&page)[0], mistake);
    // A good move gives no warning.
    page.click("#undo");
    click_move(&page, fair);
    wait_for_status(&page, "Black to move");
    assert_eq!(listed_moves(&page)[0], fair);
    assert!(page.exists("#warning[hidden]"));
    page.reload();
    assert_eq!(selected(&page, "#warnings"), "blunder");
}
