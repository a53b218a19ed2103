//! The page with games in it, as `amazons analyze --html` writes it, without an engine and with one: as a text, which needs
//! nothing from elsewhere and holds the analysis, and in Chromium.

use super::seen::{after, cells, click_move, letters, listed, place, text};
use super::{Site, file, source, told};
use crate::common::browser::{Browser, Page, Window};
use amazons::movegen;
use amazons::tools::record::replayed::Replayed;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A player's name that would be elements of its own if it were read as HTML.
const NAME: &str = "</script><script>document.title='broken'</script><!--<b>";

/// Writes the report on three games, the second with hostile names; returns its path.
pub fn report(name: &str, more: &[&str]) -> PathBuf {
    let (page, hostile) = (
        file(&format!("page_{name}.html")),
        file(&format!("page_{name}.json")),
    );
    // One that an earlier version has left here may not be replaced.
    let _ = fs::remove_file(&page);
    let entries: Value = serde_json::from_str(&super::log("fault_crash")).expect("JSON");
    fs::write(
        &hostile,
        json!({ "players": [NAME, NAME], "log": entries }).to_string(),
    )
    .expect("the folder can be written");
    let [first, third] = ["random_vs_random", "fault_timeout"]
        .map(|log| source("tests/logs").join(format!("{log}.json")));
    let paths = [&page, &first, &hostile, &third].map(|path| path.to_str().expect("UTF-8"));
    told(
        &[
            &["analyze", "--iterations", "200"],
            more,
            &["--html"],
            &paths[..],
        ]
        .concat(),
    );
    page
}

/// The report as a text.
fn text_of(page: &Path) -> String {
    fs::read_to_string(page).expect("the page is written")
}

/// The games in a page.
fn games(page: &str) -> Value {
    let (_, rest) = page
        .split_once("<script id=\"data\" type=\"application/json\">")
        .expect("the data's element");
    let (data, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("the data is JSON")
}

/// Opens the report; nothing if the test is to be left out.
fn opened<'a>(browser: &'a Browser, path: &Path, window: Window) -> Page<'a> {
    let page = browser.open(path, "", window);
    assert_eq!(page.text("#place"), "0 / 40");
    page
}

#[test]
fn a_report_begins_where_its_game_does() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let [position, report] = ["page_position.fen", "page_position.html"].map(file);
    let _ = fs::remove_file(&report);
    let text = "1b1x4/8/b6b/8/4b3/w6w/8/2w2w2 w - 2";
    fs::write(&position, text).expect("the folder can be written");
    let [from, to] = [&position, &report].map(|path| path.to_str().expect("UTF-8"));
    told(&["analyze", "--iterations", "50", from, "--html", to]);
    let page = browser.open(&report, "", Window::DESKTOP);
    let game = Replayed::read(text).expect("a position");
    assert_eq!(cells(&page), letters(game.start()));
    assert_eq!(page.text("#position"), "Start, White to move");
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let page = text_of(&report("alone", &[]));
    // The name of the SVG elements' kind is no address to load from.
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for mark in [
        "http:",
        "https:",
        "src=",
        "@import",
        "url(",
        "fetch(",
        "XMLHttpRequest",
    ] {
        assert!(!page.contains(mark), "{mark}");
    }
    // Comments name the types of other modules.
    let mut imports = page.lines().filter(|line| line.contains("import("));
    assert!(imports.all(|line| line.contains("/**") || line.trim_start().starts_with('*')));
    assert!(page.contains("default-src 'none'"));
    let parts = ["style", "script", "style-checksum", "script-checksum"];
    for part in [
        &parts[..],
        &["worker", "glossary", "engine", "games", "seal"],
    ]
    .concat()
    {
        assert!(!page.contains(&format!("{{{part}}}")), "{part}");
    }
}

#[test]
fn the_page_holds_the_analysis_of_every_game_and_names_stay_texts() {
    let page = text_of(&report("whole", &[]));
    assert!(!page.contains("<b>") && !page.contains("document.title='broken'</script>"));
    let games = games(&page);
    assert_eq!(games[1]["summary"]["players"]["black"], NAME);
    let plies = games.as_array().expect("a list").iter().map(|game| {
        let plies = game["plies"].as_array().expect("a list");
        assert_eq!(game["summary"]["plies"], plies.len() - 1);
        assert!(plies.iter().all(|ply| ply["win_probability"].is_number()));
        plies.len()
    });
    assert_eq!(plies.collect::<Vec<_>>(), [41, 11, 11]);
}

