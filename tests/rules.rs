//! The rules: perft, the generator against a naive one, playing and taking back, errors, notation.

use crate::common::{Dice, at, directions, random_board};
use amazons::bench;
use amazons::board::{Board, Cell, IllegalMove, Leg, Move, ParseMoveError, Player, Square};
use amazons::botzone::json::Value;
use amazons::movegen;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Ply of the benchmark's game, then perft by depth, counted by a generator in another language.
const PERFT: &[(usize, &[u64])] = &[
    (0, &[1, 1_232, 1_331_198]),
    (6, &[1, 802]),
    (18, &[1, 206, 33_230]),
    (30, &[1, 64, 4_957]),
    (42, &[1, 8, 88, 484]),
    (48, &[1, 2, 4, 0]),
];

#[test]
fn perft_counts_are_known() {
    let positions = bench::positions();
    for &(ply, counts) in PERFT {
        let mut board = positions[ply / 6].clone();
        let before = board.clone();
        for (depth, &count) in counts.iter().enumerate() {
            assert_eq!(
                movegen::perft(&mut board, depth as u32),
                count,
                "depth {depth} at ply {ply}"
            );
        }
        assert_eq!(board, before);
    }
}

#[test]
#[ignore = "seconds in a release build, minutes in a debug build"]
fn perft_of_the_start_at_depth_three_is_known() {
    assert_eq!(movegen::perft(&mut Board::start(), 3), 1_358_441_750);
}

/// All legal moves, found by trying every direction on coordinates.
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

/// Checks everything that holds on every board.
fn check_board(board: &Board) {
    let generated = movegen::moves(board);
    let distinct: BTreeSet<Move> = generated.iter().copied().collect();
    assert_eq!(distinct.len(), generated.len(), "a move is listed twice");
    assert_eq!(
        distinct,
        naive_moves(board),
        "the generators disagree on\n{board}"
    );
    assert_eq!(movegen::count(board), generated.len() as u64);
    assert_eq!(
        movegen::only_move(board),
        (generated.len() == 1).then(|| generated[0])
    );
    check_sets(board);
    for &turn in generated.iter().step_by(17) {
        assert_eq!(board.check(turn), Ok(()), "{turn} on\n{board}");
        let mut played = board.clone();
        played.play(turn).expect("legal");
        check_sets(&played);
        assert_eq!(played.to_move(), !board.to_move());
        assert_eq!(played.arrow_count(), board.arrow_count() + 1);
        played.take_back(turn);
        assert_eq!(&played, board, "taking back {turn}");
    }
}

/// The sets say the same as the array.
fn check_sets(board: &Board) {
    for square in Square::all() {
        let in_set = |set: u64| set & square.bit() != 0;
        assert_eq!(
            board[square] == Cell::Empty,
            in_set(board.empty()),
            "{square}"
        );
        assert_eq!(
            board[square] == Cell::Arrow,
            in_set(board.arrows()),
            "{square}"
        );
        for player in [Player::Black, Player::White] {
            assert_eq!(
                board[square] == Cell::Amazon(player),
                in_set(board.amazons(player)),
                "{square}"
            );
        }
    }
}

#[test]
fn generator_agrees_with_a_naive_one_on_whole_random_games() {
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let mut board = Board::start();
        loop {
            check_board(&board);
            let moves = movegen::moves(&board);
            if moves.is_empty() {
                break;
            }
            board.play(moves[dice.below(moves.len())]).expect("legal");
        }
    }
}

