//! The search of one position of a game: its best moves, and the worth of the move played.

use super::ownership::Ownership;
use super::reasons::line::positions;
use crate::root_parallel::{Means, RootParallel, SearchedTurn};
use engine::board::{Board, Move};
use engine::budget::Budget;
use engine::inspect::Edge;
use engine::mcts::Report;
use engine::movegen;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of moves whose lines tell [`Position::prospect`].
const LINES: usize = 12;

/// What every analysis has to think with. Its seed is fixed, so that equal iterations give equal results.
#[must_use]
pub fn means(memory: usize, threads: usize) -> Means {
    Means::new(memory, threads, 1)
}

/// How positions are searched.
#[derive(Clone, Debug)]
pub struct Searcher<'a> {
    /// Budget of each search.
    pub budget: Budget,
    /// What each search has to think with.
    pub means: Means,
    /// Number of candidates to return.
    pub multipv: usize,
    /// Breaks every search off when set.
    pub stop: &'a AtomicBool,
}

/// A move that the search has visited. Probabilities are those of the player who would make it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The move.
    #[serde(rename = "move")]
    pub turn: Move,
    /// Number of iterations that went through it.
    pub visits: u32,
    /// Win probability of the player to move after it, 0 or 1 if proven.
    pub win_probability: f32,
    /// Whether its result is proven.
    pub proven: bool,
    /// The principal variation that begins with this move.
    pub principal_variation: Vec<Move>,
}

/// What a search found in a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Position {
    /// The search's own report.
    pub report: Report,
    /// Whether the winner is certain.
    pub proven: bool,
    /// The best moves, the best one first, then by proof, visits and probability.
    pub candidates: Vec<Candidate>,
    /// The candidate of the move played, if the search has visited it.
    pub played: Option<Candidate>,
    /// Ownership of all squares where the lines of the likeliest moves end, weighted by visits; nothing without a tree.
    pub prospect: Option<Ownership>,
    /// What follows the best move, by a second search. Left out if it is not needed: the winner is proven, or the best
    /// move was played.
    pub after_best: Option<Outlook>,
}

/// What follows a move, by a search of the position that it leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// Win probability of the player who has made the move.
    pub win_probability: f32,
    /// The moves that are expected.
    pub line: Vec<Move>,
    /// [`Position::prospect`].
    pub prospect: Option<Ownership>,
}

impl From<&Position> for Outlook {
    /// The outlook of whoever has moved into a position.
    fn from(position: &Position) -> Outlook {
        Outlook {
            win_probability: 1.0 - position.report.win_probability,
            line: position.report.principal_variation.clone(),
            prospect: position.prospect,
        }
    }
}

impl Searcher<'_> {
    /// Searches a position. If another move than the best was played, also searches the position after the best move.
    ///
    /// Nothing if the search was broken off.
    #[must_use]
    pub fn position(&self, board: &Board, played: Option<Move>) -> Option<Position> {
        if movegen::count(board) == 0 {
            // Who has no move has lost.
            return Some(Position {
                proven: true,
                ..Position::default()
            });
        }
        let found = self.search(board, |search| Position::of(search, self.multipv, played))?;
        let best = found.report.principal_variation.first().copied();
        let other = best.filter(|_| !found.proven && played.is_some() && played != best);
        Some(Position {
            after_best: match other {
                Some(best) => Some(self.after(board, best)?),
                None => None,
            },
            ..found
        })
    }

    /// Whether a search proves the winner of a position, and its iterations; nothing if it was broken off.
    #[must_use]
    pub fn proof(&self, board: &Board) -> Option<(bool, u64)> {
        self.search(board, |search| {
            (search.is_proven(), search.report().iterations)
        })
    }

    /// What follows a move; nothing if the search was broken off.
    #[must_use]
    pub fn after(&self, board: &Board, turn: Move) -> Option<Outlook> {
        let mut board = board.clone();
        board.play(turn).expect("the search finds legal moves");
        if movegen::count(&board) == 0 {
            return Some(Outlook::from(&Position::default()));
        }
        self.search(&board, |search| {
            Outlook::from(&Position::of(search, 1, None))
        })
    }

    /// What a search has found in the end; nothing if it was broken off.
    fn search<T>(&self, board: &Board, found: impl Fn(&RootParallel) -> T) -> Option<T> {
        let mut search = RootParallel::new(board, &self.means);
        let stopped = || self.stop.load(Ordering::Relaxed);
        search.spend(self.budget, stopped);
        (!stopped()).then(|| found(&search))
    }
}

impl Position {
    /// What a search has found in its position so far, with at most `multipv` candidates; no second search is made.
    #[must_use]
    pub fn of(search: &RootParallel, multipv: usize, played: Option<Move>) -> Position {
        let report = search.report();
        let proven = search.is_proven();
        let best = report.principal_variation.first().copied();
        let turns = ranked(search, best);
        let played_turn = turns
            .iter()
            .find(|searched| Some(searched.turn()) == played);
        // A position settled by counting has a best move, but no tree.
        let counted = best.filter(|_| turns.is_empty()).map(|turn| Candidate {
            turn,
            visits: 0,
            win_probability: report.win_probability,
            proven,
            principal_variation: report.principal_variation.clone(),
        });
        let searched = turns.iter().map(|searched| candidate(search, searched));
        let candidates = counted.into_iter().chain(searched).take(multipv).collect();
        Position {
            after_best: None,
            played: played_turn.map(|searched| candidate(search, searched)),
            proven,
            candidates,
            prospect: prospect(search, &turns),
            report,
        }
    }
}

/// A turn with the line that follows it.
fn candidate(search: &RootParallel, searched: &SearchedTurn) -> Candidate {
    let (turn, arrow) = (searched.turn(), searched.arrow);
    Candidate {
        turn,
        visits: arrow.visits,
        win_probability: arrow.mean.clamp(0.0, 1.0),
        proven: arrow.is_proven(),
        principal_variation: search.line(turn),
    }
}

/// [`Position::prospect`].
fn prospect(search: &RootParallel, turns: &[SearchedTurn]) -> Option<Ownership> {
    let ends = turns.iter().take(LINES).map(|searched| {
        let line = search.line(searched.turn());
        let visits = searched.arrow.visits.max(1) as f32;
        (
            visits,
            Ownership::at_the_end(&positions(search.board(), &line)),
        )
    });
    Ownership::mean(ends)
}

/// All turns that the search has looked at: the best one first, then by proof, visits and mean.
fn ranked(search: &RootParallel, best: Option<Move>) -> Vec<SearchedTurn> {
    let mut turns = search.turns();
    let proof = |edge: &Edge| if edge.is_proven() { edge.mean } else { 0.0 };
    turns.sort_by(|a, b| {
        let is_best = |searched: &SearchedTurn| Some(searched.turn()) == best;
        let [a, b] = [b, a];
        (is_best(a).cmp(&is_best(b)))
            .then(proof(&a.arrow).total_cmp(&proof(&b.arrow)))
            .then(a.arrow.visits.cmp(&b.arrow.visits))
            .then(a.arrow.mean.total_cmp(&b.arrow.mean))
    });
    turns
}
