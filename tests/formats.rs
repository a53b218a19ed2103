//! Tests of record formats: round trips through every format, real examples of each notation, damaged and foreign files, and
//! `amazons convert`.

use crate::common::{
    self, Dice, assert_has, assert_rejected, fresh_path, output, text, write_file,
};
use engine::board::{Board, Move, Player};
use engine::movegen;
use proptest::prelude::*;
use record::checked_game::CheckedGame;
use record::formats::{Format, read_all};
use record::tree::{Node, Record};
use serde_json::{Value, json};
use std::fs;

/// Returns a random legal move; `None` if there is none.
fn any_move(board: &Board, dice: &mut Dice) -> Option<Move> {
    let choices = movegen::moves(board);
    (!choices.is_empty()).then(|| choices[dice.below(choices.len())])
}

/// Returns a random game of at most `plies` moves.
fn random_game(seed: u64, plies: usize) -> CheckedGame {
    let game = common::random_game(seed);
    CheckedGame::from_moves(&game[..plies.min(game.len())]).expect("legal")
}

/// Returns a random record with variations; `texts` become comments and other properties of its nodes.
fn random_tree(seed: u64, start: &Board, texts: &[String]) -> Record {
    let mut dice = Dice::new(seed);
    let mut nodes = vec![Node::default()];
    let mut line = vec![(0, start.clone())];
    for text in texts {
        // Go back by up to three moves, so that the next node may begin a variation.
        line.truncate(line.len() - dice.below(line.len().min(4)));
        let (parent, board) = line.last().expect("the start stays");
        let Some(turn) = any_move(board, &mut dice) else {
            continue;
        };
        let (mut node, mut board) = (Node::with_move(*parent, turn), board.clone());
        node.add("C", vec![text.clone()]);
        node.add("XY", vec![text.clone(), String::new()]);
        board.play(turn).expect("legal");
        line.push((nodes.len(), board));
        nodes.push(node);
    }
    Record::from_nodes(start.clone(), nodes).expect("legal")
}

fn read(text: &str) -> Record {
    Record::read(text).unwrap_or_else(|fault| panic!("{fault}: {text}"))
}

/// Returns the names of black and white.
fn names(record: &Record) -> [Option<&str>; 2] {
    record.game.names.each_ref().map(Option::as_deref)
}

fn fault(text: &str) -> String {
    Record::read(text).expect_err(text).to_string()
}

/// Returns the moves of the main line of the record `text`.
fn moves(text: &str) -> Vec<String> {
    read(text)
        .game
        .turns()
        .iter()
        .map(Move::to_string)
        .collect()
}

/// Generates texts of characters that might break a format: brackets, quotes, backslashes, line breaks, Chinese letters.
fn odd_text() -> impl Strategy<Value = String> {
    "[\\[\\]\\\\();:{}\"'#a-c1-3棋“\u{1f3f9}\n -]{0,12}"
}

/// Generates players' names without characters that end a field in formats without escapes.
fn name() -> impl Strategy<Value = Option<String>> {
    proptest::option::of("[a-c棋(-]{1,8}")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn games_survive_round_trips_through_all_formats(seed: u64, plies in 0_usize..60, names in [name(), name()]) {
        let mut game = random_game(seed, plies);
        game.names = names;
        for format in [Format::Log, Format::Sgf, Format::Ccgc, Format::Moves] {
            let record = Record::from_game(game.clone());
            let text = format.write(&record).expect("from the start");
            // In plain text a game without moves is empty and can't be read back.
            if format == Format::Moves && game.plies() == 0 {
                prop_assert_eq!(text, "");
                continue;
            }
            for text in [text.clone(), text.replace('\n', "\r\n"), format!("\u{feff}{text}")] {
                let found = read(&text);
                prop_assert_eq!(&found.game.moves, &game.moves, "{}", text);
                prop_assert_eq!(found.game.outcome(), game.outcome());
                prop_assert_eq!(found.game.warning(), None);
                if format != Format::Moves {
                    prop_assert_eq!(&found.game.names, &game.names, "{}", text);
                    prop_assert_eq!(found.winner(), game.outcome().winner());
                }
            }
        }
    }

    #[test]
    fn variations_survive_sgf(
        seed: u64,
        before in 0_usize..12,
        texts in proptest::collection::vec(odd_text(), 0..30),
        names in [odd_text(), odd_text()],
    ) {
        let start = random_game(seed, before);
        let start = start.board_at(start.plies());
        let mut record = random_tree(seed, &start, &texts);
        record.game.names = names.map(|name| (!name.is_empty()).then_some(name));
        record.nodes[0].add("EV", vec!["a cup; round 1".to_owned()]);
        let text = Format::Sgf.write(&record).expect("any position");
        let found = read(&text);
        prop_assert_eq!(found.game.start(), &start);
        prop_assert_eq!(&found.game.names, &record.game.names);
        prop_assert_eq!(&found.game.moves, &record.game.moves);
        let mut nodes = found.nodes;
        nodes[0].properties.retain(|(name, _)| name != "RE");
        prop_assert_eq!(nodes, record.nodes, "{}", text);
    }

    #[test]
    fn variations_are_read_in_every_notation(
        seed: u64,
        comments in proptest::collection::vec("[a-c1-8(;\\[!?棋\\n-]{1,9}", 1..24),
        result in prop::sample::select(vec!["1-0", "B+R", "", "*"]),
    ) {
        let mut record = random_tree(seed, &Board::start(), &comments);
        for node in &mut record.nodes {
            node.properties.retain(|(name, values)| name == "C" && values[0].trim() == values[0]);
        }
        for notation in NOTATIONS {
            let mut text = String::new();
            as_text(&record.nodes, 0, 0, notation, &mut text);
            let found = read(&format!("{text} {result}"));
            prop_assert_eq!(&found.nodes[1..], &record.nodes[1..], "{}", text);
            prop_assert_eq!(found.winner(), (result.len() == 3).then_some(Player::Black));
        }
    }

    #[test]
    fn random_tokens_are_read_or_rejected(
        tokens in proptest::collection::vec(prop::sample::select(vec![
            "c1", "c6", "f6", "c1c6f6", "c1-c6(f6)", "f8f7e7", "c1c6,c6f6", "chccfc", "2 0 2 5 5 5", "5", "1.", "1...", "(", ")", "{", "}",
            "[", "]", "[White \"a\"]", "[FEN \"", "\"", "\\", "!", "?!", "$3", "*", "1-0", "B+R", ";", "；", "\n", ",", "→", "x", "—", "é",
            "moves", "position", "fen", "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w", "#[AM][a][b]", "(;B[c1c6]", ";AE[f6]", "W[tt]", "(;", "d10", "好",
        ]), 0..24),
        gap in prop::sample::select(vec!["", " "]),
    ) {
        for game in read_all(&tokens.join(gap)).into_iter().flatten() {
            prop_assert!(Format::Sgf.write(&game).is_ok());
        }
    }

    #[test]
    fn positions_survive_fen(seed: u64, plies in 0_usize..60) {
        let game = random_game(seed, plies);
        let board = game.board_at(game.plies());
        let text = Format::Fen.write(&Record::from_game(game)).expect("any position");
        let found = read(&text).game;
        prop_assert_eq!(found.start(), &board);
        prop_assert_eq!(found.warning(), None);
    }

}

