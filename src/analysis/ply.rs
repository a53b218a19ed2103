//! Analysis of one position of a game and of the move that was played in it: [`Ply`].

use super::judgement::Judgement;
use super::ownership::ownership;
use super::position::{Candidate, Explanation, Outlook, SearchedPosition};
use super::reasons::line::Line;
use super::reasons::{Reason, reasons, unexplained};
use engine::board::{Board, Move, Player};
use record::checked_game::CheckedGame;
use serde::Serialize;

/// Analysis of one position of a game, and of the move that was played in this position.
///
/// Every win probability in it is that of the side to move, [`Ply::player`], from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ply {
    /// Number of the move that is played in the position, counted from 1. In the final position, the number of all
    /// moves plus 1.
    pub ply: usize,
    /// Side to move in the position.
    pub player: Player,
    /// Move that was played in this position of the game; `None` in the final position.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub turn: Option<Move>,
    /// Win probability of the side to move in this position, before its move, from 0 to 1: see
    /// [`engine::mcts::Report::win_probability`].
    pub win_probability: f32,
    /// True if the search has proven the winner of the position. This is independent of the solver (proof-number
    /// search), whose result is [`Ply::winner`].
    pub proven: bool,
    /// Winner of the position under perfect play, proven by the solver (proof-number search). `None` if the solver did
    /// not run or did not find the winner: see [`Analysis::with_solved`].
    ///
    /// [`Analysis::with_solved`]: super::analysed::Analysis::with_solved
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<Player>,
    /// Win probability of [`Ply::player`] after the played move, from 0 to 1. `None` if no move was played, or if the
    /// position after the played move was not searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_probability_after: Option<f32>,
    /// Win probability of [`Ply::player`] after the best move, from 0 to 1. `None` if [`Ply::win_probability_after`] is
    /// `None`, because there is then nothing to compare with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_probability_best: Option<f32>,
    /// Win probability after the best move minus that after the played move, at least 0, both for [`Ply::player`].
    /// `None` if no move was played, or if the position after the played move was not searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<f32>,
    /// Judgement of the played move, such as a mistake, by its loss. `None` if the loss is unknown or below 0.05.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judgement: Option<Judgement>,
    /// Sentences that explain in words why moves are good or bad. If `judgement` is not `None`, they say first why the
    /// played move is bad, then why the best move is good; otherwise only why the best move is good.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// Number of search iterations that tried the amazon's part of the best move, with any arrow shot after it: see
    /// [`engine::mcts::Report::visits`].
    pub visits: u32,
    /// Number of iterations of the search of this position: see [`engine::mcts::Report::iterations`].
    pub iterations: u64,
    /// Number of positions to which the search applied the static evaluation: see
    /// [`engine::mcts::Report::evaluations`].
    pub evaluations: u64,
    /// Length of the longest sequence of moves that the search examined, in plies (moves by either player): see
    /// [`engine::mcts::Report::depth`].
    pub depth: usize,
    /// Principal variation (best play for both sides, as far as the search has seen); begins with the best move: see
    /// [`engine::mcts::Report::principal_variation`].
    pub principal_variation: Vec<Move>,
    /// Best candidate moves, the best first: see [`SearchedPosition::candidates`].
    pub candidates: Vec<Candidate>,
    /// Statistics of the played move in the search of this position, such as visits and win probability; `None` if the
    /// search has not visited the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<Candidate>,
    /// Estimated owner of each of the 64 squares at the end of the game, row by row from a1: from 1 (surely black's) to
    /// −1 (surely white's), rounded to three decimals.
    pub ownership: Vec<f32>,
    /// Time that the bot took for the played move, in milliseconds; `None` if the log of the game does not record it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Memory that the bot used for the played move, in MB; `None` if the log of the game does not record it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u64>,
}

/// Threshold of the loss of win probability (0 to 1) from which on a bad move is explained by its effects. Below it,
/// the analysis only says that the search prefers another move. The loss is [`Explanation::loss`], from longer
/// searches, not [`Ply::loss`].
const MIN_EXPLAINED_LOSS: f32 = 0.11;

