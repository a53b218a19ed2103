//! Tests of bots as processes: they are stopped between turns, receive the right input, and leave no process or pipe open.
#![cfg(all(feature = "tools", target_os = "linux"))]

mod common;

use common::{needs, processes};
use engine::board::Board;
use engine::botzone::Protocol;
use record::judge::{Coordinates, Verdict};
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use tools::platform::process::{Launch, Limits, Process, ProcessSpec};

const AMAZONS: &str = env!("CARGO_BIN_EXE_amazons");

/// Lock held by every test in this file, because open files can only be counted while no other test opens files.
static ALONE: Mutex<()> = Mutex::new(());

const LIMITS: Limits = Limits {
    first: Duration::from_secs(60),
    later: Duration::from_secs(60),
    memory_bytes: 200_000_000,
    by_cpu: false,
};

fn open_files() -> usize {
    fs::read_dir("/proc/self/fd").expect("procfs").count()
}

/// Returns a bot with this command line; its process has not been started yet.
fn bot(command: &[&str], protocol: Protocol) -> Process {
    let spec = ProcessSpec {
        command: command.iter().map(|word| word.to_string()).collect(),
        protocol,
        restarts: false,
    };
    Process::new(spec, Launch::new(AMAZONS.into()))
}

/// Returns the path of a fake bot in `tests/bots`.
fn fake(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots");
    folder.join(file).to_str().expect("UTF-8").to_owned()
}

/// Returns the state letters, as in `/proc`, of all bots whose command line contains `word`; supervisor processes are left out.
fn states_of_bots(word: &str) -> Vec<char> {
    let bots = processes().into_iter().filter(|(line, _)| {
        line.iter().any(|part| part == word) && line.iter().all(|part| part != "keep-bot")
    });
    bots.map(|(_, state)| state).collect()
}

#[test]
fn bot_stops_between_turns_and_ends_completely() {
    let _alone = ALONE.lock();
    let files = open_files();
    for (protocol, seed) in [(Protocol::Simple, "770"), (Protocol::Json, "771")] {
        let options = format!("--iterations 20 --memory-mb 1 --seed {seed}");
        let command: Vec<&str> = [AMAZONS].into_iter().chain(options.split(' ')).collect();
        let mut bot = bot(&command, protocol);
        let mut board = Board::start();
        let mut record = vec![Coordinates::NONE];
        for _ in 0..3 {
            let turn = bot.play_turn(&record, LIMITS, &|| false).expect("a turn");
            assert_eq!((turn.verdict, turn.keep_running), (Verdict::Ok, true));
            let is_measured = turn.wall_time > Duration::ZERO && turn.peak_memory > 500_000;
            assert!(is_measured, "{turn:?}");
            assert_eq!(turn.debug.is_some(), protocol == Protocol::Json);
            // The stop signal may arrive late. A bot that is never stopped stays in state S, and this loop never ends.
            while states_of_bots(seed) != ['T'] {
                std::thread::sleep(Duration::from_millis(1));
            }
            let answer =
                Coordinates::read(turn.response.as_ref().expect("an answer")).expect("six numbers");
            let play = |board: &mut Board, numbers| {
                let turn = engine::board::Move::from_coordinates(numbers).expect("on the board");
                board.play(turn).expect("legal");
            };
            play(&mut board, answer.numbers());
            let reply = Coordinates::from(engine::movegen::moves(&board)[0]);
            play(&mut board, reply.numbers());
            record.extend([answer, reply]);
        }
        drop(bot);
        assert!(states_of_bots(seed).is_empty(), "the process is gone");
    }
    assert_eq!(open_files(), files, "a pipe is left open");
}

#[test]
fn fresh_bot_receives_the_whole_record() {
    let _alone = ALONE.lock();
    let mut bot = bot(&["sh", &fake("echo.sh")], Protocol::Simple);
    let record = [[-1; 6], [2, 0, 2, 6, 6, 6], [5, 7, 5, 1, 1, 1]].map(Coordinates::new);
    for entries in [&record[..1], &record[..3]] {
        let turn = bot.play_turn(entries, LIMITS, &|| false).expect("a turn");
        assert_eq!((turn.verdict, turn.keep_running), (Verdict::Ok, false));
        let answer = turn.response.as_ref().and_then(Coordinates::read);
        let last = entries.last().copied();
        assert_eq!(answer, last, "the last line of the record");
    }
}

#[test]
fn answer_in_pieces_is_read() {
    let _alone = ALONE.lock();
    if !needs::all_of(&["python3"]) {
        return;
    }
    let mut bot = bot(&["python3", &fake("pieces.py")], Protocol::Simple);
    let turn = bot.play_turn(&[Coordinates::NONE], LIMITS, &|| false);
    let turn = turn.expect("a turn");
    assert_eq!((turn.verdict, turn.keep_running), (Verdict::Ok, true));
    let answer = turn.response.as_ref().and_then(Coordinates::read);
    assert_eq!(answer, Some(Coordinates::new([2, 0, 2, 6, 6, 6])));
}