#[test]
fn a_report_is_read_step_by_step() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let path = report("steps", &[]);
    for window in [Window::DESKTOP, Window::PHONE] {
        let page = opened(&browser, &path, window);
        let is_at = |number: usize| assert_eq!(place(&page), format!("{number} / 40"));
        page.click("#next");
        page.key("ArrowRight");
        is_at(2);
        page.click("#previous");
        is_at(1);
        page.key("End");
        is_at(40);
        let ends = "['first', 'previous', 'next', 'last'].map((id) => document.getElementById(id).disabled)";
        assert_eq!(page.eval(ends), json!([false, false, true, true]));
        page.click("#first");
        assert_eq!(page.eval(ends), json!([true, true, false, false]));
        page.click("#moves [data-node]");
        is_at(1);
        assert_eq!(page.count("#board .amazon"), 8);
        assert_eq!(page.count("#board rect.arrow"), 1);
        assert_eq!(page.count("#board .last"), 3);
        // In the middle of the curve is the middle of the game.
        page.hover("#curve [role=slider]");
        let pointed = page.text("#pointed");
        let (round, rest) = pointed.split_at(pointed.find(['.', '…']).expect("a round"));
        let round: usize = round.parse().expect("a number");
        assert!(
            (9..=12).contains(&round) && rest.ends_with(" %"),
            "{pointed}"
        );
        page.click("#curve [role=slider]");
        let number = 2 * round - usize::from(rest.starts_with('.'));
        is_at(number);
        page.key("ArrowLeft");
        is_at(number - 1);
        page.wheel("#board", 120);
        is_at(number);
        page.wheel("#board", -120);
        is_at(number - 1);
        page.key("?");
        assert!(page.text("#keys[open]").contains("Flip the board"));
        page.key("Escape");
        page.wait_for("!document.querySelector('dialog[open]')");
        page.key("f");
        page.wait_for("document.body.classList.contains('flipped')");
        page.key("f");
        page.click("#show-ownership");
        assert_eq!(page.count("#board .owner-black, #board .owner-white"), 64);
        page.click("#mistake-next");
        assert!(page.exists("#verdict .judged"));
    }
}

/// Checks what a page tells of a solved end against the summary and the plies of its game, in both languages.
pub fn check_solved(page: &Page, summary: &Value, plies: &[Value]) {
    let solved = &summary["solved"];
    let (decided, from) = (&solved["decided"], &solved["solved_after"]);
    let (after, chance) = (&decided["after"], &decided["last_chance"]);
    let is_black = decided["winner"] == "black";
    for language in ["zh", "en"] {
        page.click(&format!("[data-language={language}]"));
        let name = |is_black: bool| match (language, is_black) {
            ("en", true) => "Black",
            ("en", false) => "White",
            (_, true) => "黑方",
            (_, false) => "白方",
        };
        let (winner, loser) = (name(is_black), name(!is_black));
        let told = page.text("#moments");
        let ends = match (language, chance.is_null()) {
            ("en", true) => format!(
                "{loser} had no chance from ply {from} on; earlier positions are not solved"
            ),
            ("en", false) => format!("{loser}'s last chance was after ply {chance}"),
            (_, true) => format!("从第 {from} 步之后{loser}一直没有机会；更早的局面没有求解"),
            (_, false) => format!("{loser}最后的机会在第 {chance} 步之后"),
        };
        let begins = match language {
            "en" => format!("Decided after ply {after}: {winner} wins"),
            _ => format!("第 {after} 步之后胜负已定：无论双方怎么走，{winner}必胜"),
        };
        for part in [ends, begins] {
            assert!(told.contains(&part), "{told}: {part}");
        }
        page.key("Home");
        for ply in plies {
            let value = page.eval("document.querySelector('#curve [role=slider]').ariaValueText");
            let end = match (certain_winner(ply), language) {
                (Some(winner), "en") => format!("{} wins for certain", name(winner == "black")),
                (Some(winner), _) => format!("{}必胜", name(winner == "black")),
                (None, _) => " %".to_owned(),
            };
            let value = text(value);
            assert!(value.ends_with(&end), "{}: {value}, {end}", ply["ply"]);
            page.key("ArrowRight");
        }
    }
    let marked = "[...document.querySelectorAll('#moves [data-node]')].map((move) => move.classList.contains('certain'))";
    let is_certain = plies[1..].iter().map(|ply| certain_winner(ply).is_some());
    assert_eq!(page.eval(marked), is_certain.collect::<Value>());
    assert!(page.exists("#curve .certain"));
    assert!(!page.text("#certain").is_empty());
    let thrown = "[...document.querySelectorAll('#moments .thrown button > span')].map((one) => one.textContent.split(/[.…] /)[1].slice(0, 8))";
    let moves = solved["thrown"].as_array().expect("a list").iter();
    let words = moves.map(|one| one["move"].clone());
    assert_eq!(page.eval(thrown), words.collect::<Value>());
}

