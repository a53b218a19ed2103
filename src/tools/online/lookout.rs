//! What is known of a match beside its seat: when something was last heard of it, and when its public log is asked.

use super::seat::Stage;
use super::session::Session;
use super::timing::Timing;
use crate::tools::platform::address::Id;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// What is kept of a match.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// The last time that something happened.
    pub heard: Instant,
    /// Our win probability when we last moved.
    pub chance: Option<f32>,
    /// When its log may be fetched next.
    next_log: Instant,
    /// Fetches of its log since a request was last understood without it.
    pub fetches: u32,
    /// Whether people were told that its log doesn't help.
    is_named: bool,
}

/// All matches that are looked after.
pub struct Lookout {
    timing: Timing,
    details: BTreeMap<Id, Detail>,
    fetching: BTreeSet<Id>,
}

impl Lookout {
    /// No match yet.
    #[must_use]
    pub const fn new(timing: Timing) -> Lookout {
        Lookout {
            timing,
            details: BTreeMap::new(),
            fetching: BTreeSet::new(),
        }
    }

    /// What is kept of a match. It is looked after from now on.
    pub fn of(&mut self, id: Id) -> &mut Detail {
        self.details.entry(id).or_insert_with(|| {
            let now = Instant::now();
            Detail {
                heard: now,
                chance: None,
                next_log: now,
                fetches: 0,
                is_named: false,
            }
        })
    }

    /// Leaves a match alone.
    pub fn forget(&mut self, id: Id) {
        self.details.remove(&id);
    }

    /// Something happened in a match. Returns the time since the last time.
    pub fn hear(&mut self, id: Id) -> Duration {
        let detail = self.of(id);
        let before = std::mem::replace(&mut detail.heard, Instant::now());
        detail.heard.duration_since(before)
    }

    /// Tests if people are to be told that a match's log doesn't help: once.
    pub fn is_news(&mut self, id: Id) -> bool {
        !std::mem::replace(&mut self.of(id).is_named, true)
    }

    /// A fetch is over. Returns the number of fetches in a row.
    pub fn fetched(&mut self, id: Id) -> u32 {
        self.fetching.remove(&id);
        self.details.get(&id).map_or(0, |detail| detail.fetches)
    }

    /// The matches whose logs are to be fetched now: those that are over, have led astray, or have been quiet.
    pub fn due(&mut self, now: Instant, session: &Session) -> Vec<Id> {
        let mut due = Vec::new();
        for (&id, detail) in &mut self.details {
            let is_quiet = now.saturating_duration_since(detail.heard) >= self.timing.quiet;
            let is_wanted = match session.seats().get(&id) {
                Some(seat) => seat.is_astray() || is_quiet && !is_our_turn(seat.stage()),
                None => true,
            };
            if is_wanted && now >= detail.next_log && self.fetching.insert(id) {
                detail.fetches += 1;
                detail.next_log = now + self.timing.log_pause(detail.fetches);
                due.push(id);
            }
        }
        due
    }

    /// The time until a log may be fetched again.
    #[must_use]
    pub fn rest(&self, now: Instant) -> Duration {
        let left = self
            .details
            .values()
            .filter_map(|detail| detail.next_log.checked_duration_since(now));
        left.filter(|left| !left.is_zero())
            .min()
            .unwrap_or(Duration::MAX)
    }
}

/// Tests if the turn is ours, and nothing but time lacks to our answer.
const fn is_our_turn(stage: Stage) -> bool {
    matches!(stage, Stage::Thinking | Stage::Ready(_) | Stage::Sent(_))
}
