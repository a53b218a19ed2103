//! Solves the positions of a game backward from its end: [`Solved`] says from which position on the winner was certain,
//! and which moves gave a win away.

use engine::board::{Move, Player};
use record::checked_game::CheckedGame;
use serde::Serialize;
use solver::Solver;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of successive unsolved positions after which the solver gives up. The solver works backward from the end of
/// the game.
const MAX_UNSOLVED_IN_A_ROW: usize = 3;

/// Results of the solver (proof-number search) for a game: from which position on the winner was certain, and which
/// moves gave a win away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Solved {
    /// Number of moves played when the solved part of the game begins: in this position and in all later ones, the
    /// solver has proven the winner. `None` if the last position is not solved.
    pub solved_after: Option<usize>,
    /// Player who wins from the last position of the game, with the number of moves after which this win was certain.
    /// `None` if the last position is not solved.
    pub decided: Option<CertainWin>,
    /// Moves that gave a win away, in the order of the game: the player had a proven win before the move, the opponent
    /// has one after it.
    #[serde(rename = "thrown")]
    pub wins_given_away: Vec<GivenAwayWin>,
    /// Number of nodes that the solver has searched, summed over all positions of the game.
    pub nodes: u64,
    /// Positions that the solver has tried to solve, whether with success or not, in the order of the game.
    #[serde(skip)]
    pub positions: Vec<SolvedPosition>,
}

/// A position of the game that the solver has tried to solve, with its winner if one was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SolvedPosition {
    /// Number of moves in the game before the position.
    pub after: usize,
    /// Side to move in the position.
    pub to_move: Player,
    /// Player who wins under perfect play; `None` if the solver found no winner.
    pub winner: Option<Player>,
}

/// Player who wins the last position of a game under perfect play, and the number of moves, from the start of the game,
/// after which this win was certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CertainWin {
    /// Player who wins under perfect play.
    pub winner: Player,
    /// Number of moves after which the win was certain. The solver has proven the win in the position after these moves
    /// and in all later positions of the game. The position one move earlier may be unsolved.
    pub after: usize,
    /// Number of moves in the game before the last position in which the winner's opponent had a proven win. `None` if
    /// there is no such position from [`Solved::solved_after`] on.
    pub last_chance: Option<usize>,
}

/// A move that gave a win away: the player who made it had a proven win before it, the opponent has one after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GivenAwayWin {
    /// Number of the move that gave the win away, among all moves of the game, counted from 1.
    pub ply: usize,
    /// Player who made the move and gave the win away.
    pub player: Player,
    /// Move that was played although another move would have won.
    #[serde(rename = "move")]
    pub turn: Move,
}

/// Solver for the positions of a game, backward from its end. Each call of [`GameSolver::solve`] tries one position, so
/// that callers can show progress between the calls.
pub struct GameSolver {
    solver: Solver,
    /// Maximum number of nodes that the solver searches for each position.
    max_nodes: u64,
    /// Positions that were tried so far, in the order of the attempts: index 0 is the last position of the game, index
    /// 1 the one before it.
    positions: Vec<SolvedPosition>,
}

impl GameSolver {
    /// Creates a solver that has not yet tried any position.
    ///
    /// - `memory`: maximum size of its transposition table, in bytes.
    /// - `max_nodes`: maximum number of nodes that it searches per position.
    #[must_use]
    pub fn new(memory: usize, max_nodes: u64) -> GameSolver {
        GameSolver {
            solver: Solver::new(memory),
            max_nodes,
            positions: Vec::new(),
        }
    }

    /// Returns the position that [`GameSolver::solve`] has to try next, as the number of moves before it. Positions are
    /// tried backward from the last one of the game. Returns `None` if all positions have been tried, or if the three
    /// positions tried last are all unsolved.
    #[must_use]
    pub fn next_position(&self, game: &CheckedGame) -> Option<usize> {
        let last = self.positions.iter().rev();
        let open = last.take_while(|position| position.winner.is_none());
        let has_given_up = open.count() == MAX_UNSOLVED_IN_A_ROW;
        let next = game.plies().checked_sub(self.positions.len());
        next.filter(|_| !has_given_up)
    }

    /// Tries to solve the position after `after` moves of `game`, and stores the result. `after` must be the number
    /// that [`GameSolver::next_position`] returned.
    ///
    /// Returns false if `stop` has become true. The search may then have been cut short, so a stored result without a
    /// winner does not mean that a whole search has failed. Otherwise returns true, even if no winner was found.
    pub fn solve(&mut self, game: &CheckedGame, after: usize, stop: &AtomicBool) -> bool {
        let to_move = game.player_at(after);
        let after_turn = self.positions.last().and_then(|position| position.winner);
        // If the player to move has a proven win even after the move that was played in the game, this player also wins
        // from the position before this move. No search is then needed.
        let winner = after_turn.filter(|&winner| winner == to_move).or_else(|| {
            let limit = self.solver.nodes() + self.max_nodes;
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

    /// Returns the results for all positions of `game` that were tried so far.
    #[must_use]
    pub fn results(&self, game: &CheckedGame) -> Solved {
        let positions: Vec<SolvedPosition> = self.positions.iter().rev().copied().collect();
        let solved = self.positions.iter();
        let solved = solved.take_while(|position| position.winner.is_some());
        let (_, to_the_end) = positions.split_at(positions.len() - solved.count());
        let pairs = positions.windows(2);
        Solved {
            solved_after: to_the_end.first().map(|position| position.after),
            decided: CertainWin::from_solved(to_the_end),
            wins_given_away: pairs
                .filter_map(|pair| GivenAwayWin::from_positions(pair, game))
                .collect(),
            nodes: self.solver.nodes(),
            positions,
        }
    }
}

impl Solved {
    /// Solves the positions of `game` backward from the last one, and returns the results.
    ///
    /// - `memory`: maximum size of the solver's transposition table, in bytes.
    /// - `nodes`: maximum number of nodes that the solver searches per position.
    ///
    /// Returns `None` if `stop` became true.
    #[must_use]
    pub fn of(game: &CheckedGame, memory: usize, nodes: u64, stop: &AtomicBool) -> Option<Solved> {
        let mut solver = GameSolver::new(memory, nodes);
        while let Some(after) = solver.next_position(game) {
            if !solver.solve(game, after, stop) {
                return None;
            }
        }
        Some(solver.results(game))
    }
}

impl CertainWin {
    /// Determines who wins from the last of `positions`, and the number of moves, from the start of the game, after
    /// which this win was certain. `positions` must be successive positions of a game up to its last one, all solved.
    /// Returns `None` if `positions` is empty.
    fn from_solved(positions: &[SolvedPosition]) -> Option<CertainWin> {
        let winner = positions.last()?.winner?;
        let is_other = |position: &SolvedPosition| position.winner != Some(winner);
        let turn = positions.iter().rposition(is_other);
        let first = turn.map_or(0, |at| at + 1);
        Some(CertainWin {
            winner,
            after: positions[first].after,
            // Number of moves before `positions[at]`, the last position in which the opponent of `winner` had a proven
            // win.
            last_chance: turn.map(|at| positions[at].after),
        })
    }
}

impl GivenAwayWin {
    /// Returns the move between two successive positions of `game`, `pair[0]` and `pair[1]`, if it gave a win away: the
    /// player who made it had a proven win before it, and the opponent has one after it. Otherwise returns `None`.
    fn from_positions(pair: &[SolvedPosition], game: &CheckedGame) -> Option<GivenAwayWin> {
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
