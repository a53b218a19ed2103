//! A bot against a log: it is asked at every turn of its side, and answers are laid beside the log's.

use crate::board::{Move, Player};
use crate::console::quoted;
use crate::tools::record::judge::{Coordinates, Judge, objection};
use crate::tools::record::log::Answer;
use crate::tools::record::replayed::{Fault, Replayed, player_at};
use std::fmt;

/// In which way a bot's answer is not the log's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// It is another move, and legal.
    OtherMove,
    /// The judge would refuse it; for an illegal move with the rule that it breaks.
    Fault(Fault, Option<String>),
}

/// A turn at which the bot does not answer as the log does.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Ply of the answer, from 1; the position is that of `--at` one less.
    pub ply: usize,
    /// What the log has.
    pub logged: Answer,
    /// What the bot answered.
    pub answered: Answer,
    /// In which way they differ.
    pub kind: DifferenceKind,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let logged = show_answer(&self.logged);
        write!(f, "ply {:2}: the log has {logged}, ", self.ply)?;
        match &self.kind {
            DifferenceKind::OtherMove => {
                write!(f, "the bot answers {}", show_answer(&self.answered))?
            }
            DifferenceKind::Fault(fault, why) => {
                f.write_str(&fault.sentence("the bot"))?;
                if let Some(why) = why {
                    write!(f, ": {}", quoted(why))?;
                }
            }
        }
        write!(
            f,
            " [{} ms, {} MB]",
            self.answered.time, self.answered.memory
        )
    }
}

/// Asks a bot at every turn of its side in the log; the game goes on with the log's moves.
///
/// `ask` is given the record of the turn and whether the bot is started fresh for it. A bot is kept running
/// only where the platform could have done so: it asked for it with its last answer, and that was the log's.
///
/// # Errors
/// The first one of `ask`.
pub fn compare<E>(
    game: &Replayed,
    side: Player,
    always_fresh: bool,
    mut ask: impl FnMut(&[Coordinates], bool) -> Result<Answer, E>,
) -> Result<Vec<Difference>, E> {
    let mut differences = Vec::new();
    let mut judge = Judge::default();
    let mut fresh = true;
    for (ply, logged) in game.answers.iter().enumerate() {
        if player_at(ply) == side {
            let answered = ask(&game.record(ply), fresh)?;
            let kind = kind(&judge, game.moves.get(ply), &answered);
            fresh = always_fresh || kind.is_some() || !answered.keep_running;
            differences.extend(kind.map(|kind| Difference {
                ply: ply + 1,
                logged: logged.clone(),
                answered,
                kind,
            }));
        }
        judge.answer(logged.verdict, logged.response.as_ref());
    }
    Ok(differences)
}

/// Tests if the judge would have refused an answer.
#[must_use]
pub fn has_failed(differences: &[Difference]) -> bool {
    differences
        .iter()
        .any(|difference| matches!(difference.kind, DifferenceKind::Fault(..)))
}

/// In which way an answer is not the log's move; nothing if it is.
fn kind(judge: &Judge, logged: Option<&Coordinates>, answered: &Answer) -> Option<DifferenceKind> {
    let response = answered.response.as_ref();
    let output = judge.clone().answer(answered.verdict, response);
    match Fault::of(&output, answered.verdict) {
        Some(fault @ Fault::Illegal) => {
            let why = response.and_then(|response| objection(judge.board(), response));
            Some(DifferenceKind::Fault(fault, why))
        }
        Some(fault) => Some(DifferenceKind::Fault(fault, None)),
        None if output.display.last_move.as_ref() == logged => None,
        None => Some(DifferenceKind::OtherMove),
    }
}

/// The report on a comparison: how many answers are the log's, then the others.
#[must_use]
pub fn report(game: &Replayed, side: Player, differences: &[Difference]) -> String {
    let turns = game.effort(side).turns;
    let mut text = format!(
        "  the bot as {side}: {} of {turns} answers as in the log\n",
        turns - differences.len()
    );
    for difference in differences {
        text += &format!("  {difference}\n");
    }
    text
}

/// A move in the board's notation, or its numbers if they are off the board.
#[must_use]
pub fn show(turn: Coordinates) -> String {
    Move::from_coordinates(turn.numbers())
        .map_or_else(|_| turn.to_string(), |turn| turn.to_string())
}

/// An answer's move; else what it holds instead.
fn show_answer(answer: &Answer) -> String {
    let response = answer.response.as_ref();
    match (response.and_then(Coordinates::read), response) {
        (Some(turn), _) => show(turn),
        (None, Some(response)) => quoted(&response.to_string()).to_string(),
        (None, None) => format!("no answer ({})", answer.verdict.name()),
    }
}
