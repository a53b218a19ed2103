//! A game that has been checked against the judge's rules: its moves, its result, and the time and memory of its turns.

use super::judge::{Coordinates, Judge, Output, Verdict};
use super::log::{self, Answer, LogError};
use super::tree::Record;
use engine::board::{Board, Move, Player};
use std::fmt;

/// A game whose moves and result were checked by the judge's rules: from a match log, or the main line of another
/// record.
#[derive(Clone, Debug)]
pub struct CheckedGame {
    /// Names of black and of white, in this order; `None` if the record has no name.
    pub names: [Option<String>; 2],
    /// Answers of both players in the order of the game; all but the last were accepted by the judge.
    pub answers: Vec<Answer>,
    /// Moves that the judge accepted, in the order of the game.
    pub moves: Vec<Coordinates>,
    /// Position before the first move.
    start: Board,
    /// Judge after the last answer; holds the current position.
    pub judge: Judge,
    /// Why the judge rejected the last answer; `None` if it accepted the answer.
    fault: Option<Fault>,
    /// Warnings for the user, such as missing data in a log or an assumed board size; they don't change the game.
    pub(super) remarks: Vec<LogError>,
}

impl Default for CheckedGame {
    fn default() -> CheckedGame {
        CheckedGame::at(Board::start())
    }
}

impl CheckedGame {
    /// Returns a game without moves that begins at `start`.
    #[must_use]
    pub fn at(start: Board) -> CheckedGame {
        CheckedGame {
            names: [None, None],
            answers: Vec::new(),
            moves: Vec::new(),
            judge: Judge::at(start.clone()),
            start,
            fault: None,
            remarks: Vec::new(),
        }
    }

    /// Parses and checks a match log, or the main line of a record in any other known format (see
    /// [`super::formats::Format`]).
    ///
    /// # Errors
    /// In a match log: at the first entry that can't be parsed, is out of order, or contradicts the judge. In other
    /// formats: at the first syntax error or illegal move.
    pub fn read(text: &str) -> Result<CheckedGame, LogError> {
        Ok(Record::read(text)?.game)
    }

    /// Parses and checks a match log.
    ///
    /// # Errors
    /// If `text` is not a match log, or at the first entry that is out of order or contradicts the judge.
    pub(super) fn of_log(text: &str) -> Result<CheckedGame, LogError> {
        let entries = log::read(text)?;
        if entries.is_empty() {
            let fault = "missing, expected the judge's first request";
            return Err(LogError::in_entry(0, fault.to_owned()));
        }
        let names = log::names(text);
        Ok(CheckedGame {
            names,
            ..log::check(&entries)?
        })
    }

    /// Returns the game of `moves` from the start position, without names, times and memory.
    ///
    /// # Errors
    /// At the first illegal move: its ply, counted from 1, and the rule that the move breaks.
    pub fn of_moves(moves: &[Move]) -> Result<CheckedGame, String> {
        CheckedGame::default().with(moves)
    }

    /// Returns this game with `moves` appended.
    ///
    /// # Errors
    /// At the first illegal move: its number in `moves`, counted from 1, and the rule that the move breaks.
    pub fn with(mut self, moves: &[Move]) -> Result<CheckedGame, String> {
        for (ply, &turn) in (1..).zip(moves) {
            let checked = self.judge.board().check(turn);
            checked.map_err(|fault| format!("ply {ply}, {turn}: {fault}"))?;
            self.add(Answer::from(turn));
        }
        Ok(self)
    }

    /// Adds the answer of the side to move, accepted or not, and returns the judge's next output.
    pub fn add(&mut self, answer: Answer) -> Output {
        let output = self.judge.answer(answer.verdict, answer.response.as_ref());
        self.fault = Fault::of(&output, answer.verdict);
        self.moves.extend(output.display.last_move);
        self.answers.push(answer);
        output
    }

