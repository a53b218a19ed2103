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
    use crate::botzone::options::Options;
    use crate::clock::tests::MS;
    use crate::clock::{Clock, TimeSource};
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use std::cell::{Cell, RefCell};

    /// Wall time between two looks while the bot is running.
    const LOOK: Duration = Duration::from_micros(100);

    /// A machine by its stalls: `stall` is called at every look, and says how long the bot does not run then.
    struct Machine {
        wall: Cell<Duration>,
        stall: RefCell<Box<dyn FnMut(Duration) -> Duration>>,
    }

    impl Machine {
        fn new(stall: impl FnMut(Duration) -> Duration + 'static) -> Machine {
            Machine {
                wall: Cell::default(),
                stall: RefCell::new(Box::new(stall)),
            }
        }

        fn wait(&self, time: Duration) {
            self.wall.set(self.wall.get() + time);
        }
    }

    impl TimeSource for &Machine {
        fn wall(self) -> Duration {
            self.wait(LOOK);
            let stall = (self.stall.borrow_mut())(self.wall.get());
            self.wait(stall);
            self.wall.get()
        }

        fn cpu(self) -> Duration {
            Duration::ZERO
        }
    }

    /// Turns on a machine: the time that each was given, in milliseconds, and how many were late by the judge's clock.
    /// `delay` says how long a turn is on its way to the bot, and its answer on its way back.
    fn play(
        turns: usize,
        machine: &Machine,
        mut delay: impl FnMut() -> Duration,
    ) -> (Vec<f64>, usize) {
        let (mut margin, mut late) = (Margin::UNKNOWN, 0);
        let turn = |_| {
            let given = margin.shorten(Options::default().time);
            let sent = machine.wall.get();
            machine.wait(delay());
            let clock = Clock::start(machine, Duration::ZERO);
            let mut gaps = Gaps::NONE;
            while gaps.last < given {
                gaps.look(clock.elapsed());
            }
            margin.learn(gaps);
            machine.wait(delay());
            late += usize::from(machine.wall.get() - sent > 1000 * MS);
            // The opponent's turn.
            machine.wait(1000 * MS);
            given.as_secs_f64() * 1e3
        };
        ((0..turns).map(turn).collect(), late)
    }

    fn mean(given: &[f64]) -> f64 {
        given.iter().sum::<f64>() / given.len() as f64
    }

    /// Stalls that come so many times a second, up to so many milliseconds long, short ones more often; on a machine
    /// that is busy for a second out of so many.
    fn busy(rate: f64, longest: f64, seconds: u64) -> Machine {
        let mut random = SmallRng::seed_from_u64(1);
        Machine::new(move |now| {
            let length: f64 = random.random_range(0.0..1.0);
            let is_busy = now.as_secs() % seconds == 0;
            let stalls = is_busy && random.random_bool(rate * LOOK.as_secs_f64());
            u32::from(stalls) * MS.mul_f64(longest * length * length)
        })
    }

    /// As many turns as a game has, without a stall.
    #[test]
    fn a_quiet_machine_is_given_back_the_margin_of_the_first_turns() {
        let quiet = Machine::new(|_| Duration::ZERO);
        let (given, late) = play(23, &quiet, || MS);
        assert_eq!(given[0], 930.0);
        assert!(
            given.is_sorted() && given[22] > 957.0 && given[22] < 960.0,
            "{given:?}"
        );
        assert!(mean(&given) > 949.0, "{}", mean(&given));
        assert_eq!(late, 0);
    }

    /// Busy always; busy now and then, so that a stall makes room for the next one for some turns; and running a third of
    /// the time, in slices of 10 ms. Turns and answers take up to `delay` milliseconds.
    #[test]
    fn on_a_busy_machine_no_turn_is_late() {
        let is_away = |now: Duration| now.subsec_millis().is_multiple_of(10);
        let slices = Machine::new(move |now| u32::from(is_away(now)) * 20 * MS);
        for (machine, delay, least) in [
            (busy(30.0, 60.0, 1), 15.0, 890.0),
            (busy(40.0, 80.0, 10), 5.0, 0.0),
            (slices, 17.0, 0.0),
        ] {
            let mut random = SmallRng::seed_from_u64(7);
            let delay = || MS.mul_f64(random.random_range(0.0..=delay));
            let (given, late) = play(1000, &machine, delay);
            assert_eq!(late, 0);
            assert!(mean(&given) > least, "{}", mean(&given));
        }
    }

    /// The stall of 300 ms falls at any moment of two seconds: in the middle of a turn, at its end, or while the opponent
    /// thinks.
    #[test]
    fn after_a_stall_once_in_500_turns_the_margin_comes_back_in_25() {
        let (mut learned, mut lost) = (0, 0);
        for moment in 0..40 {
            let moment = Duration::from_millis(490_000 + 50 * moment);
            let stall = moment..moment + LOOK;
            let machine = Machine::new(move |now| u32::from(stall.contains(&now)) * 300 * MS);
            let (given, late) = play(500, &machine, || MS);
            // The stall itself can't be seen to come.
            lost += late;
            assert!(mean(&given) > 955.0, "{}", mean(&given));
            let Some(next) = given.iter().rposition(|&given| given == 800.0) else {
                assert_eq!(late, 0);
                continue;
            };
            learned += 1;
            assert!(given[next - 1] > 959.8, "{}", given[next - 1]);
            assert!(given[next..].is_sorted() && given[next + 25] > 950.0);
            assert!(given[next + 10] < 920.0, "{}", given[next + 10]);
        }
        assert!(
            learned > 15 && (1..10).contains(&lost),
            "{learned} learned, {lost} lost"
        );
    }
}
