//! Lists the test cases of `amazons check`. The cases of [`first_turn_cases`] are played first, those of [`cases`]
//! afterwards. Cases that reveal most bugs come first, because the time of a check is limited.

use super::case::{Case, Group, Opponent};
use super::positions::RarePosition;
use base::openings::random_opening;
use engine::board::{Move, Player};
use engine::botzone::Protocol;
use std::time::Duration;

/// Amount of testing in one check, as chosen by the options `--quick` and `--long`. It determines the time limit of the
/// check and the number of test cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Check that starts no more test cases after ten seconds (`--quick`).
    Quick,
    /// Check that starts no more test cases after one minute; the default.
    Usual,
    /// Check that starts no more test cases after ten minutes (`--long`).
    Long,
}

impl Extent {
    /// Returns three limits of a check. First: the time in seconds after which no further test case is started. Second:
    /// the number of test cases for each combination of a kind of rare position and a colour of the bot. Third: the
    /// total number of test cases with whole games.
    const fn limits(self) -> (u64, u64, u64) {
        match self {
            Extent::Quick => (10, 1, 4),
            Extent::Usual => (60, 2, 20),
            Extent::Long => (600, 10, 200),
        }
    }

    /// Returns the time limit of a check: after this time from the start of the check, no further test case is started.
    #[must_use]
    pub const fn time_limit(self) -> Duration {
        Duration::from_secs(self.limits().0)
    }
}

/// Colours that the bot plays in the cases of a check.
const COLOURS: [Player; 2] = [Player::Black, Player::White];

/// Returns one case for each protocol (simple, JSON) and each colour: the first two turns of a game. The bot's answers
/// show which protocols it understands. `seed` is the value of `--seed`.
#[must_use]
pub fn first_turn_cases(seed: u64) -> Vec<Case> {
    let protocols = Protocol::ALL.iter();
    let both = protocols.flat_map(|&protocol| COLOURS.map(|colour| (protocol, colour)));
    let cases = both.map(|(protocol, colour)| Case {
        name: format!("{}-first-{colour}", protocol.key()),
        group: Group::FirstTurns,
        ..default_case(protocol, random_opening(seed, 0, colour as usize), 2, seed)
    });
    cases.collect()
}

/// Returns all test cases except those of [`first_turn_cases`]. `protocols` are the protocols that the bot understands;
/// if it is empty, there are no cases. The iterator creates a case only on request, because the search for rare
/// positions takes time. `seed` is the value of `--seed`; `extent` sets the number of cases.
pub fn cases(protocols: &[Protocol], seed: u64, extent: Extent) -> impl Iterator<Item = Case> {
    let understood = protocols.iter();
    let history_cases = understood.flat_map(move |&protocol| history_cases(protocol, seed));
    let first = protocols.first().into_iter();
    let rest = first.flat_map(move |&protocol| {
        rare_start_cases(protocol, seed, extent).chain(game_cases(protocols, seed, extent))
    });
    history_cases.chain(rest)
}

/// Returns a test case with the default settings: the opponent plays random moves, and the bot's process may be kept
/// running between its turns. `opening` contains the moves before the bot's first turn, `turns` is the maximum number
/// of the bot's turns, and `seed` the seed of the opponent's moves. The caller must set `name`, and may change the
/// other fields.
fn default_case(protocol: Protocol, opening: Vec<Move>, turns: usize, seed: u64) -> Case {
    Case {
        name: String::new(),
        group: Group::Histories,
        protocol,
        opening,
        turns,
        opponent: Opponent::Random,
        fresh: false,
        restart_after: 0,
        with_data: false,
        seed,
    }
}

