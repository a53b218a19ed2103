//! Tests of the "Study" tab: review, engine analysis and variations, compared with the command-line tools.

use super::view::{
    all_texts, board_after, cells, cells_of, click_move, listed_moves, place_label, text, texts,
};
use super::{desktop, file, log};
use crate::common::browser::Page;
use crate::common::printed;
use engine::board::{Board, Move};
use serde_json::{Value, json};

/// Search iterations per position of a review: the smallest choice on the page.
const MIN_ITERATIONS: &str = "1000";

/// Analyses a log with `amazons analyze`, with the page's limits; returns the game's summary and the plies.
pub fn native_analysis(name: &str) -> (Value, Vec<Value>) {
    let path = crate::common::log(name);
    let effort = [
        "--iterations",
        MIN_ITERATIONS,
        "--multipv",
        "5",
        "--memory-mb",
        "64",
    ];
    let report = file(&format!("page_analysis_{name}.html"));
    let report = report.to_str().expect("UTF-8");
    let solve = ["--solve", "--nodes", "20000", "--html", report];
    let lines = printed(&[&["analyze", "--json", &path], &effort[..], &solve].concat());
    let mut lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    (lines.next().expect("a game"), lines.collect())
}

/// Drops a match log on the page, and reviews it.
pub fn review_log(page: &Page, name: &str) {
    page.drop_files(&[(&format!("{name}.json"), &log(name))]);
    page.wait_for("document.body.dataset.tab === 'study'");
    review(page);
}

/// Reviews the shown game with [`MIN_ITERATIONS`].
pub fn review(page: &Page) {
    page.click("#room-review");
    page.choose("#review-effort", MIN_ITERATIONS);
    page.click("#review-run");
    wait_for_review(page);
}

/// Waits until the running review is complete.
pub fn wait_for_review(page: &Page) {
    page.wait_for(
        "!document.querySelector('#mistake-steps').hidden && document.querySelector('#review-progress').hidden",
    );
}

/// The moves of the list with their judgements.
const JUDGED: &str = r#"[...document.querySelectorAll('#moves [data-node]')].map((move) =>
    [move.firstChild.data, move.querySelector('.judged')?.className.replace("judged ", "") ?? null])"#;

/// Returns the numbers of the plies with an inaccuracy, mistake or blunder.
pub fn mistakes(plies: &[Value]) -> Vec<usize> {
    let judged = |ply: &&Value| {
        ["mistake", "blunder"]
            .iter()
            .any(|&known| ply["judgement"] == known)
    };
    let number = |ply: &Value| ply["ply"].as_u64().expect("a number") as usize;
    plies.iter().filter(judged).map(number).collect()
}

/// Checks the page's notes on the solved end against the tools' results.
fn check_solved(page: &Page, solved: &Value, plies: &[Value]) {
    let notes = page.text("#review-results");
    let decided = &solved["decided"];
    let chance = match &decided["last_chance"] {
        Value::Null => &solved["solved_after"],
        ply => ply,
    };
    let numbers: Vec<&str> = notes
        .split(|letter: char| !letter.is_ascii_digit())
        .collect();
    for ply in [&decided["after"], chance] {
        assert!(numbers.contains(&&*ply.to_string()), "{notes}: {solved}");
    }
    let is_certain = plies[1..].iter().map(|ply| proven_winner(ply).is_some());
    let marked = "[...document.querySelectorAll('#moves [data-node]')].map((move) => move.classList.contains('certain'))";
    assert_eq!(page.eval(marked), is_certain.collect::<Value>());
    assert!(page.exists("#curve .certain"));
    assert!(!page.text("#certain").is_empty());
    let thrown = solved["thrown"].as_array().expect("a list");
    let shown = all_texts(page, "#review-results .thrown button > span");
    assert_eq!(shown.len(), thrown.len());
    for (shown, one) in shown.iter().zip(thrown) {
        let turn = one["move"].as_str().expect("a move");
        assert!(shown.contains(turn), "{shown}: {turn}");
    }
}

/// Returns the winner with perfect play if the solver or the search has proven it.
fn proven_winner(ply: &Value) -> Option<&str> {
    let is_won = ply["win_probability"].as_f64() > Some(0.5);
    let by_search = match is_won == (ply["player"] == "black") {
        true => "black",
        false => "white",
    };
    let is_proven = ply["proven"] == true;
    ply["winner"].as_str().or(is_proven.then_some(by_search))
}

