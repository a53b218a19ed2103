//! Searches one position of a game: finds the best moves, and rates the move that was played in the game.

use super::judgement::Judgement;
use crate::root_parallel::{RootParallel, SearchSettings, SearchedTurn};
use engine::board::{Board, Move};
use engine::budget::Budget;
use engine::inspect::Edge;
use engine::mcts::Report;
use engine::movegen;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// Budget of each search that explains a mistake, as a multiple of the budget of the search of a position.
pub const EXPLANATION_FACTOR: u32 = 12;

/// Minimum loss of win probability, as the search of the position estimates it, for which the played move is searched.
const MIN_ESTIMATED_LOSS: f32 = 0.05;

/// Returns the settings of a search for analysis. `memory` is the size of all trees in bytes. The random seed is fixed,
/// so that equal numbers of iterations and threads give equal results.
#[must_use]
pub fn analysis_settings(memory: usize, threads: usize) -> SearchSettings {
    SearchSettings::new(memory, threads, 1)
}

/// Searches positions, each with the same budget and settings.
#[derive(Clone, Debug)]
pub struct Searcher<'a> {
    /// Budget of each search: a time, or a number of iterations.
    pub budget: Budget,
    /// Settings of each search: memory, threads, parameters and networks.
    pub settings: SearchSettings,
    /// Maximum number of candidate moves to return per position.
    pub multipv: usize,
    /// Flag that aborts every search once the flag is true; another thread may set it.
    pub stop: &'a AtomicBool,
}

/// A move that the search has visited, with its statistics, from the point of view of the player who makes the move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The move: the amazon's move and its arrow.
    #[serde(rename = "move")]
    pub turn: Move,
    /// Number of iterations through the whole turn, over all threads.
    pub visits: u32,
    /// Win probability after the move for the player who makes the move, from 0 to 1; exactly 0 or 1 if proven.
    pub win_probability: f32,
    /// Whether the search has proven who wins after the move.
    pub proven: bool,
    /// Best play for both sides, as far as the search has seen; begins with this move.
    pub principal_variation: Vec<Move>,
}

/// Result of the search of one position, from the point of view of the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchedPosition {
    /// Statistics of the search: win probability, visits, depth, principal variation.
    pub report: Report,
    /// Whether the search has proven the winner of the position.
    pub proven: bool,
    /// Best candidate moves: the search's choice first, then proven wins, then the others by falling visits and win
    /// probability.
    pub candidates: Vec<Candidate>,
    /// Search result of the move that was played in the game; `None` if the search has not visited the move.
    pub played: Option<Candidate>,
    /// Outlook after the best move, from a second search. `None` if the second search is not needed: the winner is
    /// proven, no move was played, or the best move was played.
    pub after_best: Option<Outlook>,
    /// Longer searches that explain why the played move is a mistake; `None` if it is no mistake.
    pub explanation: Option<Explanation>,
}

/// Outlooks after the best move and after a mistake, by searches with [`EXPLANATION_FACTOR`] times the budget of the position.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Outlook after the best move.
    pub best: Outlook,
    /// Outlook after the mistake.
    pub mistake: Outlook,
}

impl Explanation {
    /// Returns the win probability that the mistake loses, compared with the best move.
    #[must_use]
    pub fn loss(&self) -> f32 {
        self.best.win_probability - self.mistake.win_probability
    }
}

/// Win probability and best play after a move, from a search of the position after the move.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// Win probability of the player who made the move, from 0 to 1.
    pub win_probability: f32,
    /// Best play for both sides after the move, as far as the search has seen; begins with the opponent's reply.
    pub line: Vec<Move>,
}

impl From<&SearchedPosition> for Outlook {
    /// Converts the search result of a position to the outlook of the player who has just moved, not of the side to
    /// move.
    fn from(position: &SearchedPosition) -> Outlook {
        Outlook {
            win_probability: 1.0 - position.report.win_probability,
            line: position.report.principal_variation.clone(),
        }
    }
}

