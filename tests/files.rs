//! Tests of game files from other programs: character sets, several games in a file, and other text between games.

use crate::common::{assert_has, assert_rejected, output, text, write_file};
use proptest::prelude::*;
use record::charset;
use record::file::decode;
use record::log::LogError;
use record::tree::Record;
use std::fs;

/// Describes each game of a file: its number of moves, its names and the comment of its first move; or its error.
fn games(content: &[u8]) -> Vec<String> {
    let told = |game: &Result<Record, LogError>| match game {
        Ok(record) => {
            let comment = record.nodes.get(1).and_then(|node| node.text("C"));
            let [black, white] = record
                .game
                .names
                .each_ref()
                .map(|name| name.as_deref().unwrap_or("-"));
            format!(
                "{} {black} {white} {}",
                record.game.plies(),
                comment.unwrap_or("-")
            )
        }
        Err(fault) => fault.to_string(),
    };
    charset::parse(content, decode)
        .games
        .iter()
        .map(told)
        .collect()
}

/// Returns all warnings about the games of a file.
fn remarks(content: &[u8]) -> String {
    let games = charset::parse(content, decode).games.into_iter().flatten();
    games
        .filter_map(|record| record.game.warning())
        .collect::<Vec<_>>()
        .join(" | ")
}

/// Encodes a text in UTF-16, without a byte order mark.
fn to_utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

const GB18030: &str = "the file declares no character set: GB18030 is assumed";
const LATIN1: &str = "the file declares no character set: windows-1252 is assumed";

/// Checks the only game of a file and its warnings; if `remark` is empty, there must be no warning.
fn assert_game(content: &[u8], expected: &str, remark: &str) {
    let name = content.escape_ascii();
    assert_eq!(games(content), [expected], "{name}");
    let remarks = remarks(content);
    assert!(remarks.contains(remark), "{name}: {remarks}");
    assert_eq!(remarks.is_empty(), remark.is_empty(), "{name}: {remarks}");
}

#[test]
fn chosen_character_set_preserves_all_moves() {
    let misfit = |declared: &str, found: &str| {
        format!("\"{declared}\", which the file declares, is unknown or does not fit: {found}")
    };
    let to_latin1 = misfit("gbk", "windows-1252");
    let cases: [(&[u8], &str, &str); 22] = [
        // The character set is declared.
        (b"CA[ISO-8859-1];B[chccfc]C[jou\xe9]", "1 - - joué", ""),
        (b"CA[ISO8859-1]PB[Andr\xe9]PW[M\xfc]", "0 André Mü -", ""),
        (b"CA[ latin1 ]PB[Andr\xe9]PW[b]", "0 André b -", ""),
        (b"CA[utf8]PB[\xe5\xbc\xa0]", "0 张 - -", ""),
        (b"CA[GBK]PB[\xd5\xc5\xc8\xfd]", "0 张三 - -", ""),
        (b"CA[CP936]PB[\x9d\x5c]PW[\x81\x5d]", "0 漒 乚 -", ""),
        (b"CA[Shift-JIS]PB[\x83e\x83X\x83g]", "0 テスト - -", ""),
        (b"PB[\x95\x5c]CA[Shift_JIS]", "0 表 - -", ""),
        (b"CA[Big5]PB[\xb1i\xa4T]", "0 張三 - -", ""),
        (b"CA[EUC-KR]PB[\xc8\xab]", "0 홍 - -", ""),
        (b"CA[KOI8-R]PB[\xe1\xce\xce\xc1]", "0 Анна - -", ""),
        (b"CA[ISO-2022-JP]PB[\x1b$B%F\x1b(B]", "0 テ - -", ""),
        // The character set is not declared.
        (b"PB[\xe5\xbc\xa0]C[see CA[GBK]", "0 张 - -", ""),
        (b"PB[\xd5\xc5\xc8\xfd]PW[\x9d\x5c]", "0 张三 漒 -", GB18030),
        (b";B[chccfc]C[\x81\x5d[\x81\x5d]", "1 - - 乚[乚", GB18030),
        (b";B[chccfc]C[\xe9];W[fafbeb]C[ok]", "2 - - é", LATIN1),
        (b"PB[Andr\xe9]PW[M\xfcller]", "0 André Müller -", LATIN1),
        (b"(;B[chccfc]C[\xe9])(;B[chcbbb])", "1 - - é", LATIN1),
        // The character set is declared wrongly.
        (b"CA[GBK];B[chccfc]C[\xe9];W[fafbeb]", "2 - - é", &to_latin1),
        (b"PB[Zo\xe9]CA[GBK]PW[b]", "0 Zoé b -", &to_latin1),
        (
            b"CA[none]PB[\xd5\xc5]",
            "0 张 - -",
            &misfit("none", "GB18030"),
        ),
        (
            b"CA[Shift_JIS]PB[\xe5\xbc\xa0\xe4\xb8\x89]",
            "0 张三 - -",
            &misfit("shift_jis", "UTF-8"),
        ),
    ];
    for (properties, expected, remark) in cases {
        assert_game(&[b"(;SZ[8]", properties, b")"].concat(), expected, remark);
    }
    let utf16 = "(;SZ[8]CA[UTF-8]PB[张三])";
    let marked = format!("\u{feff}{utf16}");
    let big_endian = to_utf16(utf16, u16::to_be_bytes);
    let cases: [(&[u8], &str, &str); 6] = [
        (
            b"From: a\n\n(;SZ[8]CA[KOI8-R]PB[\xe1])",
            "0 А - -",
            "left out",
        ),
        (
            b"#[AM][Andr\xe9][b][][][];1 c1c6(f6)",
            "1 André b -",
            LATIN1,
        ),
        // The character set shows in the bytes: byte order marks and UTF-16.
        (&to_utf16(&marked, u16::to_le_bytes), "0 张三 - -", ""),
        (&to_utf16(&marked, u16::to_be_bytes), "0 张三 - -", ""),
        (&big_endian, "0 张三 - -", "UTF-16BE is assumed"),
        (marked.as_bytes(), "0 张三 - -", ""),
    ];
    for (content, expected, remark) in cases {
        assert_game(content, expected, remark);
    }
}

