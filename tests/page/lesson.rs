//! Learning from mistakes: what is asked, how answers are judged, and that nothing of it stays in the game.

use super::seen::{after, cells, click_move, letters, listed, place};
use super::study::{analysis, mistakes, reviewed};
use super::{Site, seen};
use crate::common::browser::{Page, Window};
use amazons::movegen;
use amazons::tools::page::engine::Desk;
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
    let answer = Desk::default().answer(&question.to_string());
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    answer["loss"].as_f64().expect("a number")
}

/// The sentences that the lesson shows.
const REASONS: &str =
    "[...document.querySelectorAll('#lesson-reasons .reason')].map((one) => one.textContent)";

/// The sentences on a move in the analysis of a ply.
fn reasons(ply: &Value, turn: &str) -> Value {
    let all = ply["reasons"].as_array().into_iter().flatten();
    let on_it = all.filter(|reason| reason["move"] == turn);
    on_it.map(|reason| reason["text"]["en"].clone()).collect()
}

#[test]
fn a_lesson_asks_judges_and_leaves_no_trace() {
    let Some(site) = Site::start() else { return };
    let page = reviewed(&site, "random_vs_random");
    let (_, plies) = analysis("random_vs_random");
    let moves = listed(&page);
    let mistakes = mistakes(&plies);
    let at = mistakes[0] - 1;
    let (before, ply) = (after(&moves[..at]), &plies[at]);
    page.click("#lesson-start");
    assert_eq!(
        page.text("#lesson-count"),
        format!("Mistake 1 of {}", mistakes.len())
    );
    assert_eq!(
        (cells(&page), place(&page)),
        (letters(&before), format!("{at} / 40"))
    );
    assert!(task(&page).contains(&format!("played {} here.", moves[at])));
    assert!(!page.text("#moves").is_empty());
    // Neither the list nor the keys lead away from the question.
    page.click("#moves li:last-child [data-node]:last-child");
    page.key("End");
    assert_eq!(place(&page), format!("{at} / 40"));
    // The mistake itself.
    click_move(&page, &moves[at]);
    let lost =
        |turn: &str, loss: f64| format!("{turn} loses {:.1} points. Try again.", 100.0 * loss);
    let known = ply["loss"].as_f64().expect("a number");
    assert_eq!(task(&page), lost(&moves[at], known));
    assert_eq!(page.eval(REASONS), reasons(ply, &moves[at]));
    assert!(page.exists("#lesson-reasons .reason"));
    assert!(seen::choices(&page).is_empty(), "one answer at a time");
    page.click("#lesson-again");
    assert_eq!(place(&page), format!("{at} / 40"));
    // A move that nobody has looked at is judged by a search.
    let candidates = ply["candidates"].to_string();
    let is_new = |turn: &String| !candidates.contains(turn.as_str()) && *turn != moves[at];
    let mut legal = movegen::moves(&before)
        .into_iter()
        .map(|turn| turn.to_string());
    let other = legal.rfind(is_new).expect("a move");
    click_move(&page, &other);
    let loss = loss(&[&moves[..at], std::slice::from_ref(&other)].concat());
    let expected = match loss < FAIR {
        true => format!(
            "{other} is good: {:.1} points behind the best at most.",
            100.0 * loss
        ),
        false => lost(&other, loss),
    };
    assert_eq!(task(&page), expected);
    assert_eq!(listed(&page).len(), 41);
    page.click("#lesson-next");
    assert_eq!(listed(&page).len(), 40);
    // The best move, by a press on the next question.
    let at = mistakes[1] - 1;
    let best = plies[at]["candidates"][0]["move"].as_str().expect("a move");
    click_move(&page, best);
    assert_eq!(task(&page), format!("{best} is the best move."));
    // The solution of a third one stays no longer than the lesson.
    page.click("#lesson-next");
    let at = mistakes[2] - 1;
    let best = plies[at]["candidates"][0]["move"].as_str().expect("a move");
    page.click("#lesson-solution");
    assert_eq!(task(&page), format!("The best move is {best}."));
    assert_eq!(page.eval(REASONS), reasons(&plies[at], best));
    let solved = [&moves[..at], &[best.to_owned()]].concat();
    assert_eq!(cells(&page), letters(&after(&solved)));
    page.click("#lesson-quit");
    assert_eq!(listed(&page), moves);
    assert_eq!(place(&page), format!("{} / 40", mistakes[2]));
}

#[test]
fn a_lesson_takes_one_side_only_if_asked() {
    let Some(site) = Site::start() else { return };
    let page = reviewed(&site, "random_vs_random");
    let (_, plies) = analysis("random_vs_random");
    for (parity, side) in [(1, "black"), (0, "white")] {
        let own = mistakes(&plies).into_iter().filter(|ply| ply % 2 == parity);
        let own: Vec<usize> = own.collect();
        page.choose("#lesson-side", side);
        page.click("#lesson-start");
        for (at, ply) in own.iter().enumerate() {
            let count = format!("Mistake {} of {}", at + 1, own.len());
            assert_eq!(page.text("#lesson-count"), count);
            assert_eq!(place(&page), format!("{} / 40", ply - 1));
            page.click("#lesson-next");
        }
        assert!(
            !page.exists("#lesson:not([hidden])"),
            "that was the last one"
        );
    }
}

/// What can be seen of the board, as a share of its height.
const BOARD_SEEN: &str = "(() => { const { top, bottom, height } = document.querySelector('#board').getBoundingClientRect(); \
    return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / height; })()";

#[test]
fn the_board_is_seen_on_a_telephone_and_a_tab_ends_a_lesson() {
    let Some(site) = Site::start() else { return };
    let page = reviewed(&site, "random_vs_random");
    let moves = listed(&page);
    page.set_window(Window::PHONE);
    for press in ["#moments .jumps button", "#mistake-next", "#lesson-start"] {
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
