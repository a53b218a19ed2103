//! Explains what decided a game in which a player ran out of moves: the winner's lasting lead, the loser's last
//! mistake, and the numbers of moves left.

use super::glossary::{
    BETTER, COLON, COMMA, KEPT_LEAD, LED, LOST, Language, MOVES_LEFT, PLAYED, SEPARATED, Term,
};
use super::ply::Ply;
use super::summary::Review;
use engine::board::{Move, Player};
use engine::mcts::endgame::moves_left;
use record::checked_game::{CheckedGame, Outcome, player_at};
use serde::Serialize;

/// Explanation of a result: when the winner took the lead for good, the loser's mistake, and the moves left to both
/// players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decided {
    /// Player who won because the opponent ran out of moves.
    pub winner: Player,
    /// Ply (counted from 1) after which the winner led to the end; `None` if the winner led from the first position on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// Loser's last move until the winner took the lead for good; `None` if this move was no inaccuracy, mistake or
    /// blunder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistake: Option<DecisiveMistake>,
    /// First position in which the players are separated, so that the remaining moves can be counted; `None` if a
    /// player has no move left there, or if there is no such position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separated: Option<Separated>,
}

/// An inaccuracy, mistake or blunder of the loser, with the move that would have been best.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisiveMistake {
    /// Ply of the wrong move, counted from 1.
    pub ply: usize,
    /// Move that the loser played.
    #[serde(rename = "move")]
    pub turn: Move,
    /// Best move in the same position, according to the search.
    pub better: Move,
    /// Win probability lost by the move, from 0 to 1: see [`Ply::loss`].
    pub loss: f32,
}

/// A position in which no empty square can be reached by both players, with the number of moves left to each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Separated {
    /// Ply that is played in this position, counted from 1.
    pub ply: usize,
    /// Number of moves that black can still make inside its own regions.
    pub black: u32,
    /// Number of moves that white can still make inside its own regions.
    pub white: u32,
}

impl Decided {
    /// Computes what decided `game` from its analysed `plies` and their `review`.
    ///
    /// Returns `None` if the game did not end because a player had no move, if `plies` ends before the game does, or if
    /// `plies` starts after ply 1 and holds no turning point.
    #[must_use]
    pub fn of(game: &CheckedGame, plies: &[Ply], review: &Review) -> Option<Decided> {
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
            mistake: ply.and_then(|ply| decisive_mistake(plies, !winner, ply)),
            separated: first_separated(game),
        })
    }

    /// Returns a sentence about the lead with the loser's mistake, and a sentence about the moves left if these are
    /// known.
    #[must_use]
    pub fn sentences(&self, language: Language) -> Vec<String> {
        let name = |player: Player| Term::from(player).text(language);
        let mut lead = match self.ply {
            Some(ply) => KEPT_LEAD.of(language, &[&name(self.winner), &ply]),
            None => LED.of(language, &[&name(self.winner)]),
        };
        if let Some(DecisiveMistake {
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
        let moves_left = self.separated.map(|Separated { ply, black, white }| {
            let separated = SEPARATED.of(language, &[&ply, &name(player_at(ply - 1))]);
            COLON.of(
                language,
                &[&separated, &MOVES_LEFT.of(language, &[&black, &white])],
            )
        });
        [lead].into_iter().chain(moves_left).collect()
    }
}

/// Returns the loser's last move at or before `ply`; `None` if this move was no inaccuracy, mistake or blunder.
fn decisive_mistake(plies: &[Ply], loser: Player, ply: usize) -> Option<DecisiveMistake> {
    let mut own = plies.iter().rev().filter(|found| found.player == loser);
    let found = own.find(|found| found.ply <= ply)?;
    found.judgement?;
    Some(DecisiveMistake {
        ply: found.ply,
        turn: found.turn?,
        better: *found.principal_variation.first()?,
        loss: found.loss?,
    })
}

/// Finds the first position in which the remaining moves can be counted. Returns `None` if a player has no move left there.
fn first_separated(game: &CheckedGame) -> Option<Separated> {
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
