//! The loss of the order network.
//!
//! The loss of a sample is the Kullback-Leibler divergence of the network's probabilities from the shares of the visits,
//! in nats: the cross-entropy, less the entropy of the shares. Only some moves have a share of their own. All others count
//! as one move, which has the rest of the visits.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::forward::{Forward, MAX_MOVES};
use super::visits::View;
use crate::tools::training::games::WHOLE;

/// The share of the visits that each move has in a choice, in 1/255; 0 if it has none of its own.
#[inline(always)]
pub fn targets(forward: &Forward, view: &View) -> [u8; MAX_MOVES] {
    let mut targets = [0; MAX_MOVES];
    for [name, share] in view.shares {
        if share == 0 {
            break;
        }
        for (at, turn) in forward.moves.iter().enumerate() {
            if turn.name == name {
                targets[at] = share;
            }
        }
    }
    targets
}

/// The loss of a position, and its gradient in the log-odds.
#[inline(always)]
pub fn loss(forward: &Forward, targets: &[u8; MAX_MOVES]) -> (f64, [f32; MAX_MOVES]) {
    let (mut gradient, log_sum) = forward.probabilities();
    let moves = forward.moves.len();
    let (mut shares, mut others) = (0, 0.0);
    for at in 0..moves {
        shares += u32::from(targets[at]);
        others += if targets[at] == 0 { gradient[at] } else { 0.0 };
    }
    // Rounded shares may be more than all together. Where no other moves are, they are all.
    let whole = if others > 0.0 {
        shares.max(WHOLE.into())
    } else {
        shares
    };
    let rest = (whole - shares) as f32 / whole as f32;
    let mut loss = divergence(rest, f64::from(others).ln());
    for at in 0..moves {
        if targets[at] == 0 {
            gradient[at] -= rest * (gradient[at] / others);
        } else {
            let target = f32::from(targets[at]) / whole as f32;
            gradient[at] -= target;
            loss += divergence(target, f64::from(forward.log_odds[at]) - log_sum);
        }
    }
    (loss, gradient)
}

/// What a share of the visits adds to the loss, with the logarithm of the probability that it has.
#[inline(always)]
fn divergence(share: f32, log_probability: f64) -> f64 {
    let share = f64::from(share);
    match share > 0.0 {
        true => share * (share.ln() - log_probability),
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Order;
    use super::*;
    use crate::board::Board;
    use crate::tools::training::samples::Position;
    use crate::tools::training::trainer::head::tests::random_weights;
    use crate::tools::training::trainer::weights::Weights;

    /// The choice of an amazon's move, without shares.
    const fn view(position: Position) -> View {
        View {
            position,
            shooter: None,
            shares: [[0; 2]; 8],
        }
    }

    /// What the network makes of a position: its view, and the probabilities.
    fn probabilities(weights: &Weights, view: &View) -> (Forward, Vec<f64>) {
        let forward = Forward::new::<u64>(weights, view);
        let exps = forward.log_odds[..forward.moves.len()].iter();
        let exps: Vec<f64> = exps.map(|&number| f64::from(number).exp()).collect();
        let all: f64 = exps.iter().sum();
        let probabilities = exps.into_iter().map(|number| number / all);
        (forward, probabilities.collect())
    }

    #[test]
    fn moves_without_a_target_share_the_rest_of_the_visits() {
        let start = view(Position::of(&Board::start()));
        let (forward, probabilities) = probabilities(&random_weights::<Order>(4), &start);
        let mut targets = [0; MAX_MOVES];
        (targets[3], targets[9]) = (102, 51);
        let (first, second) = (probabilities[3], probabilities[9]);
        let rest = 1.0 - first - second;
        let expected =
            0.4 * (0.4 / first).ln() + 0.2 * (0.2 / second).ln() + 0.4 * (0.4 / rest).ln();
        let (loss, gradient) = loss(&forward, &targets);
        assert!((loss - expected).abs() < 1e-5);
        assert!((f64::from(gradient[3]) - (first - 0.4)).abs() < 1e-6);
        let other = probabilities[5] * (1.0 - 0.4 / rest);
        assert!((f64::from(gradient[5]) - other).abs() < 1e-6);
    }

    #[test]
    fn moves_that_all_have_targets_have_all_visits() {
        let two_moves = view(Position {
            mine: 0xe0 << 56 | 1,
            theirs: 0x0f << 56,
            empty: 0b110,
        });
        let (forward, probabilities) = probabilities(&random_weights::<Order>(4), &two_moves);
        let mut targets = [0; MAX_MOVES];
        (targets[0], targets[1]) = (168, 84);
        let [first, second] = probabilities[..] else {
            panic!("two moves");
        };
        let (one, two) = (1.0 / 3.0, 2.0 / 3.0);
        let expected = two * (two / first).ln() + one * (one / second).ln();
        assert!((loss(&forward, &targets).0 - expected).abs() < 1e-5);
    }
}
