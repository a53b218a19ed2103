//! Playing: every way to make a move, what the buttons do, a whole game, and what a reload finds again.

use super::seen::{
    cells, click_checked, click_move, letters, listed, place, square, wait_for_moves,
};
use super::study::wait_for_review;
use super::{Site, file, log, seen, told};
use crate::common::Dice;
use crate::common::browser::{Page, Window};
use amazons::board::{Board, Move};
use amazons::movegen;
use serde_json::Value;
use std::fs;

/// Three moves from the start.
pub const OPENING: [&str; 3] = ["c1 c6 f6", "a6 b5 b1", "f1 f5 c2"];

/// Opens the page and begins a game of two players.
pub fn seated<'a>(site: &'a Site, black: &str, white: &str, window: Window) -> Page<'a> {
    let page = site.open("", window);
    begin(&page, &[("#seat-black", black), ("#seat-white", white)]);
    page
}

/// Begins a game with some choices.
pub fn begin(page: &Page, choices: &[(&str, &str)]) {
    page.click("#new-game");
    for (css, value) in choices {
        page.choose(css, value);
    }
    page.click("#begin");
}

/// Waits until what `#status` says has a part.
pub fn wait_for_status(page: &Page, part: &str) {
    page.wait_for(
        &format!("status.textContent.includes('{part}')")
            .replace("status.", "document.querySelector('#status')."),
    );
}

/// The board, the moves, and which is shown.
fn table(page: &Page) -> (String, Vec<String>, String) {
    (cells(page), listed(page), place(page))
}

#[test]
fn a_whole_game_by_clicks_is_one_by_the_rules() {
    let Some(site) = Site::start() else { return };
    let page = seated(&site, "person", "level-1", Window::DESKTOP);
    let (mut board, mut moves) = (Board::start(), Vec::new());
    let mut dice = Dice::new(7);
    loop {
        page.wait_for(
            "/^Black to move|has won/.test(document.querySelector('#status').textContent)",
        );
        let known = moves.len();
        moves = listed(&page);
        for word in &moves[known..] {
            board.play(word.parse().expect("a move")).expect("legal");
        }
        assert_eq!(cells(&page), letters(&board));
        if page.text("#status").contains("has won") {
            break;
        }
        let legal = movegen::moves(&board);
        let turn = legal[dice.below(legal.len())];
        click_checked(&page, &board, turn);
        board.play(turn).expect("a generated move is legal");
        moves.push(turn.to_string());
        page.wait_for(&format!(
            "document.querySelectorAll('#moves [data-node]').length >= {}",
            moves.len()
        ));
        assert_eq!(listed(&page)[..moves.len()], moves);
    }
    assert_eq!(movegen::count(&board), 0);
    let [winner, loser] = [!board.to_move(), board.to_move()].map(|player| player.to_string());
    let capital = |name: &str| name[..1].to_uppercase() + &name[1..];
    let end = format!(
        "{} has won: {} has no move.",
        capital(&winner),
        capital(&loser)
    );
    assert_eq!(page.text("#status"), end);
    page.choose("#save-as", "log");
    page.click("#save");
    let saved = page.downloaded("amazons.json");
    let path = file("page_whole_game.json");
    fs::write(&path, &saved).expect("the folder can be written");
    let replayed = told(&["replay", path.to_str().expect("UTF-8")]);
    let line = format!("{winner} won: {loser} has no move; {} plies", moves.len());
    assert!(replayed.contains(&line), "{line}: {replayed}");
    let saved: Value = serde_json::from_str(&saved).expect("JSON");
    assert_eq!(
        saved["players"],
        serde_json::json!({ "0": "human", "1": "level 1" })
    );
}

