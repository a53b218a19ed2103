//! Measures how much time passes between two readings of the clock in a turn, because the bot can overrun its time limit by
//! as much.
//!
//! Late positions of two kinds are searched: from games of the bot against itself, and with walls between the players, where
//! proving an endgame by counting moves takes longest.
//!
//! `cargo bench --bench looks -- POSITIONS` prints CPU times for so many positions of each kind (5,000 for a good estimate), which
//! hardly depend on the load of the machine. Before the first reading, a turn searches for a longest fill and runs one iteration.
//! After the last reading, it chooses the best move and writes the report.

#[path = "../tests/common/mod.rs"]
mod common;

use common::walled_board;
use engine::board::Board;
use engine::budget::Budget;
use engine::clock::{Clock, SystemTime, TimeSource};
use engine::mcts::{Params, Search};
use engine::movegen;
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// Maximum number of empty squares of a late position.
const MAX_LATE_EMPTY: u32 = 30;

/// Time limit for the search of a position.
const BUDGET: Budget = Budget::Time(Duration::from_millis(10));

/// Memory of the search tree, in bytes.
const MEMORY: usize = 8 << 20;

/// System clock that records the CPU time spent between successive readings of the wall clock.
struct Recorder {
    system: SystemTime,
    last: Cell<Duration>,
    gaps: RefCell<Vec<Duration>>,
}

impl Recorder {
    fn start() -> Recorder {
        let system = SystemTime::default();
        Recorder {
            system,
            last: Cell::new(system.cpu()),
            gaps: RefCell::default(),
        }
    }
}

impl TimeSource for &Recorder {
    fn wall(self) -> Duration {
        let now = self.system.cpu();
        let gap = now - self.last.replace(now);
        self.gaps.borrow_mut().push(gap);
        self.system.wall()
    }

    fn cpu(self) -> Duration {
        self.system.cpu()
    }
}

/// CPU time of a turn before the first reading of the clock, and the longest CPU time between two later readings.
struct Turn {
    before_first: Duration,
    between: Duration,
}

/// Searches a position as the bot does on its turn, and returns the times between readings of the clock.
fn search(search: &mut Search, board: &Board) -> Turn {
    search.set_board(board.clone());
    let recorder = Recorder::start();
    let clock = Clock::start(&recorder, recorder.cpu());
    BUDGET.spend(search, &clock, || false);
    let answer = (search.best_move(), search.report());
    let _ = (recorder.wall(), answer);
    let gaps = recorder.gaps.take();
    // gaps[0] is the time before the turn's clock was started, so it is not part of the turn.
    Turn {
        before_first: gaps[1],
        between: gaps[2..].iter().copied().max().unwrap_or_default(),
    }
}

/// Plays games of 200 iterations per move after random openings. Returns the first `number` late positions with at least two
/// legal moves.
fn late_positions(number: usize) -> Vec<Board> {
    let mut boards = Vec::new();
    for game in 0.. {
        let opening = common::random_board(game, 4);
        let mut search = Search::new(opening, MEMORY, game, Params::default());
        while movegen::count(search.board()) > 1 {
            if search.board().empty().count_ones() <= MAX_LATE_EMPTY {
                boards.push(search.board().clone());
            }
            search.run(|done| done < 200);
            let turn = search.best_move().expect("there are moves");
            search.advance_root(turn).expect("the best move is legal");
        }
        if boards.len() >= number {
            break;
        }
    }
    boards.truncate(number);
    boards
}

/// Prints the quantiles 50, 99, 99.9 and 100 % of the times of all turns, in microseconds.
fn print_quantiles(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let quantile =
        |fraction: f64| times[((times.len() - 1) as f64 * fraction) as usize].as_micros();
    println!(
        "{name:>36}: {:5} {:5} {:5} {:5}",
        quantile(0.5),
        quantile(0.99),
        quantile(0.999),
        quantile(1.0)
    );
}

fn main() {
    let number = std::env::args().find_map(|word| word.parse().ok());
    let Some(number) = number else {
        // Plain `cargo bench` also starts this program.
        return;
    };
    let kinds = [
        ("late", late_positions(number)),
        ("walled", (0..number as u64).map(walled_board).collect()),
    ];
    println!(
        "longest times of {number} turns each, in µs of CPU time: median, 99 %, 99.9 %, longest"
    );
    let mut tree = Search::new(Board::start(), MEMORY, 1, Params::default());
    for (name, boards) in kinds {
        let turns: Vec<Turn> = boards
            .iter()
            .map(|board| search(&mut tree, board))
            .collect();
        let all = |time: fn(&Turn) -> Duration| turns.iter().map(time).collect();
        print_quantiles(
            &format!("{name}, before the first clock reading"),
            all(|turn| turn.before_first),
        );
        print_quantiles(
            &format!("{name}, between two clock readings"),
            all(|turn| turn.between),
        );
    }
}
