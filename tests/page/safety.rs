//! Nothing is lost: answers that come late, changes that are undone, studies that were replaced, damaged files.

use super::play::begin_between;
use super::study::review;
use super::view::{all_texts, cells, click_move, listed_moves, place_label, texts, wait_for_moves};
use super::{desktop, log};
use crate::common::browser::Page;
use serde_json::{Value, json};

/// Moves from the start.
const MOVES: [&str; 4] = ["c1 c6 f6", "a6 b5 b1", "f1 f5 c2", "h6 h7 h8"];

/// A short game in SGF: `count` moves of the opening.
fn record(count: usize) -> String {
    let moves: String = (MOVES
        .iter()
        .take(count)
        .zip([";B", ";W"].into_iter().cycle()))
    .map(|(turn, mover)| format!("{mover}[{}]", turn.replace(' ', "-")))
    .collect();
    format!("(;FF[4]GM[18]SZ[8]{moves})")
}

/// Drops a file and waits until its game is shown with `count` moves.
fn open(page: &Page, text: &str, count: usize) {
    page.drop_files(&[("game.sgf", text)]);
    page.wait_for("document.body.dataset.tab === 'study'");
    wait_for_moves(page, count);
}

/// A question that was open when a file was dropped writes nothing into the opened study.
#[test]
fn late_answers_change_no_other_game() {
    let Some(page) = desktop() else { return };
    begin_between(&page, "person", "person");
    MOVES[..2].iter().for_each(|turn| click_move(&page, turn));
    page.click("#undo");
    open(&page, &record(1), 1);
    assert!(!page.exists("#question[open]"), "the question is closed");
    page.eval("document.querySelector('#answer-yes').click()");
    assert_eq!(listed_moves(&page), MOVES[..1]);
    page.click("#tab-play");
    assert_eq!(listed_moves(&page), MOVES[..2], "nothing is taken back");
    page.click("#tab-study");
    page.reload();
    assert_eq!(listed_moves(&page), MOVES[..1]);
    assert_eq!(page.text("#notice"), "", "nothing was damaged");
}

/// → steps through the game after every control of the page was used once.
#[test]
fn arrow_keys_step_after_every_control() {
    let Some(page) = desktop() else { return };
    open(&page, &record(4), 4);
    let controls = page.eval(
        "[...document.querySelectorAll('button, select, input')].filter((one) => one.offsetParent && !one.closest('dialog, #squares') && \
         !/tab-|load|full-screen|newcomer|play-this|-open|review-run|before|lesson|practise/.test(one.id)).map((one) => one.id).filter(Boolean)",
    );
    let mut ids = texts(&controls);
    assert!(ids.len() > 15, "{ids:?}");
    ids.push("squares [data-square=d4]".to_owned());
    for id in ids {
        let css = format!("#{id}");
        page.key("Home");
        page.key("ArrowRight");
        if page.eval(&format!("!document.querySelector('{css}')?.offsetParent || document.querySelector('{css}').disabled")) == true {
            continue;
        }
        if page.eval(&format!("document.querySelector('{css}').tagName")) == "SELECT" {
            // As by a pointer: the list takes the focus, a choice is made.
            page.eval(&format!(
                "{{ const list = document.querySelector('{css}'); list.focus(); list.dispatchEvent(new PointerEvent('pointerdown', {{ bubbles: true }})); \
                 list.selectedIndex = 0; list.dispatchEvent(new Event('change', {{ bubbles: true }})); }}"
            ));
        } else {
            page.click(&css);
        }
        page.key("Home");
        let before = listed_moves(&page).len();
        assert_eq!(place_label(&page), format!("0 / {before}"), "after {css}");
        let values = "[...document.querySelectorAll('select')].map((list) => list.value).join()";
        let values_before = page.eval(values);
        page.key("ArrowRight");
        assert_eq!(place_label(&page), format!("1 / {before}"), "after {css}");
        assert_eq!(page.eval(values), values_before, "after {css}");
    }
}

