//! Messages of [`Texts`] about the state of the game and the results of commands.

use super::{Texts, display_path, labels, square_list};
use crate::play::command::GameCommand;
use crate::play::player_kind::PlayerKind;
use crate::play::session::{PlaySession, Question};
use analysis::glossary::{self, Term};
use analysis::primer::STEPS;
use analysis::tree_parallel::ChosenMove;
use engine::board::{Move, Player, Square};

impl Texts {
    /// Returns the status line: the text about the state of the game, such as who has won or what the side to move has
    /// to do. If the last automatic save has failed, it also says that the game is not saved.
    #[must_use]
    pub fn status(self, session: &PlaySession) -> String {
        let state = self.game_status(session);
        match session.has_autosave_failed {
            true => self.not_saved(state),
            false => state,
        }
    }

    /// Returns the text about the state of the game. Its subject is the first of these that applies: the open yes-or-no
    /// question, the earlier position that is shown, the winner, what the side to move has to do.
    fn game_status(self, session: &PlaySession) -> String {
        let game = session.game();
        if let Some(question) = &session.question {
            return self.question(question);
        }
        if let Some(ply) = session.viewed_ply {
            return self.position_after(ply, self.turns(game.moves().len()));
        }
        if let Some(winner) = game.winner() {
            let why = glossary::NO_MOVE.fill(self.0, &[&self.player(!winner)]);
            return self.labelled(self.won(winner), why);
        }
        let player = self.player(game.to_move());
        let what = match (game.player_kind(game.to_move()), game.chosen()) {
            (PlayerKind::Bot(_), _) if game.is_paused => labels::BOT_PAUSED,
            (PlayerKind::Bot(_), _) => labels::BOT_THINKS,
            (PlayerKind::Human, [from]) => return self.choose_destination(player, from),
            (PlayerKind::Human, [from, to]) => return self.choose_arrow(player, from, to),
            (PlayerKind::Human, _) => labels::CHOOSE_AMAZON,
        };
        let to_move = glossary::TO_MOVE.fill(self.0, &[&player]);
        self.labelled(to_move, self.label(what))
    }

    /// Returns the text of a yes-or-no question to the user, such as whether to overwrite a file.
    #[must_use]
    pub fn question(self, question: &Question) -> String {
        match question {
            Question::Overwrite(path) => self.overwrite(display_path(path)),
            Question::Leave(command) => self.leave(self.label(match command {
                GameCommand::New => labels::BEGIN_ANOTHER,
                GameCommand::Quit => labels::QUIT,
                _ => labels::LOAD_OTHER,
            })),
        }
    }

    /// Returns the message that `winner` has won.
    #[must_use]
    pub fn won(self, winner: Player) -> String {
        glossary::WON.fill(self.0, &[&self.player(winner)])
    }

    /// Returns the message that `player` has played the move `turn`.
    #[must_use]
    pub fn played(self, player: Player, turn: Move) -> String {
        glossary::PLAYED.fill(self.0, &[&self.player(player), &turn])
    }

    /// Returns the text `term` in the user's language. Replaces its placeholder `{0}` by the number of turns `turns`
    /// and the noun, such as "2 turns".
    #[must_use]
    pub fn with_turns(self, term: Term, turns: usize) -> String {
        term.fill(self.0, &[&self.turns(turns)])
    }

    /// Formats a hint: the suggested move, then the win probabilities of black and white in percent.
    #[must_use]
    pub fn advice(self, advice: ChosenMove) -> String {
        let hint = self.hint(advice.turn);
        let win_percentages = self.win_percentages(advice.black_wins);
        labels::ADVICE.fill(self.0, &[&hint, &win_percentages])
    }

    /// Returns the text at the beginning of a step of the rules tutorial: first feedback on the step before it, which
    /// the learner has solved; then the step's task. `index` is the index of the step, from 0; step 0 has only the
    /// task.
    #[must_use]
    pub fn tutorial_task(self, index: usize) -> String {
        let step = STEPS[index];
        let number = self.step(index + 1, STEPS.len(), self.label(step.title));
        let task = format!("{number}\n{}", self.label(step.task));
        match index.checked_sub(1) {
            Some(before) => format!("{}\n\n{task}", self.label(STEPS[before].done)),
            None => task,
        }
    }

    /// Lists the squares `legal_squares`, which may be chosen next in a turn, after a heading. The heading says what
    /// the squares are: amazons that can move, destinations of an amazon, or squares for an arrow.
    ///
    /// - `chosen`: squares chosen so far in this turn, from which the heading follows.
    /// - `legal_squares`: squares to list, as a bitboard (bit n = square n; 0 = a1, 1 = b1).
    #[must_use]
    pub fn legal_squares(self, chosen: &[Square], legal_squares: u64) -> String {
        let what = match *chosen {
            [] => self.label(labels::THESE_CAN_MOVE).to_owned(),
            [from] => self.amazon_reaches(from),
            [_, to, ..] => self.arrow_reaches(to),
        };
        match legal_squares {
            0 => what + self.label(labels::NOTHING),
            legal_squares => what + &square_list(legal_squares),
        }
    }
}
