//! [`CheckedGame`]: a game whose moves were checked by the rules of Botzone's judge, with its result and the time and
//! memory of its turns.

use super::judge::{Coordinates, Judge, Output, Verdict};
use super::log::{self, Answer, LogError};
use super::tree::Record;
use engine::board::{Board, Move, Player};
use std::fmt;

/// Game whose moves and result were checked by the rules of Botzone's judge (referee program). It comes from a match
/// log of Botzone, or from the main line of a record in another format.
#[derive(Clone, Debug)]
pub struct CheckedGame {
    /// Names of the black and the white player, in this order. An element is `None` if the record does not name the
    /// player.
    pub names: [Option<String>; 2],
    /// Answers of the bots, one per turn, in the order of the game. Each contains a move and, if it comes from a match
    /// log, the bot's time and memory. The judge accepted all answers, except possibly the last.
    pub answers: Vec<Answer>,
    /// Moves that the judge accepted, of both players, in the order of the game.
    pub moves: Vec<Coordinates>,
    /// Position before the first move.
    start: Board,
    /// Judge (referee) after the last answer: it knows the current position, and whether the game is over.
    pub judge: Judge,
    /// Reason why the judge rejected the last answer of a bot, which ended the game. `None` if the judge accepted the
    /// answer, or if there is no answer yet.
    fault: Option<Fault>,
    /// Warnings for the user about the record, such as missing data in a log or an assumed board size.
    pub(super) warnings: Vec<LogError>,
}

impl Default for CheckedGame {
    fn default() -> CheckedGame {
        CheckedGame::from_start(Board::start())
    }
}

impl CheckedGame {
    /// Creates a game that begins at the position `start` and has no moves and no names yet.
    #[must_use]
    pub fn from_start(start: Board) -> CheckedGame {
        CheckedGame {
            names: [None, None],
            answers: Vec::new(),
            moves: Vec::new(),
            judge: Judge::new(start.clone()),
            start,
            fault: None,
            warnings: Vec::new(),
        }
    }

    /// Parses a record in any format of [`super::formats::Format`], and checks its main line.
    ///
    /// # Errors
    /// In a match log: at the first entry (request of the judge, or answer of a bot) that can't be parsed, is out of
    /// order, or differs from what the judge would write. In other formats: at the first syntax error or illegal move.
    pub fn read(text: &str) -> Result<CheckedGame, LogError> {
        Ok(Record::read(text)?.game)
    }

    /// Parses a match log of Botzone, and compares each entry (request of the judge, or answer of a bot) with what the
    /// judge would write.
    ///
    /// # Errors
    /// If `text` is not a match log, or at the first entry that is out of order or differs from what the judge would
    /// write.
    pub(super) fn from_log(text: &str) -> Result<CheckedGame, LogError> {
        let entries = log::read(text)?;
        if entries.is_empty() {
            let fault = "missing, expected the judge's first request";
            return Err(LogError::in_entry(0, fault.to_owned()));
        }
        let names = log::player_names(text);
        Ok(CheckedGame {
            names,
            ..log::check(&entries)?
        })
    }

    /// Creates the game that consists of `moves` from the standard start position, without names, times and memory.
    ///
    /// # Errors
    /// If a move is illegal. The message contains the ply of the move, counted from 1, and the rule that the move
    /// breaks.
    pub fn from_moves(moves: &[Move]) -> Result<CheckedGame, String> {
        CheckedGame::default().with_moves(moves)
    }

    /// Appends `moves` to this game, after its last move, and returns the resulting game.
    ///
    /// # Errors
    /// If a move is illegal. The message contains the number of the move in `moves`, counted from 1, and the rule that
    /// the move breaks.
    pub fn with_moves(mut self, moves: &[Move]) -> Result<CheckedGame, String> {
        for (ply, &turn) in (1..).zip(moves) {
            let checked = self.judge.board().check(turn);
            checked.map_err(|fault| format!("ply {ply}, {turn}: {fault}"))?;
            self.add(Answer::from(turn));
        }
        Ok(self)
    }

    /// Appends `answer`, the move of the side to move with its time and memory. Returns the judge's output after it: a
    /// request for the next move, or the end of the game. If the judge rejects the answer, the game is over.
    pub fn add(&mut self, answer: Answer) -> Output {
        let output = self.judge.answer(answer.verdict, answer.response.as_ref());
        self.fault = Fault::from_output(&output, answer.verdict);
        self.moves.extend(output.display.last_move);
        self.answers.push(answer);
        output
    }

