//! Analysis of a whole game: [`Analysis`] holds a summary of the game and the analysis of each position.

use super::decided::Decided;
use super::ply::Ply;
use super::position::{Outlook, SearchedPosition};
use super::solved::Solved;
use super::summary::{GameSummary, Players, Review};
use engine::board::Player;
use record::cells::Cells;
use record::checked_game::CheckedGame;
use serde::Serialize;

/// A game to analyse, with the title under which reports show it.
#[derive(Clone, Debug)]
pub struct TitledGame {
    /// Title of the game: the name of its file as the user gave it, or `--moves` for moves from the command line.
    pub title: String,
    /// Game whose moves were checked against the rules.
    pub game: CheckedGame,
}

/// Complete analysis of one game: a summary of the game, and an analysis of each position. The report, a web page,
/// contains it as JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// Summary of the whole game: players, result, accuracy and turning points.
    pub summary: GameSummary,
    /// Analysis of each position, in the order of play, with the move that was played in the position. If the analysis
    /// reaches the end of the game, the last element is the final position, in which no move was played.
    pub plies: Vec<Ply>,
}

impl Analysis {
    /// Builds the analysis of the game `source` from search results.
    ///
    /// - `from`: number of moves before the first searched position.
    /// - `positions`: search results of successive positions of the game.
    ///
    /// If `positions` ends before the game's final position, its last element only serves to rate the move before it.
    /// This last position then gets no [`Ply`] of its own in the result.
    #[must_use]
    pub fn new(source: &TitledGame, from: usize, positions: Vec<SearchedPosition>) -> Analysis {
        let game = &source.game;
        let is_to_the_end = from + positions.len() > game.plies();
        // `outlooks[i]`: result of the search of `positions[i]`, for the player who made the move before this position,
        // that is, the opponent of the side to move: this player's win probability, and the principal variation.
        // Element 0 is not used.
        let outlooks: Vec<Outlook> = positions.iter().map(Outlook::from).collect();
        let plies = positions
            .into_iter()
            .enumerate()
            .map(|(at, position)| Ply::new(game, from + at, position, outlooks.get(at + 1)));
        let count = outlooks.len() - usize::from(!is_to_the_end);
        let plies: Vec<Ply> = plies.take(count).collect();
        let review = Review::from_plies(&plies);
        let is_part = from > 0 || !is_to_the_end;
        let is_set_up = game.check_start().is_err();
        let outcome = game.outcome();
        let [black, white] = [Player::Black, Player::White].map(|player| game.name(player).into());
        let summary = GameSummary {
            game: source.title.clone(),
            players: Players { black, white },
            outcome: crate::glossary::outcome_sentence(outcome),
            ending: outcome.label(),
            winner: outcome.winner(),
            start: is_set_up.then(|| Cells::from(game.start())),
            plies: game.plies(),
            analysed: is_part.then_some([from + 1, from + plies.len()]),
            decided: Decided::from_game(game, &plies, &review),
            review,
            solved: None,
        };
        Analysis { summary, plies }
    }

    /// Adds the solver's results to this analysis, and returns it: stores `solved` in the summary, and the proven
    /// winner of each solved position in its [`Ply::winner`].
    ///
    /// The analysis must begin with the game's first move.
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