#[test]
fn moves_are_made_by_mouse_keys_and_words() {
    let Some(site) = Site::start() else { return };
    let page = seated(&site, "person", "person", Window::DESKTOP);
    // A drag of the amazon, then one for the arrow.
    page.drag(&square("c1"), &square("c6"));
    assert_eq!(page.text("#status"), "Choose where the arrow goes.");
    page.drag(&square("c6"), &square("f6"));
    assert_eq!(listed(&page), OPENING[..1]);
    // A drag to where the amazon can't go leaves it chosen; another one and a click end the move.
    page.drag(&square("a6"), &square("b8"));
    assert_eq!(page.text("#status"), "Choose where the amazon goes.");
    page.drag(&square("a6"), &square("b5"));
    page.click(&square("b1"));
    assert_eq!(listed(&page), OPENING[..2]);
    // A click on what is chosen releases it.
    page.click(&square("f1"));
    page.click(&square("f1"));
    assert_eq!(page.text("#status"), "Black to move: choose an amazon.");
    // Words, in the forms that the tools read.
    let illegal = "f1 f1 f1";
    for (typed, count) in [("f1f5c2\n", 3), (illegal, 3), ("h6-h5-h4", 4)] {
        page.click("#typed");
        page.key("Control+a");
        page.type_text(typed);
        page.key("Enter");
        assert_eq!(listed(&page).len(), count, "{typed}");
        if typed == illegal {
            let fault = format!("\u{201c}{illegal}\u{201d} is no legal move here.");
            assert_eq!(page.text("#notice"), fault);
            assert_eq!(
                cells(&page),
                letters(&seen::after(&OPENING.map(String::from)))
            );
        }
    }
}

#[test]
fn the_keyboard_alone_will_do() {
    let Some(site) = Site::start() else { return };
    let page = seated(&site, "person", "person", Window::DESKTOP);
    page.reload();
    let focused = "document.activeElement.dataset.square ?? ''";
    while page.eval(focused) == "" {
        page.key("Tab");
    }
    assert_eq!(page.eval(focused), "a1");
    let walk = |keys: &[(&str, usize)]| {
        for &(key, count) in keys {
            (0..count).for_each(|_| page.key(key));
        }
    };
    walk(&[("ArrowLeft", 1), ("ArrowRight", 2), ("Enter", 1)]);
    assert_eq!(page.text("#status"), "Choose where the amazon goes.");
    walk(&[("Escape", 1)]);
    assert_eq!(page.text("#status"), "Black to move: choose an amazon.");
    walk(&[("Enter", 1), ("ArrowDown", 5), (" ", 1)]);
    walk(&[("ArrowRight", 3), ("Enter", 1)]);
    assert_eq!(listed(&page), OPENING[..1]);
    assert_eq!(page.eval(focused), "f6");
    walk(&[("Tab", 1), ("Shift+Tab", 1)]);
    assert_eq!(
        page.eval(focused),
        "f6",
        "the board is one stop of the tabulator"
    );
}

#[test]
fn fingers_play() {
    let Some(site) = Site::start() else { return };
    let page = site.open("", Window::PHONE);
    begin(&page, &[("#seat-white", "person")]);
    for name in seen::squares(OPENING[0]) {
        page.tap(&square(name));
    }
    page.touch_drag(&square("a6"), &square("b5"));
    page.touch_drag(&square("b5"), &square("b1"));
    assert_eq!(listed(&page), OPENING[..2]);
}

#[test]
fn a_hint_is_legal_and_moves_are_taken_back() {
    let Some(site) = Site::start() else { return };
    let page = seated(&site, "person", "level-1", Window::DESKTOP);
    page.click("#hint");
    wait_for_status(&page, "Hint: ");
    let hint: Move = page.text("#status")["Hint: ".len()..]
        .parse()
        .expect("a move");
    assert_eq!(Board::start().check(hint), Ok(()));
    assert_eq!(page.count("#drawing .way.hinted"), 2);
    let mut tables = vec![table(&page)];
    for count in [2, 4] {
        let board = seen::after(&listed(&page));
        click_checked(&page, &board, movegen::moves(&board)[0]);
        wait_for_moves(&page, count);
        wait_for_status(&page, "Black to move");
        tables.push(table(&page));
    }
    // The list keeps what can be played again; the board and the place go back.
    for at in [1, 0] {
        page.click("#undo");
        assert_eq!(cells(&page), tables[at].0);
        assert_eq!(place(&page), format!("{} / 4", 2 * at));
        assert_eq!(page.text("#status"), "Black to move: choose an amazon.");
    }
    assert_eq!(page.eval("document.querySelector('#undo').disabled"), true);
    for at in [1, 2] {
        page.click("#redo");
        assert_eq!(cells(&page), tables[at].0);
    }
    assert_eq!(table(&page), tables[2]);
    assert_eq!(page.eval("document.querySelector('#redo').disabled"), true);
    for player in ["black", "white"] {
        let clock = page.text(&format!("#clock-{player}"));
        assert!(clock.contains(':'), "{clock}");
    }
    // Another move in the past takes the place of what was played there.
    page.click("#undo");
    let board = seen::after(&tables[1].1);
    let turn = *movegen::moves(&board).last().expect("a move");
    click_checked(&page, &board, turn);
    page.wait_for("document.querySelector('#place').textContent === '4 / 4'");
    assert!(listed(&page).contains(&turn.to_string()));
}

