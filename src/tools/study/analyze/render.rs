//! Formats an analysis as text for people.

use analysis::analysed::Analysis;
use analysis::glossary::{self, Language};
use analysis::ply::Ply;
use analysis::summary::GameSummary;
use engine::board::{Move, SIDE};
use engine::console::{counted, visible};
use indicatif::HumanCount;

/// Maximum number of moves to show of a principal variation.
const MAX_PV_MOVES: usize = 4;

/// Returns the text of every ply, with each square's ownership if `with_ownership`.
#[must_use]
pub fn plies(game: &Analysis, with_ownership: bool) -> String {
    let mut text = heading(&game.summary);
    text += &deciding_moment(&game.summary);
    text += "  probabilities are those of the player to move\n";
    for ply in &game.plies {
        text += &self::ply(ply);
        if with_ownership {
            text += &ownership(&ply.ownership);
        }
    }
    text
}

/// Returns the board with each square's ownership, from 1 (black) to -1 (white).
fn ownership(squares: &[f32]) -> String {
    let mut text = "         a     b     c     d     e     f     g     h\n".to_owned();
    for (rank, row) in (1..).zip(squares.chunks(SIDE)) {
        let row: String = row.iter().map(|owner| format!("{owner:6.2}")).collect();
        text += &format!("    {rank} {row}\n");
    }
    text
}

/// Returns the game's title, result and length, and the range of plies if only a part was analysed.
#[must_use]
pub fn heading(summary: &GameSummary) -> String {
    let title = visible(&summary.game);
    let plies = counted(summary.plies as u64, "ply", "plies");
    let part = summary.analysed.map_or(String::new(), |[first, last]| {
        format!(", analysed from ply {first} to {last}")
    });
    format!("{title}\n  {}; {plies}{part}\n", summary.outcome)
}

/// Returns a sentence on what decided the game; empty if that is unknown.
#[must_use]
pub fn deciding_moment(summary: &GameSummary) -> String {
    let Some(decided) = &summary.decided else {
        return String::new();
    };
    let lines = decided.sentences(Language::En).into_iter();
    let lines: String = lines.map(|line| format!("    {line}\n")).collect();
    format!("  {}\n{lines}", glossary::DECIDED.text(Language::En))
}

/// Returns a line with the move played and its win probability, then a line for each of the best moves.
fn ply(ply: &Ply) -> String {
    let (number, player, before) = (ply.ply, ply.player, percent(ply.win_probability));
    let mut text = match ply.turn {
        Some(turn) => format!(
            "ply {number:2}  {player}  {turn}  {before} → {}\n",
            probability_after(ply)
        ),
        None => format!("the end  {player} to move  {before}\n"),
    };
    text += &reasons(ply, 6);
    for candidate in &ply.candidates {
        let (turn, likely) = (candidate.turn, percent(candidate.win_probability));
        let count = HumanCount(candidate.visits.into()).to_string();
        let visits = ["visits", "visit"][usize::from(candidate.visits == 1)];
        let line = variation(&candidate.principal_variation[1..]);
        text += &format!("    {turn}  {likely}  {count:>9} {visits:6}  {line}\n");
    }
    text
}

/// Returns the reasons why the move played is a mistake and the best move good, one a line, indented by `blanks` spaces.
#[must_use]
pub fn reasons(ply: &Ply, blanks: usize) -> String {
    let lines = ply.reasons.iter();
    lines
        .map(|reason| format!("{:blanks$}{}\n", "", reason.text.en))
        .collect()
}

/// Returns the win probability after the move played, and the loss if the move is a mistake.
#[must_use]
pub fn probability_after(ply: &Ply) -> String {
    let after = ply.win_probability_after.map(percent).unwrap_or_default();
    match (ply.judgement, ply.loss) {
        (Some(judgement), Some(loss)) => {
            let judged = judgement.term().text(Language::En);
            format!("{after}  {judged}: {}", points_lost(loss))
        }
        _ => after,
    }
}

/// Returns the first moves of a principal variation, at most four, separated by semicolons.
#[must_use]
pub fn variation(moves: &[Move]) -> String {
    let shown: Vec<String> = moves
        .iter()
        .take(MAX_PV_MOVES)
        .map(Move::to_string)
        .collect();
    shown.join("; ")
}

/// Formats a probability as a percentage with one decimal.
#[must_use]
pub fn percent(probability: f32) -> String {
    format!("{:5.1}%", 100.0 * probability)
}

/// Formats the win probability that a move lost, in percentage points.
#[must_use]
pub fn points_lost(loss: f32) -> String {
    glossary::LOST.of(Language::En, &[&format_args!("{:.1}", 100.0 * loss)])
}