/// Returns an archive of two Botzone match logs, one on each line; a broken line and a log of another game stand between
/// them.
fn archive(end: &str) -> String {
    let log = |name: &str| {
        fs::read_to_string(format!("tests/logs/{name}.json"))
            .expect("there")
            .trim()
            .to_owned()
    };
    let logs = ["random_vs_random", "fault_crash"]
        .map(|name| format!("{{\"_id\":\"1\",\"log\":{}}}", log(name)));
    let other = r#"{"log":[{"output":{"command":"request","content":{"0":{"x":-1}},"display":{}},"verdict":"OK"}]}"#;
    [&logs[0], &logs[1][..99], other, &logs[1], ""].join(end)
}

#[test]
fn all_games_are_read_other_text_is_reported() {
    let contest = "#[AM][a][b][][][];\n1 c1c6(f6)\n";
    for (content, expected, remark) in [
        (
            "(;SZ[8];B[chccfc])\n(;SZ[8];B[chc])\n(;SZ[8]?)(;SZ[8])",
            &["1 ", "line 2: \"chc\"", "line 3: '?'", "0 "][..],
            "",
        ),
        (
            "Dear (;\nall\n(;SZ[8])\n\n[1]\n(;SZ[8])\nbye",
            &["0 ", "0 "],
            "lines 1 to 2, \"Dear (;\" | left out, as no part of a game: line 5, \"[1]\"; left out, as no part of a game: line 7, \"bye\"",
        ),
        (
            "[sgf](;SZ[8])[/sgf]",
            &["0 "],
            "line 1, \"[sgf]\"; left out, as no part of a game: line 1, \"[/sgf]\"",
        ),
        ("(;SZ[8])\0\0", &["0 "], "line 1, \"\\u{0}\\u{0}\""),
        ("\n\n(;SZ[8]C[(;B[\\] ) x];B[chccfc])", &["1 "], ""),
        ("\n(;SZ[8]\n", &["line 2: the end, expected )"], ""),
        ("hello\n(;SZ[8]\n", &["line 2: the end, expected )"], ""),
        (&contest.repeat(2), &["1 a b", "1 a b"], ""),
        (
            &format!("Hi\r\n\r\n{contest}\r\n{contest}9 a1"),
            &["1 a b", "line 8: "],
            "line 1, \"Hi\"",
        ),
        (
            "2w2w2/8/w6w/8/8/b6b/8/2b2b2 b\n\n2w2w2/8/w6w/8/8/b6b/8/2b2b1 b",
            &["0 ", "line 3: row 8"],
            "",
        ),
        (
            &archive("\n"),
            &[
                "40 ",
                "line 2: entry 0: not JSON: EOF",
                "line 3: entry 0: ",
                "10 ",
            ],
            "",
        ),
        (
            &archive("\r\n\r\n"),
            &[
                "40 ",
                "line 3: entry 0: not JSON: EOF",
                "line 5: entry 0: ",
                "10 ",
            ],
            "",
        ),
        (archive("\n").lines().next().expect("a line"), &["40 "], ""),
        (
            &format!(
                "\n{}\n",
                fs::read_to_string("tests/logs/random_vs_random.json").expect("there")
            ),
            &["40 "],
            "",
        ),
        (
            "{]\n{\"log\":[]}",
            &["line 1: not JSON", "line 2: entry 0: missing"],
            "",
        ),
        ("[\n{}\n]", &["entry 0: expected an object"], ""),
        ("", &["no text"], ""),
        (" \r\n\t\u{feff}", &["not JSON"], ""),
        ("\u{feff}\n", &["no text"], ""),
        ("\0\0", &["not JSON"], ""),
    ] {
        let found = games(content.as_bytes());
        let fits = |(found, expected): (&String, &&str)| found.starts_with(expected);
        assert!(
            found.len() == expected.len() && found.iter().zip(expected).all(fits),
            "{content}: {found:?}"
        );
        let remarks = remarks(content.as_bytes());
        let is_said = if remark.is_empty() {
            remarks.is_empty()
        } else {
            remarks.ends_with(remark)
        };
        assert!(is_said, "{content}: {remarks}");
    }
}

