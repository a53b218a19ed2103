//! Measures how near to perfect a player is: how often its move turns a won position into a lost one, by plies played.
//!
//! `cargo bench --bench yardstick -- N PLAYER…` asks players, written as for `amazons arena`, for a move in N positions of
//! `benches/yardstick.txt`. A solver then decides who wins after the move; undecided positions are counted separately. A
//! player starts anew for each position, without a search tree of earlier turns. Each win that is given away is printed, as
//! the moves of its game and the losing move.
//!
//! `cargo bench --bench yardstick -- --plot FILE` prints an SVG plot of the table that an earlier run printed into FILE.
//!
//! `cargo bench --bench yardstick -- --find RECORD…` makes a new file of positions from game records. A position is chosen if
//! the solver proves that the side to move wins, if counting moves alone does not prove the win, and if at least one move
//! loses. The benchmark panics if a search proves the opposite winner.

use engine::board::{Board, Move, Player};
use engine::mcts::endgame::certain_winner;
use engine::mcts::{Params, Search};
use engine::movegen;
use plotters::style::RGBColor;
use record::checked_game::CheckedGame;
use record::judge::Coordinates;
use solver::Solver;
use std::ops::RangeInclusive;
use std::time::Duration;
use std::{env, fmt, fs};
use tools::platform::process::{Launch, Limits};
use tools::player::bot_player::BotPlayer;
use tools::player::spec::PlayerSpec;
use training::plots::{self, Panel};

const POSITIONS_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/yardstick.txt");

/// Range of the number of plies played before a position.
const PLIES: RangeInclusive<usize> = 18..=40;

/// Minimum number of chosen positions of a game; games with fewer are left out, to keep the file of positions small.
const MIN_POSITIONS_PER_GAME: usize = 3;

/// Maximum number of solver nodes for proving the winner of a candidate position.
const MAX_NODES: u64 = 200_000;

/// Approximate maximum number of moves tried, evenly spread over all moves, to find one that loses.
const MAX_TRIED_MOVES: usize = 20;

/// Maximum number of solver nodes for the position after a player's move.
const MAX_NODES_AFTER_MOVE: u64 = 2_000_000;

/// Number of iterations of the search that confirms the solver's winner.
const ITERATIONS: u64 = 300_000;

/// Memory in bytes of the solver's table, and of the confirming search's tree.
const MEMORY: usize = 256 << 20;

/// Time and memory limits of a player's process, so high that only the player's own settings limit it.
const LIMITS: Limits = Limits {
    first: Duration::from_secs(600),
    later: Duration::from_secs(600),
    memory_bytes: 4 << 30,
    by_cpu: false,
};

/// Solves a position. Returns the winner, or `None` if `nodes` solver nodes are not enough.
fn winner(solver: &mut Solver, board: &Board, nodes: u64) -> Option<Player> {
    let limit = solver.nodes() + nodes;
    solver.winner(board, &mut |done| done < limit)
}

/// Returns the board after the move `turn`.
fn after_move(board: &Board, turn: Move) -> Board {
    let mut after = board.clone();
    after.play(turn).expect("a legal move");
    after
}

