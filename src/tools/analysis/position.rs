//! The search of one position of a game: its best moves, and the worth of the move played.

use super::notation::{as_text, as_texts};
use crate::board::{Board, Move};
use crate::budget::Budget;
use crate::clock::Clock;
use crate::mcts::{Edge, Params, Report};
use crate::movegen;
use crate::tools::thinking::root_parallel::{RootParallel, SearchedTurn};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// Seed of every search, fixed so that equal iterations give equal results.
const SEED: u64 = 1;

/// Makes searches of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Searcher<'a> {
    /// Budget of each search.
    pub budget: Budget,
    /// Bytes of each search's trees.
    pub memory: usize,
    /// Threads of each search.
    pub threads: usize,
    /// Number of candidates to return.
    pub multipv: usize,
    /// Breaks every search off when set.
    pub stop: &'a AtomicBool,
}

/// A move that the search has visited. Probabilities are those of the player who would make it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The move.
    #[serde(rename = "move", serialize_with = "as_text")]
    pub turn: Move,
    /// Number of iterations that went through it.
    pub visits: u32,
    /// Win probability of the player to move after it, 0 or 1 if proven.
    pub win_probability: f32,
    /// Whether its result is proven.
    pub proven: bool,
    /// The principal variation that begins with this move.
    #[serde(serialize_with = "as_texts")]
    pub principal_variation: Vec<Move>,
}

/// What a search found in a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// The search's own report.
    pub report: Report,
    /// Whether the winner is certain.
    pub proven: bool,
    /// The best moves, the best one first, then by proof, visits and probability.
    pub candidates: Vec<Candidate>,
    /// The candidate of the move played, if the search has visited it.
    pub played: Option<Candidate>,
    /// Win probability of the player to move after the best move, by a second search. Left out if it is not needed:
    /// the winner is proven, or the best move was played.
    pub after_best: Option<f32>,
}

impl Searcher<'_> {
    /// Searches a position. If another move than the best was played, also searches the position after the best move.
    ///
    /// Nothing if the search was broken off.
    #[must_use]
    pub fn position(&self, board: &Board, played: Option<Move>) -> Option<Position> {
        if movegen::count(board) == 0 {
            return Some(Position::lost());
        }
        let search = self.run(board)?;
        let found = Position::of(&search, self.multipv, played);
        let best = found.report.principal_variation.first().copied();
        let other = best.filter(|_| !found.proven && played.is_some() && played != best);
        drop(search);
        Some(Position {
            after_best: match other {
                Some(best) => Some(self.after(board, best)?),
                None => None,
            },
            ..found
        })
    }

    /// Win probability of the player to move after a move, by a search of the position that it leads to.
    fn after(&self, board: &Board, turn: Move) -> Option<f32> {
        let mut board = board.clone();
        board.play(turn).expect("the search finds legal moves");
        if movegen::count(&board) == 0 {
            return Some(1.0);
        }
        Some(1.0 - self.run(&board)?.report().win_probability)
    }

    /// A finished search; nothing if it was broken off.
    fn run(&self, board: &Board) -> Option<RootParallel> {
        let mut search =
            RootParallel::new(board, self.memory, SEED, Params::default(), self.threads);
        let stopped = || self.stop.load(Ordering::Relaxed);
        search.spend(self.budget, &Clock::of_wall(), stopped);
        (!stopped()).then_some(search)
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
            report,
        }
    }

    /// A position in which the player to move has no move, and so has lost.
    fn lost() -> Position {
        Position {
            report: Report {
                win_probability: 0.0,
                visits: 0,
                iterations: 0,
                evaluations: 0,
                depth: 0,
                principal_variation: Vec::new(),
            },
            proven: true,
            candidates: Vec::new(),
            played: None,
            after_best: None,
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
