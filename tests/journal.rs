//! Tests files of results: resuming, extending, full disks, crashes, two writers, damaged lines, inconsistent files.

use crate::common::{assert_has, assert_rejected, fresh_file, output, text};
use base::journal::{self, Content};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::process::Command;
use tools::arena::results::HeaderLine;

const AMAZONS: &str = env!("CARGO_BIN_EXE_amazons");

/// Returns the arguments of an arena of two weak players that writes to `file`; `extra` arguments are separated by spaces.
fn arena<'a>(file: &'a str, extra: &'a str) -> Vec<&'a str> {
    let [a, b] = ["@a self:iterations=5", "@b self:iterations=4"];
    let players = ["arena", "--a", a, "--b", b, "--out", file];
    players.into_iter().chain(extra.split(' ')).collect()
}

/// Splits a command at its spaces, and appends the file.
fn words<'a>(command: &'a str, file: &'a str) -> Vec<&'a str> {
    command.split(' ').chain([file]).collect()
}

fn lines(file: &str) -> Vec<String> {
    let text = fs::read_to_string(file).expect("there");
    text.lines().map(str::to_owned).collect()
}

/// Parses the bytes of an arena's file.
fn content(bytes: &[u8]) -> Content<HeaderLine> {
    journal::parse(bytes).expect("sound")
}

/// Reads a file of games. Returns the number and the moves of each game, sorted by number.
fn games(file: &str) -> Vec<(usize, Vec<String>)> {
    let content = content(&fs::read(file).expect("there")).into_records();
    let mut games: Vec<_> = content.map(|game| (game.game, game.moves)).collect();
    games.sort_unstable();
    games
}

/// Runs the arena on a file, which must succeed. Returns what it prints.
fn play(file: &str, extra: &str) -> String {
    let out = output(&arena(file, extra), "");
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    text(&out.stdout).to_owned()
}

/// Runs the program, which must reject its arguments and leave the file unchanged. Returns the error message.
fn expect_rejection(file: &str, args: &[&str]) -> String {
    let before = fs::read(file).ok();
    let out = output(args, "");
    let complaint = text(&out.stderr).to_owned();
    assert_eq!(out.status.code(), Some(2), "{args:?}: {complaint}");
    assert_eq!(fs::read(file).ok(), before, "{args:?}");
    complaint
}

/// Writes lines into a file.
fn write(file: &str, lines: &[&str]) {
    fs::write(file, lines.join("\n") + "\n").expect("written");
}

#[test]
fn finished_match_can_be_extended() {
    let [file, whole] = ["journal_longer.jsonl", "journal_whole.jsonl"].map(fresh_file);
    play(&whole, "--games 10");
    play(&file, "--games 4");
    let before = fs::read(&file).expect("there");
    let printed = play(&file, "--games 10 --resume");
    assert!(printed.starts_with("10 games"), "{printed}");
    assert_eq!(games(&file), games(&whole));
    let after = fs::read(&file).expect("there");
    assert!(after.starts_with(&before), "appended to");
    assert_eq!(content(&after).header.arena.games, 10);
    play(&file, "--games 10 --resume");
    assert_eq!(fs::read(&file).expect("there"), after, "nothing to be done");
    let complaint = expect_rejection(&file, &arena(&file, "--games 4 --resume"));
    assert_has(&complaint, &["--games 4: expected 10 or more"]);
}

#[test]
fn message_names_difference_from_another_schedule() {
    let file = fresh_file("journal_schedule.jsonl");
    play(&file, "--games 2");
    let mut other = arena(&file, "--resume --seed 2 --plies 3");
    other[4] = "@c self:iterations=9";
    let complaint = expect_rejection(&file, &other);
    let differences = [
        "journal_schedule.jsonl holds an arena's games of another schedule",
        "seed 1 instead of 2",
        "plies of an opening: 2 instead of 3",
        "player 2 \"@b self:iterations=4\" instead of \"@c self:iterations=9\"",
        "name of player 2 \"b\" instead of \"c\"",
    ];
    assert_has(&complaint, &differences);
    assert!(!complaint.contains('{'), "{complaint}");
    let complaint = expect_rejection(&file, &arena(&file, "--games 2"));
    assert_has(&complaint, &["expected --resume"]);
}

