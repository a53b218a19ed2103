//! The cases of a check, those that tell most first.

use super::case::{Case, Group, Opponent};
use super::positions::Rare;
use crate::board::Move;
use crate::botzone::Form;
use crate::tools::player::openings::opening;
use std::time::Duration;

/// How much is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// What ten seconds hold.
    Quick,
    /// What a minute holds.
    Usual,
    /// What ten minutes hold.
    Long,
}

impl Extent {
    /// The extent that is asked for.
    #[must_use]
    pub const fn of(quick: bool, long: bool) -> Extent {
        match (quick, long) {
            (true, _) => Extent::Quick,
            (_, true) => Extent::Long,
            _ => Extent::Usual,
        }
    }

    /// Seconds that cases go on, positions of each rare kind and colour, and games.
    const fn amounts(self) -> (u64, u64, u64) {
        match self {
            Extent::Quick => (10, 1, 4),
            Extent::Usual => (60, 2, 20),
            Extent::Long => (600, 10, 200),
        }
    }

    /// How long cases go on.
    #[must_use]
    pub const fn time(self) -> Duration {
        Duration::from_secs(self.amounts().0)
    }
}

/// The word for a colour, by whether it is black.
const fn colour(is_black: bool) -> &'static str {
    if is_black { "black" } else { "white" }
}

/// The first turns in both interactions, from which is told what the bot understands.
#[must_use]
pub fn first_questions(seed: u64) -> Vec<Case> {
    let forms = Form::ALL.iter();
    let both = forms.flat_map(|&form| [true, false].map(|is_black| (form, is_black)));
    let cases = both.map(|(form, is_black)| Case {
        name: format!("{}-first-{}", form.key(), colour(is_black)),
        group: Group::FirstTurns,
        ..case(form, opening(seed, 0, usize::from(!is_black)), 2, seed)
    });
    cases.collect()
}

/// All other cases for a bot that understands these interactions, each made when it is asked for: rare positions take time.
pub fn cases(forms: &[Form], seed: u64, extent: Extent) -> impl Iterator<Item = Case> {
    let histories = forms.iter().flat_map(move |&form| histories(form, seed));
    let first = forms.first().into_iter();
    let rest =
        first.flat_map(move |&form| rare(form, seed, extent).chain(games(forms, seed, extent)));
    histories.chain(rest)
}

/// A case of one stretch of a game against random moves.
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

/// Later turns: kept running, started anew, and both in turn.
fn histories(form: Form, seed: u64) -> Vec<Case> {
    let mut cases = Vec::new();
    for is_black in [true, false] {
        let side = usize::from(!is_black);
        let name = |what: &str| format!("{}-{what}-{}", form.key(), colour(is_black));
        let from = |plies: usize| opening(seed, plies, plies + side);
        cases.extend([
            Case {
                name: name("kept"),
                ..case(form, from(0), 4, seed)
            },
            Case {
                name: name("anew"),
                fresh: true,
                ..case(form, from(0), 3, seed)
            },
            Case {
                name: name("middle"),
                with_data: true,
                ..case(form, from(12), 2, seed)
            },
            Case {
                name: name("restart"),
                restart: 2,
                ..case(form, from(20), 4, seed)
            },
            Case {
                name: name("late"),
                ..case(form, from(34), 2, seed)
            },
        ]);
    }
    cases
}

/// Rare positions, one turn each and a second one where there is any.
fn rare(form: Form, seed: u64, extent: Extent) -> impl Iterator<Item = Case> {
    let (_, positions, _) = extent.amounts();
    let kinds = (0..positions).flat_map(|number| Rare::ALL.map(|kind| (number, kind)));
    let wanted = kinds.flat_map(|wanted| [(wanted, true), (wanted, false)]);
    wanted.filter_map(move |((number, (kind, what)), is_black)| {
        let opening = kind.find(is_black, number, seed)?;
        Some(Case {
            name: format!("{}-{what}-{}-{}", form.key(), colour(is_black), number + 1),
            group: Group::RarePositions,
            ..case(form, opening, 2, seed)
        })
    })
}

/// Most plies of a game's random opening: most of a game is then over.
const LATEST_OPENING: u64 = 36;

/// Games from random openings, the later ones short, against random moves and the lowest levels.
fn games(forms: &[Form], seed: u64, extent: Extent) -> impl Iterator<Item = Case> {
    let opponents = [Opponent::Random, Opponent::Level(1), Opponent::Level(3)];
    let game = move |number: u64| {
        // Late openings first: their games end soon.
        let plies = LATEST_OPENING - number * 7 % (LATEST_OPENING + 1);
        let form = forms[number as usize % forms.len()];
        Case {
            name: format!("{}-game-{}", form.key(), number + 1),
            group: Group::Games,
            opponent: opponents[number as usize % opponents.len()],
            fresh: number % 4 == 3,
            restart: if number % 4 == 1 { 3 } else { 0 },
            ..case(
                form,
                opening(seed, number as usize, plies as usize),
                usize::MAX,
                number,
            )
        }
    };
    let (.., count) = extent.amounts();
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
