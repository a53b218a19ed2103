//! What decided a game that was lost on the board: the lead that was kept, the mistake behind it, the moves left.

use super::glossary::{
    BETTER, COLON, COMMA, KEPT_LEAD, LED, LOST, Language, MOVES_LEFT, PLAYED, SEPARATED, Term,
};
use super::ply::Ply;
use super::summary::Review;
use engine::board::{Move, Player};
use engine::mcts::endgame::moves_left;
use record::replayed::{Outcome, Replayed, player_at};
use serde::Serialize;

/// What decided a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decided {
    /// Who won.
    pub winner: Player,
    /// The ply after which the winner led to the end; nothing if already before the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// What the loser did wrong then, if it was an inaccuracy or worse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistake: Option<Wrong>,
    /// The first position in which the players are separated and their moves can be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separated: Option<Separated>,
}

/// A move that was wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wrong {
    /// Its ply, from 1.
    pub ply: usize,
    /// The move.
    #[serde(rename = "move")]
    pub turn: Move,
    /// The best move.
    pub better: Move,
    /// [`Ply::loss`].
    pub loss: f32,
}

/// A position in which no square is reached by both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Separated {
    /// The ply that is to be played in it, from 1.
    pub ply: usize,
    /// How many moves black can still make.
    pub black: u32,
    /// How many moves white can still make.
    pub white: u32,
}

impl Decided {
    /// What decided a game; nothing unless the loser had no move, and the analysis goes to the end.
    #[must_use]
    pub fn of(game: &Replayed, plies: &[Ply], review: &Review) -> Option<Decided> {
        let Outcome::NoMove { winner } = game.outcome() else {
            return None;
        };
        plies.last().filter(|last| last.turn.is_none())?;
        let ply = review.turning_points.last().map(|point| point.ply);
        if ply.is_none() && plies[0].ply > 1 {
            return None;
        }
        Some(Decided {
            winner,
            ply,
            mistake: ply.and_then(|ply| wrong(plies, !winner, ply)),
            separated: separated(game),
        })
    }

    /// What decided it, a sentence each.
    #[must_use]
    pub fn told(&self, language: Language) -> Vec<String> {
        let name = |player: Player| Term::from(player).text(language);
        let mut lead = match self.ply {
            Some(ply) => KEPT_LEAD.of(language, &[&name(self.winner), &ply]),
            None => LED.of(language, &[&name(self.winner)]),
        };
        if let Some(Wrong {
            turn, better, loss, ..
        }) = &self.mistake
        {
            let points = format!("{:.1}", 100.0 * loss);
            let parts = [
                PLAYED.of(language, &[&name(!self.winner), turn]),
                LOST.of(language, &[&points]),
                BETTER.of(language, &[better]),
            ];
            lead = COLON.of(language, &[&lead, &parts.join(COMMA.text(language))]);
        }
        let counted = self.separated.map(|Separated { ply, black, white }| {
            let separated = SEPARATED.of(language, &[&ply, &name(player_at(ply - 1))]);
            COLON.of(
                language,
                &[&separated, &MOVES_LEFT.of(language, &[&black, &white])],
            )
        });
        [lead].into_iter().chain(counted).collect()
    }
}

/// The loser's last move up to a ply, if it was an inaccuracy or worse.
fn wrong(plies: &[Ply], loser: Player, ply: usize) -> Option<Wrong> {
    let mut own = plies.iter().rev().filter(|found| found.player == loser);
    let found = own.find(|found| found.ply <= ply)?;
    found.judgement?;
    Some(Wrong {
        ply: found.ply,
        turn: found.turn?,
        better: *found.principal_variation.first()?,
        loss: found.loss?,
    })
}

/// The first separated position whose moves can be counted, unless nothing is left to the loser there.
fn separated(game: &Replayed) -> Option<Separated> {
    (0..game.plies())
        .find_map(|at| {
            let [black, white] = moves_left(&game.board_at(at))?;
            Some(Separated {
                ply: at + 1,
                black,
                white,
            })
        })
        .filter(|found| found.black > 0 && found.white > 0)
}
