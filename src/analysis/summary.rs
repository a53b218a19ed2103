//! [`GameSummary`]: players, result, accuracy, mistakes and turning points of a game, for `amazons analyze --json` and
//! the page.

use super::decided::Decided;
use super::glossary::{BLUNDERS, INACCURACIES, Language, MISTAKES};
use super::judgement::{Judgement, accuracy};
use super::ply::Ply;
use super::solved::Solved;
use engine::board::Player;
use record::cells::Cells;
use serde::Serialize;

/// Minimum loss of win probability (0 to 1) at which a move is listed among a player's biggest mistakes. Smaller losses
/// may be mere differences between two searches.
const MIN_LISTED_LOSS: f32 = 0.01;

/// Maximum number of moves that are listed as a player's biggest mistakes.
const MAX_LISTED_MISTAKES: usize = 3;

/// Minimum win probability (0 to 1) of a player at which the game counts as decided in this player's favour.
const DECIDED_PROBABILITY: f32 = 0.95;

/// Minimum win probability (0 to 1) at which a player takes the lead in a game.
const MIN_LEADER_PROBABILITY: f32 = 0.6;

/// Summary of a game: players, result, accuracy, mistakes and turning points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameSummary {
    /// Name of the game's file as the user gave it, or `--moves` for moves from the command line.
    pub game: String,
    /// Names of both players; `black` or `white` if a name is unknown.
    pub players: Players,
    /// Outcome of the game as an English sentence: who won and why, or that the game is running.
    pub outcome: String,
    /// Outcome of the game as a key for programs: `running`, `no move`, `INVALIDMOVE` for an illegal answer, or the
    /// verdict on another rejected answer, such as `TLE` (see `Outcome::label`).
    pub ending: &'static str,
    /// Player who has won; `None` while the game is running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<Player>,
    /// Position in which the game began; `None` if it is the standard start position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Cells>,
    /// Number of moves in the game, by both players together.
    pub plies: usize,
    /// Numbers of the first and of the last analysed move, counted from 1. `None` if the whole game was analysed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysed: Option<[usize; 2]>,
    /// Accuracy and mistakes of each player, and the moves after which a player took the lead.
    pub review: Review,
    /// Explanation of the result; `None` unless the loser ran out of moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<Decided>,
    /// Results of the solver; `None` if the user did not ask for solving.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solved: Option<Solved>,
}

/// Names of both players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Players {
    /// Name of black; `black` if unknown.
    pub black: String,
    /// Name of white; `white` if unknown.
    pub white: String,
}

/// Review of a game: accuracy and mistakes of both players, and turning points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Review {
    /// Accuracy and mistakes of black.
    pub black: PlayerReview,
    /// Accuracy and mistakes of white.
    pub white: PlayerReview,
    /// Moves after which a player took the lead, in the order of the game. A player takes the lead with a win
    /// probability of at least 0.6, and keeps it until the opponent takes it.
    pub turning_points: Vec<TurningPoint>,
}

/// Accuracy of one player's moves in a game, and numbers of the player's inaccuracies, mistakes and blunders.
///
/// Moves in a *decided* game do not count: one of the two players has a proven win, or a win probability of at least 0.95,
/// after the best move, and this player also has it after the played move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerReview {
    /// Mean accuracy of the player's moves in percent, rounded to one decimal. A move that loses no win probability has
    /// 100; the more it loses, the lower is its accuracy (see `judgement::accuracy`). `None` if [`PlayerReview::moves`]
    /// is 0.
    pub accuracy: Option<f64>,
    /// Number of the player's moves that count for the accuracy: all except those in a decided game.
    pub moves: usize,
    /// Number of the player's moves, except those in a decided game, that lost at least 0.05 and less than 0.10 of win
    /// probability.
    pub inaccuracies: usize,
    /// Number of the player's moves, except those in a decided game, that lost at least 0.10 and less than 0.15 of win
    /// probability.
    pub mistakes: usize,
    /// Number of the player's moves, except those in a decided game, that lost at least 0.15 of win probability.
    pub blunders: usize,
    /// Numbers of the player's moves that lost the most win probability: at most three, the greatest loss first. The
    /// moves of both players are numbered together, from 1. Moves in a decided game and losses below 0.01 do not count.
    pub biggest: Vec<usize>,
}

/// A move after which the lead changed: a player who was not in the lead got a win probability of at least 0.6. A
/// player keeps the lead until the opponent takes it. Until a player first has 0.6, nobody is in the lead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TurningPoint {
    /// Number of the move after which the player took the lead, among all moves of the game, counted from 1.
    pub ply: usize,
    /// Player who took the lead: this player was not in the lead before the move, and has a win probability of at least
    /// 0.6 after it.
    pub leader: Player,
}

