//! Tests each turn's time budget without real time: a fake clock advances by one step whenever it is read, so the number of
//! iterations shows how long the bot was allowed to think.

use crate::common::{json_text, walled_board, whole_record};
use engine::board::Board;
use engine::botzone::Session;
use engine::botzone::options::Options;
use engine::budget::Budget;
use engine::cli::{self, Command};
use engine::clock::{Clock, TimeSource};
use engine::mcts::{Params, Search};
use serde_json::Value;
use std::cell::Cell;
use std::io::{self, Write};
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

/// Number of iterations between two reads of the clock, if no endgame is proven. The first read comes after the first
/// iteration.
const ITERATIONS_PER_CHECK: u64 = 8;

/// A wall clock that advances by one millisecond with every read, and a CPU clock with scripted values.
#[derive(Default)]
struct FakeTime {
    wall: Cell<u32>,
    /// Wall time at which the machine stalls, and the stall's duration, in milliseconds.
    stall: (u32, u32),
    /// CPU time at each of the next reads, in milliseconds; the last value stays.
    cpu: Vec<u32>,
    cpu_reads: Cell<usize>,
}

impl TimeSource for &FakeTime {
    fn wall(self) -> Duration {
        self.wall.set(self.wall.get() + 1);
        if self.wall.get() == self.stall.0 {
            self.wall.set(self.stall.0 + self.stall.1);
        }
        self.wall.get() * MS
    }

    fn cpu(self) -> Duration {
        let look = self.cpu_reads.get();
        self.cpu_reads.set(look + 1);
        let shown = self.cpu.get(look).or(self.cpu.last());
        shown.copied().unwrap_or(0) * MS
    }
}

/// Returns options with the time limits of later turns and of the first turn, in milliseconds.
fn options(time: u32, first_time: u32) -> Options {
    Options {
        time: time * MS,
        adapts_to_stalls: false,
        first_time: first_time * MS,
        memory: 1 << 20,
        seed: Some(1),
        iterations: None,
    }
}

/// Returns options for turns of 200 ms, the first of 25 ms, that adapt to stalls.
fn adaptive_options() -> Options {
    Options {
        adapts_to_stalls: true,
        ..options(200, 25)
    }
}

/// Runs a session on lines of input. Returns the iterations of each answer, as its debug text reports them.
fn run_session(options: Options, time: &FakeTime, input: &str) -> Vec<u64> {
    let text = Vec::new();
    let mut output = Output { text, time };
    let mut log = Vec::new();
    Session::with_time_source(options, time)
        .run(input.as_bytes(), &mut output, &mut log)
        .expect("nothing fails in memory");
    assert_eq!(String::from_utf8_lossy(&log), "");
    let answers = String::from_utf8(output.text).expect("text");
    let answers = answers.lines().filter(|line| line.starts_with('{'));
    answers.map(iterations_of).collect()
}

/// The bot's output, read by a platform that pauses the bot for a second at each write.
struct Output<'a> {
    text: Vec<u8>,
    time: &'a FakeTime,
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.time.wall.set(self.time.wall.get() + 1000);
        self.text.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Parses the number of iterations in an answer's debug text.
fn iterations_of(answer: &str) -> u64 {
    let answer: Value = serde_json::from_str(answer).expect("JSON");
    let debug = answer["debug"].as_str().expect("a text");
    let (before, _) = debug.split_once(" iterations").expect("counted");
    let number = before.rsplit(' ').next().expect("a number");
    number.parse().expect("a number")
}

/// Black's first move in all games of these tests, and a reply that the bot, as black, can't prevent.
const OPENING: &str = "2 0 2 1 3 1";
const REPLY: &str = "0 5 0 6 0 5";

/// Returns an input line with the record of a game so far.
fn history(moves: &[&str]) -> String {
    let moves = moves.iter().map(|turn| turn.parse().expect("a move"));
    whole_record(&moves.collect::<Vec<_>>(), true)
}

/// Returns the input lines of two turns of a running process: black's first turn, and white's reply.
fn two_turns() -> String {
    let reply = json_text(REPLY.parse().ok());
    format!("{}\n{{\"request\":{reply}}}\n", history(&[]))
}

/// Returns the number of iterations within `budget` milliseconds: each read after the start of the clock takes one.
fn within(budget: u64) -> u64 {
    1 + ITERATIONS_PER_CHECK * (budget - 1)
}

