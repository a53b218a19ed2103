//! An analysis as text for people.

use analysis::analysed::Analysis;
use analysis::glossary::{self, Language};
use analysis::ply::Ply;
use analysis::summary::GameSummary;
use engine::board::{Move, SIDE};
use engine::console::{counted, visible};
use indicatif::HumanCount;

/// Number of shown plies of a line of play.
const LINE: usize = 4;

/// The text of every ply, with ownership if wanted.
#[must_use]
pub fn plies(game: &Analysis, with_ownership: bool) -> String {
    let mut text = heading(&game.summary);
    text += &decided(&game.summary);
    text += "  probabilities are those of the player to move\n";
    for ply in &game.plies {
        text += &self::ply(ply);
        if with_ownership {
            text += &ownership(&ply.ownership);
        }
    }
    text
}

/// The board with a number for every square, from 1, black's, to -1, white's.
fn ownership(squares: &[f32]) -> String {
    let mut text = "         a     b     c     d     e     f     g     h\n".to_owned();
    for (rank, row) in (1..).zip(squares.chunks(SIDE)) {
        let row: String = row.iter().map(|owner| format!("{owner:6.2}")).collect();
        text += &format!("    {rank} {row}\n");
    }
    text
}

/// The game's title, its result and its length.
#[must_use]
pub fn heading(summary: &GameSummary) -> String {
    let title = visible(&summary.game);
    let plies = counted(summary.plies as u64, "ply", "plies");
    let part = summary.analysed.map_or(String::new(), |[first, last]| {
        format!(", analysed from ply {first} to {last}")
    });
    format!("{title}\n  {}; {plies}{part}\n", summary.outcome)
}

/// What decided the game, where that can be told.
#[must_use]
pub fn decided(summary: &GameSummary) -> String {
    let Some(decided) = &summary.decided else {
        return String::new();
    };
    let lines = decided.told(Language::En).into_iter();
    let lines: String = lines.map(|line| format!("    {line}\n")).collect();
    format!("  {}\n{lines}", glossary::DECIDED.text(Language::En))
}

/// The move played with its win probability, then a line for each of the best moves.
fn ply(ply: &Ply) -> String {
    let (number, player, before) = (ply.ply, ply.player, percent(ply.win_probability));
    let mut text = match ply.turn {
        Some(turn) => format!(
            "ply {number:2}  {player}  {turn}  {before} → {}\n",
            worth(ply)
        ),
        None => format!("the end  {player} to move  {before}\n"),
    };
    text += &reasons(ply, 6);
    for candidate in &ply.candidates {
        let (turn, likely) = (candidate.turn, percent(candidate.win_probability));
        let count = HumanCount(candidate.visits.into()).to_string();
        let visits = ["visits", "visit"][usize::from(candidate.visits == 1)];
        let line = line(&candidate.principal_variation[1..]);
        text += &format!("    {turn}  {likely}  {count:>9} {visits:6}  {line}\n");
    }
    text
}

/// Why the move played is a mistake and the best one good, a line each with so many blanks before it.
#[must_use]
pub fn reasons(ply: &Ply, blanks: usize) -> String {
    let lines = ply.reasons.iter();
    lines
        .map(|reason| format!("{:blanks$}{}\n", "", reason.text.en))
        .collect()
}

/// The probability after the move played, and what it lost.
#[must_use]
pub fn worth(ply: &Ply) -> String {
    let after = ply.win_probability_after.map(percent).unwrap_or_default();
    match (ply.judgement, ply.loss) {
        (Some(judgement), Some(loss)) => {
            let judged = judgement.term().text(Language::En);
            format!("{after}  {judged}: {}", lost(loss))
        }
        _ => after,
    }
}

/// The beginning of a line of play.
#[must_use]
pub fn line(moves: &[Move]) -> String {
    let shown: Vec<String> = moves.iter().take(LINE).map(Move::to_string).collect();
    shown.join("; ")
}

/// A probability in per cent.
#[must_use]
pub fn percent(probability: f32) -> String {
    format!("{:5.1}%", 100.0 * probability)
}

/// What a move lost, in percentage points.
#[must_use]
pub fn lost(loss: f32) -> String {
    glossary::LOST.of(Language::En, &[&format_args!("{:.1}", 100.0 * loss)])
}
