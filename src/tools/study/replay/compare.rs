//! Compares the answers that a bot gives now with the answers in a match log, turn by turn.

use crate::platform::process::{Limits, TurnReport};
use analysis::glossary::Language;
use analysis::rejection::RejectedAnswer;
use engine::board::{Move, Player};
use engine::console::{indented, quoted};
use record::checked_game::{CheckedGame, Fault, player_at};
use record::judge::{Coordinates, Judge};
use record::log::Answer;
use std::fmt;

/// A turn in which the bot's answer differs from the answer in the match log.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Ply, counted from 1, at which the replayed bot's answer differs from the recorded one. `amazons replay --at`
    /// with the number `ply - 1` shows the position in which both were given.
    pub ply: usize,
    /// Answer in the match log to this turn's request: the move, with the judge's verdict, time and memory.
    pub logged: Answer,
    /// Answer that the bot has given now to the same request: the move, with the verdict, time and memory.
    pub answered: Answer,
    /// Why the judge would reject the bot's answer; `None` if the judge would accept it. First: the reason, such as an
    /// illegal move. Second: the rejected answer and its position, which serve to explain the reason to the user.
    pub rejection: Option<(Fault, RejectedAnswer)>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let logged = answer_text(&self.logged);
        write!(f, "ply {:2}: the log has {logged}, ", self.ply)?;
        match &self.rejection {
            None => write!(f, "the bot answers {}", answer_text(&self.answered))?,
            Some((fault, rejection)) => {
                let (fault, why) = (fault.abbreviation(), rejection.reason(Language::En));
                write!(f, "the bot's answer is refused ({fault}): {why}")?;
            }
        }
        let Answer { time, memory, .. } = self.answered;
        write!(f, " [{time} ms, {memory} MB]")
    }
}

/// Asks a bot for an answer in every turn of `side`. Returns the turns in which the bot's answer differs from the one
/// in the game's log. After each turn, the game goes on with the move in the log, whatever the bot answered.
///
/// - `always_fresh`: true to start a new process of the bot for every turn.
/// - `limits`: limits of time and memory, which the explanations of rejected answers mention.
/// - `ask`: called as `ask(history, fresh)` for each answer. `history` has the judge's requests and the bot's responses
///   so far, then the request to answer. If `fresh` is true, `ask` has to start a new process of the bot.
///
/// If `always_fresh` is false, a process is asked again if, as on Botzone, it requested to be kept running. But after
/// an answer other than the one in the log, a new process is started, because the old one would continue from its own
/// answer.
///
/// # Errors
/// The first error of `ask`.
pub fn compare<E>(
    game: &CheckedGame,
    side: Player,
    always_fresh: bool,
    limits: Limits,
    mut ask: impl FnMut(&[Coordinates], bool) -> Result<TurnReport, E>,
) -> Result<Vec<Difference>, E> {
    let mut differences = Vec::new();
    let mut judge = Judge::default();
    let mut fresh = true;
    for (ply, logged) in game.answers.iter().enumerate() {
        if player_at(ply) == side {
            let turn = ask(&game.history(ply), fresh)?;
            let answered = Answer::from(&turn);
            let response = answered.response.as_ref();
            let output = judge.clone().answer(answered.verdict, response);
            let rejection = Fault::from_output(&output, answered.verdict)
                .map(|fault| (fault, turn.rejection(&game.moves[..ply], limits)));
            let is_same = response.and_then(Coordinates::read).as_ref() == game.moves.get(ply);
            let is_logged = is_same && rejection.is_none();
            fresh = always_fresh || !is_logged || !answered.keep_running;
            if !is_logged {
                differences.push(Difference {
                    ply: ply + 1,
                    logged: logged.clone(),
                    answered,
                    rejection,
                });
            }
        }
        judge.answer(logged.verdict, logged.response.as_ref());
    }
    Ok(differences)
}

/// Returns the first of the bot's answers that the judge would reject, together with the position in which it was
/// given. Returns `None` if the judge would accept all answers.
#[must_use]
pub fn first_rejected(differences: &[Difference]) -> Option<&RejectedAnswer> {
    let mut rejections = differences.iter().flat_map(|found| &found.rejection);
    rejections.next().map(|(_, rejection)| rejection)
}

/// Formats the comparison of a bot's answers with those in a log: how many are equal, each difference, and the board of
/// the first answer that the judge would reject.
#[must_use]
pub fn report(game: &CheckedGame, side: Player, differences: &[Difference]) -> String {
    let turns = game.turn_stats(side).turns;
    let equal = turns - differences.len();
    let mut text = format!("  the bot as {side}: {equal} of {turns} answers as in the log\n");
    for difference in differences {
        text += &format!("  {difference}\n");
    }
    if let Some(rejection) = first_rejected(differences) {
        let ply = rejection.moves.len() + 1;
        text += &format!("  the first refused answer, at ply {ply}:\n");
        let diagram = rejection.diagram(Language::En);
        text += &indented(&(diagram + &rejection.format_mistakes(Language::En)));
    }
    text
}

/// Formats a move as its three squares, such as `c1 c6 b5`. If one of them is off the board, formats the move's six
/// coordinates instead.
#[must_use]
pub fn format_move(turn: Coordinates) -> String {
    Move::from_coordinates(turn.numbers())
        .map_or_else(|_| turn.to_string(), |turn| turn.to_string())
}

/// Formats an answer of a bot: its move, such as `c1 c6 b5`; or its response in quotes, if the response is no move. If
/// the bot gave no response, returns `no answer` and the judge's verdict, such as `TLE` (time limit exceeded).
fn answer_text(answer: &Answer) -> String {
    let response = answer.response.as_ref();
    match (response.and_then(Coordinates::read), response) {
        (Some(turn), _) => format_move(turn),
        (None, Some(response)) => quoted(&response.to_string()).to_string(),
        (None, None) => format!("no answer ({})", answer.verdict.unwrap_or_default().name()),
    }
}
