//! How well held-out samples are predicted, by number of arrows, as a table.

use engine::board::MAX_ARROWS;

/// Two measures of samples, summed by number of arrows.
#[derive(Debug)]
pub struct Measures {
    /// Name of each measure.
    columns: [&'static str; 2],
    /// Groups by number of arrows, then one of all samples: name, number of samples, and the sums of their measures.
    groups: Vec<(String, u32, [f64; 2])>,
}

impl Measures {
    /// Sums the measures of samples up in their order, each with the number of arrows. Groups are `group_arrows` long.
    #[must_use]
    pub fn new(
        group_arrows: usize,
        columns: [&'static str; 2],
        samples: impl Iterator<Item = (usize, [f64; 2])>,
    ) -> Measures {
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
        Measures { columns, groups }
    }

    /// The means over all samples.
    #[must_use]
    pub fn means(&self) -> [f64; 2] {
        let (_, count, sums) = &self.groups[self.groups.len() - 1];
        sums.map(|sum| sum / f64::from(*count))
    }

    /// The means as a table: a line for each group that has samples, and one for all.
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

/// Log-loss of log-odds, for the probability that they should have given.
#[inline(always)]
#[must_use]
pub fn log_loss(log_odds: f32, target: f32) -> f64 {
    let (log_odds, target) = (f64::from(log_odds), f64::from(target));
    (-log_odds.abs()).exp().ln_1p() + log_odds.max(0.0) - target * log_odds
}
