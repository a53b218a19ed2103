//! Learning: puzzles are asked, hinted at, judged, kept and asked again; one's own mistakes become puzzles.

use super::seen::{all, cells, choices, click_move, letters, listed, text, texts};
use super::study::review_log;
use super::{desktop, phone};
use crate::common::browser::Page;
use analysis::puzzle::Puzzle;
use engine::board::Move;
use serde_json::{Value, json};

/// The puzzles of the page, the easiest first.
fn puzzles() -> Vec<Puzzle> {
    let mut puzzles = crate::puzzles::puzzles(crate::puzzles::SET);
    puzzles.sort_by_key(|puzzle| puzzle.difficulty);
    puzzles
}

/// What is said of the puzzle, once it is set and the move judged.
fn said(page: &Page) -> String {
    page.wait_for("!/judges|gets ready/.test(document.querySelector('#puzzle-message').textContent)");
    page.text("#puzzle-message")
}

/// The sentences of a puzzle.
fn reasons(puzzle: &Puzzle, language: &str) -> Vec<Value> {
    let reasons = serde_json::to_value(puzzle.reasons()).expect("JSON");
    let of = |turn: Move| {
        let all = reasons.as_array().into_iter().flatten();
        all.filter(move |reason| reason["move"] == turn.to_string())
    };
    let both = of(puzzle.best[0]).chain(of(puzzle.other[0]));
    both.map(|reason| reason["text"][language].clone())
        .collect()
}

/// The kind of puzzles that is chosen, with their number.
fn kind(page: &Page) -> String {
    all(page, "#puzzle-kind option:checked").concat()
}

/// Checks how many puzzles are due.
fn assert_due(page: &Page, count: usize) {
    let record = page.text("#puzzle-record");
    assert!(record.ends_with(&format!(" {count}.")), "{record}");
}

/// Box of each puzzle that was tried, in their order.
const BOXES: &str =
    "Object.values(JSON.parse(localStorage['amazons.learn']).value.boxes).map(([box]) => box)";

/// Changes what is kept by some statements on `known`, and opens the page anew.
fn change(page: &Page, statements: &str) {
    page.eval(&format!(
        "(() => {{ const known = JSON.parse(localStorage['amazons.learn']); {statements}; localStorage['amazons.learn'] = JSON.stringify(known); }})()"
    ));
    page.reload();
    said(page);
}

#[test]
fn a_puzzle_is_hinted_at_judged_and_asked_again() {
    let Some(page) = desktop() else { return };
    let set = puzzles();
    page.click("#tab-learn");
    assert_eq!(said(&page), "Choose an amazon.");
    assert_eq!(
        cells(&page),
        letters(&set[0].board),
        "an easy one comes first"
    );
    assert!(kind(&page).ends_with(&format!("({})", set.len())));
    // Another move is judged and taken back.
    let other = set[0].other[0].to_string();
    click_move(&page, &other);
    let judged = said(&page);
    assert!(judged.starts_with(&format!("{other} loses ")), "{judged}");
    assert_eq!(cells(&page), letters(&set[0].board));
    assert_eq!(page.eval(BOXES), json!([0]));
    // Hints: the amazon, where it goes, its arrow.
    let best = set[0].best[0];
    for (square, marks) in [(best.from, [1, 0]), (best.to, [2, 0]), (best.arrow, [0, 1])] {
        page.click("#puzzle-hint");
        assert!(said(&page).contains(&square.to_string()));
        let marked = ["#board .pointed", "#board .target.hinted"].map(|css| page.count(css));
        assert_eq!(marked, marks);
    }
    assert!(page.exists("#puzzle-hint:disabled"));
    let solve = |puzzle: &Puzzle| {
        click_move(&page, &puzzle.best[0].to_string());
        assert!(said(&page).contains("is right."));
    };
    solve(&set[0]);
    let task = page.text("#puzzle-task");
    for chance in set[0].chances {
        assert!(task.contains(&format!("{chance} %")), "{task}");
    }
    for language in ["zh", "en"] {
        page.click(&format!("[data-language={language}]"));
        let shown = all(&page, "#puzzle-reasons .reason");
        assert_eq!(shown, reasons(&set[0], language));
    }
    assert!(choices(&page).is_empty(), "it is solved");
    assert_eq!(page.eval(BOXES), json!([0]), "not without help");
    // Another one, without help.
    let next = || {
        page.click("#puzzle-next");
        said(&page);
        assert_eq!(cells(&page), letters(&set[1].board));
    };
    next();
    solve(&set[1]);
    assert_eq!(page.eval(BOXES), json!([0, 1]));
    assert!(kind(&page).ends_with(&format!("({})", set.len() - 1)));
    let record = page.text("#puzzle-record");
    assert!(record.contains(&format!("1 of {}", set.len())), "{record}");
    assert_due(&page, 1);
    // A day later both are due; two days after that was solved again, it is not.
    change(
        &page,
        "for (const box of Object.values(known.value.boxes)) box[1] -= 1",
    );
    assert_due(&page, 2);
    solve(&set[0]);
    next();
    solve(&set[1]);
    assert_eq!(page.eval(BOXES), json!([1, 2]));
    change(
        &page,
        "for (const box of Object.values(known.value.boxes)) box[1] -= 2",
    );
    assert_due(&page, 1);
}

