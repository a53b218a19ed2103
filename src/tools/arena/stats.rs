//! Statistics of a match between bots A and B: the Elo difference with its confidence interval ([`PairCounts::elo`]),
//! and the sequential probability ratio test ([`Sprt`]).
//!
//! Games are played in pairs: two games with the same opening and exchanged colours. The results of these two games
//! depend on each other. Therefore the statistics treat a pair, not a game, as one observation ("pentanomial model";
//! only three scores of a pair occur, because the Game of the Amazons has no draws).

use serde::Serialize;

/// Half-width of a two-sided 95 % confidence interval of the normal distribution, in standard deviations.
const Z_95: f64 = 1.959_963_984_540_054;

/// Probability of each of the two errors that the sequential probability ratio test may make: to accept the alternative
/// hypothesis although the null hypothesis is true, and to accept the null hypothesis although the alternative is true.
const ERROR_PROBABILITY: f64 = 0.05;

/// Numbers of finished pairs of games between bots A and B, by bot A's score. A pair is two games with the same opening
/// and exchanged colours. Its score is bot A's mean score per game: 0, 0.5 or 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairCounts {
    /// Number of pairs, indexed by the number of games that bot A won in the pair: 0, 1 or 2.
    pub counts: [u64; 3],
}

impl PairCounts {
    /// Returns the number of pairs, half the number of games.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns bot A's mean score per game, from 0 (lost all games) to 1 (won all games). A win counts 1, a loss 0;
    /// there are no draws. Returns 0.5 if no games have been counted.
    #[must_use]
    pub fn mean_score(&self) -> f64 {
        if self.total() == 0 {
            return 0.5;
        }
        (0.5 * self.counts[1] as f64 + self.counts[2] as f64) / self.total() as f64
    }

    /// Returns the population variance (divisor n) of bot A's scores in the pairs, each 0, 0.5 or 1; 0 if there are no
    /// pairs.
    #[must_use]
    pub fn score_variance(&self) -> f64 {
        let mean = self.mean_score();
        let scores = self.counts.iter().zip([0.0, 0.5, 1.0]);
        let squares = scores.map(|(&count, score): (_, f64)| count as f64 * (score - mean).powi(2));
        squares.sum::<f64>() / self.total().max(1) as f64
    }

    /// Returns the variance of bot A's scores in the pairs, but never 0, because a variance of 0 would wrongly mean
    /// that the mean is known exactly. If all n pairs have the same score, returns 1 / (4 (n + 1)) instead, as if one
    /// more pair had deviated from the mean by 0.5.
    fn nonzero_score_variance(&self) -> f64 {
        match self.score_variance() {
            variance if variance > 0.0 => variance,
            _ => 1.0 / (4.0 * (self.total() as f64 + 1.0)),
        }
    }

    /// Returns an estimate of bot A's Elo rating minus bot B's, with a 95 % confidence interval. The estimate is +∞ if
    /// bot A won all games, −∞ if it lost all games. If no pair of games (same opening, exchanged colours) has been
    /// counted, the estimate is 0 and the interval is infinite on both sides.
    #[must_use]
    pub fn elo(&self) -> EloInterval {
        let (mean, total) = (self.mean_score(), self.total() as f64);
        let error = if total > 0.0 {
            Z_95 * (self.nonzero_score_variance() / total).sqrt()
        } else {
            1.0
        };
        let [low, value, high] = [mean - error, mean, mean + error].map(elo);
        EloInterval { low, value, high }
    }

    /// Returns the natural logarithm of the likelihood ratio of two hypotheses: that bot A's Elo rating minus bot B's
    /// is `elo1`, and that it is `elo0`. If the result is positive, the results of the games are more probable under
    /// `elo1` than under `elo0`. The formula is the normal approximation of the generalised SPRT (M. Van den Bergh, "A
    /// practical introduction to the GSPRT", 2016).
    #[must_use]
    pub fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        let [score0, score1] = [elo0, elo1].map(expected_score);
        let total = self.total() as f64;
        let distance = 2.0 * self.mean_score() - score0 - score1;
        total * (score1 - score0) * distance / (2.0 * self.nonzero_score_variance())
    }
}

