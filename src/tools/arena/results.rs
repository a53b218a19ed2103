//! File format of `amazons arena --out`: a first line with the players and conditions of the games ([`HeaderLine`]),
//! then one line of JSON for each finished game ([`GameRecord`]).

use base::journal::{self, difference};
use base::schedule;
use engine::board::{Board, Move};
use engine::console::quoted;
use engine::movegen;
use record::checked_game::Fault;
use record::judge::Verdict;
use serde::{Deserialize, Serialize};

/// Players and settings of an arena, stored in the first line of its file (`amazons arena --out`). Files whose first
/// lines differ only in the number of games belong to the same arena, so their games can be merged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArenaHeader {
    /// Players as given on the command line, such as `self:level=5`, in that order. [`GameRecord::players`] contains
    /// indices in this list.
    pub players: Vec<String>,
    /// Names of the players in the order of `players`. Equal names have been made different by numbers, as in `bot (1)`
    /// and `bot (2)`.
    pub names: Vec<String>,
    /// True for a gauntlet: only player 0 plays against all others. False for a round robin: every two players play
    /// against each other.
    pub gauntlet: bool,
    /// Number of games that every two opponents play against each other, as given by `--games`. If it is odd, they play
    /// one more, because games are played in pairs with exchanged colours.
    pub games: usize,
    /// Number of random plies (turns) at the start of each game.
    pub plies: usize,
    /// Random seed from which the openings are generated.
    pub seed: u64,
    /// Time and memory limits, sandbox and network files, as text for the user. Games can be merged only if this text
    /// is the same in both files.
    pub conditions: String,
}

impl ArenaHeader {
    /// Compares two headers of arena files, except for their numbers of games. Returns one text for each field that
    /// differs, such as `seed 1 instead of 2`: first the value in `self`, then the value in `expected`. The result is
    /// empty if nothing differs.
    #[must_use]
    pub fn differences(&self, expected: &ArenaHeader) -> Vec<String> {
        let kinds = ["a round robin", "a gauntlet"];
        let meetings = |header: &ArenaHeader| kinds[usize::from(header.gauntlet)];
        let [players, expected_players] = [self, expected].map(|header| header.players.len());
        let mut differences = vec![
            difference("seed", self.seed, expected.seed),
            difference("plies of an opening:", self.plies, expected.plies),
            difference("played as", meetings(self), meetings(expected)),
            difference("conditions:", &self.conditions, &expected.conditions),
            difference("number of players:", players, expected_players),
        ];
        for (what, found, expected) in [
            ("player", &self.players, &expected.players),
            ("name of player", &self.names, &expected.names),
        ] {
            for (number, (found, expected)) in (1..).zip(found.iter().zip(expected)) {
                let [found, expected] = [found, expected].map(|text| format!("\"{text}\""));
                differences.push(difference(&format!("{what} {number}"), found, expected));
            }
        }
        differences.into_iter().flatten().collect()
    }

    /// Returns the number of games in the whole arena, over all pairs of opponents. The games are numbered from 0. Two
    /// opponents play `self.games` games, or one more if `self.games` is odd: games are played in pairs with exchanged
    /// colours.
    fn schedule_length(&self) -> usize {
        let pairings = schedule::pairing_count(self.names.len(), self.gauntlet);
        let pairs = self.games.div_ceil(2);
        pairs.saturating_mul(pairings).saturating_mul(2)
    }
}

/// Time and memory that a bot used in one turn. All fields are 0 if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnCost {
    /// Wall-clock time of the turn, in milliseconds.
    pub wall_ms: f64,
    /// CPU time of the turn, in milliseconds.
    pub cpu_ms: f64,
    /// Peak memory of the player from the start of its process to the end of this turn, in MB (1,000,000 bytes).
    pub memory_mb: f64,
}

/// Reason why a game was lost: no legal move, an illegal or unreadable answer, or another verdict of the judge, such as
/// an exceeded time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Cause {
    /// The loser had no legal move.
    #[serde(rename = "no moves")]
    NoMoves,
    /// The loser answered with an illegal move.
    #[serde(rename = "INVALIDMOVE")]
    InvalidMove,
    /// The loser's answer could not be parsed.
    #[serde(rename = "INVALID_INPUT")]
    InvalidInput,
    /// The loser's turn ended with a verdict of the judge other than OK, such as TLE (time limit exceeded).
    #[serde(untagged)]
    Verdict(Verdict),
}

impl Cause {
    /// Returns the English name of the cause, such as `no moves` or `TLE`, for reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Cause::NoMoves => "no moves",
            Cause::InvalidMove => "INVALIDMOVE",
            Cause::InvalidInput => "INVALID_INPUT",
            Cause::Verdict(verdict) => verdict.name(),
        }
    }
}

impl From<Fault> for Cause {
    fn from(fault: Fault) -> Cause {
        match fault {
            Fault::Illegal => Cause::InvalidMove,
            Fault::NoMove(Verdict::Ok) => Cause::InvalidInput,
            Fault::NoMove(verdict) => Cause::Verdict(verdict),
        }
    }
}

