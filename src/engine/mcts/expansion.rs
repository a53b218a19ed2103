//! Expansion: from a position and what is to be chosen to the keys of all edges.
//!
//! Arrows are estimated by the evaluation of the positions behind them, moved by what the order network says of them.
//! Amazon's moves are not played for it: the order network tells from the position how far each of them lies behind the
//! best. Arrows behind which the winner is certain by counting moves are won or lost.

use super::endgame::{Endgame, SMALLEST_LEAD};
use super::tree::{Edge, Estimate, HalfMove, Key, MAX_EDGES, Softmax};
use crate::bitboard::{Kernel, Lanes, with_four};
use crate::board::{Board, Player, Square, squares};
use crate::eval::order::{Order, Preferences};
use crate::eval::{self, Batch, LOST, MAX_BATCH, MAX_LOG_ODDS, Networks, Phase, WON};
use crate::mcts::Params;
use crate::movegen;

/// What is to be chosen at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// An amazon's move.
    Amazon,
    /// An arrow from the square to which the amazon has moved.
    Arrow(Square),
}

impl Choice {
    /// Plays what was chosen. Returns what is to be chosen next.
    pub fn play(self, board: &mut Board, half_move: HalfMove) -> Choice {
        match self {
            Choice::Amazon => {
                board.move_amazon(half_move.from(), half_move.to());
                Choice::Arrow(half_move.to())
            }
            Choice::Arrow(_) => {
                board.shoot(half_move.to());
                Choice::Amazon
            }
        }
    }
}

/// Lists edges and estimates their log-odds; keeps the work space for it.
pub struct Expander {
    half_moves: [HalfMove; MAX_EDGES],
    preferences: Preferences,
    batch: Batch,
    /// By edge, log-odds that the player who chooses wins.
    log_odds: [i32; MAX_EDGES],
    keys: Vec<Key>,
    endgame: Endgame,
}

impl Default for Expander {
    fn default() -> Expander {
        Expander {
            half_moves: [HalfMove::NONE; MAX_EDGES],
            preferences: Preferences::default(),
            batch: Batch::default(),
            log_odds: [0; MAX_EDGES],
            keys: Vec::new(),
            endgame: Endgame::default(),
        }
    }
}

/// What the networks and the evaluation expect of half-moves, without a tree.
#[derive(Default)]
pub struct Policy {
    networks: Networks,
    params: Params,
    expander: Expander,
}

impl Policy {
    /// Log-odds that the player who chooses wins, by half-move, as an expansion estimates them with no moves counted; in units
    /// of 1 / [`LOG_ODDS_ONE`](eval::LOG_ODDS_ONE), at most [`MAX_LOG_ODDS`] apart from 0.
    pub fn log_odds(&mut self, board: &Board, choice: Choice, half_moves: &[HalfMove]) -> &[i32] {
        let terms = Terms {
            order: &self.networks.order,
            value: match choice {
                Choice::Amazon => self.networks.win_probability(board),
                Choice::Arrow(_) => 0.5,
            },
            spread: self.params.order_spread,
            lean: self.params.arrow_lean,
            // These two are for keys alone.
            slope: 0,
            seed: 0,
        };
        let edges = half_moves.len();
        let expander = &mut self.expander;
        expander.half_moves[..edges].copy_from_slice(half_moves);
        match choice {
            Choice::Amazon => expander.estimate_amazons(board, edges, terms),
            Choice::Arrow(from) => {
                expander.evaluate_arrows(board, edges);
                for log_odds in &mut expander.log_odds[..edges] {
                    *log_odds = (*log_odds).clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS);
                }
                expander.lean_arrows(board, from, edges, terms);
            }
        }
        &expander.log_odds[..edges]
    }
}

/// What an expansion depends on, beside the position and the choice.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// Orders amazon's moves and arrows.
    pub order: &'a Order,
    /// Win probability of the player who chooses, where an amazon's move is chosen.
    pub value: f32,
    /// How far the log-odds of amazon's moves lie apart, as a share of how far those of the order network do.
    pub spread: f32,
    /// How much of the order network's log-odds is added to those of arrows by the evaluation.
    pub lean: f32,
    /// The slope of [`softmax_slope`].
    pub slope: u32,
    /// Seed of what decides between equals.
    pub seed: u32,
}

