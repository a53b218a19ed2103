//! Judgement of a move: the name of its loss, and its accuracy.

use serde::Serialize;

/// Least losses of an inaccuracy, a mistake and a blunder, in win probability: Lichess's steps for chess.
const STEPS: [(f32, Judgement); 3] = [
    (0.15, Judgement::Blunder),
    (0.10, Judgement::Mistake),
    (0.05, Judgement::Inaccuracy),
];

/// The judgement of a move by its loss.
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
    /// The judgement of a loss; nothing for a fair move.
    #[must_use]
    pub fn of(loss: f32) -> Option<Judgement> {
        let step = STEPS.iter().find(|(least, _)| loss >= *least);
        step.map(|&(_, judgement)| judgement)
    }
}

/// Accuracy of one move, 0 to 100: `103.1668·e^(−0.04354·L) − 3.1669` with the loss `L` in percentage
/// points, Lichess's formula for chess (lichess.org/page/accuracy).
#[must_use]
pub fn accuracy(loss: f32) -> f64 {
    let points = 100.0 * f64::from(loss);
    (103.1668 * (-0.04354 * points).exp() - 3.1669).clamp(0.0, 100.0)
}
