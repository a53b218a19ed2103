//! The report for the browser as a text: it needs nothing from elsewhere and holds the analysis. `tests/page.rs` reads it
//! in Chromium.
#![cfg(feature = "tools")]

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

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
        .split_once("<script id=\"data\" type=\"application/json\">")
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
    ] {
        assert!(!page.contains(mark), "{mark}");
    }
    // Comments name the types of other modules.
    let mut imports = page.lines().filter(|line| line.contains("import("));
    assert!(imports.all(|line| line.contains("/**") || line.trim_start().starts_with('*')));
    assert!(page.contains("default-src 'none'"));
    for mark in ["{style}", "{worker}", "{script}", "{engine}", "{games}"] {
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
