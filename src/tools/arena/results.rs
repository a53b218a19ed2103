//! The file of an arena: a header line, then a line of JSON per game, written as soon as it ends.

use base::journal::{self, difference};
use base::schedule;
use engine::board::{Board, Move};
use engine::console::quoted;
use engine::movegen;
use record::judge::Verdict;
use record::replayed::Fault;
use serde::{Deserialize, Serialize};

/// The header: files whose headers differ only in the number of games hold games of one schedule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchHeader {
    /// The players as they were given, in order.
    pub players: Vec<String>,
    /// Their names.
    pub names: Vec<String>,
    /// Whether only the first player meets the others.
    pub gauntlet: bool,
    /// Games for every pairing.
    pub games: usize,
    /// Random plies of an opening.
    pub plies: usize,
    /// Seed of the openings.
    pub seed: u64,
    /// Times, memory and files of networks, as text for people.
    pub conditions: String,
}

impl MatchHeader {
    /// Describes the difference from an expected schedule.
    #[must_use]
    pub fn differences(&self, expected: &MatchHeader) -> Vec<String> {
        let meetings = |header: &MatchHeader| {
            let gauntlet = ["a round robin", "a gauntlet"];
            gauntlet[usize::from(header.gauntlet)]
        };
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

    /// Number of games in the whole schedule.
    fn total(&self) -> usize {
        let pairings = schedule::pairing_count(self.names.len(), self.gauntlet);
        let pairs = self.games.div_ceil(2);
        pairs.saturating_mul(pairings).saturating_mul(2)
    }
}

/// Cost of a turn; nothing where it is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnCost {
    /// Wall time in milliseconds.
    pub wall_ms: f64,
    /// CPU time in milliseconds.
    pub cpu_ms: f64,
    /// Peak memory so far, in MB.
    pub memory_mb: f64,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Cause {
    /// The loser had no move.
    #[serde(rename = "no moves")]
    NoMoves,
    /// The loser's answer was illegal.
    #[serde(rename = "INVALIDMOVE")]
    InvalidMove,
    /// The loser's answer could not be read.
    #[serde(rename = "INVALID_INPUT")]
    InvalidInput,
    /// The loser's turn had another verdict than OK.
    #[serde(untagged)]
    Verdict(Verdict),
}

impl Cause {
    /// The cause's name in tables.
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

/// The record of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number in the schedule.
    pub game: usize,
    /// Numbers of the players: black's and white's.
    pub players: [usize; 2],
    /// Number of random plies at its beginning.
    pub opening: usize,
    /// All moves as the platform writes them.
    pub moves: Vec<String>,
    /// Who won: 0 black, 1 white.
    pub winner: usize,
    /// Why the other lost.
    pub cause: Cause,
    /// Cost of every turn played, including a faulty one.
    pub turns: Vec<TurnCost>,
    /// The public address of a match on the real platform.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

impl GameRecord {
    /// The number of the player who won.
    #[must_use]
    pub fn winning_player(&self) -> usize {
        self.players[self.winner]
    }

    /// Checks the game against its schedule and the rules.
    fn check(&self, header: &MatchHeader) -> Result<(), String> {
        let fault = |fault: String| Err(format!("game {}: {fault}", self.game));
        let (players, total) = (header.names.len(), header.total());
        if self.game >= total {
            return fault(format!("expected games 0 to {}", total.saturating_sub(1)));
        }
        let expected = schedule::players(players, header.gauntlet, self.game);
        if self.players != expected {
            let [found, expected] = [self.players, expected].map(|[a, b]| format!("{a} and {b}"));
            return fault(format!("players {found}: expected {expected}"));
        }
        let (opening, moves, plies) = (self.opening, self.moves.len(), header.plies);
        if opening != plies || opening > moves {
            let found = format!("an opening of {opening} plies, {moves} moves");
            return fault(format!("{found}: expected {plies} plies"));
        }
        self.replay().or_else(fault)
    }

    /// Replays the game, and checks its winner, the cause and the number of turns played.
    fn replay(&self) -> Result<(), String> {
        let mut board = Board::start();
        for (ply, text) in (1..).zip(&self.moves) {
            let fault =
                |fault: &dyn std::fmt::Display| format!("ply {ply}, \"{}\": {fault}", quoted(text));
            let turn: Move = text.parse().map_err(|error| fault(&error))?;
            board.play(turn).map_err(|error| fault(&error))?;
        }
        let winner = !board.to_move() as usize;
        if self.winner != winner {
            return Err(format!(
                "winner {}: expected {winner}, after whose move the game ended",
                self.winner
            ));
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

/// The first line of a file: marks it as an arena's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FirstLine {
    /// What is played.
    pub arena: MatchHeader,
}

impl journal::Header for FirstLine {
    type Record = GameRecord;

    const WHAT: &'static str = "an arena's games";

    fn differences(&self, expected: &FirstLine) -> Vec<String> {
        self.arena.differences(&expected.arena)
    }

    fn lengthened(&self, wanted: &FirstLine) -> Result<FirstLine, String> {
        let [games, wanted_games] = [self, wanted].map(|line| line.arena.games);
        if wanted_games < games {
            return Err(format!(
                "--games {wanted_games}: expected {games} or more, as there are"
            ));
        }
        Ok(wanted.clone())
    }

    fn check(&self) -> Result<(), String> {
        let MatchHeader { players, names, .. } = &self.arena;
        if players.len() < 2 || players.len() != names.len() {
            let found = format!("{} players, {} names", players.len(), names.len());
            return Err(format!(
                "{found}: expected two players or more, a name for each"
            ));
        }
        Ok(())
    }

    fn check_record(&self, game: &GameRecord) -> Result<(), String> {
        game.check(&self.arena)
    }

    fn number(game: &GameRecord) -> usize {
        game.game
    }
}
