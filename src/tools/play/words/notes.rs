//! What play says of the state of the game and of what was done.

use super::{Words, file, labels, list};
use crate::board::Player;
use crate::console::{quoted, visible};
use crate::tools::analysis::glossary::{self, Term};
use crate::tools::analysis::primer::STEPS;
use crate::tools::play::command::Action;
use crate::tools::play::message::{Note, Question, State};
use crate::tools::play::selection::Selection;
use crate::tools::play::sitting::Sitting;

impl Words {
    /// The state of the game, and whether it can't be kept.
    #[must_use]
    pub fn status(self, sitting: &Sitting) -> String {
        let state = self.state(&sitting.state());
        match sitting.is_unkept {
            true => self.unkept(state),
            false => state,
        }
    }

    /// The state of the game.
    #[must_use]
    pub fn state(self, state: &State) -> String {
        match state {
            State::Asked(Question::Overwrite(path)) => self.overwrite(file(path)),
            State::Asked(Question::Leave(action)) => self.leave(self.label(match action {
                Action::New => labels::BEGIN_ANOTHER,
                Action::Quit => labels::QUIT,
                _ => labels::LOAD_OTHER,
            })),
            State::Looking { ply, plies } => self.position_after(ply, self.turns(*plies)),
            State::Over(winner) => {
                let why = glossary::NO_MOVE.of(self.0, &[&self.player(!*winner)]);
                self.named(self.won(*winner), why)
            }
            State::Thinking(player) => self.to_move(*player, labels::BOT_THINKS),
            State::Paused(player) => self.to_move(*player, labels::BOT_WAITS),
            State::Choose(player, selection) => match selection {
                Selection::Nothing => self.to_move(*player, labels::CHOOSE_AMAZON),
                Selection::Amazon(from) => self.choose_destination(self.player(*player), from),
                Selection::Walk { from, to } => self.choose_arrow(self.player(*player), from, to),
            },
        }
    }

    /// Who is to move, and how that goes.
    fn to_move(self, player: Player, what: Term) -> String {
        let to_move = glossary::TO_MOVE.of(self.0, &[&self.player(player)]);
        self.named(to_move, self.label(what))
    }

    /// Who has won.
    pub(super) fn won(self, winner: Player) -> String {
        glossary::WON.of(self.0, &[&self.player(winner)])
    }

    /// What was done.
    #[must_use]
    pub fn note(self, note: &Note) -> String {
        match note {
            Note::Said(term) => self.label(*term).to_owned(),
            Note::OfTurns(term, turns) => term.of(self.0, &[&self.turns(*turns)]),
            Note::Played(player, turn) => {
                glossary::PLAYED.of(self.0, &[&self.player(*player), turn])
            }
            Note::Legal(selection, legal) => self.legal(*selection, *legal),
            Note::Saved(path) => self.saved(file(path)),
            Note::Loaded(turns, path, remark) => {
                let loaded = self.loaded(self.turns(*turns), file(path));
                let remark = remark
                    .as_ref()
                    .map(|remark| format!("\n{}", visible(remark)));
                loaded + &remark.unwrap_or_default()
            }
            Note::Seats([black, white]) => self.seats(self.seat(*black), self.seat(*white)),
            Note::Pace(pace) => self.pace(pace.as_secs_f32()),
            Note::Advised(advice) => {
                let chances = self.chances(advice.black_wins);
                let hint = self.hint(advice.turn);
                labels::ADVICE.of(self.0, &[&hint, &chances])
            }
            Note::Task(at) => self.task(*at),
            Note::Learned => {
                let done = STEPS.last().map_or("", |step| self.label(step.done));
                format!("{done}\n\n{}", self.label(labels::LEARNED))
            }
            Note::NotKept(why) => self.not_kept(quoted(why)),
        }
    }

    /// What was done in the step before, and what is to do in this one.
    fn task(self, at: usize) -> String {
        let step = STEPS[at];
        let praise = at
            .checked_sub(1)
            .map(|before| self.label(STEPS[before].done));
        let praise = praise.map_or(String::new(), |done| format!("{done}\n\n"));
        let number = self.step(at + 1, STEPS.len(), self.label(step.title));
        format!("{praise}{number}\n{}", self.label(step.task))
    }

    /// Which squares may be chosen next.
    fn legal(self, selection: Selection, legal: u64) -> String {
        let what = match selection {
            Selection::Nothing => self.label(labels::THESE_CAN_MOVE).to_owned(),
            Selection::Amazon(from) => self.amazon_reaches(from),
            Selection::Walk { to, .. } => self.arrow_reaches(to),
        };
        match legal {
            0 => what + self.label(labels::NOTHING),
            legal => what + &list(legal),
        }
    }
}
