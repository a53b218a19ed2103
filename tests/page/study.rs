//! Studying: the review against that of the tools, the engine that thinks on what is shown, variations.

use super::seen::{after, all, cells, click_move, letters, listed, place, text};
use super::{desktop, file, log};
use crate::common::browser::Page;
use crate::common::printed;
use engine::board::{Board, Move};
use serde_json::{Value, json};

/// Iterations of the review, the fewest that the page offers.
const FEW: &str = "1000";

/// What the tools find in the same log with as much effort as the page: the game and its plies.
pub fn analysis(name: &str) -> (Value, Vec<Value>) {
    let path = crate::common::log(name);
    let effort = ["--iterations", FEW, "--multipv", "5", "--memory-mb", "64"];
    let report = file(&format!("page_analysis_{name}.html"));
    let report = report.to_str().expect("UTF-8");
    let solve = ["--solve", "--nodes", "20000", "--html", report];
    let lines = printed(&[&["analyze", "--json", &path], &effort[..], &solve].concat());
    let mut lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    (lines.next().expect("a game"), lines.collect())
}

/// Opens a log by dropping it on the page, and reviews it.
pub fn review_log(page: &Page, name: &str) {
    page.drop_files(&[(&format!("{name}.json"), &log(name))]);
    page.wait_for("document.body.dataset.tab === 'study'");
    review(page);
}

/// Reviews the game that is shown, with little effort.
pub fn review(page: &Page) {
    page.choose("#review-effort", FEW);
    page.click("#review-run");
    wait_for_review(page);
}

/// Waits until the review that was begun is done.
pub fn wait_for_review(page: &Page) {
    page.wait_for(
        "!document.querySelector('#mistake-steps').hidden && document.querySelector('#review-progress').hidden",
    );
}

/// Moves of the list with their judgements.
const JUDGED: &str = r#"[...document.querySelectorAll('#moves [data-node]')].map((move) =>
    [move.firstChild.data, move.querySelector('.judged')?.className.replace("judged ", "") ?? null])"#;

/// The plies after whose moves a mistake is marked.
pub fn mistakes(plies: &[Value]) -> Vec<usize> {
    let judged = |ply: &&Value| !ply["judgement"].is_null();
    let number = |ply: &Value| ply["ply"].as_u64().expect("a number") as usize;
    plies.iter().filter(judged).map(number).collect()
}

/// Checks what the page tells of a solved end against what the tools find.
fn check_solved(page: &Page, solved: &Value, plies: &[Value]) {
    let told = page.text("#review-results");
    let decided = &solved["decided"];
    let chance = match &decided["last_chance"] {
        Value::Null => &solved["solved_after"],
        ply => ply,
    };
    let numbers: Vec<&str> = told
        .split(|letter: char| !letter.is_ascii_digit())
        .collect();
    for ply in [&decided["after"], chance] {
        assert!(numbers.contains(&&*ply.to_string()), "{told}: {solved}");
    }
    let is_certain = plies[1..].iter().map(|ply| certain_winner(ply).is_some());
    let marked = "[...document.querySelectorAll('#moves [data-node]')].map((move) => move.classList.contains('certain'))";
    assert_eq!(page.eval(marked), is_certain.collect::<Value>());
    assert!(page.exists("#curve .certain"));
    assert!(!page.text("#certain").is_empty());
    let thrown = solved["thrown"].as_array().expect("a list");
    let shown = all(page, "#review-results .thrown button > span");
    assert_eq!(shown.len(), thrown.len());
    for (shown, one) in shown.iter().zip(thrown) {
        let turn = one["move"].as_str().expect("a move");
        assert!(shown.contains(turn), "{shown}: {turn}");
    }
}

/// Who wins a position whatever both play, as the solver or the search has found.
fn certain_winner(ply: &Value) -> Option<&str> {
    let is_won = ply["win_probability"].as_f64() > Some(0.5);
    let by_search = match is_won == (ply["player"] == "black") {
        true => "black",
        false => "white",
    };
    let is_proven = ply["proven"] == true;
    ply["winner"].as_str().or(is_proven.then_some(by_search))
}

