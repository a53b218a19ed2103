//! Searches one position of a game: finds the best moves, and rates the move that was played in the game. The main type
//! is [`Searcher`].

use super::judgement::Judgement;
use crate::tree_parallel::{SearchSettings, SearchedTurn, TreeParallel};
use engine::board::{Board, Move};
use engine::budget::Budget;
use engine::inspect::Edge;
use engine::mcts::Report;
use engine::movegen;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ratio of two search budgets (time or number of iterations): the budget of a search that explains a mistake, divided
/// by the normal budget [`Searcher::budget`].
pub const EXPLANATION_FACTOR: u32 = 12;

/// Minimum estimated loss of win probability (0 to 1) at which the position after the played move is searched, too. If
/// the estimate is smaller, the move counts as no mistake without such a search. The estimate comes from the search of
/// the position before the move.
const MIN_ESTIMATED_LOSS: f32 = 0.05;

/// Returns search settings for analysis: the bot's parameters and networks, and a fixed random seed, so that searches
/// by one thread with equal numbers of iterations give equal results. `memory` is the maximum size of the search tree,
/// in bytes.
#[must_use]
pub fn analysis_settings(memory: usize, threads: usize) -> SearchSettings {
    SearchSettings::new(memory, threads, 1)
}

/// Searches positions of games, each with the same budget and settings.
#[derive(Clone, Debug)]
pub struct Searcher<'a> {
    /// Budget of each search: a time limit, or a maximum number of iterations.
    pub budget: Budget,
    /// Settings of each search: memory, threads, parameters and networks.
    pub settings: SearchSettings,
    /// Maximum number of candidate moves in the result of each search.
    pub multipv: usize,
    /// Flag that another thread sets to true to abort every search. An aborted search returns no result.
    pub stop: &'a AtomicBool,
}

/// A move (the amazon's move and the arrow) that the search has visited, with its statistics, from the point of view of
/// the player who makes the move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// Move of the amazon and the arrow shot after it.
    #[serde(rename = "move")]
    pub turn: Move,
    /// Number of search iterations in which the move (the amazon's move and the arrow) was tried, summed over all
    /// threads.
    pub visits: u32,
    /// Win probability after the move for the player who makes the move, from 0 to 1; exactly 0 or 1 if proven.
    pub win_probability: f32,
    /// True if the search has proven who wins after the move.
    pub proven: bool,
    /// Principal variation that begins with this move: best play for both sides, as far as the search has seen.
    pub principal_variation: Vec<Move>,
}

/// Result of the search of one position. Win probabilities are those of the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchedPosition {
    /// Statistics of the search: win probability, visits, depth, principal variation.
    pub report: Report,
    /// True if the search has proven the winner of the position.
    pub proven: bool,
    /// Best candidate moves, at most [`Searcher::multipv`]. They are ordered: first the move that the search would
    /// play, then the moves proven to win, then the others by falling number of visits (if equal, by falling win
    /// probability).
    pub candidates: Vec<Candidate>,
    /// Search result of the move that was played in the game; `None` if the search has not visited the move.
    pub played: Option<Candidate>,
    /// Win probability of the side to move if it plays the best move, and the expected continuation after this move.
    /// Both come from a search of the position after the move. `None` if this search is not needed: the winner is
    /// proven, no move was played, or the best move was played.
    pub after_best: Option<Outlook>,
    /// Results of the longer searches that explain why the played move is bad. `None` if no move was played, or if it
    /// lost less than 0.10 of win probability, so that it is neither a mistake nor a blunder.
    pub explanation: Option<Explanation>,
}

/// Results of two longer searches: of the position after the best move, and of the position after a mistake. Each has
/// the budget [`Searcher::budget`] times [`EXPLANATION_FACTOR`].
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Result of the search of the position after the best move, which the player who made the mistake missed: this
    /// player's win probability (0 to 1), and the principal variation.
    pub best: Outlook,
    /// Result of the search of the position after the mistake: the win probability (0 to 1) of the player who made the
    /// mistake, and the principal variation.
    pub mistake: Outlook,
}

