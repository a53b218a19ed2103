//! How well held-out samples are predicted, by number of arrows, as a table.

/// How samples are grouped, and what is measured of them.
#[derive(Debug)]
pub struct Layout {
    /// Arrows from one group to the next.
    pub group_arrows: usize,
    /// Arrows of the last group, at most.
    pub most_arrows: usize,
    /// Name of each measure, characters in its column, and digits behind the point.
    pub columns: [(&'static str, usize, usize); 2],
}

/// Sums over the samples of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    count: u32,
    measures: [f64; 2],
}

impl Sums {
    fn add(&mut self, other: Sums) {
        self.count += other.count;
        for (sum, measure) in self.measures.iter_mut().zip(other.measures) {
            *sum += measure;
        }
    }

    fn means(&self) -> [f64; 2] {
        self.measures.map(|sum| sum / f64::from(self.count))
    }
}

/// The measures of samples, summed by group.
#[derive(Debug)]
pub struct Measures {
    layout: &'static Layout,
    groups: Vec<Sums>,
}

impl Measures {
    /// Sums the measures of samples up in their order, each with the number of arrows.
    #[must_use]
    pub fn new(
        layout: &'static Layout,
        samples: impl Iterator<Item = (usize, [f64; 2])>,
    ) -> Measures {
        let mut groups = vec![Sums::default(); layout.most_arrows.div_ceil(layout.group_arrows)];
        let last = groups.len() - 1;
        for (arrows, measures) in samples {
            groups[(arrows / layout.group_arrows).min(last)].add(Sums { count: 1, measures });
        }
        Measures { layout, groups }
    }

    /// The sums of all groups.
    fn all(&self) -> Sums {
        let mut all = Sums::default();
        for &group in &self.groups {
            all.add(group);
        }
        all
    }

    /// The means over all samples.
    #[must_use]
    pub fn means(&self) -> [f64; 2] {
        self.all().means()
    }

    /// The means as a table: a line for each group that has samples, and one for all.
    #[must_use]
    pub fn table(&self) -> String {
        let columns = self.layout.columns;
        let mut text = format!("{:<16}positions", "");
        for (name, width, _) in columns {
            text += &format!("{name:>width$}");
        }
        let mut row = |name: &str, sums: &Sums| {
            text += &format!("\n{name:<16}{:>9}", sums.count);
            for (mean, (_, width, digits)) in sums.means().into_iter().zip(columns) {
                text += &format!("{mean:>width$.digits$}");
            }
        };
        for (number, sums) in self.groups.iter().enumerate() {
            if sums.count > 0 {
                row(&self.name(number), sums);
            }
        }
        row("all", &self.all());
        text + "\n"
    }

    /// The arrows of a group in words.
    fn name(&self, number: usize) -> String {
        let first = number * self.layout.group_arrows;
        let last = match number + 1 == self.groups.len() {
            true => self.layout.most_arrows,
            false => first + self.layout.group_arrows - 1,
        };
        format!("{first:>2} to {last:>2} arrows")
    }
}

/// Log-loss of an event that came true or not, from its log-odds.
#[must_use]
pub fn log_loss(log_odds: f32, is_true: bool) -> f64 {
    let for_truth = if is_true { log_odds } else { -log_odds };
    (-f64::from(for_truth)).exp().ln_1p()
}