impl Review {
    /// Computes the statistics of both players and the turning points. `plies` are the analysed positions of a game, in
    /// the order of play.
    #[must_use]
    pub fn from_plies(plies: &[Ply]) -> Review {
        Review {
            black: PlayerReview::from_plies(plies, Player::Black),
            white: PlayerReview::from_plies(plies, Player::White),
            turning_points: turning_points(plies),
        }
    }

    /// Returns the accuracy and mistakes of `player`.
    #[must_use]
    pub const fn of_player(&self, player: Player) -> &PlayerReview {
        [&self.black, &self.white][player as usize]
    }
}

impl PlayerReview {
    /// Returns three phrases in `language` with the numbers of the player's inaccuracies, mistakes and blunders, such
    /// as “inaccuracies 3”, “mistakes 1” and “blunders 2”.
    #[must_use]
    pub fn counts(&self, language: Language) -> [String; 3] {
        [
            INACCURACIES.fill(language, &[&self.inaccuracies]),
            MISTAKES.fill(language, &[&self.mistakes]),
            BLUNDERS.fill(language, &[&self.blunders]),
        ]
    }

    fn from_plies(plies: &[Ply], player: Player) -> PlayerReview {
        let losses = plies.iter().filter(|ply| ply.player == player);
        let losses: Vec<(usize, f32)> = losses
            .filter(|ply| !keeps_decided(ply))
            .filter_map(|ply| Some((ply.ply, ply.loss?)))
            .collect();
        let moves = losses.len();
        let sum: f64 = losses.iter().map(|&(_, loss)| accuracy(loss)).sum();
        let count = |judgement| {
            let judged = losses.iter().map(|&(_, loss)| Judgement::from_loss(loss));
            judged.filter(|&found| found == Some(judgement)).count()
        };
        let listed = losses.iter().filter(|(_, loss)| *loss >= MIN_LISTED_LOSS);
        let mut listed: Vec<_> = listed.collect();
        listed.sort_by(|a, b| b.1.total_cmp(&a.1));
        let biggest = listed.into_iter().take(MAX_LISTED_MISTAKES);
        PlayerReview {
            accuracy: (moves > 0).then(|| (10.0 * sum / moves as f64).round() / 10.0),
            moves,
            inaccuracies: count(Judgement::Inaccuracy),
            mistakes: count(Judgement::Mistake),
            blunders: count(Judgement::Blunder),
            biggest: biggest.map(|&(ply, _)| ply).collect(),
        }
    }
}

/// Tests if the move played in `ply` left a decided game decided. This is the case if the move preserved a proven
/// result, or if the same player has a win probability of at least [`DECIDED_PROBABILITY`] both after the best move and
/// after the played move.
fn keeps_decided(ply: &Ply) -> bool {
    let of_mover = [ply.win_probability_best, ply.win_probability_after];
    let all = |test: &dyn Fn(f32) -> bool| of_mover.iter().all(|chance| chance.is_some_and(test));
    (ply.proven && ply.loss == Some(0.0))
        || all(&|chance| chance >= DECIDED_PROBABILITY)
        || all(&|chance| chance <= 1.0 - DECIDED_PROBABILITY)
}

/// Returns the moves after which a player took the lead: the player got a win probability of at least
/// [`MIN_LEADER_PROBABILITY`] while the opponent or nobody was in the lead. A player keeps the lead until the opponent
/// takes it.
fn turning_points(plies: &[Ply]) -> Vec<TurningPoint> {
    let mut points = Vec::new();
    let mut leader = plies.first().and_then(leader_of);
    for (ply, next) in plies.iter().zip(plies.iter().skip(1)) {
        let now = leader_of(next).or(leader);
        if let Some(now) = now.filter(|_| now != leader) {
            points.push(TurningPoint {
                ply: ply.ply,
                leader: now,
            });
        }
        leader = now;
    }
    points
}

/// Returns the player whose win probability in the position of `ply`, before its move, is at least
/// [`MIN_LEADER_PROBABILITY`]; `None` if neither player's is.
fn leader_of(ply: &Ply) -> Option<Player> {
    match ply.win_probability {
        own if own >= MIN_LEADER_PROBABILITY => Some(ply.player),
        own if 1.0 - own >= MIN_LEADER_PROBABILITY => Some(!ply.player),
        _ => None,
    }
}
