//! Which budget a turn is given, told without timing anything: by a time that goes on by one step whenever it is
//! looked at, so that the number of iterations says how long the bot was allowed to think.

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

/// Iterations between two looks at the clock, the first of which comes after the first iteration, as long as none
/// of them counts an endgame.
const PER_LOOK: u64 = 8;

/// A wall clock that goes on by one millisecond with every look, and a CPU clock that shows what was set.
#[derive(Default)]
struct Steps {
    wall: Cell<u32>,
    /// A time at which the machine stalls, and for how long.
    stall: (u32, u32),
    /// What the CPU clock shows at each of the next looks; the last value stays.
    cpu: Vec<u32>,
    cpu_looks: Cell<usize>,
}

impl TimeSource for &Steps {
    fn wall(self) -> Duration {
        self.wall.set(self.wall.get() + 1);
        if self.wall.get() == self.stall.0 {
            self.wall.set(self.stall.0 + self.stall.1);
        }
        self.wall.get() * MS
    }

    fn cpu(self) -> Duration {
        let look = self.cpu_looks.get();
        self.cpu_looks.set(look + 1);
        let shown = self.cpu.get(look).or(self.cpu.last());
        shown.copied().unwrap_or(0) * MS
    }
}

/// Budgets of later turns and of the first one, in milliseconds.
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

/// The iterations of each answer of a session over lines of input, from the debug texts.
fn iterations(options: Options, time: &Steps, input: &str) -> Vec<u64> {
    let mut output = Output {
        text: Vec::new(),
        time,
    };
    let mut log = Vec::new();
    Session::with_time(options, time)
        .run(input.as_bytes(), &mut output, &mut log)
        .expect("nothing fails in memory");
    assert_eq!(String::from_utf8_lossy(&log), "");
    let answers = String::from_utf8(output.text).expect("text");
    let answers = answers.lines().filter(|line| line.starts_with('{'));
    answers.map(iterations_of).collect()
}

/// What a bot writes, to a platform that stops it for a second while it does.
struct Output<'a> {
    text: Vec<u8>,
    time: &'a Steps,
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

/// The number of iterations in an answer's debug text.
fn iterations_of(answer: &str) -> u64 {
    let answer: Value = serde_json::from_str(answer).expect("JSON");
    let debug = answer["debug"].as_str().expect("a text");
    let (before, _) = debug.split_once(" iterations").expect("counted");
    let number = before.rsplit(' ').next().expect("a number");
    number.parse().expect("a number")
}

/// Black's first move of all games here, and a move of an amazon that the bot, as black, can't stop.
const OPENING: &str = "2 0 2 1 3 1";
const REPLY: &str = "0 5 0 6 0 5";

/// A line with the record of a game so far.
fn history(moves: &[&str]) -> String {
    let moves = moves.iter().map(|turn| turn.parse().expect("a move"));
    whole_record(&moves.collect::<Vec<_>>(), true)
}

/// Lines of two turns: black's first, and white's answer to it, kept running.
fn two_turns() -> String {
    let reply = json_text(REPLY.parse().ok());
    format!("{}\n{{\"request\":{reply}}}\n", history(&[]))
}

/// The iterations within so many milliseconds: the clock is started with one look, and each later one takes one.
fn within(budget: u64) -> u64 {
    1 + PER_LOOK * (budget - 1)
}

#[test]
fn first_turn_uses_its_own_time_limit() {
    for (time, first_time, input, expected) in [
        (10, 25, two_turns(), &[within(25), within(10)][..]),
        (25, 10, two_turns(), &[within(10), within(25)]),
        // White's first turn, and a process started in the middle of a game.
        (10, 25, history(&[OPENING]), &[within(25)]),
        (10, 25, later_turn(), &[within(10)]),
        // However little time there is.
        (0, 0, two_turns(), &[1, 1]),
    ] {
        let options = options(time, first_time);
        let found = iterations(options, &Steps::default(), &input);
        assert_eq!(found, expected, "{time}, {first_time}, {input}");
    }
}

/// The CPU clock is read when a turn begins and when its answer is out.
#[test]
fn cpu_time_between_turns_is_charged_once() {
    let time = Steps {
        cpu: vec![5, 30, 33],
        ..Steps::default()
    };
    let found = iterations(options(10, 25), &time, &two_turns());
    assert_eq!(found, [within(25 - 5), within(10 - 3)]);
}

/// A line with the record of a later turn.
fn later_turn() -> String {
    history(&[OPENING, REPLY])
}

/// The bot of a process that knows nothing yet expects a stall of 30 ms.
#[test]
fn stall_shortens_the_next_turn_by_default() {
    let input = [(); 3].map(|()| later_turn()).join("\n");
    // In the middle of the first turn.
    let stalling = || Steps {
        stall: (60, 50),
        ..Steps::default()
    };
    let heeding = Options {
        adapts_to_stalls: true,
        ..options(200, 25)
    };
    let found = iterations(heeding, &stalling(), &input);
    // The stall took 51 ms of a turn of 149, so eight thousandths of 50 are given back for each of these.
    let expected = [within(200 - 30 - 50), within(200 - 51), within(200 - 50)];
    assert_eq!(found, expected);
    let words = ["--time-ms=200", "--memory-mb=1", "--seed=1"];
    let Ok(Command::Bot(given)) = cli::parse(words.map(str::to_owned)) else {
        panic!("options of the bot");
    };
    let found = iterations(given, &stalling(), &input);
    assert_eq!(found, [within(200 - 50), within(200), within(200)]);
}

#[test]
fn first_turns_and_stops_after_answers_are_ignored() {
    let heeding = Options {
        adapts_to_stalls: true,
        ..options(200, 25)
    };
    let found = iterations(heeding, &Steps::default(), &two_turns());
    assert_eq!(found, [within(25), within(200 - 29)]);
}

/// The iterations of a search for the budget, unless the winner is found first; `most` is how often it may ask to go on.
fn searched(board: Board, budget: Budget, most: u32) -> Option<u64> {
    let time = Steps::default();
    let clock = Clock::start(&time, Duration::ZERO);
    let mut search = Search::new(board, 1 << 20, 1, Params::default());
    let asked = Cell::new(0);
    budget.spend(&mut search, &clock, || {
        asked.replace(asked.get() + 1) == most
    });
    let is_open = search.winner().is_none();
    is_open.then(|| search.report().iterations)
}

#[test]
fn search_ends_by_iterations_or_cancellation() {
    for (most, expected) in [(100, 7), (3, 3), (0, 0)] {
        let found = searched(Board::start(), Budget::Iterations(7), most);
        assert_eq!(found, Some(expected));
    }
}

#[test]
fn clock_is_read_more_often_in_endgames() {
    let iterations = |board| searched(board, Budget::Time(20 * MS), u32::MAX);
    assert_eq!(iterations(Board::start()), Some(within(20)));
    let fewest = (0..200).map(walled_board).filter_map(iterations).min();
    assert!(fewest.is_some_and(|fewest| 2 * fewest < within(20)));
}

/// A time of the longest duration, and a CPU time that was longest before the turn.
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
