//! Puzzles: positions with one clearly best move, found by a search and checked by one a hundred times as long.
//!
//! A puzzle is a line of text: its kind, its difficulty, the position from a1 by rows as in the page's links, the line of the best
//! move, `/`, the line of the best other move, and the win probability in % behind each. The page's `learn.js` reads it, too.

use super::position::{Candidate, Outlook, Position, Searcher};
use super::reasons::claim::{self, enclosed};
use super::reasons::line::{Line, positions};
use super::reasons::{Reason, reasons};
use engine::board::{Board, Move, Player};
use engine::budget::Budget;
use engine::mcts::endgame::settle;
use engine::movegen;
use record::cells;
use record::formats::fen;
use std::fmt;

/// Iterations to find a puzzle by, if nobody says.
pub const USUAL: u64 = 1000;

/// How many times as many iterations check a puzzle as find it.
pub const CHECK: u64 = 100;

/// Least distance of the best move from all others, in win probability.
const GAP: f32 = 0.10;

/// The same where nothing else is to be said of the best move: the others lose the lead.
const ONLY: f32 = 0.20;

/// Fewest legal moves: among a few nobody has to look for the best.
const CHOICE: u64 = 10;

/// Iterations up to which a search that finds the move makes a puzzle easy, and medium.
const STEPS: [u64; 2] = [10, 100];

/// Plies of a line that a person can foresee.
const PLIES: usize = 4;

/// By how many squares more a player is ahead in those that nobody else reaches, behind the best line than behind the other.
const ALONE: i32 = 5;

/// Other moves that are looked at in the end.
const OTHERS: usize = 3;

/// What the best move is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It shuts an amazon of the other player in.
    Wall,
    /// It keeps an amazon of one's own from being shut in.
    Out,
    /// It closes squares for oneself alone, or keeps the other player from doing so.
    Split,
    /// It wins the count of the moves that are left to each.
    Count,
    /// All others lose the lead.
    Only,
}

impl Kind {
    /// All kinds, the rarest first.
    pub const ALL: [Kind; 5] = [Kind::Split, Kind::Count, Kind::Out, Kind::Wall, Kind::Only];

    /// The kind in a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Wall => "wall",
            Kind::Out => "out",
            Kind::Split => "split",
            Kind::Count => "count",
            Kind::Only => "only",
        }
    }

    /// What a sentence on a mover's best move, or against another one, makes of the puzzle.
    fn of(reason: &Reason, mover: Player) -> Option<Kind> {
        match reason.claim.kind {
            claim::Kind::ShutIn { .. } | claim::Kind::HemmedIn { .. } => {
                Some(match reason.claim.player == mover {
                    true => Kind::Wall,
                    false => Kind::Out,
                })
            }
            claim::Kind::Alone => Some(Kind::Split),
            claim::Kind::Count { .. } => Some(Kind::Count),
            claim::Kind::Costs { .. } => None,
        }
    }
}

/// Why a position is no puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// Few legal moves, or nothing is left but to fill.
    NoChoice,
    /// The search finds no best move that is clearly better than all others, or it loses all the same.
    Unclear,
    /// The long search finds another best move, or a smaller distance.
    Unchecked,
    /// Nothing is to be said of the move, and others do not lose.
    Nameless,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::NoChoice => "few moves",
            Refusal::Unclear => "no clearly best move",
            Refusal::Unchecked => "not borne out",
            Refusal::Nameless => "of no kind",
        })
    }
}

/// A position with one clearly best move.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// What the best move is about.
    pub kind: Kind,
    /// 1, 2 or 3: easy, medium or hard to find for a search.
    pub difficulty: u8,
    /// The position.
    pub board: Board,
    /// The best move and what is expected behind it.
    pub best: Vec<Move>,
    /// The best other move and what is expected behind it.
    pub other: Vec<Move>,
    /// Win probability of the player to move behind either, in %.
    pub chances: [u8; 2],
}

impl Puzzle {
    /// The puzzle that a position is, by searches of so many iterations and of [`CHECK`] times as many, whatever the searcher's
    /// budget. Nothing if they were broken off.
    #[must_use]
    pub fn find(
        board: &Board,
        iterations: u64,
        searcher: &Searcher,
    ) -> Option<Result<Puzzle, Refusal>> {
        if movegen::count(board) < CHOICE {
            return Some(Err(Refusal::NoChoice));
        }
        let with = |iterations| Searcher {
            budget: Budget::Iterations(iterations),
            multipv: 1 + OTHERS,
            ..searcher.clone()
        };
        let found = with(iterations).position(board, None)?;
        if found.report.iterations == 0 {
            return Some(Err(Refusal::NoChoice));
        }
        let Some(best) = clearly_best(&found) else {
            return Some(Err(Refusal::Unclear));
        };
        let long = with(CHECK * iterations);
        let checked = long.position(board, None)?;
        if clearly_best(&checked) != Some(best) {
            return Some(Err(Refusal::Unchecked));
        }
        let mut tried = tried(board, &checked, &long)?;
        let other = tried.swap_remove(1);
        if chance(&tried[0]) < chance(&other) + GAP {
            return Some(Err(Refusal::Unchecked));
        }
        let is_hard = |&few: &u64| Some(first(&with(few).position(board, None)?) != Some(best));
        let hard = STEPS.iter().map(is_hard);
        let hard = hard.take_while(|&is_hard| is_hard != Some(false));
        let difficulty = 1 + hard.collect::<Option<Vec<_>>>()?.len() as u8;
        Some(Puzzle::of(board, difficulty, &tried[0], &other).ok_or(Refusal::Nameless))
    }

