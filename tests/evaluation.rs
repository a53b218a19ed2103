//! Tests the evaluation: against breadth-first search on the array of cells, under the board's symmetries, in all SIMD lanes.

use crate::common::{at, directions, random_board, transformed_board};
use engine::bitboard::{Kernel, Lanes, MAX_LANES, run_widest, run_with};
use engine::board::{Board, Cell, Player, Square, squares};
use engine::eval::policy::DIRECTIONS;
use engine::eval::value;
use engine::eval::value::amazons::{AmazonInputs, FIRST_REACH_ROW, REACH_CLASSES};
use engine::eval::weights::{SIDE_TO_MOVE, knots};
use engine::eval::{
    self, Batch, Features, KING_UNIT, MAX_BATCH, Networks, PROVEN_LOSS, PROVEN_WIN, Phase,
    QUEEN_UNIT, TERMS,
};
use proptest::prelude::*;
use std::collections::{HashSet, VecDeque};

/// Distance of squares that a player cannot reach.
const UNREACHED: i64 = i64::MAX;

/// Computes the distances from a player's amazons to all squares, by breadth-first search on the array of cells.
fn distances(board: &Board, player: Player, queen: bool) -> [[i64; 8]; 8] {
    let mut distances = [[UNREACHED; 8]; 8];
    let mut queue: VecDeque<(i32, i32, i64)> = squares(board.amazons(player))
        .map(|square| (i32::from(square.x()), i32::from(square.y()), 0))
        .collect();
    while let Some((x, y, distance)) = queue.pop_front() {
        for (dx, dy) in directions() {
            let (mut x, mut y) = (x + dx, y + dy);
            while at(board, x, y) == Some(Cell::Empty) {
                let entry = &mut distances[y as usize][x as usize];
                if *entry == UNREACHED {
                    *entry = distance + 1;
                    queue.push_back((x, y, distance + 1));
                }
                if !queen {
                    break;
                }
                (x, y) = (x + dx, y + dy);
            }
        }
    }
    distances
}

/// Computes the components by their definitions, square by square.
fn by_definition(board: &Board) -> [i64; TERMS] {
    let players = [Player::Black, Player::White];
    let queen = players.map(|player| distances(board, player, true));
    let king = players.map(|player| distances(board, player, false));
    let mut components = [0; TERMS];
    for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
        let [black, white] = [queen[0][y][x], queen[1][y][x]];
        components[0] += (white.cmp(&black)) as i64;
        let worth = |distance: i64| match distance {
            ..=8 => i64::from(2 * QUEEN_UNIT) >> distance,
            _ => 0,
        };
        components[2] += worth(black) - worth(white);
        components[8] += i64::from(white == UNREACHED) - i64::from(black == UNREACHED);
        let [black, white] = [king[0][y][x], king[1][y][x]];
        components[1] += (white.cmp(&black)) as i64;
        let unit = i64::from(KING_UNIT);
        components[3] += white.saturating_sub(black).clamp(-unit, unit);
    }
    for (player, sign) in players.into_iter().zip([1, -1]) {
        for square in squares(board.amazons(player)) {
            let (x, y) = (i32::from(square.x()), i32::from(square.y()));
            let mut neighbours = 0;
            for (dx, dy) in directions() {
                let length = (1..8)
                    .take_while(|d| at(board, x + d * dx, y + d * dy) == Some(Cell::Empty))
                    .count();
                components[4] += sign * length as i64;
                neighbours += i64::from(length > 0);
            }
            match neighbours {
                0 => components[5] += sign,
                1 => components[6] += sign,
                2 | 3 => components[7] += sign,
                _ => {}
            }
        }
    }
    components
}

/// Evaluates the second position in the last SIMD lane, and the first position in all other lanes.
struct LastLane<'a>(&'a Board, &'a Board);

impl Kernel for LastLane<'_> {
    type Output = [i64; TERMS];

    #[inline(always)]
    fn run<L: Lanes>(self) -> [i64; TERMS] {
        let load = |set: fn(&Board) -> u64| {
            let mut words = [set(self.0); MAX_LANES];
            words[L::COUNT - 1] = set(self.1);
            L::load(&words)
        };
        let features = Features::compute(
            load(|board| board.amazons(Player::Black)),
            load(|board| board.amazons(Player::White)),
            load(Board::empty),
        );
        features.terms().map(|component| {
            let mut words = [0; MAX_LANES];
            component.store(&mut words);
            words[L::COUNT - 1] as i64
        })
    }
}

