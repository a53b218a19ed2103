//! A bot as a process: stopped between two turns, sent what it needs, and gone without a trace.
#![cfg(feature = "tools")]

use amazons::board::Board;
use amazons::botzone::Form;
use amazons::tools::judge::{Coordinates, Verdict};
use amazons::tools::process::{Limits, Process};
use amazons::tools::spec::ProcessSpec;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

const AMAZONS: &str = env!("CARGO_BIN_EXE_amazons");

/// Held by every test here: open files can only be counted while nobody else opens some.
static ALONE: Mutex<()> = Mutex::new(());

const LIMITS: Limits = Limits {
    first: Duration::from_secs(60),
    later: Duration::from_secs(60),
    memory: 200_000_000,
    by_cpu: false,
};

fn open_files() -> usize {
    fs::read_dir("/proc/self/fd").expect("procfs").count()
}

/// State letters of the child processes of this one whose command line holds a word.
fn states_of_children(word: &str) -> Vec<char> {
    let me = std::process::id().cast_signed();
    let all = procfs::process::all_processes().expect("procfs").flatten();
    let mine = all.filter(|process| {
        process
            .cmdline()
            .is_ok_and(|line| line.iter().any(|part| part == word))
    });
    mine.filter_map(|process| process.stat().ok())
        .filter(|stat| stat.ppid == me)
        .map(|stat| stat.state)
        .collect()
}

#[test]
fn a_bot_is_stopped_between_turns_and_gone_afterwards() {
    let _alone = ALONE.lock();
    let files = open_files();
    for form in [Form::Simple, Form::Json] {
        let seed = if form == Form::Json { "771" } else { "770" };
        let command = [
            AMAZONS,
            "--iterations",
            "20",
            "--memory-mb",
            "1",
            "--seed",
            seed,
        ]
        .map(str::to_owned);
        let mut bot = Process::new(ProcessSpec {
            command: command.into(),
            form,
            fresh: false,
        });
        let mut board = Board::start();
        let mut record = vec![Coordinates::NONE];
        for _ in 0..3 {
            let turn = bot.turn(&record, LIMITS);
            assert_eq!((turn.verdict, turn.keep_running), (Verdict::Ok, true));
            assert!(
                turn.wall > Duration::ZERO && turn.memory > 500_000,
                "{turn:?}"
            );
            assert_eq!(turn.debug.is_some(), form == Form::Json);
            // The signal takes a moment to arrive; a bot that is not stopped waits in state S for ever.
            while states_of_children(seed) != ['T'] {
                std::thread::sleep(Duration::from_millis(1));
            }
            let answer =
                Coordinates::read(turn.response.as_ref().expect("an answer")).expect("six numbers");
            let play = |board: &mut Board, numbers| {
                let turn = amazons::board::Move::from_coordinates(numbers).expect("on the board");
                board.play(turn).expect("legal");
            };
            play(&mut board, answer.numbers());
            let reply = Coordinates::from(amazons::movegen::moves(&board)[0]);
            play(&mut board, reply.numbers());
            record.extend([answer, reply]);
        }
        drop(bot);
        assert!(states_of_children(seed).is_empty(), "the process is gone");
    }
    assert_eq!(open_files(), files, "a pipe is left open");
}

#[test]
fn a_bot_that_is_started_afresh_is_sent_the_whole_record() {
    let _alone = ALONE.lock();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/echo.sh");
    let echo = vec!["sh".to_owned(), script.to_str().expect("UTF-8").to_owned()];
    let spec = ProcessSpec {
        command: echo,
        form: Form::Simple,
        fresh: false,
    };
    let mut bot = Process::new(spec);
    let record = [[-1; 6], [2, 0, 2, 6, 6, 6], [5, 7, 5, 1, 1, 1]].map(Coordinates::from);
    for entries in [&record[..1], &record[..3]] {
        let turn = bot.turn(entries, LIMITS);
        assert_eq!((turn.verdict, turn.keep_running), (Verdict::Ok, false));
        let answer = turn.response.as_ref().and_then(Coordinates::read);
        assert_eq!(
            answer,
            entries.last().copied(),
            "the last line of the record"
        );
    }
}
