//! Judges moves by their loss of win probability: classes them as inaccuracies, mistakes and blunders, and computes
//! their accuracy in percent.

use serde::Serialize;

/// Thresholds of the judgements, the worst judgement first. First: the loss of win probability (0 to 1) from which on
/// the judgement applies; second: the judgement. Lichess uses the same thresholds for chess.
const THRESHOLDS: [(f32, Judgement); 3] = [
    (0.15, Judgement::Blunder),
    (0.10, Judgement::Mistake),
    (0.05, Judgement::Inaccuracy),
];

/// Class of a bad move, by the win probability that it loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// Loss of at least 5 and less than 10 percentage points of win probability.
    Inaccuracy,
    /// Loss of at least 10 and less than 15 percentage points of win probability.
    Mistake,
    /// Loss of at least 15 percentage points of win probability.
    Blunder,
}

impl Judgement {
    /// Returns the judgement of a move that loses `loss` of win probability (0 to 1): a blunder from 0.15, a mistake
    /// from 0.10, an inaccuracy from 0.05. Returns `None` if `loss` is below 0.05.
    #[must_use]
    pub fn from_loss(loss: f32) -> Option<Judgement> {
        let found = THRESHOLDS.iter().find(|(least, _)| loss >= *least);
        found.map(|&(_, judgement)| judgement)
    }
}

/// Returns the accuracy in percent (0 to 100) of a move that loses `loss` of win probability (0 to 1).
///
/// The formula is `103.1668·e^(−0.04354·L) − 3.1669`, where L is the loss in percentage points. Lichess uses it for
/// chess (lichess.org/page/accuracy).
#[must_use]
pub fn accuracy(loss: f32) -> f64 {
    let points = 100.0 * f64::from(loss);
    (103.1668 * (-0.04354 * points).exp() - 3.1669).clamp(0.0, 100.0)
}
