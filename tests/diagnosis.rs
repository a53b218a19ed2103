//! Tests of the diagnosis of illegal answers, against simulated bots that make each mistake on boards of their own.

use crate::common::Dice;
use crate::common::model::{Cell, Cells, Side, Square, squares, squares_of};
use analysis::diagnosis::{Mistake, mistakes};
use engine::board::{Board, Move};
use engine::movegen;
use record::judge::Coordinates;

/// The three squares of a turn: from, to, arrow.
type Turn = [Square; 3];

/// Plays a turn without checking the rules. `leaves` says whether the first square is cleared, `shoots` whether the arrow is
/// placed.
fn play(cells: &mut Cells, [from, to, arrow]: Turn, leaves: bool, shoots: bool) {
    let amazon = cells.at(from);
    if leaves {
        cells.put(from, Cell::Empty);
    }
    cells.put(to, amazon);
    if shoots {
        cells.put(arrow, Cell::Arrow);
    }
}

/// Returns the empty squares in queen lines from a square, even behind obstacles.
fn leap(cells: &Cells, (x, y): Square) -> Vec<Square> {
    let is_in_line = |&(to_x, to_y): &Square| {
        let [dx, dy] = [to_x - x, to_y - y].map(i64::abs);
        dx.max(dy) > 0 && (dx.min(dy) == 0 || dx == dy)
    };
    let empty = squares().filter(|&square| cells.at(square) == Cell::Empty);
    empty.filter(is_in_line).collect()
}

/// Returns the answer of a bot that makes `mistake`, after `moves`; `None` if the bot finds no move.
///
/// `elsewhere` holds the moves of another game that the bot has played.
fn answer(
    mistake: Mistake,
    moves: &[Coordinates],
    elsewhere: &[Coordinates],
    dice: &mut Dice,
) -> Option<Coordinates> {
    let own = moves.len() % 2;
    let sides = [Side::Black, Side::White];
    let mut side = sides[own];
    let mut read = moves.to_vec();
    // Chooses one of up to three variants of the mistake.
    let form = dice.below(3);
    match mistake {
        Mistake::LastMoveMissing => drop(read.pop()),
        Mistake::FromStart => read.clear(),
        Mistake::FromEarlier => {
            let earlier: Vec<usize> = (1..read.len().saturating_sub(1))
                .filter(|plies| plies % 2 == own)
                .collect();
            read.truncate(*earlier.get(dice.below(earlier.len().max(1)))?);
        }
        Mistake::OtherGame => read = elsewhere.to_vec(),
        Mistake::WrongColour => side = sides[1 - own],
        _ => {}
    }
    let mut cells = Cells::start();
    for (ply, &turn) in read.iter().enumerate() {
        let mut turn = squares_of(turn.numbers());
        let is_own = ply % 2 == own;
        match mistake {
            Mistake::OpponentIgnored if !is_own => continue,
            Mistake::OwnIgnored if is_own => continue,
            Mistake::SwappedAxes if form == 1 || form == 2 && is_own => {
                turn = turn.map(|(x, y)| (y, x));
            }
            Mistake::MirroredRows if form == 1 || form == 2 && !is_own => {
                turn = turn.map(|(x, y)| (x, 7 - y))
            }
            _ => {}
        }
        let concerned = form == 0 || is_own == (form == 1);
        let leaves = mistake != Mistake::AmazonCopied || !concerned;
        let shoots = mistake != Mistake::ArrowsMissing || !concerned;
        play(&mut cells, turn, leaves, shoots);
        if mistake == Mistake::ArrowErased {
            cells.put(turn[0], Cell::Empty);
        }
    }
    let turns = match mistake {
        Mistake::JumpsOver => cells.moves(side, leap),
        _ => cells.moves(side, Cells::reach),
    };
    let mut turn = *turns.get(dice.below(turns.len().max(1)))?;
    match mistake {
        Mistake::SwappedAxes if form != 1 => turn = turn.map(|(x, y)| (y, x)),
        Mistake::MirroredRows if form == 0 => turn = turn.map(|(x, y)| (x, 7 - y)),
        Mistake::MixedOrder => turn = [[0, 2, 1], [1, 0, 2], [2, 0, 1]][form].map(|at| turn[at]),
        _ => {}
    }
    let off = i64::from(mistake == Mistake::CountedFromOne);
    let [(x0, y0), (x1, y1), (x2, y2)] = turn.map(|(x, y)| (x + off, y + off));
    Some(Coordinates::new([x0, y0, x1, y1, x2, y2]))
}

