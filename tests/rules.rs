//! Tests the rules: perft, the move generator against a naive one, playing and undoing moves, errors and notations.

use crate::common::{at, directions, random_board};
use engine::bench;
use engine::board::{ActionKind, Board, Cell, IllegalMove, Move, ParseMoveError, Player, Square};
use engine::movegen;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Ply of the benchmark's game, and the perft counts by depth, from an independent generator in another language.
const PERFT: &[(usize, &[u64])] = &[
    (0, &[1, 1_232, 1_331_198]),
    (6, &[1, 802]),
    (18, &[1, 206, 33_230]),
    (30, &[1, 64, 4_957]),
    (42, &[1, 8, 88, 484]),
    (48, &[1, 2, 4, 0]),
];

#[test]
fn perft_matches_known_counts() {
    let positions = bench::positions();
    for &(ply, counts) in PERFT {
        let mut board = positions[ply / 6].clone();
        let before = board.clone();
        for (depth, &count) in counts.iter().enumerate() {
            let counted = movegen::perft(&mut board, depth as u32);
            assert_eq!(counted, count, "depth {depth} at ply {ply}");
        }
        assert_eq!(board, before);
    }
}

#[test]
#[ignore = "seconds in a release build, minutes in a debug build"]
fn perft_at_depth_three_matches_known_count() {
    assert_eq!(movegen::perft(&mut Board::start(), 3), 1_358_441_750);
}

/// Returns all legal moves, found by following every direction square by square.
fn naive_moves(board: &Board) -> BTreeSet<Move> {
    let slide = |x: i32, y: i32, vacated: (i32, i32)| {
        let mut targets = Vec::new();
        for (dx, dy) in directions() {
            let mut to = (x + dx, y + dy);
            while at(board, to.0, to.1).is_some_and(|cell| cell == Cell::Empty || to == vacated) {
                targets.push(to);
                to = (to.0 + dx, to.1 + dy);
            }
        }
        targets
    };
    let mut moves = BTreeSet::new();
    for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
        if at(board, x, y) != Some(Cell::Amazon(board.to_move())) {
            continue;
        }
        for to in slide(x, y, (-1, -1)) {
            for arrow in slide(to.0, to.1, (x, y)) {
                let coordinates = [x, y, to.0, to.1, arrow.0, arrow.1].map(i64::from);
                moves.insert(Move::from_coordinates(coordinates).expect("on the board"));
            }
        }
    }
    moves
}

/// Checks the move generator, and playing and undoing moves, on one board.
fn check_board(board: &Board) {
    let generated = movegen::moves(board);
    let distinct: BTreeSet<Move> = generated.iter().copied().collect();
    assert_eq!(distinct.len(), generated.len(), "a move is listed twice");
    assert_eq!(distinct, naive_moves(board), "\n{board}");
    assert_eq!(movegen::count(board), generated.len() as u64);
    let only = (generated.len() == 1).then(|| generated[0]);
    assert_eq!(movegen::only_move(board), only);
    check_bitboards(board);
    for &turn in generated.iter().step_by(17) {
        assert_eq!(board.check(turn), Ok(()), "{turn} on\n{board}");
        let mut played = board.clone();
        played.play(turn).expect("legal");
        check_bitboards(&played);
        assert_eq!(played.to_move(), !board.to_move());
        assert_eq!(played.arrow_count(), board.arrow_count() + 1);
        played.take_back(turn);
        assert_eq!(&played, board, "taking back {turn}");
    }
}

/// Checks that the bitboards agree with the array of cells.
fn check_bitboards(board: &Board) {
    for square in Square::all() {
        let in_set = |set: u64| set & square.bit() != 0;
        let [black, white] = [Player::Black, Player::White];
        for (cell, set) in [
            (Cell::Empty, board.empty()),
            (Cell::Arrow, board.arrows()),
            (Cell::Amazon(black), board.amazons(black)),
            (Cell::Amazon(white), board.amazons(white)),
        ] {
            assert_eq!(board[square] == cell, in_set(set), "{square}");
        }
    }
}

#[test]
fn move_generator_matches_naive_one_in_random_games() {
    for (seed, plies) in (0..60).flat_map(|seed| (0..57).map(move |plies| (seed, plies))) {
        let board = random_board(seed, plies);
        // Skips games that ended earlier.
        if board.arrow_count() == plies {
            check_board(&board);
        }
    }
}

proptest! {
    /// A random move passes the legality check exactly if it is in the list of legal moves.
    #[test]
    fn legality_check_matches_move_list(seed: u64, plies in 0_usize..56, from in 0_u32..64, to in 0_u32..64, arrow in 0_u32..64) {
        let board = random_board(seed, plies);
        let [from, to, arrow] = [from, to, arrow].map(Square::wrapping);
        let turn = Move { from, to, arrow };
        prop_assert_eq!(board.check(turn).is_ok(), naive_moves(&board).contains(&turn), "{} on\n{}", turn, board);
    }

    /// The same for moves of the side's own amazons, which are more often legal.
    #[test]
    fn legality_check_matches_move_list_for_own_amazons(seed: u64, plies in 0_usize..50, pick in 0_usize..4, to in 0_u32..64, arrow in 0_u32..64) {
        let board = random_board(seed, plies);
        let own: Vec<Square> = engine::board::squares(board.amazons(board.to_move())).collect();
        let turn = Move { from: own[pick], to: Square::wrapping(to), arrow: Square::wrapping(arrow) };
        prop_assert_eq!(board.check(turn).is_ok(), naive_moves(&board).contains(&turn), "{} on\n{}", turn, board);
    }

    /// Moves in both notations are parsed back to the same move.
    #[test]
    fn notations_survive_round_trips(from in 0_u32..64, to in 0_u32..64, arrow in 0_u32..64) {
        let [from, to, arrow] = [from, to, arrow].map(Square::wrapping);
        let turn = Move { from, to, arrow };
        prop_assert_eq!(turn.to_string().parse(), Ok(turn));
        prop_assert_eq!(turn.coordinates().map(|c| c.to_string()).join(" ").parse(), Ok(turn));
        prop_assert_eq!(Move::from_coordinates(turn.coordinates().map(i64::from)), Ok(turn));
    }

    /// No text makes the parsers panic.
    #[test]
    fn any_text_is_parsed_or_rejected(text: String) {
        let _ = text.parse::<Move>();
        let _ = text.parse::<Square>();
    }
}

