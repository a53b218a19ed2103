//! Tests whole sessions with damaged turns against a model with its own rules and record.

use crate::common::Dice;
use crate::common::conversation::{self, Choose, SessionStats};

/// Number of sessions.
const SESSIONS: u64 = 20_000;
/// Maximum number of turns in a session.
const TURNS: usize = 8;

impl Choose for Dice {
    fn below(&mut self, bound: usize) -> usize {
        Dice::below(self, bound)
    }
}

#[test]
fn every_turn_gets_one_legal_answer() {
    let mut sum = SessionStats::default();
    for seed in 0..SESSIONS {
        let stats = conversation::run(Dice::new(seed), TURNS);
        sum.turns += stats.turns;
        sum.whole_records += stats.whole_records;
        sum.simple_records += stats.simple_records;
        sum.damaged += stats.damaged;
        sum.without_move += stats.without_move;
    }
    println!("{sum:?}");
    // The random sessions must cover every kind of turn.
    assert!(sum.turns > 100_000, "{sum:?}");
    assert!(sum.whole_records > 30_000, "{sum:?}");
    assert!(sum.simple_records > 5_000, "{sum:?}");
    assert!(sum.damaged > 30_000, "{sum:?}");
    assert!(sum.without_move > 500, "{sum:?}");
}
