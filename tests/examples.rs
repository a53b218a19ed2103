//! Tests the bots of `examples/bots`: each plays whole games in both forms of interaction, kept running and restarted.

use crate::common::{fresh_path, needs, output, run_with_input, text};
use serde_json::Value;
use std::env::consts::EXE_SUFFIX;
use std::process::Command;

const MARKER: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";
const KEYS: [&str; 6] = ["x0", "y0", "x1", "y1", "x2", "y2"];

/// Returns the path of an example.
fn example(file: &str) -> String {
    format!("{}/examples/bots/{file}", env!("CARGO_MANIFEST_DIR"))
}

/// Compiles an example, which must cause no warning. Returns the program's path.
fn compile(compiler: &str, flags: &[&str], file: &str, name: &str) -> String {
    let program = format!("{}{EXE_SUFFIX}", fresh_path(name).display());
    let mut command = Command::new(compiler);
    let out = command.args(flags).args([&example(file), "-o", &program]);
    let out = out.output().expect("a compiler");
    let complaints = text(&out.stderr);
    assert!(
        out.status.success() && complaints.is_empty(),
        "{complaints}"
    );
    program
}

/// Runs a bot on an input until it ends. Returns its answers.
fn answers(command: &[&str], input: &str) -> String {
    let out = run_with_input(Command::new(command[0]).args(&command[1..]), input);
    assert!(out.status.success(), "{command:?}");
    text(&out.stdout).to_owned()
}

/// Checks that a bot loses games only by having no move, in both forms of interaction, kept running and restarted.
fn check_games(command: &[&str]) {
    for flags in ["", ",json", ",fresh", ",json,fresh"] {
        let bot = format!("@bot{flags} {}", command.join(" "));
        let players = ["arena", "--a", &bot, "--b", "self:iterations=20"];
        // The limits are long, because a slow machine is no fault of the bot.
        let limits = ["--games", "2", "--time-ms", "60000", "--first-ms", "60000"];
        let out = output(&[&players[..], &limits, &["--json"]].concat(), "");
        assert!(out.status.success(), "{}", text(&out.stderr));
        let result = text(&out.stdout).lines().last().expect("a result");
        let result: Value = serde_json::from_str(result).expect("JSON");
        let lost_by = &result["result"]["players"][0]["lost_by"];
        let mut causes = lost_by.as_object().expect("causes").keys();
        assert!(causes.all(|cause| cause == "no moves"), "{bot}: {lost_by}");
    }
}

/// Checks that extra input changes no answer: blank lines, data, a turn number, further keys or keys in another order.
fn check_leniency(command: &[&str]) {
    let simple = "2\n2 0 2 6 6 6\n5 7 5 1 1 1\n7 2 5 4 1 4\n0 2 0 3 1 3\n";
    let noisy =
        "\r\n2\r\n2 0 2 6 6 6\r\n5 7 5 1 1 1\r\n\r\n7 2 5 4 1 4\r\nmy data\n\n3\n0 2 0 3 1 3";
    let plain = answers(command, simple);
    assert_eq!(plain.matches(MARKER).count(), 2, "{plain}");
    assert_eq!(answers(command, noisy), plain);

    let record = r#"{"data":"","responses":[{"y2":1,"x0":5,"y0":7,"x1":5,"y1":1,"x2":1}],"time_limit":1,"requests":
        [{"x0": 2,"y0": 0,"x1": 2,"y1": 6,"x2": 6,"y2": 6},{"x0":7,"y0":2,"x1":5,"y1":4,"x2":1,"y2":4}]}"#;
    let later = r#"{"x0":0,"y0":2,"x1":0,"y1":3,"x2":1,"y2":3}"#;
    for (before, after) in [
        ("", ""),
        (r#"{"request":"#, "}"),
        (r#"{"requests":["#, "]}"),
    ] {
        let input = format!("{}\n\n{before}{later}{after}\n", record.replace('\n', ""));
        assert_eq!(digits(&answers(command, &input)), digits(&plain));
    }
}

/// Returns the digits of the coordinates in each answer, in either form.
fn digits(answers: &str) -> Vec<Vec<u8>> {
    let answers = answers.lines().filter(|line| *line != MARKER);
    let bare = answers.map(|line| {
        KEYS.iter()
            .fold(line.to_owned(), |line, key| line.replace(key, ""))
    });
    bare.map(|line| line.bytes().filter(u8::is_ascii_digit).collect())
        .collect()
}

#[test]
fn python_bot_plays_whole_games() {
    let Some(python) = needs::one_of(&["python3", "python"]) else {
        return;
    };
    let bot = [python, &example("bot.py")];
    check_games(&bot);
    check_leniency(&bot);
}

/// Compiles with Botzone's flags.
#[test]
fn cpp_bot_plays_whole_games() {
    if !needs::all_of(&["g++"]) {
        return;
    }
    let mut flags = vec![
        "-D_BOTZONE_ONLINE",
        "-D_GLIBCXX_USE_CXX11_ABI=0",
        "-O2",
        "-Wall",
    ];
    flags.extend(cfg!(target_arch = "x86_64").then_some("-mavx"));
    let [old, new] = ["-std=c++11", "-std=c++17"].map(|standard| {
        let name = format!("example{standard}");
        compile("g++", &[&flags[..], &[standard]].concat(), "bot.cpp", &name)
    });
    check_games(&[&old]);
    check_leniency(&[&old]);
    check_leniency(&[&new]);
}

#[test]
fn rust_bot_plays_whole_games() {
    if !needs::all_of(&["rustc"]) {
        return;
    }
    let bot = compile(
        "rustc",
        &["-O", "--edition", "2021"],
        "bot.rs",
        "example-rust",
    );
    check_games(&[&bot]);
    check_leniency(&[&bot]);
}