#[test]
fn page_review_equals_that_of_analyze() {
    let Some(page) = desktop() else { return };
    review_log(&page, "random_vs_random");
    let (game, plies) = native_analysis("random_vs_random");
    let moves = plies.iter().filter(|ply| ply["move"].is_string());
    let judged = moves.map(|ply| json!([ply["move"], ply["judgement"]]));
    assert_eq!(page.eval(JUDGED), judged.collect::<Value>());
    assert_eq!(all_texts(&page, ".accuracy"), accuracies(&game));
    check_solved(&page, &game["solved"], &plies);
    // The curve's accessible value is black's win probability in every position.
    page.key("Home");
    for ply in &plies {
        let own = ply["win_probability"].as_f64().expect("a number");
        let is_black = ply["player"] == "black";
        let chance = if is_black { own } else { 1.0 - own };
        // The page may round a number halfway between two tenths of a percent in the other direction.
        let expected = [-1e-6, 1e-6].map(|error| match proven_winner(ply) {
            Some("black") => "Black wins for certain".to_owned(),
            Some(_) => "White wins for certain".to_owned(),
            None => format!(": {:.1} %", 100.0 * (chance + error)),
        });
        let said = text(page.eval("document.querySelector('#curve [role=slider]').ariaValueText"));
        let is_expected = expected.iter().any(|one| said.ends_with(one));
        assert!(is_expected, "{}: {said}, {expected:?}", ply["ply"]);
        page.key("ArrowRight");
    }
    // Buttons step from mistake to mistake, in both directions.
    page.key("Home");
    let mistakes = mistakes(&plies);
    assert!(mistakes.len() > 10, "a game of random moves");
    let is_at = |number: &usize| assert_eq!(place_label(&page), format!("{number} / 40"));
    let played = listed_moves(&page);
    let mut pointed = 0;
    for number in &mistakes {
        page.click("#mistake-next");
        is_at(number);
        pointed += check_reasons(&page, &plies[number - 1], &played[..number - 1]);
    }
    assert!(pointed > 0, "no mistake is explained");
    assert!(page.exists("#mistake-next:disabled"));
    for number in mistakes.iter().rev().skip(1) {
        page.click("#mistake-previous");
        is_at(number);
    }
    assert!(page.exists("#mistake-previous:disabled"));
}

/// Returns the accuracies of black and white in the page's format.
pub fn accuracies(game: &Value) -> [String; 2] {
    ["black", "white"].map(|player| {
        let accuracy = game["review"][player]["accuracy"].as_f64();
        format!("{:.1}", accuracy.expect("a number"))
    })
}

/// Checks the sentences on a mistake against those of the tools, in both languages, and what the board shows of the first
/// sentence that names squares: the position after each of its moves, then its squares. `before` are the moves before the
/// mistake. Returns the number of sentences that name squares.
fn check_reasons(page: &Page, ply: &Value, before: &[String]) -> usize {
    let none = Vec::new();
    let reasons = ply["reasons"].as_array().unwrap_or(&none);
    for language in ["zh", "en"] {
        page.click(&format!("[data-language={language}]"));
        let said = reasons
            .iter()
            .map(|reason| reason["text"][language].clone());
        assert_eq!(
            all_texts(page, "#reasons .reason"),
            said.collect::<Vec<_>>()
        );
    }
    let is_named = |reason: &&Value| reason["squares"].is_array();
    let Some(first) = reasons.iter().find(is_named) else {
        assert_eq!(page.count("#reasons .step"), 0);
        return 0;
    };
    let at = reasons.iter().position(|reason| reason == first);
    let item = format!("#reasons li:nth-child({})", 1 + at.expect("in the list"));
    let squares = first["squares"].as_array().map_or(0, Vec::len);
    let marked = squares + usize::from(first["amazon"].is_string());
    let line = texts(&first["line"]);
    assert_eq!(page.count(&format!("{item} .step")), line.len() + 1);
    let after = |plies: usize| cells_of(&board_after(&[before, &line[..plies]].concat()));
    for step in 1..=line.len() {
        page.hover(&format!("{item} .step:nth-of-type({})", 1 + step));
        assert_eq!(
            (cells(page), page.count("#board .pointed")),
            (after(step), 0)
        );
    }
    for shows_squares in ["last-child", "first-child"] {
        page.hover(&format!("{item} button:{shows_squares}"));
        assert_eq!(
            (cells(page), page.count("#board .pointed")),
            (after(line.len()), marked)
        );
    }
    page.hover("#verdict");
    let played = ply["move"].as_str().expect("a move").to_owned();
    let shown = cells_of(&board_after(&[before, &[played]].concat()));
    assert_eq!((cells(page), page.count("#board .pointed")), (shown, 0));
    reasons.iter().filter(is_named).count()
}