impl Expander {
    /// The keys of all edges, the best two first, and their softmax; and the work of counting endgames.
    pub fn expand(
        &mut self,
        board: &Board,
        choice: Choice,
        terms: Terms<'_>,
    ) -> (&[Key], Softmax, u64) {
        let edges = list_half_moves(board, choice, &mut self.half_moves);
        match choice {
            Choice::Amazon => self.estimate_amazons(board, edges, terms),
            Choice::Arrow(from) => {
                self.evaluate_arrows(board, edges);
                self.settle_arrows(board);
                self.lean_arrows(board, from, edges, terms);
            }
        }
        let softmax = with_four(Grade {
            log_odds: &self.log_odds[..edges],
            half_moves: &self.half_moves[..edges],
            seed: terms.seed,
            slope: terms.slope,
            keys: &mut self.keys,
        });
        (&self.keys, softmax, self.endgame.refresh())
    }

    /// Log-odds of amazon's moves. The move that the order network prefers is worth as much as the position.
    fn estimate_amazons(&mut self, board: &Board, edges: usize, terms: Terms<'_>) {
        let half_moves = &self.half_moves[..edges];
        let ends = half_moves
            .iter()
            .map(|half_move| (half_move.from(), half_move.to()));
        self.preferences
            .find(terms.order, board, None, ends.clone());
        let log_odds = &mut self.log_odds[..edges];
        for (log_odds, (from, to)) in log_odds.iter_mut().zip(ends) {
            *log_odds = self.preferences.log_odds(from, to);
        }
        let best = log_odds.iter().copied().max().unwrap_or(0);
        let value = eval::fixed_log_odds(terms.value);
        for log_odds in log_odds {
            let behind = terms.spread * (best - *log_odds) as f32;
            *log_odds = value
                .saturating_sub(behind as i32)
                .clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS);
        }
    }

    /// Log-odds of arrows, by the evaluation of the positions behind them.
    fn evaluate_arrows(&mut self, board: &Board, edges: usize) {
        let arrows = &self.half_moves[..edges];
        self.batch
            .fill(board, arrows.iter().map(|arrow| arrow.to().bit()));
        eval::evaluate(&mut self.batch, Phase::behind_arrow(board));
        let sign = if board.to_move() == Player::Black {
            1
        } else {
            -1
        };
        for (log_odds, black) in self.log_odds.iter_mut().zip(self.batch.log_odds()) {
            *log_odds = sign * black;
        }
    }

    /// Adds to the log-odds of arrows what the order network says of them. The best arrow is worth as much as the best by
    /// the evaluation.
    fn lean_arrows(&mut self, board: &Board, from: Square, edges: usize, terms: Terms<'_>) {
        let arrows = &mut self.half_moves[..edges];
        let ends = arrows.iter().map(|arrow| (from, arrow.to()));
        self.preferences.find(terms.order, board, Some(from), ends);
        let log_odds = &mut self.log_odds[..edges];
        let mut leans = [0; MAX_BATCH];
        let (mut best, mut best_leaning) = (-MAX_LOG_ODDS, -2 * MAX_LOG_ODDS);
        for ((lean, arrow), &log_odds) in leans.iter_mut().zip(&*arrows).zip(&*log_odds) {
            if log_odds.abs() <= MAX_LOG_ODDS {
                let preferred = self.preferences.log_odds(from, arrow.to());
                *lean = (terms.lean * preferred as f32) as i32;
                best = best.max(log_odds);
                best_leaning = best_leaning.max(log_odds + *lean);
            }
        }
        let [least, most] = HalfMove::LEANS;
        for ((lean, arrow), log_odds) in leans.into_iter().zip(arrows).zip(log_odds) {
            if log_odds.abs() <= MAX_LOG_ODDS {
                let lean = lean + best - best_leaning + HalfMove::LEAN_STEP / 2;
                *arrow = arrow.leaning(lean.div_euclid(HalfMove::LEAN_STEP).clamp(least, most));
                *log_odds = (*log_odds + arrow.lean()).clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS);
            }
        }
    }

    /// Log-odds of arrows behind which the winner is certain.
    fn settle_arrows(&mut self, board: &Board) {
        let mut after = board.clone();
        for (edge, lead) in self.batch.leads().enumerate() {
            let log_odds = &mut self.log_odds[edge];
            if lead < SMALLEST_LEAD || log_odds.abs() > MAX_LOG_ODDS {
                continue;
            }
            let arrow = self.half_moves[edge].to();
            after.shoot(arrow);
            match self.endgame.winner(&after) {
                Some(winner) if winner == board.to_move() => *log_odds = WON,
                Some(_) => *log_odds = LOST,
                None => {}
            }
            after.unshoot(arrow);
        }
    }
}

