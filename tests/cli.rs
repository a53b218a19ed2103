//! Tests the tools as a shell runs them: which logs they accept, and how they handle broken files and unwritable output. No
//! input may make a tool panic, fail without a message, or print control characters.

use record::checked_game::CheckedGame;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tools::platform::turn_input;

/// A valid log.
const LOG: &str = include_str!("logs/random_vs_random.json");

/// Creates an empty folder for one test. Its name contains the escape sequence that clears the screen.
fn fresh_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli_{name}\u{1b}[2J"));
    // The folder may not exist yet.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Returns a command that runs the program in a folder.
fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// Splits a line into arguments, with the path `file` in place of `FILE`.
fn arguments<'a>(line: &'a str, file: &'a Path) -> impl Iterator<Item = &'a Path> {
    let words = line.split(' ').map(Path::new);
    words.map(move |word| if word == "FILE" { file } else { word })
}

/// Runs the program in a folder with the arguments of a line.
fn run(folder: &Path, line: &str, file: &Path) -> Output {
    let mut program = program(folder);
    let output = program.args(arguments(line, file)).output();
    output.expect("the program runs")
}

#[track_caller]
fn assert_no_faults(faults: &[String]) {
    let (count, all) = (faults.len(), faults.join("\n"));
    assert!(faults.is_empty(), "{count} faults:\n{all}");
}

/// Describes misbehaviour of a run that is wrong for any arguments.
fn misbehaviour(output: &Output) -> Option<String> {
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&both);
    let is_control = |c: char| c.is_control() && c != '\n';
    match output.status.code() {
        _ if text.contains("panicked") => Some(format!("panics: {text}")),
        _ if text.contains(is_control) => Some(format!("prints control characters: {text:?}")),
        None => Some(format!("is killed: {}", output.status)),
        Some(2) if output.stderr.is_empty() => Some("fails without a message".to_owned()),
        Some(0 | 2) => None,
        Some(code) => Some(format!("exits with {code}")),
    }
}