proptest! {
    /// "Is this move legal?" and "is it in the list of legal moves?" have the same answer.
    #[test]
    fn checking_agrees_with_generating(seed: u64, plies in 0_usize..56, from in 0_u32..64, to in 0_u32..64, arrow in 0_u32..64) {
        let board = random_board(seed, plies);
        let [from, to, arrow] = [from, to, arrow].map(Square::wrapping);
        let turn = Move { from, to, arrow };
        prop_assert_eq!(board.check(turn).is_ok(), naive_moves(&board).contains(&turn), "{} on\n{}", turn, board);
    }

    /// The same for moves that start right, of which more are legal.
    #[test]
    fn checking_agrees_with_generating_for_own_amazons(seed: u64, plies in 0_usize..50, pick in 0_usize..4, to in 0_u32..64, arrow in 0_u32..64) {
        let board = random_board(seed, plies);
        let own: Vec<Square> = amazons::board::squares(board.amazons(board.to_move())).collect();
        let turn = Move { from: own[pick], to: Square::wrapping(to), arrow: Square::wrapping(arrow) };
        prop_assert_eq!(board.check(turn).is_ok(), naive_moves(&board).contains(&turn), "{} on\n{}", turn, board);
    }

    /// Both notations are read back as they were written.
    #[test]
    fn notation_is_read_back(from in 0_u32..64, to in 0_u32..64, arrow in 0_u32..64) {
        let [from, to, arrow] = [from, to, arrow].map(Square::wrapping);
        let turn = Move { from, to, arrow };
        prop_assert_eq!(turn.to_string().parse(), Ok(turn));
        prop_assert_eq!(turn.coordinates().map(|c| c.to_string()).join(" ").parse(), Ok(turn));
        prop_assert_eq!(Move::from_coordinates(turn.coordinates().map(i64::from)), Ok(turn));
    }

    /// No text makes the readers panic.
    #[test]
    fn any_text_is_read_or_refused(text: String) {
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
    let cases = [
        (
            "a1 a2 a3",
            IllegalMove::NotYourAmazon {
                square: square("a1"),
                player: Player::Black,
                found: Cell::Empty,
            },
        ),
        (
            "a6 a5 a4",
            IllegalMove::NotYourAmazon {
                square: square("a6"),
                player: Player::Black,
                found: Cell::Amazon(Player::White),
            },
        ),
        (
            "c1 c1 c2",
            IllegalMove::StandsStill {
                leg: Leg::Walk,
                square: square("c1"),
            },
        ),
        (
            "c1 c2 c2",
            IllegalMove::StandsStill {
                leg: Leg::Shot,
                square: square("c2"),
            },
        ),
        (
            "c1 d3 d4",
            IllegalMove::NotAQueenLine {
                leg: Leg::Walk,
                from: square("c1"),
                to: square("d3"),
            },
        ),
        (
            "c1 c2 e5",
            IllegalMove::NotAQueenLine {
                leg: Leg::Shot,
                from: square("c2"),
                to: square("e5"),
            },
        ),
        (
            "c1 g1 h1",
            IllegalMove::Blocked {
                leg: Leg::Walk,
                square: square("f1"),
                found: Cell::Amazon(Player::Black),
            },
        ),
        (
            "c1 c3 a3",
            IllegalMove::Blocked {
                leg: Leg::Shot,
                square: square("a3"),
                found: Cell::Amazon(Player::Black),
            },
        ),
    ];
    for (text, fault) in cases {
        assert_eq!(check(text), fault, "{text}");
    }
    assert_eq!(
        check("c1 g1 h1").to_string(),
        "the amazon is blocked on f1 by a black amazon"
    );
    assert_eq!(
        board.check("c1 c2 c1".parse().unwrap()),
        Ok(()),
        "the arrow may land where the amazon stood"
    );
    assert_eq!(
        board.check("c1 d1 b1".parse().unwrap()),
        Ok(()),
        "the arrow may fly over where the amazon stood"
    );
}

#[test]
fn an_illegal_move_leaves_the_board_alone() {
    let mut board = Board::start();
    assert!(board.play("c1 c2 a3".parse().unwrap()).is_err());
    assert_eq!(board, Board::start());
}

#[test]
fn unreadable_moves_are_refused() {
    assert_eq!(
        "8 0 1 1 1 1".parse::<Move>(),
        Err(ParseMoveError::OffBoard { x: 8, y: 0 })
    );
    assert_eq!(
        "0 -1 1 1 1 1".parse::<Move>(),
        Err(ParseMoveError::OffBoard { x: 0, y: -1 })
    );
    assert_eq!(
        "c1 c9 c2".parse::<Move>(),
        Err(ParseMoveError::NotASquare("c9".to_owned()))
    );
    assert_eq!("c1 c2".parse::<Move>(), Err(ParseMoveError::WrongCount(2)));
    assert_eq!("".parse::<Move>(), Err(ParseMoveError::WrongCount(0)));
    let one = "c1".parse::<Move>().expect_err("one square").to_string();
    assert!(one.ends_with("found 1 square"), "{one}");
    for (text, word) in [
        ("c1 c6 f", "f"),
        ("c1c6f", "c1c6f"),
        ("c1c6i6", "i6"),
        ("é1c6f6", "é1c6f6"),
        ("中中 c6 f6", "中中"),
        ("2 0 2 5 5", "2"),
    ] {
        let refused = ParseMoveError::NotASquare(word.to_owned());
        assert_eq!(text.parse::<Move>(), Err(refused), "{text}");
    }
}

#[test]
fn moves_are_read_however_they_are_typed() {
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

/// In the judge's logs every move is legal and the numbers of legal moves are the judge's.
#[test]
fn judge_logs_agree_move_by_move() {
    for log in [
        include_str!("logs/random_vs_random.json"),
        include_str!("logs/game_opponent_bot003.json"),
    ] {
        let log = Value::parse(log).expect("a log is JSON");
        let mut board = Board::start();
        let mut compared = 0;
        for step in log.elements() {
            let Some(display) = step.get("output").and_then(|output| output.get("display")) else {
                continue;
            };
            let number = |name: &str| display.get(name).and_then(Value::integer);
            let coordinates: Option<Vec<i64>> = ["x0", "y0", "x1", "y1", "x2", "y2"]
                .map(number)
                .into_iter()
                .collect();
            if let Some(coordinates) = coordinates {
                let turn = Move::from_coordinates(coordinates.try_into().expect("six"))
                    .expect("on the board");
                board.play(turn).expect("the judge accepted it");
            }
            for (player, name) in [(Player::Black, "blackCount"), (Player::White, "whiteCount")] {
                let mut board = board.clone();
                board.set_to_move(player);
                assert_eq!(
                    Some(movegen::count(&board) as i64),
                    number(name),
                    "{name} on\n{board}"
                );
                compared += 1;
            }
        }
        assert!(compared > 60, "only {compared} counts compared");
        assert_eq!(movegen::count(&board), 0, "the game is over");
    }
}

#[test]
fn sets_that_are_no_position_are_refused_with_a_reason() {
    let (four, other) = (0b1111, 0b1111 << 56);
    let refused = |black, white, arrows| {
        let error = Board::from_sets(black, white, arrows, Player::Black).expect_err("refused");
        error.to_string()
    };
    for (sets, reason) in [
        ((four, four, 0), "a1 holds two pieces, expected at most one"),
        (
            (four, other, 1 << 3),
            "d1 holds two pieces, expected at most one",
        ),
        (
            (four, other, 1 << 56),
            "a8 holds two pieces, expected at most one",
        ),
        ((0b111, other, 0), "black has 3 amazons, expected 4"),
        ((0b11111, other, 0), "black has 5 amazons, expected 4"),
        ((four, 0xff << 56, 0), "white has 8 amazons, expected 4"),
    ] {
        let (black, white, arrows) = sets;
        assert_eq!(refused(black, white, arrows), reason);
    }
    // A full board is one: the most arrows that there can be.
    let full = Board::from_sets(four, other, !(four | other), Player::White).expect("a position");
    assert_eq!(full.arrow_count(), amazons::board::MAX_ARROWS);
    assert_eq!(amazons::eval::evaluate_board(&full), amazons::eval::WON);
}