#[test]
fn illegal_moves_name_the_rule_and_the_square() {
    let board = Board::start();
    let check = |text: &str| {
        board
            .check(text.parse().expect("readable"))
            .expect_err("illegal")
    };
    let square = |text: &str| text.parse::<Square>().expect("a square");
    let player = Player::Black;
    let not_mine = |at: &str, found| IllegalMove::NotYourAmazon {
        square: square(at),
        player,
        found,
    };
    let still = |action, at: &str| IllegalMove::StandsStill {
        action,
        square: square(at),
    };
    let no_line = |action, from: &str, to: &str| IllegalMove::NotAQueenLine {
        action,
        from: square(from),
        to: square(to),
    };
    let blocked = |action, at: &str| IllegalMove::Blocked {
        action,
        square: square(at),
        found: Cell::Amazon(player),
    };
    for (text, fault) in [
        ("a1 a2 a3", not_mine("a1", Cell::Empty)),
        ("a6 a5 a4", not_mine("a6", Cell::Amazon(Player::White))),
        ("c1 c1 c2", still(ActionKind::Move, "c1")),
        ("c1 c2 c2", still(ActionKind::Shot, "c2")),
        ("c1 d3 d4", no_line(ActionKind::Move, "c1", "d3")),
        ("c1 c2 e5", no_line(ActionKind::Shot, "c2", "e5")),
        ("c1 g1 h1", blocked(ActionKind::Move, "f1")),
        ("c1 c3 a3", blocked(ActionKind::Shot, "a3")),
    ] {
        assert_eq!(check(text), fault, "{text}");
    }
    assert_eq!(
        check("c1 g1 h1").to_string(),
        "the amazon is blocked on f1 by a black amazon"
    );
    // The arrow may land on the square that the amazon left, and fly over it.
    for legal in ["c1 c2 c1", "c1 d1 b1"] {
        assert_eq!(board.check(legal.parse().unwrap()), Ok(()), "{legal}");
    }
    let mut after = board.clone();
    assert!(after.play("c1 c2 a3".parse().unwrap()).is_err());
    assert_eq!(after, board, "an illegal move leaves the board alone");
}

#[test]
fn unreadable_moves_are_rejected() {
    for (text, fault) in [
        ("8 0 1 1 1 1", ParseMoveError::OffBoard { x: 8, y: 0 }),
        ("0 -1 1 1 1 1", ParseMoveError::OffBoard { x: 0, y: -1 }),
        ("c1 c2", ParseMoveError::WrongCount(2)),
        ("", ParseMoveError::WrongCount(0)),
    ] {
        assert_eq!(text.parse::<Move>(), Err(fault), "{text}");
    }
    let one = "c1".parse::<Move>().expect_err("one square").to_string();
    assert!(one.ends_with("found 1 square"), "{one}");
    for (text, word) in [
        ("c1 c9 c2", "c9"),
        ("c1 c6 f", "f"),
        ("c1c6f", "c1c6f"),
        ("c1c6i6", "i6"),
        ("é1c6f6", "é1c6f6"),
        ("中中 c6 f6", "中中"),
        ("2 0 2 5 5", "2"),
    ] {
        let expected = ParseMoveError::NotASquare(word.to_owned());
        assert_eq!(text.parse::<Move>(), Err(expected), "{text}");
    }
}

#[test]
fn every_spelling_of_moves_is_parsed() {
    let turn = "c1 c6 f6".parse::<Move>();
    assert!(turn.is_ok());
    for text in [
        "c1c6f6",
        "c1-c6/f6",
        "c1-c6(f6)",
        "c1c6(f6)",
        "c1–c6,f6",
        "c1c6（f6）",
        "c1,c6,f6",
        " C1  c6,f6\t",
        "c1c6 f6",
        "c1 c6f6",
        "2 0 2 5 5 5",
    ] {
        assert_eq!(text.parse(), turn, "{text}");
    }
}

#[test]
fn invalid_bitboards_are_rejected_with_a_reason() {
    let (four, other) = (0b1111, 0b1111 << 56);
    let error_of = |black, white, arrows| {
        let error = Board::from_bitboards(black, white, arrows, Player::Black).unwrap_err();
        error.to_string()
    };
    for (black, white, arrows, reason) in [
        (four, four, 0, "a1 holds two pieces, expected"),
        (four, other, 1 << 3, "d1 holds two pieces, expected"),
        (four, other, 1 << 56, "a8 holds two pieces, expected"),
        (0b111, other, 0, "black has 3 amazons, expected 4"),
        (0b11111, other, 0, "black has 5 amazons, expected 4"),
        (four, 0xff << 56, 0, "white has 8 amazons, expected 4"),
    ] {
        let error = error_of(black, white, arrows);
        assert!(error.starts_with(reason), "{error}");
    }
    // A full board, with the maximum number of arrows, is valid.
    let full = Board::from_bitboards(four, other, !(four | other), Player::White).unwrap();
    assert_eq!(full.arrow_count(), engine::board::MAX_ARROWS);
    assert_eq!(
        engine::eval::evaluate_board(&full),
        engine::eval::PROVEN_WIN
    );
}
