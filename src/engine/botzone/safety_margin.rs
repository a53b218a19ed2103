//! [`SafetyMargin`], the part of a turn's time that the bot leaves unused, in case the operating system suspends its
//! process.
//!
//! On an overloaded machine, a process is sometimes suspended for up to a few hundred milliseconds (a stall). If a
//! stall occurs at the end of a turn, the bot's answer is late. The bot detects stalls as long times between two
//! readings of the clock. The longest of these times in recent turns determines how much time it leaves unused in the
//! next turn.

use crate::clock::ClockGaps;
use std::time::Duration;

/// Expected length of a stall (an interval in which the operating system suspends the process) before the bot has
/// measured one: 30 ms. The bot shortens its search by this time, by default from 960 ms to 930 ms.
const INITIAL_STALL: Duration = Duration::from_millis(30);

/// Maximum time that the bot leaves unused in a turn, in case the operating system suspends the process: 160 ms.
/// Leaving more unused in every turn would weaken the search more than a rare late answer does.
const MAX_STALL: Duration = Duration::from_millis(160);

/// Time constant of the exponential decay of the safety margin (time left unused in case the process is suspended).
/// While the process is not suspended, the margin decays to about 1/e in eight seconds, which are about eight turns.
const DECAY_TIME: Duration = Duration::from_secs(8);

/// Time that the bot leaves unused in the next turn, in case the operating system suspends the process (a stall). It is
/// a prediction of the longest stall in that turn.
#[derive(Clone, Copy, Debug)]
pub struct SafetyMargin {
    /// Predicted length of the longest stall in the next turn. A stall is an interval in which the operating system
    /// suspends the bot's process.
    stall: Duration,
}

impl SafetyMargin {
    /// Safety margin before the first turn of a game: the bot leaves 30 ms unused, in case the operating system
    /// suspends the process.
    pub const INITIAL: SafetyMargin = SafetyMargin {
        stall: INITIAL_STALL,
    };

    /// Returns the time for which the bot searches: the `time` of the turn minus the safety margin (time left unused in
    /// case the operating system suspends the process); zero if nothing remains.
    #[must_use]
    pub const fn subtract_from(self, time: Duration) -> Duration {
        time.saturating_sub(self.stall)
    }

    /// Updates the safety margin (time left unused in case the operating system suspends the process) after a turn.
    /// `gaps.longest` is the longest time between two readings of the turn's clock. `gaps.last` is the time from the
    /// start of the turn to the last reading.
    ///
    /// If the longest time exceeds the margin, it becomes the new margin, at most [`MAX_STALL`]. Otherwise, the
    /// difference between the margin and the longest time shrinks by the fraction `gaps.last / DECAY_TIME`, at most 1.
    pub fn update(&mut self, gaps: ClockGaps) {
        let surplus = self.stall.saturating_sub(gaps.longest);
        let observed = gaps.last.min(DECAY_TIME).as_secs_f64() / DECAY_TIME.as_secs_f64();
        self.stall = self.stall.max(gaps.longest).min(MAX_STALL) - surplus.mul_f64(observed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates several turns of 930 ms and returns the safety margin (time left unused in case the process is
    /// suspended) after each turn. `longest_gaps` contains, for each turn, the longest time between two readings of the
    /// clock. Both are in milliseconds.
    fn margins_after(longest_gaps: impl IntoIterator<Item = u64>) -> Vec<f64> {
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
        // Safety margins, in ms, after each of 22 turns, which is about the number of a player's turns in a game. All
        // gaps between clock readings are 0: the process is never suspended. The margin falls in every turn.
        let quiet = margins_after([0; 22]);
        assert!(quiet.is_sorted_by(|a, b| a > b) && (1.0..3.0).contains(&quiet[21]));
        let turns = margins_after([40, 300].into_iter().chain([0; 25]));
        assert_eq!(
            turns[..2],
            [40.0, 160.0],
            "of a stall and of one that is too long"
        );
        assert!(turns[12] > 40.0 && turns[26] < 10.0, "{turns:?}");
    }
}
