//! The learner: all weights with their moments, and the step that a batch makes.
//!
//! A row is the sum of two: one of its own, and one that all squares share in which its kind may be. Squares where a
//! kind is rare learn from the others. After every step rows are rounded to the engine's integers, so that what is
//! trained is what will be played.
#![allow(
    clippy::needless_range_loop,
    reason = "iterators and closures in a kernel may be compiled without the vector instructions"
)]

use super::adam::{Parameters, Step};
use super::model::{AddSlopes, PhaseOutput, Row, SKIP, SQUARES, Weights};
use super::samples::Sample;
use crate::bitboard::{Kernel, Lanes, widest};
use crate::eval::network::{
    BIASES, HIDDEN, KINDS, MAX_OUTPUT, MAX_WEIGHT, OUTPUT_UNIT, PHASES, UNIT,
};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

/// Parts of a batch, each with slopes of its own. They are summed in order, so that the result does not depend on how
/// many threads work on them; more threads would be idle.
pub const SHARDS: usize = 8;

/// Share of its rate by which a step shrinks the squares' own rows.
const DECAY: f32 = 0.01;

/// First weights of rows lie between this and its negative.
const FIRST_ROWS: f32 = 0.05;

/// First weights of the output lie between this and its negative.
const FIRST_OUTPUTS: f32 = 0.5;

/// First biases of the hidden layer.
const FIRST_BIAS: f32 = 0.3;

/// Largest weight of a row.
const MAX: f32 = MAX_WEIGHT as f32 / UNIT as f32;

/// Largest weight of an output.
const MAX_OUTPUT_WEIGHT: f32 = MAX_OUTPUT as f32 / OUTPUT_UNIT as f32;

/// The weights of a kind of square.
pub struct KindParameters {
    /// A row for each square.
    own: Parameters<HIDDEN>,
    /// The row that is added to all of them.
    shared: Parameters<HIDDEN>,
}

/// How a batch is learnt.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// What [`Sample::target`] mixes.
    pub mix: [f32; 2],
    /// Learning rate.
    pub rate: f32,
    /// How far slopes leak, see [`LEAK`](super::model::LEAK).
    pub leak: f32,
}

/// A network in training.
pub struct Learner {
    /// The network as the engine will have it: rows and biases are rounded.
    pub weights: Weights,
    kinds: Vec<KindParameters>,
    biases: Parameters<HIDDEN>,
    outputs: Parameters<{ HIDDEN + 2 }>,
    steps: u32,
    /// The slopes of each part of a batch.
    slopes: Vec<Weights>,
}

impl Learner {
    /// A random network.
    #[must_use]
    pub fn new(seed: u64) -> Learner {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut row =
            |limit: f32| -> Row { std::array::from_fn(|_| random.random_range(-limit..limit)) };
        let mut rows =
            |count: usize| Parameters::new((0..count).map(|_| row(FIRST_ROWS)).collect());
        let kinds = (0..KINDS).map(|_| KindParameters {
            own: rows(SQUARES),
            shared: rows(1),
        });
        let kinds = kinds.collect();
        let mut output: PhaseOutput = [0.0; HIDDEN + 2];
        output[..HIDDEN].copy_from_slice(&row(FIRST_OUTPUTS));
        output[SKIP] = 1.0;
        let mut learner = Learner {
            weights: Weights::zero(),
            kinds,
            biases: Parameters::new(vec![[FIRST_BIAS; HIDDEN]; BIASES]),
            outputs: Parameters::new(vec![output; PHASES]),
            steps: 0,
            slopes: vec![Weights::zero(); SHARDS],
        };
        learner.round();
        learner
    }

    /// Number of steps made.
    #[must_use]
    pub const fn steps(&self) -> u32 {
        self.steps
    }

    /// Learns from a batch. Returns the sum of the losses before the step.
    ///
    /// `sample` tells a sample by its entry in the batch.
    pub fn learn(
        &mut self,
        batch: &[u32],
        sample: impl Fn(u32) -> Sample + Sync,
        lesson: Lesson,
    ) -> f64 {
        let Lesson { mix, rate, leak } = lesson;
        let weights = &self.weights;
        let parts = batch.par_chunks(batch.len().div_ceil(SHARDS));
        let losses = parts.zip(&mut self.slopes).map(|(part, slopes)| {
            slopes.clear();
            // All samples at once: the memory answers faster.
            let samples: Vec<Sample> = part.iter().map(|&entry| sample(entry)).collect();
            widest(AddSlopes {
                weights,
                samples: &samples,
                mix,
                leak,
                slopes,
            })
        });
        let losses: Vec<f64> = losses.collect();
        let (parts, scale) = (losses.len(), 1.0 / batch.len() as f32);
        self.step(parts, scale, rate);
        losses.iter().sum()
    }

