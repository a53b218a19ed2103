//! Creation of nodes ([`Expander`]): lists the amazon's moves or arrow shots of a position, estimates the log-odds that
//! the side to move wins after each, and packs moves and estimates as edges.
//!
//! - Estimate of an arrow shot: the static evaluation of the position after the shot, plus an offset from the policy
//!   network. If counting the moves left proves the winner after the shot, it is a proven win or loss instead.
//! - Estimate of an amazon's move: from the policy network and the win probability at the node, without an evaluation
//!   of the position after the move.

use super::endgame::{Endgame, MIN_FORTRESS_LEAD};
use super::tree::{Action, Edge, Estimate, MAX_EDGES, PackedEdge, Softmax};
use crate::bitboard::{Kernel, Lanes, run_up_to_four};
use crate::board::{Board, Player, Square, squares};
use crate::eval::policy::{PolicyLogits, PolicyNetwork};
use crate::eval::{self, Batch, MAX_BATCH, MAX_LOG_ODDS, Networks, PROVEN_LOSS, PROVEN_WIN, Phase};
use crate::mcts::Params;
use crate::movegen;

/// Stage of a turn: says whether an amazon's move or the shot of its arrow must be chosen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnStage {
    /// The side to move must move one of its amazons next.
    Amazon,
    /// The amazon that has just moved to the given square must shoot its arrow.
    Arrow(Square),
}

