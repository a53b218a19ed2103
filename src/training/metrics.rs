//! Statistics of predictions on the samples held out from training: the means of two metrics, such as log-losses, for
//! each range of the number of arrows on the board and for all samples.

use engine::board::MAX_ARROWS;

/// Sums of two metrics of predictions over samples, for example the log-losses of two predictors. The samples are
/// grouped by ranges of the number of arrows on the board, such as 0 to 6. There are two sums for each group, and two
/// for all samples.
#[derive(Debug)]
pub struct Metrics {
    /// Names of the two metrics, for example `before` and `after`, in the order of the sums. [`table`](Metrics::table)
    /// uses them as column titles.
    names: [&'static str; 2],
    /// Groups of samples: one for each range of the number of arrows, in ascending order, and a last one for all
    /// samples. First: title of the group. Second: number of its samples. Third: the sums of the two metrics over these
    /// samples, in the order of `names`.
    groups: Vec<(String, u32, [f64; 2])>,
}

impl Metrics {
    /// Sums two metrics, whose names are `names`, over `samples`, in groups by the number of arrows. Each element of
    /// `samples` is a pair. First: number of arrows on the board. Second: values of the two metrics.
    ///
    /// `group_arrows` is the number of successive arrow counts in a group. With 7, the first group has 0 to 6 arrows,
    /// the second 7 to 13, and so on; the last one also contains 56, the maximum.
    #[must_use]
    pub fn new(
        group_arrows: usize,
        names: [&'static str; 2],
        samples: impl Iterator<Item = (usize, [f64; 2])>,
    ) -> Metrics {
        let group_count = MAX_ARROWS.div_ceil(group_arrows);
        let titles = (1..=group_count).map(|group| {
            let last = if group == group_count {
                MAX_ARROWS
            } else {
                group * group_arrows - 1
            };
            format!("{:>2} to {last:>2} arrows", (group - 1) * group_arrows)
        });
        let titles = titles.chain(["all".to_owned()]);
        let mut groups: Vec<_> = titles.map(|title| (title, 0, [0.0; 2])).collect();
        for (arrows, metrics) in samples {
            for group in [(arrows / group_arrows).min(group_count - 1), group_count] {
                let (_, count, sums) = &mut groups[group];
                *count += 1;
                *sums = [sums[0] + metrics[0], sums[1] + metrics[1]];
            }
        }
        Metrics { names, groups }
    }

    /// Returns the means of the two metrics over all samples, in the order of the names given to [`Metrics::new`]. The
    /// means are NaN if there are no samples.
    #[must_use]
    pub fn means(&self) -> [f64; 2] {
        let (_, count, sums) = &self.groups[self.groups.len() - 1];
        sums.map(|sum| sum / f64::from(*count))
    }

    /// Formats the means as a text table with a column for each metric: a title line, a line for each range of the
    /// number of arrows that has samples, and a line for all samples.
    #[must_use]
    pub fn table(&self) -> String {
        let [first, second] = self.names.map(|name| 8.max(name.len() + 2));
        let [one, other] = self.names;
        let mut text = format!("{:<16}positions{one:>first$}{other:>second$}\n", "");
        for (title, count, sums) in self.groups.iter().filter(|group| group.1 > 0) {
            let [one, other] = sums.map(|sum| sum / f64::from(*count));
            text += &format!("{title:<16}{count:>9}{one:>first$.4}{other:>second$.4}\n");
        }
        text
    }
}

/// Returns the log-loss (binary cross-entropy), in nats, of a prediction. `log_odds` are the predicted log-odds of an
/// event, and `target` is the event's true probability: 0 or 1 if the outcome is known.
#[inline(always)]
#[must_use]
pub fn log_loss(log_odds: f32, target: f32) -> f64 {
    let (log_odds, target) = (f64::from(log_odds), f64::from(target));
    (-log_odds.abs()).exp().ln_1p() + log_odds.max(0.0) - target * log_odds
}
