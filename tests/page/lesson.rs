//! Learning from mistakes: what is asked, how answers are judged, and that nothing of it stays in the game.

use super::desktop;
use super::seen::{after, all, cells, choices, click_move, letters, listed, place};
use super::study::{analysis, mistakes, review_log};
use crate::common::browser::{Page, Window};
use engine::movegen;
use page_engine::EngineService;
use serde_json::{Value, json};

/// Loss from which a move is not good.
const FAIR: f64 = 0.05;

/// What the lesson says, once it has judged.
fn task(page: &Page) -> String {
    page.wait_for("!/judges/.test(document.querySelector('#lesson-task').textContent)");
    page.text("#lesson-task")
}

/// What the last of some moves loses, by the engine of this build.
fn loss(moves: &[String]) -> f64 {
    let question = json!({ "ask": "try", "moves": moves, "iterations": 1000, "candidates": 5, "memory_mb": 64 });
    let answer = EngineService::default().answer(&question.to_string());
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    answer["loss"].as_f64().expect("a number")
}

/// A move that an analysis has not looked at in the place of the last of some moves.
pub fn unknown(moves: &[String], ply: &Value) -> String {
    let (played, before) = moves.split_last().expect("a move");
    let known = ply["candidates"].to_string();
    let legal = movegen::moves(&after(before)).into_iter();
    let mut others = legal.map(|turn| turn.to_string());
    let is_new = |turn: &String| !known.contains(turn.as_str()) && turn != played;
    others.rfind(is_new).expect("a move")
}

/// Checks the sentences on a move that the lesson shows against those of an analysis.
fn check_reasons(page: &Page, ply: &Value, turn: &str) {
    let reasons = ply["reasons"].as_array().into_iter().flatten();
    let on_it = reasons.filter(|reason| reason["move"] == turn);
    let said: Vec<Value> = on_it.map(|reason| reason["text"]["en"].clone()).collect();
    assert_eq!(all(page, "#lesson-reasons .reason"), said);
}

#[test]
fn a_lesson_asks_judges_and_leaves_no_trace() {
    let Some(page) = desktop() else { return };
    review_log(&page, "random_vs_random");
    let (_, plies) = analysis("random_vs_random");
    let moves = listed(&page);
    let mistakes = mistakes(&plies);
    let best = |at: usize| plies[at]["candidates"][0]["move"].as_str().expect("a move");
    let at = mistakes[0] - 1;
    let asked = format!("{at} / 40");
    page.click("#lesson-start");
    assert_eq!(cells(&page), letters(&after(&moves[..at])));
    assert!(task(&page).contains(&moves[at]));
    // Neither the list nor the keys lead away from the question.
    page.click("#moves li:last-child [data-node]:last-child");
    page.key("End");
    assert_eq!(place(&page), asked);
    // The mistake itself.
    click_move(&page, &moves[at]);
    let lost = |turn: &str, loss: f64| format!("{turn} loses {:.1} points", 100.0 * loss);
    let known = plies[at]["loss"].as_f64().expect("a number");
    assert!(task(&page).starts_with(&lost(&moves[at], known)));
    check_reasons(&page, &plies[at], &moves[at]);
    assert!(page.exists("#lesson-reasons .reason"));
    assert!(choices(&page).is_empty(), "one answer at a time");
    page.click("#lesson-again");
    assert_eq!(place(&page), asked);
    // A move that nobody has looked at is judged by a search.
    let other = unknown(&moves[..=at], &plies[at]);
    click_move(&page, &other);
    let loss = loss(&[&moves[..at], std::slice::from_ref(&other)].concat());
    let expected = match loss < FAIR {
        true => format!("{other} is good: {:.1} points", 100.0 * loss),
        false => lost(&other, loss),
    };
    assert!(
        task(&page).starts_with(&expected),
        "{}: {expected}",
        task(&page)
    );
    assert_eq!(listed(&page).len(), 41);
    page.click("#lesson-next");
    assert_eq!(listed(&page).len(), 40);
    // The best move, by a press on the next question.
    let at = mistakes[1] - 1;
    click_move(&page, best(at));
    assert!(task(&page).ends_with("is the best move."));
    // The solution of a third one stays no longer than the lesson.
    page.click("#lesson-next");
    let at = mistakes[2] - 1;
    page.click("#lesson-solution");
    assert!(task(&page).contains(best(at)));
    check_reasons(&page, &plies[at], best(at));
    let solved = [&moves[..at], &[best(at).to_owned()]].concat();
    assert_eq!(cells(&page), letters(&after(&solved)));
    page.click("#lesson-quit");
    assert_eq!(listed(&page), moves);
    assert_eq!(place(&page), format!("{} / 40", mistakes[2]));
}

#[test]
fn a_lesson_takes_one_side_only_if_asked() {
    let Some(page) = desktop() else { return };
    review_log(&page, "random_vs_random");
    let (_, plies) = analysis("random_vs_random");
    for (parity, side) in [(1, "black"), (0, "white")] {
        let mut own = mistakes(&plies);
        own.retain(|ply| ply % 2 == parity);
        page.choose("#lesson-side", side);
        page.click("#lesson-start");
        for (at, ply) in own.iter().enumerate() {
            let count = format!("Mistake {} of {}", at + 1, own.len());
            assert_eq!(page.text("#lesson-count"), count);
            assert_eq!(place(&page), format!("{} / 40", ply - 1));
            page.click("#lesson-next");
        }
        assert!(page.exists("#lesson[hidden]"), "that was the last one");
    }
}

/// What can be seen of the board, as a share of its height.
const BOARD_SEEN: &str = "(() => { const { top, bottom, height } = document.querySelector('#board').getBoundingClientRect(); \
    return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / height; })()";

#[test]
fn the_board_is_seen_on_a_telephone_and_a_tab_ends_a_lesson() {
    let Some(page) = desktop() else { return };
    review_log(&page, "random_vs_random");
    let moves = listed(&page);
    page.set_window(Window::PHONE);
    for press in ["#review-results .jumps button", "#mistake-next", "#lesson-start"] {
        page.tap(press);
        page.wait_for(&format!("{BOARD_SEEN} > 0.5"));
    }
    let asked = place(&page);
    click_move(&page, "c1 c2 c1");
    assert_ne!(place(&page), asked);
    page.tap("#tab-play");
    page.tap("#tab-study");
    page.wait_for("document.querySelector('#lesson').hidden");
    assert_eq!(
        (listed(&page), page.count("#moves .variations")),
        (moves, 0)
    );
}
