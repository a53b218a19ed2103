//! Tests of the report that `amazons analyze --html` writes, with and without an engine: its text, and its use in Chromium.

use super::lesson::unsearched_move;
use super::view::{all_texts, cells, cells_of, click_move, listed_moves, place_label, selected};
use super::{browser, built};
use crate::common::browser::{Page, Window, address};
use crate::common::{fresh_file, log, printed, write_file};
use record::checked_game::CheckedGame;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A player's name that would break the page if it were parsed as HTML.
const NAME: &str = "</script><script>document.title='broken'</script><!--<b>";

/// Returns the path of a report on three games without an engine. The second game's names are [`NAME`].
pub fn report() -> &'static Path {
    static REPORT: OnceLock<PathBuf> = OnceLock::new();
    REPORT.get_or_init(|| write_report("report", &["--solve", "--nodes", "3000"]))
}

/// Writes a report on three games with `more` arguments; returns its path.
fn write_report(name: &str, more: &[&str]) -> PathBuf {
    let page = fresh_file(&format!("page_{name}.html"));
    let entries: Value = serde_json::from_str(&super::log("fault_crash")).expect("JSON");
    let named = json!({ "players": [NAME, NAME], "log": entries });
    let hostile = write_file(&format!("page_{name}.json"), named.to_string());
    let [first, third] = ["random_vs_random", "fault_timeout"].map(log);
    let words = ["analyze", "--iterations", "200", "--html", &page];
    printed(&[&words, more, &[&first, &hostile, &third]].concat());
    page.into()
}

/// Opens the report; `None` if the test is skipped.
fn open_report() -> Option<Page> {
    Some(browser()?.open(&address(report()), "", Window::DESKTOP))
}

#[test]
fn report_starts_at_its_games_position() {
    let Some(browser) = browser() else { return };
    let report = fresh_file("page_position.html");
    let text = "1b1x4/8/b6b/8/4b3/w6w/8/2w2w2 w - 2";
    let position = write_file("page_position.fen", text);
    printed(&[
        "analyze",
        "--iterations",
        "50",
        &position,
        "--html",
        &report,
    ]);
    let page = browser.open(&address(report.as_ref()), "", Window::DESKTOP);
    let game = CheckedGame::read(text).expect("a position");
    assert_eq!(cells(&page), cells_of(game.start()));
    assert!(page.text("#position").ends_with("White to move"));
}

#[test]
fn report_is_self_contained() {
    let page = fs::read_to_string(report()).expect("the page is written");
    // The SVG namespace is not loaded from the network.
    let text = page.replace("http://www.w3.org/2000/svg", "");
    let loads = "http: https: src= @import url( fetch( XMLHttpRequest";
    let unfilled = "{style} {script} {style-checksum} {script-checksum} {worker} {glossary} {engine} {games} {seal}";
    let broken = "<b> document.title='broken'</script>";
    for mark in [loads, unfilled, broken]
        .iter()
        .flat_map(|marks| marks.split(' '))
    {
        assert!(!text.contains(mark), "{mark}");
    }
    // `import(` occurs only in comments that name types of other modules.
    let mut imports = page.lines().filter(|line| line.contains("import("));
    assert!(imports.all(|line| line.contains("/**") || line.trim_start().starts_with('*')));
    assert!(page.contains("default-src 'none'"));
    let (_, rest) = page
        .split_once("<script id=\"data\" type=\"application/json\">")
        .expect("the data's element");
    let (data, _) = rest.split_once("</script>").expect("its end");
    let games: Value = serde_json::from_str(data).expect("the data is JSON");
    assert_eq!(games[1]["summary"]["players"]["black"], NAME);
    for (game, plies) in [40, 10, 10].iter().enumerate() {
        assert_eq!(games[game]["summary"]["plies"], *plies);
        let all = games[game]["plies"].as_array().expect("a list");
        assert_eq!(all.len(), plies + 1);
        assert!(all.iter().all(|ply| ply["win_probability"].is_number()));
    }
}

#[test]
fn report_steps_by_buttons_keys_wheel_and_curve() {
    let Some(page) = open_report() else { return };
    let is_at = |number: usize| assert_eq!(place_label(&page), format!("{number} / 40"));
    is_at(0);
    for window in [Window::DESKTOP, Window::PHONE] {
        page.set_window(window);
        page.click("#next");
        page.key("ArrowRight");
        is_at(2);
        page.click("#previous");
        is_at(1);
        page.key("End");
        is_at(40);
        assert!(page.exists("#next:disabled") && page.exists("#last:disabled"));
        page.click("#first");
        assert!(page.exists("#first:disabled") && page.exists("#previous:disabled"));
        page.click("#moves [data-node]");
        is_at(1);
        assert_eq!(page.count("#board .amazon"), 8);
        assert_eq!(page.count("#board rect.arrow"), 1);
        assert_eq!(page.count("#board .last"), 3);
        // The middle of the curve is the middle of the game.
        page.hover("#curve [role=slider]");
        let pointed = page.text("#pointed");
        page.click("#curve [role=slider]");
        let shown = place_label(&page);
        let number: usize = shown
            .split(' ')
            .next()
            .and_then(|n| n.parse().ok())
            .expect("a number");
        assert!((17..=24).contains(&number), "{number}");
        assert!(
            pointed.starts_with(&number.div_ceil(2).to_string()) && pointed.ends_with(" %"),
            "{pointed}"
        );
        page.wheel("#board", 120);
        is_at(number + 1);
        page.wheel("#board", -120);
        is_at(number);
        page.click("#first");
    }
    page.key("?");
    assert!(page.text("#keys[open]").contains("Flip the board"));
    page.key("Escape");
    page.wait_for("!document.querySelector('dialog[open]')");
    page.key("f");
    page.wait_for("document.body.classList.contains('flipped')");
    page.click("#show-ownership");
    assert_eq!(page.count("#board .owner-black, #board .owner-white"), 64);
    page.click("#mistake-next");
    assert!(page.exists("#verdict .judged"));
}