fn components(board: &Board) -> [i64; TERMS] {
    let features = Features::<u64>::compute(
        board.amazons(Player::Black),
        board.amazons(Player::White),
        board.empty(),
    );
    features.terms().map(|component| component as i64)
}

#[test]
fn components_match_breadth_first_search_in_every_lane() {
    let other = random_board(1, 25);
    for seed in 0..3000 {
        let board = random_board(seed, seed as usize % 55);
        let expected = by_definition(&board);
        assert_eq!(components(&board), expected, "seed {seed}\n{board}");
        let in_last_lane = || LastLane(&other, &board);
        assert_eq!(run_widest(in_last_lane()), expected, "seed {seed}\n{board}");
        // Vector widths that this processor supports.
        let four = run_with::<4, _>(in_last_lane());
        let eight = run_with::<8, _>(in_last_lane());
        for components in [four, eight].into_iter().flatten() {
            assert_eq!(components, expected, "seed {seed}\n{board}");
        }
    }
}

/// Counts a player's amazons that reach an empty square in one move.
fn attackers(board: &Board, square: Square, player: Player) -> usize {
    let attacks = |(dx, dy): &(i32, i32)| {
        let (x, y) = (i32::from(square.x()), i32::from(square.y()));
        let mut along = (1..8).map(|step| at(board, x + step * dx, y + step * dy));
        let first = along.find(|&cell| cell != Some(Cell::Empty));
        first == Some(Some(Cell::Amazon(player)))
    };
    directions().filter(attacks).count()
}

/// Computes a square's feature as the value network's table defines it. `distances` are those of the side to move and of
/// the opponent.
fn feature(board: &Board, square: Square, distances: [&[[i64; 8]; 8]; 2]) -> usize {
    let (x, y) = (i32::from(square.x()), i32::from(square.y()));
    let free = |&(dx, dy): &(i32, i32)| at(board, x + dx, y + dy) == Some(Cell::Empty);
    let neighbours = directions().filter(free).count().min(5);
    let me = board.to_move();
    let code = |distances: &[[i64; 8]; 8], player| match distances[y as usize][x as usize] {
        UNREACHED => 5,
        1 if attackers(board, square, player) == 1 => 0,
        far @ 1..=3 => far as usize,
        _ => 4,
    };
    match at(board, x, y) {
        Some(Cell::Empty) => 8 * code(distances[0], me) + code(distances[1], !me),
        Some(Cell::Arrow) => 8 * 7 + 6,
        Some(Cell::Amazon(player)) if player == me => 8 * 6 + neighbours,
        _ => 8 * 7 + neighbours,
    }
}

/// Computes a square's pattern as `PATTERNS` defines it. `distances` are those of the side to move and of the opponent.
fn pattern(board: &Board, square: Square, distances: [&[[i64; 8]; 8]; 2]) -> usize {
    let (x, y) = (i32::from(square.x()), i32::from(square.y()));
    let free = DIRECTIONS.map(|step| {
        let [dx, dy] = step.map(i32::from);
        usize::from(at(board, x + dx, y + dy) == Some(Cell::Empty))
    });
    let neighbours: usize = (0..8).map(|bit| free[bit] << bit).sum();
    let moves = distances.map(|distances| match distances[y as usize][x as usize] {
        UNREACHED => 5,
        moves => moves.min(4),
    });
    let class = match at(board, x, y) {
        Some(Cell::Empty) => [0, 2, 1][(moves[0].cmp(&moves[1]) as i8 + 1) as usize],
        Some(Cell::Amazon(player)) => 3 + usize::from(player != board.to_move()),
        _ => 5,
    };
    256 * class + neighbours
}

#[test]
fn value_network_features_match_breadth_first_search() {
    let (mut features, mut patterns) = (HashSet::new(), HashSet::new());
    for seed in 0..2000 {
        let board = random_board(seed, seed as usize % 55);
        let player = board.to_move();
        let [mine, theirs] = [player, !player].map(|player| distances(&board, player, true));
        let inputs = value::find_inputs_of::<u64>(&board);
        for square in Square::all() {
            let feature = feature(&board, square, [&mine, &theirs]);
            let pattern = pattern(&board, square, [&mine, &theirs]);
            features.insert(feature);
            patterns.insert(pattern);
            let found = (
                inputs.features[square.index()],
                inputs.patterns[square.index()],
            );
            assert_eq!(found, (feature as u8, pattern as u16), "{square}\n{board}");
        }
    }
    assert!(features.len() > 45 && patterns.len() > 1200, "{features:?}");
}