impl Explanation {
    /// Returns the win probability after the best move minus that after the mistake, both for the player who made the
    /// mistake. May be slightly negative, because the two moves are searched separately.
    #[must_use]
    pub fn loss(&self) -> f32 {
        self.best.win_probability - self.mistake.win_probability
    }
}

/// Result of a search of the position after a move: the win probability of the player who made the move, and the
/// expected continuation.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook {
    /// Win probability (0 to 1) in the position after the move, for the player who made the move.
    pub win_probability: f32,
    /// Expected continuation after the move, which begins with the opponent's reply: best play for both sides, as far
    /// as the search has seen (principal variation).
    pub replies: Vec<Move>,
}

impl From<&SearchedPosition> for Outlook {
    /// Converts the search result of a position to the point of view of the player who made the move before it, the
    /// opponent of the side to move. This player's win probability is 1 minus that of the side to move.
    fn from(position: &SearchedPosition) -> Outlook {
        Outlook {
            win_probability: 1.0 - position.report.win_probability,
            replies: position.report.principal_variation.clone(),
        }
    }
}

impl Searcher<'_> {
    /// Searches the position `board`, and rates the move `played` in the game; `played` is `None` if no move was
    /// played.
    ///
    /// If `played` is not the best move, further searches follow:
    /// - the position after the best move, unless the winner is proven,
    /// - the position after `played`, unless the first search estimates that `played` loses less than 0.05 of win
    ///   probability,
    /// - both positions with a longer budget, if `played` loses at least 0.10 of win probability (see [`Explanation`]).
    ///
    /// Returns `None` if a search was aborted.
    #[must_use]
    pub fn search_position(&self, board: &Board, played: Option<Move>) -> Option<SearchedPosition> {
        if movegen::count(board) == 0 {
            // The side to move has no legal move and has lost. The default result says just that: a win probability of
            // 0 and no candidate moves.
            return Some(SearchedPosition {
                proven: true,
                ..SearchedPosition::default()
            });
        }
        let read = |search: &TreeParallel| SearchedPosition::new(search, self.multipv, played);
        let mut found = self.search(board, read)?;
        let best = found.report.principal_variation.first().copied();
        let other = best.filter(|_| !found.proven && played.is_some() && played != best);
        if let Some(best) = other {
            found.after_best = Some(self.search_after(board, best)?);
        }
        if let (Some(best), Some(played)) = (best, played)
            && best != played
            && self.is_mistake(board, &found, played)?
        {
            found.explanation = Some(self.explain(board, best, played)?);
        }
        Some(found)
    }

    /// Tests if the move `played` loses at least 0.10 of win probability. `played` must not be the best move in
    /// `board`; `found` is the result of the search of `board`.
    ///
    /// Returns false without a further search if `played` loses less than [`MIN_ESTIMATED_LOSS`] according to `found`.
    /// Otherwise searches the position after `played`; returns `None` if this search was aborted.
    fn is_mistake(&self, board: &Board, found: &SearchedPosition, played: Move) -> Option<bool> {
        let own = found.report.win_probability;
        let estimate = found.played.as_ref();
        if estimate.is_some_and(|played| own - played.win_probability < MIN_ESTIMATED_LOSS) {
            return Some(false);
        }
        let best = found.after_best.as_ref();
        let best = best.map_or(own, |after| after.win_probability);
        let loss = best - self.search_after(board, played)?.win_probability;
        Some(Judgement::from_loss(loss) >= Some(Judgement::Mistake))
    }

    /// Searches the two positions that arise if the moves `best` and `mistake` are played on `board`. Returns the
    /// results of both searches: for each, the win probability of the side to move in `board`, and the principal
    /// variation. The budget of each search is [`Searcher::budget`] times [`EXPLANATION_FACTOR`]. Returns `None` if a
    /// search was aborted.
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
            best: longer.search_after(board, best)?,
            mistake: longer.search_after(board, mistake)?,
        })
    }

    /// Tests if a search of `board` with the budget [`Searcher::budget`] proves which player wins. Returns a pair.
    /// First: true if the search has proven a winner, whichever player it is; second: the number of iterations of the
    /// search. Returns `None` if the search was aborted.
    #[must_use]
    pub fn search_for_proof(&self, board: &Board) -> Option<(bool, u64)> {
        self.search(board, |search| {
            (search.is_proven(), search.report().iterations)
        })
    }

    /// Searches the position after the move `turn` is played on `board`. Returns the win probability of the player who
    /// makes this move, and the best replies to it; `None` if the search was aborted.
    ///
    /// # Panics
    /// If `turn` is illegal on `board`.
    #[must_use]
    pub fn search_after(&self, board: &Board, turn: Move) -> Option<Outlook> {
        let mut board = board.clone();
        board.play(turn).expect("the search finds legal moves");
        if movegen::count(&board) == 0 {
            return Some(Outlook::from(&SearchedPosition::default()));
        }
        self.search(&board, |search| {
            Outlook::from(&SearchedPosition::new(search, 1, None))
        })
    }

    /// Searches a position, and calls `read` with the finished search. Returns the result of `read`, or `None` if the
    /// search was aborted.
    fn search<T>(&self, board: &Board, read: impl Fn(&TreeParallel) -> T) -> Option<T> {
        let mut search = TreeParallel::new(board, &self.settings);
        let stopped = || self.stop.load(Ordering::Relaxed);
        search.search(self.budget, stopped);
        (!stopped()).then(|| read(&search))
    }
}

