//! A checked match log: its moves, its result, and the cost of its turns.

use super::judge::{Coordinates, Judge, Output, Verdict};
use super::log::{self, Answer, LogError};
use crate::board::{Board, Move, Player};
use std::fmt;

/// A game read from a log.
#[derive(Clone, Debug, Default)]
pub struct Replayed {
    /// The names of black and white, where the log has them.
    pub names: [Option<String>; 2],
    /// The answers of both players in turn, black's first; only the last one may have been refused.
    pub answers: Vec<Answer>,
    /// The accepted answers.
    pub moves: Vec<Coordinates>,
    /// The judge after the last answer.
    pub(super) judge: Judge,
    /// What is wrong with the last answer.
    fault: Option<Fault>,
    /// What is odd about the log, but changes nothing.
    pub(super) remarks: Vec<LogError>,
}

impl Replayed {
    /// Reads and checks a log.
    ///
    /// # Errors
    /// At the first entry that can't be read, is out of order, or is not what the judge says.
    pub fn read(text: &str) -> Result<Replayed, LogError> {
        let entries = log::read(text)?;
        if entries.is_empty() {
            let fault = "missing, expected the judge's first request";
            return Err(LogError::at(0, fault.to_owned()));
        }
        let names = log::names(text);
        Ok(Replayed {
            names,
            ..log::check(&entries)?
        })
    }

    /// The game of moves from the start, without names, times and memory.
    ///
    /// # Errors
    /// At the first move that is illegal: its ply, and the rule that it breaks.
    pub fn of_moves(moves: &[Move]) -> Result<Replayed, String> {
        let mut game = Replayed::default();
        for (ply, &turn) in (1..).zip(moves) {
            let checked = game.judge.board().check(turn);
            checked.map_err(|fault| format!("ply {ply}, {turn}: {fault}"))?;
            game.add(Answer::good(Coordinates::from(turn).to_value()));
        }
        Ok(game)
    }

    /// Adds the answer of the player to move. Returns what the judge says of it.
    pub(super) fn add(&mut self, answer: Answer) -> Output {
        let output = self.judge.answer(answer.verdict, answer.response.as_ref());
        self.fault = Fault::of(&output, answer.verdict);
        self.moves.extend(output.display.last_move);
        self.answers.push(answer);
        output
    }

    /// What is odd about the log, but changes nothing: the first such entry, and how many there are.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        let first = self.remarks.first()?;
        Some(match self.remarks.len() - 1 {
            0 => first.to_string(),
            others => format!("{first}; and {others} more entries like it"),
        })
    }

    /// The player's name, or else the colour.
    #[must_use]
    pub fn name(&self, player: Player) -> &str {
        let colour = ["black", "white"][player as usize];
        self.names[player as usize].as_deref().unwrap_or(colour)
    }

    /// Number of accepted moves.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The move played after so many plies; nothing at the end of the game.
    #[must_use]
    pub fn move_at(&self, ply: usize) -> Option<Move> {
        let turn = self.moves.get(ply)?;
        Move::from_coordinates(turn.numbers()).ok()
    }

    /// The position after so many plies.
    ///
    /// # Panics
    /// If the game has fewer plies.
    #[must_use]
    pub fn board_at(&self, ply: usize) -> Board {
        board_after(&self.moves[..ply])
    }

    /// The requests and responses that the player to move after so many plies has seen.
    ///
    /// # Panics
    /// If the game has fewer plies.
    #[must_use]
    pub fn record(&self, ply: usize) -> Vec<Coordinates> {
        Coordinates::record(player_at(ply), &self.moves[..ply])
    }

    /// The state of the game, or how it ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let to_move = self.judge.board().to_move();
        let winner = !to_move;
        match self.fault {
            _ if !self.judge.is_over() => Outcome::Running { to_move },
            None => Outcome::NoMove { winner },
            Some(fault) => Outcome::Fault { winner, fault },
        }
    }

    /// The cost of the player's turns.
    #[must_use]
    pub fn effort(&self, player: Player) -> Effort {
        let mut effort = Effort::default();
        for (ply, answer) in (1..).zip(&self.answers).skip(player as usize).step_by(2) {
            effort.turns += 1;
            effort.memory = effort.memory.max(answer.memory);
            if effort.turns == 1 || answer.time > effort.slowest {
                (effort.slowest, effort.slowest_ply) = (answer.time, ply);
            }
        }
        effort
    }
}

/// The position after moves from the start.
///
/// # Panics
/// If the judge would not have accepted them.
#[must_use]
pub fn board_after(moves: &[Coordinates]) -> Board {
    let mut board = Board::start();
    for turn in moves {
        let turn = Move::from_coordinates(turn.numbers()).expect("the judge accepted it");
        board.play(turn).expect("the judge accepted it");
    }
    board
}

/// The player to move after so many plies.
#[must_use]
pub const fn player_at(ply: usize) -> Player {
    if ply.is_multiple_of(2) {
        Player::Black
    } else {
        Player::White
    }
}

/// The fault of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It was not a legal move.
    Illegal,
    /// It held no move; the verdict gives the reason.
    NoMove(Verdict),
}

impl Fault {
    /// The fault of an answer with this verdict after which the judge said `output`; nothing if it was accepted.
    #[must_use]
    pub fn of(output: &Output, verdict: Verdict) -> Option<Fault> {
        match output.display.err.as_deref()? {
            "INVALIDMOVE" => Some(Fault::Illegal),
            _ => Some(Fault::NoMove(verdict)),
        }
    }
}

/// The state of a game, or how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    Running {
        /// Whose turn it is.
        to_move: Player,
    },
    /// The loser could not move.
    NoMove {
        /// Who has won.
        winner: Player,
    },
    /// The loser's answer was refused.
    Fault {
        /// Who has won.
        winner: Player,
        /// What was wrong with the loser's answer.
        fault: Fault,
    },
}

impl Outcome {
    /// Who has won.
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Outcome::Running { .. } => None,
            Outcome::NoMove { winner } | Outcome::Fault { winner, .. } => Some(winner),
        }
    }
}

/// The cost of a player's turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Number of answers.
    pub turns: usize,
    /// Time of the slowest turn in milliseconds.
    pub slowest: u64,
    /// Ply of the slowest turn, from 1.
    pub slowest_ply: usize,
    /// Most memory of a turn in MB.
    pub memory: u64,
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.turns == 0 {
            return f.write_str(" 0 turns");
        }
        write!(
            f,
            "{:2} turns  slowest {:5} ms at ply {:2}  memory {:4} MB",
            self.turns, self.slowest, self.slowest_ply, self.memory
        )
    }
}