#[test]
fn enter_begins_choosing_squares_by_keyboard() {
    let Some(page) = desktop() else { return };
    open(&page, &record(2), 2);
    page.key("Home");
    page.eval("document.querySelector('[data-square=c1]').focus()");
    page.key("ArrowRight");
    assert_eq!(place_label(&page), "1 / 2");
    page.key("ArrowLeft");
    page.key("Enter");
    page.key("ArrowRight");
    let focused = page.eval("document.activeElement.dataset.square");
    assert!(
        ["b1", "d1"].map(Value::from).contains(&focused),
        "the cursor walks: {focused}"
    );
    assert_eq!(place_label(&page), "0 / 2");
    page.key("Escape");
    page.key("ArrowRight");
    assert_eq!(place_label(&page), "1 / 2");
}

#[test]
fn changes_of_a_study_can_be_undone() {
    let Some(page) = desktop() else { return };
    open(&page, &record(2), 2);
    page.key("Home");
    click_move(&page, "f1 f6 c6");
    let with_variation = listed_moves(&page);
    assert_eq!(with_variation.len(), 3);
    page.click("#remove");
    assert_eq!(listed_moves(&page).len(), 2);
    page.key("Control+z");
    assert_eq!(listed_moves(&page), with_variation);
    page.click("#make-main");
    assert_ne!(listed_moves(&page), with_variation);
    page.click("#undo-edit");
    assert_eq!(listed_moves(&page), with_variation);
    page.click("#undo-edit");
    assert_eq!(listed_moves(&page), MOVES[..2]);
    assert!(!page.exists("#undo-edit:not([hidden])"));
}

/// Each study that was replaced can be reached again, also after a reload: opened files with variations, a position without moves.
#[test]
fn replaced_studies_can_be_reopened() {
    let Some(page) = desktop() else { return };
    page.drop_files(&[("one.sgf", &record(1)), ("two.sgf", &record(2))]);
    page.wait_for("document.querySelectorAll('#overview-rows tr').length === 2");
    page.key("End");
    click_move(&page, MOVES[1]);
    page.paste(&record(3));
    wait_for_moves(&page, 3);
    page.click("#editor-open");
    page.click("#editor-start");
    page.click("[data-square=d4]");
    page.click("#editor-done");
    wait_for_moves(&page, 0);
    open(&page, &record(4), 4);
    page.reload();
    page.click("#before");
    wait_for_moves(&page, 0);
    assert_eq!(cells(&page).matches('x').count(), 1, "the position");
    page.click("#before");
    wait_for_moves(&page, 3);
    page.click("#before");
    wait_for_moves(&page, 2);
    assert_eq!(page.count("#games option"), 2, "the list, too");
    page.click("#before");
    wait_for_moves(&page, 4);
}

#[test]
fn studying_a_game_twice_opens_one_copy() {
    let Some(page) = desktop() else { return };
    open(&page, &record(3), 3);
    page.click("#tab-play");
    begin_between(&page, "person", "person");
    click_move(&page, MOVES[0]);
    for _ in 0..2 {
        page.click("#tab-play");
        page.click("#study-this");
        wait_for_moves(&page, 1);
    }
    page.click("#before");
    wait_for_moves(&page, 3);
}

#[test]
fn an_open_editor_survives_a_reload() {
    let Some(page) = desktop() else { return };
    page.click("#tab-study");
    page.click("#editor-open");
    page.click("[data-square=d4]");
    let painted = cells(&page);
    page.reload();
    assert!(page.exists("#editor:not([hidden])"));
    assert_eq!(cells(&page), painted);
}

/// After a file that the storage has no room for, later files are saved again.
#[test]
fn room_is_measured_for_each_set_of_games() {
    let Some(page) = desktop() else { return };
    let comment = "x".repeat(6_300_000);
    open(
        &page,
        &record(1).replacen("SZ[8]", &format!("SZ[8]GC[{comment}]"), 1),
        1,
    );
    page.wait_for("document.querySelector('#notice').textContent.includes('reload')");
    page.drop_files(&[
        ("one.sgf", &record(1)),
        ("two.sgf", &record(2)),
        ("three.sgf", &record(3)),
    ]);
    page.wait_for("document.querySelectorAll('#overview-rows tr').length === 3");
    page.wait_for("new Promise((done) => setTimeout(() => done(true), 500))");
    page.reload();
    assert_eq!(page.count("#overview-rows tr"), 3);
}