/// Slope of the softmax: how fast the prior falls with a key's estimate, for [`softmax_term`]. `temperature` is
/// in log-odds.
///
/// At 0.1, the lowest temperature of the table, the whole range of estimates still stays within 32 bits there.
pub fn softmax_slope(temperature: f32) -> u32 {
    let halvings_per_grade = std::f32::consts::LOG2_E / (temperature * GRADES_PER_ONE);
    (halvings_per_grade * (1 << 23) as f32) as u32
}

/// Writes all half-moves of a choice to the front of a list and returns their number.
fn list_half_moves(board: &Board, choice: Choice, list: &mut [HalfMove; MAX_EDGES]) -> usize {
    let mut count = 0;
    let mut add = |half_move| {
        list[count] = half_move;
        count += 1;
    };
    match choice {
        Choice::Amazon => {
            for from in squares(board.amazons(board.to_move())) {
                movegen::for_each_target(board, from, |to| add(HalfMove::amazon(from, to)));
            }
        }
        Choice::Arrow(from) => {
            movegen::for_each_target(board, from, |target| add(HalfMove::arrow(target)));
        }
    }
    count
}

/// Steps of a key's estimate per unit of log-odds.
const GRADES_PER_ONE: f32 =
    (Key::MAX_ESTIMATE + 1) as f32 * eval::LOG_ODDS_ONE as f32 / (2.0 * MAX_LOG_ODDS as f32);

/// The vectorised part of expansion: log-odds to keys, best two first.
struct Grade<'a> {
    /// Log-odds of each edge, for the player who chooses.
    log_odds: &'a [i32],
    half_moves: &'a [HalfMove],
    /// Seed of the noise.
    seed: u32,
    /// Slope of the softmax.
    slope: u32,
    keys: &'a mut Vec<Key>,
}

impl Kernel for Grade<'_> {
    type Output = Softmax;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Softmax {
        let Grade { seed, keys, .. } = self;
        keys.clear();
        let edges = self.half_moves.iter().zip(self.log_odds).zip(0..);
        keys.extend(edges.map(|((&half_move, &log_odds), number)| {
            Key::new(grade(log_odds, noise(seed, number)), half_move)
        }));
        let softmax = softmax(keys, self.slope);
        bring_best_two_to_front(keys);
        softmax
    }
}

/// Swaps the best key to the first place and the second best to the second.
#[inline(always)]
fn bring_best_two_to_front(keys: &mut [Key]) {
    let worst = Key(0);
    let best = keys.iter().copied().fold(worst, Key::max);
    let second = keys.iter().fold(worst, |second, &key| {
        second.max(if key == best { worst } else { key })
    });
    for (place, key) in [best, second].into_iter().take(keys.len()).enumerate() {
        if let Some(at) = keys.iter().position(|&other| other == key) {
            keys.swap(place, at);
        }
    }
}

/// A key's estimate from log-odds, with a little noise that decides between equals.
#[inline(always)]
fn grade(log_odds: i32, noise: u32) -> u32 {
    /// Fixed-point log-odds per step: the whole range over all steps.
    const STEP_BITS: u32 = (2 * MAX_LOG_ODDS as u32).ilog2() - (Key::MAX_ESTIMATE + 1).ilog2();
    match log_odds {
        WON => Key::MAX_ESTIMATE,
        LOST => 0,
        _ => {
            let steps = ((log_odds + MAX_LOG_ODDS) as u32 + noise) >> STEP_BITS;
            steps.clamp(1, Key::MAX_ESTIMATE - 1)
        }
    }
}

