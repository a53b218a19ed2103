//! Node expansion: lists the actions of a position, estimates the log-odds of each, and returns them as packed
//! edges.
//!
//! The estimate of an arrow is the static evaluation of the position after the arrow plus an offset from the policy
//! network. If counting moves proves the winner after an arrow, the arrow is a proven win or loss instead. The
//! estimates of amazon moves come from the policy network alone, without an evaluation of the positions after them.

use super::endgame::{Endgame, MIN_LEAD};
use super::tree::{Action, Edge, Estimate, MAX_EDGES, PackedEdge, Softmax};
use crate::bitboard::{Kernel, Lanes, run_up_to_four};
use crate::board::{Board, Player, Square, squares};
use crate::eval::policy::{PolicyLogits, PolicyNetwork};
use crate::eval::{self, Batch, MAX_BATCH, MAX_LOG_ODDS, Networks, PROVEN_LOSS, PROVEN_WIN, Phase};
use crate::mcts::Params;
use crate::movegen;

/// Which half of a turn is due at a node: the amazon's move, or the arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnStage {
    /// An amazon must move.
    Amazon,
    /// An arrow must be shot, by the amazon that has just moved to this square.
    Arrow(Square),
}

impl TurnStage {
    /// Plays `action`, which must be the action due, on `board`. Returns the stage after it.
    pub fn play(self, board: &mut Board, action: Action) -> TurnStage {
        match self {
            TurnStage::Amazon => {
                board.move_amazon(action.from(), action.to());
                TurnStage::Arrow(action.to())
            }
            TurnStage::Arrow(_) => {
                board.shoot(action.to());
                TurnStage::Amazon
            }
        }
    }
}

/// Expands nodes: lists the edges and estimates their log-odds. Keeps the buffers for this work, and the cache of move
/// counts, between expansions.
pub struct Expander {
    actions: [Action; MAX_EDGES],
    logits: PolicyLogits,
    batch: Batch,
    /// Log-odds that the side to move wins, one value per edge, in units of 1 / [`LOG_ODDS_ONE`](eval::LOG_ODDS_ONE).
    log_odds: [i32; MAX_EDGES],
    packed: Vec<PackedEdge>,
    endgame: Endgame,
}

impl Default for Expander {
    fn default() -> Expander {
        Expander {
            actions: [Action::NONE; MAX_EDGES],
            logits: PolicyLogits::default(),
            batch: Batch::default(),
            log_odds: [0; MAX_EDGES],
            packed: Vec::new(),
            endgame: Endgame::default(),
        }
    }
}

/// Estimates actions with the built-in networks and the static evaluation, without a search.
#[derive(Default)]
pub struct StaticEstimator {
    networks: Networks,
    params: Params,
    expander: Expander,
}

impl StaticEstimator {
    /// Returns the log-odds that the side to move wins after each of `actions`, in this order, as an expansion
    /// estimates them, but without counting endgames. The unit is 1 / [`LOG_ODDS_ONE`](eval::LOG_ODDS_ONE); values lie
    /// within ± [`MAX_LOG_ODDS`].
    ///
    /// # Panics
    /// If there are more actions than a position can have.
    pub fn log_odds(&mut self, board: &Board, stage: TurnStage, actions: &[Action]) -> &[i32] {
        let context = ExpandContext {
            policy: &self.networks.policy,
            value: match stage {
                TurnStage::Amazon => self.networks.win_probability(board),
                TurnStage::Arrow(_) => 0.5,
            },
            policy_spread: self.params.policy_spread,
            arrow_policy_offset: self.params.arrow_policy_offset,
            // `slope` and `seed` affect only packed edges, which this function does not make.
            slope: 0,
            seed: 0,
        };
        let edges = actions.len();
        let expander = &mut self.expander;
        expander.actions[..edges].copy_from_slice(actions);
        match stage {
            TurnStage::Amazon => expander.estimate_amazon_moves(board, edges, context),
            TurnStage::Arrow(from) => {
                expander.evaluate_arrows(board, edges);
                for log_odds in &mut expander.log_odds[..edges] {
                    *log_odds = (*log_odds).clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS);
                }
                expander.apply_arrow_policy(board, from, edges, context);
            }
        }
        &expander.log_odds[..edges]
    }
}

