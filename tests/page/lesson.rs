//! Tests of "Learn from mistakes": tasks, judgement of answers, and that the game stays unchanged.

use super::desktop;
use super::study::{mistakes, native_analysis, review_log};
use super::view::{
    all_texts, board_after, cells, cells_of, click_move, listed_moves, place_label, selectable,
    selected,
};
use crate::common::browser::{Page, Window};
use engine::movegen;
use page_engine::EngineService;
use serde_json::{Value, json};

/// Smallest loss in win probability at which a move is no longer good.
const INACCURACY_LOSS: f64 = 0.05;

/// Waits until the move is judged; returns the lesson's message.
fn task_text(page: &Page) -> String {
    page.wait_for("!/judges/.test(document.querySelector('#lesson-task').textContent)");
    page.text("#lesson-task").replace('\u{a0}', " ")
}

/// Returns the loss of the last move in win probability, according to the native engine.
fn native_loss(moves: &[String]) -> f64 {
    let question = json!({ "ask": "try", "moves": moves, "iterations": 1000, "candidates": 5, "memory_mb": 64 });
    let answer = EngineService::default().answer(&question.to_string());
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    answer["loss"].as_f64().expect("a number")
}

/// Returns a legal alternative to the last move that is not among the candidates of the analysis.
pub fn unsearched_move(moves: &[String], ply: &Value) -> String {
    let (played, before) = moves.split_last().expect("a move");
    let known = ply["candidates"].to_string();
    let legal = movegen::moves(&board_after(before)).into_iter();
    let mut others = legal.map(|turn| turn.to_string());
    let is_new = |turn: &String| !known.contains(turn.as_str()) && turn != played;
    others.rfind(is_new).expect("a move")
}

/// Checks that the lesson shows the analysis's sentences on a move.
fn check_reasons(page: &Page, ply: &Value, turn: &str) {
    let reasons = ply["reasons"].as_array().into_iter().flatten();
    let on_move = reasons.filter(|reason| reason["move"] == turn);
    let sentences: Vec<Value> = on_move.map(|reason| reason["text"]["en"].clone()).collect();
    assert_eq!(all_texts(page, "#lesson-reasons .reason"), sentences);
}

#[test]
fn lesson_judges_answers_and_leaves_game_unchanged() {
    let Some(page) = desktop() else { return };
    review_log(&page, "random_vs_random");
    let (_, plies) = native_analysis("random_vs_random");
    let moves = listed_moves(&page);
    let mistakes = mistakes(&plies);
    let best = |at: usize| plies[at]["candidates"][0]["move"].as_str().expect("a move");
    let at = mistakes[0] - 1;
    let asked = format!("{at} / 40");
    // White has won: the lesson would be about black's mistakes alone.
    assert_eq!(selected(&page, "#lesson-side"), "black");
    page.choose("#lesson-side", "both");
    page.click("#lesson-start");
    assert_eq!(cells(&page), cells_of(&board_after(&moves[..at])));
    assert!(task_text(&page).contains(&moves[at]));
    // Move list and keys can't leave the position of the task.
    page.click("#moves li:last-child [data-node]:last-child");
    page.key("End");
    assert_eq!(place_label(&page), asked);
    // The answer repeats the mistake.
    click_move(&page, &moves[at]);
    let lost = |turn: &str, loss: f64| format!("{turn} loses {:.1} points", 100.0 * loss);
    let known = plies[at]["loss"].as_f64().expect("a number");
    assert!(task_text(&page).starts_with(&lost(&moves[at], known)));
    check_reasons(&page, &plies[at], &moves[at]);
    assert!(page.exists("#lesson-reasons .reason"));
    assert!(selectable(&page).is_empty(), "one answer at a time");
    page.click("#lesson-again");
    assert_eq!(place_label(&page), asked);
    // A move that the review has not searched is judged by a new search.
    let other = unsearched_move(&moves[..=at], &plies[at]);
    click_move(&page, &other);
    let loss = native_loss(&[&moves[..at], std::slice::from_ref(&other)].concat());
    let expected = match loss < INACCURACY_LOSS {
        true => format!("{other} is good: {:.1} points", 100.0 * loss),
        false => lost(&other, loss),
    };
    assert!(
        task_text(&page).starts_with(&expected),
        "{}: {expected}",
        task_text(&page)
    );
    assert_eq!(listed_moves(&page).len(), 41);
    page.click("#lesson-next");
    assert_eq!(listed_moves(&page).len(), 40);
    // The best move solves the next task.
    let at = mistakes[1] - 1;
    click_move(&page, best(at));
    assert!(task_text(&page).ends_with("is the best move."));
    // A shown solution is removed at the end of the lesson.
    page.click("#lesson-next");
    let at = mistakes[2] - 1;
    page.click("#lesson-solution");
    assert!(task_text(&page).contains(best(at)));
    check_reasons(&page, &plies[at], best(at));
    let solved = [&moves[..at], &[best(at).to_owned()]].concat();
    assert_eq!(cells(&page), cells_of(&board_after(&solved)));
    page.click("#lesson-quit");
    assert_eq!(listed_moves(&page), moves);
    assert_eq!(place_label(&page), format!("{} / 40", mistakes[2]));
}

#[test]
fn lesson_covers_only_the_selected_side() {
    let Some(page) = desktop() else { return };
    review_log(&page, "random_vs_random");
    let (_, plies) = native_analysis("random_vs_random");
    for (parity, side) in [(1, "black"), (0, "white")] {
        let mut own = mistakes(&plies);
        own.retain(|ply| ply % 2 == parity);
        page.choose("#lesson-side", side);
        page.click("#lesson-start");
        for (at, ply) in own.iter().enumerate() {
            let count = format!("Mistake {} of {}", at + 1, own.len());
            assert_eq!(page.text("#lesson-count"), count);
            assert_eq!(place_label(&page), format!("{} / 40", ply - 1));
            page.click("#lesson-next");
        }
        assert!(page.exists("#lesson[hidden]"), "that was the last one");
    }
}

/// Visible part of the board, as a share of its height.
const BOARD_SEEN: &str = "(() => { const { top, bottom, height } = document.querySelector('#board').getBoundingClientRect(); \
    return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / height; })()";

#[test]
fn phone_scrolls_to_board_and_tab_ends_lesson() {
    let Some(page) = desktop() else { return };
    review_log(&page, "random_vs_random");
    let moves = listed_moves(&page);
    page.set_window(Window::PHONE);
    for press in [
        "#review-results .jumps button",
        "#mistake-next",
        "#lesson-start",
    ] {
        page.tap(press);
        page.wait_for(&format!("{BOARD_SEEN} > 0.5"));
    }
    let asked = place_label(&page);
    click_move(&page, "c1 c2 c1");
    assert_ne!(place_label(&page), asked);
    page.tap("#tab-play");
    page.tap("#tab-study");
    page.wait_for("document.querySelector('#lesson').hidden");
    assert_eq!(
        (listed_moves(&page), page.count("#moves .variations")),
        (moves, 0)
    );
}
