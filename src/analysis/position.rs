//! Searches one position of a game: finds the best moves, and rates the move that was played.

use super::ownership::Ownership;
use super::reasons::line::positions;
use crate::root_parallel::{RootParallel, SearchSettings, SearchedTurn};
use engine::board::{Board, Move};
use engine::budget::Budget;
use engine::inspect::Edge;
use engine::mcts::Report;
use engine::movegen;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of best moves whose lines are averaged in [`SearchedPosition::expected_ownership`].
const AVERAGED_LINES: usize = 12;

/// Returns the settings of an analysis search. The random seed is fixed, so that equal numbers of iterations give equal
/// results. `memory` is in bytes.
#[must_use]
pub fn analysis_settings(memory: usize, threads: usize) -> SearchSettings {
    SearchSettings::new(memory, threads, 1)
}

/// Settings with which positions are searched.
#[derive(Clone, Debug)]
pub struct Searcher<'a> {
    /// Budget of each search: a time or a number of iterations.
    pub budget: Budget,
    /// Memory, threads, parameters and networks of each search.
    pub settings: SearchSettings,
    /// Maximum number of candidate moves to return.
    pub multipv: usize,
    /// Flag that aborts every search once it is true.
    pub stop: &'a AtomicBool,
}

/// A move that the search has visited, with its statistics. Win probabilities are those of the player who makes the move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// Whole turn: the amazon's move and the arrow.
    #[serde(rename = "move")]
    pub turn: Move,
    /// Number of iterations through the move.
    pub visits: u32,
    /// Win probability after the move, for the player who makes the move; 0 or 1 if proven.
    pub win_probability: f32,
    /// Whether the result of the move is proven.
    pub proven: bool,
    /// The principal variation that begins with this move.
    pub principal_variation: Vec<Move>,
}

/// Result of the search of one position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchedPosition {
    /// Statistics of the search: win probability, visits, depth, principal variation.
    pub report: Report,
    /// Whether the search has proven the winner.
    pub proven: bool,
    /// Candidate moves: the best move first, then proven wins, then the other moves by visits and win probability.
    pub candidates: Vec<Candidate>,
    /// Search result of the played move, if the search has visited the move.
    pub played: Option<Candidate>,
    /// Expected ownership at the end of the best moves' lines, averaged by visits; `None` if the search built no tree.
    pub expected_ownership: Option<Ownership>,
    /// Outlook after the best move, from a second search. `None` if the second search is unnecessary: the winner is proven, no
    /// move was played, or the best move was played.
    pub after_best: Option<Outlook>,
}

/// What is expected after a move, by a search of the position after the move.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// Win probability of the player who made the move.
    pub win_probability: f32,
    /// Principal variation after the move.
    pub line: Vec<Move>,
    /// Expected ownership: see [`SearchedPosition::expected_ownership`].
    pub expected_ownership: Option<Ownership>,
}

impl From<&SearchedPosition> for Outlook {
    /// Returns the outlook for the player who moved last, from the search of the position after that move.
    fn from(position: &SearchedPosition) -> Outlook {
        Outlook {
            win_probability: 1.0 - position.report.win_probability,
            line: position.report.principal_variation.clone(),
            expected_ownership: position.expected_ownership,
        }
    }
}

impl Searcher<'_> {
    /// Searches a position. If `played` differs from the best move, also searches the position after the best move.
    ///
    /// Returns `None` if a search was aborted.
    #[must_use]
    pub fn position(&self, board: &Board, played: Option<Move>) -> Option<SearchedPosition> {
        if movegen::count(board) == 0 {
            // The side to move has no legal move and has lost.
            return Some(SearchedPosition {
                proven: true,
                ..SearchedPosition::default()
            });
        }
        let found = self.search(board, |search| {
            SearchedPosition::of(search, self.multipv, played)
        })?;
        let best = found.report.principal_variation.first().copied();
        let other = best.filter(|_| !found.proven && played.is_some() && played != best);
        Some(SearchedPosition {
            after_best: match other {
                Some(best) => Some(self.after(board, best)?),
                None => None,
            },
            ..found
        })
    }

    /// Searches a position, and returns whether the winner is proven and how many iterations were run; `None` if aborted.
    #[must_use]
    pub fn proof(&self, board: &Board) -> Option<(bool, u64)> {
        self.search(board, |search| {
            (search.is_proven(), search.report().iterations)
        })
    }

    /// Searches the position after `turn` and returns the outlook; `None` if the search was aborted.
    #[must_use]
    pub fn after(&self, board: &Board, turn: Move) -> Option<Outlook> {
        let mut board = board.clone();
        board.play(turn).expect("the search finds legal moves");
        if movegen::count(&board) == 0 {
            return Some(Outlook::from(&SearchedPosition::default()));
        }
        self.search(&board, |search| {
            Outlook::from(&SearchedPosition::of(search, 1, None))
        })
    }

    /// Searches a position and returns what `read` returns from the finished search; `None` if the search was aborted.
    fn search<T>(&self, board: &Board, read: impl Fn(&RootParallel) -> T) -> Option<T> {
        let mut search = RootParallel::new(board, &self.settings);
        let stopped = || self.stop.load(Ordering::Relaxed);
        search.spend(self.budget, stopped);
        (!stopped()).then(|| read(&search))
    }
}

impl SearchedPosition {
    /// Returns the results of a search so far, with at most `multipv` candidates. Runs no second search: `after_best` is
    /// `None`.
    #[must_use]
    pub fn of(search: &RootParallel, multipv: usize, played: Option<Move>) -> SearchedPosition {
        let report = search.report();
        let proven = search.is_proven();
        let best = report.principal_variation.first().copied();
        let turns = ranked_turns(search, best);
        let played_turn = turns
            .iter()
            .find(|searched| Some(searched.turn()) == played);
        // If counting moves has proven the endgame, the search has a best move, but no tree.
        let proven_move = best.filter(|_| turns.is_empty()).map(|turn| Candidate {
            turn,
            visits: 0,
            win_probability: report.win_probability,
            proven,
            principal_variation: report.principal_variation.clone(),
        });
        let searched = turns.iter().map(|searched| candidate(search, searched));
        let candidates = proven_move
            .into_iter()
            .chain(searched)
            .take(multipv)
            .collect();
        SearchedPosition {
            after_best: None,
            played: played_turn.map(|searched| candidate(search, searched)),
            proven,
            candidates,
            expected_ownership: expected_ownership(search, &turns),
            report,
        }
    }
}

/// Returns the statistics of a searched turn, with the principal variation that begins with it.
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

/// Returns the expected ownership after the first of `turns`: see [`SearchedPosition::expected_ownership`].
fn expected_ownership(search: &RootParallel, turns: &[SearchedTurn]) -> Option<Ownership> {
    let ownerships = turns.iter().take(AVERAGED_LINES).map(|searched| {
        let line = search.line(searched.turn());
        let visits = searched.arrow.visits.max(1) as f32;
        (visits, Ownership::at_end(&positions(search.board(), &line)))
    });
    Ownership::mean(ownerships)
}

/// Returns all turns that the search has visited: `best` first, then proven wins, then by visits and mean value.
fn ranked_turns(search: &RootParallel, best: Option<Move>) -> Vec<SearchedTurn> {
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