/// Inputs of an expansion other than the position and the action that is due: policy network, parameters and seed.
#[derive(Clone, Copy)]
pub struct ExpandContext<'a> {
    /// The policy network, which estimates amazon moves and corrects the estimates of arrows.
    pub policy: &'a PolicyNetwork,
    /// Win probability of the side to move, from 0 to 1; used only if an amazon's move is due.
    pub value: f32,
    /// Factor on the differences between the policy network's log-odds of amazon moves, see [`Params::policy_spread`].
    pub policy_spread: f32,
    /// Factor on the policy network's log-odds of arrows before they are added to the static evaluation, see
    /// [`Params::arrow_policy_offset`].
    pub arrow_policy_offset: f32,
    /// Slope of the softmax that gives the priors, as [`softmax_slope`] returns it.
    pub slope: u32,
    /// Seed of the noise that breaks ties between edges with equal estimates.
    pub seed: u32,
}

impl Expander {
    /// Returns, in this order: the packed edges of a position with the best two first, the constants of the softmax
    /// over them, and the work spent on counting endgames in units of
    /// [`FillCounter::budget`](super::endgame::fill::FillCounter::budget). `stage` is the action that is due.
    pub fn expand(
        &mut self,
        board: &Board,
        stage: TurnStage,
        context: ExpandContext<'_>,
    ) -> (&[PackedEdge], Softmax, u64) {
        let edges = list_actions(board, stage, &mut self.actions);
        match stage {
            TurnStage::Amazon => self.estimate_amazon_moves(board, edges, context),
            TurnStage::Arrow(from) => {
                self.evaluate_arrows(board, edges);
                self.prove_arrows(board);
                self.apply_arrow_policy(board, from, edges, context);
            }
        }
        let softmax = run_up_to_four(Quantize {
            log_odds: &self.log_odds[..edges],
            actions: &self.actions[..edges],
            seed: context.seed,
            slope: context.slope,
            packed: &mut self.packed,
        });
        (&self.packed, softmax, self.endgame.reset_budget())
    }

