//! Solves a game backward from its end: finds from which ply on the result is certain, and which moves gave a win away.

use engine::board::{Move, Player};
use record::checked_game::CheckedGame;
use serde::Serialize;
use solver::Solver;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of unsolved positions in a row after which solving stops.
const MAX_UNSOLVED_IN_A_ROW: usize = 3;

/// What the solver has found out about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Solved {
    /// Number of moves before the earliest position from which on all positions are solved; `None` if the last one is not.
    pub solved_after: Option<usize>,
    /// Winner of the last position, and since when the win was certain; `None` if the last position is not solved.
    pub decided: Option<CertainWin>,
    /// Moves that turned a proven win into a loss.
    #[serde(rename = "thrown")]
    pub wins_given_away: Vec<GivenAwayWin>,
    /// Number of nodes that the solver has searched.
    pub nodes: u64,
    /// Positions that were given to the solver, in the order of the game.
    #[serde(skip)]
    pub positions: Vec<SolvedPosition>,
}

/// A position of the game, with the solver's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SolvedPosition {
    /// Number of moves played before the position.
    pub after: usize,
    /// Side to move.
    pub to_move: Player,
    /// Proven winner; `None` if the position stayed unsolved.
    pub winner: Option<Player>,
}

/// Winner of a solved game, and since when the win was certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CertainWin {
    /// Player who wins.
    pub winner: Player,
    /// Number of moves after which the win was certain, as far as all later positions are solved.
    pub after: usize,
    /// Number of moves before the last position in which the loser could still win; `None` if no such position is solved.
    pub last_chance: Option<usize>,
}

/// A move that turned a proven win of its player into a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GivenAwayWin {
    /// Ply of the move, counted from 1.
    pub ply: usize,
    /// Player who made the move.
    pub player: Player,
    /// Move that gave the win away.
    #[serde(rename = "move")]
    pub turn: Move,
}

/// Solves a game position by position, from the end backward.
pub struct GameSolver {
    solver: Solver,
    /// Maximum number of nodes that the solver searches per position.
    nodes: u64,
    /// Positions so far, from the end of the game backward.
    positions: Vec<SolvedPosition>,
}

impl GameSolver {
    /// Creates a solver with `memory` bytes, which searches at most `nodes` nodes per position.
    #[must_use]
    pub fn new(memory: usize, nodes: u64) -> GameSolver {
        GameSolver {
            solver: Solver::new(memory),
            nodes,
            positions: Vec::new(),
        }
    }

    /// Returns the next position to solve, as the number of moves from the start of the game to it; positions are solved from the
    /// end of the game backward. Returns `None` after the start position, or after three unsolved ones in a row.
    #[must_use]
    pub fn next(&self, game: &CheckedGame) -> Option<usize> {
        let last = self.positions.iter().rev();
        let open = last.take_while(|position| position.winner.is_none());
        let has_given_up = open.count() == MAX_UNSOLVED_IN_A_ROW;
        (game.plies() + 1)
            .checked_sub(self.positions.len() + 1)
            .filter(|_| !has_given_up)
    }

    /// Solves the next position, which is the position after `after` moves. Returns false if `stop` was set.
    pub fn solve(&mut self, game: &CheckedGame, after: usize, stop: &AtomicBool) -> bool {
        let to_move = game.player_at(after);
        let after_turn = self.positions.last().and_then(|position| position.winner);
        // If the side to move wins after the move that was played, it also wins before that move.
        let winner = after_turn.filter(|&winner| winner == to_move).or_else(|| {
            let limit = self.solver.nodes() + self.nodes;
            let goes_on = &mut |nodes| nodes < limit && !stop.load(Ordering::Relaxed);
            self.solver.winner(&game.board_at(after), goes_on)
        });
        self.positions.push(SolvedPosition {
            after,
            to_move,
            winner,
        });
        !stop.load(Ordering::Relaxed)
    }

    /// Returns the results so far.
    #[must_use]
    pub fn found(&self, game: &CheckedGame) -> Solved {
        let positions: Vec<SolvedPosition> = self.positions.iter().rev().copied().collect();
        let solved = self.positions.iter();
        let solved = solved.take_while(|position| position.winner.is_some());
        let (_, to_the_end) = positions.split_at(positions.len() - solved.count());
        let pairs = positions.windows(2);
        Solved {
            solved_after: to_the_end.first().map(|position| position.after),
            decided: CertainWin::of(to_the_end),
            wins_given_away: pairs
                .filter_map(|pair| GivenAwayWin::between(pair, game))
                .collect(),
            nodes: self.solver.nodes(),
            positions,
        }
    }
}

impl Solved {
    /// Solves a whole game. `memory` is in bytes, `nodes` the maximum number of nodes per position.
    ///
    /// Returns `None` if `stop` was set.
    #[must_use]
    pub fn of(game: &CheckedGame, memory: usize, nodes: u64, stop: &AtomicBool) -> Option<Solved> {
        let mut solver = GameSolver::new(memory, nodes);
        while let Some(after) = solver.next(game) {
            if !solver.solve(game, after, stop) {
                return None;
            }
        }
        Some(solver.found(game))
    }
}

impl CertainWin {
    /// Returns the winner and the number of moves after which the win was certain. All `positions` must be solved; `None` if
    /// there are none.
    fn of(positions: &[SolvedPosition]) -> Option<CertainWin> {
        let winner = positions.last()?.winner?;
        let is_other = |position: &SolvedPosition| position.winner != Some(winner);
        let turn = positions.iter().rposition(is_other);
        let first = turn.map_or(0, |at| at + 1);
        Some(CertainWin {
            winner,
            after: positions[first].after,
            // Only the loser's own move can lose a won game: in this position the loser was to move.
            last_chance: turn.map(|at| positions[at].after),
        })
    }
}

impl GivenAwayWin {
    /// Returns the move between two successive positions, if it turned a proven win of its player into a loss.
    fn between(pair: &[SolvedPosition], game: &CheckedGame) -> Option<GivenAwayWin> {
        let [before, after] = [pair[0], pair[1]];
        let player = before.to_move;
        let gives_win_away = before.winner == Some(player) && after.winner == Some(!player);
        let turn = gives_win_away.then(|| game.move_at(before.after))??;
        Some(GivenAwayWin {
            ply: after.after,
            player,
            turn,
        })
    }
}
