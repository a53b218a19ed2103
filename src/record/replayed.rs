//! A checked game: its moves, its result, and the cost of its turns.

use super::judge::{Coordinates, Judge, Output, Verdict};
use super::log::{self, Answer, LogError};
use super::tree::Record;
use engine::board::{Board, Move, Player};
use std::fmt;

/// A game read from a log, or the main line of another record.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The names of black and white, where the log has them.
    pub names: [Option<String>; 2],
    /// The answers of both players in turn, black's first; only the last one may have been refused.
    pub answers: Vec<Answer>,
    /// The accepted answers.
    pub moves: Vec<Coordinates>,
    /// The position before the first answer.
    start: Board,
    /// The judge after the last answer.
    pub judge: Judge,
    /// What is wrong with the last answer.
    fault: Option<Fault>,
    /// What is odd about the log, or was assumed of a record, but changes nothing.
    pub(super) remarks: Vec<LogError>,
}

impl Default for Replayed {
    fn default() -> Replayed {
        Replayed::at(Board::start())
    }
}

impl Replayed {
    /// A game without moves that begins at a position.
    #[must_use]
    pub fn at(start: Board) -> Replayed {
        Replayed {
            names: [None, None],
            answers: Vec::new(),
            moves: Vec::new(),
            judge: Judge::at(start.clone()),
            start,
            fault: None,
            remarks: Vec::new(),
        }
    }

    /// Reads and checks a match log, or the main line of any other record that the tools know.
    ///
    /// # Errors
    /// At the first entry that can't be read, is out of order, or is not what the judge says; of another record, at what
    /// can't be read or breaks a rule.
    pub fn read(text: &str) -> Result<Replayed, LogError> {
        Ok(Record::read(text)?.game)
    }

    /// Reads and checks a match log.
    pub(super) fn of_log(text: &str) -> Result<Replayed, LogError> {
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
        Replayed::default().with(moves)
    }

    /// This game with some more moves.
    ///
    /// # Errors
    /// At the first one that is illegal: its number among them, and the rule that it breaks.
    pub fn with(mut self, moves: &[Move]) -> Result<Replayed, String> {
        for (ply, &turn) in (1..).zip(moves) {
            let checked = self.judge.board().check(turn);
            checked.map_err(|fault| format!("ply {ply}, {turn}: {fault}"))?;
            self.add(Answer::from(turn));
        }
        Ok(self)
    }

    /// Adds the answer of the player to move. Returns what the judge says of it.
    pub fn add(&mut self, answer: Answer) -> Output {
        let output = self.judge.answer(answer.verdict, answer.response.as_ref());
        self.fault = Fault::of(&output, answer.verdict);
        self.moves.extend(output.display.last_move);
        self.answers.push(answer);
        output
    }

    /// What is odd about the log, or was assumed of a record, but changes nothing: all that concerns the whole, then the first
    /// such entry, and how many there are.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        let (entries, whole): (Vec<_>, Vec<_>) = self
            .remarks
            .iter()
            .partition(|remark| remark.entry.is_some());
        let mut told: Vec<String> = whole.iter().map(ToString::to_string).collect();
        told.extend(entries.first().map(ToString::to_string));
        if entries.len() > 1 {
            told.push(format!("and {} more entries like it", entries.len() - 1));
        }
        (!told.is_empty()).then(|| told.join("; "))
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

    /// The position before the first move.
    #[must_use]
    pub const fn start(&self) -> &Board {
        &self.start
    }

    /// Checks that the game begins where the platform's games do: other forms than SGF and positions can't tell more.
    ///
    /// # Errors
    /// If it begins at another position.
    pub fn check_start(&self) -> Result<(), String> {
        if self.start == Board::start() {
            return Ok(());
        }
        Err(
            "begins at a position that was set up, expected a game from the start position"
                .to_owned(),
        )
    }

    /// The player to move after so many plies.
    #[must_use]
    pub fn player_at(&self, ply: usize) -> Player {
        match self.start.to_move() {
            Player::Black => player_at(ply),
            Player::White => !player_at(ply),
        }
    }

    /// The moves that were accepted.
    #[must_use]
    pub fn turns(&self) -> Vec<Move> {
        (0..).map_while(|ply| self.move_at(ply)).collect()
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
        board_after(&self.start, &self.moves[..ply])
    }

    /// The requests and responses that the player to move after so many plies has seen, in a game from the start position.
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
        let skipped = usize::from(self.player_at(0) != player);
        for (ply, answer) in (1..).zip(&self.answers).skip(skipped).step_by(2) {
            effort.turns += 1;
            effort.memory = effort.memory.max(answer.memory);
            if effort.turns == 1 || answer.time > effort.slowest {
                (effort.slowest, effort.slowest_ply) = (answer.time, ply);
            }
        }
        effort
    }
}

/// The position after moves from another one.
///
/// # Panics
/// If the judge would not have accepted them.
#[must_use]
pub fn board_after(start: &Board, moves: &[Coordinates]) -> Board {
    let mut board = start.clone();
    for turn in moves {
        let turn = Move::from_coordinates(turn.numbers()).expect("the judge accepted it");
        board.play(turn).expect("the judge accepted it");
    }
    board
}

/// The player to move after so many plies from the start position.
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
    /// It held no move; the verdict gives the reason, `OK` if the log has none.
    NoMove(Verdict),
}

impl Fault {
    /// The fault in a word: `INVALIDMOVE`, or the verdict.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Fault::Illegal => "INVALIDMOVE",
            Fault::NoMove(verdict) => verdict.name(),
        }
    }

    /// The fault of an answer with this verdict after which the judge said `output`; nothing if it was accepted.
    #[must_use]
    pub fn of(output: &Output, verdict: Option<Verdict>) -> Option<Fault> {
        match output.display.err.as_deref()? {
            "INVALIDMOVE" => Some(Fault::Illegal),
            _ => Some(Fault::NoMove(verdict.unwrap_or_default())),
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
    /// The outcome in a word: `running`, `no move`, or the fault's key.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Outcome::Running { .. } => "running",
            Outcome::NoMove { .. } => "no move",
            Outcome::Fault { fault, .. } => fault.key(),
        }
    }

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