/// Finished game of `amazons arena` or `amazons online match`: players, moves, result, and time and memory of each
/// turn. It is stored as one line of JSON in the file of `--out`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number of the game among all games of the arena, from 0.
    pub game: usize,
    /// Indices in [`ArenaHeader::players`] of black's player and white's player, in this order.
    pub players: [usize; 2],
    /// Number of plies (turns) at the start of the game that were chosen at random.
    pub opening: usize,
    /// All moves, including the opening, as six numbers `x0 y0 x1 y1 x2 y2`, each from 0 to 7: origin and target of the
    /// amazon, then the arrow's square. Square a1 is `0 0`.
    pub moves: Vec<String>,
    /// Colour of the winner: 0 for black, 1 for white.
    pub winner: usize,
    /// Reason why the loser lost.
    pub cause: Cause,
    /// Time and memory of each turn that a bot played after the opening, in order. If the judge rejected the loser's
    /// last answer, that turn is included, too, although it has no move in `moves`.
    pub turns: Vec<TurnCost>,
    /// Public address of the match on Botzone; `None` if the game was played on this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

impl GameRecord {
    /// Returns the index of the winning player in [`ArenaHeader::players`].
    #[must_use]
    pub fn winning_player(&self) -> usize {
        self.players[self.winner]
    }

    /// Checks the game against `header`, the first line of its file: number, players and opening length of the game
    /// must be those that follow from `header`. Also checks that the moves are legal and that the stored result follows
    /// from them.
    ///
    /// # Errors
    /// If a check fails. The message begins with the number of the game and describes the first failed check.
    fn check_game(&self, header: &ArenaHeader) -> Result<(), String> {
        let fault = |fault: String| Err(format!("game {}: {fault}", self.game));
        let (players, total) = (header.names.len(), header.schedule_length());
        if self.game >= total {
            return fault(format!("expected games 0 to {}", total.saturating_sub(1)));
        }
        let expected = schedule::players_of_game(players, header.gauntlet, self.game);
        if self.players != expected {
            let [found, expected] = [self.players, expected].map(|[a, b]| format!("{a} and {b}"));
            return fault(format!("players {found}: expected {expected}"));
        }
        let (opening, moves, plies) = (self.opening, self.moves.len(), header.plies);
        if opening != plies || opening > moves {
            let found = format!("an opening of {opening} plies, {moves} moves");
            return fault(format!("{found}: expected {plies} plies"));
        }
        self.check_moves().or_else(fault)
    }

    /// Replays the moves, and checks that the fields `winner`, `cause` and the length of `turns` agree with the final
    /// position.
    ///
    /// # Errors
    /// - If a move is malformed or illegal; the message names the first such move.
    /// - If one of these fields contradicts the final position; the message names the first such field.
    fn check_moves(&self) -> Result<(), String> {
        let mut board = Board::start();
        for (ply, text) in (1..).zip(&self.moves) {
            let fault =
                |fault: &dyn std::fmt::Display| format!("ply {ply}, \"{}\": {fault}", quoted(text));
            let turn: Move = text.parse().map_err(|error| fault(&error))?;
            board.play(turn).map_err(|error| fault(&error))?;
        }
        let winner = !board.to_move() as usize;
        if self.winner != winner {
            let expected = format!("expected {winner}, after whose move the game ended");
            return Err(format!("winner {}: {expected}", self.winner));
        }
        let is_over = movegen::count(&board) == 0;
        if is_over != (self.cause == Cause::NoMoves) {
            let had = if is_over { "no move" } else { "moves" };
            let cause = self.cause.name();
            return Err(format!("the loser had {had} and lost by \"{cause}\""));
        }
        let (found, turns) = (self.turns.len(), self.moves.len() - self.opening);
        let turns = turns + usize::from(!is_over);
        if found != turns {
            return Err(format!("costs of {found} turns: expected {turns}"));
        }
        Ok(())
    }
}

/// First line of the file of `amazons arena --out`, as JSON: an object whose only key is `arena`. The key shows a
/// reader that the file is an arena file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeaderLine {
    /// Players and conditions of the games in the file.
    pub arena: ArenaHeader,
}

impl journal::Header for HeaderLine {
    type Record = GameRecord;

    const RECORDS_NAME: &'static str = "an arena's games";

    fn differences(&self, expected: &HeaderLine) -> Vec<String> {
        self.arena.differences(&expected.arena)
    }

    fn with_length_of(&self, requested: &HeaderLine) -> Result<HeaderLine, String> {
        let [games, requested_games] = [self, requested].map(|line| line.arena.games);
        if requested_games < games {
            let expected = format!("expected {games} or more, as there are");
            return Err(format!("--games {requested_games}: {expected}"));
        }
        Ok(requested.clone())
    }

    fn check(&self) -> Result<(), String> {
        let ArenaHeader { players, names, .. } = &self.arena;
        if players.len() < 2 || players.len() != names.len() {
            let found = format!("{} players, {} names", players.len(), names.len());
            let expected = "expected two players or more, a name for each";
            return Err(format!("{found}: {expected}"));
        }
        Ok(())
    }

    fn check_record(&self, game: &GameRecord) -> Result<(), String> {
        game.check_game(&self.arena)
    }

    fn record_number(game: &GameRecord) -> usize {
        game.game
    }
}