/// Prints a file of positions chosen from the game records at `paths`.
fn find_positions(paths: &[String]) {
    let mut solver = Solver::new(MEMORY);
    let (mut found, mut confirmed) = (0, 0);
    for path in paths {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let game = CheckedGame::read(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let plies = chosen_plies(&game, &mut solver);
        if plies.len() < MIN_POSITIONS_PER_GAME {
            continue;
        }
        found += plies.len();
        confirmed += plies
            .iter()
            .filter(|&&ply| is_confirmed(game.board_at(ply)))
            .count();
        let numbers: Vec<String> = plies.iter().map(usize::to_string).collect();
        let last = plies[plies.len() - 1];
        println!(
            "{}: {}",
            numbers.join(" "),
            format_moves(&game.turns()[..last])
        );
    }
    println!("# {found} positions; a search proves the same winner of {confirmed}");
}

/// Returns the numbers of plies, in ascending order, after which a position of the game is chosen for the file.
fn chosen_plies(game: &CheckedGame, solver: &mut Solver) -> Vec<usize> {
    let mut plies = Vec::new();
    for ply in PLIES.rev().filter(|&ply| ply < game.plies()) {
        let board = game.board_at(ply);
        let Some(winner) = winner(solver, &board, MAX_NODES) else {
            // Positions with fewer plies are harder to solve, so the solver would fail there, too.
            break;
        };
        let is_won = winner == board.to_move();
        if is_won && certain_winner(&board).is_none() && can_be_lost(solver, &board) {
            plies.insert(0, ply);
        }
    }
    plies
}

/// Tests if a search proves that the side to move wins.
///
/// # Panics
/// If the search proves that the opponent wins.
fn is_confirmed(board: Board) -> bool {
    let mover = board.to_move();
    let mut search = Search::new(board, MEMORY, 0, Params::default());
    search.run(|done| done < ITERATIONS);
    assert_ne!(search.winner(), Some(!mover), "{}", search.board());
    search.winner().is_some()
}

/// Tests if at least one of about [`MAX_TRIED_MOVES`] moves turns the won position into a lost one.
fn can_be_lost(solver: &mut Solver, board: &Board) -> bool {
    let moves = movegen::moves(board);
    let tried = moves.iter().step_by(moves.len().div_ceil(MAX_TRIED_MOVES));
    tried
        .copied()
        .any(|turn| winner(solver, &after_move(board, turn), MAX_NODES) == Some(!board.to_move()))
}

/// Formats moves for the file of positions: without spaces within a move, and separated by spaces.
fn format_moves(moves: &[Move]) -> String {
    let words: Vec<String> = moves
        .iter()
        .map(|turn| turn.to_string().replace(' ', ""))
        .collect();
    words.join(" ")
}

/// Reads the file of positions. Each position is returned as the moves that lead to it.
fn read_positions() -> Vec<Vec<Move>> {
    let text = fs::read_to_string(POSITIONS_FILE).expect("the positions");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let of_line = |line: &str| {
        let (plies, moves) = line.split_once(": ").expect("plies and moves");
        let game = CheckedGame::read(moves).expect("a sound record").turns();
        let plies = plies
            .split(' ')
            .map(|ply| ply.parse::<usize>().expect("a number"));
        plies.map(|ply| game[..ply].to_vec()).collect::<Vec<_>>()
    };
    lines.flat_map(of_line).collect()
}

/// Counts of a player's moves: moves asked for, wins given away, and moves whose outcome the solver leaves open.
#[derive(Clone, Copy, Default)]
struct Tally {
    asked: usize,
    given_away: usize,
    open: usize,
}

/// Starts a player's process and asks it for a move in the last position of `game`.
fn ask(spec: &PlayerSpec, game: &CheckedGame, seed: u64) -> Move {
    let launch = Launch::new(env!("CARGO_BIN_EXE_amazons").into());
    let mut player = BotPlayer::new(spec, seed, launch);
    let plies = game.plies();
    let turn = player.play_turn(&game.board_at(plies), &game.history(plies), LIMITS, &|| {
        false
    });
    let response = turn.expect("a turn").response.expect("an answer");
    let numbers = Coordinates::read(&response).expect("a move").numbers();
    Move::from_coordinates(numbers).expect("a move on the board")
}

/// Asks all players for a move in each of `count` positions, spread over the file, and prints how many wins they give away.
fn measure(count: usize, specs: &[PlayerSpec]) {
    let positions = read_positions();
    let count = count.min(positions.len());
    let mut solver = Solver::new(MEMORY);
    let mut tallies = vec![[Tally::default(); *PLIES.end() + 1]; specs.len()];
    for number in 0..count {
        let moves = &positions[number * positions.len() / count];
        let game = CheckedGame::from_moves(moves).expect("a sound game");
        let board = game.board_at(moves.len());
        let lost = Some(!board.to_move());
        let found = winner(&mut solver, &board, MAX_NODES_AFTER_MOVE);
        assert_ne!(found, lost, "{board}");
        for (spec, tallies) in specs.iter().zip(&mut tallies) {
            let turn = ask(spec, &game, number as u64);
            let found = winner(&mut solver, &after_move(&board, turn), MAX_NODES_AFTER_MOVE);
            let tally = &mut tallies[moves.len()];
            tally.asked += 1;
            tally.open += usize::from(found.is_none());
            if found == lost {
                tally.given_away += 1;
                println!("{}: {turn} after {}", spec.name, format_moves(moves));
            }
        }
    }
    print_table(specs, &tallies);
}

/// Prints a table with a row for each number of plies and a column for each player: wins given away and moves left open.
fn print_table(specs: &[PlayerSpec], tallies: &[[Tally; *PLIES.end() + 1]]) {
    let names: Vec<&str> = specs.iter().map(|spec| &*spec.name).collect();
    println!("| plies | positions | {} |", names.join(" | "));
    println!("| --- | --- |{}", " --- |".repeat(specs.len()));
    for ply in PLIES {
        let cells: Vec<String> = tallies.iter().map(|of| of[ply].to_string()).collect();
        let asked = tallies[0][ply].asked;
        println!("| {ply} | {asked} | {} |", cells.join(" | "));
    }
    for (name, tallies) in names.iter().zip(tallies) {
        let mut sum = Tally::default();
        let mut all_kept_from = 0;
        for (ply, tally) in tallies.iter().enumerate() {
            sum.asked += tally.asked;
            sum.given_away += tally.given_away;
            sum.open += tally.open;
            if tally.given_away + tally.open > 0 {
                all_kept_from = ply + 1;
            }
        }
        let asked = sum.asked;
        println!("{name}: {sum} of {asked}, none from ply {all_kept_from} on");
    }
}

/// Colours of the curves, which colour-blind people can distinguish (Okabe and Ito, 2008).
const COLOURS: [RGBColor; 5] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
];