#[test]
fn match_logs_survive_sgf() {
    for file in fs::read_dir("tests/logs").expect("the logs") {
        let path = file.expect("a file").path();
        let mut log: Value =
            serde_json::from_str(&fs::read_to_string(&path).expect("a text")).expect("JSON");
        log[1]["0"]["debug"] = json!({ "said": ["]", "\\", "好"] });
        let sgf = Format::Sgf
            .write(&read(&log.to_string()))
            .expect("any game");
        let again = Format::Log.write(&read(&sgf)).expect("from the start");
        let again: Value = serde_json::from_str(&again).expect("JSON");
        assert_eq!(again["log"], log, "{}", path.display());
    }
}

#[test]
fn only_illegal_answers_are_read_as_rejected() {
    let refused = |answer: &str| {
        let answer = answer.replace(']', "\\]");
        read(&format!("(;GM[18]SZ[8];B[chccfc]REFUSED[{answer}])"))
    };
    let late = refused(r#"{"verdict":"TLE","time":1200}"#);
    assert_eq!(late.winner(), Some(Player::Black));
    assert_eq!(late.game.answers[1].time, 1200);
    for good in [
        r#"{"response":{"x0":5,"y0":7,"x1":5,"y1":6,"x2":4,"y2":6}}"#,
        "no JSON",
    ] {
        let record = refused(good);
        assert_eq!((record.winner(), record.game.plies()), (None, 1), "{good}");
        assert!(record.nodes[1].text("REFUSED").is_some());
    }
}

#[test]
fn every_notation_of_moves_is_read() {
    let expected = ["c1 c6 f6", "f8 f7 e7", "c6 c5 c6"];
    for text in [
        "c1 c6 f6\nf8 f7 e7\nc6 c5 c6\n",
        "1. c1-c6/f6 f8-f7/e7\n2. c6-c5/c6",
        "1.c1–c6,f6; f8–f7,e7;\n2.c6–c5,c6;\n",
        "1) C1-C6-F6; F8-F7-E7; C6-C5-C6",
        "1 c1c6(f6) f8f7(e7)\r\n2 c6c5(c6)\r\n",
        "1 c1c6（f6） f8f7（e7）\r\n\r\n2 c6c5（c6）",
        "2 0 2 5 5 5\n5 7 5 6 4 6\n2 5 2 4 2 5\n",
        "\u{feff}\nc1 c6 f6; f8 f7 e7; c6 c5 c6",
        "1.c1c6f6 1...f8f7e7 2.c6c5c6",
        "1 . c1 -> c6 -> f6, f8 → f7 → e7\n2. c6—c5>c6",
        "C1-C6xF6 f8xf7xe7 c6 x c5 x c6",
        "c1-c6*f6 f8-f7*e7 c6-c5*c6",
        "1. c1-c6[f6] f8-f7[e7] 2. c6-c5[c6]",
        "1: c1-c6(f6 f8-f7(e7\n2: c6-c5(c6",
        "1. c1-c6(f6) ... f8-f7(e7) 2. c6-c5(c6) *",
        "c1c6c6f6\nf8f7,f7e7\n\nc6c5 c5c6",
        "position startpos moves c1c6,c6f6 f8f7,f7e7 c6c5,c5c6",
        "position fen 2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w - - 0 1 moves c1c6,c6f6 f8f7,f7e7 c6c5,c5c6",
        "2w2w2/8/w6w/8/8/b6b/8/2b2b2 b - 1 moves c1c6f6\nf8f7e7 c6c5c6",
        "CHCCFC FAFBEB\nCCCDCC",
        "1. ch-cc(fc) fa-fb(eb) 2. cc-cd/cc",
        "2 0 2 5 5 5 5 7 5 6 4 6\n2,5,2,4,2,5",
        "1. 2 0 2 5 5 5 {good} 5 7 5 6 4 6! 2. 2 5 2 4 2 5 1-0",
        "#[AM][a][b][先手胜][2024/5/3 14:3:5 place][cup]；\n1 CHCCFC FAFBEB\n2 CCCDCC ",
        r#"[["c1","c6","f6"],["f8","f7","e7"],["c6","c5","c6"]]"#,
        "[\n  [\n    \"C1\",\n \"C6\", \"F6\"\n],\n [\"f8\",\"f7\",\"e7\"], \"c6-c5(c6)\"]",
        r#"["c1c6f6", "f8-f7/e7", "1. c6 c5 c6"]"#,
        "[[2,0,2,5,5,5],[[5,7],[5,6],[4,6]],[2,5,2,4,2,5]]",
        r#"[{"from":"c1","to":"c6","arrow":"f6"},{"arrow":"e7","from":"f8","to":"f7"},{"from":[2,5],"to":[2,4],"arrow":[2,5]}]"#,
        r#"{"moves":[["c1","c6","f6"],["f8","f7","e7"],["c6","c5","c6"]]}"#,
        "(;GM[Amazons]SZ[8];B[c1c6];AE[f6];W[f8f7];AE[e7];B[c6c5];AE[c6])",
        "(;GM[18]SZ[8];B[c1-c6]AE[fc];W[fafb]AA[eb];B[cccd];AA[c6])",
        "(;GM[18]SZ[8];B[c1c6];AE[f6]W[f8f7];AE[e7]B[c6c5];AE[c6])",
        "(;GM[18]SZ[8];B[chccfc];W[fafbeb];B[cccdcc];W[])",
        "(;GM[18]SZ[8];B[chccfc];W[fafbeb];B[cccdcc];W[tt];B[tt])",
    ] {
        assert_eq!(moves(text), expected, "{text}");
    }
}

#[test]
fn sgf_of_other_programs_is_read() {
    let game = "(;FF[4]GM[18]SZ[8]PB[甲]PW[Ben \\[2\\]]RE[W+R]\n AB[ch][fh][af][hf]AW[ac][hc][ca][fa]\n ;B[chcbbb]C[first\\: \
        a\\\\b];W[fafbeb](;B[cbccbc])(;B[cbcccb]N[other]))";
    let record = read(game);
    assert_eq!(record.game.turns()[0].to_string(), "c1 c7 b7");
    assert_eq!(record.game.warning(), None);
    assert_eq!(names(&record), [Some("甲"), Some("Ben [2]")]);
    assert_eq!(record.winner(), Some(Player::White));
    assert_eq!(record.nodes.len(), 5);
    assert_eq!((record.nodes[3].parent, record.nodes[4].parent), (2, 2));
    assert_eq!(record.nodes[1].text("C"), Some("first: a\\b"));
    assert_eq!(record.nodes[4].text("N"), Some("other"));
    let expected = moves(game);
    let comments = game.replace(";W[fafbeb]", ";C[second]N[n];W[fafbeb]");
    let comment = "first: a\\b\nsecond";
    assert_eq!(read(&comments).nodes[1].text("C"), Some(comment));
    // Variants that must give the same game: no set-up, squares by name, the game by name, old lower-case letters, a second
    // game.
    for other in [
        game.replace("AB[ch][fh][af][hf]AW[ac][hc][ca][fa]", ""),
        game.replace("[chcbbb]", "[c1c7b7]")
            .replace("[fafbeb]", "[F8-F7-E7/11.50/5.04]"),
        game.replace("GM[18]", "GM[Amazons]")
            .replace("PB[", "PlayerBlack["),
        game.replace(";B[chcbbb]", "B[chcbbb]"),
        game.replace(";B[chcbbb]", ";C[no move];B[chcbbb]"),
        format!("{game}(;GM[18]SZ[8])"),
        game.replace("SZ[8]", ""),
    ] {
        assert_eq!(moves(&other), expected, "{other}");
        assert_eq!(read(&other).game.names, record.game.names, "{other}");
        assert_eq!(read(&other).nodes.len(), 5, "{other}");
    }
}

#[test]
fn first_player_becomes_black_with_a_warning() {
    let expected = ["c1 c6 f6", "f8 f7 e7"];
    let swapped = "(;GM[18]SZ[8]PB[Ben]PW[Anna]WR[5d]RE[W+]AW[ch][fh][af][hf]AB[ac][hc][ca][fa];W[chccfc];B[fafbeb]LB[aa:x])";
    let record = read(swapped);
    assert_eq!(moves(swapped), expected);
    assert_eq!(names(&record), [Some("Anna"), Some("Ben")]);
    assert_eq!(record.winner(), Some(Player::Black));
    assert_eq!(record.nodes[0].text("BR"), Some("5d"));
    assert_eq!(record.nodes[2].text("LB"), Some("aa:x"));
    let remark = record.game.warning().expect("white is black");
    assert_has(&remark, &["white moves first there"]);
    assert!(!remark.contains("mirrored"), "{remark}");
    // The file's ranks count from the other side: the first player's amazons begin on ranks 6 and 8.
    let mirrored = "(;GM[18]SZ[8]AB[ca][fa][ac][hc]AW[af][hf][ch][fh];B[cacfff];W[fhfgeg]LB[aa:x]AR[fh:fg][fg:eg])";
    let record = read(mirrored);
    assert_eq!(moves(mirrored), expected);
    let marks = " f8 f7 e7 LB[ah:x] AR[fa:fb][fb:eb]";
    assert!(nodes(mirrored).ends_with(marks));
    let warning = record.game.warning().expect("mirrored");
    assert_has(&warning, &["the board is mirrored"]);
    // Moves without a set-up are mirrored as well.
    let text = "c8-c3(f3) f1-f2(e2)";
    assert_eq!(moves(text), expected);
    assert!(read(text).game.warning().is_some());
}

#[test]
fn contest_format_is_read_and_written() {
    let text = "#[AM][先手队][后手队][后手胜][2020.11.01 14:00 重庆][2020 CCGC];\r\n1 c1c6(f6) f8f7(e7)\r\n2 c6c5(c6)\r\n";
    let record = read(text);
    assert_eq!(moves(text), ["c1 c6 f6", "f8 f7 e7", "c6 c5 c6"]);
    assert_eq!(names(&record), [Some("先手队"), Some("后手队")]);
    assert_eq!(record.winner(), Some(Player::White));
    assert_eq!(Format::Ccgc.write(&record), Ok(text.to_owned()));
    let sgf = Format::Sgf.write(&record).expect("any record");
    assert_has(
        &sgf,
        &[
            "DT[2020-11-01]",
            "PC[14:00 重庆]",
            "EV[2020 CCGC]",
            "RE[W+]",
            "PB[先手队]",
        ],
    );
    assert_eq!(Format::Ccgc.write(&read(&sgf)), Ok(text.to_owned()));
    // Headers as programs for the contest really write them.
    for header in [
        "#[AM][先手][后手][后手胜][2050/12/31 23:59:59 河北][国赛];\n",
        "#[AM][先手][后手][后/先手胜][2018.08.03 14:00 合肥][2018 CCGC]\n",
        "#[AM][先手][后手][先手胜][2019 / 8 / 1 9:3:5 四川][国赛]；\r\n",
        "#[AM][先手][后手][先/后手胜]2022.01.02 15:04;\r\n",
        "\n#[AM][先手][后手][胜负关系][2018.8.x 14:00 合肥][比赛名称];",
    ] {
        let text = format!("{header}1 c1c6(f6) f8f7(e7)");
        assert_eq!(moves(&text), ["c1 c6 f6", "f8 f7 e7"], "{text}");
        assert_eq!(read(&text).game.name(Player::Black), "先手");
    }
    // Characters that would end a field are written in full-width form.
    let mut record = record;
    record.game.names[0] = Some("a];[b".to_owned());
    let text = Format::Ccgc.write(&record).expect("from the start");
    assert_eq!(read(&text).game.name(Player::Black), "a］；［b");
}

#[test]
fn fen_positions_are_read() {
    let start = "2w2w2/8/w6w/8/8/b6b/8/2b2b2 b - 1";
    let written = Format::Fen.write(&Record::from_game(CheckedGame::default()));
    assert_eq!(written, Ok(format!("{start}\n")));
    assert_eq!(read(start).game.start(), &Board::start());
    // White moves first in this position, so white must become black.
    let white = read("2b2b2/8/b6b/8/8/w6w/8/2w2w2 w - 1").game;
    assert_eq!(white.start(), &Board::start());
    assert!(white.warning().is_some());
    let other = read("1b1x4/8/b6b/8/4b3/w6w/8/2w2w2 w");
    assert_eq!(other.game.start().to_move(), Player::White);
    assert_eq!(other.game.outcome().winner(), None);
    assert_eq!(other.game.player_at(1), Player::Black);
    let refused = Format::Moves.write(&other).expect_err("another start");
    assert_has(&refused, &["begins at a position that was set up"]);
}

/// Parses a text and describes the record: the players' names, if known, and for each node its parent's index, its move and
/// its properties.
fn nodes(text: &str) -> String {
    let node = |(number, node): (usize, &Node)| {
        let properties = node
            .properties
            .iter()
            .map(|(name, values)| format!(" {name}[{}]", values.join("][")));
        let turn = node.turn.map(|turn| format!("{} {turn}", node.parent));
        let turn = turn.unwrap_or_default();
        format!("{number}:{turn}{}", properties.collect::<String>())
    };
    let record = read(text);
    let nodes: Vec<String> = record.nodes.iter().enumerate().map(node).collect();
    let names = record.game.names.map(|name| name.unwrap_or_default());
    let names = match names.join("–") {
        names if names == "–" => String::new(),
        names => names + " ",
    };
    names + &nodes.join(" | ")
}

#[test]
fn annotations_around_moves_are_saved() {
    // In the expected texts `A` stands for the first move, `B` for the reply to it.
    for (text, expected) in [
        // Variations.
        (
            "1. c1-c6(f6) f8-f7(e7) (1... a6-a4(h4)) 2. c6-c5(c6)",
            "0: | 1:A | 2:B | 3:2 c6 c5 c6 | 4:1 a6 a4 h4",
        ),
        (
            "c1c6f6 (c1c7b7) (c1c5c6 f8f7e7 (a6a5a4) c5c4c5) f8f7e7",
            "0: | 1:A | 2:B | 3:0 c1 c7 b7 | 4:0 c1 c5 c6 | 5:4 f8 f7 e7 | 6:5 c5 c4 c5 | 7:4 a6 a5 a4",
        ),
        (
            "c1c6f6 (c1c7b7 (c1c5c6 (c1c4c5)))",
            "0: | 1:A | 2:0 c1 c7 b7 | 3:0 c1 c5 c6 | 4:0 c1 c4 c5",
        ),
        (
            "c1-c6 (f6) （ c1-c7 （b7）） f8-f7(e7)",
            "0: | 1:A | 2:B | 3:0 c1 c7 b7",
        ),
        ("2 0 2 5 5 5 (2 0 2 6 1 6)", "0: | 1:A | 2:0 c1 c7 b7"),
        // Comments.
        ("{c} c1c6f6 {a\nb} {c}", "0: C[c] | 1:A C[a\nb\nc]"),
        (
            "c1c6f6 ({before} 1. c1c7b7 {after}) f8f7e7",
            "0: | 1:A | 2:B | 3:0 c1 c7 b7 C[before\nafter]",
        ),
        ("c1c6f6 ; good\nf8f7e7;", "0: | 1:A C[good] | 2:B"),
        ("c1c6f6 {[%clk 0:01]}", "0: | 1:A C[[%clk 0:01]]"),
        ("c1c6f6 {} (c1c7b7 1-0)", "0: | 1:A | 2:0 c1 c7 b7 C[1-0]"),
        // Annotation symbols.
        ("c1c6f6! f8f7e7??", "0: | 1:A TE[1] | 2:B BM[2]"),
        ("c1-c6(f6)!? f8f7e7 ?!", "0: | 1:A IT[] | 2:B DO[]"),
        (
            "c1c6f6!! f8f7e7 $2 $14",
            "0: | 1:A TE[2] | 2:B BM[1] C[$14]",
        ),
        // Results.
        ("c1c6f6 1-0", "0: RE[B+] | 1:A"),
        ("c1c6f6 f8f7e7\n0-1", "0: RE[W+] | 1:A | 2:B"),
        ("c1c6f6 B+R", "0: RE[B+R] | 1:A"),
        ("c1c6f6 White wins", "0: RE[W+] | 1:A"),
        ("c1c6f6 1/2-1/2", "0: RE[Draw] | 1:A"),
        ("c1c6f6 * {unfinished}", "0: | 1:A C[unfinished]"),
        ("#[AM][a][b][][][];\nc1c6f6 后手胜", "a–b 0: RE[W+] | 1:A"),
        (
            "#[AM][a][b][后手胜][][];\nc1c6f6 0-1",
            "a–b 0: RE[W+] | 1:A",
        ),
        // Tags; the first player named moves first.
        (
            "[Event \"a \\\"b\\\" [c]\"]\n[Date \"2024.05.??\"]\n[Round \"?\"]\n[Ply \"2\"]\n[X \"y\"]\n\nc1c6f6",
            "0: EV[a \"b\" [c]] DT[2024-05] GC[Ply: 2\nX: y] | 1:A",
        ),
        (
            "[white \"A\"]\n[black \"B\"]\n[whiteelo \"9\"]\n[result \"1-0\"]\nc1c6f6 1-0",
            "A–B 0: BR[9] RE[B+] | 1:A",
        ),
        (
            "[Black \"A\"][White \"B\"][BlackElo \"9\"]\nc1c6f6 B+",
            "A–B 0: BR[9] RE[B+] | 1:A",
        ),
        ("[Result \"*\"]\nc1c6f6 *", "0: | 1:A"),
        ("[Result \"B+\"]\nc1c6f6 B+R", "0: RE[B+R] | 1:A"),
        (
            "[FEN \"2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w - - 0 1\"]\n[White \"A\"]\n c1c6f6 1-0",
            "A– 0: RE[B+] | 1:A",
        ),
        (
            "[FEN \"2w2w2/8/w6w/8/8/b6b/8/2b2b2 b\"] [White \"B\"] [Black \"A\"]\nc1c6f6",
            "A–B 0: | 1:A",
        ),
        ("[White \"?\"] [Black \"B\"]\nc1c6f6", "–B 0: | 1:A"),
        // SGF as hobby programs write it: two squares, and the arrow as a separate property.
        (
            "(;SZ[8];B[c1c6]C[a];AE[f6]C[b](;W[f8f7];AE[e7])(;W[a6a4];AE[h4]))",
            "0: | 1:A C[a\nb] | 2:B | 3:1 a6 a4 h4",
        ),
        (
            "(;SZ[8];B[c1c6](;AE[f6];W[fafbeb])(;AE[e6]))",
            "0: | 1:A | 2:B | 3:0 c1 c6 e6",
        ),
        (
            "(;SZ[8]B[c1c6](;AE[f6];W[fafbeb])(;AE[e6]))",
            "0: | 1:A | 2:B | 3:0 c1 c6 e6",
        ),
        (
            "(;SZ[8];B[C1-C6-F6/11.50/5.04];W[])",
            "0: RE[B+] | 1:A C[11.50/5.04]",
        ),
        (
            "(;SZ[8]RE[W+R];B[chccfc](;W[fafbeb])(;W[pass]))",
            "0: RE[W+R] | 1:A | 2:B",
        ),
    ] {
        let moves = [(":A", ":0 c1 c6 f6"), (":B", ":1 f8 f7 e7")];
        let expected = moves
            .iter()
            .fold(expected.to_owned(), |text, (letter, turn)| {
                text.replace(letter, turn)
            });
        assert_eq!(nodes(text), expected, "{text}");
    }
}

#[test]
fn assumptions_and_omissions_cause_warnings() {
    let start = "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w - - 0 1";
    let fields = "#[AM][a][b][?][2024][cup][more]tail;c1c6f6";
    let members = r#"{"id":7,"moves":[{"from":"c1","to":"c6","arrow":"f6","ms":5}]}"#;
    let result = "#[AM][a][b][先手胜][2024][cup];c1c6f6 后手胜";
    for (text, remark) in [
        ("[White \"A\"]\nc1c6f6 1-0", "white moves first there"),
        (start, "white moves first there, and is black here"),
        ("c1c6f6 1-0", "1-0 is read as said of whoever moves first"),
        ("[Result \"B+\"]\nc1c6f6 W+R", "a second result, \"W+R\""),
        ("c1c6f6 1-0\nc1c7b7 0-1", "the file holds 2 games"),
        ("1. c1c6f6 f8f7e7 1. c1c7b7", "the file holds 2 games"),
        ("[X \"y\"]\nc1c6f6\n[X \"z\"]\nc1c7b7", "2 games"),
        (fields, "\"?\" in its first line is left out"),
        (fields, "\"tail\" in its first line is left out"),
        (fields, "\"more\" in its first line is left out"),
        (result, "the result of its first line is left out"),
        ("(;SZ[8];B[chccfc];W[])", "an empty move of white ends"),
        ("(;SZ[8];B[chccfc](;W[fafbeb])(;W[]))", "the variation"),
        (members, "left out: id, ms"),
    ] {
        let remarks = read(text).game.warning().unwrap_or_default();
        assert_has(&remarks, &[remark]);
    }
    let complete = read("1. c1-c6(f6)! {good} (c1-c7(b7)) B+R");
    assert_eq!(complete.game.warning(), None);
}

/// Common notations of a move, each as a function of its three squares.
const NOTATIONS: [fn(&[String]) -> String; 9] = [
    |s| format!("{}-{}({})", s[0], s[1], s[2]),
    |s| format!("{}–{},{}", s[0], s[1], s[2]),
    |s| s.concat(),
    |s| s.join(" ").to_uppercase(),
    |s| s.join("x"),
    |s| s.join(" -> "),
    |s| format!("{}{},{}{}", s[0], s[1], s[1], s[2]),
    |s| s.iter().map(|s| letters(s.as_bytes())).collect(),
    |s| s.iter().map(|s| numbers(s.as_bytes())).collect(),
];

/// Returns a square as two letters, as in SGF.
fn letters(square: &[u8]) -> String {
    [square[0], b'a' + b'8' - square[1]]
        .map(char::from)
        .iter()
        .collect()
}

/// Returns a square as two numbers from 0, as on Botzone.
fn numbers(square: &[u8]) -> String {
    format!("{} {} ", square[0] - b'a', square[1] - b'1')
}

/// Writes all nodes below node `at` as text, with move numbers, comments in braces and variations in brackets.
fn as_text(
    nodes: &[Node],
    at: usize,
    depth: usize,
    notation: fn(&[String]) -> String,
    text: &mut String,
) {
    let children: Vec<usize> = (1..nodes.len())
        .filter(|&child| nodes[child].parent == at)
        .collect();
    for &child in &children {
        let turn = nodes[child].turn.expect("behind the first");
        let squares = [turn.from, turn.to, turn.arrow].map(|square| square.to_string());
        *text += if child == children[0] { "" } else { " (" };
        *text += &format!(
            "{}{} {}",
            depth / 2 + 1,
            [".", "..."][depth % 2],
            notation(&squares)
        );
        if let Some(comment) = nodes[child].text("C") {
            *text += &format!(" {{{comment}}}");
        }
        if child != children[0] {
            *text += " ";
            as_text(nodes, child, depth + 1, notation, text);
            *text += ")";
        }
    }
    if let Some(&first) = children.first() {
        *text += "\n";
        as_text(nodes, first, depth + 1, notation, text);
    }
}

#[test]
fn ten_by_ten_records_are_rejected() {
    for text in [
        "#[AM][a][b][先手胜][2020.11.01][];\r\n1 d1d7(g7) d10c9(h4)\r\n",
        "1. d1-d7(g7) g10-d7(h3)",
        "a4c4e6 j7g7i5",
        "(;FF[4]GM[18];B[djddgd];W[addgad])",
        "(;FF[4]GM[18]SZ[10];B[djddgd])",
        "3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 w - 1",
        "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1",
        "position fen 3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1 moves d1d7,d7g7",
        "d1d7,d7g7 d10d9,d9h9",
        "[Event \"x\"]\n\n1. d1-d7(g7) d10-d8(h4) 1-0",
        "c1c6f6 (c1-c10(f7))",
        "DJDDGD DADBHB",
        "#[AM][a][b][先手胜][][];\n1 DJDDGD DADBHB",
        r#"[["d1","d7","g7"],["d10","d8","h4"]]"#,
        "(;GM[Amazons];B[d1d7];AE[g7];W[d10d8];AE[h4])",
        "(;GM[18];B[djddgd];W[])",
    ] {
        let fault = fault(text);
        assert_has(
            &fault,
            &["a game on ten by ten squares; expected one on eight by eight"],
        );
    }
}

#[test]
fn damaged_records_name_the_faulty_line() {
    let assert_fault = |text: &str, line: usize, fact: &str| {
        let fault = fault(text);
        let is_told = fault.starts_with(&format!("line {line}: ")) && fault.contains(fact);
        assert!(is_told, "{line}, {fact}: {fault}");
    };
    let sgf = "(;GM[18]SZ[8]\n;B[chcbbb]\n;W[fafbeb])";
    for (old, new, line, fact) in [
        ("\n;W[fafbeb])", "", 2, "the end, expected )"),
        ("fafbeb]", "fafbeb", 3, "a value has no end"),
        ("fafbeb", "fafaeb", 3, "ply 2, f8 f8 e7: the amazon"),
        ("fafbeb", "fafbe", 3, "\"fafbe\" is no move"),
        ("fafbeb", "fafzeb", 3, "\"fz\" is not a square"),
        (";W[f", ";B[f", 3, "black, expected one of white"),
        ("fafbeb]", "fafbeb]B[chcbbb]", 3, "both players move"),
        (";W", ";AB[aa]W", 3, "AB behind a move"),
        ("\n;B", "AB[aa]\n;B", 1, "black has 1 amazons"),
        ("GM[18]", "GM[1]", 1, "GM[1] is another game"),
        ("SZ[8]", "SZ[9]", 1, "SZ[9], expected SZ[8]"),
        ("\n;W[", "\n;W?[", 3, "W: expected a value in [ ]"),
        ("\n;W", "\n?W", 3, "'?', expected a node"),
    ] {
        assert_fault(&sgf.replace(old, new), line, fact);
    }
    for (text, line, fact) in [
        ("()", 1, "no node, expected (;"),
        ("((;SZ[8])(;SZ[8]))", 1, "';', expected a node"),
        ("c1 c6 f6\n\nf8 f7", 3, "\"f8 f7\": expected three"),
        ("c1 c6 f6\nx8 f7 e7", 2, "\"x8\" is not a square"),
        ("c1c6f6;f8f7e7;c6c5c5", 1, "ply 3, c6 c5 c5: the arrow"),
        ("#[AM][a];c1c6f6", 1, "expected #[AM]"),
        ("#[C4][a][b][][][];\n", 1, "expected #[AM]"),
        ("#[AM][a][b][][][];\n1 c1c6f6\n2 c1c6f6", 3, "ply 2"),
        ("c1c6f6\n(c1c7b7\n(c1c5c6)", 2, "\"(\" has no end"),
        ("c1c6f6\n{ a\nf8f7e7", 2, "\"{\" has no end"),
        ("c1c6f6\n[X \"y\nf8f7e7", 2, "tag \"X\" has no end"),
        ("1. (c1c7b7) c1c6f6", 1, "\"(\", expected a move"),
        ("c1c6f6 () f8f7e7", 1, "a variation without a move"),
        ("c1c6f6 ) f8f7e7", 1, "\")\" without \"(\""),
        ("c1c6f6\nf8-f7(e7) e.p.", 2, "\"e\" is not a square"),
        ("c1c6f6\nf8 2. f7e7", 2, "\"f8\": expected three"),
        ("c1c6f6\nf8-f7(e9)", 2, "\"e9\": a game on ten by ten"),
        ("c1c6f6 0.35\nf8f7e7", 1, "\"0.35\", expected a move"),
        ("c1c6f6 17\nf8f7e7", 1, "\"17\", expected a move"),
        ("c1c6f6\nf8-f7(g0)", 2, "\"g0\" is not a square"),
        ("c1c6f6\nf8-f7 {e7}", 2, "\"f8-f7\": expected three"),
        ("c1c6f6\n#f8f7e7", 2, "\"#f8f7e7\", expected a move"),
        ("c1c6f6\n5 7 5 6", 2, "expected six coordinates"),
        ("#[AM][a][b][][][];\nc1c6f6 1-0\nf8f7e7", 3, "the end"),
        ("[FEN \"8/8 w\"]\nc1c6f6", 1, "2 rows, expected 8"),
        (
            "[\"c1c6f6\",\n[\"f8\",\"f7\"]]",
            2,
            "move 2, [\"f8\",\"f7\"]",
        ),
        ("[\"c1c6f6\",\n\"f8f7f7\"]", 2, "ply 2, f8 f7 f7: the arrow"),
        ("[[]]", 1, "move 1, []: expected three squares"),
        ("[[\"c1\"", 1, "not JSON: EOF"),
        ("(;SZ[8];B[chccfc];W[]\n;B[cccdcc])", 2, "nobody may pass"),
        ("(;SZ[8];B[chccfc];B[])", 1, "expected one of white"),
        ("(;SZ[8];B[c1c6];W[f8f7])", 1, "\"c1c6\": expected three"),
        ("(;SZ[8];B[c1c6]AE[f6];AE[e6])", 1, "AE behind a move"),
        ("(;SZ[8];B[chccfc];AE[aa])", 1, "AE behind a move"),
        ("2w2w2/8/w6w/8/8/b6b/8/2b2b2 x", 1, "\"x\" to move"),
        ("2w2w2/8/w6w/8/8/b6b/8/2b2b1 b", 1, "row 8: expected 8"),
        ("2w2w2/8/w6w/8/8/b6b/2b2b2 b", 1, "7 rows, expected 8"),
        ("2w2w2/8/w6w/8/8/b6b/8/2b2b2 b c1 1", 1, "from \"c1\""),
        ("2w2w2/8/w6w/8/8/b6b/8/2b5 b", 1, "black has 3 amazons"),
    ] {
        assert_fault(text, line, fact);
    }
    let deep = "(".repeat(100_000);
    assert_fault(&deep, 1, "the end, expected )");
    assert_fault(&format!("c1c6f6 {deep}"), 1, "expected a move before");
    assert_has(&fault("! c1c6f6 c6"), &["not JSON"]);
}

#[test]
fn all_tools_accept_all_record_formats() {
    // The third record is a position: `analyze` accepts it, but tools that need a game from the start position reject it.
    let [a, b, fen, d] = [
        ("every_a.sgf", "(;GM[18]SZ[8]PB[Anna];B[chccfc]C[好])"),
        ("every_b.txt", "1. c8-c3(f3)"),
        ("every_c.fen", "1b1x4/8/b6b/8/4b3/w6w/8/2w2w2 w"),
        ("every_d.sgf", "(;SZ[8];B[chccfc];W[fafbeb];B[])"),
    ]
    .map(|(name, record)| write_file(name, record));
    let mirrored = output(&["replay", &b], "");
    assert_has(text(&mirrored.stderr), &["b.txt: remark: the board is"]);
    for (words, file, told) in [
        ("replay", &a, &["Anna", "the game is running", "1 ply"][..]),
        ("replay", &d, &["2 plies", "black lost, says"]),
        ("replay --at 1", &b, &["1\n2 0 2 5 5 5\n"]),
        ("analyze --iterations 10", &a, &["ply  1  black  c1 c6 f6"]),
        (
            "analyze --iterations 10 --json",
            &fen,
            &["\"player\":\"white\"", "\"to_move\":\"white\""],
        ),
        (
            "play --plain --black human --white human",
            &a,
            &["Anna (human)", "1 turn loaded"],
        ),
    ] {
        let words: Vec<&str> = words.split(' ').chain([file.as_str()]).collect();
        assert_has(text(&output(&words, "quit\n").stdout), told);
    }
    for args in [
        &["replay", "--at", "0", &fen][..],
        &["play", "--plain", &fen],
        &["convert", "log", &fen],
    ] {
        assert_rejected(&output(args, ""), &["begins at a position that was set up"]);
    }
}

#[test]
fn conversion_never_overwrites_other_files() {
    let folder = fresh_path("converted");
    let dir = folder.display().to_string();
    let log = "tests/logs/game_bot003_bot032.json";
    let other = "tests/logs/fault_timeout.json";
    let whole = fs::read_to_string(log).expect("there");
    let game = CheckedGame::read(&whole).expect("sound");
    for (format, name) in [("sgf", "sgf"), ("ccgc", "txt"), ("log", "json")] {
        let converted = output(&["convert", format, log, other, "--dir", &dir], "");
        assert!(converted.status.success(), "{}", text(&converted.stderr));
        let file = folder.join(format!("game_bot003_bot032.{name}"));
        assert_has(text(&converted.stdout), &[&file.display().to_string()]);
        let read = read(&fs::read_to_string(&file).expect("there"));
        assert_eq!(read.game.moves, game.moves, "{format}");
        assert_eq!(read.winner(), game.outcome().winner(), "{format}");
    }
    let late = fs::read_to_string(folder.join("fault_timeout.sgf")).expect("there");
    assert_has(&late, &["RE[W+T]"]);
    // Converting again to the same content succeeds; another format must not overwrite the file of the same name.
    let again = |format: &str| output(&["convert", format, log, "--dir", &dir], "");
    assert!(again("ccgc").status.success());
    assert_rejected(&again("moves"), &["game_bot003_bot032.txt is there"]);
    let convert = |args: &[&str]| output(&[&["convert"], args].concat(), "");
    assert_rejected(&convert(&["sgf", log, other]), &["without --dir"]);
    assert_rejected(&convert(&["pgn", log]), &["pgn", "ccgc, moves, fen"]);
    let missing = convert(&["moves", "missing.sgf"]);
    assert_rejected(&missing, &["missing.sgf"]);
    assert!(missing.stdout.is_empty());
}