/// Noise of up to a thousandth in log-odds, from the node's seed and the number of the edge. A hash by
/// multiplications is vectorised; a generator that makes one number after another is not.
#[inline(always)]
fn noise(seed: u32, number: u32) -> u32 {
    const NOISE_BITS: u32 = 14;
    // Two rounds of a multiplicative hash (Knuth 1973) with a shift between.
    let mixed = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9));
    (mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b) >> (32 - NOISE_BITS)
}

/// The softmax over the estimates of siblings.
#[inline(always)]
fn softmax(keys: &[Key], slope: u32) -> Softmax {
    let best = keys.iter().map(|key| key.estimate()).max().unwrap_or(0);
    // Eight sums side by side, in a fixed order: fast, and the same on every machine.
    let mut sums = [0.0; 8];
    let chunks = keys.chunks_exact(sums.len());
    let rest = chunks.remainder();
    for chunk in chunks {
        for (sum, key) in sums.iter_mut().zip(chunk) {
            *sum += softmax_term(*key, best, slope);
        }
    }
    for (sum, key) in sums.iter_mut().zip(rest) {
        *sum += softmax_term(*key, best, slope);
    }
    Softmax {
        best,
        inverse_sum: 1.0 / sums.iter().sum::<f32>(),
    }
}

/// `2^-x`, x being `slope / 2^23` times what a key's estimate is below the best: exact where x is whole, a
/// straight line between (Mitchell 1962).
#[inline(always)]
fn softmax_term(key: Key, best: u32, slope: u32) -> f32 {
    const ONE: u32 = 1.0_f32.to_bits();
    f32::from_bits(ONE - (slope * (best - key.estimate())).min(ONE))
}

/// The log-odds of an estimate that is neither the best nor the worst.
pub fn log_odds(estimate: u32) -> f32 {
    (estimate as f32 - 0.5 * Key::MAX_ESTIMATE as f32) * (1.0 / GRADES_PER_ONE)
}

/// What an edge starts with, from its key: win probability of the chooser, and prior.
pub fn estimate(key: Key, softmax: Softmax, slope: u32) -> Estimate {
    let value = match key.estimate() {
        Key::MAX_ESTIMATE => Edge::WON,
        0 => Edge::LOST,
        steps => eval::probability(log_odds(steps)),
    };
    Estimate {
        value,
        prior: softmax_term(key, softmax.best, slope) * softmax.inverse_sum,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Networks;

    /// The evaluation behind an arrow is had again from its estimate, and the best estimate is the best evaluation.
    #[test]
    fn an_arrows_estimate_without_its_lean_is_the_evaluation() {
        let networks = Networks::default();
        let mut expander = Expander::default();
        let terms = Terms {
            order: &networks.order,
            value: 0.5,
            spread: 1.0,
            lean: 0.64,
            slope: softmax_slope(0.64),
            seed: 1,
        };
        let (mut moved, mut leaning) = (0, 0);
        for board in crate::bench::positions() {
            for turn in movegen::moves(&board) {
                let mut after = board.clone();
                after.move_amazon(turn.from, turn.to);
                let (keys, ..) = expander.expand(&after, Choice::Arrow(turn.to), terms);
                let keys = keys
                    .iter()
                    .filter(|key| (1..Key::MAX_ESTIMATE).contains(&key.estimate()));
                let (mut best, mut best_evaluation) = (f32::MIN, f32::MIN);
                for key in keys {
                    let arrow = key.half_move();
                    after.shoot(arrow.to());
                    let black = eval::log_odds(eval::evaluate_board(&after));
                    after.unshoot(arrow.to());
                    let evaluation = match after.to_move() {
                        Player::Black => black,
                        Player::White => -black,
                    };
                    let estimate = log_odds(key.estimate());
                    let found = estimate - eval::log_odds(arrow.lean());
                    assert!((found - evaluation).abs() < 0.002, "{after}: {arrow:?}");
                    best = best.max(estimate);
                    best_evaluation = best_evaluation.max(evaluation);
                    (moved, leaning) = (moved + 1, leaning + usize::from(arrow.lean() != 0));
                }
                let step = eval::log_odds(HalfMove::LEAN_STEP);
                assert!((best - best_evaluation).abs() < step, "{after}");
            }
        }
        assert!(leaning > moved / 2, "{leaning} of {moved}");
    }
}