#[test]
fn the_review_is_that_of_the_tools() {
    let Some(page) = desktop() else { return };
    review_log(&page, "random_vs_random");
    let (game, plies) = analysis("random_vs_random");
    let moves = plies.iter().filter(|ply| ply["move"].is_string());
    let judged = moves.map(|ply| json!([ply["move"], ply["judgement"]]));
    assert_eq!(page.eval(JUDGED), judged.collect::<Value>());
    assert_eq!(all(&page, ".accuracy"), accuracies(&game));
    check_solved(&page, &game["solved"], &plies);
    // Black's win probability of every position, as the curve says it.
    page.key("Home");
    for ply in &plies {
        let own = ply["win_probability"].as_f64().expect("a number");
        let is_black = ply["player"] == "black";
        let chance = if is_black { own } else { 1.0 - own };
        let expected = match certain_winner(ply) {
            Some("black") => "Black wins for certain".to_owned(),
            Some(_) => "White wins for certain".to_owned(),
            None => format!(": {:.1} %", 100.0 * chance),
        };
        let said = text(page.eval("document.querySelector('#curve [role=slider]').ariaValueText"));
        assert!(
            said.ends_with(&expected),
            "{}: {said}, {expected}",
            ply["ply"]
        );
        page.key("ArrowRight");
    }
    // The steps from mistake to mistake, both ways.
    page.key("Home");
    let mistakes = mistakes(&plies);
    assert!(mistakes.len() > 10, "a game of random moves");
    let is_at = |number: &usize| assert_eq!(place(&page), format!("{number} / 40"));
    let mut pointed = 0;
    for number in &mistakes {
        page.click("#mistake-next");
        is_at(number);
        pointed += check_reasons(&page, &plies[number - 1]);
    }
    assert!(pointed > 0, "no mistake is explained");
    assert!(page.exists("#mistake-next:disabled"));
    for number in mistakes.iter().rev().skip(1) {
        page.click("#mistake-previous");
        is_at(number);
    }
    assert!(page.exists("#mistake-previous:disabled"));
}

/// Accuracy of black and of white, as the page writes it.
fn accuracies(game: &Value) -> [String; 2] {
    ["black", "white"].map(|player| {
        let accuracy = game["review"][player]["accuracy"].as_f64();
        format!("{:.1}", accuracy.expect("a number"))
    })
}

/// Checks the sentences on a mistake against those of the tools, in both languages, and the squares that the first one marks.
/// Returns their number.
fn check_reasons(page: &Page, ply: &Value) -> usize {
    let none = Vec::new();
    let reasons = ply["reasons"].as_array().unwrap_or(&none);
    for language in ["zh", "en"] {
        page.click(&format!("[data-language={language}]"));
        let said = reasons
            .iter()
            .map(|reason| reason["text"][language].clone());
        assert_eq!(all(page, "#reasons .reason"), said.collect::<Vec<_>>());
    }
    let Some(first) = reasons.first() else {
        return 0;
    };
    page.hover("#reasons .reason");
    let squares = first["squares"].as_array().map_or(0, Vec::len);
    let marked = squares + usize::from(first["amazon"].is_string());
    assert_eq!(page.count("#board .pointed"), marked);
    page.hover("#verdict");
    assert_eq!(page.count("#board .pointed"), 0);
    reasons.len()
}

#[test]
fn a_review_stays_with_its_line() {
    let Some(page) = desktop() else { return };
    review_log(&page, "fault_crash");
    let (_, plies) = analysis("fault_crash");
    let jumps = page.count("#review-results .jumps button");
    assert!(jumps > 0);
    page.key("Home");
    page.key("ArrowRight");
    let turn = plies[1]["candidates"][0]["move"].as_str().expect("a move");
    click_move(&page, turn);
    page.click("#make-main");
    assert_eq!(place(&page), "2 / 2");
    assert_eq!(page.count("#review-results .jumps button"), jumps);
    let mistakes = mistakes(&plies);
    page.key("Home");
    page.click("#mistake-next");
    assert!(place(&page).starts_with(&format!("{} / ", mistakes[0])));
    // The reviewed line without its moves is none.
    page.click(".variations [data-node]");
    page.click("#remove");
    assert_eq!(page.count("#review-results .jumps button"), 0);
    assert_eq!(listed(&page).len(), 2);
}