#[test]
fn bots_pause_and_go_on_to_the_end() {
    let Some(site) = Site::start() else { return };
    let page = seated(&site, "level-1", "level-1", Window::DESKTOP);
    page.wait_for("document.querySelectorAll('#moves [data-node]').length >= 2");
    page.click("#pause");
    assert_eq!(page.text("#status"), "The bots wait.");
    let paused = table(&page);
    page.click("#undo");
    assert_ne!(cells(&page), paused.0);
    page.click("#redo");
    assert_eq!(table(&page), paused);
    assert_eq!(page.text("#status"), "The bots wait.");
    page.choose("#pace", "0");
    // A list that somebody has opened is not made anew by the moves of others.
    page.eval("option = document.querySelector('#seat-black').options[3]");
    page.click("#pause");
    wait_for_status(&page, "has won");
    assert_eq!(page.eval("option.isConnected"), true);
    let moves = listed(&page);
    assert_eq!(moves[..paused.1.len()], paused.1);
    assert_eq!(movegen::count(&seen::after(&moves)), 0);
}

#[test]
fn no_game_is_lost_unasked() {
    let Some(site) = Site::start() else { return };
    let page = seated(&site, "person", "person", Window::DESKTOP);
    assert!(!page.exists("dialog[open]"), "nothing is lost");
    click_move(&page, OPENING[0]);
    for (button, words) in [("#new-game", "lose it?"), ("#resign", "Resign this game?")] {
        page.click(button);
        assert!(page.text("dialog[open]").contains(words));
        page.click("dialog[open] button:not(.main)");
        page.wait_for("!document.querySelector('dialog[open]')");
        assert_eq!(listed(&page), OPENING[..1]);
        page.click(button);
        // Escape is a no.
        page.key("Escape");
        page.wait_for("!document.querySelector('dialog[open]')");
        assert_eq!(page.text("#status"), "White to move: choose an amazon.");
    }
    page.click("#resign");
    page.click("#answer-yes");
    wait_for_status(&page, "Black has won: White resigned.");
    assert!(seen::choices(&page).is_empty(), "nobody moves any more");
    page.click("#undo");
    assert_eq!(page.text("#status"), "Black to move: choose an amazon.");
    page.click("#redo");
    begin(&page, &[]);
    wait_for_moves(&page, 0);
    assert_eq!(cells(&page), letters(&Board::start()));
}

#[test]
fn a_reload_finds_everything_again() {
    let Some(site) = Site::start() else { return };
    let page = seated(&site, "person", "level-1", Window::DESKTOP);
    click_move(&page, OPENING[0]);
    wait_for_moves(&page, 2);
    wait_for_status(&page, "Black to move");
    let played = table(&page);
    page.reload();
    assert_eq!(table(&page), played);
    let seats =
        "['black', 'white'].map((player) => document.querySelector('#seat-' + player).value)";
    assert_eq!(page.eval(seats), serde_json::json!(["person", "level-1"]));
    let names = ["black", "white"].map(|player| page.text(&format!("#name-{player}")));
    assert_eq!(names, ["Black", "White · Level 1"]);
    page.click("#tab-study");
    OPENING.iter().for_each(|turn| click_move(&page, turn));
    page.click("#previous");
    page.click("#previous");
    click_move(&page, "a6 b6 b1");
    click_move(&page, "f1 f2 f3");
    page.click("#previous");
    let studied = table(&page);
    assert_eq!(
        studied.1,
        [
            "c1 c6 f6",
            "a6 b5 b1",
            "1… a6 b6 b1",
            "2. f1 f2 f3",
            "f1 f5 c2"
        ]
    );
    assert_eq!(studied.2, "2 / 3");
    page.reload();
    assert_eq!(table(&page), studied);
    page.click("#tab-play");
    assert_eq!(table(&page), played);
}

