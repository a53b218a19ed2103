//! `amazons replay`: checks match logs against the rules, reports on them, shows their positions, and compares the
//! answers that a bot gives now with those in the logs.

pub mod compare;

use super::print_warnings;
use crate::platform::process::{LaunchArgs, Limits, Process, TurnError};
use crate::platform::source::LogSource;
use crate::platform::turn_input;
use crate::player::spec::{Kind, PlayerSpec};
use analysis::glossary::{BY_RECORD, Language};
use analysis::rejection::RejectedAnswer;
use base::error::{Result, ok_or_print};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use engine::board::Player;
use engine::botzone::Protocol;
use engine::console::{escaped, indented, print, print_error, with_noun};
use record::checked_game::{CheckedGame, Outcome};
use record::judge::Coordinates;
use record::tree::Record;

/// The arguments of `amazons replay`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Match logs of the platform, or other records: files, or ids or addresses of matches
    #[arg(required = true, value_name = "FILE")]
    files: Vec<LogSource>,
    /// Draw the position after ply N on standard error; print the input that a new bot process gets there on standard
    /// output
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Format of the bot's input and output (Botzone's simple or JSON interaction)
    #[arg(long, value_name = "FORM", default_value = "simple",
        value_parser = two_values([("simple", Protocol::Simple), ("json", Protocol::Json)]))]
    form: Protocol,
    /// Command line of a bot: run it on the positions of SIDE, and report the moves that differ from those in the logs
    #[arg(long, value_name = "COMMAND", requires = "side", conflicts_with = "at")]
    bot: Option<PlayerSpec>,
    /// The side that the bot plays
    #[arg(long, value_name = "SIDE", requires = "bot",
        value_parser = two_values([("black", Player::Black), ("white", Player::White)]))]
    side: Option<Player>,
    /// Start a new process of the bot for every turn, even if the bot asks to be kept running
    #[arg(long, requires = "bot")]
    fresh: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    launch: LaunchArgs,
}

