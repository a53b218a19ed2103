//! Tests of saved state: separate games per page kind and window, invalid data, clocks, and the address.

use super::play::{OPENING, begin, begin_between, wait_for_status};
use super::report::report;
use super::study::{accuracies, native_analysis, review};
use super::view::{
    advance_clock, all_texts, cells, cells_of, click_move, listed_moves, place_label, selectable,
    selected, wait_for_hash, wait_for_moves,
};
use super::{browser, built, desktop, file};
use crate::common::browser::{Browser, Page, Window, address};
use engine::board::Board;
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;

#[test]
fn report_and_page_keep_separate_games() {
    let Some(page) = desktop() else { return };
    begin_between(&page, "level-1", "level-1");
    wait_for_moves(&page, 2);
    page.click("#pause");
    let played = listed_moves(&page);
    let report = page.open_sharing(report());
    report.click("#tab-play");
    assert_eq!(report.text("#status"), "Black to move: choose an amazon.");
    assert_eq!(selectable(&report).len(), 4);
    click_move(&report, OPENING[0]);
    report.reload();
    report.click("#tab-play");
    assert_eq!(
        listed_moves(&report),
        OPENING[..1],
        "the report has its own game"
    );
    page.reload();
    assert_eq!(listed_moves(&page), played);
    assert_eq!(page.text("#status"), "The bots wait.");
}

/// Returns the saved value of a game between two persons after one move.
fn saved_game() -> Value {
    let start = "..b..b..........b......b................w......w..........w..w..";
    let line = json!({ "m": null, "t": 0, "c": [{ "m": OPENING[0], "t": 5, "c": [] }] });
    json!({ "version": 1, "value": {
        "game": { "start": { "cells": start, "toMove": "black" }, "line": line, "path": [0],
            "names": { "black": null, "white": null }, "title": "", "end": null },
        "table": { "black": "person", "white": "person", "limit": "3", "pace": 1, "isPaused": false },
    }})
}

/// Opens the page in a browser whose local storage holds some values.
fn open_with(browser: &Arc<Browser>, saved: &[(&str, &Value)]) -> Page {
    // A page that saves nothing; all local files share one storage.
    let small = file("page_small.html");
    fs::write(&small, "<!doctype html>").expect("the folder can be written");
    let page = browser.open(&address(&small), "", Window::DESKTOP);
    for (name, value) in saved {
        let text = json!(value.to_string());
        page.eval(&format!("localStorage.setItem('amazons.{name}', {text})"));
    }
    page.navigate(built());
    page
}

#[test]
fn invalid_saved_games_are_set_aside() {
    let Some(browser) = browser() else { return };
    let page = open_with(&browser, &[("play", &saved_game())]);
    assert_eq!(
        listed_moves(&page),
        OPENING[..1],
        "a valid game is restored"
    );
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
        let mut broken = saved_game();
        *broken.pointer_mut(place).expect("a place") = value;
        let study = json!({ "version": broken["version"], "value": broken["value"]["game"] });
        let page = open_with(&browser, &[("play", &broken), ("study", &study)]);
        for tab in ["play", "study"] {
            page.click(&format!("#tab-{tab}"));
            assert_eq!(cells(&page), cells_of(&Board::start()), "{broken}");
            assert!(listed_moves(&page).is_empty(), "{broken}");
        }
        assert!(page.text("#notice").contains("(play, study)"), "{broken}");
        let aside = page.eval("localStorage.getItem('amazons.aside.play')");
        assert_eq!(aside, broken.to_string());
    }
}

#[test]
fn invalid_saved_settings_fall_back_to_defaults() {
    let Some(browser) = browser() else { return };
    let mut invalid = saved_game();
    invalid["value"]["table"] =
        json!({ "black": "level-99", "white": [], "limit": "7", "pace": "fast", "isPaused": "no" });
    let options = json!({ "language": 5, "shown": { "best": "no", "fog": true }, "thinks": 1, "lines": 99, "tab": "home" });
    let options = json!({ "version": 1, "value": options });
    let page = open_with(&browser, &[("play", &invalid), ("options", &options)]);
    let lists = ["seat-black", "seat-white", "limit", "pace", "lines"];
    let shown = lists.map(|id| selected(&page, &format!("#{id}")));
    assert_eq!(shown, ["person", "level-6", "0", "1", "3"]);
    assert_eq!(page.eval("document.body.dataset.tab"), "play");
    assert!(page.text("#notice").contains("(options, play)"));
    // The game itself was valid: a bot answers.
    wait_for_moves(&page, 2);
    page.click("#tab-study");
    assert!(page.exists("#thinks[aria-pressed=false]"));
}