/// Who wins a position whatever both play, as the solver or the search has found.
pub fn certain_winner(ply: &Value) -> Option<&str> {
    let is_won = ply["win_probability"].as_f64() > Some(0.5);
    let by_search = match is_won == (ply["player"] == "black") {
        true => "black",
        false => "white",
    };
    let is_proven = ply["proven"] == true;
    ply["winner"].as_str().or(is_proven.then_some(by_search))
}

#[test]
fn a_solved_end_is_told_apart_from_estimates() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let log = source("tests/logs/game_bot003_bot032.json");
    let [log, path] = [log, file("page_solved.html")];
    let _ = fs::remove_file(&path);
    let [log, to] = [&log, &path].map(|path| path.to_str().expect("UTF-8"));
    let solve = ["analyze", "--solve", "--nodes", "3000", log];
    told(&[&solve[..], &["--iterations", "50", "--html", to]].concat());
    let games = games(&text_of(&path));
    let (summary, plies) = (&games[0]["summary"], games[0]["plies"].as_array());
    let alone = told(&[&solve[..], &["--json"]].concat());
    let lines: Vec<Value> = alone
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for name in ["solved_after", "decided", "thrown", "nodes"] {
        assert_eq!(summary["solved"][name], lines[0][name], "{name}");
    }
    let plies = plies.expect("a list");
    for position in &lines[1..] {
        let after = position["after"].as_u64().expect("a number") as usize;
        assert_eq!(plies[after]["winner"], position["winner"], "{after}");
    }
    assert!(summary["solved"]["thrown"][0].is_object());
    let page = browser.open(&path, "", Window::DESKTOP);
    check_solved(&page, summary, plies);
    page.set_window(Window {
        print: true,
        ..page.window()
    });
    let shown = "['#certain', '#moments .thrown', '#curve .certain'].every((css) => document.querySelector(css).getClientRects().length)";
    assert_eq!(page.eval(shown), true);
}

#[test]
fn the_keys_step_through_the_game_after_another_was_chosen() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let page = opened(&browser, &report("games", &[]), Window::DESKTOP);
    assert_eq!(page.count("#overview-rows tr"), 3);
    page.choose("#games", "1");
    assert_eq!(place(&page), "0 / 10");
    page.key("ArrowRight");
    page.key("ArrowDown");
    assert_eq!(place(&page), "1 / 10");
    assert_eq!(page.eval("document.querySelector('#games').value"), "1");
    // Names stay texts.
    assert!(page.text("#title").contains(NAME));
    assert_eq!(page.text("#name-black"), NAME);
    assert_eq!(page.eval("document.title.startsWith('</script>')"), true);
    assert_eq!(page.count("b"), 0);
    page.click("#overview-rows tr:nth-child(3) button");
    assert_eq!(page.eval("document.querySelector('#games').value"), "2");
    page.key("ArrowRight");
    assert!(place(&page).starts_with("1 / "));
    // Each game keeps its place.
    page.choose("#games", "1");
    assert_eq!(place(&page), "1 / 10");
    let accuracies = "[...document.querySelectorAll('#overview-rows tr')].map((row) => Number(row.children[3].textContent))";
    let accuracies = page.eval(accuracies);
    let known = accuracies.as_array().expect("a list");
    assert!(known.iter().all(|side| {
        side.as_f64()
            .is_some_and(|side| side > 0.0 && side <= 100.0)
    }));
}

