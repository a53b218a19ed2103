//! Puzzles: positions with one clearly best move. Clearly best: the win probability after the move is at least 0.5, and
//! at least 0.1 higher than after any other move. A short search finds the puzzles, and a search with a hundred times
//! as many iterations verifies them.
//!
//! A puzzle file has one puzzle per line. The page's `learn.js` reads this format, too. A line consists of these
//! fields, separated by blanks:
//!
//! - [`Kind`] of puzzle, such as `wall`.
//! - Difficulty, from 1 to 3.
//! - Position, as in links to the page: the squares row by row from a1, with numbers for empty squares, then `-`, then
//!   the side to move (`b` or `w`).
//! - Best move and its continuation: one to four moves, such as `c1c6f6`, separated by blanks.
//! - The character `/`.
//! - Second-best move and its continuation, in the same format.
//! - Win probabilities of the side to move, in %: two numbers, after the best and after the second-best move.
//!
//! Example (the position is shortened): `wall 2 3bxb…-w d7c7c8 f1e2f1 / a6a4b5 b8c7c8 92 60`.

use super::position::{Candidate, Outlook, SearchedPosition, Searcher};
use super::reasons::claim::{Effect, enclosed};
use super::reasons::line::{Line, positions};
use super::reasons::{Reason, reasons};
use engine::board::{Board, Move, Player};
use engine::budget::Budget;
use engine::mcts::endgame::prove_endgame;
use engine::movegen;
use record::cells;
use record::formats::fen;
use std::fmt;

/// Default number of iterations of the short search that finds a puzzle's best move. A search with [`VERIFY_FACTOR`]
/// times as many iterations verifies this move.
pub const DEFAULT_ITERATIONS: u64 = 1000;

/// Number of iterations of the search that verifies a puzzle, divided by that of the search that finds it.
pub const VERIFY_FACTOR: u64 = 100;

/// Minimum lead of a puzzle's best move: its win probability (0 to 1) exceeds that of each other move by at least this
/// number.
const MIN_LEAD: f32 = 0.10;

/// Minimum lead of the best move in puzzles of kind [`Kind::Only`]: its win probability (0 to 1) exceeds that of the
/// second-best move by at least this number.
const MIN_LEAD_OF_ONLY: f32 = 0.20;

/// Minimum number of legal moves in a puzzle; among fewer moves, the best one is too easy to find.
const MIN_MOVES: u64 = 10;

/// Numbers of search iterations that define the difficulty of a puzzle. A puzzle is easy if a search with the first
/// number finds its best move, medium if only a search with the second number does, otherwise hard.
const DIFFICULTY_ITERATIONS: [u64; 2] = [10, 100];

/// Maximum number of moves, by both players together, in each of the two sequences that a puzzle stores: the best move
/// with its continuation, and the second-best move with its continuation. People rarely look further ahead.
const MAX_LINE_PLIES: usize = 4;

/// Minimum difference, in squares, between the gains of the best and of the second-best move, for puzzles of kind
/// [`Kind::Split`]. Gain: the number of squares that only the side to move in the puzzle can reach, minus the number
/// that only the opponent can reach, both at the end of the continuation after the move.
const MIN_SPLIT_GAIN: i32 = 5;

/// Maximum number of alternatives: other moves with which a search compares the best move of a puzzle.
const ALTERNATIVES: usize = 3;

/// Theme of a puzzle: what its best move achieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The best move shuts in an amazon of the opponent ([`Effect::ShutIn`]), or takes much of its room
    /// ([`Effect::LittleRoom`]). An amazon's room is the number of squares that it reaches within two moves.
    Wall,
    /// The best move is a way out: it saves an amazon of its own player from being shut in, or from losing much of its
    /// room. An amazon's room is the number of squares that it reaches within two moves.
    Out,
    /// The best move encloses squares that then only its own player can reach, or keeps the opponent from enclosing
    /// squares.
    Split,
    /// The best move wins an endgame that can be counted: no empty square can be reached by both players, so the
    /// numbers of moves left prove the win.
    Count,
    /// Only the best move keeps a win probability of at least 0.5. After the second-best move the win probability is
    /// below 0.5, and at least 0.2 lower than after the best move.
    Only,
}

impl Kind {
    /// All kinds of puzzles, from the rarest to the commonest. A position that meets the conditions of several kinds
    /// becomes a puzzle of the first of them in this list.
    pub const ALL: [Kind; 5] = [Kind::Split, Kind::Count, Kind::Out, Kind::Wall, Kind::Only];

