//! Snapshot tests of help texts, reports and transcripts; the snapshots are in `tests/snapshots`.
//!
//! After an intended change, `INSTA_UPDATE=always cargo test texts` updates them; `git diff` shows the differences.

use crate::common::{output, printed, run, text};
use insta::{assert_snapshot, with_settings};
use std::fs;
use std::path::PathBuf;

/// Compares `text` with the snapshot called `name`.
fn compare(name: &str, text: &str) {
    with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, { assert_snapshot!(name, text) });
}

#[test]
fn help_of_every_command_matches_snapshot() {
    let overview = printed(&["--help"]);
    compare("help", &overview);
    let listed = overview.lines().filter_map(|line| line.strip_prefix("  "));
    let names = listed.filter_map(|line| line.split(' ').next());
    let is_command = |name: &&str| name.starts_with(|first: char| first.is_ascii_lowercase());
    for command in names.filter(is_command).filter(|name| *name != "help") {
        let help = printed(&[command, "--help"]);
        compare(&format!("help_{command}"), &help);
    }
    for (command, part) in [
        ("train", "policy"),
        ("selfplay", "book"),
        ("online", "serve"),
        ("online", "match"),
        ("online", "log"),
        ("online", "abort"),
    ] {
        compare(
            &format!("help_{command}_{part}"),
            &printed(&[command, part, "--help"]),
        );
    }
}

/// Reports on games that ended in different ways, and a position with its input.
#[test]
fn replay_of_logs_matches_snapshot() {
    let logs = ["crash", "garbage", "illegal", "timeout"].map(|fault| format!("fault_{fault}"));
    let logs = logs.into_iter().chain(["random_vs_random".to_owned()]);
    let files: Vec<String> = logs.map(|log| format!("tests/logs/{log}.json")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    compare("replay", &printed(&[&["replay"], &files[..]].concat()));
    let (_, out, err) = run(&["replay", "tests/logs/random_vs_random.json", "--at", "10"]);
    compare("replay_at", &[err, out].join("--- standard output\n"));
}

/// Games of two people at the line-based interface, with undo and redo: in both languages, drawn and in words.
#[test]
fn plain_game_transcripts_match_snapshots() {
    let input = "c1 c6 f6\nc8\nc7\nc8\nrecord\nundo\nundo\nundo\nredo\nboard\nhelp\nc6 d8\n";
    for (language, style) in [
        ("en", "plain"),
        ("en", "words"),
        ("zh", "plain"),
        ("zh", "words"),
    ] {
        let option = format!("--{style}");
        let play = [
            "play",
            "--no-autosave",
            "--white",
            "human",
            &option,
            "--lang",
            language,
        ];
        let played = output(&play, input);
        compare(&format!("play_{style}_{language}"), text(&played.stdout));
    }
}

/// Checks the sources of the program and of the page, and the Chinese guides.
#[test]
fn chinese_texts_have_full_width_marks() {
    let is_chinese = |char| matches!(char, '\u{4e00}'..='\u{9fff}' | '）');
    let is_fault = |pair: &[char]| {
        is_chinese(pair[0]) && ",:;?!(".contains(pair[1])
            || ",:;?!".contains(pair[0]) && is_chinese(pair[1])
    };
    let guides = ["README.zh-CN.md", "examples/bots/README.zh-CN.md"].map(PathBuf::from);
    let mut paths = [&["src".into()], &guides[..]].concat();
    let mut chinese = 0;
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder");
            paths.extend(entries.map(|entry| entry.expect("readable").path()));
            continue;
        }
        let content = fs::read(&path).expect("readable");
        for line in String::from_utf8_lossy(&content).lines() {
            let chars: Vec<char> = line.chars().collect();
            assert!(
                !chars.windows(2).any(is_fault),
                "{}: {line}",
                path.display()
            );
            chinese += usize::from(chars.iter().copied().any(is_chinese));
        }
    }
    assert!(chinese > 500, "{chinese} lines");
}
