//! A game solved from its end backward: from which ply on it is decided, and which moves threw a won game away.

use engine::board::{Move, Player};
use record::replayed::Replayed;
use serde::Serialize;
use solver::Solver;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many positions in a row, each tried, that stay open end the way backward.
const OPEN_IN_A_ROW: usize = 3;

/// What is solved of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Solved {
    /// The number of moves before the first position from which on all are solved; nothing if the last one is open.
    pub solved_after: Option<usize>,
    /// Who wins to the end; nothing if the last position is open.
    pub decided: Option<Decided>,
    /// The moves of players who won without them.
    pub thrown: Vec<Thrown>,
    /// What the solver looked at.
    pub nodes: u64,
    /// The positions that it was asked about, in the order of the game.
    #[serde(skip)]
    pub positions: Vec<Position>,
}

/// A position that the solver was asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// The number of moves before it.
    pub after: usize,
    /// The player to move.
    pub to_move: Player,
    /// Nothing if it stayed open.
    pub winner: Option<Player>,
}

/// Who wins to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// Who wins.
    pub winner: Player,
    /// The number of moves after which this is certain, as far as all positions behind are solved.
    pub after: usize,
    /// The number of moves after which the loser was last to move and could have won.
    pub last_chance: Option<usize>,
}

/// A move of a player who won without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Thrown {
    /// Its number, from 1.
    pub ply: usize,
    /// Who made it.
    pub player: Player,
    /// The move.
    #[serde(rename = "move")]
    pub turn: Move,
}

/// A game that is being solved, a position at a time.
pub struct Solving {
    solver: Solver,
    /// Nodes that the solver looks at for each position at most.
    nodes: u64,
    /// The positions so far, from the end of the game backward.
    positions: Vec<Position>,
}

impl Solving {
    /// Nothing is solved yet. The solver remembers as much as fits into so many bytes, and looks at so many nodes for each
    /// position at most.
    #[must_use]
    pub fn new(memory: usize, nodes: u64) -> Solving {
        Solving {
            solver: Solver::new(memory),
            nodes,
            positions: Vec::new(),
        }
    }

    /// The number of moves before the next position to solve; nothing at the start of the game, and once the last ones in a
    /// row have stayed open.
    #[must_use]
    pub fn next(&self, game: &Replayed) -> Option<usize> {
        let last = self.positions.iter().rev();
        let open = last.take_while(|position| position.winner.is_none());
        let is_given_up = open.count() == OPEN_IN_A_ROW;
        (game.plies() + 1)
            .checked_sub(self.positions.len() + 1)
            .filter(|_| !is_given_up)
    }

    /// Solves the position after so many moves, which is the next one. Tests if nobody has broken it off.
    pub fn solve(&mut self, game: &Replayed, after: usize, stop: &AtomicBool) -> bool {
        let to_move = game.player_at(after);
        let behind = self.positions.last().and_then(|position| position.winner);
        // Whoever wins after the move that was played wins before it, too.
        let winner = behind.filter(|&winner| winner == to_move).or_else(|| {
            let limit = self.solver.nodes() + self.nodes;
            let goes_on = &mut |nodes| nodes < limit && !stop.load(Ordering::Relaxed);
            self.solver.winner(&game.board_at(after), goes_on)
        });
        self.positions.push(Position {
            after,
            to_move,
            winner,
        });
        !stop.load(Ordering::Relaxed)
    }

    /// What is solved so far.
    #[must_use]
    pub fn found(&self, game: &Replayed) -> Solved {
        let positions: Vec<Position> = self.positions.iter().rev().copied().collect();
        let solved = self.positions.iter();
        let solved = solved.take_while(|position| position.winner.is_some());
        let (_, to_the_end) = positions.split_at(positions.len() - solved.count());
        let pairs = positions.windows(2);
        Solved {
            solved_after: to_the_end.first().map(|position| position.after),
            decided: Decided::of(to_the_end),
            thrown: pairs
                .filter_map(|pair| Thrown::between(pair, game))
                .collect(),
            nodes: self.solver.nodes(),
            positions,
        }
    }
}

impl Solved {
    /// What is solved of a whole game, with a [`Solving`]; nothing if it was broken off.
    #[must_use]
    pub fn of(game: &Replayed, memory: usize, nodes: u64, stop: &AtomicBool) -> Option<Solved> {
        let mut solving = Solving::new(memory, nodes);
        while let Some(after) = solving.next(game) {
            if !solving.solve(game, after, stop) {
                return None;
            }
        }
        Some(solving.found(game))
    }
}

impl Decided {
    /// Who wins to the end, from positions that are all solved; nothing if there are none.
    fn of(positions: &[Position]) -> Option<Decided> {
        let winner = positions.last()?.winner?;
        let is_other = |position: &Position| position.winner != Some(winner);
        let turn = positions.iter().rposition(is_other);
        let first = turn.map_or(0, |at| at + 1);
        Some(Decided {
            winner,
            after: positions[first].after,
            // Only a move of the loser's loses a game that is won.
            last_chance: turn.map(|at| positions[at].after),
        })
    }
}

impl Thrown {
    /// The move between two positions, if it lost a game that its player had won.
    fn between(pair: &[Position], game: &Replayed) -> Option<Thrown> {
        let [before, behind] = [pair[0], pair[1]];
        let player = before.to_move;
        let is_thrown = before.winner == Some(player) && behind.winner == Some(!player);
        let turn = is_thrown.then(|| game.move_at(before.after))??;
        Some(Thrown {
            ply: behind.after,
            player,
            turn,
        })
    }
}