    /// Returns the name of the kind in puzzle files: `wall`, `out`, `split`, `count` or `only`.
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

    /// Returns the kind of puzzle to which the effect stated by `reason` belongs. `reason` explains the best or the
    /// second-best move, for example “shuts in an amazon”. `mover` is the side to move in the puzzle. Returns `None`
    /// for [`Effect::Unexplained`].
    fn from_reason(reason: &Reason, mover: Player) -> Option<Kind> {
        match reason.claim.effect {
            Effect::ShutIn { .. } | Effect::LittleRoom { .. } => {
                Some(match reason.claim.player == mover {
                    true => Kind::Wall,
                    false => Kind::Out,
                })
            }
            Effect::Alone => Some(Kind::Split),
            Effect::Count { .. } => Some(Kind::Count),
            Effect::Unexplained => None,
        }
    }
}

/// Reason why a position does not become a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rejection {
    /// The position is rejected as too simple: it has fewer than 10 legal moves, or its winner can be proven without
    /// search.
    FewMoves,
    /// In the short search, no move is clearly best: the best move has a win probability below 0.5, or another move
    /// comes within 0.1 of it.
    Unclear,
    /// The verifying search does not confirm the best move, for one of three reasons: it prefers another move, another
    /// move comes within 0.1 of the best move's win probability, or this win probability is below 0.5.
    Unconfirmed,
    /// The best move meets the conditions of no [`Kind`] of puzzle.
    NoTheme,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rejection::FewMoves => "few moves",
            Rejection::Unclear => "no clearly best move",
            Rejection::Unconfirmed => "not borne out",
            Rejection::NoTheme => "of no kind",
        })
    }
}

/// A puzzle: a position with one clearly best move, and the continuations after the best and the second-best move.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// Theme of the puzzle: what the best move achieves.
    pub kind: Kind,
    /// Difficulty: 1 if a search of 10 iterations finds the best move, 2 if a search of 100 iterations does, otherwise
    /// 3.
    pub difficulty: u8,
    /// Position of the puzzle. The side to move has to find the best move.
    pub board: Board,
    /// Best move and its continuation by both players in turn, at most four plies together.
    pub best: Vec<Move>,
    /// Second-best move and its continuation by both players in turn, at most four plies together.
    pub other: Vec<Move>,
    /// Win probabilities of the side to move, in percent, rounded. Index 0: after the best move; index 1: after the
    /// second-best move.
    pub chances: [u8; 2],
}

impl Puzzle {
    /// Turns the position `board` into a puzzle if it has one clearly best move. A search of `iterations` iterations
    /// finds this move, and a search of [`VERIFY_FACTOR`] times as many verifies it. Both use the settings of
    /// `searcher`, but not its budget.
    ///
    /// Returns `Some(Ok(_))` with the puzzle, `Some(Err(_))` with the reason if the position is no puzzle, or `None` if
    /// a search was aborted.
    #[must_use]
    pub fn find(
        board: &Board,
        iterations: u64,
        searcher: &Searcher,
    ) -> Option<Result<Puzzle, Rejection>> {
        if movegen::count(board) < MIN_MOVES {
            return Some(Err(Rejection::FewMoves));
        }
        let searcher_with = |iterations| Searcher {
            budget: Budget::Iterations(iterations),
            multipv: 1 + ALTERNATIVES,
            ..searcher.clone()
        };
        let found = searcher_with(iterations).search_position(board, None)?;
        if found.report.iterations == 0 {
            return Some(Err(Rejection::FewMoves));
        }
        let Some(best) = clearly_best(&found) else {
            return Some(Err(Rejection::Unclear));
        };
        let long = searcher_with(VERIFY_FACTOR * iterations);
        let checked = long.search_position(board, None)?;
        if clearly_best(&checked) != Some(best) {
            return Some(Err(Rejection::Unconfirmed));
        }
        let mut tried = search_candidates(board, &checked, &long)?;
        let other = tried.swap_remove(1);
        if win_probability(&tried[0]) < win_probability(&other) + MIN_LEAD {
            return Some(Err(Rejection::Unconfirmed));
        }
        let is_hard = |&few: &u64| {
            let found = searcher_with(few).search_position(board, None)?;
            Some(found.report.principal_variation.first() != Some(&best))
        };
        let hard = DIFFICULTY_ITERATIONS.iter().map(is_hard);
        let hard = hard.take_while(|&is_hard| is_hard != Some(false));
        let difficulty = 1 + hard.collect::<Option<Vec<_>>>()?.len() as u8;
        Some(Puzzle::from_results(board, difficulty, &tried[0], &other).ok_or(Rejection::NoTheme))
    }

