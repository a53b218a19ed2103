//! Plans a check: lists its test cases, the most informative first.

use super::case::{Case, Group, Opponent};
use super::positions::RarePosition;
use base::openings::random_opening;
use engine::board::{Move, Player};
use engine::botzone::Form;
use std::time::Duration;

/// Amount of testing: decides the time limit and the number of positions and games. The options `--quick` and `--long`
/// choose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Takes about ten seconds (`--quick`).
    Quick,
    /// Takes about a minute; the default.
    Usual,
    /// Takes about ten minutes (`--long`).
    Long,
}

impl Extent {
    /// Returns the amount of testing for the options `--quick` and `--long`; at most one of them is set.
    #[must_use]
    pub const fn from_options(quick: bool, long: bool) -> Extent {
        match (quick, long) {
            (true, _) => Extent::Quick,
            (_, true) => Extent::Long,
            _ => Extent::Usual,
        }
    }

    /// Returns the limits (seconds for the whole check, positions per kind of rare position and per colour, games).
    const fn limits(self) -> (u64, u64, u64) {
        match self {
            Extent::Quick => (10, 1, 4),
            Extent::Usual => (60, 2, 20),
            Extent::Long => (600, 10, 200),
        }
    }

    /// Returns the time limit, counted from the start of the check: after it, no further case begins.
    #[must_use]
    pub const fn time_limit(self) -> Duration {
        Duration::from_secs(self.limits().0)
    }
}

/// Colours that the bot plays in the cases of a check.
const COLOURS: [Player; 2] = [Player::Black, Player::White];

/// Returns one case for each interaction (simple, JSON) and colour, with the bot's first two turns in a game. They find
/// out which interactions the bot understands.
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

/// Returns all cases but those of first turns, for the interactions `forms` that the bot understands; no cases if
/// `forms` is empty. The iterator is lazy, because finding rare positions takes time.
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

/// Creates a case with default settings: opponent with random moves, process that keeps running. Callers set name,
/// group and whatever differs.
fn case(form: Form, opening: Vec<Move>, turns: usize, seed: u64) -> Case {
    Case {
        name: String::new(),
        group: Group::Histories,
        form,
        opening,
        turns,
        opponent: Opponent::Random,
        fresh: false,
        restart_after: 0,
        with_data: false,
        seed,
    }
}

/// Returns cases of two to four turns each, for both colours. Each row of `kinds` holds (part of the case's name,
/// number of plies before the bot's first turn if the bot is black, number of the bot's turns).
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
            restart_after: if what == "restart" { 2 } else { 0 },
            ..case(
                form,
                random_opening(seed, plies, plies + colour as usize),
                turns,
                seed,
            )
        })
    })
}

/// Returns cases that start from rare positions and last at most two turns of the bot. Kinds for which no position is
/// found are left out.
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

/// Maximum number of random plies in the opening of a game; after 36 plies most games are nearly over.
const MAX_OPENING_PLIES: u64 = 36;

/// Returns cases that play whole games from random openings, in turn against random moves and levels 1 and 3.
fn game_cases(forms: &[Form], seed: u64, extent: Extent) -> impl Iterator<Item = Case> {
    let opponents = [Opponent::Random, Opponent::Level(1), Opponent::Level(3)];
    let game = move |number: u64| {
        // The first games begin from long openings: such games end soon, so that some games finish in a short check,
        // too.
        let plies = MAX_OPENING_PLIES - number * 7 % (MAX_OPENING_PLIES + 1);
        let form = forms[number as usize % forms.len()];
        Case {
            name: format!("{}-game-{}", form.key(), number + 1),
            group: Group::Games,
            opponent: opponents[number as usize % opponents.len()],
            fresh: number % 4 == 3,
            restart_after: if number % 4 == 1 { 3 } else { 0 },
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
