//! Tests the page in Firefox: playing, studying, saving and reloading.

use super::{WASM, built};
use crate::common::firefox::Firefox;
use crate::common::needs;
use record::tree::Record;

#[test]
fn firefox_plays_studies_saves_and_restores() {
    if !needs::target(WASM) {
        return;
    }
    let Some(mut firefox) = Firefox::start() else {
        return;
    };
    firefox.open(built());
    for square in ["c1", "c6", "f6"] {
        firefox.click(&format!("[data-square={square}]"));
    }
    let moves = "document.querySelectorAll('#moves [data-node]').length";
    // The bot answers: the engine runs.
    firefox.wait_for(&format!("{moves} === 2"));
    firefox.reload();
    firefox.wait_for(&format!("{moves} === 2"));
    firefox.click("#study-this");
    firefox.click("#thinks");
    firefox.wait_for("document.querySelectorAll('#candidates tr').length > 0");
    firefox.click("#thinks");
    let saved = "[...document.querySelectorAll('#moves [data-node]')].map((move) => move.firstChild.data).join()";
    let played = firefox.eval(saved);
    firefox.click("#room-file");
    firefox.click("#save");
    let record = Record::read(&firefox.downloaded("amazons.sgf")).expect("a record");
    let turns = record.game.turns().into_iter().map(|turn| turn.to_string());
    assert_eq!(played, turns.collect::<Vec<_>>().join(","));
    firefox.reload();
    assert_eq!(firefox.eval(saved), played);
    assert_eq!(firefox.text("#place"), "2 / 2");
    firefox.click("[data-language=zh]");
    assert_eq!(firefox.text("#tab-study"), "研究");
    firefox.assert_no_faults();
}
