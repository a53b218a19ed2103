//! The report for the browser: it needs nothing from elsewhere, holds the analysis, and works in Chromium.
#![cfg(feature = "tools")]

mod common;

use common::browser::BROWSERS;
use common::needs;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A script that uses the page as a reader does, and leaves what it saw in the element `seen`.
const READER: &str = include_str!("report/reader.js");

fn log(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/logs/{name}.json"))
}

/// Where a file of this test run lies.
fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("report_{name}"))
}

/// Writes the report on some logs under a name; returns its text.
fn report(name: &str, logs: &[PathBuf]) -> String {
    let page = path(name);
    let output = Command::new(env!("CARGO_BIN_EXE_amazons"))
        .args(["analyze", "--iterations", "200", "--html"])
        .arg(&page)
        .args(logs)
        .output()
        .expect("the program starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        output.stdout.is_empty(),
        "the page is all there is to be read"
    );
    fs::read_to_string(page).expect("the page is written")
}

/// The games in a page.
fn games(page: &str) -> Value {
    let (_, rest) = page
        .split_once("type=\"application/json\">")
        .expect("the data's element");
    let (data, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("the data is JSON")
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let page = report("alone.html", &[log("game_bot003_bot032")]);
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
        "import(",
    ] {
        assert!(!page.contains(mark), "{mark}");
    }
    assert!(page.contains("default-src 'none'"));
    for mark in ["{style}", "{script}", "{games}"] {
        assert!(!page.contains(mark), "{mark}");
    }
}

#[test]
fn the_page_holds_the_analysis_of_every_game() {
    let logs = ["random_vs_random", "fault_crash"].map(log);
    let games = games(&report("both.html", &logs));
    let plies = games.as_array().expect("a list").iter().map(|game| {
        let plies = game["plies"].as_array().expect("a list");
        assert_eq!(game["summary"]["plies"], plies.len() - 1);
        assert!(plies.iter().all(|ply| ply["win_probability"].is_number()));
        plies.len()
    });
    assert_eq!(plies.collect::<Vec<_>>(), [41, 11]);
}

/// A player's name that would end the data's element and start a script of its own.
const NAME: &str = "</script><script>document.title='broken'</script><!--<b>";

/// Writes a log whose players have [`NAME`].
fn hostile_log(name: &str) -> PathBuf {
    let text = fs::read_to_string(log("fault_timeout")).expect("the log is there");
    let entries: Value = serde_json::from_str(&text).expect("the log is JSON");
    let text = serde_json::json!({ "players": [NAME, NAME], "log": entries }).to_string();
    fs::write(path(name), text).expect("the folder can be written");
    path(name)
}

#[test]
fn names_stay_texts() {
    let page = report("names.html", &[hostile_log("names.json")]);
    assert!(!page.contains("<b>") && !page.contains("document.title='broken'</script>"));
    assert_eq!(games(&page)[0]["summary"]["players"]["black"], NAME);
}

/// The page in Chromium: every control, without a fault.
#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = needs::one_of(&BROWSERS) else {
        return;
    };
    let page = report(
        "seen.html",
        &[log("random_vs_random"), hostile_log("seen.json")],
    );
    // The watch for faults comes before everything else, the reader after it.
    let watch = "<script>var faults = []; addEventListener('error', (e) => faults.push(e.message));</script><script id";
    let page = page.replacen("<script id", watch, 1);
    let page = page.replace("</body>", &format!("<script>{{{READER}}}</script></body>"));
    let file = path("seen.html");
    fs::write(&file, page).expect("the folder can be written");
    for size in ["1280,900", "390,844"] {
        let seen = visit(browser, &file, size);
        assert!(
            seen.contains("<p>seen: all well<"),
            "{size}: {}",
            seen_of(&seen)
        );
    }
}

/// Loads a page without a window; returns the document as it is after its scripts.
fn visit(browser: &str, page: &Path, size: &str) -> String {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--window-size={size}"))
        .arg(format!("--user-data-dir={}", path("browser").display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The line that the reader left in a document.
fn seen_of(document: &str) -> &str {
    let line = document.lines().find(|line| line.contains("<p>seen: "));
    line.unwrap_or("the reader left nothing")
}