#[test]
fn first_turn_has_its_own_time_limit() {
    for (time, first_time, input, expected) in [
        (10, 25, two_turns(), &[within(25), within(10)][..]),
        (25, 10, two_turns(), &[within(10), within(25)]),
        // White's first turn, and a process started in the middle of a game.
        (10, 25, history(&[OPENING]), &[within(25)]),
        (10, 25, later_turn(), &[within(10)]),
        // Even without time, one iteration runs.
        (0, 0, two_turns(), &[1, 1]),
    ] {
        let options = options(time, first_time);
        let found = run_session(options, &FakeTime::default(), &input);
        assert_eq!(found, expected, "{time}, {first_time}, {input}");
    }
}

/// The CPU clock is read when a turn begins and when its answer has been written.
#[test]
fn cpu_time_before_a_turn_is_charged_once() {
    let time = FakeTime {
        cpu: vec![5, 30, 33],
        ..FakeTime::default()
    };
    let found = run_session(options(10, 25), &time, &two_turns());
    assert_eq!(found, [within(25 - 5), within(10 - 3)]);
}

/// Returns an input line with the record of a later turn.
fn later_turn() -> String {
    history(&[OPENING, REPLY])
}

/// Before the first measured stall, the bot expects a stall of 30 ms.
#[test]
fn stall_shortens_later_turns_unless_time_is_given() {
    let input = [(); 3].map(|()| later_turn()).join("\n");
    // The stall comes in the middle of the first turn.
    let stalling = || FakeTime {
        stall: (60, 50),
        ..FakeTime::default()
    };
    let found = run_session(adaptive_options(), &stalling(), &input);
    // The first turn measures a stall of 51 ms. Each turn of about 149 ms reduces the expected stall by 0.8 % of 50 ms.
    let expected = [within(200 - 30 - 50), within(200 - 51), within(200 - 50)];
    assert_eq!(found, expected);
    let words = ["--time-ms=200", "--memory-mb=1", "--seed=1"];
    let Ok(Command::Bot(given)) = cli::parse(words.map(str::to_owned)) else {
        panic!("options of the bot");
    };
    let found = run_session(given, &stalling(), &input);
    assert_eq!(found, [within(200 - 50), within(200), within(200)]);
}

/// Also checks that stalls do not shorten the first turn.
#[test]
fn pause_after_an_answer_is_no_stall() {
    let found = run_session(adaptive_options(), &FakeTime::default(), &two_turns());
    assert_eq!(found, [within(25), within(200 - 29)]);
}

/// Searches until the budget is spent; a stop request comes after `max_checks` checks for one. Returns the number of
/// iterations; `None` if the winner is proven.
fn search_iterations(board: Board, budget: Budget, max_checks: u32) -> Option<u64> {
    let time = FakeTime::default();
    let clock = Clock::start(&time, Duration::ZERO);
    let mut search = Search::new(board, 1 << 20, 1, Params::default());
    let checks = Cell::new(0);
    let is_stopped = || checks.replace(checks.get() + 1) == max_checks;
    budget.spend(&mut search, &clock, is_stopped);
    let is_open = search.winner().is_none();
    is_open.then(|| search.report().iterations)
}

#[test]
fn search_ends_after_its_iterations_or_when_stopped() {
    for (max_checks, expected) in [(100, 7), (3, 3), (0, 0)] {
        let found = search_iterations(Board::start(), Budget::Iterations(7), max_checks);
        assert_eq!(found, Some(expected));
    }
}

#[test]
fn clock_is_checked_more_often_during_endgame_proofs() {
    let iterations = |board| search_iterations(board, Budget::Time(20 * MS), u32::MAX);
    assert_eq!(iterations(Board::start()), Some(within(20)));
    let fewest = (0..200).map(walled_board).filter_map(iterations).min();
    assert!(fewest.is_some_and(|fewest| 2 * fewest < within(20)));
}

/// Checks the longest wall time, and the longest CPU time before the turn.
#[test]
fn longest_times_do_not_overflow() {
    struct Longest(Cell<Duration>);
    impl TimeSource for &Longest {
        fn wall(self) -> Duration {
            self.0.get()
        }
        fn cpu(self) -> Duration {
            Duration::MAX
        }
    }
    let time = Longest(Cell::new(MS));
    let [none, all] = [Duration::ZERO, Duration::MAX].map(|used| Clock::start(&time, used));
    time.0.set(Duration::MAX);
    assert_eq!(all.elapsed(), Duration::MAX - MS);
    assert_eq!(none.elapsed(), Duration::MAX);
}