/// Returns the squares along the eight lines from the square (x, y): up to and including the first one that is not empty.
/// Each is given as its coordinates, its content and its distance in king steps.
fn seen_from(board: &Board, (x, y): (i32, i32)) -> Vec<((i32, i32), Cell, usize)> {
    let mut seen = Vec::new();
    for (dx, dy) in directions() {
        for step in 1..8 {
            let to = (x + step * dx, y + step * dy);
            let Some(cell) = at(board, to.0, to.1) else {
                break;
            };
            seen.push((to, cell, step as usize));
            if cell != Cell::Empty {
                break;
            }
        }
    }
    seen
}

#[test]
fn amazons_select_rows_for_the_squares_that_they_see_and_reach_in_two_moves() {
    let code = |feature: u8, player: usize| usize::from(feature >> (3 * (1 - player)) & 7);
    let mut classes = HashSet::new();
    for seed in 0..300 {
        let board = random_board(seed, seed as usize % 55);
        let inputs = value::find_inputs_of::<u64>(&board);
        let amazons = [board.to_move(), !board.to_move()].map(|player| board.amazons(player));
        let found = AmazonInputs::new::<u64>(amazons, board.empty(), &inputs);
        for amazon in 0..8 {
            let player = amazon / 4;
            let square = squares(amazons[player]).nth(amazon % 4);
            let place = square.map_or((0, 0), |at| (i32::from(at.x()), i32::from(at.y())));
            let feature = |(x, y): (i32, i32)| inputs.features[(8 * y + x) as usize];
            let seen = seen_from(&board, place);
            let row = |&(to, _, step): &(_, _, usize)| {
                128 * player + 64 * usize::from(step == 1) + usize::from(feature(to))
            };
            let mut expected = Vec::from_iter(seen.iter().map(row));
            let mut rows = Vec::from_iter(found.seen_rows(amazon));
            expected.sort_unstable();
            rows.sort_unstable();
            assert_eq!(rows, expected, "amazon {amazon}\n{board}");

            let empty = |seen: Vec<((i32, i32), Cell, usize)>| {
                let empty = seen.into_iter().filter(|(_, cell, _)| *cell == Cell::Empty);
                HashSet::<(i32, i32)>::from_iter(empty.map(|(to, ..)| to))
            };
            let once = empty(seen);
            let twice: HashSet<_> = (once.iter())
                .flat_map(|&from| empty(seen_from(&board, from)))
                .collect();
            let mut expected = [0; REACH_CLASSES];
            for &to in twice.difference(&once) {
                let own_is_two = usize::from(code(feature(to), player) == 2);
                let class = 6 * own_is_two + code(feature(to), 1 - player);
                expected[class] += 1;
                classes.insert((player, class));
            }
            let first = FIRST_REACH_ROW + REACH_CLASSES * player;
            let expected = (first..).zip(expected);
            assert!(found.reach_rows(amazon).eq(expected), "{amazon}\n{board}");
        }
    }
    assert_eq!(classes.len(), 2 * REACH_CLASSES);
}

/// Checks a maze in which kings need far more than six steps and queens more than eight moves.
#[test]
fn distant_squares_match_breadth_first_search() {
    let wall = |row: u64, gap: u64| (0xff ^ 1 << gap) << (8 * row);
    let arrows = wall(1, 7) | wall(3, 0) | wall(5, 7);
    let black = 0b1111;
    let board = Board::from_bitboards(black, 0x0f << 56, arrows & !black, Player::Black)
        .expect("four amazons a side");
    assert_eq!(components(&board), by_definition(&board), "\n{board}");
    let king = distances(&board, Player::Black, false);
    let is_far = |distance: &i64| (13..UNREACHED).contains(distance);
    assert!(king.iter().flatten().any(is_far));
}

