//! Tests of the solver against exhaustive search, with and without a transposition table.

use crate::common::Dice;
use crate::common::small::{Area, Exhaustive, random_small_board};
use engine::board::{Board, Player, squares};
use engine::mcts::endgame::{certain_winner, moves_left};
use engine::mcts::{Params, Search};
use solver::{Solved, Solver};

/// Maximum number of positions in the exhaustive search's table before a new table is started.
const MAX_TABLE_LEN: usize = 1 << 22;

/// Size of a transposition table that rarely overwrites entries in these tests, in bytes.
const BYTES: usize = 1 << 24;

/// Number of iterations with which a search proves the winner of a small board.
const ITERATIONS: u64 = 100_000;

/// Checks winners and lines on thousands of small boards of all shapes.
#[test]
fn winners_and_lines_match_exhaustive_search() {
    let small = |seed| random_small_board(seed, 9);
    check((0..3_000).map(small), &mut Solver::new(BYTES));
    // Without a table, each transposition is searched again.
    let smaller = |seed| random_small_board(seed, 6);
    check((3_000..6_000).map(smaller), &mut Solver::new(0));
    check((0..2_000).map(one_shared), &mut Solver::new(BYTES));
    check((0..2_000).map(many_shared), &mut Solver::new(BYTES));
}

/// Checks hundreds of thousands of small boards. To be run after changes to the solver.
#[test]
#[ignore = "takes minutes"]
fn winners_of_many_boards_match_exhaustive_search() {
    let small = |seed| random_small_board(seed, 11);
    let boards = (3_000_000..3_300_000).map(small);
    check(boards, &mut Solver::new(BYTES));
    check((2_000..300_000).map(one_shared), &mut Solver::new(BYTES));
    check((2_000..100_000).map(many_shared), &mut Solver::new(BYTES));
}

/// Generates a board with a region of up to six empty squares for both players, and separate regions for black and
/// white alone.
fn one_shared(seed: u64) -> Board {
    let mut dice = Dice::new(seed);
    let area = Area {
        width: 8,
        height: 3,
    };
    let both = 0x07_0707;
    let (mut inside, mut empty) = ([0_u64; 2], both);
    for player in [0, 1, dice.below(3), dice.below(3)] {
        let square = 1 << (8 * dice.below(3) + dice.below(3));
        if player < 2 && empty & square != 0 {
            inside[player] |= square;
            empty &= !square;
        }
    }
    while empty.count_ones() > 6 {
        empty &= !(1 << (8 * dice.below(3) + dice.below(3)));
    }
    // The one-player regions lie in the last four files: one amazon and up to three empty squares in a row.
    for (row, amazons) in inside.iter_mut().enumerate() {
        let start = 8 * (2 * row) + 4;
        *amazons |= 1 << start;
        empty |= ((1 << dice.below(4)) - 1) << (start + 1);
    }
    area.board(inside, empty, [Player::Black, Player::White][dice.below(2)])
}

/// Generates a board with two or three regions that contain amazons of both players, with up to seven empty squares in
/// total.
fn many_shared(seed: u64) -> Board {
    let mut dice = Dice::new(seed);
    let area = Area {
        width: 8,
        height: 5,
    };
    let regions: &[u64] = match dice.below(3) {
        0 => &[0x07_0707, 0x70_7070],
        1 => &[0x0f0f, 0x0f0f << 24],
        _ => &[0x0303, 0x0707 << 5, 0x0707 << 24],
    };
    let (mut inside, mut empty) = ([0_u64; 2], regions.iter().sum::<u64>());
    for &region in regions {
        for set in &mut inside {
            let free: Vec<_> = squares(region & empty).collect();
            let square = free[dice.below(free.len())].bit();
            *set |= square;
            empty &= !square;
        }
    }
    while empty.count_ones() > 7 {
        let free: Vec<_> = squares(empty).collect();
        empty &= !free[dice.below(free.len())].bit();
    }
    area.board(inside, empty, [Player::Black, Player::White][dice.below(2)])
}

