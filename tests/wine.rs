//! Tests the Windows build of the bot under wine: the signature of its search, and its answers to input with CRLF line
//! breaks.
//!
//! wine is not Windows, so `.github/workflows` also tests on a real one. This test is skipped if wine or a compiler is
//! missing, even in CI.

use crate::common::{fresh_path, needs, output, text};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TARGET: &str = "x86_64-pc-windows-gnu";
const COMPILER: &str = "x86_64-w64-mingw32-gcc";

/// C source of the DLL from which Rust's standard library gets random numbers; wine before version 9 lacks this DLL.
const RANDOM_NUMBERS: &str = "\
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return RtlGenRandom(data, size); }
";

/// Tests if wine and the compilers are installed; if not, prints that the test is skipped.
fn can_run() -> bool {
    let wine = needs::runs("wine", &["--version"]);
    let there = wine && needs::runs(COMPILER, &["--version"]) && needs::has_target(TARGET);
    if !there {
        needs::print_skipped(&format!("wine, {COMPILER} and Rust's target {TARGET}"));
    }
    there
}

/// Runs a command that must succeed. Its output is discarded, because a background process of wine would keep a pipe open.
fn run(command: &mut Command) {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let status = command.stderr(Stdio::null()).status();
    assert!(status.expect("it is there").success(), "{command:?}");
}

/// Builds the bot for Windows, and copies it with the DLL to a folder whose name contains a space and Chinese letters.
fn build() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("wine");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--no-default-features", "--target", TARGET]);
    run(cargo.arg("--target-dir").arg(&target));
    let folder = fresh_path("wine 亚马逊");
    fs::create_dir(&folder).expect("made");
    let [program, source, library] =
        ["amazons.exe", "random.c", "bcryptprimitives.dll"].map(|name| folder.join(name));
    let built = target.join(TARGET).join("debug/amazons.exe");
    fs::copy(built, &program).expect("built");
    fs::write(&source, RANDOM_NUMBERS).expect("written");
    let mut compiler = Command::new(COMPILER);
    compiler.arg("-shared").arg("-o").args([&library, &source]);
    run(compiler.arg("-ladvapi32"));
    program
}

/// Returns the command `wine` with a configuration folder of its own.
fn wine() -> Command {
    let mut wine = Command::new("wine");
    wine.env(
        "WINEPREFIX",
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("wine-files"),
    )
    .env("WINEDEBUG", "-all")
    // Keep wine from offering to download .NET and a browser engine.
    .env("WINEDLLOVERRIDES", "mscoree=;mshtml=");
    wine
}

/// Returns the standard output of the bot for Windows.
fn printed(program: &Path, args: &[&str], input: &str) -> String {
    let mut child = wine()
        .arg(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("wine starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let out = child.wait_with_output().expect("it ends");
    assert!(out.status.success(), "{args:?}: {}", out.status);
    text(&out.stdout).to_owned()
}

/// Returns the lines without parts that depend on time: the speed, and the debug text of an answer.
fn without_times(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| !line.contains("/s:"));
    lines
        .map(|line| line.split(",\"debug\"").next().unwrap_or(line))
        .collect()
}

#[test]
fn windows_bot_searches_and_answers_like_native() {
    if !can_run() {
        return;
    }
    let program = build();
    run(wine().arg("wineboot"));
    let none = r#"{"x0":-1,"y0":-1,"x1":-1,"y1":-1,"x2":-1,"y2":-1}"#;
    let other = r#"{"x0":5,"y0":7,"x1":5,"y1":5,"x2":7,"y2":5}"#;
    let simple = "1\n-1 -1 -1 -1 -1 -1\n".to_owned();
    let json = format!("{{\"requests\":[{none}],\"responses\":[]}}\n{other}\n");
    let bot = ["--iterations", "200", "--seed", "1"];
    for (args, input) in [
        (&["bench", "2000"][..], String::new()),
        (&bot, simple),
        (&bot, json),
    ] {
        let native = output(args, &input);
        let windows = printed(&program, args, &input.replace('\n', "\r\n"));
        let expected = without_times(text(&native.stdout));
        assert!(!expected.is_empty());
        assert_eq!(without_times(&windows), expected, "{args:?}");
    }
}
