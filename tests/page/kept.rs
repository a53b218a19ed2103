//! What the browser keeps: each kind of page its own, nothing that makes no sense, clocks, and the address.

use super::play::{OPENING, begin, seat, wait_for_status};
use super::report::report;
use super::seen::{
    cells, choices, chosen, click_move, hash, letters, listed, pass, place, wait_for_moves,
};
use super::study::review;
use super::{browser, built, desktop, file};
use crate::common::browser::{Browser, Page, Window, address};
use engine::board::Board;
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;

#[test]
fn a_report_seats_no_bot_of_the_page() {
    let Some(page) = desktop() else { return };
    seat(&page, "level-1", "level-1");
    wait_for_moves(&page, 2);
    page.click("#pause");
    let played = listed(&page);
    let report = page.beside(report());
    report.click("#tab-play");
    assert_eq!(report.text("#status"), "Black to move: choose an amazon.");
    assert_eq!(choices(&report).len(), 4);
    click_move(&report, OPENING[0]);
    report.reload();
    report.click("#tab-play");
    assert_eq!(listed(&report), OPENING[..1], "it keeps a game of its own");
    page.reload();
    assert_eq!(listed(&page), played);
    assert_eq!(page.text("#status"), "The bots wait.");
}

/// What is kept of a game of two persons after one move.
fn sound() -> Value {
    let start = "..b..b..........b......b................w......w..........w..w..";
    let line = json!({ "m": null, "t": 0, "c": [{ "m": OPENING[0], "t": 5, "c": [] }] });
    json!({ "version": 1, "value": {
        "game": { "start": { "cells": start, "toMove": "black" }, "line": line, "path": [0],
            "names": { "black": null, "white": null }, "title": "", "end": null },
        "table": { "black": "person", "white": "person", "limit": "3", "pace": 1, "isPaused": false },
    }})
}

/// Opens the page in a browser that has kept some values.
fn opened(browser: &Arc<Browser>, kept: &[(&str, &Value)]) -> Page {
    // A page that keeps nothing of its own and shares the storage of all files.
    let small = file("page_small.html");
    fs::write(&small, "<!doctype html>").expect("the folder can be written");
    let page = browser.open(&address(&small), "", Window::DESKTOP);
    for (name, value) in kept {
        let text = json!(value.to_string());
        page.eval(&format!("localStorage.setItem('amazons.{name}', {text})"));
    }
    page.visit(built());
    page
}

#[test]
fn what_makes_no_sense_is_set_aside() {
    let Some(browser) = browser() else { return };
    let page = opened(&browser, &[("play", &sound())]);
    assert_eq!(listed(&page), OPENING[..1], "a sound game is kept");
    let few = "..b..b..........b.......................w......w..........w..w..";
    for (place, value) in [
        ("/version", json!(99)),
        ("/value/game/start/cells", json!(few)),
        ("/value/game/start/toMove", json!("red")),
        ("/value/game/line/c/0/m", json!("c1 c1 c1")),
        ("/value/game/line/c/0/t", json!("long")),
        ("/value/game/path", json!([7])),
        ("/value/game/path", json!(["length"])),
        ("/value/game/end", json!({})),
        (
            "/value/game/end",
            json!({ "winner": "black", "ending": "constructor" }),
        ),
        (
            "/value/game/end",
            json!({ "winner": "red", "ending": "resigned" }),
        ),
    ] {
        let mut broken = sound();
        *broken.pointer_mut(place).expect("a place") = value;
        let study = json!({ "version": broken["version"], "value": broken["value"]["game"] });
        let page = opened(&browser, &[("play", &broken), ("study", &study)]);
        for tab in ["play", "study"] {
            page.click(&format!("#tab-{tab}"));
            assert_eq!(cells(&page), letters(&Board::start()), "{broken}");
            assert!(listed(&page).is_empty(), "{broken}");
        }
        assert!(page.text("#notice").contains("(play, study)"), "{broken}");
        let aside = page.eval("localStorage.getItem('amazons.aside.play')");
        assert_eq!(aside, broken.to_string());
    }
}