fn check(boards: impl Iterator<Item = Board>, solver: &mut Solver) {
    let mut exhaustive = Exhaustive::default();
    let (mut open, mut by_mover) = (0, 0);
    for board in boards {
        if certain_winner(&board).is_some() {
            continue;
        }
        if exhaustive.len() > MAX_TABLE_LEN {
            exhaustive = Exhaustive::default();
        }
        let winner = exhaustive.winner(&board);
        let solved = solver.solve(&board, |_| true).expect("nothing stops it");
        assert_eq!(solved.winner, winner, "{board}");
        check_line(&board, &solved, &mut exhaustive);
        open += 1;
        by_mover += usize::from(winner == board.to_move());
    }
    println!("{open} boards, {by_mover} won by the mover");
    assert!(open > 200 && 6 * by_mover > open && 6 * (open - by_mover) > open);
}

/// Checks that the winner keeps the win after every move of the line, and that counting moves proves the win at its
/// end.
fn check_line(board: &Board, solved: &Solved, exhaustive: &mut Exhaustive) {
    let mut board = board.clone();
    for &turn in &solved.line {
        board.play(turn).expect("legal");
        assert_eq!(exhaustive.winner(&board), solved.winner, "{turn}\n{board}");
    }
    assert_eq!(certain_winner(&board), Some(solved.winner), "{board}");
}

/// Threads that share a table must find the winners and margins of a single thread, and must stop on request.
#[test]
fn several_threads_agree_with_a_single_thread() {
    // A small table, so that many entries are overwritten.
    let mut together = Solver::with_threads(1 << 15, 3);
    let mut alone = Solver::new(BYTES);
    let mut long = 0;
    for seed in 0..200 {
        let board = random_small_board(seed, 14);
        let nodes = alone.nodes();
        let winner = alone.winner(&board, &mut |_| true);
        long += usize::from(alone.nodes() > nodes + 20);
        // The line ends with a proven win, whichever thread has found the winner.
        let solved = Solver::with_threads(1 << 15, 3).solve(&board, |_| true);
        let solved = solved.expect("nothing stops it");
        let mut end = board.clone();
        (solved.line.iter()).for_each(|&turn| end.play(turn).expect("legal"));
        assert_eq!(
            (Some(solved.winner), certain_winner(&end)),
            (winner, winner),
            "{board}"
        );
        assert_eq!(together.winner(&board, &mut |_| true), winner, "{board}");
        let margins = [&mut alone, &mut together]
            .map(|solver| solver.margin(&board, winner.expect("found"), &mut |_| true));
        assert_eq!(margins[0], margins[1], "{board}");
    }
    assert!(long > 10, "{long}");
    let board = Board::start();
    let mut asked = 0;
    let stopped = together.winner(&board, &mut |_| {
        asked += 1;
        asked < 1_000
    });
    assert_eq!((stopped, asked), (None, 1_000));
}

/// Checks all boards of 3×3 squares with up to two amazons per side, for both sides to move.
#[test]
fn all_3x3_boards_match_exhaustive_search() {
    check_all_boards(3, 3);
}

/// Checks all boards of 3×4 squares with up to two amazons per side, for both sides to move.
#[test]
#[ignore = "takes minutes"]
fn all_3x4_boards_match_exhaustive_search() {
    check_all_boards(4, 3);
}

/// Checks the winners proven by counting, by the solver and by the search against exhaustive search.
fn check_all_boards(width: usize, height: usize) {
    let area = Area { width, height };
    let mut solver = Solver::new(BYTES);
    let mut search = Search::new(Board::start(), 1 << 20, 0, Params::default());
    let [mut boards, mut open, mut proven] = [0; 3];
    for amazons in (0..9).map(|number| [number / 3, number % 3]) {
        let mut exhaustive = Exhaustive::default();
        for board in area.all_boards(amazons) {
            let winner = Some(exhaustive.winner(&board));
            boards += 1;
            if let Some(certain) = certain_winner(&board) {
                assert_eq!(Some(certain), winner, "{board}");
                continue;
            }
            open += 1;
            assert_eq!(solver.winner(&board, &mut |_| true), winner, "{board}");
            search.set_board(board.clone());
            search.run(|done| done < ITERATIONS);
            if search.winner().is_some() {
                proven += 1;
                assert_eq!(search.winner(), winner, "{board}");
            }
        }
    }
    println!("{boards} boards, {open} not certain by counting, of which a search proves {proven}");
    assert!(boards > 150_000 && 20 * open > boards && proven == open);
}

