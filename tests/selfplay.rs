//! Self-play: files of games that can be gone on with, shared among machines, and replayed.
#![cfg(feature = "tools")]

use amazons::board::Board;
use amazons::movegen;
use amazons::tools::games::{self, SelfPlayGame};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn selfplay(file: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command
        .args(["selfplay", "--iterations", "20", "--out"])
        .arg(file)
        .args(args);
    command.output().expect("the program runs")
}

fn fresh_path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// The games of a file by number.
fn games(file: &Path) -> Vec<SelfPlayGame> {
    let (mut games, length) = games::read(file).expect("readable");
    assert_eq!(
        length,
        fs::metadata(file).expect("there").len(),
        "nothing is cut"
    );
    games.sort_by_key(|game| game.number);
    games
}

#[test]
fn games_are_legal_to_the_end_and_repeatable() {
    let [first, second] = ["first.bin", "second.bin"].map(fresh_path);
    for file in [&first, &second] {
        assert!(
            selfplay(
                file,
                &["--games", "12", "--min-plies", "1", "--max-plies", "6"]
            )
            .status
            .success()
        );
    }
    let played = games(&first);
    assert_eq!(played, games(&second), "the same seed, the same games");
    assert_eq!(played.len(), 12);
    for game in played {
        let mut board = Board::start();
        for (ply, &(turn, probability)) in game.moves.iter().enumerate() {
            board.play(turn).expect("legal");
            assert!(probability == 0.0 || ply >= usize::from(game.opening));
            assert!((0.0..=1.0).contains(&probability));
        }
        assert_eq!(movegen::count(&board), 0, "the game is over");
        assert_eq!(game.winner, !board.to_move() as u8);
        assert!((1..=6).contains(&game.opening));
    }
}

#[test]
fn a_file_is_gone_on_with_and_shards_make_a_whole() {
    let [whole, resumed, shards] = ["whole.bin", "resumed.bin", "shards.bin"].map(fresh_path);
    assert!(selfplay(&whole, &["--games", "10"]).status.success());
    assert!(selfplay(&resumed, &["--games", "6"]).status.success());
    // A crash in the middle of a game.
    let bytes = fs::read(&resumed).expect("readable");
    fs::write(&resumed, &bytes[..bytes.len() - 9]).expect("writable");
    assert!(selfplay(&resumed, &["--games", "10"]).status.success());
    assert_eq!(games(&resumed), games(&whole));
    for shard in ["1/3", "2/3", "3/3"] {
        assert!(
            selfplay(&shards, &["--games", "10", "--shard", shard])
                .status
                .success()
        );
    }
    assert_eq!(games(&shards), games(&whole));
}

#[test]
fn faults_are_named() {
    let other = fresh_path("other.bin");
    fs::write(&other, "no games").expect("writable");
    let out = selfplay(&other, &["--games", "1"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&out.stderr)
            .contains("other.bin: expected a file of self-play games")
    );
    assert_eq!(
        fs::read(&other).expect("readable"),
        b"no games",
        "the file is left alone"
    );
    let out = selfplay(
        &fresh_path("none.bin"),
        &["--min-plies", "5", "--max-plies", "3"],
    );
    assert_eq!(out.status.code(), Some(2));
}
