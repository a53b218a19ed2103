//! Quality measures of predictions on held-out samples, such as losses, averaged by game phase (number of arrows).

use engine::board::MAX_ARROWS;

/// Sums of two quality measures over samples, in groups by number of arrows on the board.
#[derive(Debug)]
pub struct Metrics {
    /// Names of the two measures, the column titles of the table.
    columns: [&'static str; 2],
    /// Groups by number of arrows, then a group of all samples: title, number of samples, and sum of each measure.
    groups: Vec<(String, u32, [f64; 2])>,
}

impl Metrics {
    /// Sums the two measures of each sample into groups that span `group_arrows` arrows each. A sample is its number of arrows
    /// and its measures. `columns` are the names of the measures.
    #[must_use]
    pub fn new(
        group_arrows: usize,
        columns: [&'static str; 2],
        samples: impl Iterator<Item = (usize, [f64; 2])>,
    ) -> Metrics {
        let all = MAX_ARROWS.div_ceil(group_arrows);
        let names = (1..=all).map(|group| {
            let last = if group == all {
                MAX_ARROWS
            } else {
                group * group_arrows - 1
            };
            format!("{:>2} to {last:>2} arrows", (group - 1) * group_arrows)
        });
        let names = names.chain(["all".to_owned()]);
        let mut groups: Vec<_> = names.map(|name| (name, 0, [0.0; 2])).collect();
        for (arrows, measures) in samples {
            for group in [(arrows / group_arrows).min(all - 1), all] {
                let (_, count, sums) = &mut groups[group];
                *count += 1;
                *sums = [sums[0] + measures[0], sums[1] + measures[1]];
            }
        }
        Metrics { columns, groups }
    }

    /// Returns the mean of each measure over all samples.
    #[must_use]
    pub fn means(&self) -> [f64; 2] {
        let (_, count, sums) = &self.groups[self.groups.len() - 1];
        sums.map(|sum| sum / f64::from(*count))
    }

    /// Formats the means as a text table: a line for each group that has samples, and a last line for all samples.
    #[must_use]
    pub fn table(&self) -> String {
        let [first, second] = self.columns.map(|name| 8.max(name.len() + 2));
        let [one, other] = self.columns;
        let mut text = format!("{:<16}positions{one:>first$}{other:>second$}\n", "");
        for (name, count, sums) in self.groups.iter().filter(|group| group.1 > 0) {
            let [one, other] = sums.map(|sum| sum / f64::from(*count));
            text += &format!("{name:<16}{count:>9}{one:>first$.4}{other:>second$.4}\n");
        }
        text
    }
}

/// Returns the log-loss (binary cross-entropy, in nats) of predicted log-odds against the probability `target`.
#[inline(always)]
#[must_use]
pub fn log_loss(log_odds: f32, target: f32) -> f64 {
    let (log_odds, target) = (f64::from(log_odds), f64::from(target));
    (-log_odds.abs()).exp().ln_1p() + log_odds.max(0.0) - target * log_odds
}