/// A stopped solver returns no winner, and a later call must profit from the table that the first call filled.
#[test]
fn stopped_solver_continues_from_its_table() {
    let board = (0..)
        .map(|seed| random_small_board(seed, 14))
        .find(|board| {
            let mut nodes = 0;
            let mut solver = Solver::new(BYTES);
            solver.solve(board, |done| {
                nodes = done;
                done < 2_000
            });
            nodes >= 2_000
        })
        .expect("some board takes long");
    let mut solver = Solver::new(BYTES);
    let mut attempts = 0;
    let winner = loop {
        let last = solver.nodes();
        if let Some(winner) = solver.winner(&board, &mut |done| done < last + 300) {
            break winner;
        }
        attempts += 1;
        assert_eq!(solver.nodes(), last + 300);
    };
    assert!(attempts > 1, "{attempts}");
    let at_once = Solver::new(BYTES).winner(&board, &mut |_| true);
    assert_eq!(Some(winner), at_once);
}

/// The margin is the largest number of turns that the loser can pass and still lose.
#[test]
fn margins_match_exhaustive_search() {
    let small = |seed| random_small_board(seed, 8);
    check_margins((0..1_000).map(small).chain((0..300).map(one_shared)));
}

/// Checks tens of thousands of margins. To be run after changes to the solver.
#[test]
#[ignore = "takes minutes"]
fn margins_of_many_boards_match_exhaustive_search() {
    let small = |seed| random_small_board(seed, 10);
    check_margins(
        (4_000_000..4_030_000)
            .map(small)
            .chain((2_000..20_000).map(one_shared)),
    );
}

fn check_margins(boards: impl Iterator<Item = Board>) {
    let mut exhaustive = Exhaustive::default();
    let mut solver = Solver::new(BYTES);
    let (mut separated, mut by_margin) = (0, [0; 4]);
    for board in boards {
        if exhaustive.len() > MAX_TABLE_LEN {
            exhaustive = Exhaustive::default();
        }
        let winner = exhaustive.winner(&board);
        let found = solver.margin(&board, winner, &mut |_| true);
        let moves = exhaustive.margin(&board);
        assert_eq!((found.least, found.is_exact), (moves, true), "{board}");
        if moves_left(&board).is_some() {
            separated += 1;
        } else {
            by_margin[moves.min(3) as usize] += 1;
        }
    }
    println!("{separated} are separated, margins 0, 1, 2 and more of the others: {by_margin:?}");
    assert!(separated > 50 && by_margin.iter().all(|&boards| boards > 20));
}

/// Once the players are separated, the margin must equal the moves that the winner has left when the loser has none.
#[test]
fn margin_equals_moves_left_after_separation() {
    let [mut margins, mut boards] = [0; 2];
    for seed in 0..1_000 {
        let mut board = random_small_board(seed, 8);
        if moves_left(&board).is_none() {
            continue;
        }
        let winner = certain_winner(&board).expect("counted");
        let margin = Solver::new(0).margin(&board, winner, &mut |_| false);
        assert!(margin.is_exact);
        boards += 1;
        margins += margin.least;
        // Both players fill their territories until the loser has no move.
        while let Some((_, turn)) = engine::mcts::endgame::longest_fill(&board) {
            board.play(turn).expect("legal");
        }
        assert_eq!(board.to_move(), !winner, "{board}");
        let left = moves_left(&board).expect("separated");
        assert_eq!(left[winner as usize], margin.least, "seed {seed}\n{board}");
        assert_eq!(left[Player::Black as usize].min(left[1]), 0);
    }
    assert!(boards > 50 && margins > 50, "{boards} boards, {margins}");
}
