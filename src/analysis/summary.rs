//! A game as a whole, as `--json` and the page hold it: its players, its end, and in short accuracy, mistakes and
//! turning points.

use super::decided::Decided;
use super::glossary::{BLUNDERS, INACCURACIES, Language, MISTAKES};
use super::judgement::{Judgement, accuracy};
use super::ply::Ply;
use super::solved::Solved;
use engine::board::Player;
use record::cells::Cells;
use serde::Serialize;

/// Least loss of a listed mistake: smaller differences between searches are chance.
const LISTED: f32 = 0.01;

/// Number of listed mistakes per side.
const MOST_LISTED: usize = 3;

/// Least win probability of a player in the lead.
const LEAD: f32 = 0.6;

/// A game as a whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameSummary {
    /// The file's name as given, or `--moves`.
    pub game: String,
    /// The names of both players, or their colours.
    pub players: Players,
    /// The state of the game or how it ended, in words.
    pub outcome: String,
    /// The state in a word: `running`, `no move`, `INVALIDMOVE`, or the verdict on the last answer.
    pub ending: &'static str,
    /// The winner; nothing while the game is running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<Player>,
    /// The position before all moves, if it is not that of every game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Cells>,
    /// Number of moves.
    pub plies: usize,
    /// First and last analysed ply, if not all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysed: Option<[usize; 2]>,
    /// Turning points, mistakes and accuracy.
    pub review: Review,
    /// What decided it; nothing unless the loser had no move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<Decided>,
    /// What is solved of it, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solved: Option<Solved>,
}

/// The names of both players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Players {
    /// Black's.
    pub black: String,
    /// White's.
    pub white: String,
}

/// A game in short.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Review {
    /// What black did.
    pub black: Side,
    /// What white did.
    pub white: Side,
    /// Turning points: the moves after which the lead changed.
    pub turning_points: Vec<TurningPoint>,
}

/// What one player did in a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// Mean accuracy of the moves that count, 0 to 100, to a tenth; nothing if none counts.
    pub accuracy: Option<f64>,
    /// Number of moves that count: all but those that kept a proven result.
    pub moves: usize,
    /// Number of inaccuracies.
    pub inaccuracies: usize,
    /// Number of mistakes.
    pub mistakes: usize,
    /// Number of blunders.
    pub blunders: usize,
    /// Plies of the biggest mistakes, three at most, the biggest first.
    pub biggest: Vec<usize>,
}

/// A move after which another player leads than before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TurningPoint {
    /// Ply of the move, from 1.
    pub ply: usize,
    /// Who leads after it.
    pub leader: Player,
}

impl Review {
    /// The review of a game's plies.
    #[must_use]
    pub fn of(plies: &[Ply]) -> Review {
        Review {
            black: Side::of(plies, Player::Black),
            white: Side::of(plies, Player::White),
            turning_points: turning_points(plies),
        }
    }

    /// What the player did.
    #[must_use]
    pub const fn side(&self, player: Player) -> &Side {
        match player {
            Player::Black => &self.black,
            Player::White => &self.white,
        }
    }
}

impl Side {
    /// The numbers of inaccuracies, mistakes and blunders, in words.
    #[must_use]
    pub fn counts(&self, language: Language) -> [String; 3] {
        [
            INACCURACIES.of(language, &[&self.inaccuracies]),
            MISTAKES.of(language, &[&self.mistakes]),
            BLUNDERS.of(language, &[&self.blunders]),
        ]
    }

    fn of(plies: &[Ply], player: Player) -> Side {
        let losses = plies.iter().filter(|ply| ply.player == player);
        let mut losses: Vec<(usize, f32)> = losses
            .filter(|ply| !ply.proven || ply.loss > Some(0.0))
            .filter_map(|ply| Some((ply.ply, ply.loss?)))
            .collect();
        let moves = losses.len();
        let sum: f64 = losses.iter().map(|&(_, loss)| accuracy(loss)).sum();
        let count = |judgement| {
            let judged = losses.iter().map(|&(_, loss)| Judgement::of(loss));
            judged.filter(|&found| found == Some(judgement)).count()
        };
        let [inaccuracies, mistakes, blunders] = [
            Judgement::Inaccuracy,
            Judgement::Mistake,
            Judgement::Blunder,
        ]
        .map(count);
        losses.retain(|&(_, loss)| loss >= LISTED);
        losses.sort_by(|a, b| b.1.total_cmp(&a.1));
        let biggest = losses.into_iter().take(MOST_LISTED);
        Side {
            accuracy: (moves > 0).then(|| (10.0 * sum / moves as f64).round() / 10.0),
            moves,
            inaccuracies,
            mistakes,
            blunders,
            biggest: biggest.map(|(ply, _)| ply).collect(),
        }
    }
}

/// The moves after which another player than the last one has a win probability of at least [`LEAD`].
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

/// The player in the lead before a ply.
fn leader_of(ply: &Ply) -> Option<Player> {
    match ply.win_probability {
        own if own >= LEAD => Some(ply.player),
        own if 1.0 - own >= LEAD => Some(!ply.player),
        _ => None,
    }
}