impl Searcher<'_> {
    /// Searches a position. `played` is the move that was played there; if it is not the best move, also searches the
    /// position after the best move. If `played` is a mistake, searches the positions after both moves again,
    /// [`EXPLANATION_FACTOR`] times as long.
    ///
    /// Returns `None` if a search was aborted.
    #[must_use]
    pub fn position(&self, board: &Board, played: Option<Move>) -> Option<SearchedPosition> {
        if movegen::count(board) == 0 {
            // The side to move has no legal move and has lost; by default the win probability is 0.
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
        let found = SearchedPosition {
            after_best: match other {
                Some(best) => Some(self.after(board, best)?),
                None => None,
            },
            ..found
        };
        let explanation = match (best, played) {
            (Some(best), Some(played))
                if best != played && self.is_mistake(board, &found, played)? =>
            {
                Some(self.explain(board, best, played)?)
            }
            _ => None,
        };
        Some(SearchedPosition {
            explanation,
            ..found
        })
    }

    /// Tests if `played`, which is not the best move, is at least a [`Judgement::Mistake`]. Searches the position after it
    /// only if the search `found` of the position estimates a loss. Returns `None` if the search was aborted.
    fn is_mistake(&self, board: &Board, found: &SearchedPosition, played: Move) -> Option<bool> {
        let own = found.report.win_probability;
        let estimate = found.played.as_ref();
        if estimate.is_some_and(|played| own - played.win_probability < MIN_ESTIMATED_LOSS) {
            return Some(false);
        }
        let best = found.after_best.as_ref();
        let best = best.map_or(own, |after| after.win_probability);
        let loss = best - self.after(board, played)?.win_probability;
        Some(Judgement::of(loss) >= Some(Judgement::Mistake))
    }

    /// Searches the positions after the moves `best` and `mistake`, [`EXPLANATION_FACTOR`] times as long as a position.
    /// Returns `None` if a search was aborted.
    fn explain(&self, board: &Board, best: Move, mistake: Move) -> Option<Explanation> {
        let longer = Searcher {
            budget: match self.budget {
                Budget::Time(time) => Budget::Time(time * EXPLANATION_FACTOR),
                Budget::Iterations(count) => {
                    Budget::Iterations(count * u64::from(EXPLANATION_FACTOR))
                }
            },
            ..self.clone()
        };
        Some(Explanation {
            best: longer.after(board, best)?,
            mistake: longer.after(board, mistake)?,
        })
    }

    /// Searches a position; returns whether the winner was proven, and the number of iterations. `None` if the search
    /// was aborted.
    #[must_use]
    pub fn proof(&self, board: &Board) -> Option<(bool, u64)> {
        self.search(board, |search| {
            (search.is_proven(), search.report().iterations)
        })
    }

    /// Searches the position after `turn`, and returns the outlook of the player who makes this move; `None` if the
    /// search was aborted.
    ///
    /// # Panics
    /// If `turn` is illegal.
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

    /// Searches a position, and applies `read` to the finished search; `None` if the search was aborted.
    fn search<T>(&self, board: &Board, read: impl Fn(&RootParallel) -> T) -> Option<T> {
        let mut search = RootParallel::new(board, &self.settings);
        let stopped = || self.stop.load(Ordering::Relaxed);
        search.spend(self.budget, stopped);
        (!stopped()).then(|| read(&search))
    }
}

impl SearchedPosition {
    /// Reads the results of a search so far, with at most `multipv` candidates; `played` is the move that was played in
    /// the game. Runs no second search: `after_best` is `None`.
    #[must_use]
    pub fn of(search: &RootParallel, multipv: usize, played: Option<Move>) -> SearchedPosition {
        let report = search.report();
        let proven = search.is_proven();
        let best = report.principal_variation.first().copied();
        let turns = ranked_turns(search, best);
        let played_turn = turns
            .iter()
            .find(|searched| Some(searched.turn()) == played);
        // If counting moves has proven the endgame, the search has a best move but no tree to read candidates from.
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
            explanation: None,
            played: played_turn.map(|searched| candidate(search, searched)),
            proven,
            candidates,
            report,
        }
    }
}

/// Returns a searched turn as a candidate, with the principal variation that begins with this turn.
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

/// Returns all turns that the search has visited: `best` first, then proven wins, then by falling visits and mean
/// value.
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