    /// Sets the log-odds of the first `edges` actions, all amazon moves, from the policy network. They are shifted
    /// so that the best move gets the log-odds of `context.value`.
    fn estimate_amazon_moves(&mut self, board: &Board, edges: usize, context: ExpandContext<'_>) {
        let actions = &self.actions[..edges];
        let ends = actions.iter().map(|action| (action.from(), action.to()));
        self.logits
            .compute(context.policy, board, None, ends.clone());
        let log_odds = &mut self.log_odds[..edges];
        for (log_odds, (from, to)) in log_odds.iter_mut().zip(ends) {
            *log_odds = self.logits.log_odds(from, to);
        }
        let best = log_odds.iter().copied().max().unwrap_or(0);
        let value = eval::fixed_log_odds(context.value);
        for log_odds in log_odds {
            let deficit = context.policy_spread * (best - *log_odds) as f32;
            *log_odds = value
                .saturating_sub(deficit as i32)
                .clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS);
        }
    }

    /// Sets the log-odds of the first `edges` actions, all arrows, to the static evaluations of the positions after
    /// them.
    fn evaluate_arrows(&mut self, board: &Board, edges: usize) {
        let arrows = &self.actions[..edges];
        self.batch
            .fill(board, arrows.iter().map(|arrow| arrow.to().bit()));
        eval::evaluate(&mut self.batch, Phase::after_arrow(board));
        let sign = if board.to_move() == Player::Black {
            1
        } else {
            -1
        };
        for (log_odds, black) in self.log_odds.iter_mut().zip(self.batch.log_odds()) {
            *log_odds = sign * black;
        }
    }

    /// Adds the policy network's offsets to the log-odds of the first `edges` actions, all arrows from the square
    /// `from`. Offsets are shifted by one constant, so that the best log-odds stay about the same. Proven arrows are
    /// left out.
    fn apply_arrow_policy(
        &mut self,
        board: &Board,
        from: Square,
        edges: usize,
        context: ExpandContext<'_>,
    ) {
        let arrows = &mut self.actions[..edges];
        let ends = arrows.iter().map(|arrow| (from, arrow.to()));
        self.logits.compute(context.policy, board, Some(from), ends);
        let log_odds = &mut self.log_odds[..edges];
        let mut offsets = [0; MAX_BATCH];
        let (mut best, mut best_shifted) = (-MAX_LOG_ODDS, -2 * MAX_LOG_ODDS);
        for ((offset, arrow), &log_odds) in offsets.iter_mut().zip(&*arrows).zip(&*log_odds) {
            if log_odds.abs() <= MAX_LOG_ODDS {
                let logit = self.logits.log_odds(from, arrow.to());
                *offset = (context.arrow_policy_offset * logit as f32) as i32;
                best = best.max(log_odds);
                best_shifted = best_shifted.max(log_odds + *offset);
            }
        }
        let [least, most] = Action::POLICY_OFFSETS;
        for ((offset, arrow), log_odds) in offsets.into_iter().zip(arrows).zip(log_odds) {
            if log_odds.abs() <= MAX_LOG_ODDS {
                let offset = offset + best - best_shifted + Action::POLICY_OFFSET_STEP / 2;
                *arrow = arrow.with_policy_offset(
                    offset
                        .div_euclid(Action::POLICY_OFFSET_STEP)
                        .clamp(least, most),
                );
                *log_odds = (*log_odds + arrow.policy_offset()).clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS);
            }
        }
    }

    /// Sets the log-odds of each arrow after which counting moves proves the winner to a proven win or loss.
    fn prove_arrows(&mut self, board: &Board) {
        let mut after = board.clone();
        for (edge, lead) in self.batch.leads().enumerate() {
            let log_odds = &mut self.log_odds[edge];
            if lead < MIN_LEAD || log_odds.abs() > MAX_LOG_ODDS {
                continue;
            }
            let arrow = self.actions[edge].to();
            after.shoot(arrow);
            match self.endgame.winner(&after) {
                Some(winner) if winner == board.to_move() => *log_odds = PROVEN_WIN,
                Some(_) => *log_odds = PROVEN_LOSS,
                None => {}
            }
            after.unshoot(arrow);
        }
    }
}

/// Converts a softmax `temperature` in log-odds to the slope that [`softmax_term`] takes: 2^23 times the number of
/// halvings of the prior per quantisation step of the estimate.
///
/// At 0.1, the lowest temperature in [`Params`], the product in [`softmax_term`] still fits into 32 bits.
pub fn softmax_slope(temperature: f32) -> u32 {
    let halvings_per_step = std::f32::consts::LOG2_E / (temperature * STEPS_PER_ONE);
    (halvings_per_step * (1 << 23) as f32) as u32
}

/// Writes all actions of the position into the front of `list` and returns their number. `stage` is the action
/// that is due.
fn list_actions(board: &Board, stage: TurnStage, list: &mut [Action; MAX_EDGES]) -> usize {
    let mut count = 0;
    let mut add = |action| {
        list[count] = action;
        count += 1;
    };
    match stage {
        TurnStage::Amazon => {
            for from in squares(board.amazons(board.to_move())) {
                movegen::for_each_target(board, from, |to| add(Action::amazon(from, to)));
            }
        }
        TurnStage::Arrow(from) => {
            movegen::for_each_target(board, from, |target| add(Action::arrow(target)));
        }
    }
    count
}

/// Number of quantisation steps of a packed edge's estimate per 1.0 of log-odds: 2^20 steps cover ± [`MAX_LOG_ODDS`].
const STEPS_PER_ONE: f32 =
    (PackedEdge::MAX_ESTIMATE + 1) as f32 * eval::LOG_ODDS_ONE as f32 / (2.0 * MAX_LOG_ODDS as f32);

