//! `amazons review`: a game in short, its turning points, the biggest mistakes, each side's accuracy.

use super::analyze::input::Input;
use super::analyze::{SearchArgs, analyze, text};
use crate::board::Player;
use crate::console::{counted, print};
use crate::tools::analysis::game::Analysis;
use crate::tools::analysis::ply::Ply;
use crate::tools::analysis::review::{Side, TurningPoint};
use crate::tools::support::error::ToolError;

/// The arguments of `amazons review`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    search: SearchArgs,
}

/// Reviews the games; a damaged one is reported and the others follow. Returns the exit code.
///
/// # Errors
/// If standard output can't be written.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    analyze(&args.input, &args.search, 1, |game| {
        Ok(print(review(&game))?)
    })
}

/// The review of a game.
#[must_use]
pub fn review(game: &Analysis) -> String {
    let review = &game.summary.review;
    let mut text = text::heading(&game.summary);
    for player in [Player::Black, Player::White] {
        text += &format!("  {player}  {}\n", account(review.side(player)));
    }
    text += &turning_points(game, &review.turning_points);
    for player in [Player::Black, Player::White] {
        text += &mistakes(game, player, &review.side(player).biggest);
    }
    text
}

/// Accuracy and counts of a side.
fn account(side: &Side) -> String {
    let Some(accuracy) = side.accuracy else {
        return "no move that counts".to_owned();
    };
    let Side {
        moves,
        inaccuracies,
        mistakes,
        blunders,
        ..
    } = side;
    format!(
        "accuracy {accuracy:5.1} over {}; inaccuracies {inaccuracies}, mistakes {mistakes}, \
         blunders {blunders}",
        counted(*moves as u64, "move", "moves")
    )
}

fn turning_points(game: &Analysis, points: &[TurningPoint]) -> String {
    if points.is_empty() {
        return "  turning points: none\n".to_owned();
    }
    let mut text = "  turning points\n".to_owned();
    for &TurningPoint { ply, leader } in points {
        let (before, after) = (&game.plies[ply - 1], &game.plies[ply]);
        let [before, after] = [before, after].map(|ply| text::percent(seen_by(ply, leader)));
        text += &format!(
            "    {}  now {leader} leads: {before} → {after}\n",
            played(game, ply)
        );
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
            .map(|probability| text::percent(probability.unwrap_or_default()));
        let loss = text::points(ply.loss.unwrap_or_default());
        let better = text::line(&ply.principal_variation);
        let played = played(game, number);
        text += &format!("    {played}  {loss} lost: {after} instead of {best} after {better}\n");
    }
    text
}

/// A ply's number, player and move.
fn played(game: &Analysis, ply: usize) -> String {
    let Ply { player, turn, .. } = &game.plies[ply - 1];
    let turn = turn.map(|turn| turn.to_string()).unwrap_or_default();
    format!("ply {ply:2}  {player}  {turn}")
}

/// Win probability of a player at a ply.
fn seen_by(ply: &Ply, player: Player) -> f32 {
    if ply.player == player {
        ply.win_probability
    } else {
        1.0 - ply.win_probability
    }
}