#[test]
fn two_windows_keep_separate_games() {
    let Some(first) = desktop() else { return };
    begin_between(&first, "person", "person");
    let length = "JSON.parse(localStorage.getItem('amazons.play')).value.game.path.length";
    click_move(&first, OPENING[0]);
    first.wait_for(&format!("{length} === 1"));
    let second = first.open_sharing(built());
    assert_eq!(listed_moves(&second), OPENING[..1]);
    let other = [OPENING[0], "a6 b6 b1"];
    click_move(&first, other[1]);
    // Changes in local storage reach other windows with a delay.
    second.wait_for(&format!("{length} === 2"));
    // After a reload, the idle window shows its own game; a new window shows the game that was changed last.
    advance_clock(&second, 60);
    second.reload();
    assert_eq!(listed_moves(&second), OPENING[..1]);
    let third = second.open_sharing(built());
    assert_eq!(listed_moves(&third), other);
    for count in [2, 3] {
        click_move(&second, OPENING[count - 1]);
        second.reload();
        assert_eq!(listed_moves(&second), OPENING[..count]);
        first.reload();
        assert_eq!(listed_moves(&first), other);
    }
}

/// Opens three games in the "Study" tab.
fn open_three(page: &Page) {
    let [first, second] = ["random_vs_random", "fault_crash"].map(super::log);
    page.drop_files(&[("a.json", &first), ("b.json", &second), ("c.json", &second)]);
    page.wait_for("document.querySelectorAll('#overview-rows tr').length === 3");
}

#[test]
fn reload_restores_all_open_games_with_analysis() {
    let Some(page) = desktop() else { return };
    open_three(&page);
    page.choose("#games", "1");
    review(&page);
    page.choose("#games", "2");
    click_move(&page, "c1 c7 b7");
    page.click("#thinks");
    page.wait_for("document.querySelectorAll('#candidates tr').length === 3");
    page.click("#thinks");
    let shown = |page: &Page| {
        let texts = "['#games', '#title', '#place', '#candidates', '#review-results'].map((css) => document.querySelector(css).textContent)";
        (page.eval(texts), listed_moves(page))
    };
    let seen = shown(&page);
    // The state is saved shortly after the last change.
    page.wait_for("localStorage['amazons.options'].includes('\"thinks\":false') && localStorage['amazons.study'].includes('\"f\":')");
    // Another window opens other games.
    let other = page.open_sharing(built());
    assert_eq!(shown(&other), seen);
    page.reload();
    assert_eq!(shown(&page), seen);
    // A window that has changed nothing keeps its games, too.
    let idle = page.open_sharing(built());
    idle.wait_for("Object.keys(sessionStorage).join().split('collection/').length === 3");
    other.drop_files(&[("d.json", &super::log("random_vs_random"))]);
    wait_for_moves(&other, 40);
    // Changes in local storage reach other windows with a delay.
    page.wait_for("localStorage.getItem('amazons.collection').includes('\"value\":[]')");
    page.choose("#games", "1");
    assert!(
        !page.text("#review-results").is_empty(),
        "the review is there"
    );
    let seen = shown(&page);
    page.reload();
    assert_eq!(shown(&page), seen);
    idle.reload();
    assert_eq!(idle.count("#games option"), 3);
    other.reload();
    assert!(other.exists("#all-games[hidden]"));
    assert_eq!(listed_moves(&other).len(), 40);
    // A game with a damaged analysis is restored without the analysis.
    let broken = "(() => { const kept = JSON.parse(sessionStorage.getItem('amazons.study'));
        kept.value.line.e.candidates[0].move = '<b>'; return JSON.stringify(kept); })()";
    page.eval(&format!("broken = {broken}; Storage.prototype.setItem.call(sessionStorage, 'amazons.study', broken); Storage.prototype.setItem = () => {{}}"));
    page.reload();
    assert_eq!(listed_moves(&page).len(), 10);
    assert!(page.text("#notice").contains("(study)"));
}