#[test]
fn settings_that_make_no_sense_are_as_at_first() {
    let Some(browser) = browser() else { return };
    let mut strange = sound();
    strange["value"]["table"] =
        json!({ "black": "level-99", "white": [], "limit": "7", "pace": "fast", "isPaused": "no" });
    let options = json!({ "language": 5, "shown": { "best": "no", "fog": true }, "thinks": 1, "lines": 99, "tab": "home" });
    let options = json!({ "version": 1, "value": options });
    let page = opened(&browser, &[("play", &strange), ("options", &options)]);
    let lists = ["seat-black", "seat-white", "limit", "pace", "lines"];
    let shown = lists.map(|id| chosen(&page, &format!("#{id}")));
    assert_eq!(shown, ["person", "level-6", "0", "1", "3"]);
    assert_eq!(page.eval("document.body.dataset.tab"), "play");
    assert!(page.text("#notice").contains("(options, play)"));
    // The game itself was sound: a bot answers.
    wait_for_moves(&page, 2);
    page.click("#tab-study");
    assert!(page.exists("#thinks[aria-pressed=false]"));
}

#[test]
fn two_windows_keep_a_game_each() {
    let Some(first) = desktop() else { return };
    seat(&first, "person", "person");
    let length = "JSON.parse(localStorage.getItem('amazons.play')).value.game.path.length";
    click_move(&first, OPENING[0]);
    first.wait_for(&format!("{length} === 1"));
    let second = first.beside(built());
    assert_eq!(listed(&second), OPENING[..1]);
    let other = [OPENING[0], "a6 b6 b1"];
    click_move(&first, other[1]);
    // What one window keeps, another sees a little later.
    second.wait_for(&format!("{length} === 2"));
    // The window that has only waited goes on with its own game, and a new one with the game that went on.
    pass(&second, 60);
    second.reload();
    assert_eq!(listed(&second), OPENING[..1]);
    let third = second.beside(built());
    assert_eq!(listed(&third), other);
    for count in [2, 3] {
        click_move(&second, OPENING[count - 1]);
        second.reload();
        assert_eq!(listed(&second), OPENING[..count]);
        first.reload();
        assert_eq!(listed(&first), other);
    }
}

/// Opens three games in a page's study.
fn open_three(page: &Page) {
    let [first, second] = ["random_vs_random", "fault_crash"].map(super::log);
    page.drop_files(&[("a.json", &first), ("b.json", &second), ("c.json", &second)]);
    page.wait_for("document.querySelectorAll('#overview-rows tr').length === 3");
}

#[test]
fn all_open_games_are_found_again_with_their_analysis() {
    let Some(page) = desktop() else { return };
    open_three(&page);
    page.click("#overview-rows tr:nth-child(2) button");
    review(&page);
    page.click("#overview-rows tr:nth-child(3) button");
    click_move(&page, "c1 c7 b7");
    page.click("#thinks");
    page.wait_for("document.querySelectorAll('#candidates tr').length === 3");
    page.click("#thinks");
    let shown = |page: &Page| {
        let texts = "['#overview-rows', '#title', '#place', '#candidates', '#review-results'].map((css) => document.querySelector(css).innerText)";
        (page.eval(texts), listed(page))
    };
    let seen = shown(&page);
    // All is kept a moment after the last change.
    page.wait_for("localStorage['amazons.options'].includes('\"thinks\":false') && localStorage['amazons.study'].includes('\"f\":')");
    // Another window goes on with games of its own.
    let other = page.beside(built());
    assert_eq!(shown(&other), seen);
    page.reload();
    assert_eq!(shown(&page), seen);
    other.drop_files(&[("d.json", &super::log("random_vs_random"))]);
    wait_for_moves(&other, 40);
    // What one window keeps, another sees a little later.
    page.wait_for("localStorage.getItem('amazons.collection').includes('\"value\":[]')");
    page.click("#overview-rows tr:nth-child(2) button");
    assert!(!page.text("#review-results").is_empty(), "the review is there");
    let seen = shown(&page);
    page.reload();
    assert_eq!(shown(&page), seen);
    other.reload();
    assert!(other.exists("#overview[hidden]"));
    assert_eq!(listed(&other).len(), 40);
    // What is said of a game may make no sense: the game is there without it.
    let broken = "(() => { const kept = JSON.parse(sessionStorage.getItem('amazons.study'));
        kept.value.line.e.candidates[0].move = '<b>'; return JSON.stringify(kept); })()";
    page.eval(&format!("broken = {broken}; Storage.prototype.setItem.call(sessionStorage, 'amazons.study', broken); Storage.prototype.setItem = () => {{}}"));
    page.reload();
    assert_eq!(listed(&page).len(), 10);
    assert!(page.text("#notice").contains("(study)"));
}