/// Returns named contents that are neither logs nor any other file that a tool writes.
fn broken_files() -> Vec<(&'static str, Vec<u8>)> {
    let utf16 = LOG.encode_utf16().flat_map(u16::to_le_bytes);
    let half_a_letter = utf16.chain([b' ']).collect();
    let (_, one_byte_less) = LOG.trim_end().as_bytes().split_last().expect("bytes");
    let entries: Value = serde_json::from_str(LOG).expect("the log is JSON");
    let with = |pointer: &str, value: Value| {
        let mut entries = entries.clone();
        *entries.pointer_mut(pointer).expect("a part of the log") = value;
        entries.to_string().into_bytes()
    };
    let long = "x".repeat(100_000);
    let mut texts = vec![
        ("half", LOG.as_bytes()[..LOG.len() / 2].to_vec()),
        ("one_byte_less", one_byte_less.into()),
        ("twice", [LOG, LOG].concat().into_bytes()),
        ("every_byte", (0..=u8::MAX).collect()),
        ("zeros", vec![0; 4096]),
        ("half_a_letter", half_a_letter),
        ("log_number", with("/1/0/response/x0", 1e300.into())),
        ("log_text", with("/1/0/response", "\u{1b}[2J".into())),
        ("log_verdict", with("/1/0/verdict", "\u{1b}]0;\u{7}".into())),
        ("log_off_board", with("/1/0/response/y2", i64::MIN.into())),
        ("log_entry", with("/2", Value::Null)),
        ("log_long", with("/1/0/response", long.into())),
        ("deep", "[".repeat(100_000).into()),
        ("deep_objects", "{\"a\":".repeat(100_000).into()),
    ];
    texts.extend(
        [
            ("number", "5"),
            ("null", "null"),
            ("text", "\"log\""),
            ("object", "{}"),
            ("nothing_else", "[{}]"),
            ("output", r#"[{"output":5}]"#),
            ("log_under_log", r#"{"log":{"log":[]}}"#),
            ("infinite", "[1e999]"),
            ("long_number", "[99999999999999999999999999999999999999999]"),
            ("requests", r#"{"requests":5,"responses":[]}"#),
            ("requests_alone", r#"{"requests":[1,2,3]}"#),
            ("turn_zero", "0\n-1 -1 -1 -1 -1 -1\n"),
            ("turn_huge", "9223372036854775807\n-1 -1 -1 -1 -1 -1\n"),
            ("turn_beyond", "99999999999999999999\n-1 -1 -1 -1 -1 -1\n"),
            ("turn_short", "2\r\n-1 -1 -1 -1 -1 -1\r\n"),
            ("escape", "\u{1b}[2J\u{9b}31m\r\u{8}\u{202e}"),
            ("mark_twice", "\u{feff}\u{feff}[]"),
        ]
        .map(|(name, text)| (name, text.as_bytes().to_vec())),
    );
    texts
}

/// Commands that read the log `FILE`.
const LOG_READERS: [&str; 7] = [
    "replay FILE",
    "replay FILE --at 0",
    "analyze FILE --iterations 1",
    "analyze FILE --iterations 1 --json",
    "analyze FILE --iterations 1 --html report.html",
    "review FILE --iterations 1",
    "play --plain FILE",
];

/// Commands that read or continue `FILE`, written by the same tool.
const OTHER_TOOLS: [&str; 7] = [
    "arena report FILE",
    "arena report --json FILE",
    "tune FILE",
    "arena --a self:iterations=1 --b self:iterations=2 --games 2 --out FILE --resume",
    "selfplay --games 1 --iterations 1 --out FILE",
    "spsa --params explore_amazon --pairs 1 --batch 1 --iterations 1 --out FILE --resume",
    "train FILE --out weights.txt",
];

#[test]
fn broken_files_are_named_and_left_unchanged() {
    let folder = fresh_folder("broken");
    let mut faults = Vec::new();
    for (name, bytes) in broken_files() {
        let file = folder.join(name);
        for args in LOG_READERS.iter().chain(&OTHER_TOOLS) {
            fs::write(&file, &bytes).expect("written");
            let output = run(&folder, args, &file);
            let complaint = String::from_utf8_lossy(&output.stderr);
            let fault = misbehaviour(&output).or(match output.status.code() {
                Some(0) => Some("accepts it".to_owned()),
                _ if !complaint.contains(name) => Some(format!("does not name it: {complaint}")),
                _ if fs::read(&file).expect("there") != bytes => Some("changes it".to_owned()),
                _ if complaint.len() > 2000 => Some("says too much".to_owned()),
                _ => None,
            });
            faults.extend(fault.map(|fault| format!("{name}: {} {fault}", args)));
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn folders_and_unreadable_files_are_named() {
    let folder = fresh_folder("no_file");
    fs::create_dir(folder.join("a_folder")).expect("made");
    let locked = folder.join("locked");
    fs::write(&locked, LOG).expect("written");
    fs::set_permissions(&locked, Permissions::from_mode(0o000)).expect("locked");
    let mut names = vec!["a_folder"];
    // Root may read everything.
    names.extend(fs::read(&locked).is_err().then_some("locked"));
    let mut faults = Vec::new();
    for args in LOG_READERS.iter().chain(&OTHER_TOOLS) {
        let creates = args.contains("--out");
        for &name in names.iter().chain((!creates).then_some(&"missing")) {
            let output = run(&folder, args, &folder.join(name));
            let complaint = String::from_utf8_lossy(&output.stderr);
            let named = output.status.code() == Some(2) && complaint.contains(name);
            let fault = misbehaviour(&output).or((!named).then(|| complaint.to_string()));
            faults.extend(fault.map(|fault| format!("{name}: {} {fault}", args)));
        }
    }
    assert_no_faults(&faults);
}

/// Replaces every part of a file in turn by values of every type. The tool may accept the file or reject it.
#[test]
fn no_replaced_value_makes_a_tool_misbehave() {
    let folder = fresh_folder("values");
    let games = folder.join("games");
    let arena = OTHER_TOOLS[3];
    assert!(run(&folder, arena, &games).status.success());
    let steps = folder.join("steps");
    assert!(run(&folder, OTHER_TOOLS[5], &steps).status.success());
    let log = folder.join("log");
    let entries: Vec<Value> = serde_json::from_str(LOG).expect("the log is JSON");
    let short = serde_json::json!({"players": ["a", "b"], "log": entries[..4]});
    fs::write(&log, short.to_string()).expect("written");
    let mut faults = Vec::new();
    for (file, tools) in [
        (games, &[OTHER_TOOLS[0], OTHER_TOOLS[3]][..]),
        (steps, &[OTHER_TOOLS[5]]),
        (log, &[LOG_READERS[0], LOG_READERS[5]]),
    ] {
        let text = fs::read_to_string(&file).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let Ok(whole) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            for changed in with_replaced_parts(&whole) {
                let changed = changed.to_string();
                let mut lines = lines.clone();
                lines[number] = &changed;
                for args in tools {
                    fs::write(&file, lines.join("\n") + "\n").expect("written");
                    let fault = misbehaviour(&run(&folder, args, &file));
                    faults.extend(fault.map(|fault| format!("{} {fault}\n{changed}", args)));
                }
            }
        }
    }
    assert_no_faults(&faults);
}

/// Returns copies of a value, each with one part replaced by another value.
fn with_replaced_parts(value: &Value) -> Vec<Value> {
    let mut pointers = Vec::new();
    collect_pointers(value, String::new(), &mut pointers);
    let others = [
        Value::Null,
        5.into(),
        u64::MAX.into(),
        (-1e300).into(),
        "\u{1b}[2J".into(),
        serde_json::json!([7, 9]),
        serde_json::json!({}),
    ];
    let replace = |(pointer, other): (&String, &Value)| {
        let mut value = value.clone();
        *value.pointer_mut(pointer).expect("a part of it") = other.clone();
        value
    };
    let pairs = pointers
        .iter()
        .flat_map(|pointer| others.iter().map(move |other| (pointer, other)));
    pairs.map(replace).collect()
}

/// Collects the JSON pointers of a value and its parts; of lists, those of the first and the last element.
fn collect_pointers(value: &Value, pointer: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(members) => members
            .iter()
            .for_each(|(name, part)| collect_pointers(part, format!("{pointer}/{name}"), pointers)),
        Value::Array(list) if !list.is_empty() => [0, list.len() - 1]
            .into_iter()
            .for_each(|at| collect_pointers(&list[at], format!("{pointer}/{at}"), pointers)),
        _ => {}
    }
    pointers.push(pointer);
}

/// Commands that print to standard output, for a valid log `FILE`.
const PRINTERS: [&str; 14] = [
    "--help",
    "help play",
    "bench 1",
    "perft 1",
    "completions zsh",
    "judge",
    "replay FILE",
    "replay FILE --at 3",
    "analyze FILE --iterations 1",
    "analyze FILE --iterations 1 --json",
    "review FILE --iterations 1",
    "arena --a self:iterations=1 --b self:iterations=2 --games 2",
    "arena --a self:iterations=1 --b self:iterations=2 --games 2 --json",
    "spsa --params explore_amazon --pairs 1 --batch 1 --iterations 1",
];

#[test]
fn full_disk_is_an_error_closed_pipe_not() {
    let folder = fresh_folder("streams");
    let file = folder.join("log.json");
    fs::write(&file, LOG).expect("written");
    let mut faults = Vec::new();
    for args in PRINTERS {
        let start = |stdout: Stdio| {
            let output = program(&folder)
                .args(arguments(args, Path::new("log.json")))
                .stdin(File::open(&file).expect("there"))
                .stdout(stdout)
                .stderr(Stdio::piped())
                .output();
            output.expect("the program runs")
        };
        let full = OpenOptions::new().write(true).open("/dev/full");
        let full = start(full.expect("the device is there").into());
        let complaint = String::from_utf8_lossy(&full.stderr);
        if full.status.code() != Some(2) || !complaint.contains("No space left on device") {
            faults.push(format!("{args} > /dev/full: {} {complaint}", full.status));
        }
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let closed = start(writer.into());
        let complaint = String::from_utf8_lossy(&closed.stderr);
        let quiet = !complaint.contains("amazons:") && !complaint.contains("panicked");
        if closed.status.code() != Some(0) || !quiet {
            faults.push(format!("{args} | true: {} {complaint}", closed.status));
        }
    }
    assert_no_faults(&faults);
}

#[test]
fn judge_rejects_broken_input_with_a_reason() {
    let folder = fresh_folder("judge");
    let file = folder.join("log");
    for (name, bytes) in broken_files() {
        fs::write(&file, &bytes).expect("written");
        let output = program(&folder)
            .arg("judge")
            .stdin(File::open(&file).expect("there"))
            .output()
            .expect("the program runs");
        assert_eq!(misbehaviour(&output), None, "{name}");
        let complaint = String::from_utf8_lossy(&output.stderr);
        // An answer that is no move is judged as invalid; the log itself is accepted.
        let judged = name.starts_with("log_") && output.status.success();
        let refused = complaint.starts_with("amazons: standard input: ");
        assert!(judged || refused, "{name}: {complaint}");
    }
}

#[test]
fn arguments_and_paths_may_be_any_bytes() {
    let folder = fresh_folder("words");
    let word = |bytes: &[u8]| OsStr::from_bytes(bytes).to_owned();
    let sound = folder.join(word(b"\xff.json"));
    fs::write(&sound, LOG).expect("written");
    for args in [
        &[&b"\xff"[..]][..],
        &[b"--seed", b"\xff"],
        &[b"--\xff"],
        &[b"\x1b[2J\r"],
        &[b"bench", b"\xff"],
        &[b"replay", b"\xff"],
        &[b"analyze", b"--moves", b"\xff"],
        &[b"analyze", b"--moves", b"\x1b[2J\xc2\x9b"],
        &[b"play", b"--plain", b"\xff"],
        &[b"arena", b"--a", b"\xff", b"--b", b"\xff"],
        &[b"completions", b"\x1b[2J"],
    ] {
        let args = args.iter().map(|bytes| word(bytes));
        let output = program(&folder).args(args.clone()).output();
        let output = output.expect("the program runs");
        let args: Vec<_> = args.collect();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(misbehaviour(&output), None, "{args:?}");
    }
    for args in ["replay FILE", "review FILE --iterations 1"] {
        let output = run(&folder, args, &sound);
        assert!(output.status.success(), "{args}");
        assert_eq!(misbehaviour(&output), None, "{args}");
    }
}

#[test]
fn bot_input_is_read_as_a_log() {
    let game = CheckedGame::read(LOG).expect("sound");
    for ply in 0..game.plies() {
        let record = game.history(ply);
        for protocol in engine::botzone::Protocol::ALL {
            let input = turn_input::turn_input(&record, protocol, true);
            for text in [
                input.clone(),
                input.replace('\n', "\r\n"),
                format!("\u{feff}{input}"),
                format!("\n{input}\nsome data of the bot's\n"),
            ] {
                // JSON ends with the object.
                if text.contains("data") && text.contains('{') {
                    continue;
                }
                let read =
                    CheckedGame::read(&text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
                assert_eq!(read.moves, game.moves[..ply], "{text}");
            }
        }
    }
}

#[test]
fn damaged_bot_input_names_the_faulty_line() {
    for (text, complaint) in [
        ("2\n-1 -1 -1 -1 -1 -1\n", "expected 3 lines after"),
        ("0\n-1 -1 -1 -1 -1 -1\n", "line 1: expected the number"),
        ("1\n\n2 0 2 5 5\n", "line 3: \"2 0 2 5 5\", expected six"),
        ("1\n2 0 3 2 5 5\n", "line 2: the amazon goes from c1 to d3"),
        ("1\n2 0 2 5 5 5\n2 7 2 6 2 5\n", "line 3: a move, expected"),
        (
            "2\n-1 -1 -1 -1 -1 -1\n-1 -1 -1 -1 -1 -1\n2 0 2 5 5 5",
            "line 3: (-1, -1) is off the board",
        ),
        (r#"{"requests":[],"responses":[{}]}"#, "0 requests and 1"),
        (r#"{"requests":[0,0,0],"responses":[0]}"#, "3 requests"),
        (r#"{"requests":{},"responses":[]}"#, "expected a list"),
        (r#"{"requests":[5],"responses":[]}"#, "request 0: 5, exp"),
    ] {
        let fault = CheckedGame::read(text).expect_err(text).to_string();
        assert!(fault.starts_with(complaint), "{text}: {fault}");
    }
}
