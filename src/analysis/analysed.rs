//! A game with the analysis of its positions.

use super::decided::Decided;
use super::ply::Ply;
use super::position::{Outlook, Position};
use super::solved::Solved;
use super::summary::{GameSummary, Players, Review};
use engine::board::Player;
use record::cells::Cells;
use record::replayed::Replayed;
use serde::Serialize;

/// A game and where it comes from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file's name as given, or `--moves`.
    pub title: String,
    /// The checked game.
    pub game: Replayed,
}

/// An analysed game, as the page holds it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// The game as a whole.
    pub summary: GameSummary,
    /// One ply for every move, and one for the final position; fewer if the game is analysed in parts.
    pub plies: Vec<Ply>,
}

impl Analysis {
    /// Joins a game with the results from ply `from` on. Without the final position's result the last ply is left out:
    /// its loss depends on the next one's.
    #[must_use]
    pub fn new(source: &Source, from: usize, positions: Vec<Position>) -> Analysis {
        let game = &source.game;
        let is_to_the_end = from + positions.len() > game.plies();
        // The search of a position says what follows the move before it.
        let outlooks: Vec<Outlook> = positions.iter().map(Outlook::from).collect();
        let plies = positions
            .into_iter()
            .enumerate()
            .map(|(at, position)| Ply::new(game, from + at, position, outlooks.get(at + 1)));
        let count = outlooks.len() - usize::from(!is_to_the_end);
        let plies: Vec<Ply> = plies.take(count).collect();
        let review = Review::of(&plies);
        let is_part = from > 0 || !is_to_the_end;
        let outcome = game.outcome();
        let [black, white] = [Player::Black, Player::White].map(|player| game.name(player).into());
        let summary = GameSummary {
            game: source.title.clone(),
            players: Players { black, white },
            outcome: crate::glossary::outcome_sentence(outcome),
            ending: outcome.key(),
            winner: outcome.winner(),
            start: game
                .check_start()
                .is_err()
                .then(|| Cells::from(game.start())),
            plies: game.plies(),
            analysed: is_part.then_some([from + 1, from + plies.len()]),
            decided: Decided::of(game, &plies, &review),
            review,
            solved: None,
        };
        Analysis { summary, plies }
    }

    /// The analysis, from the first ply on, with what is solved of the game.
    #[must_use]
    pub fn with_solved(mut self, solved: Solved) -> Analysis {
        for position in &solved.positions {
            if let Some(ply) = self.plies.get_mut(position.after) {
                ply.winner = position.winner;
            }
        }
        self.summary.solved = Some(solved);
        self
    }
}