/// Returns the test cases of two to four turns, most of them after random moves, with the bot as black and as white.
/// `seed` is the value of `--seed`.
fn history_cases(protocol: Protocol, seed: u64) -> impl Iterator<Item = Case> {
    // First: part of the case's name; second: number of plies before the bot's first turn if the bot plays black (if it
    // plays white, there is one more ply); third: number of the bot's turns.
    let kinds = [
        ("kept", 0, 4),
        ("anew", 0, 3),
        ("middle", 12, 2),
        ("restart", 20, 4),
        ("late", 34, 2),
    ];
    COLOURS.into_iter().flat_map(move |colour| {
        kinds.map(|(what, plies, turns)| {
            let opening = random_opening(seed, plies, plies + colour as usize);
            Case {
                name: format!("{}-{what}-{colour}", protocol.key()),
                fresh: what == "anew",
                with_data: what == "middle",
                restart_after: if what == "restart" { 2 } else { 0 },
                ..default_case(protocol, opening, turns, seed)
            }
        })
    })
}

/// Returns test cases that start from rare positions; the bot plays at most two turns in each. [`RarePosition`] lists
/// the kinds of these positions, for example a position with a single legal move. `extent` sets the number of cases for
/// each kind and each colour of the bot. A case is omitted if the search finds no position for it. `seed` is the value
/// of `--seed`.
fn rare_start_cases(protocol: Protocol, seed: u64, extent: Extent) -> impl Iterator<Item = Case> {
    let (_, positions, _) = extent.limits();
    let kinds = (0..positions).flat_map(|number| RarePosition::ALL.map(|kind| (number, kind)));
    let wanted = kinds.flat_map(|wanted| COLOURS.map(|colour| (wanted, colour)));
    wanted.filter_map(move |((number, (kind, what)), colour)| {
        let opening = kind.find(colour, number, seed)?;
        Some(Case {
            name: format!("{}-{what}-{colour}-{}", protocol.key(), number + 1),
            group: Group::RarePositions,
            ..default_case(protocol, opening, 2, seed)
        })
    })
}

/// Maximum number of random plies (turns) before the bot's first turn in the test cases with whole games. After 36
/// random plies, most games are almost decided.
const MAX_OPENING_PLIES: u64 = 36;

/// Returns test cases with whole games from random openings. The cases use the protocols in `protocols` alternately.
/// The opponents alternate, too: random moves, level 1 and level 3 of `amazons play`. `seed` is the value of `--seed`;
/// `extent` sets the number of games.
fn game_cases(protocols: &[Protocol], seed: u64, extent: Extent) -> impl Iterator<Item = Case> {
    let opponents = [Opponent::Random, Opponent::Level(1), Opponent::Level(3)];
    let game = move |number: u64| {
        // Start the first games late: after 36 random plies, then 29, 22, and so on. Few turns of such a game are left,
        // so even a short check can finish some games.
        let plies = MAX_OPENING_PLIES - number * 7 % (MAX_OPENING_PLIES + 1);
        let protocol = protocols[number as usize % protocols.len()];
        let opening = random_opening(seed, number as usize, plies as usize);
        Case {
            name: format!("{}-game-{}", protocol.key(), number + 1),
            group: Group::Games,
            opponent: opponents[number as usize % opponents.len()],
            fresh: number % 4 == 3,
            restart_after: if number % 4 == 1 { 3 } else { 0 },
            ..default_case(protocol, opening, usize::MAX, number)
        }
    };
    let (.., count) = extent.limits();
    (0..count).map(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn a_name_stands_for_one_case() {
        let protocols = [&Protocol::ALL[..], &Protocol::ALL[..1], &Protocol::ALL[1..]];
        let long = protocols.map(|protocols| cases(protocols, 3, Extent::Long).collect::<Vec<_>>());
        let named = long.iter().flatten().map(|case| (&case.name, case));
        let named: BTreeMap<&String, &Case> = named.collect();
        for (protocols, long) in protocols.into_iter().zip(&long) {
            let fewer =
                [Extent::Quick, Extent::Usual].map(|extent| cases(protocols, 3, extent).collect());
            let [quick, usual]: [Vec<Case>; 2] = fewer;
            assert!(quick.len() < usual.len() && usual.len() < long.len());
            for cases in [&quick, &usual, long] {
                let names: BTreeSet<&String> = cases.iter().map(|case| &case.name).collect();
                assert_eq!(names.len(), cases.len(), "no two cases share a name");
                assert!(cases.iter().all(|case| named[&case.name] == case));
            }
        }
    }
}
