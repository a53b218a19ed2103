//! How good moves and games were: the loss of a move, its judgement, accuracy, turning points.

use super::game::Ply;
use crate::board::Player;
use serde::Serialize;

/// Losses from which on a move is an inaccuracy, a mistake, a blunder: Lichess's steps for chess, as win
/// probability.
const STEPS: [(f32, Judgement); 3] = [
    (0.15, Judgement::Blunder),
    (0.10, Judgement::Mistake),
    (0.05, Judgement::Inaccuracy),
];

/// Smallest loss that is listed among a side's biggest mistakes: below it searches differ by chance.
const LISTED: f32 = 0.01;

/// Number of mistakes that are listed of each side.
const MISTAKES: usize = 3;

/// Win probability from which on a player leads.
const LEAD: f32 = 0.6;

/// What a move with a loss is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// It lost at least 5 points of win probability.
    Inaccuracy,
    /// It lost at least 10.
    Mistake,
    /// It lost at least 15.
    Blunder,
}

impl Judgement {
    /// What a move that lost so much is called; nothing if it is a fair one.
    #[must_use]
    pub fn of(loss: f32) -> Option<Judgement> {
        let step = STEPS.iter().find(|(least, _)| loss >= *least);
        step.map(|&(_, judgement)| judgement)
    }

    /// The sign behind the move.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }
}

/// Accuracy of one move, 0 to 100: `103.1668·e^(−0.04354·L) − 3.1669` with the loss `L` in percentage
/// points, Lichess's formula for chess (lichess.org/page/accuracy).
#[must_use]
pub fn accuracy(loss: f32) -> f64 {
    let points = 100.0 * f64::from(loss);
    (103.1668 * (-0.04354 * points).exp() - 3.1669).clamp(0.0, 100.0)
}

/// A game in short.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Review {
    /// What black did.
    pub black: Side,
    /// What white did.
    pub white: Side,
    /// Where the lead changed hands.
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
    #[serde(serialize_with = "super::game::as_name")]
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
        Side {
            accuracy: (moves > 0).then(|| (10.0 * sum / moves as f64).round() / 10.0),
            moves,
            inaccuracies,
            mistakes,
            blunders,
            biggest: losses.iter().take(MISTAKES).map(|&(ply, _)| ply).collect(),
        }
    }
}

/// The moves after which another player has a win probability of [`LEAD`] than the last one who had.
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

/// Who leads when a ply is to begin.
fn leader_of(ply: &Ply) -> Option<Player> {
    match ply.win_probability {
        own if own >= LEAD => Some(ply.player),
        own if 1.0 - own >= LEAD => Some(!ply.player),
        _ => None,
    }
}
