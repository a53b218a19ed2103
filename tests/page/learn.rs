//! Tests of the "Learn" tab: hints, judgement and repetition of puzzles, puzzles from mistakes; and of the opening book.

use super::study::review_log;
use super::view::{all_texts, cells, cells_of, click_move, listed_moves, selectable, text, texts};
use super::{desktop, phone};
use crate::common::browser::Page;
use analysis::puzzle::Puzzle;
use engine::board::Move;
use serde_json::{Value, json};

/// Returns the page's puzzles, the easiest first.
fn puzzles() -> Vec<Puzzle> {
    let mut puzzles = crate::puzzles::puzzles(crate::puzzles::SET);
    puzzles.sort_by_key(|puzzle| puzzle.difficulty);
    puzzles
}

/// Waits until the move is judged; returns the message below the puzzle.
fn message(page: &Page) -> String {
    page.wait_for(
        "!/judges|gets ready/.test(document.querySelector('#puzzle-message').textContent)",
    );
    page.text("#puzzle-message")
}

/// Returns the sentences on the two best moves of a puzzle.
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

/// Returns the selected kind of puzzles, with their number.
fn selected_kind(page: &Page) -> String {
    all_texts(page, "#puzzle-kind option:checked").concat()
}

/// Checks the number of puzzles due today.
fn assert_due(page: &Page, count: usize) {
    let record = page.text("#puzzle-record");
    assert!(record.ends_with(&format!(" {count}.")), "{record}");
}

/// Leitner boxes of the tried puzzles, in order of the first attempt.
const BOXES: &str =
    "Object.values(JSON.parse(localStorage['amazons.learn']).value.boxes).map(([box]) => box)";

/// Changes the saved progress (`known`) by JavaScript statements, and reloads the page.
fn change_progress(page: &Page, statements: &str) {
    page.eval(&format!(
        "(() => {{ const known = JSON.parse(localStorage['amazons.learn']); {statements}; localStorage['amazons.learn'] = JSON.stringify(known); }})()"
    ));
    page.reload();
    message(page);
}

#[test]
fn puzzle_gives_hints_judges_and_repeats() {
    let Some(page) = desktop() else { return };
    let set = puzzles();
    page.click("#tab-learn");
    assert_eq!(message(&page), "Choose an amazon.");
    assert_eq!(
        cells(&page),
        cells_of(&set[0].board),
        "an easy one comes first"
    );
    assert!(selected_kind(&page).ends_with(&format!("({})", set.len())));
    // A wrong move is judged and taken back.
    let other = set[0].other[0].to_string();
    click_move(&page, &other);
    let judged = message(&page);
    assert!(judged.starts_with(&format!("{other} loses ")), "{judged}");
    assert_eq!(cells(&page), cells_of(&set[0].board));
    assert_eq!(page.eval(BOXES), json!([0]));
    // Hints: the amazon, its destination, its arrow.
    let best = set[0].best[0];
    for (square, marks) in [(best.from, [1, 0]), (best.to, [2, 0]), (best.arrow, [0, 1])] {
        page.click("#puzzle-hint");
        assert!(message(&page).contains(&square.to_string()));
        let marked = ["#board .pointed", "#board .target.hinted"].map(|css| page.count(css));
        assert_eq!(marked, marks);
    }
    assert!(page.exists("#puzzle-hint:disabled"));
    let solve = |puzzle: &Puzzle| {
        click_move(&page, &puzzle.best[0].to_string());
        assert!(message(&page).contains("is right."));
    };
    solve(&set[0]);
    let task = page.text("#puzzle-task");
    for chance in set[0].chances {
        assert!(task.contains(&format!("{chance} %")), "{task}");
    }
    for language in ["zh", "en"] {
        page.click(&format!("[data-language={language}]"));
        let shown = all_texts(&page, "#puzzle-reasons .reason");
        assert_eq!(shown, reasons(&set[0], language));
    }
    assert!(selectable(&page).is_empty(), "it is solved");
    assert_eq!(page.eval(BOXES), json!([0]), "not without help");
    // The next puzzle is solved without help.
    let next = || {
        page.click("#puzzle-next");
        message(&page);
        assert_eq!(cells(&page), cells_of(&set[1].board));
    };
    next();
    solve(&set[1]);
    assert_eq!(page.eval(BOXES), json!([0, 1]));
    assert!(selected_kind(&page).ends_with(&format!("({})", set.len() - 1)));
    let record = page.text("#puzzle-record");
    assert!(record.contains(&format!("1 of {}", set.len())), "{record}");
    assert_due(&page, 1);
    // After a day both puzzles are due. The second one, solved again, is not due two days later.
    change_progress(
        &page,
        "for (const box of Object.values(known.value.boxes)) box[1] -= 1",
    );
    assert_due(&page, 2);
    solve(&set[0]);
    next();
    solve(&set[1]);
    assert_eq!(page.eval(BOXES), json!([1, 2]));
    // A puzzle that the page no longer contains is not counted.
    change_progress(
        &page,
        "for (const box of Object.values(known.value.boxes)) box[1] -= 2; known.value.boxes.gone = [1, 0]",
    );
    assert_due(&page, 1);
    assert!(page.text("#puzzle-record").contains(": 2 of "));
}

