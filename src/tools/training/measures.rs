//! How well held-out samples are predicted, by number of arrows, as a table.

use crate::board::MAX_ARROWS;

/// Two measures of samples, summed by number of arrows.
#[derive(Debug)]
pub struct Measures {
    /// Arrows from one group to the next.
    group_arrows: usize,
    /// Name of each measure.
    columns: [&'static str; 2],
    /// The number of samples and the sums of their measures, by group; at last those of all samples.
    groups: Vec<(u32, [f64; 2])>,
}

impl Measures {
    /// Sums the measures of samples up in their order, each with the number of arrows.
    #[must_use]
    pub fn new(
        group_arrows: usize,
        columns: [&'static str; 2],
        samples: impl Iterator<Item = (usize, [f64; 2])>,
    ) -> Measures {
        let all = MAX_ARROWS.div_ceil(group_arrows);
        let mut groups = vec![(0, [0.0; 2]); all + 1];
        for (arrows, measures) in samples {
            for group in [(arrows / group_arrows).min(all - 1), all] {
                let (count, sums) = &mut groups[group];
                *count += 1;
                *sums = [sums[0] + measures[0], sums[1] + measures[1]];
            }
        }
        Measures {
            group_arrows,
            columns,
            groups,
        }
    }

    /// The means over all samples.
    #[must_use]
    pub fn means(&self) -> [f64; 2] {
        let (count, sums) = self.groups[self.groups.len() - 1];
        sums.map(|sum| sum / f64::from(count))
    }

    /// The means as a table: a line for each group that has samples, and one for all.
    #[must_use]
    pub fn table(&self) -> String {
        let widths = self.columns.map(|name| 8.max(name.len() + 2));
        let ([one, other], [first, second]) = (self.columns, widths);
        let mut text = format!("{:<16}positions{one:>first$}{other:>second$}\n", "");
        let last = self.groups.len() - 2;
        for (number, &(count, sums)) in self.groups.iter().enumerate() {
            let from = number * self.group_arrows;
            let to = match number == last {
                true => MAX_ARROWS,
                false => from + self.group_arrows - 1,
            };
            let name = match number > last {
                true => "all".to_owned(),
                false => format!("{from:>2} to {to:>2} arrows"),
            };
            if count > 0 {
                let [one, other] = sums.map(|sum| sum / f64::from(count));
                text += &format!("{name:<16}{count:>9}{one:>first$.4}{other:>second$.4}\n");
            }
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