#[test]
fn games_are_kept_before_what_was_said_of_them() {
    let Some(page) = desktop() else { return };
    let most = |letters: usize| {
        page.eval(&format!("{{ const set = Storage.prototype.setItem; Storage.prototype.setItem = function (name, text) {{
            if (text.length > {letters}) throw new DOMException('full', 'QuotaExceededError');
            set.call(this, name, text); }}; }}"));
    };
    let is_said = |part: &str| {
        page.wait_for(&format!(
            "document.querySelector('#notice').textContent.includes('{part}')"
        ));
        page.reload();
        assert_eq!(listed(&page).len(), 10);
    };
    open_three(&page);
    page.click("#overview-rows tr:nth-child(2) button");
    most(10_000);
    review(&page);
    is_said("what the engine said of the games will be gone");
    assert_eq!(page.count("#overview-rows tr"), 3);
    assert_eq!(page.text("#review-results"), "");
    most(1000);
    page.click("#overview-rows tr:nth-child(3) button");
    is_said("only the game that is shown outlasts");
    assert!(page.exists("#overview[hidden]"));
}

/// A game whose next move ends it: white is walled in.
fn last_move() -> Value {
    let mut kept = sound();
    let game = &mut kept["value"]["game"];
    let cells = "b..b..b.b.......                        xxx.....wwx.....wwx.....";
    game["start"]["cells"] = cells.replace(' ', ".").into();
    game["line"]["c"] = json!([]);
    game["path"] = json!([]);
    kept["value"]["table"]["white"] = "level-1".into();
    kept
}

#[test]
fn a_finished_game_is_stepped_through_to_its_end() {
    let Some(browser) = browser() else { return };
    let page = opened(&browser, &[("play", &last_move())]);
    click_move(&page, "g1 h1 g1");
    let end = "Black has won: White has no move.";
    assert_eq!(page.text("#status"), end);
    for (button, shown) in [("previous", 0), ("next", 1), ("first", 0), ("last", 1)] {
        page.click(&format!("#{button}"));
        assert_eq!(place(&page), format!("{shown} / 1"));
        assert_eq!(page.text("#status"), end);
    }
    page.reload();
    assert_eq!(page.text("#status"), end);
    // It goes on where a move is taken back, and only there.
    page.click("#undo");
    assert_eq!(page.text("#status"), "Black to move: choose an amazon.");
}

/// What a player's clock shows, in seconds.
fn seconds(page: &Page, player: &str) -> u32 {
    let shown = page.text(&format!("#clock-{player}"));
    let parts = shown.split_once(':').expect("minutes and seconds");
    let [minutes, seconds] = [parts.0, parts.1].map(|part| part.parse::<u32>().expect("a number"));
    60 * minutes + seconds
}