/// A browser may learn of an address too late for the reload that follows it.
#[test]
fn a_reload_that_comes_back_with_an_older_address_loses_nothing() {
    let Some(site) = Site::start() else { return };
    let page = site.open("", Window::DESKTOP);
    page.click("#tab-study");
    OPENING.iter().for_each(|turn| click_move(&page, turn));
    page.click("#previous");
    page.click("#previous");
    page.wait_for("(older = location.hash).includes('p=1')");
    click_move(&page, "a6 b6 b1");
    page.wait_for(
        "location.hash !== older && JSON.parse(sessionStorage.getItem('amazons.address')).value[0] === location.hash",
    );
    let studied = table(&page);
    assert_eq!(studied.1.len(), 4, "the game and a variation");
    page.eval("Storage.prototype.setItem = () => {}; history.replaceState(null, '', older)");
    page.reload();
    assert_eq!(table(&page), studied);
}

#[test]
fn a_game_goes_from_play_to_study_and_back() {
    let Some(site) = Site::start() else { return };
    let page = seated(&site, "person", "person", Window::DESKTOP);
    OPENING.iter().for_each(|turn| click_move(&page, turn));
    page.click("#study-this");
    assert_eq!(table(&page).1, OPENING);
    page.drop_file("body", "other.json", &log("fault_crash"));
    wait_for_moves(&page, 10);
    page.click("#before");
    assert_eq!(table(&page).1, OPENING);
    page.click("#previous");
    page.click("#play-this");
    page.click("#answer-yes");
    page.wait_for("document.querySelector('#place').textContent === '2 / 2'");
    assert_eq!(listed(&page), OPENING[..2]);
    assert_eq!(page.text("#status"), "Black to move: choose an amazon.");
}

/// A game of two persons with three minutes a side, in which black has moved.
fn game_of_three_minutes(site: &Site) -> Page<'_> {
    let page = site.open("", Window::DESKTOP);
    begin(&page, &[("#seat-white", "person"), ("#limit", "3")]);
    click_move(&page, OPENING[0]);
    page
}

/// Puts the page's clock three minutes forward.
fn let_three_minutes_pass(page: &Page) {
    page.eval("{ const now = performance.now.bind(performance); performance.now = () => now() + 180_000; }");
}

#[test]
fn the_clock_ends_a_game() {
    let Some(site) = Site::start() else { return };
    let page = game_of_three_minutes(&site);
    assert_eq!(page.text("#clock-black"), "3:00");
    let_three_minutes_pass(&page);
    wait_for_status(&page, "Black has won: White has no time left.");
    assert_eq!(page.text("#clock-white"), "0:00");
    assert!(seen::choices(&page).is_empty());
    page.reload();
    assert!(page.text("#outcome").contains("White has no time left"));
}

#[test]
fn clocks_add_seconds_or_give_each_turn_its_own() {
    let Some(site) = Site::start() else { return };
    let page = site.open("", Window::DESKTOP);
    let clocks = || ["black", "white"].map(|player| page.text(&format!("#clock-{player}")));
    for (clock, after) in [("3+2", "3:02"), ("15s", "0:15")] {
        begin(&page, &[("#seat-white", "person"), ("#limit", clock)]);
        let [before, _] = clocks();
        click_move(&page, OPENING[0]);
        // Black's turn began with the move itself, and took no time.
        assert_eq!(clocks()[0], after, "{clock}, {before} before");
    }
    let_three_minutes_pass(&page);
    wait_for_status(&page, "Black has won: White has no time left.");
    assert_eq!(clocks(), ["0:15", "0:00"]);
}