/// Points of a curve: number of plies played, and percentage of the wins given away there.
type Curve = Vec<(f64, f64)>;

/// Parses a table as printed by [`print_table`] into a curve for each player. A row may cover several numbers of plies, written
/// as `18 to 22`. Returns `None` if the text holds no such table.
fn parse_table(table: &str) -> Option<Vec<(&str, Curve)>> {
    let cells = |line| str::strip_prefix(line, "| ")?.strip_suffix(" |");
    let mut rows = table.lines().filter_map(cells).map(|row| row.split(" | "));
    let names = rows.next()?.skip(2);
    let mut lines: Vec<(&str, Curve)> = names.map(|name| (name, Vec::new())).collect();
    for mut row in rows {
        let plies = row.next()?;
        let (first, last) = plies.split_once(" to ").unwrap_or((plies, plies));
        // Skips rows without a number of plies, such as the separator below the players' names.
        let (Ok(first), Ok(last)) = (first.parse::<f64>(), last.parse::<f64>()) else {
            continue;
        };
        let positions = row.next()?.parse::<f64>().ok()?;
        for ((_, line), cell) in lines.iter_mut().zip(row).filter(|_| positions > 0.0) {
            let given_away = cell.split(' ').next()?.parse::<f64>().ok()?;
            line.push(((first + last) / 2.0, 100.0 * given_away / positions));
        }
    }
    Some(lines)
}

/// Prints an SVG plot of the table in the file `path`.
fn plot(path: &str) {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines =
        parse_table(&text).unwrap_or_else(|| panic!("{path}: expected a table of yardstick"));
    let lines = lines.into_iter().zip(COLOURS.into_iter().cycle());
    let lines =
        lines.map(|((name, points), colour)| plots::Curve::new(name, colour, false, points));
    let panel = Panel {
        title: "wins given away, percent of positions",
        labels: ["plies played", "%"],
        curves: lines.collect(),
    };
    let svg = plots::svg(2, &[panel]);
    println!("{svg}");
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.given_away)?;
        match self.open {
            0 => Ok(()),
            open => write!(f, " ({open} open)"),
        }
    }
}

fn main() {
    let words: Vec<String> = env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    match words.split_first() {
        Some((word, paths)) if word == "--find" => find_positions(paths),
        Some((word, [path])) if word == "--plot" => plot(path),
        Some((count, players)) if count.parse::<usize>().is_ok() && !players.is_empty() => {
            let specs = players
                .iter()
                .map(|player| player.parse().expect("a player"));
            measure(count.parse().expect("a number"), &specs.collect::<Vec<_>>());
        }
        // Plain `cargo bench` also starts this program, with no words or with those of criterion.
        Some((word, _)) if !word.starts_with('-') => {
            eprintln!("yardstick: expected N PLAYER…, --find RECORD… or --plot FILE");
        }
        _ => {}
    }
}
