//! How long before the end of a turn's time the bot stops to think: what every turn leaves, and as much as the machine was
//! lately seen to stall.
//!
//! A process with too much beside it is not scheduled for a while now and then. Stalls in the middle of a turn do no harm;
//! one at its end, or before the turn is read, makes the answer late. They are seen wherever they fall, as a long time
//! between two looks at the clock. The longest of a turn tells how much of the next one is better left unused.

use crate::clock::Gaps;
use std::time::Duration;

/// A stall that is to be expected of a machine of which nothing is known. 1,000 ms less this and what
/// [`super::options::Options`] leaves are 930.
const UNKNOWN: Duration = Duration::from_millis(30);

/// Longest stall that a turn leaves room for. A longer one can't be waited for: the search would lose more than the turn
/// is worth.
const MOST: Duration = Duration::from_millis(160);

/// Time of watching a quiet machine in which all but 1/e of a stall is forgotten: eight turns.
const MEMORY: Duration = Duration::from_secs(8);

/// What the bot has learned of the machine's stalls.
#[derive(Clone, Copy, Debug)]
pub struct Margin {
    /// The stall to be expected.
    stall: Duration,
}

impl Margin {
    /// What is assumed of a machine that was not watched yet.
    pub const UNKNOWN: Margin = Margin { stall: UNKNOWN };

    /// The time of a turn with room for a stall.
    #[must_use]
    pub const fn shorten(self, time: Duration) -> Duration {
        time.saturating_sub(self.stall)
    }

    /// Learns from a turn. A longer stall than expected is believed at once, a shorter one little by little.
    pub fn learn(&mut self, turn: Gaps) {
        let surplus = self.stall.saturating_sub(turn.longest);
        let watched = turn.last.min(MEMORY).as_secs_f64() / MEMORY.as_secs_f64();
        self.stall = self.stall.max(turn.longest).min(MOST) - surplus.mul_f64(watched);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stalls to be expected in milliseconds, from turn to turn of 930 ms, if their longest stalls are these.
    fn expected(stalls: impl IntoIterator<Item = u64>) -> Vec<f64> {
        let mut margin = Margin::UNKNOWN;
        let turn = |stall| {
            margin.learn(Gaps {
                last: Duration::from_millis(930),
                longest: Duration::from_millis(stall),
            });
            margin.stall.as_secs_f64() * 1e3
        };
        stalls.into_iter().map(turn).collect()
    }

    #[test]
    fn a_stall_is_believed_at_once_and_forgotten_in_25_turns() {
        // A game on a quiet machine.
        let quiet = expected([0; 22]);
        assert!(quiet.is_sorted_by(|a, b| a > b) && (1.0..3.0).contains(&quiet[21]));
        let turns = expected([40, 300].into_iter().chain([0; 25]));
        assert_eq!(
            turns[..2],
            [40.0, 160.0],
            "of a stall and of one that is too long"
        );
        assert!(turns[12] > 40.0 && turns[26] < 10.0, "{turns:?}");
    }
}