/// A review that does not fit its game is left out as a whole; a move that the rules forbid never enters the tree.
#[test]
fn damaged_reviews_are_left_out() {
    let Some(page) = desktop() else { return };
    open(&page, &record(4), 4);
    review(&page);
    page.click("#room-file");
    page.click("#save");
    let saved = page.downloaded("game.sgf");
    let (start, end) = (saved.find("REVIEW[").expect("a review"), saved.len());
    let review = &saved[start..end];
    let damaged = |from: &str, to: &str| saved.replacen(from, to, 1);
    let biggest = |side: &str| format!("\"biggest\":[{side}\\]");
    let found = review.find("\"biggest\":[").expect("mistakes");
    let close = review[found..].find(']').expect("a list") + found + 1;
    let listed_plies = &review[found..close];
    let move_at = saved.find("\"move\":\"").expect("a candidate") + 8;
    let candidate = saved[move_at..].split('"').next().expect("a move");
    for (what, text) in [
        ("ply 0", damaged(listed_plies, &biggest("0"))),
        ("a ply too far", damaged(listed_plies, &biggest("999"))),
        ("no analysis", without(&saved, "PLY[")),
        ("an illegal candidate", saved.replace(candidate, "a1 a2 a3")),
    ] {
        page.drop_files(&[("damaged.sgf", &text)]);
        wait_for_moves(&page, 4);
        page.assert_no_faults();
        for control in ["#tab-play", "#tab-study", "#last", "#first"] {
            page.click(control);
        }
        assert!(
            !all_texts(&page, "#candidates button").contains(&"a1 a2 a3".to_owned()),
            "{what}"
        );
        page.reload();
        assert_eq!(listed_moves(&page), MOVES[..4], "{what}");
        page.assert_no_faults();
        open(&page, &record(1), 1);
    }
}

/// Returns the record without the properties that begin with `name`; a bracket after a backslash does not end a value.
fn without(record: &str, name: &str) -> String {
    let mut parts = record.split(name);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| {
        let ends = part.match_indices(']').map(|(at, _)| at);
        let end = ends.into_iter().find(|&at| !part[..at].ends_with('\\'));
        kept + end.map_or("", |at| &part[at + 1..])
    })
}

/// The refused answer of a lost game is explained where it was given, with its squares on the board.
#[test]
fn games_lost_by_a_fault_show_it() {
    let Some(page) = desktop() else { return };
    let mut illegal: Value = serde_json::from_str(&log("fault_illegal")).expect("a log");
    let entries = illegal.as_array_mut().expect("entries");
    let at = entries.len() - 2;
    entries[at]["0"]["response"] = json!({ "x0": 2, "y0": 0, "x1": 2, "y1": 0, "x2": 2, "y2": 5 });
    for (name, text, said, squares) in [
        ("fault_illegal", log("fault_illegal"), "is no move", 0),
        ("fault_crash", log("fault_crash"), "runtime error", 0),
        ("fault_garbage", log("fault_garbage"), "can't be read", 0),
        ("fault_timeout", log("fault_timeout"), "late: 1051 ms", 0),
        ("illegal", illegal.to_string(), "is illegal", 3),
    ] {
        page.drop_files(&[(&format!("{name}.json"), &text)]);
        page.wait_for(&format!(
            "document.querySelector('#file-title').textContent.endsWith('{name}')"
        ));
        page.click("#last");
        page.wait_for("!document.querySelector('#fault').hidden");
        let told = page.text("#fault-lines");
        assert!(told.contains(said), "{name}: {told}");
        assert_eq!(page.count("#board .step"), squares, "{name}");
        page.click("[data-language=zh]");
        assert!(page.text("#fault-lines").contains('：'), "{name}");
        page.click("[data-language=en]");
        if page.exists("#first:not([disabled])") {
            page.click("#first");
            assert!(page.exists("#fault[hidden]"), "{name}");
        }
    }
}
