//! Formats an analysis as English text.

use analysis::analysed::Analysis;
use analysis::glossary::{self, Language};
use analysis::ply::Ply;
use analysis::summary::GameSummary;
use engine::board::{Move, SIDE};
use engine::console::{escaped, with_noun};
use indicatif::HumanCount;

/// Maximum number of moves to print for a principal variation, which is the best play of both sides that a search
/// found.
const MAX_PV_MOVES: usize = 4;

/// Formats the analysis of a game as text: a heading, which move decided the game, and every ply with the best moves
/// before it. If `with_ownership`, adds to each ply a table of the likely owners of the squares.
#[must_use]
pub fn format_analysis(game: &Analysis, with_ownership: bool) -> String {
    let mut text = heading(&game.summary);
    text += &deciding_moment(&game.summary);
    text += "  probabilities are those of the player to move\n";
    for ply in &game.plies {
        text += &format_ply(ply);
        if with_ownership {
            text += &format_ownership(&ply.ownership);
        }
    }
    text
}

/// Formats the likely owners of the squares as a table of numbers: a line for each rank and a column for each file.
/// `squares` has a number for each square, row by row from a1: from 1 (black's) to -1 (white's).
fn format_ownership(squares: &[f32]) -> String {
    let mut text = "         a     b     c     d     e     f     g     h\n".to_owned();
    for (rank, row) in (1..).zip(squares.chunks(SIDE)) {
        let row: String = row.iter().map(|owner| format!("{owner:6.2}")).collect();
        text += &format!("    {rank} {row}\n");
    }
    text
}

/// Formats two lines about a game: its title; its result and length in plies. If only a part of the game was analysed,
/// adds the numbers of the first and the last analysed ply.
#[must_use]
pub fn heading(summary: &GameSummary) -> String {
    let title = escaped(&summary.game);
    let plies = with_noun(summary.plies as u64, "ply", "plies");
    let part = |[first, last]: [usize; 2]| format!(", analysed from ply {first} to {last}");
    let part = summary.analysed.map(part).unwrap_or_default();
    format!("{title}\n  {}; {plies}{part}\n", summary.outcome)
}

/// Returns a heading, and below it the explanation which move decided the game. Returns an empty text if the analysis
/// found no such move.
#[must_use]
pub fn deciding_moment(summary: &GameSummary) -> String {
    let Some(decided) = &summary.decided else {
        return String::new();
    };
    let lines = decided.sentences(Language::En).into_iter();
    let lines: String = lines.map(|line| format!("    {line}\n")).collect();
    format!("  {}\n{lines}", glossary::DECIDED.text(Language::En))
}

/// Formats a ply of an analysis. One line has the move played and the mover's win probabilities before and after it.
/// One line follows for each reason why the move is a mistake, and one for each of the best moves that the search
/// found.
fn format_ply(ply: &Ply) -> String {
    let (number, player, before) = (ply.ply, ply.player, format_percentage(ply.win_probability));
    let after = probability_after(ply);
    let mut text = match ply.turn {
        Some(turn) => format!("ply {number:2}  {player}  {turn}  {before} → {after}\n"),
        None => format!("the end  {player} to move  {before}\n"),
    };
    text += &reasons(ply, 6);
    for candidate in &ply.candidates {
        let (turn, likely) = (candidate.turn, format_percentage(candidate.win_probability));
        let count = HumanCount(candidate.visits.into()).to_string();
        let visits = ["visits", "visit"][usize::from(candidate.visits == 1)];
        let line = format_variation(&candidate.principal_variation[1..]);
        text += &format!("    {turn}  {likely}  {count:>9} {visits:6}  {line}\n");
    }
    text
}

/// Formats the reasons why the best move is better than the move played, one in each line. Each line begins with
/// `blanks` spaces. Returns an empty text if the move played is no mistake.
#[must_use]
pub fn reasons(ply: &Ply, blanks: usize) -> String {
    let lines = ply.reasons.iter();
    let lines = lines.map(|reason| format!("{:blanks$}{}\n", "", reason.text.en));
    lines.collect()
}

/// Formats the mover's win probability after the move played, such as ` 52.3%`. If the move is a mistake, adds the kind
/// of mistake, and the loss in win probability in percentage points.
#[must_use]
pub fn probability_after(ply: &Ply) -> String {
    let after = ply.win_probability_after.map(format_percentage);
    let after = after.unwrap_or_default();
    match (ply.judgement, ply.loss) {
        (Some(judgement), Some(loss)) => {
            let judged = judgement.term().text(Language::En);
            format!("{after}  {judged}: {}", format_loss(loss))
        }
        _ => after,
    }
}

/// Formats a principal variation, the best play of both sides that a search found: its first four moves, or all if
/// there are fewer, such as `c1 c6 b5; a7 c5 c7`.
#[must_use]
pub fn format_variation(moves: &[Move]) -> String {
    let shown = moves.iter().take(MAX_PV_MOVES);
    let shown: Vec<String> = shown.map(Move::to_string).collect();
    shown.join("; ")
}

/// Formats a probability from 0 to 1 as a percentage with one decimal, such as ` 52.3%`.
#[must_use]
pub fn format_percentage(probability: f32) -> String {
    format!("{:5.1}%", 100.0 * probability)
}

/// Formats the loss in win probability through a move, from 0 to 1, in percentage points with one decimal, such as
/// `12.3 points lost`.
#[must_use]
pub fn format_loss(loss: f32) -> String {
    glossary::LOST.fill(Language::En, &[&format_args!("{:.1}", 100.0 * loss)])
}