    /// Moves all weights against the sum of the first parts' slopes, each multiplied by `scale`.
    fn step(&mut self, parts: usize, scale: f32, rate: f32) {
        self.steps += 1;
        let step = Step::new(self.steps, rate);
        let parts = &self.slopes[..parts];
        let rows = self.weights.rows.par_chunks_mut(SQUARES);
        let kinds = self.kinds.par_iter_mut().zip(rows).enumerate();
        kinds.for_each(|(kind, (parameters, rows))| {
            widest(StepKind {
                kind,
                parameters,
                rows,
                parts,
                scale,
                step,
            });
        });
        let mut biases = [[0.0; HIDDEN]; BIASES];
        let mut outputs = [[0.0; HIDDEN + 2]; PHASES];
        for part in parts {
            add_scaled(&mut biases, &part.biases, scale);
            add_scaled(&mut outputs, &part.outputs, scale);
        }
        step.take(&mut self.biases, &biases, 0.0);
        step.take(&mut self.outputs, &outputs, 0.0);
        self.round_ends();
    }

    /// Makes the engine's network anew from the parameters.
    fn round(&mut self) {
        let rows = self.weights.rows.chunks_mut(SQUARES);
        for (kind, rows) in self.kinds.iter().zip(rows) {
            kind.round(rows);
        }
        self.round_ends();
    }

    /// Limits and rounds the biases, limits the outputs: they are fine enough without rounding.
    fn round_ends(&mut self) {
        let biases = self.biases.values.as_flattened_mut().iter_mut();
        for (value, rounded) in biases.zip(self.weights.biases.as_flattened_mut()) {
            *value = value.clamp(-MAX, MAX);
            *rounded = round(*value);
        }
        for output in &mut self.outputs.values {
            for weight in &mut output[..HIDDEN] {
                *weight = weight.clamp(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT);
            }
        }
        self.weights.outputs.copy_from_slice(&self.outputs.values);
    }

    /// All numbers that later steps depend on, but for the number of steps made.
    pub fn numbers(&mut self) -> impl Iterator<Item = &mut [f32]> {
        let kinds = self.kinds.iter_mut();
        kinds
            .flat_map(|kind| kind.own.numbers().into_iter().chain(kind.shared.numbers()))
            .chain(self.biases.numbers())
            .chain(self.outputs.numbers())
    }

    /// Goes on after so many steps, once [`Learner::numbers`] are set.
    pub fn resume(&mut self, steps: u32) {
        self.steps = steps;
        self.round();
    }
}

impl KindParameters {
    /// The rounded rows of the squares.
    #[inline(always)]
    fn round(&self, rows: &mut [Row]) {
        let shared = &self.shared.values[0];
        for square in 0..SQUARES {
            let (own, row) = (&self.own.values[square], &mut rows[square]);
            for at in 0..HIDDEN {
                row[at] = round((own[at] + shared[at]).clamp(-MAX, MAX));
            }
        }
    }

    /// Keeps the sums within the engine's range.
    #[inline(always)]
    fn limit(&mut self) {
        let shared = &self.shared.values[0];
        for square in 0..SQUARES {
            let own = &mut self.own.values[square];
            for at in 0..HIDDEN {
                own[at] = own[at].clamp(-MAX - shared[at], MAX - shared[at]);
            }
        }
    }
}

/// A step of one kind's weights, as a kernel.
struct StepKind<'a> {
    kind: usize,
    parameters: &'a mut KindParameters,
    /// The rounded rows.
    rows: &'a mut [Row],
    parts: &'a [Weights],
    scale: f32,
    step: Step,
}