#[test]
fn full_storage_drops_analysis_before_games() {
    let Some(page) = desktop() else { return };
    let limit_storage = |letters: usize| {
        page.eval(&format!("{{ const set = Storage.prototype.setItem; Storage.prototype.setItem = function (name, text) {{
            if (text.length > {letters}) throw new DOMException('full', 'QuotaExceededError');
            set.call(this, name, text); }}; }}"));
    };
    let expect_notice = |part: &str| {
        page.wait_for(&format!(
            "document.querySelector('#notice').textContent.includes('{part}')"
        ));
        page.reload();
        assert_eq!(listed_moves(&page).len(), 10);
    };
    open_three(&page);
    page.choose("#games", "1");
    limit_storage(10_000);
    review(&page);
    expect_notice("what the engine said of the games will be gone");
    assert_eq!(page.count("#games option"), 3);
    assert_eq!(page.text("#review-results"), "");
    limit_storage(1000);
    let [long, short] = ["random_vs_random", "fault_crash"].map(super::log);
    page.drop_files(&[("a.json", &short), ("b.json", &long)]);
    expect_notice("only the game that is shown outlasts");
    assert!(page.exists("#all-games[hidden]"));
}

#[test]
fn games_reviewed_in_the_background_are_kept() {
    let Some(page) = desktop() else { return };
    open_three(&page);
    page.click("#room-review");
    page.choose("#review-effort", "1000");
    page.click("#room-games");
    page.click("#review-all");
    // A game can be played meanwhile, and another review goes first.
    page.click("#tab-play");
    page.wait_for("document.querySelectorAll('#squares .may').length");
    page.click("#tab-study");
    page.choose("#games", "2");
    review(&page);
    page.click("#room-games");
    page.wait_for("document.querySelector('#all-progress').hidden");
    let columns =
        || [3, 4, 5, 7].map(|at| all_texts(&page, &format!("#overview-rows td:nth-child({at})")));
    let seen = columns();
    let native = ["random_vs_random", "fault_crash"].map(|name| native_analysis(name).0);
    for (row, game) in [&native[0], &native[1], &native[1]].into_iter().enumerate() {
        assert_eq!([&seen[1][row], &seen[2][row]], accuracies(game).each_ref());
    }
    let decided = native[0]["solved"]["decided"]["after"].to_string();
    assert_eq!(seen[3], [&decided, "–", "–"]);
    // Sums: black and white have three games each; white has won all.
    let sums = all_texts(&page, "#sums-rows tr:nth-child(2) td");
    assert_eq!(sums[..3], ["White", "3", "3"]);
    for plies in [["10", "10", "40"], ["40", "10", "10"]] {
        page.click("#overview-head th:nth-child(3) button");
        assert_eq!(columns()[0], plies);
    }
    page.click("#overview-rows tr:nth-child(1) button");
    assert_eq!(listed_moves(&page).len(), 40);
    page.reload();
    assert_eq!(columns(), seen, "in the order of the files");
    assert!(page.exists("#review-all:disabled"));
}

/// Returns a saved game whose next move ends the game: white is walled in.
fn game_before_last_move() -> Value {
    let mut saved = saved_game();
    let game = &mut saved["value"]["game"];
    let cells = "b..b..b.b.......                        xxx.....wwx.....wwx.....";
    game["start"]["cells"] = cells.replace(' ', ".").into();
    game["line"]["c"] = json!([]);
    game["path"] = json!([]);
    saved["value"]["table"]["white"] = "level-1".into();
    saved
}

#[test]
fn finished_game_can_be_stepped_through() {
    let Some(browser) = browser() else { return };
    let page = open_with(&browser, &[("play", &game_before_last_move())]);
    click_move(&page, "g1 h1 g1");
    let end = "Black has won: White has no move.";
    assert_eq!(page.text("#status"), end);
    for (button, shown) in [("previous", 0), ("next", 1), ("first", 0), ("last", 1)] {
        page.click(&format!("#{button}"));
        assert_eq!(place_label(&page), format!("{shown} / 1"));
        assert_eq!(page.text("#status"), end);
    }
    page.reload();
    assert_eq!(page.text("#status"), end);
    // Only an undo continues the game.
    page.click("#undo");
    assert_eq!(page.text("#status"), "Black to move: choose an amazon.");
}