/// Estimate of one bot's Elo rating minus another bot's, with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EloInterval {
    /// Lower end of the 95 % confidence interval of the Elo difference; may be −∞.
    pub low: f64,
    /// Estimated Elo difference, between `low` and `high`; +∞ if the first bot has won all games, −∞ if it has lost all
    /// games.
    pub value: f64,
    /// Upper end of the 95 % confidence interval of the Elo difference; may be +∞.
    pub high: f64,
}

/// Returns the Elo rating of a player minus that of the opponent, if the player's mean score per game is `score`, from
/// 0 to 1. The result is 400 log10(score / (1 − score)): −∞ for the score 0, +∞ for the score 1.
#[must_use]
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// Returns the expected score per game, from 0 to 1, of a player whose Elo rating is `elo` points higher than the
/// opponent's.
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Sequential probability ratio test (Wald 1945). It tells after each game whether enough games were played to accept
/// one of two hypotheses: that bot A's Elo rating minus bot B's is `elo0`, or that it is `elo1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// Bot A's Elo rating minus bot B's under the null hypothesis.
    pub elo0: f64,
    /// Bot A's Elo rating minus bot B's under the alternative hypothesis; greater than `elo0`.
    pub elo1: f64,
}

/// Parses the two hypotheses of a test as they are written on the command line, such as `0,20`.
///
/// # Errors
/// If `text` is not two numbers with a comma between them, the smaller first.
pub fn parse_sprt(text: &str) -> Result<Sprt, &'static str> {
    let numbers = text.split_once(',');
    match numbers.map(|(low, high)| (low.trim().parse(), high.trim().parse())) {
        Some((Ok(elo0), Ok(elo1))) if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
        _ => Err("expected two numbers such as 0,20, the smaller first"),
    }
}

impl Sprt {
    /// Returns the threshold of the test's log-likelihood ratio: ln((1 − α) / α) ≈ 2.94, with α = `ERROR_PROBABILITY`.
    /// The test accepts `elo1` if the ratio is at least this threshold, and `elo0` if it is at most the negative
    /// threshold.
    #[must_use]
    pub fn bound() -> f64 {
        ((1.0 - ERROR_PROBABILITY) / ERROR_PROBABILITY).ln()
    }

    /// Returns the decision of the sequential probability ratio test after the results `pairs`. `Some(true)`: the
    /// alternative hypothesis is accepted, an Elo difference of `elo1`. `Some(false)`: the null hypothesis is accepted,
    /// an Elo difference of `elo0`. `None`: more games are needed.
    #[must_use]
    pub fn decision(&self, pairs: &PairCounts) -> Option<bool> {
        let ratio = pairs.log_likelihood_ratio(self.elo0, self.elo1);
        (ratio.abs() >= Self::bound()).then_some(ratio > 0.0)
    }
}