    /// The puzzle of a position, its best move and the best other one; nothing if it is of no kind.
    fn of(board: &Board, difficulty: u8, best: &Tried, other: &Tried) -> Option<Puzzle> {
        let line = |(turn, behind): &Tried| {
            let moves = [&[*turn], &behind.line[..]].concat();
            moves.into_iter().take(PLIES).collect()
        };
        let percent = |tried: &Tried| (100.0 * chance(tried)).round() as u8;
        let mut puzzle = Puzzle {
            kind: Kind::Only,
            difficulty,
            board: board.clone(),
            best: line(best),
            other: line(other),
            chances: [percent(best), percent(other)],
        };
        puzzle.kind = Kind::ALL.into_iter().find(|&kind| puzzle.is_of(kind))?;
        Some(puzzle)
    }

    /// Tests if the puzzle fulfils what a kind asks.
    #[must_use]
    pub fn is_of(&self, kind: Kind) -> bool {
        let mover = self.board.to_move();
        let [best, other] = self.chances.map(|chance| f32::from(chance) / 100.0);
        let lines = [&self.best, &self.other].map(|moves| positions(&self.board, moves));
        let [good, bad] = lines.each_ref().map(|line| &line[line.len() - 1]);
        let own = |board: &Board| {
            let squares = |player| enclosed(board, player).count_ones() as i32;
            squares(mover) - squares(!mover)
        };
        let wins = |board: &Board| settle(board) == Some(mover);
        match kind {
            Kind::Only => other < 0.5 && best >= other + ONLY,
            Kind::Split if own(good) >= own(bad) + ALONE => true,
            Kind::Count if wins(good) && !wins(bad) => true,
            _ => self
                .reasons()
                .iter()
                .any(|reason| Kind::of(reason, mover) == Some(kind)),
        }
    }

    /// Why the best move is good and the best other one is not.
    #[must_use]
    pub fn reasons(&self) -> Vec<Reason> {
        let line = |moves: &[Move]| Line::new(&self.board, moves[0], &moves[1..], None);
        reasons(&line(&self.best), Some(&line(&self.other)))
    }
}

/// A move with what equally long searches find behind it.
type Tried = (Move, Outlook);

/// Win probability of whoever makes a move.
const fn chance((_, behind): &Tried) -> f32 {
    behind.win_probability
}

/// The best moves of a search with what other searches find behind each: the best move, then the others, the best of them first.
/// Nothing if one was broken off.
fn tried(board: &Board, found: &Position, searcher: &Searcher) -> Option<Vec<Tried>> {
    let behind = |found: &Candidate| Some((found.turn, searcher.after(board, found.turn)?));
    let tried = found.candidates.iter().map(behind);
    let mut tried = tried.collect::<Option<Vec<_>>>()?;
    tried[1..].sort_by(|one, other| chance(other).total_cmp(&chance(one)));
    Some(tried)
}

/// The move that a search prefers.
fn first(found: &Position) -> Option<Move> {
    found.report.principal_variation.first().copied()
}

/// The best move that a search has found, if it does not lose and all others are clearly worse.
fn clearly_best(found: &Position) -> Option<Move> {
    let (best, others) = found.candidates.split_first()?;
    let mut rivals = others.iter();
    let is_clear = rivals.all(|other| best.win_probability >= other.win_probability + GAP);
    (best.win_probability >= 0.5 && is_clear && !others.is_empty()).then_some(best.turn)
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from_a1: Vec<char> = cells::write(&self.board).chars().collect();
        let cells = fen::packed(&from_a1);
        let to_move = ["b", "w"][self.board.to_move() as usize];
        let word = |turn: &Move| turn.to_string().replace(' ', "");
        let line = |moves: &[Move]| moves.iter().map(word).collect::<Vec<_>>().join(" ");
        let (best, other) = (line(&self.best), line(&self.other));
        let [chance, less] = self.chances;
        write!(
            f,
            "{} {} {cells}-{to_move} {best} / {other} {chance} {less}",
            self.kind.name(),
            self.difficulty
        )
    }
}