/// SIMD kernel that makes packed edges: quantises the log-odds, computes the softmax, and moves the best two edges to
/// the front.
struct Quantize<'a> {
    /// Log-odds that the side to move wins, one value per edge, in units of 1 / [`LOG_ODDS_ONE`](eval::LOG_ODDS_ONE).
    log_odds: &'a [i32],
    actions: &'a [Action],
    /// Seed of the noise that breaks ties between equal estimates, see [`noise`].
    seed: u32,
    /// Slope of the softmax that gives the priors, as [`softmax_slope`] returns it.
    slope: u32,
    packed: &'a mut Vec<PackedEdge>,
}

impl Kernel for Quantize<'_> {
    type Output = Softmax;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Softmax {
        let Quantize { seed, packed, .. } = self;
        packed.clear();
        let edges = self.actions.iter().zip(self.log_odds).zip(0..);
        packed.extend(edges.map(|((&action, &log_odds), number)| {
            PackedEdge::new(quantize(log_odds, noise(seed, number)), action)
        }));
        let softmax = softmax(packed, self.slope);
        bring_best_two_to_front(packed);
        softmax
    }
}

/// Swaps the edge with the highest estimate to index 0 of `packed`, and the second best to index 1.
#[inline(always)]
fn bring_best_two_to_front(packed: &mut [PackedEdge]) {
    let worst = PackedEdge(0);
    let best = packed.iter().copied().fold(worst, PackedEdge::max);
    let second = packed.iter().fold(worst, |second, &edge| {
        second.max(if edge == best { worst } else { edge })
    });
    for (place, edge) in [best, second].into_iter().take(packed.len()).enumerate() {
        if let Some(at) = packed.iter().position(|&other| other == edge) {
            packed.swap(place, at);
        }
    }
}

/// Quantises log-odds within ± [`MAX_LOG_ODDS`] to 20 bits; proven losses give 0, proven wins the maximum. `noise`, in
/// units of the log-odds, is added before rounding down, to break ties.
#[inline(always)]
fn quantize(log_odds: i32, noise: u32) -> u32 {
    /// Binary logarithm of the quantisation step in units of 1 / [`LOG_ODDS_ONE`](eval::LOG_ODDS_ONE).
    const STEP_BITS: u32 =
        (2 * MAX_LOG_ODDS as u32).ilog2() - (PackedEdge::MAX_ESTIMATE + 1).ilog2();
    match log_odds {
        PROVEN_WIN => PackedEdge::MAX_ESTIMATE,
        PROVEN_LOSS => 0,
        _ => {
            let steps = ((log_odds + MAX_LOG_ODDS) as u32 + noise) >> STEP_BITS;
            steps.clamp(1, PackedEdge::MAX_ESTIMATE - 1)
        }
    }
}

/// Returns noise that breaks ties between equal log-odds: from 0 to 1/1024 in log-odds, in units of 1 /
/// [`LOG_ODDS_ONE`](eval::LOG_ODDS_ONE). A hash of the node's `seed` and the edge's `number`, because a hash vectorises
/// and a sequential generator does not.
#[inline(always)]
fn noise(seed: u32, number: u32) -> u32 {
    const NOISE_BITS: u32 = 14;
    // Multiplicative hashing (Knuth 1973), twice, with a shift between the multiplications.
    let mixed = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9));
    (mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b) >> (32 - NOISE_BITS)
}

/// Computes the constants of the softmax over the estimates of sibling edges, see [`Softmax`]. `slope` comes from
/// [`softmax_slope`].
#[inline(always)]
fn softmax(packed: &[PackedEdge], slope: u32) -> Softmax {
    let best = packed.iter().map(|edge| edge.estimate()).max().unwrap_or(0);
    // Eight partial sums in a fixed order vectorise, and round in the same way on every machine.
    let mut sums = [0.0; 8];
    let chunks = packed.chunks_exact(sums.len());
    let rest = chunks.remainder();
    for chunk in chunks {
        for (sum, edge) in sums.iter_mut().zip(chunk) {
            *sum += softmax_term(*edge, best, slope);
        }
    }
    for (sum, edge) in sums.iter_mut().zip(rest) {
        *sum += softmax_term(*edge, best, slope);
    }
    Softmax {
        best,
        inverse_sum: 1.0 / sums.iter().sum::<f32>(),
    }
}