#[test]
fn a_turn_keeps_the_time_that_it_has_run() {
    let Some(page) = desktop() else { return };
    begin(&page, &[("#seat-white", "person"), ("#limit", "5")]);
    click_move(&page, OPENING[0]);
    let is_at_most = |most: u32, what: &str| {
        let left = seconds(&page, "white");
        assert!(left <= most, "{what}: {left}");
    };
    pass(&page, 60);
    page.click("#tab-study");
    page.click("#tab-play");
    is_at_most(240, "another tab");
    page.click("#undo");
    page.click("#answer-yes");
    page.click("#redo");
    is_at_most(240, "undo and redo");
    pass(&page, 60);
    page.key("ArrowLeft");
    page.key("ArrowRight");
    is_at_most(180, "a look at the start");
    pass(&page, 60);
    page.reload();
    is_at_most(120, "a reload");
    pass(&page, 60);
    page.click("#tab-study");
    page.reload();
    page.click("#tab-play");
    is_at_most(60, "a reload in the study");
    // The move takes all of it along.
    click_move(&page, OPENING[1]);
    is_at_most(60, "a move");
    assert!(seconds(&page, "black") > 60, "black has lost none of it");
    page.reload();
    is_at_most(60, "a reload after the move");
}

#[test]
fn a_pause_gives_no_time_back() {
    let Some(page) = desktop() else { return };
    begin(&page, &[("#limit", "5"), ("#seat-white", "level-1")]);
    click_move(&page, OPENING[0]);
    wait_for_moves(&page, 2);
    wait_for_status(&page, "Black to move");
    pass(&page, 60);
    page.click("#pause");
    let paused = seconds(&page, "black");
    assert!(paused <= 240, "{paused}");
    pass(&page, 60);
    page.click("#pause");
    let left = seconds(&page, "black");
    assert!((180..=paused).contains(&left), "the clock stood: {left}");
}

#[test]
fn a_drag_along_the_curve_spares_the_address() {
    let Some(page) = desktop() else { return };
    page.drop_files(&[("game.json", &super::log("random_vs_random"))]);
    hash(&page, "p=0");
    // The browser throws at the hundredth change, as Safari does within 30 s. Each address is whole: Chromium takes one of two
    // slashes away from the address of a file, and elsewhere what stands after two is a host.
    let changes = r#"(() => {
        const change = history.replaceState.bind(history);
        count = 0;
        history.replaceState = (...state) => {
            count += 1;
            if (count > 99) throw new DOMException("too often", "SecurityError");
            if (!state[2].startsWith("file:///")) throw Error(state[2]);
            change(...state);
        };
        const begun = performance.now();
        for (let step = 0; step <= 200; step++) {
            const slider = document.querySelector('#curve [role=slider]');
            const box = slider.getBoundingClientRect();
            const clientX = box.left + (step % 100) / 100 * box.width;
            slider.dispatchEvent(new PointerEvent("pointermove", { clientX, buttons: 1, bubbles: true }));
        }
        return count <= (performance.now() - begun) / 300 + 1;
    })()"#;
    assert_eq!(page.eval(changes), true);
    // The last step is in the address in the end.
    page.key("ArrowRight");
    page.key("ArrowRight");
    let shown = place(&page);
    let depth = shown.split(' ').next().expect("a number");
    hash(&page, &format!("p={depth}"));
}

/// A browser may take no new address, or learn of one too late for the reload that follows.
#[test]
fn a_reload_with_an_older_address_loses_nothing() {
    let Some(page) = desktop() else { return };
    page.click("#tab-study");
    OPENING.iter().for_each(|turn| click_move(&page, turn));
    page.click("#first");
    hash(&page, "p=0");
    page.eval("history.replaceState = () => { throw new DOMException('no', 'SecurityError'); }");
    page.click("#next");
    click_move(&page, "a6 b6 b1");
    page.wait_for("JSON.parse(localStorage.getItem('amazons.study')).value.path.length === 2");
    let studied = (listed(&page), place(&page));
    assert_eq!(studied.0.len(), 4, "the game and a variation");
    page.reload();
    assert_eq!((listed(&page), place(&page)), studied);
}
