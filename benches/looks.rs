//! Time between two looks at the clock, in late positions of two kinds: from games of the bot against itself, and with
//! walls between the players, where counting an endgame is hardest.
//!
//! `cargo bench --bench looks [-- POSITIONS]` prints CPU time, which doesn't depend on what else the machine does. A
//! turn's first look comes after the search for a longest fill and one iteration. After its last look come the best
//! move and the report.

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

/// Default number of positions of each kind.
const POSITIONS: usize = 5_000;

/// Most empty squares of a late position.
const LATE: u32 = 30;

/// Time to search a position.
const BUDGET: Budget = Budget::Time(Duration::from_millis(10));

/// Memory of the search tree.
const MEMORY: usize = 8 << 20;

/// The system's time. It records the CPU time between readings of the wall clock.
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

/// The longest times of a turn without a look: before the first look, and after it until the end.
struct Turn {
    before_first: Duration,
    between: Duration,
}

/// Searches a position as the bot does on its turn.
fn search(search: &mut Search, board: &Board) -> Turn {
    search.set_board(board.clone());
    let recorder = Recorder::start();
    let clock = Clock::start(&recorder, recorder.cpu());
    BUDGET.spend(search, &clock, || false);
    let answer = (search.best_move(), search.report());
    let _ = (recorder.wall(), answer);
    let gaps = recorder.gaps.take();
    // The first reading is the start of the clock.
    Turn {
        before_first: gaps[1],
        between: gaps[2..].iter().copied().max().unwrap_or_default(),
    }
}

/// Late positions of games between short searches, from random openings.
fn late_positions(number: usize) -> Vec<Board> {
    let mut boards = Vec::new();
    for game in 0.. {
        let opening = common::random_board(game, 4);
        let mut search = Search::new(opening, MEMORY, game, Params::default());
        while movegen::count(search.board()) > 1 {
            if search.board().empty().count_ones() <= LATE {
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

/// Prints quantiles of the times of all turns.
fn print(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let quantile = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_micros();
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
    let number = number.unwrap_or(POSITIONS);
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
        print(
            &format!("{name}, before the first look"),
            all(|turn| turn.before_first),
        );
        print(
            &format!("{name}, between two looks"),
            all(|turn| turn.between),
        );
    }
}