/// Wherever a crash cuts the file, complete games stay unchanged, and the missing games are played.
#[test]
fn only_an_incomplete_last_line_is_removed() {
    let [file, whole] = ["journal_torn.jsonl", "journal_untorn.jsonl"].map(fresh_file);
    play(&whole, "--games 4");
    let bytes = fs::read(&whole).expect("there");
    let ends: Vec<usize> = (1..=bytes.len())
        .filter(|&at| bytes[at - 1] == b'\n')
        .collect();
    let [header, second, third] = [ends[0], ends[1], ends[2]];
    let in_header = [0, header / 2, header - 1, header];
    for cut in in_header.into_iter().chain([second + 9, third - 1, third]) {
        fs::write(&file, &bytes[..cut]).expect("written");
        play(&file, "--games 4 --resume");
        assert_eq!(games(&file), games(&whole), "cut at {cut}");
        let now = fs::read(&file).expect("there");
        // A line that lacks only its line break is complete.
        let whole = ends.iter().rfind(|&&end| end <= cut + 1).copied();
        let kept = &bytes[..whole.unwrap_or(0)];
        assert!(now.starts_with(kept), "cut at {cut}");
    }
    let torn = "{\"arena\":{\"players\":[\"other";
    for letter in ["Dear all,", torn, "{\"arena\":{}}\n"] {
        fs::write(&file, letter).expect("written");
        let complaint = expect_rejection(&file, &arena(&file, "--resume"));
        assert_has(&complaint, &["journal_torn.jsonl:1:"]);
    }
}

/// If the disk is full, no game is lost, and no incomplete game is left in the file.
#[test]
fn full_disk_loses_no_game() {
    let file = fresh_file("journal_full.jsonl");
    play(&file, "--games 4");
    let before = fs::read(&file).expect("there");
    // `ulimit` counts blocks of 512 bytes. With the signal ignored, writing fails as on a full disk.
    let blocks = before.len() / 512 + 3;
    let limited = |blocks: usize, args: &[&str]| {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh", AMAZONS]).args(args);
        command.output().expect("the program runs")
    };
    let out = limited(blocks, &arena(&file, "--games 40 --resume"));
    assert_rejected(&out, &["journal_full.jsonl: File too large"]);
    let now = fs::read(&file).expect("there");
    assert!(now.starts_with(&before) && now.ends_with(b"\n"));
    assert!(games(&file).len() >= 4);
    play(&file, "--games 40 --resume");
    assert_eq!(games(&file).len(), 40);
    let [bin, free] = ["journal_full.bin", "journal_free.bin"].map(fresh_file);
    let selfplay = |file| words("selfplay --iterations 4 --games 20 --out", file);
    let out = limited(4, &selfplay(&bin));
    assert_rejected(&out, &["journal_full.bin: File too large"]);
    for file in [&bin, &free] {
        assert_eq!(output(&selfplay(file), "").status.code(), Some(0));
    }
    let [bin, free] = [&bin, &free].map(|file| fs::read(file).expect("there").len());
    assert_eq!(bin, free);
}

#[test]
fn second_writer_is_rejected() {
    let spsa = "spsa --params explore_arrow --iterations 3 --batch 1 --pairs 2 --out";
    let selfplay = "selfplay --iterations 3 --games 2 --out";
    let [match_file, steps, binary] = [
        "journal_two.jsonl",
        "journal_two_steps.jsonl",
        "journal_two.bin",
    ]
    .map(fresh_file);
    let tools = [
        (&match_file, arena(&match_file, "--games 2")),
        (&steps, words(spsa, &steps)),
        (&binary, words(selfplay, &binary)),
    ];
    for (file, args) in tools {
        let lock = File::create(file).expect("new");
        lock.lock().expect("free");
        let complaint = expect_rejection(file, &args);
        assert_has(&complaint, &[file, "being written by another program"]);
        drop(lock);
        assert_eq!(output(&args, "").status.code(), Some(0), "{args:?}");
    }
}

