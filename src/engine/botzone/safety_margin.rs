//! [`SafetyMargin`], the part of a turn's time that the bot leaves unused, in case the scheduler suspends its process.
//!
//! On an overloaded machine, the scheduler sometimes suspends a process for some time (a stall). The bot's answer is
//! late if a stall occurs at the end of a turn. The bot detects stalls as long gaps between two clock readings. The
//! longest gap in recent turns determines the safety margin of the next turn.

use crate::clock::ClockGaps;
use std::time::Duration;

/// Initial expected length of a stall (an interval in which the process is suspended): 30 ms. It shortens the default
/// time of a turn from 960 ms to 930 ms.
const INITIAL_STALL: Duration = Duration::from_millis(30);

/// Maximum expected length of a stall (an interval in which the process is suspended). Leaving more time than this
/// unused in every turn would weaken the search more than a rare late answer does.
const MAX_STALL: Duration = Duration::from_millis(160);

/// Time constant with which the expected length of a stall (interval in which the process is suspended) decays
/// exponentially in turns without a stall. Eight seconds are about eight turns.
const DECAY_TIME: Duration = Duration::from_secs(8);

/// Prediction of the longest stall (interval in which the process is suspended) in the next turn. The bot leaves this
/// time unused.
#[derive(Clone, Copy, Debug)]
pub struct SafetyMargin {
    /// Expected length of the longest stall (interval in which the operating system suspends the process) in the next
    /// turn.
    stall: Duration,
}

impl SafetyMargin {
    /// Prediction before the first turn: the longest stall (interval in which the process is suspended) takes 30 ms.
    pub const INITIAL: SafetyMargin = SafetyMargin {
        stall: INITIAL_STALL,
    };

    /// Returns a turn's `time` minus the expected length of a stall (interval in which the process is suspended); zero
    /// if nothing remains.
    #[must_use]
    pub const fn subtract_from(self, time: Duration) -> Duration {
        time.saturating_sub(self.stall)
    }

    /// Updates the expected length of a stall (interval in which the process is suspended) after a turn. `gaps`
    /// contains the times between the turn's clock readings; the longest of them is taken for a stall. If it exceeds
    /// the expected length, it becomes the expected length, at most [`MAX_STALL`]. Otherwise the expected length decays
    /// exponentially towards it.
    pub fn update(&mut self, gaps: ClockGaps) {
        let surplus = self.stall.saturating_sub(gaps.longest);
        let observed = gaps.last.min(DECAY_TIME).as_secs_f64() / DECAY_TIME.as_secs_f64();
        self.stall = self.stall.max(gaps.longest).min(MAX_STALL) - surplus.mul_f64(observed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the expected length of a stall after each of several turns of 930 ms. `longest_gaps` contains the
    /// longest clock gap of each turn. All numbers are in milliseconds.
    fn expected_stalls(longest_gaps: impl IntoIterator<Item = u64>) -> Vec<f64> {
        let mut margin = SafetyMargin::INITIAL;
        let turn = |stall| {
            margin.update(ClockGaps {
                last: Duration::from_millis(930),
                longest: Duration::from_millis(stall),
            });
            margin.stall.as_secs_f64() * 1e3
        };
        longest_gaps.into_iter().map(turn).collect()
    }

    #[test]
    fn stall_shortens_turns_for_25_turns() {
        // Expected lengths of a stall (in ms) in a game without stalls. One player has about 22 turns in a game.
        let quiet = expected_stalls([0; 22]);
        assert!(quiet.is_sorted_by(|a, b| a > b) && (1.0..3.0).contains(&quiet[21]));
        let turns = expected_stalls([40, 300].into_iter().chain([0; 25]));
        assert_eq!(
            turns[..2],
            [40.0, 160.0],
            "of a stall and of one that is too long"
        );
        assert!(turns[12] > 40.0 && turns[26] < 10.0, "{turns:?}");
    }
}
