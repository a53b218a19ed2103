//! The arena: matches between bots under the platform's conditions, or of the engine against itself.

pub mod record;
pub mod report;
pub mod schedule;
pub mod stats;

use super::ToolError;
use super::files::Target;
use super::journal::Journal;
use super::judge::{Command, Coordinates, Judge, Verdict, key};
use super::log::{Answer, Entry, write_entry};
use super::player::Player;
use super::process::{LimitArgs, Limits, Turn};
use super::spec::Spec;
use super::workers;
use crate::board::Player as Colour;
use indicatif::{ProgressBar, ProgressStyle};
use record::{Cause, GameRecord, Header, TurnCost};
use report::Standings;
use schedule::{Game, Shard};
use stats::Sprt;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Most random plies of an opening: later the game may be over.
const MAX_OPENING: usize = 20;

/// Time between two lines of progress where there is no terminal.
const REPORT_EVERY: Duration = Duration::from_secs(30);

/// Play bots against each other under Botzone's conditions
///
/// A player is a command line, or `self:` with settings of this program's own engine, for example
/// `self:iterations=2000,explore_amazon=0.6`. In front there may be a name and flags:
/// `@old,json,fresh path/to/bot` (json: the JSON interaction; fresh: started anew for every turn).
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Subcommand>,
    /// First player
    #[arg(
        long,
        value_name = "SPEC",
        required_unless_present = "players",
        requires = "b"
    )]
    a: Option<Spec>,
    /// Second player
    #[arg(long, value_name = "SPEC", requires = "a")]
    b: Option<Spec>,
    /// A player of a tournament; to be given several times
    #[arg(long = "player", value_name = "SPEC", conflicts_with_all = ["a", "b"])]
    players: Vec<Spec>,
    /// The first player meets the others, who don't meet each other
    #[arg(long)]
    gauntlet: bool,
    /// Games of every pairing, half of them with either colour
    #[arg(long, default_value_t = 20)]
    games: usize,
    /// Random plies of an opening, 0 to 20
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=MAX_OPENING as i64))]
    plies: u8,
    /// Seed of the openings and of engines
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time, each on a core of its own [default: the cores there are]
    #[arg(long)]
    concurrency: Option<usize>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Stop when the first player is shown to be ELO1 better, or not ELO0 better (two players only)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// File to which every game is appended when it ends
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on with the games of the file
    #[arg(long, requires = "out")]
    resume: bool,
    /// Folder for a log of every game in the platform's shape
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
    /// Play only this share of the schedule, for example 2/8
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// Print games and result as lines of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Subcommand {
    /// Report on the games of one or more files, for example of all shards
    Report {
        /// Files written with --out
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Print the result as a line of JSON
        #[arg(long)]
        json: bool,
    },
}

impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let numbers = text
            .split_once(',')
            .map(|(low, high)| (low.trim().parse(), high.trim().parse()));
        match numbers {
            Some((Ok(elo0), Ok(elo1))) if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
            _ => Err("expected two numbers such as 0,20, the smaller first".to_owned()),
        }
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers: Option<(usize, usize)> = text
            .split_once('/')
            .and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Shard {
                index: number - 1,
                count,
            }),
            _ => Err("expected I/N with I from 1 to N".to_owned()),
        }
    }
}

/// Runs the arena; returns the exit code.
///
/// # Errors
/// If files can't be read or written, or the arguments do not go together.
pub fn run(args: Args) -> Result<u8, ToolError> {
    if let Some(Subcommand::Report { files, json }) = &args.command {
        report::run(files, *json)?;
        return Ok(0);
    }
    let specs: Vec<Spec> = match (&args.a, &args.b) {
        (Some(a), Some(b)) => vec![a.clone(), b.clone()],
        _ => args.players.clone(),
    };
    if specs.len() < 2 {
        return Err("expected --a and --b, or --player two times or more".into());
    }
    if args.sprt.is_some() && specs.len() != 2 {
        return Err("--sprt: expected two players".into());
    }
    Arena::new(args, specs)?.run()
}

/// A tournament under way.
struct Arena {
    args: Args,
    specs: Vec<Spec>,
    standings: Standings,
    file: Option<Journal>,
    progress: ProgressBar,
    last_report: Instant,
    /// Set by Ctrl-C.
    interrupted: &'static AtomicBool,
}