#[test]
fn what_is_taken_back_the_other_person_allows() {
    let Some(site) = Site::start() else { return };
    let page = seated(&site, "person", "person", Window::DESKTOP);
    OPENING[..2].iter().for_each(|turn| click_move(&page, turn));
    let asks = "White asks to take back, to the position after move 1. Does Black agree?";
    for (answer, shown) in [("no", "2 / 2"), ("yes", "1 / 2")] {
        page.click("#undo");
        assert_eq!(page.text("#question-text"), asks);
        page.click(&format!("#answer-{answer}"));
        page.wait_for("!document.querySelector('dialog[open]')");
        // The dialog tells of its end a little after it has gone.
        page.wait_for(&format!(
            "document.querySelector('#place').textContent === '{shown}'"
        ));
    }
    // Now another move is free; in the past of that game it is not.
    click_move(&page, "a6 b6 b1");
    assert_eq!(listed(&page).len(), 3);
    page.click("#first");
    click_move(&page, "c1 c5 f5");
    assert!(
        page.text("#question-text")
            .starts_with("Black asks to take back")
    );
    page.click("#answer-no");
    page.wait_for("document.querySelector('#place').textContent === '2 / 2'");
    assert_eq!(listed(&page).len(), 3);
}

#[test]
fn the_end_says_who_won_and_offers_what_comes_next() {
    let Some(site) = Site::start() else { return };
    let page = seated(&site, "person", "level-1", Window::DESKTOP);
    assert!(page.exists("#ended[hidden]"));
    click_move(&page, OPENING[0]);
    wait_for_moves(&page, 2);
    wait_for_status(&page, "Black to move");
    page.click("#resign");
    page.click("#answer-yes");
    page.wait_for("!document.querySelector('#ended').hidden");
    let said = ["who", "why"].map(|part| page.text(&format!("#ended-{part}")));
    assert_eq!(said, ["White won", "Black resigned, after 2 moves."]);
    let movers = ["black", "white"].map(|player| page.text(&format!("#mover-{player}")));
    assert_eq!(movers, ["", ""], "nobody is to move");
    assert_eq!(
        page.text("#position"),
        "The end after move 2: Black resigned"
    );
    page.click("#save-this");
    assert!(page.downloaded("amazons.sgf").contains("RE[W+R]"));
    page.click("#review-this");
    page.wait_for(
        "document.body.dataset.tab === 'study' && !document.querySelector('#mistake-steps').hidden",
    );
    page.click("#tab-play");
    // The bot now begins.
    page.click("#switch-sides");
    wait_for_moves(&page, 1);
    wait_for_status(&page, "White to move");
    page.click("#resign");
    page.click("#answer-yes");
    page.click("#rematch");
    wait_for_moves(&page, 1);
    assert!(page.exists("#ended[hidden]"));
}

/// Pieces that are on their way over the board.
const MOVING: &str =
    "document.getAnimations().filter(({ effect }) => effect.target.closest('#drawing')).length";

#[test]
fn moves_are_seen_and_heard_if_wanted() {
    let Some(site) = Site::start() else { return };
    let page = seated(&site, "person", "person", Window::DESKTOP);
    page.eval("tones = 0; make = AudioContext.prototype.createOscillator");
    page.eval("AudioContext.prototype.createOscillator = function () { tones += 1; return make.call(this); }");
    page.eval("animate = Element.prototype.animate; moved = []");
    page.eval("Element.prototype.animate = function (...parts) { moved.push(this.getAttribute('class') ?? 'arrow'); return animate.apply(this, parts); }");
    let moved = |page: &Page| {
        page.wait_for(&format!("{MOVING} === 0"));
        let seen = page.eval("[...new Set(moved.splice(0))]");
        seen.as_array().expect("a list").len()
    };
    // The amazon that was set down by hand stands there: its arrow alone flies.
    click_move(&page, OPENING[0]);
    assert_eq!(moved(&page), 1);
    page.click("#previous");
    assert_eq!(moved(&page), 1, "the amazon goes back");
    page.click("#next");
    assert_eq!(moved(&page), 2, "the amazon and its arrow");
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
    assert_eq!(moved(&page), 0, "whoever wants no motion sees none");
    page.reload();
    assert!(page.exists("#sound[aria-pressed=true]"));
}

