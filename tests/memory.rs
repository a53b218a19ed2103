//! Tests of the bot under memory limits: if its tree cannot be allocated in full, the bot plays with a smaller tree.

use crate::common::{Dice, assert_has, simple_text, text};
use engine::board::{Board, Move};
use engine::movegen;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

/// Starts the bot with an address space of at most `limit` KiB.
fn start(limit: u32) -> Child {
    let script = format!("ulimit -v {limit} && exec \"$@\"");
    let program = env!("CARGO_BIN_EXE_amazons");
    Command::new("sh")
        .args(["-c", &script, "sh", program])
        .args(["--iterations", "6000", "--seed", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("there is a shell")
}

/// Plays a whole game of the bot, as black, against random moves, and returns the bot's standard error.
fn play_a_game(limit: u32) -> String {
    let mut bot = start(limit);
    let mut stdin = bot.stdin.take().expect("piped");
    let mut lines = BufReader::new(bot.stdout.take().expect("piped")).lines();
    let mut next_line = || lines.next().and_then(Result::ok).unwrap_or_default();
    let mut dice = Dice::new(limit.into());
    let mut board = Board::start();
    let mut request = "1\n-1 -1 -1 -1 -1 -1".to_owned();
    while movegen::count(&board) > 0 {
        writeln!(stdin, "{request}").expect("the bot reads");
        let answer: Move = next_line().parse().expect("the bot answers");
        board.play(answer).expect("the answer is legal");
        assert_eq!(next_line(), engine::botzone::KEEP_RUNNING);
        let replies = movegen::moves(&board);
        if replies.is_empty() {
            break;
        }
        let reply = replies[dice.below(replies.len())];
        board.play(reply).expect("legal");
        request = simple_text(reply);
    }
    drop(stdin);
    let out = bot.wait_with_output().expect("it ends");
    assert!(out.status.success(), "{out:?}");
    text(&out.stderr).to_owned()
}

#[test]
fn half_the_memory_gives_half_the_tree() {
    let said = "wanted 176 MiB for the tree, got 88; see --memory-mb\n";
    assert_eq!(play_a_game(185_000), said);
}

/// A tree of a few MiB fills up during the game, so its auxiliary lists reach their maximum size, too.
#[test]
fn plays_a_whole_game_in_a_full_tree() {
    // The executable itself takes address space, too.
    let program = std::fs::metadata(env!("CARGO_BIN_EXE_amazons")).expect("built");
    let log = play_a_game(8_300 + (program.len() / 1024) as u32);
    assert_has(&log, &["wanted 176 MiB for the tree, got "]);
    assert_eq!(log.lines().count(), 1);
}

#[test]
fn sufficient_memory_prints_no_message() {
    assert_eq!(play_a_game(4_000_000), "");
}
