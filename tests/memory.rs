//! The bot where the system gives it less memory than its tree was to have: it plays on in a smaller one.

use crate::common::Dice;
use amazons::board::{Board, Move};
use amazons::movegen;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

/// Starts the bot with so many KiB of address space.
fn start(limit: u32) -> Child {
    let script = format!("ulimit -v {limit} && exec \"$@\"");
    let program = env!("CARGO_BIN_EXE_amazons");
    let args = [
        "-c",
        &script,
        "sh",
        program,
        "--iterations",
        "6000",
        "--seed",
        "1",
    ];
    Command::new("sh")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("there is a shell")
}

/// Plays a whole game against random moves, the bot as black, and returns what it said on standard error.
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
        assert_eq!(next_line(), amazons::botzone::KEEP_RUNNING);
        let replies = movegen::moves(&board);
        if replies.is_empty() {
            break;
        }
        let reply = replies[dice.below(replies.len())];
        board.play(reply).expect("legal");
        request = reply
            .coordinates()
            .map(|number| number.to_string())
            .join(" ");
    }
    drop(stdin);
    let mut log = String::new();
    let stderr = bot.stderr.take().expect("piped");
    BufReader::new(stderr)
        .read_to_string(&mut log)
        .expect("text");
    assert!(bot.wait().expect("it ends").success(), "{log}");
    log
}

#[test]
fn with_half_the_memory_the_bot_plays_a_game_in_half_the_tree() {
    let log = play_a_game(185_000);
    assert_eq!(
        log,
        "wanted 176 MiB for the tree, got 88; see --memory-mb\n"
    );
}

/// A tree of a few MiB fills up within the game: all its lists grow as long as they can.
#[test]
fn with_little_memory_the_bot_plays_a_game_in_a_tree_that_is_full() {
    // The program itself lies in memory, too.
    let program = std::fs::metadata(env!("CARGO_BIN_EXE_amazons")).expect("built");
    let log = play_a_game(7_300 + (program.len() / 1024) as u32);
    assert!(
        log.starts_with("wanted 176 MiB for the tree, got "),
        "{log}"
    );
    assert_eq!(log.lines().count(), 1);
}

#[test]
fn where_the_memory_is_there_nothing_is_said() {
    assert_eq!(play_a_game(4_000_000), "");
}
