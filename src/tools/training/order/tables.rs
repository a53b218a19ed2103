//! The tables of the order network: its weights, and the parameters behind them.

use crate::eval::images::FILTERS;
use crate::eval::network::{BIASES, KINDS, MAX_WEIGHT};
use crate::eval::order::{self, HEAD_UNIT, OrderWeights, UNIT, WAYS};
use crate::tools::training::trainer::adam::{Step, Table, add_scaled, rounded};
use crate::tools::training::trainer::head::{HeadParameters, HeadWeights};
use crate::tools::training::trainer::images::Row;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// Tables of weights above the hidden layer in which a half-move looks up its weights: by the square that it leaves, the one
/// that it enters, its way, and the kinds of squares. An amazon's move looks up the kinds of both squares; an arrow leaves
/// none.
pub const MOVE_TABLES: usize = 4;

/// Places of the [`MOVE_TABLES`] of amazon's moves among the tables of [`Weights`].
pub const AMAZON_TABLES: [usize; MOVE_TABLES] = [2, 3, 4, 5];

/// The same of arrows.
pub const ARROW_TABLES: [usize; MOVE_TABLES] = [2, 6, 7, 8];

/// All tables of [`Weights`].
pub const TABLES: usize = 9;

/// Entries of each table of weights.
const ENTRIES: [usize; TABLES] = [64 * KINDS, BIASES, 64, 64, WAYS, KINDS, 64, WAYS, KINDS];

/// What a weight of 1 is in the engine, by table.
const UNITS: [f32; TABLES] = {
    let mut units = [HEAD_UNIT as f32; TABLES];
    (units[0], units[BIAS_TABLE]) = (UNIT as f32, UNIT as f32);
    units
};

/// First weights of a table lie between this and its negative. Kinds of squares have none.
const FIRST: [f32; TABLES] = [0.05, 0.0, 0.3, 0.3, 0.3, 0.0, 0.3, 0.3, 0.0];

/// First biases of the hidden layer.
const FIRST_BIAS: f32 = 0.3;

/// Place of the biases among the tables.
const BIAS_TABLE: usize = 1;

/// The weights of the network, or the gradient of the loss in each of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Rows of the hidden layer, its biases, and the tables above it in the order of [`OrderWeights`].
    pub tables: [Vec<Row>; TABLES],
}

impl Weights {
    /// The weights of the engine's network.
    fn of(mut weights: OrderWeights) -> Weights {
        let engine = weights.tables();
        Weights {
            tables: std::array::from_fn(|table| {
                let real = |weight: i16| f32::from(weight) / UNITS[table];
                engine[table].iter().map(|row| row.map(real)).collect()
            }),
        }
    }

    /// The weights as the engine has them. These here are rounded already.
    #[must_use]
    pub fn order_weights(&self) -> OrderWeights {
        let mut weights = OrderWeights::zero();
        for (table, rows) in weights.tables().into_iter().enumerate() {
            for (filters, row) in rows.iter_mut().zip(&self.tables[table]) {
                *filters = row.map(|weight| (weight * UNITS[table]).round() as i16);
            }
        }
        weights
    }
}

impl HeadWeights for Weights {
    const COMPILED_IN: &'static str = order::WEIGHTS;

    fn zero() -> Weights {
        Weights {
            tables: ENTRIES.map(|entries| vec![[0.0; FILTERS]; entries]),
        }
    }

    fn tables(&mut self) -> Vec<&mut [f32]> {
        let tables = self.tables.iter_mut();
        tables.map(|table| table.as_flattened_mut()).collect()
    }

    fn parse(text: &str) -> Result<Weights, String> {
        order::parse(text).map(Weights::of)
    }

    fn write(&self, header: &str) -> String {
        order::write(header, self.order_weights())
    }
}

/// All parameters of the network.
pub struct Parameters([Table<FILTERS>; TABLES]);

impl HeadParameters<Weights> for Parameters {
    fn random(seed: u64) -> Parameters {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut first = Weights::zero();
        for (table, limit) in first.tables.iter_mut().zip(FIRST) {
            if limit > 0.0 {
                table
                    .as_flattened_mut()
                    .fill_with(|| random.random_range(-limit..limit));
            }
        }
        first.tables[BIAS_TABLE].fill([FIRST_BIAS; FILTERS]);
        Parameters(first.tables.map(Table::new))
    }

    fn step(&mut self, step: Step, gradients: &[Weights], scale: f32, weights: &mut Weights) {
        for (at, table) in self.0.iter_mut().enumerate() {
            let mut sum = vec![[0.0; FILTERS]; ENTRIES[at]];
            for gradient in gradients {
                add_scaled(&mut sum, &gradient.tables[at], scale);
            }
            step.take(table, &sum, 0.0);
        }
        self.round(weights);
    }

    fn round(&mut self, weights: &mut Weights) {
        for (at, table) in self.0.iter_mut().enumerate() {
            let (unit, max) = (UNITS[at], f32::from(MAX_WEIGHT) / UNITS[at]);
            let values = table.values.as_flattened_mut().iter_mut();
            for (value, weight) in values.zip(weights.tables[at].as_flattened_mut()) {
                *value = value.clamp(-max, max);
                *weight = rounded(*value, unit);
            }
        }
    }

    fn numbers(&mut self) -> Vec<&mut [f32]> {
        self.0.iter_mut().flat_map(Table::numbers).collect()
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::Order;
    use super::super::visits::tests::random_samples;
    use super::*;
    use crate::tools::training::trainer::head::tests::trained;

    /// Weights that the engine can represent; its hidden units lie within and beyond their limits.
    pub fn random_weights(seed: u64) -> Weights {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut weights = Weights::zero();
        for (table, unit) in UNITS.into_iter().enumerate() {
            let most = if table == 0 { 10 } else { 45 };
            for number in weights.tables[table].as_flattened_mut() {
                *number = random.random_range(-most..=most) as f32 / unit;
            }
        }
        weights
    }

    #[test]
    fn weights_are_the_integers_of_the_engine_at_every_step() {
        let weights = trained(&Order {}, &random_samples(5));
        let mut first = Weights::zero();
        Parameters::random(1).round(&mut first);
        for (table, rows) in weights.tables.iter().enumerate() {
            for number in rows.as_flattened() {
                let integer = number * UNITS[table];
                assert_eq!(integer, integer.round());
                assert!(integer.abs() <= 45.0, "table {table}: {integer}");
            }
            assert_ne!(*rows, first.tables[table], "it learns");
        }
    }
}