#[test]
fn lines_become_variations_and_lessons_need_no_engine() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let page = opened(&browser, &report("lines", &[]), Window::DESKTOP);
    assert!(page.exists("#thinks[hidden]") && !page.exists("#no-engine[hidden]"));
    assert_eq!(page.count("#candidates tr"), 3);
    assert_eq!(page.count("#board .way.best"), 6);
    let line = "[...document.querySelectorAll('#candidates tr:nth-child(2) .line button')].map((move) => move.textContent)";
    let line = super::seen::texts(&page.eval(line));
    page.click("#candidates tr:nth-child(2) .line button:nth-child(3)");
    assert_eq!(place(&page), "3 / 3");
    assert_eq!(page.count(".variations [data-node]"), 3);
    assert_eq!(
        page.count("#curve .outline.main"),
        1,
        "the game's own curve"
    );
    assert_eq!(
        page.text("#position"),
        format!("Position after move 3: Black {}, White to move", line[2])
    );
    // A lesson of what the report knows: a move that nobody has looked at can't be judged.
    page.click("#lesson-start");
    let plies = page.eval("JSON.parse(document.querySelector('#data').textContent)[0].plies");
    let plies = plies.as_array().expect("a list");
    let at: usize = place(&page)
        .split(' ')
        .next()
        .and_then(|n| n.parse().ok())
        .expect("a number");
    let played: Vec<String> = plies
        .iter()
        .filter_map(|ply| Some(ply["move"].as_str()?.to_owned()))
        .collect();
    let known = plies[at]["candidates"].to_string();
    let mut legal = movegen::moves(&after(&played[..at]))
        .into_iter()
        .map(|turn| turn.to_string());
    let is_new = |turn: &String| !known.contains(turn.as_str()) && *turn != played[at];
    let unknown = legal.rfind(is_new).expect("a move");
    click_move(&page, &unknown);
    let fault = format!("{unknown} is not among the moves that were analysed. Try again.");
    assert_eq!(page.text("#lesson-task"), fault);
    page.click("#lesson-again");
    let best = text(plies[at]["candidates"][0]["move"].clone());
    click_move(&page, &best);
    assert_eq!(
        page.text("#lesson-task"),
        format!("{best} is the best move.")
    );
}

#[test]
fn a_report_is_printed_whole() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let page = opened(&browser, &report("print", &[]), Window::DESKTOP);
    let list = "(({ scrollHeight, clientHeight }) => [scrollHeight, clientHeight])(document.querySelector('#moves'))";
    let heights = |page: &Page| [0, 1].map(|at| page.eval(list)[at].as_u64().expect("a number"));
    let [whole, shown] = heights(&page);
    assert!(
        whole > shown,
        "on the screen the list scrolls: {whole}, {shown}"
    );
    page.set_window(Window {
        print: true,
        ..page.window()
    });
    let [whole, shown] = heights(&page);
    assert_eq!(whole, shown);
    assert_eq!(page.eval("[...document.querySelectorAll('#moves [data-node]')].every((move) => move.getClientRects().length)"), true);
    let beside = r#"(() => {
        const [bar, board] = ["bar", "board"].map((id) => document.getElementById(id).getBoundingClientRect());
        return bar.width > 0 && bar.right <= board.left && bar.top >= board.top && bar.bottom <= board.bottom + 1 && bar.height > board.height / 2;
    })()"#;
    assert_eq!(page.eval(beside), true);
    assert!(page.pdf().starts_with(b"%PDF"));
}

#[test]
fn the_page_runs_no_script_and_no_style_but_its_own() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let page = opened(&browser, &report("policy", &[]), Window::DESKTOP);
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
    assert_ne!(
        page.eval("getComputedStyle(document.querySelector('h1')).color"),
        "rgb(1, 2, 3)"
    );
}

#[test]
fn a_report_with_an_engine_thinks() {
    let Some(site) = Site::start() else { return };
    let engine = site.path.to_str().expect("UTF-8");
    let page = opened(
        &site.browser,
        &report("engine", &["--engine", engine]),
        Window::DESKTOP,
    );
    assert!(page.text("#effort").starts_with("200 iterations"));
    page.click("#thinks");
    page.wait_for("Number(document.querySelector('#effort').textContent.split(' ')[0].replaceAll(',', '')) > 1000");
    assert_eq!(listed(&page).len(), 40);
}
