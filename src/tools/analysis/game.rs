//! A game with the analysis of its positions: what `--json` prints and the report for the browser holds.

use super::judgement::{Judgement, Review};
use super::ownership::shares;
use super::position::{Candidate, Position, as_texts};
use crate::board::{Move, Player};
use crate::tools::platform::replayed::{Fault, Game, Outcome, player_at};
use serde::{Serialize, Serializer};

/// A game and where it comes from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file as it was named, or `--moves`.
    pub title: String,
    /// The checked game.
    pub game: Game,
}

/// An analysed game.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The game as a whole.
    pub summary: Summary,
    /// A ply for every move, and one for the position at the end; fewer of a game that is analysed in parts.
    pub plies: Vec<Ply>,
}

/// A game as a whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The file as it was named, or `--moves`.
    pub game: String,
    /// The names of both players, or their colours.
    pub players: Players,
    /// How the game stands or ended, in words.
    pub outcome: String,
    /// The same in a word: `running`, `no move`, `INVALIDMOVE`, or the verdict on the last answer.
    pub ending: &'static str,
    /// Who has won; nothing while the game is running.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "as_optional_name"
    )]
    pub winner: Option<Player>,
    /// Number of moves.
    pub plies: usize,
    /// The plies that are analysed, first and last, where they are not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysed: Option<[usize; 2]>,
    /// Turning points, mistakes and accuracy.
    pub review: Review,
}

/// The names of both players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Players {
    /// Black's.
    pub black: String,
    /// White's.
    pub white: String,
}

/// The analysis of one position and of the move that was played in it.
///
/// Every win probability is that of the player to move, [`Ply::player`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ply {
    /// Number of the move, from 1; the position is that of `amazons replay --at` one less.
    pub ply: usize,
    /// The player to move.
    #[serde(serialize_with = "as_name")]
    pub player: Player,
    /// The move that was played; nothing at the end of the game.
    #[serde(
        rename = "move",
        skip_serializing_if = "Option::is_none",
        serialize_with = "as_optional_text"
    )]
    pub turn: Option<Move>,
    /// [`crate::mcts::Report::win_probability`].
    pub win_probability: f32,
    /// Whether the winner is certain.
    pub proven: bool,
    /// Win probability after the move that was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_probability_after: Option<f32>,
    /// Win probability after the best move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_probability_best: Option<f32>,
    /// By how much the second is below the first, 0 at least; 0 if the best move was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<f32>,
    /// What a move with this loss is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judgement: Option<Judgement>,
    /// [`crate::mcts::Report::visits`].
    pub visits: u32,
    /// [`crate::mcts::Report::iterations`].
    pub iterations: u64,
    /// [`crate::mcts::Report::evaluations`].
    pub evaluations: u64,
    /// [`crate::mcts::Report::depth`].
    pub depth: usize,
    /// [`crate::mcts::Report::principal_variation`].
    #[serde(serialize_with = "as_texts")]
    pub principal_variation: Vec<Move>,
    /// The best moves, the best one first.
    pub candidates: Vec<Candidate>,
    /// The search's entry of the move that was played, if it has looked at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<Candidate>,
    /// Whose each square is, by rows from a1: 1 black's, -1 white's, to a thousandth.
    pub ownership: Vec<f32>,
    /// What the turn took in milliseconds, where the log tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// What memory it took in MB, where the log tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u64>,
}