/// Approximates an edge's term of the softmax, 2^-x, where x is `slope` / 2^23 times the distance of the edge's
/// estimate from `best`, the highest one. Exact if x is an integer, linear between integers (Mitchell 1962).
#[inline(always)]
fn softmax_term(edge: PackedEdge, best: u32, slope: u32) -> f32 {
    const ONE: u32 = 1.0_f32.to_bits();
    f32::from_bits(ONE - (slope * (best - edge.estimate())).min(ONE))
}

/// Converts a quantised estimate of [`PackedEdge::estimate`] to log-odds of the side to move. Not valid for 0 and
/// [`PackedEdge::MAX_ESTIMATE`], which stand for proven edges.
pub fn log_odds(estimate: u32) -> f32 {
    (estimate as f32 - 0.5 * PackedEdge::MAX_ESTIMATE as f32) * (1.0 / STEPS_PER_ONE)
}

/// Converts a packed edge to its initial win probability for the side to move and its prior. `softmax` and `slope` are
/// those with which the edge's node was made.
pub fn estimate(edge: PackedEdge, softmax: Softmax, slope: u32) -> Estimate {
    let value = match edge.estimate() {
        PackedEdge::MAX_ESTIMATE => Edge::PROVEN_WIN,
        0 => Edge::PROVEN_LOSS,
        steps => eval::probability(log_odds(steps)),
    };
    Estimate {
        value,
        prior: softmax_term(edge, softmax.best, slope) * softmax.inverse_sum,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Networks;

    /// Checks that an arrow's estimate minus its policy offset is the static evaluation, and that the best estimate of
    /// a node equals the best evaluation.
    #[test]
    fn arrow_estimate_minus_policy_offset_is_the_evaluation() {
        let networks = Networks::default();
        let mut expander = Expander::default();
        let context = ExpandContext {
            policy: &networks.policy,
            value: 0.5,
            policy_spread: 1.0,
            arrow_policy_offset: 0.64,
            slope: softmax_slope(0.64),
            seed: 1,
        };
        let (mut arrows, mut shifted) = (0, 0);
        for board in crate::bench::positions() {
            for turn in movegen::moves(&board) {
                let mut after = board.clone();
                after.move_amazon(turn.from, turn.to);
                let (packed, ..) = expander.expand(&after, TurnStage::Arrow(turn.to), context);
                let packed = packed
                    .iter()
                    .filter(|edge| (1..PackedEdge::MAX_ESTIMATE).contains(&edge.estimate()));
                let (mut best, mut best_evaluation) = (f32::MIN, f32::MIN);
                for edge in packed {
                    let arrow = edge.action();
                    after.shoot(arrow.to());
                    let black = eval::log_odds(eval::evaluate_board(&after));
                    after.unshoot(arrow.to());
                    let evaluation = match after.to_move() {
                        Player::Black => black,
                        Player::White => -black,
                    };
                    let estimate = log_odds(edge.estimate());
                    let found = estimate - eval::log_odds(arrow.policy_offset());
                    assert!((found - evaluation).abs() < 0.002, "{after}: {arrow:?}");
                    best = best.max(estimate);
                    best_evaluation = best_evaluation.max(evaluation);
                    (arrows, shifted) = (
                        arrows + 1,
                        shifted + usize::from(arrow.policy_offset() != 0),
                    );
                }
                let step = eval::log_odds(Action::POLICY_OFFSET_STEP);
                assert!((best - best_evaluation).abs() < step, "{after}");
            }
        }
        assert!(shifted > arrows / 2, "{shifted} of {arrows}");
    }
}