#[test]
fn review_stays_with_the_reviewed_line() {
    let Some(page) = desktop() else { return };
    review_log(&page, "fault_crash");
    let (_, plies) = native_analysis("fault_crash");
    let jumps = page.count("#review-results .jumps button");
    assert!(jumps > 0);
    page.key("Home");
    page.key("ArrowRight");
    let turn = plies[1]["candidates"][0]["move"].as_str().expect("a move");
    click_move(&page, turn);
    page.click("#make-main");
    assert_eq!(place_label(&page), "2 / 2");
    assert_eq!(page.count("#review-results .jumps button"), jumps);
    let mistakes = mistakes(&plies);
    page.key("Home");
    page.click("#mistake-next");
    assert!(place_label(&page).starts_with(&format!("{} / ", mistakes[0])));
    // Deleting moves of the reviewed line removes the review.
    page.click(".variations [data-node]");
    page.click("#remove");
    assert_eq!(page.count("#review-results .jumps button"), 0);
    assert_eq!(listed_moves(&page).len(), 2);
}

#[test]
fn running_review_stops_when_its_game_goes() {
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
    // The reviewed line is deleted.
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
    assert_eq!(listed_moves(&page), [other]);
    // Another game is opened, and its review is stopped by the button.
    long_review("random_vs_random");
    long_review("fault_timeout");
    page.click("#review-run");
    page.wait_for(is_over);
    review(&page);
    assert_eq!(
        all_texts(&page, ".accuracy"),
        accuracies(&native_analysis("fault_timeout").0)
    );
}

/// Number of iterations that the page shows; 0 if it shows none.
const ITERATIONS: &str = "Number((/^[\\d,]+/.exec(document.querySelector('#effort').textContent) ?? ['0'])[0].replaceAll(',', ''))";

/// Returns the moves of each line in the table.
fn lines(page: &Page) -> Vec<Vec<String>> {
    let rows = 1..=page.count("#candidates tr");
    let line = |row| {
        all_texts(
            page,
            &format!("#candidates tr:nth-child({row}) .line button"),
        )
    };
    rows.map(line).collect()
}

/// Returns the selector of a move in the table: `row` and `at` count from 1.
fn line_move(row: usize, at: usize) -> String {
    format!("#candidates tr:nth-child({row}) .line button:nth-child({at})")
}

#[test]
fn engine_analyses_the_shown_position() {
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
        board_after(line);
    }
    let firsts: std::collections::BTreeSet<_> = lines.iter().map(|line| &line[0]).collect();
    assert_eq!(firsts.len(), 5, "lines begin differently");
    // While the pointer is on a move, the board previews the position after this move.
    page.hover(&line_move(1, 2));
    assert_eq!(cells(&page), cells_of(&board_after(&lines[0][..2])));
    assert_eq!(listed_moves(&page).len(), 0);
    page.hover("#thinks");
    assert_eq!(cells(&page), cells_of(&Board::start()));
    // A click on a later move of a line adds all moves up to there as a variation.
    page.click(&line_move(1, 2));
    assert_eq!(listed_moves(&page), lines[0][..2]);
    assert_eq!(place_label(&page), "2 / 2");
    page.click("#first");
    page.click(&line_move(2, 2));
    let numbered = |line: &[String]| [format!("1. {}", line[0]), format!("1… {}", line[1])];
    let beside = |main: &[String], other: &[String]| {
        [&main[..1], &numbered(other)[..], &main[1..2]].concat()
    };
    assert_eq!(listed_moves(&page), beside(&lines[0], &lines[1]));
    page.click("#make-main");
    assert_eq!(listed_moves(&page), beside(&lines[1], &lines[0]));
    page.click(".variations [data-node]");
    page.click("#remove");
    assert_eq!(listed_moves(&page), lines[1][..2]);
    // The analysis follows to another position, and continues after a reload.
    page.click("#thinks");
    page.key("End");
    page.wait_for(ITERATIONS);
    page.reload();
    page.wait_for(ITERATIONS);
    let own: Move = super::study::lines(&page)[0][0].parse().expect("a move");
    assert_eq!(board_after(&lines[1][..2]).check(own), Ok(()));
}
