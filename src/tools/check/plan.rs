//! Lists the cases of a check, the most informative first.

use super::case::{Case, Group, Opponent};
use super::positions::RarePosition;
use base::openings::random_opening;
use engine::board::{Move, Player};
use engine::botzone::Form;
use std::time::Duration;

/// Amount of testing, chosen by `--quick` and `--long`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// About ten seconds.
    Quick,
    /// About a minute, the default.
    Usual,
    /// About ten minutes.
    Long,
}

impl Extent {
    /// Returns the amount of testing that the options `--quick` and `--long` choose.
    #[must_use]
    pub const fn of(quick: bool, long: bool) -> Extent {
        match (quick, long) {
            (true, _) => Extent::Quick,
            (_, true) => Extent::Long,
            _ => Extent::Usual,
        }
    }

    /// Returns three limits: seconds for all cases, number of positions for each rare kind and colour, and number of games.
    const fn limits(self) -> (u64, u64, u64) {
        match self {
            Extent::Quick => (10, 1, 4),
            Extent::Usual => (60, 2, 20),
            Extent::Long => (600, 10, 200),
        }
    }

    /// Returns the time after which no further case begins.
    #[must_use]
    pub const fn time(self) -> Duration {
        Duration::from_secs(self.limits().0)
    }
}

/// Colours that the bot plays.
const COLOURS: [Player; 2] = [Player::Black, Player::White];

/// Returns the cases of first turns in both interactions; they find out which interactions the bot understands.
#[must_use]
pub fn first_turn_cases(seed: u64) -> Vec<Case> {
    let forms = Form::ALL.iter();
    let both = forms.flat_map(|&form| COLOURS.map(|colour| (form, colour)));
    let cases = both.map(|(form, colour)| Case {
        name: format!("{}-first-{colour}", form.key()),
        group: Group::FirstTurns,
        ..case(form, random_opening(seed, 0, colour as usize), 2, seed)
    });
    cases.collect()
}

/// Returns all other cases for the interactions `forms`. The iterator is lazy, because finding rare positions takes time.
pub fn cases(forms: &[Form], seed: u64, extent: Extent) -> impl Iterator<Item = Case> {
    let history_cases = forms
        .iter()
        .flat_map(move |&form| history_cases(form, seed));
    let first = forms.first().into_iter();
    let rest = first.flat_map(move |&form| {
        rare_position_cases(form, seed, extent).chain(game_cases(forms, seed, extent))
    });
    history_cases.chain(rest)
}

/// Creates a case against random moves with default settings; callers set its name, its group and what differs.
fn case(form: Form, opening: Vec<Move>, turns: usize, seed: u64) -> Case {
    Case {
        name: String::new(),
        group: Group::Histories,
        form,
        opening,
        turns,
        opponent: Opponent::Random,
        fresh: false,
        restart: 0,
        with_data: false,
        seed,
    }
}

/// Returns cases with several turns each, for both colours. Each row of `kinds` holds a name, the number of moves before the
/// bot's first turn, and the bot's number of turns.
fn history_cases(form: Form, seed: u64) -> impl Iterator<Item = Case> {
    let kinds = [
        ("kept", 0, 4),
        ("anew", 0, 3),
        ("middle", 12, 2),
        ("restart", 20, 4),
        ("late", 34, 2),
    ];
    COLOURS.into_iter().flat_map(move |colour| {
        kinds.map(|(what, plies, turns)| Case {
            name: format!("{}-{what}-{colour}", form.key()),
            fresh: what == "anew",
            with_data: what == "middle",
            restart: if what == "restart" { 2 } else { 0 },
            ..case(
                form,
                random_opening(seed, plies, plies + colour as usize),
                turns,
                seed,
            )
        })
    })
}

/// Returns cases that start from rare positions and last up to two turns of the bot.
fn rare_position_cases(form: Form, seed: u64, extent: Extent) -> impl Iterator<Item = Case> {
    let (_, positions, _) = extent.limits();
    let kinds = (0..positions).flat_map(|number| RarePosition::ALL.map(|kind| (number, kind)));
    let wanted = kinds.flat_map(|wanted| COLOURS.map(|colour| (wanted, colour)));
    wanted.filter_map(move |((number, (kind, what)), colour)| {
        let opening = kind.find(colour, number, seed)?;
        Some(Case {
            name: format!("{}-{what}-{colour}-{}", form.key(), number + 1),
            group: Group::RarePositions,
            ..case(form, opening, 2, seed)
        })
    })
}

/// Maximum number of random plies before a game; most games are nearly over after so many plies.
const MAX_OPENING_PLIES: u64 = 36;

/// Returns games from random openings, against random moves and weak levels.
fn game_cases(forms: &[Form], seed: u64, extent: Extent) -> impl Iterator<Item = Case> {
    let opponents = [Opponent::Random, Opponent::Level(1), Opponent::Level(3)];
    let game = move |number: u64| {
        // The first games begin from long openings, because such games end soon.
        let plies = MAX_OPENING_PLIES - number * 7 % (MAX_OPENING_PLIES + 1);
        let form = forms[number as usize % forms.len()];
        Case {
            name: format!("{}-game-{}", form.key(), number + 1),
            group: Group::Games,
            opponent: opponents[number as usize % opponents.len()],
            fresh: number % 4 == 3,
            restart: if number % 4 == 1 { 3 } else { 0 },
            ..case(
                form,
                random_opening(seed, number as usize, plies as usize),
                usize::MAX,
                number,
            )
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
        let forms = [&Form::ALL[..], &Form::ALL[..1], &Form::ALL[1..]];
        let long = forms.map(|forms| cases(forms, 3, Extent::Long).collect::<Vec<_>>());
        let named = long.iter().flatten().map(|case| (&case.name, case));
        let named: BTreeMap<&String, &Case> = named.collect();
        for (forms, long) in forms.into_iter().zip(&long) {
            let fewer =
                [Extent::Quick, Extent::Usual].map(|extent| cases(forms, 3, extent).collect());
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