#[test]
fn several_declared_character_sets_cause_a_warning() {
    let mixed = b"(;SZ[8]CA[Shift_JIS]PB[\x95\x5c])(;SZ[8]CA[KOI8-R]PB[\xe1])(;SZ[8])";
    let warning = "several character sets (koi8-r, shift_jis): all are read as shift_jis";
    assert_has(&remarks(mixed), &[warning]);
    assert_eq!(games(mixed)[0], "0 表 - -");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_yield_a_game_or_error(bytes: Vec<u8>, mark in 0..4_usize) {
        let marks: [&[u8]; 4] = [b"", b"\xff\xfe", b"\xfe\xff", b"(;CA[gbk]"];
        prop_assert!(!games(&[marks[mark], &bytes].concat()).is_empty());
    }
}

#[test]
fn tools_read_all_games_or_the_selected() {
    let several = "(;SZ[8];B[chccfc])\n(;SZ[8];B[chc])\n(;SZ[8](;B[chcbbb])(;B[chccfc]))";
    let path = write_file("several.sgf", several);
    let third = format!("{path}#3");
    let titles = ["several.sgf#1", "several.sgf#3"];
    for (tool, told) in [
        (&["replay"][..], titles),
        (&["convert", "moves"], ["1. c1-c6(f6)\n\n", "1. c1-c7(b7)"]),
        (&["review", "--iterations", "1"], titles),
    ] {
        let all = output(&[tool, &[&path]].concat(), "");
        assert_has(text(&all.stdout), &told);
        let fault = "several.sgf#2: line 2: \"chc\" is no move";
        assert_has(text(&all.stderr), &[fault]);
        assert_eq!(all.status.code(), Some(2));
        let one = output(&[tool, &[&third]].concat(), "");
        assert_has(text(&one.stdout), &told[1..]);
        assert!(one.status.success() && one.stderr.is_empty());
    }
    let at = |file: &str| output(&["replay", "--at", "1", file], "");
    let faults = ["--at N is the ply of one game, ", "has 3; for example "];
    assert_rejected(&at(&path), &faults);
    assert_eq!(text(&at(&third).stdout), "1\n2 0 2 6 1 6\n");
    let fault = "there is no game 4, expected 1 to 3";
    assert_rejected(&at(&format!("{path}#4")), &[fault]);
    let played = output(&["play", "--plain", "--white", "human", &path], "quit\n");
    let remark = "the file holds 3 games: this is the first";
    assert_has(text(&played.stdout), &["1 turn loaded from", remark]);
}