/// Returns clap's parser for an option with two possible values. In each element of `values`, first: the word on the
/// command line, such as `black`; second: the value that the word stands for, such as `Player::Black`.
fn two_values<T>(values: [(&'static str, T); 2]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let names = PossibleValuesParser::new(values.map(|value| value.0));
    names.map(move |name| values[usize::from(name == values[1].0)].1)
}

/// Replays all games of all files and prints a report on each. Reports a game that can't be read on standard error, and
/// continues with the next game. Returns the exit code: 2 if a game could not be read, else 0.
///
/// # Errors
/// If `--at` is given but there are several games, or if standard output can't be written.
pub fn run(args: &Args) -> Result<u8> {
    if args.at.is_some() && args.files.len() > 1 {
        return Err("--at N is the ply of one game, expected one file".into());
    }
    let mut code = 0;
    for file in &args.files {
        let games = file.games();
        if args.at.is_some() && games.len() > 1 {
            let (title, fault) = (&games[0].0, "--at N is the ply of one game");
            return Err(format!("{fault}, {file} has {}; for example {title}", games.len()).into());
        }
        for (title, game) in games {
            let text = game.and_then(|record| replay(&title, &record, args));
            match ok_or_print(&title, text) {
                Some(text) => print(text)?,
                None => code = 2,
            }
        }
    }
    Ok(code)
}

/// Returns the text to print about a game. With `--at N`, it is the input that a bot gets after ply N. Otherwise it is
/// the report on the game; with `--bot`, the report also compares the answers of that bot with those in the log.
///
/// # Errors
/// With `--at` or `--bot`: if the game does not begin at the start position, if the game has fewer than N plies, or if
/// the bot can't be run.
fn replay(title: &str, record: &Record, args: &Args) -> Result<String> {
    let game = &record.game;
    print_warnings(&title, game);
    if args.at.is_some() || args.bot.is_some() {
        game.check_start()?;
    }
    if let Some(ply) = args.at {
        return turn_input(game, ply, args.form);
    }
    let mut text = report(title, game);
    if let (Outcome::Running { .. }, Some(winner)) = (game.outcome(), record.winner()) {
        text += &format!("  {}\n", BY_RECORD.fill(Language::En, &[&!winner]));
    }
    if let (Some(bot), Some(side)) = (&args.bot, args.side) {
        text += &compare_with_bot(game, bot, side, args)?;
    }
    Ok(text)
}

/// Runs `bot` on each position of the game in which `side` is to move. Returns a report on the turns in which the bot's
/// answer differs from the answer in the game's log.
///
/// # Errors
/// If `bot` is this program's engine (`self:`) instead of a command line, or if the bot's process can't be run.
fn compare_with_bot(
    game: &CheckedGame,
    bot: &PlayerSpec,
    side: Player,
    args: &Args,
) -> Result<String> {
    let Kind::Process(spec) = &bot.kind else {
        return Err(format!("--bot {}: expected a command line", bot.text).into());
    };
    args.launch.check(spec)?;
    let mut spec = spec.clone();
    spec.protocol = args.form;
    let mut process = Process::new(spec, args.launch.launch()?);
    let ask_bot = |record: &[Coordinates], fresh| {
        if fresh {
            process.stop();
        }
        process.play_turn(record, args.limits, &|| false)
    };
    let fault = |error: TurnError| format!("{}: {error}", bot.text);
    let differences =
        compare::compare(game, side, args.fresh, args.limits, ask_bot).map_err(fault)?;
    let mut text = compare::report(game, side, &differences);
    process.stop();
    if compare::first_rejected(&differences).is_some() && !process.stderr().is_empty() {
        let words = process.stderr();
        text += &format!("  the bot's standard error:{words}\n");
    }
    Ok(text)
}

/// Formats the report on a game: title, result, length, and the time and memory that each player used. If the judge
/// rejected the last answer, adds the reason.
#[must_use]
pub fn report(title: &str, game: &CheckedGame) -> String {
    let plies = with_noun(game.plies() as u64, "ply", "plies");
    let outcome = analysis::glossary::outcome_sentence(game.outcome());
    let mut text = format!("{}\n  {outcome}; {plies}\n", escaped(title));
    let players = [Player::Black, Player::White];
    // If neither player has a name, the report has no column for names.
    let is_named = game.names.iter().any(Option::is_some);
    let names = players.map(|player| match is_named {
        true => escaped(game.name(player)).to_string() + "  ",
        false => String::new(),
    });
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default();
    for (player, name) in players.into_iter().zip(names) {
        let effort = game.turn_stats(player);
        text += &format!("  {player}  {name:width$}{effort}\n");
    }
    if let Some(refused) = RejectedAnswer::of_game(game) {
        text += &indented(&refused.explanation(Language::En));
    }
    text
}

/// Returns the input that a newly started bot gets after `ply` plies of the game, in the format `protocol`; empty if
/// the game is over. Also draws the position on standard error, so that standard output has nothing but the input and
/// can be piped into a bot.
///
/// # Errors
/// If the game has fewer than `ply` plies.
fn turn_input(game: &CheckedGame, ply: usize, protocol: Protocol) -> Result<String> {
    let plies = game.plies();
    if ply > plies {
        let fault = format!("there is no ply {ply}, expected 0 to {plies}");
        return Err(format!("{fault}: the game has {plies} plies").into());
    }
    let board = game.board_at(ply);
    let last = match ply.checked_sub(1).and_then(|last| game.moves.get(last)) {
        Some(&turn) => format!("after ply {ply} of {plies}, {}", compare::format_move(turn)),
        None => "at the start".to_owned(),
    };
    let drawn = board.to_string();
    print_error(format_args!("{last}:\n{}", drawn.trim_end_matches('\n')));
    let to_move = board.to_move();
    if ply == plies && matches!(game.outcome(), Outcome::NoMove { .. }) {
        let remark = "has no move: the game is over, no input is sent";
        print_error(format_args!("{to_move} {remark}"));
        return Ok(String::new());
    }
    let name = match protocol {
        Protocol::Simple => "simple",
        Protocol::Json => "JSON",
    };
    let input = format!("its input in {name} interaction, freshly started");
    print_error(format_args!("{to_move} to move; {input}:"));
    Ok(turn_input::turn_input(&game.history(ply), protocol, true))
}