impl Kernel for StepKind<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let mut slopes = [[0.0; HIDDEN]; SQUARES];
        for part in self.parts {
            add_scaled(
                &mut slopes,
                &part.rows[self.kind * SQUARES..][..SQUARES],
                self.scale,
            );
        }
        let mut shared = [[0.0; HIDDEN]];
        for slopes in &slopes {
            for at in 0..HIDDEN {
                shared[0][at] += slopes[at];
            }
        }
        self.step.take(&mut self.parameters.shared, &shared, 0.0);
        self.step.take(&mut self.parameters.own, &slopes, DECAY);
        self.parameters.limit();
        self.parameters.round(self.rows);
    }
}

/// Adds rows, multiplied by a number, to others.
#[inline(always)]
fn add_scaled<const N: usize>(sum: &mut [[f32; N]], rows: &[[f32; N]], scale: f32) {
    for row in 0..sum.len() {
        for at in 0..N {
            sum[row][at] += rows[row][at] * scale;
        }
    }
}

/// A weight as the engine will have it.
#[inline(always)]
fn round(weight: f32) -> f32 {
    const ONE: f32 = UNIT as f32;
    (weight * ONE).round_ties_even() / ONE
}

#[cfg(test)]
mod tests {
    use super::super::measure;
    use super::super::samples::tests::random_data;
    use super::*;
    use crate::board::Board;
    use crate::board::Player;
    use crate::eval::{self, LOG_ODDS_ONE, network::Network};
    use crate::movegen;
    use rayon::ThreadPoolBuilder;

    const LESSON: Lesson = Lesson {
        mix: [0.0; 2],
        rate: 0.01,
        leak: 0.1,
    };

    /// A network after some steps.
    fn trained(samples: &[Sample]) -> Learner {
        let mut learner = Learner::new(1);
        let batch: Vec<u32> = (0..samples.len() as u32).collect();
        for _ in 0..20 {
            learner.learn(&batch, |at| samples[at as usize], LESSON);
        }
        learner
    }

    #[test]
    fn weights_do_not_depend_on_the_threads() {
        let samples = random_data(5).train;
        let [one, many] = [1, 5].map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("threads");
            pool.install(|| trained(&samples)).weights
        });
        assert_eq!(one, many);
    }

    #[test]
    fn rows_are_the_integers_of_the_engine_at_every_step() {
        let learner = trained(&random_data(5).train);
        for number in learner
            .weights
            .rows
            .as_flattened()
            .iter()
            .chain(learner.weights.biases.as_flattened())
        {
            let integer = number * UNIT as f32;
            assert_eq!(integer, integer.round());
            assert!(integer.abs() <= f32::from(MAX_WEIGHT));
        }
    }

    /// What is trained is what is played: the engine's integers find the same log-odds.
    #[test]
    fn the_engine_agrees_with_the_model() {
        let data = random_data(5);
        let weights = trained(&data.train).weights;
        let network: Network = weights.network();
        let mut board = Board::start();
        for ply in 0.. {
            let moves = movegen::moves(&board);
            if moves.is_empty() {
                break;
            }
            let player = board.to_move();
            let black = eval::evaluate_board(&board);
            let cheap = if player == Player::Black {
                black
            } else {
                -black
            };
            let sample = Sample {
                mine: board.amazons(player),
                theirs: board.amazons(!player),
                empty: board.empty(),
                linear: eval::log_odds(cheap),
                arrows: board.arrow_count() as u8,
                ..data.train[0]
            };
            let model = measure::network(&weights, &[sample])[0];
            let engine = network.log_odds(&board, cheap) as f32 / LOG_ODDS_ONE as f32;
            assert!((model - engine).abs() < 0.02, "ply {ply}: {model} {engine}");
            board.play(moves[ply * 7 % moves.len()]).expect("legal");
        }
    }

    /// A kind that is seen on one square teaches the others through the shared row.
    #[test]
    fn squares_learn_from_each_other() {
        let mut learner = Learner::new(1);
        let before = learner.kinds[3].shared.values.clone();
        learner.slopes[0].clear();
        learner.slopes[0].rows[3 * SQUARES + 9] = [1.0; HIDDEN];
        learner.step(1, 1.0, 0.01);
        let after = &learner.kinds[3].shared.values;
        for (before, after) in before[0].iter().zip(after[0]) {
            assert!((before - 0.01 - after).abs() < 1e-5, "a step of the rate");
        }
    }
}
