//! Judges a move by its loss of win probability: as an inaccuracy, a mistake or a blunder, and by its accuracy in percent.

use serde::Serialize;

/// Minimum loss of win probability (0 to 1) for each judgement, in falling order; Lichess uses these thresholds for
/// chess.
const THRESHOLDS: [(f32, Judgement); 3] = [
    (0.15, Judgement::Blunder),
    (0.10, Judgement::Mistake),
    (0.05, Judgement::Inaccuracy),
];

/// Class of a bad move, by the win probability that it loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// Loss of 5 to 10 percentage points of win probability.
    Inaccuracy,
    /// Loss of 10 to 15 percentage points of win probability.
    Mistake,
    /// Loss of at least 15 percentage points of win probability.
    Blunder,
}

impl Judgement {
    /// Returns the judgement of a move that loses `loss` of win probability (0 to 1); `None` below 0.05.
    #[must_use]
    pub fn of(loss: f32) -> Option<Judgement> {
        let found = THRESHOLDS.iter().find(|(least, _)| loss >= *least);
        found.map(|&(_, judgement)| judgement)
    }
}

/// Returns the accuracy of a move, from 0 to 100, for a `loss` of win probability (0 to 1): `103.1668·e^(−0.04354·L) −
/// 3.1669`, where L is the loss in percentage points.
///
/// Lichess uses this formula for chess (lichess.org/page/accuracy).
#[must_use]
pub fn accuracy(loss: f32) -> f64 {
    let points = 100.0 * f64::from(loss);
    (103.1668 * (-0.04354 * points).exp() - 3.1669).clamp(0.0, 100.0)
}