impl Arena {
    fn new(args: Args, specs: Vec<Spec>) -> Result<Arena, ToolError> {
        let header = Header {
            players: specs.iter().map(|spec| spec.text.clone()).collect(),
            names: unique_names(&specs),
            gauntlet: args.gauntlet,
            games: args.games,
            plies: args.plies.into(),
            seed: args.seed,
            conditions: args.limits.to_string(),
        };
        let mut standings = Standings::new(header.clone());
        let mut file = None;
        if let Some(path) = &args.out {
            let (opened, games) = record::open(path, &header, args.resume)?;
            file = Some(opened);
            games.into_iter().for_each(|game| standings.add(game));
        }
        if let Some(folder) = &args.export {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let interrupted = workers::stop_on_interrupt()?;
        let (progress, last_report) = (ProgressBar::hidden(), Instant::now());
        Ok(Arena {
            args,
            specs,
            standings,
            file,
            progress,
            last_report,
            interrupted,
        })
    }

    /// Plays what is left of the schedule and prints the result.
    fn run(mut self) -> Result<u8, ToolError> {
        let mut games = schedule::games(
            self.specs.len(),
            self.args.gauntlet,
            self.args.games,
            self.args.shard,
        );
        let total = games.len();
        games.retain(|game| !self.standings.has(game.number));
        self.start_progress(total, total - games.len());
        let (specs, interrupted, decided) =
            (self.specs.clone(), self.interrupted, AtomicBool::new(false));
        let table = Table {
            specs: &specs,
            limits: self.args.limits.limits(),
            plies: self.args.plies.into(),
            seed: self.args.seed,
            broken_off: &|| interrupted.load(Ordering::SeqCst) || decided.load(Ordering::SeqCst),
        };
        workers::run(
            &games,
            self.args.concurrency,
            |game| table.play(game),
            |(game, log)| {
                self.take(game, &log)?;
                decided.fetch_or(self.is_decided(), Ordering::SeqCst);
                Ok(())
            },
        )?;
        self.progress.finish_and_clear();
        let text = if self.args.json {
            self.standings.json_line(self.args.sprt)?
        } else {
            self.standings.text(self.args.sprt)
        };
        print!("{text}");
        Ok(if self.interrupted.load(Ordering::SeqCst) {
            workers::INTERRUPTED
        } else {
            0
        })
    }

    /// Writes a finished game down and decides if the match goes on.
    fn take(&mut self, game: GameRecord, log: &[Entry]) -> Result<(), ToolError> {
        if let Some(file) = &mut self.file {
            file.append(&game)?;
        }
        if let Some(folder) = &self.args.export {
            export(folder, &self.standings.header().names, &game, log)?;
        }
        if self.args.json {
            println!("{}", serde_json::to_string(&game)?);
        }
        self.standings.add(game);
        self.show_progress();
        Ok(())
    }

    /// Tests if the sequential test has come to an end.
    fn is_decided(&self) -> bool {
        let decision = |sprt: Sprt| sprt.decision(&self.standings.pairs(0, 1));
        self.args.sprt.and_then(decision).is_some()
    }

    fn start_progress(&mut self, total: usize, done: usize) {
        if io::stderr().is_terminal() && !self.args.json {
            let style =
                ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg}, {eta} to go")
                    .unwrap_or_else(|_| ProgressStyle::default_bar());
            self.progress = ProgressBar::new(total as u64)
                .with_style(style)
                .with_position(done as u64);
            self.progress.reset_eta();
            self.progress.set_message(self.standings.line());
            self.progress.enable_steady_tick(Duration::from_secs(1));
        }
    }

    fn show_progress(&mut self) {
        self.progress.inc(1);
        self.progress.set_message(self.standings.line());
        let quiet = self.progress.is_hidden() && !self.args.json;
        if quiet && self.last_report.elapsed() >= REPORT_EVERY {
            eprintln!(
                "{} games, {}",
                self.standings.games().len(),
                self.standings.line()
            );
            self.last_report = Instant::now();
        }
    }
}