impl TurnStage {
    /// Plays `action`, an amazon's move or an arrow shot, on `board`. Returns the stage of the turn after it: an arrow
    /// shot follows an amazon's move, and an amazon's move of the opponent follows an arrow shot. `action` must be of
    /// the kind that `self` demands.
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

/// Creates the edges of new nodes of the search tree: lists the legal amazon's moves or arrow shots, and estimates each
/// of them. Keeps its buffers from node to node, and a cache of endgame counts: how many moves can be made in regions
/// of the board.
pub struct Expander {
    actions: [Action; MAX_EDGES],
    logits: PolicyLogits,
    batch: Batch,
    /// For each edge of the node (amazon's move or arrow shot): log-odds that the side to move wins after it, in units
    /// of 1 / [`LOG_ODDS_ONE`](eval::LOG_ODDS_ONE). Only the first elements are used, as many as the node has edges.
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

/// Estimates the log-odds that the side to move wins if it makes an amazon's move or an arrow shot. Uses the built-in
/// networks and the static evaluation, but no search.
#[derive(Default)]
pub struct StaticEstimator {
    networks: Networks,
    params: Params,
    expander: Expander,
}

impl StaticEstimator {
    /// Returns, for each amazon's move or arrow shot in `actions`, the log-odds that the side to move wins after it.
    /// The unit is 1 / [`LOG_ODDS_ONE`](eval::LOG_ODDS_ONE), the order that of `actions`; the numbers lie within ±
    /// [`MAX_LOG_ODDS`]. `stage` says whether `actions` are amazon's moves or arrow shots.
    ///
    /// The search starts with the same estimates, except for arrow shots after which it can prove the winner.
    ///
    /// # Panics
    /// If there are more than 108 elements in `actions`, the maximum number of edges of a node (`MAX_EDGES`).
    pub fn log_odds(&mut self, board: &Board, stage: TurnStage, actions: &[Action]) -> &[i32] {
        let context = ExpandContext {
            policy: &self.networks.policy,
            value: match stage {
                TurnStage::Amazon => self.networks.win_probability(board),
                TurnStage::Arrow(_) => 0.5,
            },
            policy_spread: self.params.policy_spread,
            arrow_policy_offset: self.params.arrow_policy_offset,
            // `slope`, the inverse softmax temperature, affects only prior probabilities. `seed` affects only the order
            // of edges with equal estimates. `StaticEstimator::log_odds` returns neither, so both fields may have any
            // value.
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

/// Inputs for the estimates of a node's edges (amazon's moves or arrow shots). These are the policy network, the win
/// probability of the side to move at the node, search parameters, and the seed of the random noise by which edges with
/// equal estimates are ordered. The position of the node is not among them.
#[derive(Clone, Copy)]
pub struct ExpandContext<'a> {
    /// The policy network, which computes a logit for each amazon's move or arrow shot. A move's log-odds are lower
    /// than the best move's by `policy_spread` times the difference of their logits. For an arrow shot,
    /// `arrow_policy_offset` times its logit is added to the log-odds of the static evaluation.
    pub policy: &'a PolicyNetwork,
    /// Win probability of the side to move at the node, from 0 to 1; used only for amazon's moves, not for arrow shots.
    /// The move with the highest output of the policy network gets this value as its estimate. The other moves get
    /// lower estimates.
    pub value: f32,
    /// Weight of the policy network for amazon's moves. The log-odds of two moves differ by this weight times the
    /// difference of the network's logits. With 0, all moves are estimated as equally good. See
    /// [`Params::policy_spread`].
    pub policy_spread: f32,
    /// Weight of the policy network for arrow shots. The network's logit for a shot is multiplied by this weight. The
    /// product is added to the static evaluation after the shot, see [`Params::arrow_policy_offset`].
    pub arrow_policy_offset: f32,
    /// Inverse temperature of the softmax that converts estimates to prior probabilities, as a fixed-point number:
    /// 256·log2(e) / temperature, see [`softmax_slope`].
    pub slope: u32,
    /// Seed of the random noise that orders edges with equal log-odds.
    pub seed: u32,
}

impl Expander {
    /// Lists the legal amazon's moves or arrow shots (as `stage` says) of the position `board`, except those in
    /// integer regions that need not be searched, and estimates each of them. `context` holds the networks and parameters.
    /// Returns three values.
    ///
    /// - First: the packed edges, 32-bit words with a move or shot and its estimate. The best edge is at index 0, the
    ///   second best at index 1; the others have no order.
    /// - Second: the constants of the softmax that converts estimates to prior probabilities.
    /// - Third: the work spent on counting the moves that the players have left, in units of
    ///   [`FillCounter::budget`](super::endgame::fill::FillCounter::budget).
    pub fn expand(
        &mut self,
        board: &Board,
        stage: TurnStage,
        context: ExpandContext<'_>,
    ) -> (&[PackedEdge], Softmax, u64) {
        let edges = self.list_actions(board, stage);
        match stage {
            TurnStage::Amazon => self.estimate_amazon_moves(board, edges, context),
            TurnStage::Arrow(from) => {
                self.evaluate_arrows(board, edges);
                self.prove_arrows(board);
                self.apply_arrow_policy(board, from, edges, context);
            }
        }
        let softmax = run_up_to_four(PackEdges {
            log_odds: &self.log_odds[..edges],
            actions: &self.actions[..edges],
            seed: context.seed,
            slope: context.slope,
            packed: &mut self.packed,
        });
        (&self.packed, softmax, self.endgame.reset_budget())
    }

    /// Writes the legal amazon's moves or arrow shots (as `stage` says) in the position `board` to the first elements of
    /// `self.actions`, and returns their number. Leaves out those in integer regions that need not be searched, see
    /// `endgame/integer_regions.rs`.
    fn list_actions(&mut self, board: &Board, stage: TurnStage) -> usize {
        let mut count = 0;
        let mut add = |action| {
            self.actions[count] = action;
            count += 1;
        };
        match stage {
            TurnStage::Amazon => {
                let (needless, integer_turn) = self.endgame.needless_amazons(board);
                for from in squares(board.amazons(board.to_move()) & !needless) {
                    movegen::for_each_target(board, from, |to| add(Action::amazon(from, to)));
                }
                if let Some(turn) = integer_turn {
                    add(Action::amazon(turn.from, turn.to));
                }
            }
            TurnStage::Arrow(from) => match self.endgame.only_arrow(board, from) {
                Some(target) => add(Action::arrow(target)),
                None => movegen::for_each_target(board, from, |to| add(Action::arrow(to))),
            },
        }
        count
    }

    /// Estimates the amazon's moves `self.actions[..edges]`, and writes the log-odds that the side to move wins after
    /// each to `self.log_odds`. The best move gets the log-odds of the win probability `context.value`; the policy
    /// network determines how much lower the others are.
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

    /// Evaluates the arrow shots `self.actions[..edges]`, and writes the log-odds that the shooting side wins after
    /// each to `self.log_odds`. They are static evaluations of the positions after the shots.
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

    /// Adds offsets from the policy network to the log-odds in `self.log_odds` of the arrow shots
    /// `self.actions[..edges]`, which start at the square `from`. Also stores each shot's offset in the shot.
    ///
    /// All offsets are first shifted by the same amount, so that the offsets hardly change the highest log-odds of the
    /// shots. Proven wins and losses keep their values.
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

    /// Tries to prove the winner after each arrow shot, by counting the moves left to both players or by a fortress (a
    /// territory that the opponent cannot enter). Where it succeeds, sets the log-odds of the shot to [`PROVEN_WIN`] or
    /// [`PROVEN_LOSS`].
    fn prove_arrows(&mut self, board: &Board) {
        let mut after = board.clone();
        for (edge, lead) in self.batch.leads().enumerate() {
            let log_odds = &mut self.log_odds[edge];
            if lead < MIN_FORTRESS_LEAD || log_odds.abs() > MAX_LOG_ODDS {
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

/// Converts a softmax temperature to the integer factor `slope` of [`softmax_term`]. By the softmax, prior
/// probabilities are proportional to e^(log-odds / `temperature`).
///
/// An edge's estimate is an integer of 20 bits, which stands for log-odds; 1.0 of log-odds is 32768 steps. An edge
/// whose estimate is 2^23 / `slope` steps lower than another's has half its prior probability.
///
/// Even with the lowest temperature in [`Params`], 0.1, the product in [`softmax_term`] fits into 32 bits.
pub fn softmax_slope(temperature: f32) -> u32 {
    let halvings_per_step = std::f32::consts::LOG2_E / (temperature * STEPS_PER_ONE);
    (halvings_per_step * (1 << 23) as f32) as u32
}

/// Number of integer steps in an edge's estimate that correspond to 1.0 of log-odds. An estimate is stored in 20 bits;
/// its 2^20 steps cover the log-odds from −[`MAX_LOG_ODDS`] to [`MAX_LOG_ODDS`].
const STEPS_PER_ONE: f32 =
    (PackedEdge::MAX_ESTIMATE + 1) as f32 * eval::LOG_ODDS_ONE as f32 / (2.0 * MAX_LOG_ODDS as f32);

/// Inputs and output of a computation with SIMD instructions, [`Kernel::run`]. The computation quantises the log-odds
/// of each amazon's move or arrow shot to an estimate, and packs both into a 32-bit word. It writes these words to
/// `packed`: the edge with the highest estimate at index 0, the second best at index 1, the others in any order.
///
/// The computation returns two constants of the softmax that converts the estimates to prior probabilities: the highest
/// estimate, and the normalising constant.
struct PackEdges<'a> {
    /// For each edge: log-odds that the side to move wins after the amazon's move or arrow shot, in units of 1 /
    /// [`LOG_ODDS_ONE`](eval::LOG_ODDS_ONE).
    log_odds: &'a [i32],
    actions: &'a [Action],
    /// Seed of the random noise that orders edges with equal log-odds, see [`tie_noise`].
    seed: u32,
    /// Inverse temperature of the softmax that converts estimates to prior probabilities, as a fixed-point number:
    /// 256·log2(e) / temperature, see [`softmax_slope`].
    slope: u32,
    packed: &'a mut Vec<PackedEdge>,
}

impl Kernel for PackEdges<'_> {
    type Output = Softmax;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Softmax {
        let PackEdges { seed, packed, .. } = self;
        packed.clear();
        let edges = self.actions.iter().zip(self.log_odds).zip(0..);
        packed.extend(edges.map(|((&action, &log_odds), number)| {
            PackedEdge::new(quantize(log_odds, tie_noise(seed, number)), action)
        }));
        let softmax = softmax(packed, self.slope);
        bring_best_two_to_front(packed);
        softmax
    }
}

/// Moves the packed edge with the highest estimate to index 0 of `packed`, and the second best to index 1, by swapping
/// them with the edges at these indices. An estimate is the quantised log-odds that the side to move wins. The order of
/// the others is arbitrary. A list of one edge stays as it is.
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

/// Converts the log-odds of an edge to an estimate, an integer of 20 bits. A proven loss becomes 0, a proven win
/// [`PackedEdge::MAX_ESTIMATE`]; the range from −[`MAX_LOG_ODDS`] to [`MAX_LOG_ODDS`] is scaled to the integers between
/// these two.
///
/// - `log_odds`: log-odds that the side to move wins, in units of 1 / [`LOG_ODDS_ONE`](eval::LOG_ODDS_ONE).
/// - `noise`: random number in the same unit. It is added before rounding down, so that edges with equal log-odds are
///   ordered at random.
#[inline(always)]
fn quantize(log_odds: i32, noise: u32) -> u32 {
    /// Base-2 logarithm of the quantisation step of estimates. The step is 2^`LOG2_STEP` in units of 1 /
    /// [`LOG_ODDS_ONE`](eval::LOG_ODDS_ONE), which is 1/32768 in log-odds.
    const LOG2_STEP: u32 =
        (2 * MAX_LOG_ODDS as u32).ilog2() - (PackedEdge::MAX_ESTIMATE + 1).ilog2();
    match log_odds {
        PROVEN_WIN => PackedEdge::MAX_ESTIMATE,
        PROVEN_LOSS => 0,
        _ => {
            let steps = ((log_odds + MAX_LOG_ODDS) as u32 + noise) >> LOG2_STEP;
            steps.clamp(1, PackedEdge::MAX_ESTIMATE - 1)
        }
    }
}

/// Returns pseudo-random noise for one edge of a node, which orders edges with equal log-odds at random. It is an
/// integer below 2^14 in units of 1 / [`LOG_ODDS_ONE`](eval::LOG_ODDS_ONE), less than 1/1024 in log-odds.
///
/// The noise is a hash of the node's `seed` and of the edge's index `number`. A hash is used because the compiler can
/// vectorise it, unlike a sequential generator of random numbers.
#[inline(always)]
fn tie_noise(seed: u32, number: u32) -> u32 {
    const NOISE_BITS: u32 = 14;
    // Hashes the edge's index: multiplies it by a constant (multiplicative hashing, Knuth 1973), adds the seed, mixes
    // high bits into low ones by a shift, and multiplies again.
    let mixed = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9));
    (mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b) >> (32 - NOISE_BITS)
}

/// Computes the two constants of the softmax that converts the estimates of a node's edges `packed` to prior
/// probabilities: the highest estimate, and 1 / the sum of [`softmax_term`] over all edges. `slope` is the inverse
/// softmax temperature as a fixed-point number: 256·log2(e) / temperature, see [`softmax_slope`].
#[inline(always)]
fn softmax(packed: &[PackedEdge], slope: u32) -> Softmax {
    let best = packed.iter().map(|edge| edge.estimate()).max().unwrap_or(0);
    // The sum is computed as eight partial sums that are added in a fixed order. So the compiler can vectorise the
    // loop, and the rounding is the same on every machine.
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

/// Returns approximately 2^(−`slope`·d / 2^23), where d is the difference between `best`, the highest estimate of the
/// node's edges, and the estimate of `edge`. This is the ratio of the prior probability of `edge` to that of the best
/// edge.
///
/// The result is exact if it is a power of two. Between two neighbouring powers of two, it is interpolated linearly
/// (Mitchell 1962).
#[inline(always)]
fn softmax_term(edge: PackedEdge, best: u32, slope: u32) -> f32 {
    const ONE: u32 = 1.0_f32.to_bits();
    f32::from_bits(ONE - (slope * (best - edge.estimate())).min(ONE))
}

/// Converts the estimate of a packed edge, an integer of 20 bits, to log-odds that the side to move wins. Must not be
/// called for the estimates of proven edges, 0 (loss) and [`PackedEdge::MAX_ESTIMATE`] (win), which stand for no
/// log-odds.
pub fn log_odds(estimate: u32) -> f32 {
    (estimate as f32 - 0.5 * PackedEdge::MAX_ESTIMATE as f32) * (1.0 / STEPS_PER_ONE)
}

/// Returns the initial statistics of an edge that was not visited yet: the win probability of the side to move, and the
/// edge's prior probability.
///
/// - `softmax`: constants of the softmax over the estimates of all edges of the node.
/// - `slope`: factor of this softmax, computed by [`softmax_slope`] from the temperature. It must be the same as for
///   `softmax`.
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

    /// Checks the estimates of arrow shots. An estimate must be the static evaluation after the shot plus the shot's
    /// policy offset. The offsets of a node's shots are shifted so that the highest estimate is the highest static
    /// evaluation, except for rounding; this is checked, too.
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
