//! Learning: puzzles are asked, hinted at, judged, kept and asked again; one's own mistakes become puzzles.

use super::seen::{cells, choices, click_move, letters, listed, text};
use super::study::wait_for_review;
use super::{Site, log};
use crate::common::browser::{Page, Window};
use amazons::board::Move;
use amazons::tools::analysis::puzzle::Puzzle;
use serde_json::{Value, json};

/// The puzzles of the page, the easiest first.
fn puzzles() -> Vec<Puzzle> {
    let set = include_str!("../../src/tools/page/puzzles.txt");
    let lines = set.lines().skip(1);
    let mut puzzles: Vec<Puzzle> = lines.map(|line| line.parse().expect("a puzzle")).collect();
    puzzles.sort_by_key(|puzzle| puzzle.difficulty);
    puzzles
}

/// What is said of the puzzle, once it is set and the move judged.
fn said(page: &Page) -> String {
    page.wait_for("!/judges|gets ready/.test(document.querySelector('#puzzle-said').textContent)");
    page.text("#puzzle-said")
}

/// The sentences that are shown.
const REASONS: &str =
    "[...document.querySelectorAll('#puzzle-reasons .reason')].map((one) => one.textContent)";

/// The sentences of a puzzle.
fn reasons(puzzle: &Puzzle, language: &str) -> Value {
    let reasons = serde_json::to_value(puzzle.reasons()).expect("JSON");
    let of = |turn: Move| {
        let all = reasons.as_array().into_iter().flatten();
        all.filter(move |reason| reason["move"] == turn.to_string())
    };
    of(puzzle.best[0])
        .chain(of(puzzle.other[0]))
        .map(|reason| reason["text"][language].clone())
        .collect()
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
fn a_puzzle_is_hinted_at_judged_explained_and_asked_again() {
    let Some(site) = Site::start() else { return };
    let set = puzzles();
    let page = site.open("", Window::DESKTOP);
    page.click("#tab-learn");
    assert_eq!(said(&page), "Choose an amazon.");
    assert_eq!(
        cells(&page),
        letters(&set[0].board),
        "an easy one comes first"
    );
    let count = || {
        let chosen = "document.querySelector('#puzzle-kind').selectedOptions[0].textContent";
        text(page.eval(chosen))
    };
    assert_eq!(count(), format!("Due and new ({})", set.len()));
    // Another move is judged and taken back.
    let other = set[0].other[0].to_string();
    click_move(&page, &other);
    assert!(
        said(&page).starts_with(&format!("{other} loses ")),
        "{}",
        said(&page)
    );
    assert_eq!(cells(&page), letters(&set[0].board));
    assert_eq!(page.eval(BOXES), json!([0]));
    // Hints: the amazon, where it goes, its arrow.
    let best = set[0].best[0];
    let hints = [
        format!("The amazon on {} moves.", best.from),
        format!("It goes to {}.", best.to),
        format!("Its arrow goes to {}.", best.arrow),
    ];
    for (at, hint) in hints.iter().enumerate() {
        page.click("#puzzle-hint");
        assert_eq!(&said(&page), hint);
        let marks = [
            page.count("#board .pointed"),
            page.count("#board .target.hinted"),
        ];
        assert_eq!(marks, [[1, 0], [2, 0], [0, 1]][at]);
    }
    assert_eq!(
        page.eval("document.querySelector('#puzzle-hint').disabled"),
        true
    );
    click_move(&page, &best.to_string());
    let [chance, less] = set[0].chances;
    assert!(said(&page).starts_with(&format!("{best} is right. ")));
    let task = format!("Win probability {chance} %; after the next best, {other}, {less} %.");
    assert_eq!(page.text("#puzzle-task"), task);
    for language in ["zh", "en"] {
        page.click(&format!("[data-language={language}]"));
        assert_eq!(page.eval(REASONS), reasons(&set[0], language));
    }
    assert!(choices(&page).is_empty(), "it is solved");
    assert_eq!(page.eval(BOXES), json!([0]), "not without help");
    // Another one, without help.
    page.click("#puzzle-next");
    said(&page);
    assert_eq!(cells(&page), letters(&set[1].board));
    click_move(&page, &set[1].best[0].to_string());
    assert!(said(&page).contains("is right."));
    assert_eq!(page.eval(BOXES), json!([0, 1]));
    assert_eq!(count(), format!("Due and new ({})", set.len() - 1));
    assert_eq!(
        page.text("#puzzle-record"),
        format!("Solved without help: 1 of {}. Due today: 1.", set.len())
    );
    // A day later both are due; two days after that was solved again, it is not.
    change(
        &page,
        "for (const box of Object.values(known.value.boxes)) box[1] -= 1",
    );
    assert!(page.text("#puzzle-record").ends_with("Due today: 2."));
    click_move(&page, &best.to_string());
    said(&page);
    page.click("#puzzle-next");
    said(&page);
    assert_eq!(cells(&page), letters(&set[1].board));
    click_move(&page, &set[1].best[0].to_string());
    said(&page);
    assert_eq!(page.eval(BOXES), json!([1, 2]));
    change(
        &page,
        "for (const box of Object.values(known.value.boxes)) box[1] -= 2",
    );
    assert!(page.text("#puzzle-record").ends_with("Due today: 1."));
}

#[test]
fn a_kind_can_be_chosen_and_what_does_not_fit_is_set_aside() {
    let Some(site) = Site::start() else { return };
    let page = site.open("", Window::PHONE);
    page.click("#tab-learn");
    said(&page);
    for kind in ["wall", "out", "split", "count", "only"] {
        page.choose("#puzzle-kind", kind);
        said(&page);
        let set = puzzles();
        let of_kind = |puzzle: &&Puzzle| puzzle.kind.name() == kind;
        let shown = cells(&page);
        let is_shown = |puzzle: &Puzzle| letters(&puzzle.board) == shown;
        assert!(set.iter().filter(of_kind).any(is_shown), "{kind}");
        let count = set.iter().filter(of_kind).count();
        let shown = text(
            page.eval("document.querySelector('#puzzle-kind').selectedOptions[0].textContent"),
        );
        assert!(shown.ends_with(&format!("({count})")), "{shown}");
    }
    assert!(!page.scrolls_sideways());
    page.click("#puzzle-hint");
    change(&page, "known.value.own = ['nonsense']");
    assert!(
        page.text("#notice").contains("learn"),
        "{}",
        page.text("#notice")
    );
    assert!(text(page.eval("localStorage['amazons.aside.learn']")).contains("nonsense"));
    assert!(
        page.text("#puzzle-record")
            .starts_with("Solved without help: 0")
    );
}

#[test]
fn mistakes_with_one_clearly_best_move_are_practised() {
    let Some(site) = Site::start() else { return };
    let page = site.open("", Window::DESKTOP);
    page.drop_file("body", "game.json", &log("fault_timeout"));
    page.wait_for("document.body.dataset.tab === 'study'");
    page.choose("#review-effort", "1000");
    page.click("#review-run");
    wait_for_review(&page);
    page.click("#practise");
    let found = wait_for_practice(&page);
    let own = page.eval("JSON.parse(localStorage['amazons.learn']).value.own");
    let own = own.as_array().expect("a list").clone();
    assert!(!own.is_empty());
    assert!(found.contains(&format!(": {} of ", own.len())), "{found}");
    page.click("#tab-learn");
    page.choose("#puzzle-kind", "own");
    said(&page);
    let line = text(own[0].clone()).replacen("own", "only", 1);
    let puzzle: Puzzle = line.parse().expect("a puzzle");
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
fn the_opening_book_is_walked_through_also_on_the_mirror_image() {
    let Some(site) = Site::start() else { return };
    let book = include_str!("../../src/tools/page/book.txt");
    let of_ply = |ply: &str| {
        let mut games = Vec::new();
        for line in book.lines().skip(1) {
            let words: Vec<&str> = line.split(' ').collect();
            if words[0] == ply {
                games.push((
                    words[1].to_owned(),
                    words[2].parse::<f64>().expect("games"),
                    words[3].to_owned(),
                ));
            }
        }
        games
    };
    let page = site.open("", Window::DESKTOP);
    page.click("#tab-study");
    let first = of_ply("1");
    let all: f64 = first.iter().map(|(_, games, _)| games).sum();
    let spaced = |turn: &str| format!("{} {} {}", &turn[..2], &turn[2..4], &turn[4..]);
    let rows = first.iter().map(|(turn, games, chance)| {
        json!([
            format!("{:.1} %", 100.0 * games / all),
            format!("{chance} %"),
            spaced(turn)
        ])
    });
    assert_eq!(page.eval(BOOK), rows.collect::<Value>());
    page.click("#book-rows button");
    let (most, second) = (&first[0].0, &of_ply("2")[0].0);
    assert_eq!(listed(&page), [spaced(most)]);
    assert_eq!(page.eval(BOOK)[0][2], spaced(second));
    // The same on the board's mirror image.
    let mirrored = |turn: &str| -> String {
        let image = |letter: char| {
            if letter.is_ascii_digit() {
                letter
            } else {
                (b'a' + b'h' - letter as u8) as char
            }
        };
        spaced(turn)
            .chars()
            .map(|letter| if letter == ' ' { ' ' } else { image(letter) })
            .collect()
    };
    page.key("Home");
    click_move(&page, &mirrored(most));
    assert_eq!(page.eval(BOOK)[0][2], mirrored(second));
    click_move(&page, &mirrored(second));
    // What is not in it has no book.
    page.key("Home");
    click_move(&page, "c1 c2 c1");
    assert_eq!(page.eval(BOOK), json!([]));
}