#[test]
fn a_review_under_way_stops_with_its_game() {
    let Some(page) = desktop() else { return };
    let long_review = |name: &str| {
        page.drop_files(&[(&format!("{name}.json"), &log(name))]);
        page.wait_for(&format!(
            "document.querySelector('#title').textContent.includes('{name}')"
        ));
        page.choose("#review-effort", "100000");
        page.click("#review-run");
        page.wait_for(
            "/^Position/.test(document.querySelector('#review-progress-text').textContent)",
        );
    };
    let is_over = "document.querySelector('#review-progress').hidden";
    // Its line is deleted.
    long_review("random_vs_random");
    let other = "c1 c6 f6";
    click_move(&page, other);
    page.click("#make-main");
    page.click("#moves .variations [data-node]");
    page.click("#remove");
    page.wait_for(is_over);
    assert!(
        page.exists("#mistake-steps[hidden]"),
        "nothing of it is left"
    );
    page.reload();
    assert_eq!(listed(&page), [other]);
    // Another game takes its place, and its review is stopped.
    long_review("random_vs_random");
    long_review("fault_timeout");
    page.click("#review-run");
    page.wait_for(is_over);
    review(&page);
    assert_eq!(
        all(&page, ".accuracy"),
        accuracies(&analysis("fault_timeout").0)
    );
}

/// Iterations that the page tells of; nothing while it tells of none.
const ITERATIONS: &str = "Number((/^[\\d,]+/.exec(document.querySelector('#effort').textContent) ?? ['0'])[0].replaceAll(',', ''))";

/// The lines of the table: a list of moves each.
fn lines(page: &Page) -> Vec<Vec<String>> {
    let rows = 1..=page.count("#candidates tr");
    let line = |row| {
        all(
            page,
            &format!("#candidates tr:nth-child({row}) .line button"),
        )
    };
    rows.map(line).collect()
}

/// The move at a place of a line.
fn line_move(row: usize, at: usize) -> String {
    format!("#candidates tr:nth-child({row}) .line button:nth-child({at})")
}

#[test]
fn the_engine_thinks_on_what_is_shown() {
    let Some(page) = desktop() else { return };
    page.click("#tab-study");
    assert_eq!(page.eval(ITERATIONS), 0, "nobody has asked it");
    page.click("#thinks");
    let first = page.wait_for(ITERATIONS);
    page.wait_for(&format!("{ITERATIONS} > {first}"));
    for count in [3, 5] {
        page.choose("#lines", &count.to_string());
        page.wait_for(&format!(
            "document.querySelectorAll('#drawing .way.best').length === {}",
            2 * count
        ));
        assert_eq!(page.count("#candidates tr"), count);
        assert_eq!(page.count("#drawing .target.best"), count);
    }
    page.click("#show-ownership");
    assert_eq!(
        page.count("#drawing .owner-black, #drawing .owner-white"),
        64
    );
    page.click("#show-best");
    assert_eq!(page.count("#drawing .way"), 0);
    page.click("#thinks");
    let lines = lines(&page);
    assert_eq!(lines.len(), 5);
    for line in &lines {
        // Every line is legal.
        after(line);
    }
    let firsts: std::collections::BTreeSet<_> = lines.iter().map(|line| &line[0]).collect();
    assert_eq!(firsts.len(), 5, "lines begin differently");
    // The board shows the position after a move that is pointed at, as long as it is.
    page.hover(&line_move(1, 2));
    assert_eq!(cells(&page), letters(&after(&lines[0][..2])));
    assert_eq!(listed(&page).len(), 0);
    page.hover("#thinks");
    assert_eq!(cells(&page), letters(&Board::start()));
    // A later move of a line makes a variation of all moves up to it.
    page.click(&line_move(1, 2));
    assert_eq!(listed(&page), lines[0][..2]);
    assert_eq!(place(&page), "2 / 2");
    page.click("#first");
    page.click(&line_move(2, 2));
    let numbered = |line: &[String]| [format!("1. {}", line[0]), format!("1… {}", line[1])];
    let beside = |main: &[String], other: &[String]| {
        [&main[..1], &numbered(other)[..], &main[1..2]].concat()
    };
    assert_eq!(listed(&page), beside(&lines[0], &lines[1]));
    page.click("#make-main");
    assert_eq!(listed(&page), beside(&lines[1], &lines[0]));
    page.click(".variations [data-node]");
    page.click("#remove");
    assert_eq!(listed(&page), lines[1][..2]);
    // It follows to another position, and a reload lets it go on.
    page.click("#thinks");
    page.key("End");
    page.wait_for(ITERATIONS);
    page.reload();
    page.wait_for(ITERATIONS);
    let own: Move = super::study::lines(&page)[0][0].parse().expect("a move");
    assert_eq!(after(&lines[1][..2]).check(own), Ok(()));
}