#[test]
fn a_kind_is_chosen_and_damage_set_aside() {
    let Some(page) = phone() else { return };
    page.click("#tab-learn");
    said(&page);
    let set = puzzles();
    for name in ["wall", "out", "split", "count", "only"] {
        page.choose("#puzzle-kind", name);
        said(&page);
        let boards = set.iter().filter(|puzzle| puzzle.kind.name() == name);
        let boards: Vec<String> = boards.map(|puzzle| letters(&puzzle.board)).collect();
        assert!(boards.contains(&cells(&page)), "{name}");
        let shown = kind(&page);
        assert!(shown.ends_with(&format!("({})", boards.len())), "{shown}");
    }
    assert!(!page.scrolls_sideways());
    page.click("#puzzle-hint");
    change(&page, "known.value.own = ['nonsense']");
    let notice = page.text("#notice");
    assert_eq!(notice.matches("learn").count(), 1, "{notice}");
    assert!(text(page.eval("localStorage['amazons.aside.learn']")).contains("nonsense"));
    assert!(page.text("#puzzle-record").contains(": 0 of "));
}

#[test]
fn mistakes_with_one_clearly_best_move_are_practised() {
    let Some(page) = desktop() else { return };
    review_log(&page, "fault_timeout");
    page.click("#practise");
    let found = wait_for_practice(&page);
    let own = page.eval("JSON.parse(localStorage['amazons.learn']).value.own");
    let own = texts(&own);
    assert!(!own.is_empty());
    assert!(found.contains(&format!(": {} of ", own.len())), "{found}");
    page.click("#tab-learn");
    page.choose("#puzzle-kind", "own");
    said(&page);
    let line = own[0].replacen("own", "only", 1);
    let puzzle = crate::puzzles::puzzle(&line);
    assert_eq!(cells(&page), letters(&puzzle.board));
    // They are there after a reload, and once each.
    page.reload();
    page.click("#tab-study");
    page.click("#practise");
    let found = wait_for_practice(&page);
    assert!(found.contains(": 0 of "), "{found}");
}

/// Waits until every mistake has been searched, for each as long as for anything else; returns what is said then.
fn wait_for_practice(page: &Page) -> String {
    let mut said = String::new();
    while !said.starts_with("New puzzles") {
        let told = "document.querySelector('#notice').textContent";
        said = text(page.wait_for(&format!("{told} !== {} && {told}", json!(said))));
    }
    said
}

/// The rows of the opening book: shares, win probabilities and the first moves of the lines.
const BOOK: &str = "document.querySelector('#book').hidden ? [] : [...document.querySelectorAll('#book-rows tr')].map((row) =>
    [row.children[0].textContent, row.children[1].textContent, row.querySelector('button').textContent])";

#[test]
fn the_opening_book_is_walked_on_both_sides() {
    let Some(page) = desktop() else { return };
    // A line of the file: ply, move, games, win probability.
    let book = include_str!("../../src/page/book.txt").lines().skip(1);
    let book: Vec<Vec<&str>> = book.map(|line| line.split(' ').collect()).collect();
    let of_ply = |ply: &'static str| book.iter().filter(move |line| line[0] == ply);
    let spaced = |turn: &str| format!("{} {} {}", &turn[..2], &turn[2..4], &turn[4..]);
    let games = |line: &[&str]| line[2].parse::<f64>().expect("games");
    page.click("#tab-study");
    let total: f64 = of_ply("1").map(|line| games(line)).sum();
    let rows = of_ply("1").map(|line| {
        let share = format!("{:.1} %", 100.0 * games(line) / total);
        json!([share, format!("{} %", line[3]), spaced(line[1])])
    });
    assert_eq!(page.eval(BOOK), rows.collect::<Value>());
    page.click("#book-rows button");
    let [first, second] = ["1", "2"].map(|ply| spaced(of_ply(ply).next().expect("a line")[1]));
    assert_eq!(listed(&page), [&*first]);
    assert_eq!(page.eval(BOOK)[0][2], second);
    // The same on the board's mirror image.
    let mirrored = |turn: &str| -> String {
        let image = |letter: char| match letter {
            'a'..='h' => (b'a' + b'h' - letter as u8) as char,
            other => other,
        };
        turn.chars().map(image).collect()
    };
    page.key("Home");
    click_move(&page, &mirrored(&first));
    assert_eq!(page.eval(BOOK)[0][2], mirrored(&second));
    click_move(&page, &mirrored(&second));
    // What is not in it has no book.
    page.key("Home");
    click_move(&page, "c1 c2 c1");
    assert_eq!(page.eval(BOOK), json!([]));
}