impl SearchedPosition {
    /// Collects the results that `search` has found so far, without searching further.
    ///
    /// - `multipv`: maximum number of candidate moves.
    /// - `played`: move that was played in the game, if any.
    ///
    /// `after_best` and `explanation` are `None` in the result, because they need further searches.
    #[must_use]
    pub fn new(search: &TreeParallel, multipv: usize, played: Option<Move>) -> SearchedPosition {
        let report = search.report();
        let proven = search.is_proven();
        let best = report.principal_variation.first().copied();
        let turns = ranked_turns(search, best);
        let played_turn = turns
            .iter()
            .find(|searched| Some(searched.turn()) == played);
        // A search that proves the winner by counting the moves left builds no search tree, so it has visited no moves.
        // The only candidate is then the best move, with 0 visits.
        let proven_move = best.filter(|_| turns.is_empty()).map(|turn| Candidate {
            turn,
            visits: 0,
            win_probability: report.win_probability,
            proven,
            principal_variation: report.principal_variation.clone(),
        });
        let searched = turns.iter().map(|searched| to_candidate(search, searched));
        let candidates = proven_move
            .into_iter()
            .chain(searched)
            .take(multipv)
            .collect();
        SearchedPosition {
            after_best: None,
            explanation: None,
            played: played_turn.map(|searched| to_candidate(search, searched)),
            proven,
            candidates,
            report,
        }
    }
}

/// Converts a move that the search has visited to a candidate, with the principal variation that begins with this move.
fn to_candidate(search: &TreeParallel, searched: &SearchedTurn) -> Candidate {
    let (turn, arrow) = (searched.turn(), searched.arrow);
    Candidate {
        turn,
        visits: arrow.visits,
        win_probability: arrow.mean.clamp(0.0, 1.0),
        proven: arrow.is_proven(),
        principal_variation: search.principal_variation(turn),
    }
}

/// Returns all moves (amazon's move and arrow) that the search has visited, the best first: `best`, then moves proven
/// to win, then the others by falling number of visits. Of equal visits, the higher win probability comes first.
fn ranked_turns(search: &TreeParallel, best: Option<Move>) -> Vec<SearchedTurn> {
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