#[test]
fn puzzle_kinds_filter_and_damaged_progress_resets() {
    let Some(page) = phone() else { return };
    page.click("#tab-learn");
    message(&page);
    let set = puzzles();
    for name in ["wall", "out", "split", "count", "only"] {
        page.choose("#puzzle-kind", name);
        message(&page);
        let boards = set.iter().filter(|puzzle| puzzle.kind.name() == name);
        let boards: Vec<String> = boards.map(|puzzle| cells_of(&puzzle.board)).collect();
        assert!(boards.contains(&cells(&page)), "{name}");
        let shown = selected_kind(&page);
        assert!(shown.ends_with(&format!("({})", boards.len())), "{shown}");
    }
    assert!(!page.scrolls_sideways());
    page.click("#puzzle-hint");
    change_progress(&page, "known.value.own = ['nonsense']");
    let notice = page.text("#notice");
    assert_eq!(notice.matches("learn").count(), 1, "{notice}");
    assert!(text(page.eval("localStorage['amazons.aside.learn']")).contains("nonsense"));
    assert!(page.text("#puzzle-record").contains(": 0 of "));
}

#[test]
fn mistakes_with_one_best_move_become_puzzles() {
    let Some(page) = desktop() else { return };
    review_log(&page, "game_bot003_bot032");
    page.click("#practise");
    let found = wait_for_practice(&page);
    let own = page.eval("JSON.parse(localStorage['amazons.learn']).value.own");
    let own = texts(&own);
    assert!(!own.is_empty());
    assert!(found.contains(&format!(": {} of ", own.len())), "{found}");
    page.click("#tab-learn");
    page.choose("#puzzle-kind", "own");
    message(&page);
    let line = own[0].replacen("own", "only", 1);
    let puzzle = crate::puzzles::puzzle(&line);
    assert_eq!(cells(&page), cells_of(&puzzle.board));
    // After a reload, the puzzles are still there, and no mistake becomes a second puzzle.
    page.reload();
    page.click("#tab-study");
    page.click("#practise");
    let found = wait_for_practice(&page);
    assert!(found.contains(": 0 of "), "{found}");
}

/// Waits until all mistakes are searched, with the usual timeout for each; returns the final notice.
fn wait_for_practice(page: &Page) -> String {
    let mut notice = String::new();
    while !notice.starts_with("New puzzles") {
        let shown = "document.querySelector('#notice').textContent";
        notice = text(page.wait_for(&format!("{shown} !== {} && {shown}", json!(notice))));
    }
    notice
}

/// Rows of the opening book: share, win probability and first move of each line.
const BOOK: &str = "document.querySelector('#book-table').hidden ? [] : [...document.querySelectorAll('#book-rows tr')].map((row) =>
    [row.children[0].textContent, row.children[1].textContent, row.querySelector('button').textContent])";

#[test]
fn opening_book_covers_both_mirror_images() {
    let Some(page) = desktop() else { return };
    // Columns of the file: ply, move, games, win probability.
    let book = include_str!("../../src/page/book.txt").lines().skip(1);
    let book: Vec<Vec<&str>> = book.map(|line| line.split(' ').collect()).collect();
    let of_ply = |ply: &'static str| book.iter().filter(move |line| line[0] == ply);
    let spaced = |turn: &str| format!("{} {} {}", &turn[..2], &turn[2..4], &turn[4..]);
    let games = |line: &[&str]| line[2].parse::<f64>().expect("games");
    page.click("#tab-study");
    page.click("#room-book");
    let total: f64 = of_ply("1").map(|line| games(line)).sum();
    // Moves in less than 2 % of the games are left out.
    let shown = of_ply("1").filter(|line| games(line) >= 0.02 * total);
    let rows = shown.map(|line| {
        let share = format!("{:.1} %", 100.0 * games(line) / total);
        json!([share, format!("{} %", line[3]), spaced(line[1])])
    });
    assert_eq!(page.eval(BOOK), rows.collect::<Value>());
    page.click("#book-rows button");
    let [first, second] = ["1", "2"].map(|ply| spaced(of_ply(ply).next().expect("a line")[1]));
    assert_eq!(listed_moves(&page), [&*first]);
    assert_eq!(page.eval(BOOK)[0][2], second);
    // The mirror image of the line has the same entries.
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
    // After a move that is not in the book, there are no entries.
    page.key("Home");
    click_move(&page, "c1 c2 c1");
    assert_eq!(page.eval(BOOK), json!([]));
}
