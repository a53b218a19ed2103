//! The schedule of games: pairings, openings, colours.

use std::str::FromStr;

/// One game of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Number in the schedule: even and odd numbers are the two games of a pair.
    pub number: usize,
    /// Numbers of the players: black's and white's.
    pub players: [usize; 2],
    /// Number of its opening; every pairing plays the same openings.
    pub opening: usize,
}

/// A share of a schedule: the pairs whose number is `index` modulo `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the share, from 0.
    pub index: usize,
    /// Number of parts.
    pub count: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers: Option<(usize, usize)> = text
            .split_once('/')
            .and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Shard {
                index: number - 1,
                count,
            }),
            _ => Err("expected I/N with I from 1 to N".to_owned()),
        }
    }
}

/// The games of a shard in order. Every pairing plays every opening twice, with both colours; of an odd number of games
/// the last one stands alone.
#[must_use]
pub fn games(players: usize, gauntlet: bool, per_pairing: usize, shard: Shard) -> Vec<Fixture> {
    let pairings = pairing_count(players, gauntlet);
    (0..per_pairing.div_ceil(2) * pairings)
        .filter(|pair| pair % shard.count == shard.index)
        .flat_map(|pair| [2 * pair, 2 * pair + 1])
        .filter(|number| 2 * (number / 2 / pairings) + number % 2 < per_pairing)
        .map(|number| Fixture {
            number,
            players: self::players(players, gauntlet, number),
            opening: number / 2 / pairings,
        })
        .collect()
}

/// Number of pairings.
#[must_use]
pub const fn pairing_count(players: usize, gauntlet: bool) -> usize {
    let others = players.saturating_sub(1);
    if gauntlet {
        others
    } else {
        players * others / 2
    }
}

/// Who plays black and white in a game, by its number.
///
/// # Panics
/// If there are fewer than two players.
#[must_use]
pub fn players(players: usize, gauntlet: bool, game: usize) -> [usize; 2] {
    let mut pairing = game / 2 % pairing_count(players, gauntlet);
    // The first player's pairings come first, then those of the second with the players behind, and so on.
    let mut a = 0;
    while pairing >= players - 1 - a {
        pairing -= players - 1 - a;
        a += 1;
    }
    let b = a + 1 + pairing;
    if game.is_multiple_of(2) {
        [a, b]
    } else {
        [b, a]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pairing_plays_every_opening_with_both_colours() {
        for (count, gauntlet, pairings) in [
            (2, false, &[[0, 1]][..]),
            (2, true, &[[0, 1]]),
            (3, false, &[[0, 1], [0, 2], [1, 2]]),
            (4, false, &[[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]),
            (4, true, &[[0, 1], [0, 2], [0, 3]]),
        ] {
            let games = games(count, gauntlet, 6, Shard { index: 0, count: 1 });
            assert_eq!(games.len(), 6 * pairings.len());
            for (at, game) in games.chunks(2).enumerate() {
                let [a, b] = pairings[at % pairings.len()];
                assert_eq!([game[0].players, game[1].players], [[a, b], [b, a]]);
                assert_eq!([game[0].opening, game[1].opening], [at / pairings.len(); 2]);
            }
        }
    }

    #[test]
    fn the_last_of_an_odd_number_of_games_stands_alone() {
        let all = Shard { index: 0, count: 1 };
        for (players, per_pairing, numbers) in [
            (2, 1, &[0][..]),
            (2, 3, &[0, 1, 2]),
            (3, 3, &[0, 1, 2, 3, 4, 5, 6, 8, 10]),
        ] {
            let games = games(players, false, per_pairing, all);
            assert!(games.iter().map(|game| &game.number).eq(numbers));
        }
    }
}
