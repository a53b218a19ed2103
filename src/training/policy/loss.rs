//! Loss of the policy network: how much its probabilities of amazon moves or arrow shots differ from the distribution
//! of a search's visits over them, as the Kullback-Leibler divergence.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::forward::{ForwardPass, MAX_ACTIONS};
use crate::games::FULL_SHARE;

/// Returns the loss and its gradient for one position. First: Kullback-Leibler divergence D(target ‖ prediction), in
/// nats. The target is the distribution of the search's visits over the amazon moves or arrow shots; the prediction is
/// the network's distribution. Second: derivative of the loss with respect to each logit, in the order of
/// `forward.actions`.
#[inline(always)]
pub fn loss(forward: &ForwardPass) -> (f64, [f32; MAX_ACTIONS]) {
    let (mut gradient, log_sum) = forward.probabilities();
    let actions = forward.actions.len();
    let (mut shares, mut others) = (0, 0.0);
    for at in 0..actions {
        let share = forward.actions[at].share;
        shares += u32::from(share);
        others += if share == 0 { gradient[at] } else { 0.0 };
    }
    // `others` is the network's total probability of all actions (amazon moves or arrow shots) that the file does not
    // list; it is 0 if the file lists all. `whole` stands for 100 % of the visits. If all actions are listed, `whole`
    // is the sum of their shares. Otherwise it is FULL_SHARE, or this sum if rounding made the sum larger. `rest` is
    // the fraction of the visits that the unlisted actions have together.
    let whole = if others > 0.0 {
        shares.max(FULL_SHARE.into())
    } else {
        shares
    };
    let rest = (whole - shares) as f32 / whole as f32;
    let mut loss = divergence(rest, f64::from(others).ln());
    for at in 0..actions {
        let share = forward.actions[at].share;
        if share == 0 {
            gradient[at] -= rest * (gradient[at] / others);
        } else {
            let target = f32::from(share) / whole as f32;
            gradient[at] -= target;
            loss += divergence(target, f64::from(forward.logits[at]) - log_sum);
        }
    }
    (loss, gradient)
}

/// Returns the contribution of one event, such as an amazon move, to the Kullback-Leibler divergence between visits and
/// predictions: `share · (ln share − log_probability)`, or 0 if `share` is 0. `share` is the event's fraction of the
/// visits; `log_probability` is the natural logarithm of the probability that the network predicts for it.
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
    use super::super::PolicyTraining;
    use super::super::sample::Decision;
    use super::*;
    use crate::samples::Position;
    use crate::trainer::network::tests::random_weights;
    use engine::board::Board;

    /// Checks the treatment of amazon moves whose visits the file of games does not list: all visits that no listed
    /// move received are distributed over them, in proportion to their predicted probabilities. If all moves are
    /// listed, the listed shares are scaled to add up to 1.
    #[test]
    fn unlisted_moves_share_the_remaining_visits() {
        let two_moves = Position {
            mine: 0xe0 << 56 | 1,
            theirs: 0x0f << 56,
            empty: 0b110,
        };
        let start = Position::from_board(&Board::start());
        for (position, shares, whole) in [
            (start, [(3, 102), (9, 51)], 255.0),
            (two_moves, [(0, 168), (1, 84)], 252.0),
        ] {
            let decision = Decision {
                position,
                shooter: None,
                shares: [[0; 2]; 8],
            };
            let mut forward =
                ForwardPass::new::<u64>(&random_weights::<PolicyTraining>(4), &decision);
            let exps = forward.logits[..forward.actions.len()].iter();
            let exps: Vec<f64> = exps.map(|&number| f64::from(number).exp()).collect();
            let all: f64 = exps.iter().sum();
            let (mut expected, mut rest, mut others) = (0.0, 1.0, 1.0);
            for (at, share) in shares {
                forward.actions[at].share = share;
                let (target, predicted) = (f64::from(share) / whole, exps[at] / all);
                expected += target * (target / predicted).ln();
                (rest, others) = (rest - target, others - predicted);
            }
            if rest > 1e-9 {
                expected += rest * (rest / others).ln();
            }
            let (loss, gradient) = loss(&forward);
            assert!((loss - expected).abs() < 1e-5);
            for (at, exp) in exps.into_iter().enumerate() {
                let share = f64::from(forward.actions[at].share) / whole;
                let target = match share > 0.0 {
                    true => share,
                    false => exp / all * rest / others,
                };
                assert!((f64::from(gradient[at]) - (exp / all - target)).abs() < 1e-6);
            }
        }
    }
}