impl Ply {
    /// Creates the analysis of one position of `game` and of the move played in it.
    ///
    /// - `moves_before`: number of moves before the position.
    /// - `position`: result of the search of this position.
    /// - `next`: result of the search of the position after the played move; `None` if there was no such search.
    ///
    /// [`Ply::loss`] is the win probability after the best move minus that after the played move, both for the player
    /// who made the move; it is 0 if the best move was played. The two win probabilities come from searches of the
    /// positions after these moves. If the search of `position` has proven the result of one of the two moves, the
    /// proven win probability (0 or 1) is used for this move.
    #[must_use]
    pub fn new(
        game: &CheckedGame,
        moves_before: usize,
        position: SearchedPosition,
        next: Option<&Outlook>,
    ) -> Ply {
        let report = position.report;
        let proof = |entry: &Candidate| entry.proven.then_some(entry.win_probability);
        let after = next.map(|next| next.win_probability);
        let after = position.played.as_ref().and_then(proof).or(after);
        let turn = game.move_at(moves_before);
        let is_best = turn.as_ref() == report.principal_variation.first();
        let certain = (position.proven && !is_best).then_some(report.win_probability);
        let after_best = position.after_best.as_ref();
        let searched = after_best.map(|best| best.win_probability);
        let best = certain.or(searched).or(after).filter(|_| after.is_some());
        let loss = best.zip(after).map(|(best, after)| (best - after).max(0.0));
        let answer = game.answers.get(moves_before);
        // A log that lacks time and memory is parsed as 0 for both. So 0 for both means that the log does not record
        // them.
        let answer = answer.filter(|answer| answer.time > 0 || answer.memory > 0);
        let judgement = loss.and_then(Judgement::from_loss);
        let board = game.board_at(moves_before);
        let rounded = |owner: f32| (1000.0 * owner).round() / 1000.0;
        let reasons = match (report.principal_variation.split_first(), turn) {
            (Some((&best, _)), Some(mistake)) if judgement.is_some() => {
                mistake_reasons(&board, best, mistake, position.explanation.as_ref())
            }
            (Some((&best, replies)), _) => {
                let after = next.filter(|_| is_best).or(after_best);
                let replies = after.map_or(replies, |after| &after.replies);
                reasons(&Line::new(&board, best, replies), None)
            }
            (None, _) => Vec::new(),
        };
        Ply {
            ply: moves_before + 1,
            player: game.player_at(moves_before),
            turn,
            win_probability: report.win_probability,
            proven: position.proven,
            winner: None,
            win_probability_after: after,
            win_probability_best: best,
            loss,
            judgement,
            reasons,
            visits: report.visits,
            iterations: report.iterations,
            evaluations: report.evaluations,
            depth: report.depth,
            principal_variation: report.principal_variation,
            candidates: position.candidates,
            played: position.played,
            ownership: ownership(&board).map(rounded).to_vec(),
            time_ms: answer.map(|answer| answer.time),
            memory_mb: answer.map(|answer| answer.memory),
        }
    }
}

/// Explains why the played move `mistake` is bad and why the move `best` is good. `explanation` holds the results of
/// longer searches of the positions after both moves.
///
/// In two cases, returns only the sentence that the search prefers `best` ([`unexplained`]): `explanation` is `None`,
/// or the loss of win probability by `mistake` ([`Explanation::loss`], 0 to 1) is below [`MIN_EXPLAINED_LOSS`].
fn mistake_reasons(
    board: &Board,
    best: Move,
    mistake: Move,
    explanation: Option<&Explanation>,
) -> Vec<Reason> {
    match explanation {
        Some(found) if found.loss() >= MIN_EXPLAINED_LOSS => {
            let best = Line::new(board, best, &found.best.replies);
            let mistake = Line::new(board, mistake, &found.mistake.replies);
            reasons(&best, Some(&mistake))
        }
        _ => vec![unexplained(&Line::new(board, mistake, &[]), best)],
    }
}