    /// Joins all warnings into one line: those about the whole record, then the first about a log entry, and the number
    /// of further warnings about entries. `None` if there are no warnings.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        let (entries, whole): (Vec<_>, Vec<_>) = self
            .remarks
            .iter()
            .partition(|remark| remark.entry.is_some());
        let mut texts: Vec<String> = whole.iter().map(ToString::to_string).collect();
        texts.extend(entries.first().map(ToString::to_string));
        if entries.len() > 1 {
            texts.push(format!("and {} more entries like it", entries.len() - 1));
        }
        (!texts.is_empty()).then(|| texts.join("; "))
    }

    /// Returns the player's name, or `black` or `white` if the record has no name.
    #[must_use]
    pub fn name(&self, player: Player) -> &str {
        let colour = ["black", "white"][player as usize];
        self.names[player as usize].as_deref().unwrap_or(colour)
    }

    /// Returns the number of moves that the judge accepted, of both players together.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Returns the position before the first move, usually the standard start position.
    #[must_use]
    pub const fn start(&self) -> &Board {
        &self.start
    }

    /// Checks that the game begins at the standard start position, because most file formats can't store another one.
    ///
    /// # Errors
    /// If the game begins at another position.
    pub fn check_start(&self) -> Result<(), String> {
        if self.start == Board::start() {
            return Ok(());
        }
        Err(
            "begins at a position that was set up, expected a game from the start position"
                .to_owned(),
        )
    }

    /// Returns the side to move after `ply` moves of this game.
    #[must_use]
    pub fn player_at(&self, ply: usize) -> Player {
        match self.start.to_move() {
            Player::Black => player_at(ply),
            Player::White => !player_at(ply),
        }
    }

    /// Returns the accepted moves as engine moves, in the order of the game.
    #[must_use]
    pub fn turns(&self) -> Vec<Move> {
        (0..).map_while(|ply| self.move_at(ply)).collect()
    }

    /// Returns the move that was played after `ply` moves; `None` if the game has no further accepted move.
    #[must_use]
    pub fn move_at(&self, ply: usize) -> Option<Move> {
        let turn = self.moves.get(ply)?;
        Move::from_coordinates(turn.numbers()).ok()
    }

    /// Returns the position after `ply` moves.
    ///
    /// # Panics
    /// If the game has fewer than `ply` moves.
    #[must_use]
    pub fn board_at(&self, ply: usize) -> Board {
        board_after(&self.start, &self.moves[..ply])
    }

    /// Returns the requests and responses that a Botzone bot has seen when it is to move after `ply` moves, in turn.
    /// The game must begin at the start position.
    ///
    /// # Panics
    /// If the game has fewer than `ply` moves.
    #[must_use]
    pub fn history(&self, ply: usize) -> Vec<Coordinates> {
        Coordinates::history(player_at(ply), &self.moves[..ply])
    }

    /// Returns whether the game goes on, or how it ended.
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

    /// Computes the statistics of `player`'s turns: their number, the slowest turn, and the maximum memory.
    #[must_use]
    pub fn turn_stats(&self, player: Player) -> TurnStats {
        let mut stats = TurnStats::default();
        let skipped = usize::from(self.player_at(0) != player);
        for (ply, answer) in (1..).zip(&self.answers).skip(skipped).step_by(2) {
            stats.turns += 1;
            stats.memory = stats.memory.max(answer.memory);
            if stats.turns == 1 || answer.time > stats.slowest {
                (stats.slowest, stats.slowest_ply) = (answer.time, ply);
            }
        }
        stats
    }
}

/// Plays `moves` from `start` and returns the position after them.
///
/// # Panics
/// If a move is illegal.
#[must_use]
pub fn board_after(start: &Board, moves: &[Coordinates]) -> Board {
    let mut board = start.clone();
    for turn in moves {
        let turn = Move::from_coordinates(turn.numbers()).expect("the judge accepted it");
        board.play(turn).expect("the judge accepted it");
    }
    board
}

/// Returns the side to move after `ply` moves from the standard start position: black if `ply` is even.
#[must_use]
pub const fn player_at(ply: usize) -> Player {
    if ply.is_multiple_of(2) {
        Player::Black
    } else {
        Player::White
    }
}

/// Reason why the judge rejected a bot's answer: an illegal move, or no move at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The answer was an illegal move.
    Illegal,
    /// The answer held no move, for the reason that Botzone's verdict names; [`Verdict::Ok`] if the log has no verdict.
    NoMove(Verdict),
}

impl Fault {
    /// Returns the fault as Botzone abbreviates it: `INVALIDMOVE`, or the verdict's abbreviation, such as `TLE`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Fault::Illegal => "INVALIDMOVE",
            Fault::NoMove(verdict) => verdict.name(),
        }
    }

    /// Returns why the judge rejected an answer, from the judge's `output` and Botzone's `verdict` on the answer;
    /// `None` if the judge accepted the answer.
    #[must_use]
    pub fn of(output: &Output, verdict: Option<Verdict>) -> Option<Fault> {
        match output.display.err.as_deref()? {
            "INVALIDMOVE" => Some(Fault::Illegal),
            _ => Some(Fault::NoMove(verdict.unwrap_or_default())),
        }
    }
}

/// State of a game: running, lost because the loser had no move, or lost by a rejected answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The game goes on.
    Running {
        /// Side to move.
        to_move: Player,
    },
    /// The game is over because the loser had no legal move.
    NoMove {
        /// Player who has won.
        winner: Player,
    },
    /// The game is over because the judge rejected the loser's answer.
    Fault {
        /// Player who has won.
        winner: Player,
        /// Why the judge rejected the answer.
        fault: Fault,
    },
}

impl Outcome {
    /// Returns the outcome as a short key: `running`, `no move`, or the key of the fault (see [`Fault::key`]).
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Outcome::Running { .. } => "running",
            Outcome::NoMove { .. } => "no move",
            Outcome::Fault { fault, .. } => fault.key(),
        }
    }

    /// Returns the winner; `None` if the game goes on.
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Outcome::Running { .. } => None,
            Outcome::NoMove { winner } | Outcome::Fault { winner, .. } => Some(winner),
        }
    }
}

/// Statistics of one player's turns in a game: number, time and memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnStats {
    /// Number of turns that the player answered.
    pub turns: usize,
    /// Time of the player's slowest turn, in milliseconds.
    pub slowest: u64,
    /// Ply of the player's slowest turn, counted from 1 over both players; 0 if the player had no turn.
    pub slowest_ply: usize,
    /// Maximum memory over the player's turns, in MB.
    pub memory: u64,
}

impl fmt::Display for TurnStats {
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