    /// Returns the warnings for the user about this game as one line: all warnings about the record as a whole, then
    /// the first warning about a single log entry, and the number of other entries with warnings. Returns `None` if
    /// there are no warnings.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let warnings = self.warnings.iter();
        let (entries, whole): (Vec<_>, Vec<_>) =
            warnings.partition(|remark| remark.entry.is_some());
        let mut texts: Vec<String> = whole.iter().map(ToString::to_string).collect();
        texts.extend(entries.first().map(ToString::to_string));
        if entries.len() > 1 {
            texts.push(format!("and {} more entries like it", entries.len() - 1));
        }
        (!texts.is_empty()).then(|| texts.join("; "))
    }

    /// Returns the name of `player`. If the record has no name for this player, returns the colour, `black` or `white`.
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

    /// Returns the position before the first move: the standard start position, unless the record sets up another one.
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

    /// Returns the side to move after `ply` moves of this game. `ply` may be greater than the number of moves.
    #[must_use]
    pub fn player_at(&self, ply: usize) -> Player {
        match self.start.to_move() {
            Player::Black => player_at(ply),
            Player::White => !player_at(ply),
        }
    }

    /// Returns the moves that the judge accepted, of both players, in the order of the game.
    #[must_use]
    pub fn turns(&self) -> Vec<Move> {
        (0..).map_while(|ply| self.move_at(ply)).collect()
    }

    /// Returns the move with index `ply` (from 0). Returns `None` if the judge accepted no more than `ply` moves.
    #[must_use]
    pub fn move_at(&self, ply: usize) -> Option<Move> {
        let turn = self.moves.get(ply)?;
        Move::from_coordinates(turn.numbers()).ok()
    }

    /// Returns the position after the first `ply` moves of the game, both players' moves counted.
    ///
    /// # Panics
    /// If the game has fewer than `ply` moves.
    #[must_use]
    pub fn board_at(&self, ply: usize) -> Board {
        board_after(&self.start, &self.moves[..ply])
    }

    /// Returns the input that Botzone sends to the bot that is to move after `ply` moves: a list of moves. Requests
    /// (the opponent's moves) and the bot's own earlier moves alternate, beginning and ending with a request. For
    /// black, the first request is [`Coordinates::NONE`], because no move precedes it. The game must begin at the
    /// standard start position.
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

    /// Returns statistics of `player`'s turns in this game: their number, the time and ply of the slowest turn, and the
    /// most memory used in a turn.
    #[must_use]
    pub fn turn_stats(&self, player: Player) -> TurnStats {
        let mut stats = TurnStats::default();
        let skipped = usize::from(self.player_at(0) != player);
        for (ply, answer) in (1..).zip(&self.answers).skip(skipped).step_by(2) {
            stats.turns += 1;
            stats.max_memory_mb = stats.max_memory_mb.max(answer.memory);
            if stats.turns == 1 || answer.time > stats.slowest_ms {
                (stats.slowest_ms, stats.slowest_ply) = (answer.time, ply);
            }
        }
        stats
    }
}

/// Returns the position that results if `moves`, given in Botzone's coordinates, are played from the position `start`.
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

/// Reason why the judge rejected a bot's answer, and thereby ended the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The answer was a move, but it was illegal.
    Illegal,
    /// The answer contained no move. The value is Botzone's verdict on the turn, such as a timeout. [`Verdict::Ok`]
    /// means that the bot answered within its limits, but without a move, or that the log states no verdict.
    NoMove(Verdict),
}

impl Fault {
    /// Returns Botzone's abbreviation for the reason why the judge rejected the answer. For an illegal move this is
    /// `INVALIDMOVE`. For an answer without a move it is Botzone's verdict on the turn, such as `TLE` (time limit
    /// exceeded).
    #[must_use]
    pub const fn abbreviation(self) -> &'static str {
        match self {
            Fault::Illegal => "INVALIDMOVE",
            Fault::NoMove(verdict) => verdict.name(),
        }
    }

    /// Converts what happened after a bot's answer to the reason why the judge rejected it; `None` if the judge
    /// accepted the answer. `output` is the judge's output after the answer; `verdict` is what Botzone says about the
    /// bot's turn, such as a timeout.
    #[must_use]
    pub fn from_output(output: &Output, verdict: Option<Verdict>) -> Option<Fault> {
        match output.display.err.as_deref()? {
            "INVALIDMOVE" => Some(Fault::Illegal),
            _ => Some(Fault::NoMove(verdict.unwrap_or_default())),
        }
    }
}

/// State of a game: it goes on, or one player has lost. A player loses without a legal move, or if the judge rejects an
/// answer of this player's bot.
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
        /// Why the judge rejected the loser's answer.
        fault: Fault,
    },
}

impl Outcome {
    /// Returns the outcome as a short text:
    /// - `running`: the game goes on
    /// - `no move`: the loser had no legal move
    /// - `INVALIDMOVE`, `TLE` or the like ([`Fault::abbreviation`]): the judge rejected the loser's answer
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Outcome::Running { .. } => "running",
            Outcome::NoMove { .. } => "no move",
            Outcome::Fault { fault, .. } => fault.abbreviation(),
        }
    }

    /// Returns the player who has won; `None` if the game is running.
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
    /// Number of the player's turns, including a turn whose answer the judge rejected.
    pub turns: usize,
    /// Time of the player's slowest turn, in milliseconds. 0 if the record has no times, or if the player had no turn.
    pub slowest_ms: u64,
    /// Ply of the player's slowest turn, counted from 1 over both players; 0 if the player had no turn.
    pub slowest_ply: usize,
    /// Maximum memory that the player's bot used in any turn, in MB; 0 if the record does not say.
    pub max_memory_mb: u64,
}

impl fmt::Display for TurnStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.turns == 0 {
            return f.write_str(" 0 turns");
        }
        write!(
            f,
            "{:2} turns  slowest {:5} ms at ply {:2}  memory {:4} MB",
            self.turns, self.slowest_ms, self.slowest_ply, self.max_memory_mb
        )
    }
}