#[test]
fn a_clock_that_runs_out_is_no_resignation() {
    let Some(site) = Site::start() else { return };
    let page = game_of_three_minutes(&site);
    page.click("#resign");
    let_three_minutes_pass(&page);
    let end = "Black has won: White has no time left.";
    wait_for_status(&page, end);
    page.click("#answer-yes");
    page.wait_for("!document.querySelector('dialog[open]')");
    assert_eq!(page.text("#status"), end);
}

#[test]
fn a_bot_whose_engine_is_silent_says_so_and_is_asked_again_or_replaced() {
    let Some(site) = Site::start() else { return };
    let page = seated(&site, "person", "level-1", Window::DESKTOP);
    page.eval("[post, every, fast] = [Worker.prototype.postMessage, setInterval, 1]");
    page.eval("window.setInterval = (act, ms) => every(() => { for (let second = 0; second < fast; second++) act(); }, ms)");
    // Nothing reaches the worker, and seconds pass faster.
    let silence = || page.eval("Worker.prototype.postMessage = () => {}; fast = 30");
    let speech = || page.eval("Worker.prototype.postMessage = post; fast = 1");
    silence();
    click_move(&page, OPENING[0]);
    let fault = "The engine stopped: it says nothing any more";
    wait_for_status(&page, fault);
    speech();
    page.click("#retry");
    wait_for_moves(&page, 2);
    assert!(page.exists("#failure[hidden]"));
    wait_for_status(&page, "Black to move");
    silence();
    let board = seen::after(&listed(&page));
    click_checked(&page, &board, movegen::moves(&board)[0]);
    wait_for_status(&page, fault);
    page.click("#take-over");
    assert_eq!(page.text("#status"), "White to move: choose an amazon.");
    let seat = "document.querySelector('#seat-white').value";
    assert_eq!(page.eval(seat), "person");
}

#[test]
fn a_bot_waits_while_something_else_is_studied() {
    let Some(site) = Site::start() else { return };
    let page = seated(&site, "person", "level-15", Window::DESKTOP);
    click_move(&page, OPENING[0]);
    page.drop_file("body", "other.json", &log("random_vs_random"));
    page.wait_for("document.body.dataset.tab === 'study'");
    // Meanwhile the bot would have found its move.
    page.choose("#review-effort", "10000");
    page.click("#review-run");
    wait_for_review(&page);
    assert_eq!((place(&page).as_str(), listed(&page).len()), ("0 / 40", 40));
    page.click("#tab-play");
    wait_for_moves(&page, 2);
}

#[test]
fn the_bot_warns_of_a_mistake_if_asked_to_and_waits() {
    let Some(site) = Site::start() else { return };
    let page = seated(&site, "person", "level-1", Window::DESKTOP);
    let (mistake, fair) = ("a3 a1 b2", "c1 c6 f6");
    let is_quiet = "document.querySelector('#warning').hidden";
    click_move(&page, mistake);
    wait_for_moves(&page, 2);
    page.click("#undo");
    page.choose("#warnings", "blunder");
    click_move(&page, mistake);
    page.wait_for(&format!("!{is_quiet}"));
    let said = page.text("#warning-text");
    assert!(said.starts_with("a3 a1 b2: blunder, "), "{said}");
    let why = page.text("#warning-reasons");
    assert!(
        why.contains("black’s amazon on a1 has one square to go to"),
        "{why}"
    );
    page.click("#warning-back");
    assert_eq!(cells(&page), letters(&Board::start()));
    assert_eq!(page.eval(is_quiet), true);
    click_move(&page, mistake);
    page.wait_for(&format!("!{is_quiet}"));
    page.click("#warning-on");
    wait_for_status(&page, "Black to move");
    assert_eq!(listed(&page)[0], mistake);
    // A fair move is answered at once.
    page.click("#undo");
    click_move(&page, fair);
    wait_for_status(&page, "Black to move");
    assert_eq!(
        (&*listed(&page)[0], page.eval(is_quiet)),
        (fair, true.into())
    );
    page.reload();
    assert_eq!(
        page.eval("document.querySelector('#warnings').value"),
        "blunder"
    );
}
