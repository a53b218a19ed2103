//! [`Decided`] explains the result of a game whose loser ran out of moves. It says from which move on the winner was in
//! the lead (a win probability of at least 0.6), which mistake gave the lead away, and how many moves each player had
//! left when no empty square could be reached by both players any more.

use super::glossary::{
    BETTER, COLON, COMMA, KEPT_LEAD, LED, LOST, Language, MOVES_LEFT, PLAYED, SEPARATED, Term,
};
use super::ply::Ply;
use super::summary::Review;
use engine::board::{Move, Player};
use engine::mcts::endgame::moves_left;
use record::checked_game::{CheckedGame, Outcome, player_at};
use serde::Serialize;

/// Explanation of the result of a game in which the loser ran out of moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decided {
    /// Player who won because the opponent ran out of moves.
    pub winner: Player,
    /// Number of the move (from 1) by which the winner took the lead for the last time. A player takes the lead with a
    /// win probability of at least 0.6 after a move, and keeps it until the opponent takes it. The winner takes the
    /// lead in the final position at the latest. `None` if the winner led from the initial position to the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// Mistake of the loser that let the winner take the lead (a win probability of at least 0.6) for the rest of the
    /// game. It is the last move of the loser among the first [`Decided::ply`] moves of the game.
    ///
    /// `None` in three cases: [`Decided::ply`] is `None` because the winner always led; the loser made no analysed move
    /// so early; or the move lost less than 0.05 of win probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistake: Option<DecisiveMistake>,
    /// First position in which no empty square can be reached by both players, so that each player's remaining moves
    /// can be counted exactly. `None` if there is no such position. Also `None` if the opponent of the side to move has
    /// 0 moves left in it: the next move then ends the game, so that the count says nothing new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separated: Option<Separated>,
}

/// Mistake of the loser after which the winner was in the lead (had a win probability of at least 0.6) for the rest of
/// the game. Also contains the move that would have been best instead.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisiveMistake {
    /// Number of the move that was the mistake, among all moves of the game, counted from 1.
    pub ply: usize,
    /// The mistake: the move that the loser played instead of [`DecisiveMistake::better`].
    #[serde(rename = "move")]
    pub turn: Move,
    /// Best move according to the search of the position in which the loser made the mistake.
    pub better: Move,
    /// Loss of win probability (0 to 1) by the mistake: the loser's probability after the best move minus that after
    /// the mistake. See [`Ply::loss`].
    pub loss: f32,
}

/// A position in which no empty square can be reached by both players, with the number of moves that each player can
/// still make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Separated {
    /// Number of the move that is played in this position, counted from 1.
    pub ply: usize,
    /// Maximum number of moves that black can still make, from the position before move number [`Separated::ply`] to
    /// the end of the game.
    pub black: u32,
    /// Maximum number of moves that white can still make, from the position before move number [`Separated::ply`] to
    /// the end of the game.
    pub white: u32,
}

impl Decided {
    /// Explains the result of `game`.
    ///
    /// - `plies`: analysed positions of the game.
    /// - `review`: review of the game made from the same `plies` by [`Review::from_plies`]. Its turning points say
    ///   which player took the lead, and when.
    ///
    /// Returns `None` in three cases:
    /// - The game did not end because a player had no legal move.
    /// - `plies` lacks the final position.
    /// - The first moves were not analysed, and the lead never changed in the analysed ones (`review` has no turning
    ///   point).
    #[must_use]
    pub fn from_game(game: &CheckedGame, plies: &[Ply], review: &Review) -> Option<Decided> {
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

    /// Describes the result in one or two sentences in `language`. The first says from which move on the winner was in
    /// the lead, and names the loser's mistake, if there is one. The second gives the number of moves left to each
    /// player; it is left out if [`Decided::separated`] is `None`.
    #[must_use]
    pub fn sentences(&self, language: Language) -> Vec<String> {
        let name = |player: Player| Term::from(player).text(language);
        let mut lead = match self.ply {
            Some(ply) => KEPT_LEAD.fill(language, &[&name(self.winner), &ply]),
            None => LED.fill(language, &[&name(self.winner)]),
        };
        if let Some(mistake) = &self.mistake {
            let points = format!("{:.1}", 100.0 * mistake.loss);
            let parts = [
                PLAYED.fill(language, &[&name(!self.winner), &mistake.turn]),
                LOST.fill(language, &[&points]),
                BETTER.fill(language, &[&mistake.better]),
            ];
            lead = COLON.fill(language, &[&lead, &parts.join(COMMA.text(language))]);
        }
        let moves_left = self.separated.map(|Separated { ply, black, white }| {
            let separated = SEPARATED.fill(language, &[&ply, &name(player_at(ply - 1))]);
            let left = MOVES_LEFT.fill(language, &[&black, &white]);
            COLON.fill(language, &[&separated, &left])
        });
        [lead].into_iter().chain(moves_left).collect()
    }
}

/// Finds the mistake that gave the lead away: the last move of `loser` up to move number `ply` (from 1), inclusive.
/// Returns `None` if there is no such move, or if it lost less than 0.05 of win probability.
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

/// Finds the first position of `game` in which no empty square can be reached by both players, so that each player's
/// remaining moves can be counted exactly. Returns `None` if no position before the final one is like that.
///
/// Also returns `None` if the opponent of the side to move has 0 moves left in the position found. The next move then
/// ends the game, so that the count says nothing new.
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