impl Analysis {
    /// Joins a game and what was found in its positions after `from` plies and more. If the one at the end is
    /// not among them, the last is left out: what its move was worth, the next would tell.
    #[must_use]
    pub fn new(source: &Source, from: usize, positions: Vec<Position>) -> Analysis {
        let game = &source.game;
        let is_to_the_end = from + positions.len() > game.plies();
        // The probability at the next ply is the opponent's.
        let next: Vec<f32> = positions
            .iter()
            .map(|next| next.report.win_probability)
            .collect();
        let plies = positions.into_iter().enumerate().map(|(at, position)| {
            let after = next.get(at + 1).map(|p| 1.0 - p);
            Ply::new(game, from + at, position, after)
        });
        let count = next.len() - usize::from(!is_to_the_end);
        let plies: Vec<Ply> = plies.take(count).collect();
        let is_part = from > 0 || !is_to_the_end;
        let outcome = game.outcome();
        let name = |player| game.name(player).to_owned();
        let summary = Summary {
            game: source.title.clone(),
            players: Players {
                black: name(Player::Black),
                white: name(Player::White),
            },
            outcome: outcome.to_string(),
            ending: ending(outcome),
            winner: match outcome {
                Outcome::Running { .. } => None,
                Outcome::NoMove { winner } | Outcome::Fault { winner, .. } => Some(winner),
            },
            plies: game.plies(),
            analysed: is_part.then_some([from + 1, from + plies.len()]),
            review: Review::of(&plies),
        };
        Analysis { summary, plies }
    }
}

impl Ply {
    /// The analysis of the position after `at` plies; `after` is the win probability of the player to move
    /// as the search of the next position sees it.
    ///
    /// The loss compares like with like: searches of the same length, one of the position after the best
    /// move and one of that after the move played. Where the best move was played the loss is 0. What this
    /// position's search has proven, of the position or of the move played, counts instead.
    fn new(game: &Game, at: usize, position: Position, after: Option<f32>) -> Ply {
        let report = position.report;
        let proof = |entry: &Candidate| entry.proven.then_some(entry.win_probability);
        let after = position.played.as_ref().and_then(proof).or(after);
        let turn = move_at(game, at);
        let is_best = turn.as_ref() == report.principal_variation.first();
        let certain = (position.proven && !is_best).then_some(report.win_probability);
        let best = certain
            .or(position.after_best)
            .or(after)
            .filter(|_| after.is_some());
        let loss = best.zip(after).map(|(best, after)| (best - after).max(0.0));
        let answer = game.answers().get(at);
        // Where both are 0 the log does not tell.
        let answer = answer.filter(|answer| answer.time > 0 || answer.memory > 0);
        let shares = shares(&game.board_at(at));
        Ply {
            ply: at + 1,
            player: player_at(at),
            turn,
            win_probability: report.win_probability,
            proven: position.proven,
            win_probability_after: after,
            win_probability_best: best,
            loss,
            judgement: loss.and_then(Judgement::of),
            visits: report.visits,
            iterations: report.iterations,
            evaluations: report.evaluations,
            depth: report.depth,
            principal_variation: report.principal_variation,
            candidates: position.candidates,
            played: position.played,
            ownership: shares
                .map(|share| (1000.0 * share.ownership()).round() / 1000.0)
                .to_vec(),
            time_ms: answer.map(|answer| answer.time),
            memory_mb: answer.map(|answer| answer.memory),
        }
    }
}

/// How a game stands or ended, in a word.
const fn ending(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Running { .. } => "running",
        Outcome::NoMove { .. } => "no move",
        Outcome::Fault {
            fault: Fault::Illegal,
            ..
        } => "INVALIDMOVE",
        Outcome::Fault {
            fault: Fault::NoMove(verdict),
            ..
        } => verdict.name(),
    }
}

/// The move that was played after `at` plies.
#[must_use]
pub fn move_at(game: &Game, at: usize) -> Option<Move> {
    let turn = game.moves().get(at)?;
    Move::from_coordinates(turn.numbers()).ok()
}

/// Writes a player as `black` or `white`.
pub fn as_name<S: Serializer>(player: &Player, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(player)
}

fn as_optional_name<S: Serializer>(
    player: &Option<Player>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(player.as_ref().expect("nothing is skipped"))
}

fn as_optional_text<S: Serializer>(turn: &Option<Move>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(turn.as_ref().expect("nothing is skipped"))
}