/// Returns the time on a player's clock in seconds.
fn seconds(page: &Page, player: &str) -> u32 {
    let shown = page.text(&format!("#clock-{player}"));
    let parts = shown.split_once(':').expect("minutes and seconds");
    let [minutes, seconds] = [parts.0, parts.1].map(|part| part.parse::<u32>().expect("a number"));
    60 * minutes + seconds
}

#[test]
fn clock_keeps_the_time_of_a_turn() {
    let Some(page) = desktop() else { return };
    begin(&page, &[("#seat-white", "person"), ("#limit", "5")]);
    click_move(&page, OPENING[0]);
    let is_at_most = |most: u32, what: &str| {
        let left = seconds(&page, "white");
        assert!(left <= most, "{what}: {left}");
    };
    advance_clock(&page, 60);
    page.click("#tab-study");
    page.click("#tab-play");
    is_at_most(240, "another tab");
    page.click("#undo");
    page.click("#answer-yes");
    page.click("#redo");
    is_at_most(240, "undo and redo");
    advance_clock(&page, 60);
    page.key("ArrowLeft");
    page.key("ArrowRight");
    is_at_most(180, "a look at the start");
    advance_clock(&page, 60);
    page.reload();
    is_at_most(120, "a reload");
    advance_clock(&page, 60);
    page.click("#tab-study");
    page.reload();
    page.click("#tab-play");
    is_at_most(60, "a reload in the study");
    // The move keeps the time of the whole turn.
    click_move(&page, OPENING[1]);
    is_at_most(60, "a move");
    assert!(seconds(&page, "black") > 60, "black has lost none of it");
    page.reload();
    is_at_most(60, "a reload after the move");
}

#[test]
fn pausing_gives_no_time_back() {
    let Some(page) = desktop() else { return };
    begin(&page, &[("#limit", "5"), ("#seat-white", "level-1")]);
    click_move(&page, OPENING[0]);
    wait_for_moves(&page, 2);
    wait_for_status(&page, "Black to move");
    advance_clock(&page, 60);
    page.click("#pause");
    let paused = seconds(&page, "black");
    assert!(paused <= 240, "{paused}");
    advance_clock(&page, 60);
    page.click("#pause");
    let left = seconds(&page, "black");
    assert!((180..=paused).contains(&left), "the clock stood: {left}");
}

#[test]
fn dragging_along_the_curve_throttles_address_changes() {
    let Some(page) = desktop() else { return };
    page.drop_files(&[("game.json", &super::log("random_vs_random"))]);
    wait_for_hash(&page, "p=0");
    // `replaceState` throws at the hundredth change, as Safari's does within 30 s. Addresses must be absolute: in a relative
    // one, Chromium drops one of two leading slashes, and other browsers read the part after them as a host.
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
    // In the end, the address holds the last step.
    page.key("ArrowRight");
    page.key("ArrowRight");
    let shown = place_label(&page);
    let depth = shown.split(' ').next().expect("a number");
    wait_for_hash(&page, &format!("p={depth}"));
}

/// A browser may reject a new address, or store it too late for the next reload.
#[test]
fn reload_with_an_outdated_address_loses_nothing() {
    let Some(page) = desktop() else { return };
    page.click("#tab-study");
    OPENING.iter().for_each(|turn| click_move(&page, turn));
    page.click("#first");
    wait_for_hash(&page, "p=0");
    page.eval("history.replaceState = () => { throw new DOMException('no', 'SecurityError'); }");
    page.click("#next");
    click_move(&page, "a6 b6 b1");
    page.wait_for("JSON.parse(localStorage.getItem('amazons.study')).value.path.length === 2");
    let studied = (listed_moves(&page), place_label(&page));
    assert_eq!(studied.0.len(), 4, "the game and a variation");
    page.reload();
    assert_eq!((listed_moves(&page), place_label(&page)), studied);
}
