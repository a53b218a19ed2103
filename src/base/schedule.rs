//! Schedule of an arena, in which several players play many games ([`games_of_shard`]): who plays whom in each game,
//! with which opening and which colours.

/// One game of an arena's schedule: its number, its players and its opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Number of the game in the schedule, counted from 0. Games 0 and 1 form a pair, games 2 and 3 the next, and so
    /// on. Both games of a pair have the same players and opening, but swapped colours.
    pub number: usize,
    /// The black and the white player, in this order: indices, from 0, in the arena's list of players.
    pub players: [usize; 2],
    /// Index, from 0, of the opening from which the game begins. Two players who meet play a pair of games from each
    /// opening, one with each colour. If they play an odd number of games, they play only one game from the last
    /// opening.
    pub opening: usize,
}

/// Part of an arena's schedule, for one of `count` machines that share the games. It contains every `count`-th pair of
/// games (same players and opening, swapped colours), beginning with the pair of index `index`. On the command line it
/// is written `I/N`, where I is `index` + 1 and N is `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Index of this shard, from 0 to `count` - 1. A shard is the part of an arena's games that one machine plays.
    pub index: usize,
    /// Number of parts into which the arena's schedule is split: one part for each machine that plays games.
    pub count: usize,
}

/// Parses a shard as it is written on the command line.
///
/// # Errors
/// If `text` is not `I/N` with I from 1 to N.
pub fn parse_shard(text: &str) -> Result<Shard, &'static str> {
    let numbers = text.split_once('/');
    match numbers.map(|(number, count)| (number.parse(), count.parse())) {
        Some((Ok(number), Ok(count))) if (1..=count).contains(&number) => {
            let index = number - 1;
            Ok(Shard { index, count })
        }
        _ => Err("expected I/N with I from 1 to N"),
    }
}

/// Returns the games of `shard`, one part of an arena's schedule, by ascending number.
///
/// - `players`: number of players.
/// - `gauntlet`: if true, only player 0 meets all others, who do not meet each other; otherwise every two players meet.
/// - `games_per_pairing`: number of games between two players who meet. They play two games with each opening, with
///   swapped colours. If the number is odd, they play only one game with the last opening.
#[must_use]
pub fn games_of_shard(
    players: usize,
    gauntlet: bool,
    games_per_pairing: usize,
    shard: Shard,
) -> Vec<ScheduledGame> {
    let pairings = pairing_count(players, gauntlet);
    (0..games_per_pairing.div_ceil(2) * pairings)
        .filter(|pair| pair % shard.count == shard.index)
        .flat_map(|pair| [2 * pair, 2 * pair + 1])
        .filter(|number| 2 * (number / 2 / pairings) + number % 2 < games_per_pairing)
        .map(|number| ScheduledGame {
            number,
            players: players_of_game(players, gauntlet, number),
            opening: number / 2 / pairings,
        })
        .collect()
}

/// Iterates over the pairings as indices of two players, in the order [0, 1], [0, 2], …, [1, 2], …. If `gauntlet` is
/// true, only player 0 meets the others.
fn pairings(players: usize, gauntlet: bool) -> impl Iterator<Item = [usize; 2]> {
    let firsts = if gauntlet { players.min(1) } else { players };
    (0..firsts).flat_map(move |a| (a + 1..players).map(move |b| [a, b]))
}

/// Returns the number of pairings among `players` players. If `gauntlet` is true, only player 0 meets the others;
/// otherwise every two players meet.
#[must_use]
pub fn pairing_count(players: usize, gauntlet: bool) -> usize {
    pairings(players, gauntlet).count()
}

/// Returns who plays game number `game` (from 0) of a schedule: the index (from 0) of the black player, then of the
/// white player. `players` is the number of players. If `gauntlet` is true, only player 0 meets the others.
///
/// # Panics
/// If there are fewer than two players.
#[must_use]
pub fn players_of_game(players: usize, gauntlet: bool, game: usize) -> [usize; 2] {
    let pairing = game / 2 % pairing_count(players, gauntlet);
    let pair = pairings(players, gauntlet).nth(pairing);
    let [a, b] = pair.expect("two players");
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
            let games = games_of_shard(count, gauntlet, 6, Shard { index: 0, count: 1 });
            assert_eq!(games.len(), 6 * pairings.len());
            for (at, game) in games.chunks(2).enumerate() {
                let [a, b] = pairings[at % pairings.len()];
                assert_eq!([game[0].players, game[1].players], [[a, b], [b, a]]);
                assert_eq!([game[0].opening, game[1].opening], [at / pairings.len(); 2]);
            }
        }
    }

    #[test]
    fn an_odd_number_of_games_leaves_single_games() {
        let all = Shard { index: 0, count: 1 };
        for (players, games_per_pairing, numbers) in [
            (2, 3, &[0, 1, 2][..]),
            (3, 3, &[0, 1, 2, 3, 4, 5, 6, 8, 10]),
        ] {
            let games = games_of_shard(players, false, games_per_pairing, all);
            assert!(games.iter().map(|game| &game.number).eq(numbers));
        }
    }
}