    /// Creates a puzzle with the position `board`. `best` is its best move, `other` its second-best move, each with the
    /// result of a search of the position after the move. Returns `None` if the puzzle is of no [`Kind`].
    fn from_results(
        board: &Board,
        difficulty: u8,
        best: &SearchedMove,
        other: &SearchedMove,
    ) -> Option<Puzzle> {
        let line = |(turn, outlook): &SearchedMove| {
            let moves = [&[*turn], &outlook.replies[..]].concat();
            moves.into_iter().take(MAX_LINE_PLIES).collect()
        };
        let percent = |tried: &SearchedMove| (100.0 * win_probability(tried)).round() as u8;
        let mut puzzle = Puzzle {
            kind: Kind::Only,
            difficulty,
            board: board.clone(),
            best: line(best),
            other: line(other),
            chances: [percent(best), percent(other)],
        };
        puzzle.kind = Kind::ALL.into_iter().find(|&kind| puzzle.fits_kind(kind))?;
        Some(puzzle)
    }

    /// Tests if the puzzle meets the conditions of `kind`. Besides its own kind, [`Puzzle::kind`], it may meet the
    /// conditions of other kinds.
    #[must_use]
    pub fn fits_kind(&self, kind: Kind) -> bool {
        let mover = self.board.to_move();
        let [best, other] = self.chances.map(|chance| f32::from(chance) / 100.0);
        let lines = [&self.best, &self.other].map(|moves| positions(&self.board, moves));
        let [good, bad] = lines.each_ref().map(|line| &line[line.len() - 1]);
        let net_enclosed = |board: &Board| {
            let squares = |player| enclosed(board, player).count_ones() as i32;
            squares(mover) - squares(!mover)
        };
        let wins = |board: &Board| prove_endgame(board) == Some(mover);
        match kind {
            Kind::Only => other < 0.5 && best >= other + MIN_LEAD_OF_ONLY,
            Kind::Split if net_enclosed(good) >= net_enclosed(bad) + MIN_SPLIT_GAIN => true,
            Kind::Count if wins(good) && !wins(bad) => true,
            _ => self
                .reasons()
                .iter()
                .any(|reason| Kind::from_reason(reason, mover) == Some(kind)),
        }
    }

    /// Returns sentences that explain why the second-best move is bad, followed by sentences that explain why the best
    /// move is good.
    #[must_use]
    pub fn reasons(&self) -> Vec<Reason> {
        let line = |moves: &[Move]| Line::new(&self.board, moves[0], &moves[1..]);
        reasons(&line(&self.best), Some(&line(&self.other)))
    }
}

/// A move with the result of a search of the position after it. First: the move. Second: the win probability (0 to 1)
/// of the player who makes the move, and the principal variation after the move.
type SearchedMove = (Move, Outlook);

/// Returns the win probability after a searched move, from 0 to 1, for the player who makes this move.
const fn win_probability((_, outlook): &SearchedMove) -> f32 {
    outlook.win_probability
}

/// Searches with `searcher` the position after each candidate move in `found`, the result of a search of `board`.
/// Returns the candidates with the results of these searches: first the best move of `found`, then the others by
/// falling win probability.
///
/// Returns `None` if a search was aborted.
fn search_candidates(
    board: &Board,
    found: &SearchedPosition,
    searcher: &Searcher,
) -> Option<Vec<SearchedMove>> {
    let outlook = |found: &Candidate| Some((found.turn, searcher.search_after(board, found.turn)?));
    let tried = found.candidates.iter().map(outlook);
    let mut tried = tried.collect::<Option<Vec<_>>>()?;
    tried[1..].sort_by(|one, other| win_probability(other).total_cmp(&win_probability(one)));
    Some(tried)
}

/// Returns the best move of the search result `found` if its win probability is at least 0.5 and exceeds that of every
/// other candidate by at least [`MIN_LEAD`]. Otherwise, or if there is no other candidate, returns `None`.
fn clearly_best(found: &SearchedPosition) -> Option<Move> {
    let (best, others) = found.candidates.split_first()?;
    let leads = |other: &Candidate| best.win_probability >= other.win_probability + MIN_LEAD;
    let is_clear = others.iter().all(leads);
    (best.win_probability >= 0.5 && is_clear && !others.is_empty()).then_some(best.turn)
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from_a1: Vec<char> = cells::write(&self.board).chars().collect();
        let cells = fen::pack_row(&from_a1);
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
