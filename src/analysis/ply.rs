//! The analysis of one position of a game, and of the move that was played in it.

use super::judgement::Judgement;
use super::ownership::Ownership;
use super::position::{Candidate, Outlook, Position};
use super::reasons::line::Line;
use super::reasons::{Reason, reasons};
use engine::board::{Board, Move, Player};
use record::replayed::Replayed;
use serde::Serialize;

/// The analysis of one position and of the move that was played in it.
///
/// Every win probability is that of the player to move, [`Ply::player`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ply {
    /// Number of the move, from 1. The position is that of `amazons replay --at` with the number before it.
    pub ply: usize,
    /// The player to move.
    pub player: Player,
    /// The move that was played; nothing at the end of the game.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub turn: Option<Move>,
    /// [`engine::mcts::Report::win_probability`].
    pub win_probability: f32,
    /// Whether the winner is certain.
    pub proven: bool,
    /// The winner whatever both play, if the game was solved up to here: [`Analysis::with_solved`].
    ///
    /// [`Analysis::with_solved`]: super::analysed::Analysis::with_solved
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<Player>,
    /// Win probability after the move that was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_probability_after: Option<f32>,
    /// Win probability after the best move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_probability_best: Option<f32>,
    /// How far the win probability after the move played is below that after the best move, at least 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<f32>,
    /// What a move with this loss is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judgement: Option<Judgement>,
    /// Why the move played is a mistake, if it is one, and why the best move is good.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// [`engine::mcts::Report::visits`].
    pub visits: u32,
    /// [`engine::mcts::Report::iterations`].
    pub iterations: u64,
    /// [`engine::mcts::Report::evaluations`].
    pub evaluations: u64,
    /// [`engine::mcts::Report::depth`].
    pub depth: usize,
    /// [`engine::mcts::Report::principal_variation`].
    pub principal_variation: Vec<Move>,
    /// The best moves, the best one first.
    pub candidates: Vec<Candidate>,
    /// The candidate of the move played, if the search has visited it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played: Option<Candidate>,
    /// Ownership of each square by rows from a1: 1 black's, -1 white's, to a thousandth.
    pub ownership: Vec<f32>,
    /// Time of the turn in milliseconds, if the log tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Memory of the turn in MB, if the log tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u64>,
}

impl Ply {
    /// The analysis of the position after `at` plies. `next`: what follows the move played, by the search of the next
    /// position.
    ///
    /// The loss compares equally long searches: of the position after the best move, and of the one after the move
    /// played. It is 0 if the best move was played. Results that this position's search has proven replace either.
    #[must_use]
    pub fn new(game: &Replayed, at: usize, position: Position, next: Option<&Outlook>) -> Ply {
        let report = position.report;
        let proof = |entry: &Candidate| entry.proven.then_some(entry.win_probability);
        let after = next.map(|next| next.win_probability);
        let after = position.played.as_ref().and_then(proof).or(after);
        let turn = game.move_at(at);
        let is_best = turn.as_ref() == report.principal_variation.first();
        let certain = (position.proven && !is_best).then_some(report.win_probability);
        let best = certain
            .or(position
                .after_best
                .as_ref()
                .map(|best| best.win_probability))
            .or(after)
            .filter(|_| after.is_some());
        let loss = best.zip(after).map(|(best, after)| (best - after).max(0.0));
        let answer = game.answers.get(at);
        // A log with both at 0 does not tell.
        let answer = answer.filter(|answer| answer.time > 0 || answer.memory > 0);
        let judgement = loss.and_then(Judgement::of);
        let board = game.board_at(at);
        let played = turn
            .zip(next)
            .map(|(turn, next)| Line::new(&board, turn, &next.line, next.prospect));
        let best_line = match &played {
            Some(played) if is_best => Some(played.clone()),
            _ => best_line(
                &board,
                &report.principal_variation,
                position.after_best.as_ref(),
            ),
        };
        let mistake = played.filter(|_| judgement.is_some());
        let reasons = best_line.map(|best| reasons(&best, mistake.as_ref()));
        Ply {
            ply: at + 1,
            player: game.player_at(at),
            turn,
            win_probability: report.win_probability,
            proven: position.proven,
            winner: None,
            win_probability_after: after,
            win_probability_best: best,
            loss,
            judgement,
            reasons: reasons.unwrap_or_default(),
            visits: report.visits,
            iterations: report.iterations,
            evaluations: report.evaluations,
            depth: report.depth,
            principal_variation: report.principal_variation,
            candidates: position.candidates,
            played: position.played,
            ownership: Ownership::in_position(&board)
                .0
                .map(|owner| (1000.0 * owner).round() / 1000.0)
                .to_vec(),
            time_ms: answer.map(|answer| answer.time),
            memory_mb: answer.map(|answer| answer.memory),
        }
    }
}

/// The line of the best move: what a second search has found behind it, else what the first one has.
fn best_line(board: &Board, line: &[Move], after: Option<&Outlook>) -> Option<Line> {
    let (&best, replies) = line.split_first()?;
    let (replies, prospect) = match after {
        Some(after) => (&after.line[..], after.prospect),
        None => (replies, None),
    };
    Some(Line::new(board, best, replies, prospect))
}