/// Returns the first `plies` moves of a random game, and the position after them.
fn game(plies: usize, dice: &mut Dice) -> (Vec<Coordinates>, Board) {
    let (mut board, mut moves) = (Board::start(), Vec::new());
    for _ in 0..plies {
        let legal = movegen::moves(&board);
        if legal.is_empty() {
            break;
        }
        let turn = legal[dice.below(legal.len())];
        board.play(turn).expect("legal");
        moves.push(turn.into());
    }
    (moves, board)
}

fn is_legal(board: &Board, answer: Coordinates) -> bool {
    Move::from_coordinates(answer.numbers()).is_ok_and(|turn| board.check(turn).is_ok())
}

/// Calls `take` with random games, each with a second game in which the same player is to move.
fn games(
    count: usize,
    mut take: impl FnMut(&[Coordinates], &Board, &[Coordinates], &Board, &mut Dice),
) {
    for seed in 0..count {
        let mut dice = Dice::new(seed as u64 + 1);
        let (plies, other) = (dice.below(40), 2 * dice.below(15));
        let (moves, board) = game(plies, &mut dice);
        let (elsewhere, other) = game(other + moves.len() % 2, &mut dice);
        if elsewhere.len() % 2 == moves.len() % 2 {
            take(&moves, &board, &elsewhere, &other, &mut dice);
        }
    }
}

/// Each mistake that explains an answer is named, and in more than 60 % of the cases among the first two.
#[test]
fn every_mistake_is_named() {
    for (mistake, _) in Mistake::ALL {
        let (mut illegal, mut shown) = (0, 0);
        games(200, |moves, board, elsewhere, other, dice| {
            let answer = answer(mistake, moves, elsewhere, dice);
            let Some(answer) = answer.filter(|&answer| !is_legal(board, answer)) else {
                return;
            };
            let found = mistakes(moves, answer, std::slice::from_ref(other));
            assert!(
                found.contains(&mistake),
                "{mistake:?}: {answer} after {moves:?}"
            );
            illegal += 1;
            shown += usize::from(found[..found.len().min(2)].contains(&mistake));
        });
        assert!(illegal > 10, "{mistake:?}");
        assert!(
            10 * shown > 6 * illegal,
            "{mistake:?}: {shown} of {illegal}"
        );
    }
}

#[test]
fn legal_answers_yield_no_mistake() {
    games(100, |moves, board, _, other, dice| {
        let legal = movegen::moves(board);
        if !legal.is_empty() {
            let answer = legal[dice.below(legal.len())].into();
            assert_eq!(mistakes(moves, answer, std::slice::from_ref(other)), []);
        }
    });
}

/// Six random numbers seldom fit a mistake. A legal move with a random arrow fits more often: an obstacle in the arrow's way
/// may be one that a faulty bot does not know.
#[test]
fn false_alarms_are_rare() {
    let share = |arrow_alone: bool| {
        let (mut illegal, mut named) = (0, 0);
        games(1000, |moves, board, _, other, dice| {
            let legal = movegen::moves(board);
            if legal.is_empty() {
                return;
            }
            let mut numbers = Coordinates::from(legal[dice.below(legal.len())]).numbers();
            let random = if arrow_alone { 4..6 } else { 0..6 };
            random.for_each(|at| numbers[at] = dice.below(8) as i64);
            let answer = Coordinates::new(numbers);
            if !is_legal(board, answer) {
                illegal += 1;
                let found = mistakes(moves, answer, std::slice::from_ref(other));
                named += u32::from(!found.is_empty());
            }
        });
        f64::from(named) / f64::from(illegal)
    };
    assert!(share(false) < 0.05);
    assert!(share(true) < 0.3);
}

#[test]
fn coordinates_off_the_board_do_not_panic() {
    for numbers in [[-1; 6], [8; 6], [i64::MIN; 6], [i64::MAX; 6]] {
        assert_eq!(mistakes(&[], Coordinates::new(numbers), &[]), []);
    }
    let from_one = Coordinates::new([3, 1, 3, 6, 6, 6]);
    assert_eq!(mistakes(&[], from_one, &[]), [Mistake::CountedFromOne]);
}
