//! Tests `amazons check`: each typical mistake of a bot is reported as its symptom, and correct bots are ready for Botzone.

use crate::common::{assert_has, assert_rejected, fresh_path, needs, output, text};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const AMAZONS: &str = env!("CARGO_BIN_EXE_amazons");

/// Options for time limits that only a bot without an answer exceeds, even on a slow machine.
const LIMITS: [&str; 4] = ["--first-ms", "5000", "--time-ms", "5000"];

/// Returns the path of a bot that makes the mistake named by its first argument.
fn faulty_bot() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check/bot.py");
    file.to_str().expect("UTF-8").to_owned()
}

/// Runs `amazons check` in the folder `folder`.
fn check(folder: &Path, options: &[&str], bot: &[&str]) -> Output {
    fs::create_dir_all(folder).expect("a folder");
    let mut command = Command::new(AMAZONS);
    let is_told = options.iter().any(|option| option.starts_with("--lang"));
    command.arg("check").args(options);
    if !is_told {
        command.args(["--lang", "en"]);
    }
    command.arg("--").args(bot).current_dir(folder);
    command.stdin(Stdio::null()).output().expect("check runs")
}

/// Mistakes of the bot, each with a case that shows the mistake, and the expected symptom ("" for none).
const SYMPTOMS: &[(&str, &str, &str)] = &[
    ("none", "simple-kept-black", ""),
    ("none", "json-kept-white", ""),
    ("ends", "simple-kept-black", ""),
    ("no-newline", "simple-first-black", ""),
    ("forgets-last", "simple-first-black", "illegal move"),
    ("forgets-own", "simple-late-black", "illegal move"),
    ("forgets-opponent", "simple-late-black", "illegal move"),
    ("forgets-arrows", "simple-late-white", "illegal move"),
    ("swapped-axes", "simple-first-black", "illegal move"),
    ("from-one", "simple-first-black", "illegal move"),
    ("own-wall", "simple-only-back-black-1", "crash"),
    ("gives-up", "simple-one-move-black-1", "gave up"),
    ("lacks-direction", "simple-last-black-1", "gave up"),
    ("debug-line", "simple-first-black", "answer not first"),
    ("commas", "simple-first-black", "no move"),
    ("trailing-space", "simple-first-black", "blank at the end"),
    ("json-answer", "simple-first-black", "no move"),
    ("simple-answer", "json-first-black", "no move"),
    ("array", "json-first-black", "no move"),
    ("floats", "json-first-black", "unusual answer"),
    ("content", "json-first-black", "unusual answer"),
    ("string", "json-first-black", "unusual answer"),
    ("crash-single", "simple-one-move-white-1", "crash"),
    ("crash-white", "simple-first-white", "crash"),
    ("crash-long", "simple-long-black-1", "crash"),
    ("crash-data", "simple-middle-black", "crash"),
    ("unflushed", "simple-first-black", "not flushed"),
    ("expects-all", "simple-first-black", "waits for more"),
    ("marker-once", "simple-kept-black", "marker lost"),
    ("lingers", "simple-first-black", "goes on"),
    ("hangs", "simple-kept-black", ""),
    ("reads-all", "simple-first-black", "waits for the end"),
    ("orphan", "simple-kept-black", "processes"),
    ("network", "simple-kept-black", "network"),
    ("floods", "simple-first-black", "standard error"),
];

/// Symptoms that are no faults, because they lose no game.
const HARMLESS: [&str; 5] = [
    "unusual answer",
    "blank at the end",
    "network",
    "processes",
    "standard error",
];

#[test]
fn every_mistake_shows_its_symptom() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    let folder = fresh_path("check-mistakes");
    // Runs four groups in parallel, because most of the time is spent waiting for bots that don't answer.
    std::thread::scope(|scope| {
        for symptoms in SYMPTOMS.chunks(SYMPTOMS.len().div_ceil(4)) {
            scope.spawn(|| {
                symptoms.iter().for_each(|&(mistake, case, symptom)| {
                    check_symptom(&folder, mistake, case, symptom)
                })
            });
        }
    });
}

/// Checks that a mistake shows `symptom` in a case, or no symptom if `symptom` is empty.
fn check_symptom(folder: &Path, mistake: &str, case: &str, symptom: &str) {
    let options = [&["--json", "--repeat", case][..], &LIMITS].concat();
    let out = check(folder, &options, &["python3", &faulty_bot(), mistake]);
    let found: Value = serde_json::from_str(text(&out.stdout)).expect("JSON");
    let found = found["check"]["symptoms"].as_array().expect("a list");
    let found: Vec<&str> = found.iter().filter_map(Value::as_str).collect();
    match symptom {
        "" => assert!(found.is_empty(), "{mistake}: {found:?}"),
        _ => assert!(found.contains(&symptom), "{mistake}: {found:?}"),
    }
    let is_fault = !symptom.is_empty() && !HARMLESS.contains(&symptom);
    let code = Some(i32::from(is_fault));
    assert_eq!(out.status.code(), code, "{mistake}: {found:?}");
}