/// Names for reports; players of the same name are numbered.
fn unique_names(specs: &[Spec]) -> Vec<String> {
    let name = |at: usize| {
        let spec: &Spec = &specs[at];
        let same = specs.iter().filter(|other| other.name == spec.name).count();
        let before = specs[..at]
            .iter()
            .filter(|other| other.name == spec.name)
            .count();
        if same > 1 {
            format!("{} ({})", spec.name, before + 1)
        } else {
            spec.name.clone()
        }
    };
    (0..specs.len()).map(name).collect()
}

/// Where games are played: what all of them share.
struct Table<'a> {
    specs: &'a [Spec],
    limits: Limits,
    plies: usize,
    seed: u64,
    /// Whether nothing more is to be played.
    broken_off: &'a (dyn Fn() -> bool + Sync),
}

impl Table<'_> {
    /// Plays a game; nothing if it was broken off.
    fn play(&self, game: Game) -> Option<(GameRecord, Vec<Entry>)> {
        let mut judge = Judge::default();
        let mut log = vec![Entry::Judge(judge.opening())];
        let mut moves: Vec<Coordinates> = Vec::new();
        for turn in schedule::opening(self.seed, game.opening, self.plies) {
            let colour = judge.board().to_move();
            moves.push(turn.into());
            let response = serde_json::to_value(Coordinates::from(turn)).ok();
            let output = judge.answer(Verdict::Ok, response.as_ref());
            log.push(Entry::Bot(
                colour,
                Answer {
                    response,
                    ..Answer::silent(Verdict::Ok)
                },
            ));
            log.push(Entry::Judge(output));
        }
        let seed = self.seed.wrapping_add(game.number as u64);
        let mut players = game
            .players
            .map(|player| Player::new(&self.specs[player], seed));
        let mut turns = Vec::new();
        loop {
            if (self.broken_off)() {
                return None;
            }
            let colour = judge.board().to_move();
            let turn =
                players[colour as usize].turn(judge.board(), &seen_by(colour, &moves), self.limits);
            turns.push(cost(&turn));
            let output = judge.answer(turn.verdict, turn.response.as_ref());
            moves.extend(output.display.last_move);
            let finish = (output.command == Command::Finish)
                .then(|| cause(&output.display.err, turn.verdict));
            log.push(Entry::Bot(colour, turn.into()));
            log.push(Entry::Judge(output));
            if let Some(cause) = finish {
                // After a fault it is still the loser's turn, as it is where there is no move.
                let winner = !judge.board().to_move();
                let moves = moves
                    .iter()
                    .map(|turn| turn.numbers().map(|n| n.to_string()).join(" "))
                    .collect();
                let record = GameRecord {
                    game: game.number,
                    players: game.players,
                    opening: self.plies,
                    moves,
                    winner: winner as usize,
                    cause,
                    turns,
                };
                return Some((record, log));
            }
        }
    }
}

/// The requests and own responses of a player, in turn.
fn seen_by(colour: Colour, moves: &[Coordinates]) -> Vec<Coordinates> {
    let opening = (colour == Colour::Black).then_some(Coordinates::NONE);
    opening.into_iter().chain(moves.iter().copied()).collect()
}

fn cost(turn: &Turn) -> TurnCost {
    let ms = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
    TurnCost {
        wall_ms: ms(turn.wall),
        cpu_ms: ms(turn.cpu),
        memory_mb: (turn.memory as f64 / 1e5).round() / 10.0,
    }
}

/// Why a game ended, from the judge's words.
fn cause(err: &Option<String>, verdict: Verdict) -> Cause {
    match err.as_deref() {
        None => Cause::NoMoves,
        Some("INVALIDMOVE") => Cause::InvalidMove,
        Some(_) if verdict == Verdict::Ok => Cause::InvalidInput,
        Some(_) => Cause::Verdict(verdict),
    }
}

/// Writes the log of a game in the platform's shape.
fn export(
    folder: &Path,
    names: &[String],
    game: &GameRecord,
    log: &[Entry],
) -> Result<(), ToolError> {
    let path = folder.join(format!("game_{:05}.json", game.game));
    let entries: Vec<_> = log.iter().map(write_entry).collect();
    let players: serde_json::Map<_, _> = [Colour::Black, Colour::White]
        .map(|colour| {
            (
                key(colour).to_owned(),
                names[game.players[colour as usize]].clone().into(),
            )
        })
        .into_iter()
        .collect();
    let text = serde_json::json!({ "players": players, "log": entries }).to_string();
    Target::new(&path)?.write(text.as_bytes())
}
