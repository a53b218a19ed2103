//! Safety margin: how much of its time per turn the bot leaves unused, in case the machine stalls at the end of the
//! turn.
//!
//! On an overloaded machine, the scheduler sometimes suspends a process for a while (a stall). A stall in the middle of
//! a turn is harmless, but one at the end makes the answer late. The bot detects stalls as long gaps between two clock
//! readings of a turn. The longest gap predicts how much time later turns should leave unused.

use crate::clock::ClockGaps;
use std::time::Duration;

/// Expected stall, 30 ms, before any turn was measured. It reduces the default time of a turn, 960 ms, to 930 ms.
const INITIAL_STALL: Duration = Duration::from_millis(30);

/// Maximum expected stall, 160 ms. A larger margin would cost the search more than the rare late answer costs.
const MAX_STALL: Duration = Duration::from_millis(160);

/// Time constant, 8 s, of the exponential decay of the expected stall while no stall is measured: about eight turns.
const DECAY_TIME: Duration = Duration::from_secs(8);

/// Time to keep in reserve in each turn: predicts the longest time for which the system suspends the process within a turn,
/// and is updated after every turn.
#[derive(Clone, Copy, Debug)]
pub struct SafetyMargin {
    /// Expected length of the longest stall within the next turn.
    stall: Duration,
}

impl SafetyMargin {
    /// Initial estimate, before any turn was measured.
    pub const UNKNOWN: SafetyMargin = SafetyMargin {
        stall: INITIAL_STALL,
    };

    /// Returns `time` minus the expected stall, at least zero.
    #[must_use]
    pub const fn shorten(self, time: Duration) -> Duration {
        time.saturating_sub(self.stall)
    }

    /// Updates the estimate from the clock gaps of a turn. After a longer stall, the estimate rises to its length at
    /// once (at most [`MAX_STALL`]); otherwise it decays towards the longest gap, in proportion to the length of the
    /// turn.
    pub fn update(&mut self, turn: ClockGaps) {
        let surplus = self.stall.saturating_sub(turn.longest);
        let observed = turn.last.min(DECAY_TIME).as_secs_f64() / DECAY_TIME.as_secs_f64();
        self.stall = self.stall.max(turn.longest).min(MAX_STALL) - surplus.mul_f64(observed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the expected stall, in milliseconds, after each of several turns. Each turn lasts 930 ms and has one of
    /// the given longest gaps, in milliseconds.
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
        // Twenty-two turns without a stall, about the length of a game.
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