#[test]
fn example_bots_are_ready() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/bots");
    let folder = fresh_path("check-examples");
    fs::create_dir_all(&folder).expect("a folder");
    for (file, needed) in [
        ("bot.py", "python3"),
        ("bot.cpp", "g++"),
        ("bot.rs", "rustc"),
    ] {
        if !needs::all_of(&[needed]) {
            continue;
        }
        let mut bot = examples.join(file);
        if needed == "rustc" {
            let program = folder.join("bot");
            let mut rustc = Command::new(needed);
            rustc.args(["-O", "--edition", "2021"]).arg(&bot);
            let built = rustc.arg("-o").arg(&program).status();
            assert!(built.expect("rustc runs").success());
            bot = program;
        }
        let bot = bot.to_str().expect("UTF-8");
        let options = [&["--quick", "--json"][..], &LIMITS].concat();
        let out = check(&folder, &options, &[bot]);
        let report: Value = serde_json::from_str(text(&out.stdout)).expect("JSON");
        assert_eq!(out.status.code(), Some(0), "{report}");
        assert_eq!(report["ready"], true, "{report}");
        let forms = serde_json::json!(["simple", "json"]);
        assert_eq!(report["forms"], forms, "{report}");
        let severe = |finding: &&Value| finding["severity"] != "note";
        let findings = report["findings"].as_array().expect("a list");
        assert_eq!(findings.iter().find(severe), None, "{report}");
    }
}

#[test]
fn failed_case_is_logged_reported_and_replayed() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    let folder = fresh_path("check-failed");
    let bot = ["python3", &faulty_bot(), "swapped-axes"];
    let options = [&["--quick", "--out", "kept"][..], &LIMITS].concat();
    let out = check(&folder, &options, &bot);
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
    let words = bot.join(" ");
    let again = format!("amazons check --repeat simple-first-black -- {words}");
    let first = "Fix first: the move is illegal, in ";
    let told = ["NOT READY", first, &again, "are in kept", "x and y"];
    assert_has(text(&out.stdout), &told);

    // Other tools can read the match log, and agree with the report.
    let log = folder.join("kept/simple-first-black.json");
    let replay = output(&["replay", log.to_str().expect("UTF-8")], "");
    assert!(replay.status.success());
    assert_has(text(&replay.stdout), &["white won", "INVALIDMOVE"]);

    // A match log of an earlier check is overwritten; any other file is not.
    assert_eq!(check(&folder, &options, &bot).status.code(), Some(1));
    fs::write(&log, "mine").expect("written");
    let out = check(&folder, &options, &bot);
    let theirs = "simple-first-black.json is there and is not the log of a check";
    assert_rejected(&out, &[theirs]);
    assert_eq!(fs::read_to_string(&log).expect("there"), "mine");

    let again = ["--repeat", "simple-first-black", "--lang=zh"];
    let out = check(&folder, &[&again[..], &LIMITS].concat(), &bot);
    let told = ["simple-first-black：黑方", "着法违规", "-1 -1 -1 -1 -1 -1"];
    assert_has(text(&out.stdout), &told);
}

#[test]
fn unusable_bots_and_arguments_are_rejected() {
    let folder = fresh_path("check-refused");
    fs::create_dir_all(&folder).expect("a folder");
    for (options, bot, words) in [
        ("", "none.cpp", "none.cpp: expected an existing file"),
        ("", "./no-such-program", "could not be started"),
        ("--repeat=simple-frist-black", "true", "simple-first-black"),
        ("--slower=0.5", "true", "expected a number from 1 to 20"),
    ] {
        let options: Vec<&str> = options.split_whitespace().collect();
        let named = options.first().map_or(bot, |option| &option[9..]);
        assert_rejected(&check(&folder, &options, &[bot]), &[named, words]);
    }
    if needs::all_of(&["g++"]) {
        fs::write(folder.join("bad.cpp"), "int main() { return none; }\n").expect("written");
        let said = "bad.cpp: g++ -std=c++17 fails to compile it";
        let refused = check(&folder, &[], &["bad.cpp"]);
        assert_rejected(&refused, &[said, "bad.cpp:1:", "none"]);
    }
}

#[test]
fn options_work_before_and_after_source_files() {
    let folder = fresh_path("check-words");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("bot.py"), "").expect("written");
    let no_number = "expected a number from 1 to 20";
    let handed_on = "amazons check --slower … -- ./none";
    let similar = "a similar argument exists: '--slower'";
    let unexpected = "unexpected argument 'word' found after bot.py";
    if !needs::all_of(&["python3"]) {
        return;
    }
    for (words, said, unsaid) in [
        ("bot.py --slower 0.5", no_number, handed_on),
        ("--slower 0.5 bot.py", no_number, handed_on),
        ("bot.py --slower 0.5 -- --quick", no_number, handed_on),
        ("bot.py --solwer 0.5", similar, no_number),
        ("bot.py word --slower 2", unexpected, no_number),
        ("bot.py --quick --long", "cannot be used with", no_number),
        ("./none --slower 0.5", handed_on, no_number),
        ("./none --level 3", "could not be started", "handed"),
        ("-- ./none --slower 0.5", "could not be started", "handed"),
    ] {
        let mut command = Command::new(AMAZONS);
        command.args(["check", "--lang", "en"]).current_dir(&folder);
        let out = command.args(words.split(' ')).output();
        let out = out.expect("check runs");
        assert_rejected(&out, &[said]);
        assert!(!text(&out.stderr).contains(unsaid), "{words}");
    }
}