#[test]
fn damaged_records_name_the_faulty_line() {
    let file = fresh_file("journal_damaged.jsonl");
    play(&file, "--games 4");
    let sound = lines(&file);
    let sound: Vec<&str> = sound.iter().map(String::as_str).collect();
    let game: Value = serde_json::from_str(sound[2]).expect("JSON");
    let other_winner = json!(1 - game["winner"].as_u64().expect("a number"));
    let moves = game["moves"].as_array().expect("a list");
    let fewer_moves = json!(moves[..moves.len() - 1]);
    let illegal = json!("0 0 0 0 0 0");
    for (line, part, value, words) in [
        (3, "/winner", json!(5), "winner 5: expected "),
        (3, "/winner", other_winner, "winner"),
        (3, "/players", json!([7, 9]), "players 7 and 9"),
        (3, "/players", json!([0, 0]), "players 0 and 0"),
        (3, "/game", json!(1000), "game 1000: expected games 0"),
        (3, "/opening", json!(40), "an opening of 40 plies"),
        (3, "/moves/9", illegal, "ply 10, \"0 0 0 0 0 0\": "),
        (3, "/moves/9", json!("\u{1b}[2J"), "\"\\u{1b}[2J\": "),
        (3, "/moves", fewer_moves, "game "),
        (3, "/turns", json!([]), "costs of 0 turns"),
        (3, "/cause", json!("TLE"), "had no move and lost by"),
        (3, "/cause", json!("bad luck"), "expected an arena's games"),
        (1, "/arena/names", json!(["a"]), "2 players, 1 names"),
    ] {
        let mut changed: Value = serde_json::from_str(sound[line - 1]).expect("JSON");
        *changed.pointer_mut(part).expect("a part of it") = value;
        let changed = changed.to_string();
        let mut lines = sound.clone();
        lines[line - 1] = &changed;
        write(&file, &lines);
        let complaint = expect_rejection(&file, &["arena", "report", &file]);
        let place = format!("journal_damaged.jsonl:{line}:");
        assert_has(&complaint, &[&place, words]);
    }
    write(&file, &[&sound[..], &[sound[2]]].concat());
    let complaint = expect_rejection(&file, &["arena", "report", &file]);
    assert_has(&complaint, &["stands in line 3 already"]);
    // A complete line that is no record is an error, not an incomplete line to remove.
    for bad in [&["rubbish", sound[1]][..], &["{\"game\":0,\"pl"]] {
        write(&file, &[&sound[..1], bad].concat());
        let complaint = expect_rejection(&file, &arena(&file, "--resume"));
        assert_has(&complaint, &["journal_damaged.jsonl:2:"]);
    }
}

#[test]
fn files_with_a_common_game_are_rejected() {
    let [first, second, other] = [
        "journal_share1.jsonl",
        "journal_share2.jsonl",
        "journal_share3.jsonl",
    ]
    .map(fresh_file);
    play(&first, "--games 4");
    let mut lines = lines(&first);
    for (changed, words) in [(false, "the same record"), (true, "different records")] {
        if changed {
            let mut game: Value = serde_json::from_str(&lines[2]).expect("JSON");
            game["turns"][0]["wall_ms"] = json!(12345.0);
            lines[2] = game.to_string();
        }
        write(&second, &[&lines[0], &lines[2]]);
        let complaint = expect_rejection(&first, &["arena", "report", &first, &second]);
        assert_has(&complaint, &[&first, &second, words]);
    }
    play(&other, "--games 4 --seed 9");
    let complaint = expect_rejection(&first, &["arena", "report", &first, &other]);
    assert_has(&complaint, &[&other, "seed 9 instead of 1"]);
}

/// Shards still belong to one schedule after one of them was extended.
#[test]
fn longest_shard_sets_the_number_of_games() {
    let [first, second] = ["journal_shard1.jsonl", "journal_shard2.jsonl"].map(fresh_file);
    play(&first, "--games 4 --shard 1/2");
    play(&second, "--games 8 --shard 2/2");
    let out = output(&["arena", "report", &first, &second], "");
    assert!(text(&out.stdout).starts_with("6 games"), "{out:?}");
}
