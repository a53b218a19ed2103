//! Safety margin for stalls: how much of its time the bot leaves unused, in case the machine stalls at the end of a
//! turn.
//!
//! On an overloaded machine, a process is sometimes not scheduled for a while. A stall in the middle of a turn is
//! harmless, but one at the end makes the answer late. The bot measures stalls as long gaps between two clock readings,
//! wherever they occur. The longest gap of a turn predicts how much time later turns should leave unused.

use crate::clock::ClockGaps;
use std::time::Duration;

/// Expected stall on a machine that was not observed yet. With the default time of [`super::options::Options`], 960 ms,
/// this leaves 930 ms for the search.
const INITIAL_STALL: Duration = Duration::from_millis(30);

/// Maximum expected stall. A larger margin would cost the search more than the occasional late answer.
const MAX_STALL: Duration = Duration::from_millis(160);

/// Time constant with which the expected stall decays on a quiet machine: eight turns.
const DECAY_TIME: Duration = Duration::from_secs(8);

/// Estimate of the machine's stalls, updated every turn.
#[derive(Clone, Copy, Debug)]
pub struct SafetyMargin {
    /// Expected length of a stall.
    stall: Duration,
}

impl SafetyMargin {
    /// Estimate for a machine that was not observed yet.
    pub const UNKNOWN: SafetyMargin = SafetyMargin {
        stall: INITIAL_STALL,
    };

    /// Returns `time` reduced by the expected stall.
    #[must_use]
    pub const fn shorten(self, time: Duration) -> Duration {
        time.saturating_sub(self.stall)
    }

    /// Updates the estimate from a turn's gaps. It rises to a longer stall at once and decays slowly after shorter
    /// ones.
    pub fn update(&mut self, turn: ClockGaps) {
        let surplus = self.stall.saturating_sub(turn.longest);
        let observed = turn.last.min(DECAY_TIME).as_secs_f64() / DECAY_TIME.as_secs_f64();
        self.stall = self.stall.max(turn.longest).min(MAX_STALL) - surplus.mul_f64(observed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the expected stalls in milliseconds, after each of several turns of 930 ms with the given longest
    /// stalls.
    fn expected(stalls: impl IntoIterator<Item = u64>) -> Vec<f64> {
        let mut margin = SafetyMargin::UNKNOWN;
        let turn = |stall| {
            margin.update(ClockGaps {
                last: Duration::from_millis(930),
                longest: Duration::from_millis(stall),
            });
            margin.stall.as_secs_f64() * 1e3
        };
        stalls.into_iter().map(turn).collect()
    }

    #[test]
    fn stall_shortens_turns_for_25_turns() {
        // A whole game on a quiet machine.
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