proptest! {
    #[test]
    fn evaluation_is_invariant_under_board_symmetries(seed: u64, plies in 0_usize..56, symmetry in 0_usize..8) {
        let board = random_board(seed, plies);
        let image = transformed_board(&board, symmetry, false);
        prop_assert_eq!(eval::evaluate_board(&board), eval::evaluate_board(&image));
        let networks = Networks::default();
        prop_assert_eq!(networks.win_probability(&board), networks.win_probability(&image));
    }

    #[test]
    fn swapped_colours_negate_the_evaluation(seed: u64, plies in 0_usize..56, symmetry in 0_usize..8) {
        let board = random_board(seed, plies);
        let image = transformed_board(&board, symmetry, true);
        prop_assert_eq!(eval::evaluate_board(&board), -eval::evaluate_board(&image));
    }

    /// All possible arrows, evaluated in batches, get the same values as on separate boards.
    #[test]
    fn batch_evaluation_equals_single_evaluations(seed: u64, plies in 0_usize..50) {
        let board = random_board(seed, plies);
        let targets: Vec<Square> = squares(board.empty()).collect();
        let after = |target: Square| {
            let mut board = board.clone();
            board.shoot(target);
            board
        };
        let phase = Phase::of(&after(targets[0]));
        let mut batch = Batch::default();
        for targets in targets.chunks(MAX_BATCH) {
            batch.fill(&board, targets.iter().map(|target| target.bit()));
            eval::evaluate(&mut batch, phase);
            prop_assert_eq!(batch.log_odds().len(), targets.len());
            let alone: Vec<i32> = targets.iter().map(|&target| eval::evaluate_board(&after(target))).collect();
            prop_assert_eq!(batch.log_odds().collect::<Vec<i32>>(), alone);
        }
    }
}

#[test]
fn side_without_moves_has_lost() {
    // Four white amazons fill a corner behind arrows; four black amazons stand in the row farthest from it.
    let (white, wall) = (0b11 | 0b11 << 8, 0b100 | 0b100 << 8 | 0b111 << 16);
    let corner =
        |to_move| Board::from_bitboards(0xf0 << 56, white, wall, to_move).expect("a position");
    assert_eq!(eval::evaluate_board(&corner(Player::White)), PROVEN_WIN);
    assert!(eval::evaluate_board(&corner(Player::Black)) < PROVEN_WIN);
    let swapped = transformed_board(&corner(Player::White), 0, true);
    assert_eq!(eval::evaluate_board(&swapped), PROVEN_LOSS);
}

/// Checks weights at knots and between two knots, for the weight of the side to move.
#[test]
fn weights_are_interpolated_between_knots() {
    // The position is symmetric, so only the weight of the side to move counts.
    let knot = |number: usize| knots()[number][SIDE_TO_MOVE] as f32;
    let between = (knot(2) + knot(3)) / 2.0;
    let to_move = Player::Black;
    for (arrows, weight) in [(0, knot(0)), (12, knot(2)), (15, between), (48, knot(8))] {
        let board = Board::start();
        let mut batch = Batch::default();
        batch.fill(&board, [0].into_iter());
        eval::evaluate(&mut batch, Phase { arrows, to_move });
        let found = eval::log_odds(batch.log_odds().sum());
        assert!((found - weight).abs() < 1e-3, "{arrows} arrows: {found}");
    }
}

proptest! {
    #[test]
    fn exponential_and_logistic_functions_are_accurate(x in -40.0_f32..40.0) {
        let exact = f64::from(x).exp();
        prop_assert!((f64::from(eval::exp(x)) / exact - 1.0).abs() < 4e-6, "exp({}) = {}", x, eval::exp(x));
        let exact = 1.0 / (1.0 + f64::from(-x).exp());
        prop_assert!((f64::from(eval::probability(x)) - exact).abs() < 1e-6);
    }

    #[test]
    fn log_odds_of_probabilities_are_accurate(x in 1e-6_f32..0.999999) {
        let exact = (f64::from(x) / (1.0 - f64::from(x))).ln();
        let found = f64::from(eval::log_odds(eval::fixed_log_odds(x)));
        prop_assert!((found - exact).abs() < 4e-6, "{} {} {}", x, found, exact);
    }

    #[test]
    fn log2_is_accurate_and_exact_for_powers(x in 1e-6_f32..1e9, power in -20_i32..60) {
        prop_assert!((f64::from(eval::approximate_log2(x)) - f64::from(x).log2()).abs() < 0.09, "approximate_log2({}) = {}", x, eval::approximate_log2(x));
        prop_assert_eq!(eval::approximate_log2(2_f32.powi(power)), power as f32);
    }
}
