//! Whole sessions against a model with rules and a record of its own, damaged turn by turn.

use crate::common::Dice;
use crate::common::conversation::{self, Choose, Count};

/// Sessions that are held, and turns of each.
const SESSIONS: u64 = 20_000;
const TURNS: usize = 8;

impl Choose for Dice {
    fn below(&mut self, bound: usize) -> usize {
        Dice::below(self, bound)
    }
}

#[test]
fn every_turn_gets_one_legal_answer() {
    let mut sum = Count::default();
    for seed in 0..SESSIONS {
        let count = conversation::hold(Dice::new(seed), TURNS);
        sum.turns += count.turns;
        sum.histories += count.histories;
        sum.simple_records += count.simple_records;
        sum.damaged += count.damaged;
        sum.without_a_move += count.without_a_move;
    }
    println!("{sum:?}");
    // The dice must not leave out what the test is about.
    assert!(sum.turns > 100_000, "{sum:?}");
    assert!(sum.histories > 30_000, "{sum:?}");
    assert!(sum.simple_records > 5_000, "{sum:?}");
    assert!(sum.damaged > 30_000, "{sum:?}");
    assert!(sum.without_a_move > 500, "{sum:?}");
}
