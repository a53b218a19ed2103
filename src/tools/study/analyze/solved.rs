//! `amazons analyze --solve`: from which ply on games are decided, and which moves threw a won game away.

use super::{SearchArgs, each_game};
use crate::board::{Move, Player};
use crate::console::{counted, visible};
use crate::mcts::solver::Solver;
use crate::tools::analysis::analysed::Source;
use crate::tools::record::replayed::Replayed;
use crate::tools::support::error::ToolError;
use crate::tools::support::workers;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many positions in a row, each tried, that stay open end the way backward.
const OPEN_IN_A_ROW: usize = 3;

/// What is solved of a game: its line of JSON.
#[derive(Debug, Serialize)]
struct Solved {
    game: String,
    outcome: String,
    plies: usize,
    /// The number of moves before the first position from which on all are solved; nothing if the last one is open.
    solved_after: Option<usize>,
    decided: Option<Decided>,
    thrown: Vec<Thrown>,
    nodes: u64,
    #[serde(skip)]
    positions: Vec<Position>,
}

/// A position that the solver was asked about.
#[derive(Clone, Copy, Debug, Serialize)]
struct Position {
    /// The number of moves before it.
    after: usize,
    to_move: Player,
    /// Nothing if it stayed open.
    winner: Option<Player>,
}

/// Who wins to the end.
#[derive(Clone, Copy, Debug, Serialize)]
struct Decided {
    winner: Player,
    /// The number of moves after which this is certain, as far as all positions behind are solved.
    after: usize,
    /// The number of moves after which the loser was last to move and could have won.
    last_chance: Option<usize>,
}

/// A move of a player who won without it.
#[derive(Clone, Copy, Debug, Serialize)]
struct Thrown {
    ply: usize,
    player: Player,
    #[serde(rename = "move")]
    turn: Move,
}

/// Solves games from their ends backward, with so many nodes at most for each position. Prints what it finds of each game, as
/// soon as it is done. Returns the exit code.
///
/// # Errors
/// If standard output can't be written.
pub fn run(args: &SearchArgs, nodes: u64, as_json: bool) -> Result<u8, ToolError> {
    let sources = args.input.read();
    let games: Vec<&Source> = sources.iter().collect();
    let stop = workers::stop_on_interrupt()?;
    let memory = (args.memory_mb as usize) << 20;
    let work = |source: &Source| Solved::of(source, memory, nodes, stop);
    each_game(args, sources.len(), &games, work, |solved| match as_json {
        true => solved.json_lines(),
        false => Ok(solved.told()),
    })
}

impl Solved {
    /// What is solved of a game; nothing if the solver was broken off.
    fn of(source: &Source, memory: usize, nodes: u64, stop: &AtomicBool) -> Option<Solved> {
        let game = &source.game;
        let mut solver = Solver::new(memory);
        let positions = positions(&mut solver, game, nodes, stop)?;
        let solved = positions.iter().rev();
        let solved = solved.take_while(|position| position.winner.is_some());
        let (_, to_the_end) = positions.split_at(positions.len() - solved.count());
        Some(Solved {
            game: source.title.clone(),
            outcome: game.outcome().sentence(),
            plies: game.plies(),
            solved_after: to_the_end.first().map(|position| position.after),
            decided: Decided::of(to_the_end),
            thrown: positions
                .windows(2)
                .filter_map(|pair| Thrown::between(pair, game))
                .collect(),
            nodes: solver.nodes(),
            positions,
        })
    }

    /// A line on the game, then a line on each position, with the name of its game.
    fn json_lines(&self) -> Result<String, ToolError> {
        #[derive(Serialize)]
        struct GamePosition<'a> {
            game: &'a str,
            #[serde(flatten)]
            position: Position,
        }
        let mut text = serde_json::to_string(self)? + "\n";
        for &position in &self.positions {
            let game = &self.game;
            text += &(serde_json::to_string(&GamePosition { game, position })? + "\n");
        }
        Ok(text)
    }

    /// The text for people.
    fn told(&self) -> String {
        let plies = counted(self.plies as u64, "ply", "plies");
        let mut text = format!("{}\n  {}; {plies}\n", visible(&self.game), self.outcome);
        for Thrown { ply, player, turn } in &self.thrown {
            text += &format!("  ply {ply}  {player}  {turn}  threw a won game away\n");
        }
        let (Some(decided), Some(from)) = (self.decided, self.solved_after) else {
            return text + "  open: the winner of the last position is not found\n";
        };
        let Decided { winner, after, .. } = decided;
        text += &format!("  decided after ply {after}: {winner} wins, whatever both play\n");
        text + &match decided.last_chance {
            Some(chance) => format!("  {}'s last chance was after ply {chance}\n", !winner),
            None => format!("  {} had no chance after ply {from} or later\n", !winner),
        }
    }
}

/// The positions of a game, from the end back to the last of those in a row that stay open; nothing if the solver was broken
/// off.
fn positions(
    solver: &mut Solver,
    game: &Replayed,
    nodes: u64,
    stop: &AtomicBool,
) -> Option<Vec<Position>> {
    let mut positions: Vec<Position> = Vec::new();
    let mut open = 0;
    for after in (0..=game.plies()).rev() {
        let to_move = game.player_at(after);
        let next = positions.last().and_then(|position| position.winner);
        // Whoever wins after the move that was played wins before it, too.
        let winner = next.filter(|&winner| winner == to_move).or_else(|| {
            let limit = solver.nodes() + nodes;
            let goes_on = &mut |nodes| nodes < limit && !stop.load(Ordering::Relaxed);
            solver.winner(&game.board_at(after), goes_on)
        });
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        positions.push(Position {
            after,
            to_move,
            winner,
        });
        open = if winner.is_some() { 0 } else { open + 1 };
        if open == OPEN_IN_A_ROW {
            break;
        }
    }
    positions.reverse();
    Some(positions)
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