/// Returns the Elo rating of each player, in the order of `wins`, by maximum likelihood (model of Bradley and Terry
/// 1952, iteration of Zermelo 1929). The mean of all ratings is 0.
///
/// `wins[a][b]` is the number of games that player `a` won against player `b`. If two players have met, half a win is
/// added for each of them, so that the rating of a player who won all games stays finite.
#[must_use]
pub fn ratings(wins: &[Vec<f64>]) -> Vec<f64> {
    let players = wins.len();
    let met = |a: usize, b: usize| a != b && wins[a][b] + wins[b][a] > 0.0;
    let mut strength = vec![1.0; players];
    for _ in 0..1000 {
        strength = (0..players)
            .map(|a| {
                let (mut won, mut expected) = (0.0, 0.0);
                for b in (0..players).filter(|&b| met(a, b)) {
                    won += wins[a][b] + 0.5;
                    expected += (wins[a][b] + wins[b][a] + 1.0) / (strength[a] + strength[b]);
                }
                if expected > 0.0 {
                    won / expected
                } else {
                    strength[a]
                }
            })
            .collect();
    }
    let elos = strength.into_iter();
    let elos: Vec<f64> = elos.map(|strength| 400.0 * f64::log10(strength)).collect();
    let mean = elos.iter().sum::<f64>() / players.max(1) as f64;
    elos.into_iter().map(|elo| elo - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(counts: [u64; 3]) -> PairCounts {
        PairCounts { counts }
    }

    #[test]
    fn elo_is_the_logistic_one() {
        assert!((elo(0.75) - 190.848_5).abs() < 1e-3);
        assert!((expected_score(190.848_5) - 0.75).abs() < 1e-6);
        assert_eq!(elo(0.5), 0.0);
        assert_eq!(elo(1.0), f64::INFINITY);
        assert_eq!(elo(0.0), f64::NEG_INFINITY);
    }

    /// Checks the statistics of 60 pairs of games: bot A won no game in 10 pairs, one in 20 pairs, and both in 30
    /// pairs. Computed by hand: the mean score is 2/3, the variance of the scores 5/36, and the half-width of the 95 %
    /// interval 1.96·sqrt(5/36/60) = 0.0943.
    #[test]
    fn intervals_agree_with_a_computation_by_hand() {
        let pairs = pairs([10, 20, 30]);
        assert!((pairs.mean_score() - 2.0 / 3.0).abs() < 1e-12);
        assert!((pairs.score_variance() - 5.0 / 36.0).abs() < 1e-12);
        let interval = pairs.elo();
        assert!((interval.value - 120.412).abs() < 1e-3, "{interval:?}");
        for (end, error) in [(interval.low, -0.094_298), (interval.high, 0.094_298)] {
            let expected = elo(2.0 / 3.0 + error);
            assert!((end - expected).abs() < 0.01, "{interval:?}");
        }
    }

    #[test]
    fn one_sided_results_have_an_honest_interval() {
        let interval = pairs([0, 0, 10]).elo();
        assert_eq!(interval.value, f64::INFINITY);
        assert!((100.0..1e9).contains(&interval.low), "{interval:?}");
        let nothing = PairCounts::default().elo();
        assert_eq!(nothing.value, 0.0);
        assert!(nothing.low == -f64::INFINITY && nothing.high == f64::INFINITY);
    }

    /// Checks the log-likelihood ratio of the Elo differences 40 and 0, and the decisions of the sequential probability
    /// ratio test. The expected log-likelihood ratio was computed by hand for 60 pairs of games: bot A won no game in
    /// 10 pairs, one in 20 pairs, and both in 30 pairs. The mean score is 2/3, and the variance of the scores is 5/36.
    /// The expected score is p = 0.557312 for 40 Elo, and 0.5 for 0 Elo. So the log-likelihood ratio is
    /// `60·(p − 0.5)·(2·2/3 − p − 0.5)/(2·5/36)` = 3.4168.
    #[test]
    fn the_ratio_agrees_with_a_computation_by_hand() {
        assert!(pairs([0, 0, 2]).log_likelihood_ratio(0.0, 40.0) < 3.0);
        assert!(pairs([0, 0, 20]).log_likelihood_ratio(0.0, 40.0) > 3.0);
        let ratio = pairs([10, 20, 30]).log_likelihood_ratio(0.0, 40.0);
        assert!((ratio - 3.4168).abs() < 1e-3, "{ratio}");
        assert!((Sprt::bound() - 2.944_439).abs() < 1e-6);
        let [elo0, elo1] = [0.0, 40.0];
        for (counts, decision) in [
            ([10, 20, 30], Some(true)),
            ([30, 20, 10], Some(false)),
            ([5, 5, 5], None),
        ] {
            assert_eq!(Sprt { elo0, elo1 }.decision(&pairs(counts)), decision);
        }
    }

    #[test]
    fn ratings_order_players_by_their_results() {
        let wins = [[0.0, 15.0, 18.0], [5.0, 0.0, 15.0], [2.0, 5.0, 0.0]];
        let ratings = ratings(&wins.map(Vec::from));
        assert!(ratings.is_sorted_by(|one, next| one > next), "{ratings:?}");
        assert!(ratings.iter().sum::<f64>().abs() < 1e-6);
        // Player 0 won 15 games, player 1 won 5. The ratings add half a win to each, so player 0's score is 15.5 of 21
        // games.
        let two = super::ratings(&[vec![0.0, 15.0], vec![5.0, 0.0]]);
        assert!((two[0] - two[1] - elo(15.5 / 21.0)).abs() < 1e-6, "{two:?}");
    }
}
