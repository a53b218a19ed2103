//! `amazons review`: summarises a game by its turning points, the biggest mistakes and each side's accuracy.

pub use super::analyze::SearchArgs as Args;
use super::analyze::{analyze, render};
use analysis::analysed::Analysis;
use analysis::glossary::{
    ACCURACY, LEADS, Language, NONE_COUNTS, OVER_MOVES, TURNING_POINTS, Term,
};
use analysis::ply::Ply;
use analysis::summary::{PlayerReview, TurningPoint};
use base::error::Result;
use engine::board::Player;
use engine::console::{print, with_noun};

/// Analyses the games and prints a review of each. A game that can't be read is reported on standard error and skipped.
/// Returns the exit code: 130 after Ctrl-C, else 2 if a game was skipped, else 0.
///
/// # Errors
/// If a network file can't be read, or if standard output can't be written.
pub fn run(args: &Args) -> Result<u8> {
    analyze(1, args, 1, |_, game, _| Ok(print(review(&game))?))
}

/// Formats the review of a game as English text: result, accuracy of each side, the move that decided the game, turning
/// points (moves after which a player took the lead), and the biggest mistakes of each side.
#[must_use]
pub fn review(game: &Analysis) -> String {
    let review = &game.summary.review;
    let mut text = render::heading(&game.summary);
    for player in [Player::Black, Player::White] {
        text += &format!("  {player}  {}\n", side_summary(review.of_player(player)));
    }
    text += &render::deciding_moment(&game.summary);
    text += &turning_points(game, &review.turning_points);
    for player in [Player::Black, Player::White] {
        text += &mistakes(game, player, &review.of_player(player).biggest);
    }
    text
}

/// Formats how well a side played: its accuracy, and how many mistakes of each kind it made.
fn side_summary(side: &PlayerReview) -> String {
    let text = |term: Term| term.text(Language::En);
    let Some(accuracy) = side.accuracy else {
        return text(NONE_COUNTS).to_owned();
    };
    let moves = with_noun(side.moves as u64, "move", "moves");
    let over = OVER_MOVES.fill(Language::En, &[&moves]);
    let counts = side.counts(Language::En).join(", ");
    format!("{} {accuracy:5.1} {over}; {counts}", text(ACCURACY))
}

fn turning_points(game: &Analysis, points: &[TurningPoint]) -> String {
    let heading = TURNING_POINTS.text(Language::En);
    if points.is_empty() {
        return format!("  {heading}: none\n");
    }
    let mut text = format!("  {heading}\n");
    for &TurningPoint { ply, leader } in points {
        let (before, after) = (&game.plies[ply - 1], &game.plies[ply]);
        let [before, after] =
            [before, after].map(|ply| render::format_percentage(win_probability_of(ply, leader)));
        let (played, leads) = (format_ply(game, ply), LEADS.fill(Language::En, &[&leader]));
        text += &format!("    {played}  {leads}: {before} → {after}\n");
    }
    text
}

fn mistakes(game: &Analysis, player: Player, plies: &[usize]) -> String {
    if plies.is_empty() {
        return format!("  {player}'s biggest mistakes: none\n");
    }
    let mut text = format!("  {player}'s biggest mistakes\n");
    for &number in plies {
        let ply = &game.plies[number - 1];
        let [best, after] = [ply.win_probability_best, ply.win_probability_after]
            .map(|probability| render::format_percentage(probability.unwrap_or_default()));
        let loss = render::format_loss(ply.loss.unwrap_or_default());
        let better = render::format_variation(&ply.principal_variation);
        let played = format_ply(game, number);
        text += &format!("    {played}  {loss}: {after} instead of {best} after {better}\n");
        text += &render::reasons(ply, 8);
    }
    text
}

/// Formats one ply of a game: its number, the player and the move, such as `ply  7  black  c1 c6 b5`. `ply` is counted
/// from 1.
fn format_ply(game: &Analysis, ply: usize) -> String {
    let Ply { player, turn, .. } = &game.plies[ply - 1];
    let turn = turn.map(|turn| turn.to_string()).unwrap_or_default();
    format!("ply {ply:2}  {player}  {turn}")
}

/// Returns the win probability of `player`, from 0 to 1, in the position before the move of `ply`.
fn win_probability_of(ply: &Ply, player: Player) -> f32 {
    match ply.player == player {
        true => ply.win_probability,
        false => 1.0 - ply.win_probability,
    }
}