#[test]
fn keys_step_through_the_selected_game() {
    let Some(page) = open_report() else { return };
    assert_eq!(page.count("#overview-rows tr"), 3);
    page.choose("#games", "1");
    page.key("ArrowRight");
    page.key("ArrowDown");
    assert_eq!(
        (&*place_label(&page), &*selected(&page, "#games")),
        ("1 / 10", "1")
    );
    // Names are not parsed as HTML.
    assert!(page.text("#title").contains(NAME));
    assert_eq!(page.text("#name-black"), NAME);
    assert_eq!(page.eval("document.title.startsWith('</script>')"), true);
    assert_eq!(page.count("b"), 0);
    page.click("#overview-rows tr:nth-child(3) button");
    assert_eq!(selected(&page, "#games"), "2");
    page.key("ArrowRight");
    page.key("ArrowRight");
    assert!(place_label(&page).starts_with("2 / "));
    // Each game keeps its current position.
    page.choose("#games", "1");
    assert_eq!(place_label(&page), "1 / 10");
    for accuracy in all_texts(&page, "#overview-rows td:nth-child(4)") {
        let accuracy: f64 = accuracy.parse().expect("a number");
        assert!(accuracy > 0.0 && accuracy <= 100.0, "{accuracy}");
    }
}

#[test]
fn report_without_engine_has_variations_and_lessons() {
    let Some(page) = open_report() else { return };
    assert!(page.exists("#thinks[hidden]") && !page.exists("#no-engine[hidden]"));
    assert_eq!(page.count("#candidates tr"), 3);
    assert_eq!(page.count("#board .way.best"), 6);
    let line = "#candidates tr:nth-child(2) .line button";
    let turn = &all_texts(&page, line)[2];
    page.click(&format!("{line}:nth-child(3)"));
    assert_eq!(place_label(&page), "3 / 3");
    assert_eq!(page.count(".variations [data-node]"), 3);
    assert_eq!(
        page.count("#curve .outline.main"),
        1,
        "the game's own curve"
    );
    assert!(page.text("#position").contains(turn));
    // Without an engine, a lesson can't judge a move that was not analysed.
    page.click("#room-review");
    page.choose("#lesson-side", "both");
    page.click("#lesson-start");
    let plies = page.eval("JSON.parse(document.querySelector('#data').textContent)[0].plies");
    let plies = plies.as_array().expect("a list");
    let at = place_label(&page)
        .split(' ')
        .next()
        .and_then(|n| n.parse().ok());
    let at: usize = at.expect("a number");
    let played = plies.iter().filter_map(|ply| ply["move"].as_str());
    let played: Vec<String> = played.map(str::to_owned).collect();
    let unsearched = unsearched_move(&played[..=at], &plies[at]);
    click_move(&page, &unsearched);
    assert!(
        page.text("#lesson-task")
            .contains("not among the moves that were analysed")
    );
    page.click("#lesson-again");
    click_move(
        &page,
        plies[at]["candidates"][0]["move"].as_str().expect("a move"),
    );
    assert!(page.text("#lesson-task").ends_with(" is the best move."));
}

#[test]
fn printed_report_is_complete() {
    let Some(page) = open_report() else { return };
    let scrolls = "(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector('#moves'))";
    assert_eq!(page.eval(scrolls), true, "on the screen");
    page.set_window(Window {
        print: true,
        ..page.window()
    });
    assert_eq!(page.eval(scrolls), false);
    // The moves and the notes on the solved end are printed.
    let are_shown = "[...document.querySelectorAll('#moves [data-node], #certain, #curve .certain')].every((one) => one.getClientRects().length)";
    assert_eq!(page.eval(are_shown), true);
    assert!(!page.text("#certain").is_empty() && page.exists("#curve .certain"));
    let beside = r#"(() => {
        const [bar, board] = ["bar", "board"].map((id) => document.getElementById(id).getBoundingClientRect());
        return bar.width > 0 && bar.right <= board.left && bar.top >= board.top && bar.bottom <= board.bottom + 1 && bar.height > board.height / 2;
    })()"#;
    assert_eq!(page.eval(beside), true);
}

#[test]
fn report_blocks_foreign_scripts_and_styles() {
    let Some(page) = open_report() else { return };
    for (element, text) in [
        ("script", "alien = 1"),
        ("style", "h1 { color: rgb(1, 2, 3) }"),
    ] {
        page.eval(&format!(
            "document.head.append(Object.assign(document.createElement('{element}'), {{ textContent: '{text}' }}))"
        ));
        page.expect_fault("Content Security Policy");
    }
    assert_eq!(page.eval("typeof alien"), "undefined");
    let colour = page.eval("getComputedStyle(document.querySelector('h1')).color");
    assert_ne!(colour, "rgb(1, 2, 3)");
}

#[test]
fn report_with_engine_can_search() {
    let Some(browser) = browser() else { return };
    let engine = built().to_str().expect("UTF-8");
    let report = write_report("engine", &["--engine", engine]);
    let page = browser.open(&address(&report), "", Window::DESKTOP);
    assert!(page.text("#effort").starts_with("200 iterations"));
    page.click("#thinks");
    page.wait_for("Number(document.querySelector('#effort').textContent.split(' ')[0].replaceAll(',', '')) > 1000");
    assert_eq!(listed_moves(&page).len(), 40);
}
