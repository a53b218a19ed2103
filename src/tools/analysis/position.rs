//! The search of one position of a game: its best moves, and the worth of the move played.

use super::notation::{as_text, as_texts};
use crate::board::{Board, Move};
use crate::budget::Budget;
use crate::clock::Clock;
use crate::mcts::{Edge, Params, Report, Search};
use crate::movegen;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// Seed of every search, fixed so that equal iterations give equal results.
const SEED: u64 = 1;

/// Makes searches of one kind.
#[derive(Clone, Copy, Debug)]
pub struct Searcher<'a> {
    /// Budget of each search.
    pub budget: Budget,
    /// Bytes of each tree.
    pub memory: usize,
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
        let search = self.run(board.clone())?;
        let report = search.report();
        let proven = search.winner().is_some();
        let best = report.principal_variation.first().copied();
        let entries = entries(&search, best);
        let played_entry = entries.iter().find(|entry| Some(entry.turn()) == played);
        // A position settled by counting has a best move, but no tree.
        let counted = best.filter(|_| entries.is_empty()).map(|turn| Candidate {
            turn,
            visits: 0,
            win_probability: report.win_probability,
            proven,
            principal_variation: report.principal_variation.clone(),
        });
        let searched = entries.iter().map(|entry| entry.candidate(&search));
        let candidates = counted
            .into_iter()
            .chain(searched)
            .take(self.multipv)
            .collect();
        let other = best.filter(|_| !proven && played.is_some() && played != best);
        Some(Position {
            after_best: match other {
                Some(best) => Some(self.after(board, best)?),
                None => None,
            },
            played: played_entry.map(|entry| entry.candidate(&search)),
            proven,
            candidates,
            report,
        })
    }

    /// Win probability of the player to move after a move, by a search of the position that it leads to.
    fn after(&self, board: &Board, turn: Move) -> Option<f32> {
        let mut board = board.clone();
        board.play(turn).expect("the search finds legal moves");
        if movegen::count(&board) == 0 {
            return Some(1.0);
        }
        Some(1.0 - self.run(board)?.report().win_probability)
    }

    /// A finished search; nothing if it was broken off.
    fn run(&self, board: Board) -> Option<Search> {
        let mut search = Search::new(board, self.memory, SEED, Params::default());
        let stopped = || self.stop.load(Ordering::Relaxed);
        self.budget.spend(&mut search, &Clock::of_wall(), stopped);
        (!stopped()).then_some(search)
    }
}

impl Position {
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

/// A whole turn in the tree: its two children.
struct SearchedTurn {
    amazon: Edge,
    arrow: Edge,
}

impl SearchedTurn {
    fn turn(&self) -> Move {
        Move {
            from: self.amazon.half_move.from(),
            to: self.amazon.half_move.to(),
            arrow: self.arrow.half_move.to(),
        }
    }

    fn candidate(&self, search: &Search) -> Candidate {
        let turn = self.turn();
        let reply = search.line(self.arrow.node, usize::MAX);
        Candidate {
            turn,
            visits: self.arrow.visits,
            win_probability: self.arrow.mean.clamp(0.0, 1.0),
            proven: self.arrow.is_proven(),
            principal_variation: [vec![turn], reply].concat(),
        }
    }
}

/// All turns that the search has looked at: the best one first, then by proof, visits and mean.
fn entries(search: &Search, best: Option<Move>) -> Vec<SearchedTurn> {
    let tree = search.tree();
    let mut entries = Vec::new();
    if let Some(root) = tree.root() {
        tree.for_each_edge(root, |_, amazon| {
            if let Some(node) = amazon.node {
                tree.for_each_edge(node, |_, arrow| {
                    entries.push(SearchedTurn { amazon, arrow })
                });
            }
        });
    }
    let proof = |child: &Edge| if child.is_proven() { child.mean } else { 0.0 };
    entries.sort_by(|a, b| {
        let is_best = |entry: &SearchedTurn| Some(entry.turn()) == best;
        let [a, b] = [b, a];
        (is_best(a).cmp(&is_best(b)))
            .then(proof(&a.arrow).total_cmp(&proof(&b.arrow)))
            .then(a.arrow.visits.cmp(&b.arrow.visits))
            .then(a.arrow.mean.total_cmp(&b.arrow.mean))
    });
    entries
}
