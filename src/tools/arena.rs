//! The arena: matches between bots under the platform's conditions, or of the engine against itself.

pub mod record;
pub mod report;
pub mod stats;

use crate::board::Player;
use crate::console::{complain, print, visible};
use crate::tools::platform::judge::{Coordinates, Demand, Judge, Verdict, key};
use crate::tools::platform::log::{Answer, LogEntry, write_entry};
use crate::tools::platform::process::utterances::Utterances;
use crate::tools::platform::process::{LaunchArgs, LimitArgs, Limits, TurnError, TurnReport};
use crate::tools::player::contender::Contender;
use crate::tools::player::openings;
use crate::tools::player::schedule::{self, Fixture, Shard};
use crate::tools::player::spec::{Kind, Spec};
use crate::tools::support::error::ToolError;
use crate::tools::support::files::Target;
use crate::tools::support::journal::Journal;
use crate::tools::support::progress;
use crate::tools::support::workers::{self, Team};
use indicatif::ProgressBar;
use record::{Cause, GameRecord, MatchHeader, TurnCost};
use report::Standings;
use stats::Sprt;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Most random plies of an opening: later the game may be over.
const MAX_OPENING: usize = 20;

/// Most bytes of a bot's standard error in a game that are kept for `--stderr`, but for the last ones.
const MAX_STDERR: usize = 1 << 20;

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
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Random plies of an opening, 0 to 20
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=MAX_OPENING as i64))]
    plies: u8,
    /// Seed of the openings and of engines
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time, each on a core of its own while there are free ones [default: the cores there are]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    launch: LaunchArgs,
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
    /// Folder for what the bots of every game say on standard error, up to 1 MiB a bot
    #[arg(long, value_name = "DIR")]
    stderr: Option<PathBuf>,
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
    Tournament::new(args, specs)?.run()
}

/// A tournament under way.
struct Tournament {
    args: Args,
    specs: Vec<Spec>,
    standings: Standings,
    file: Option<Journal>,
    progress: ProgressBar,
    last_report: Instant,
    /// Set by Ctrl-C.
    interrupted: &'static AtomicBool,
}

impl Tournament {
    fn new(args: Args, specs: Vec<Spec>) -> Result<Tournament, ToolError> {
        for spec in &specs {
            if let Kind::Process(bot) = &spec.kind {
                args.launch.check(bot)?;
            }
        }
        let header = MatchHeader {
            players: specs.iter().map(|spec| spec.text.clone()).collect(),
            names: unique_names(&specs),
            gauntlet: args.gauntlet,
            games: args.games as usize,
            plies: args.plies.into(),
            seed: args.seed,
            conditions: format!("{}{}", args.limits, args.launch),
        };
        let mut standings = Standings::new(header.clone());
        let mut file = None;
        if let Some(path) = &args.out {
            let (opened, games) = record::open(path, &header, args.resume)?;
            file = Some(opened);
            games.into_iter().for_each(|game| standings.add(game));
        }
        for folder in [&args.export, &args.stderr].into_iter().flatten() {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let interrupted = workers::stop_on_interrupt()?;
        let (progress, last_report) = (ProgressBar::hidden(), Instant::now());
        Ok(Tournament {
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
            self.args.games as usize,
            self.args.shard,
        );
        let total = games.len();
        games.retain(|game| !self.standings.has(game.number));
        self.start_progress(total, total - games.len());
        let (specs, interrupted, over) =
            (self.specs.clone(), self.interrupted, AtomicBool::new(false));
        let table = MatchRules {
            specs: &specs,
            limits: self.args.limits.limits(),
            launch: self.args.launch.clone(),
            words: if self.args.stderr.is_some() {
                MAX_STDERR
            } else {
                0
            },
            plies: self.args.plies.into(),
            seed: self.args.seed,
            broken_off: &|| interrupted.load(Ordering::SeqCst) || over.load(Ordering::SeqCst),
        };
        let team = self.team(games.len())?;
        let result = team.run(
            &games,
            |game| table.play(game).transpose(),
            |played| {
                let taken = played.and_then(|played| self.take(played));
                over.fetch_or(taken.is_err() || self.is_decided(), Ordering::SeqCst);
                taken
            },
        );
        self.progress.finish_and_clear();
        result?;
        let text = if self.args.json {
            self.standings.json_line(self.args.sprt)?
        } else {
            self.standings.text(self.args.sprt)
        };
        print(text)?;
        Ok(if self.interrupted.load(Ordering::SeqCst) {
            workers::INTERRUPTED
        } else {
            0
        })
    }

    /// The threads that play, with a word of warning where they have to share cores.
    fn team(&self, games: usize) -> Result<Team, ToolError> {
        let team = Team::new(self.args.concurrency.map(usize::from), games)?;
        let is_process = |spec: &Spec| matches!(spec.kind, Kind::Process(_));
        if team.without_core() > 0 && self.specs.iter().any(is_process) {
            complain(format_args!(
                "amazons: {} of the games at a time have no core of their own: their turns may take longer",
                team.without_core()
            ));
        }
        Ok(team)
    }

    /// Writes a finished game down and tells of a failure.
    fn take(&mut self, played: Played) -> Result<(), ToolError> {
        let Played {
            game,
            log,
            words,
            why,
        } = played;
        if let Some(file) = &mut self.file {
            file.append(&game)?;
        }
        if let Some(folder) = &self.args.export {
            export(folder, &self.standings.header().names, &game, &log)?;
        }
        if let Some(folder) = &self.args.stderr {
            keep_words(folder, &game, &words)?;
        }
        if game.cause != Cause::NoMoves {
            let loser = &words[1 - game.winner];
            let text = self.failure(&game, why.as_deref(), loser);
            self.progress.suspend(|| complain(text));
        }
        if self.args.json {
            print(serde_json::to_string(&game)? + "\n")?;
        }
        self.standings.add(game);
        self.show_progress();
        Ok(())
    }

    /// How a game was lost otherwise than by the rules, with the loser's last words.
    fn failure(&self, game: &GameRecord, why: Option<&str>, words: &Utterances) -> String {
        let loser = 1 - game.winner;
        let name = visible(&self.standings.header().names[game.players[loser]]);
        let colour = ["black", "white"][loser];
        let (number, ply) = (game.game, game.moves.len() + 1);
        let mut text = format!(
            "game {number}, ply {ply}: {name} ({colour}) lost by {}",
            game.cause.name()
        );
        if let Some(why) = why {
            text += &format!(", {why}");
        }
        if !words.is_empty() {
            text += &format!("; its last words on standard error:{words}");
        }
        text
    }

    /// Tests if the sequential test has come to an end.
    fn is_decided(&self) -> bool {
        let decision = |sprt: Sprt| sprt.decision(&self.standings.pairs(0, 1));
        self.args.sprt.and_then(decision).is_some()
    }

    fn start_progress(&mut self, total: usize, done: usize) {
        if io::stderr().is_terminal() && !self.args.json {
            self.progress =
                progress::bar(total as u64, "games, {msg}, {eta} to go").with_position(done as u64);
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
            complain(format_args!(
                "{} games, {}",
                self.standings.games().len(),
                self.standings.line()
            ));
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
struct MatchRules<'a> {
    specs: &'a [Spec],
    limits: Limits,
    launch: LaunchArgs,
    /// Bytes of standard error that are kept beside the last ones.
    words: usize,
    plies: usize,
    seed: u64,
    /// Whether nothing more is to be played.
    broken_off: &'a (dyn Fn() -> bool + Sync),
}

/// A game that has come to its end.
struct Played {
    game: GameRecord,
    log: Vec<LogEntry>,
    /// What black and white said on standard error.
    words: [Utterances; 2],
    /// How the loser's process ended, if it ended badly.
    why: Option<String>,
}

impl MatchRules<'_> {
    /// Plays a game; nothing if it was broken off.
    fn play(&self, game: Fixture) -> Result<Option<Played>, ToolError> {
        let mut judge = Judge::default();
        let mut log = vec![LogEntry::Judge(judge.opening())];
        let mut moves: Vec<Coordinates> = Vec::new();
        for turn in openings::opening(self.seed, game.opening, self.plies) {
            let colour = judge.board().to_move();
            moves.push(turn.into());
            let response = serde_json::to_value(Coordinates::from(turn)).ok();
            let output = judge.answer(Verdict::Ok, response.as_ref());
            log.push(LogEntry::Bot(
                colour,
                Answer {
                    response,
                    ..Answer::silent(Verdict::Ok)
                },
            ));
            log.push(LogEntry::Judge(output));
        }
        let mut players = self.players(game)?;
        let mut turns = Vec::new();
        loop {
            let colour = judge.board().to_move();
            let player = &mut players[colour as usize];
            let record = seen_by(colour, &moves);
            let mut turn = match player.turn(judge.board(), &record, self.limits, self.broken_off) {
                Ok(turn) => turn,
                Err(TurnError::BrokenOff) => return Ok(None),
                Err(error) => {
                    let spec = &self.specs[game.players[colour as usize]];
                    return Err(format!("{}: {error}", spec.text).into());
                }
            };
            turns.push(cost(&turn));
            let output = judge.answer(turn.verdict, turn.response.as_ref());
            moves.extend(output.display.last_move);
            let finish = (output.command == Demand::Finish)
                .then(|| cause(&output.display.err, turn.verdict));
            let why = turn.why.take();
            log.push(LogEntry::Bot(colour, turn.into()));
            log.push(LogEntry::Judge(output));
            if let Some(cause) = finish {
                let record = GameRecord {
                    game: game.number,
                    players: game.players,
                    opening: self.plies,
                    moves: moves.into_iter().map(written).collect(),
                    // After a fault it is still the loser's turn, as it is where there is no move.
                    winner: !judge.board().to_move() as usize,
                    cause,
                    turns,
                };
                return Ok(Some(Played {
                    game: record,
                    log,
                    words: players.map(Contender::end),
                    why,
                }));
            }
        }
    }

    /// Black and white, who have not moved yet.
    fn players(&self, game: Fixture) -> Result<[Contender; 2], ToolError> {
        let seed = self.seed.wrapping_add(game.number as u64);
        let player = |number: usize| {
            let launch = self.launch.launch(self.words)?;
            Ok::<_, ToolError>(Contender::new(&self.specs[number], seed, launch))
        };
        let [black, white] = game.players;
        Ok([player(black)?, player(white)?])
    }
}

/// A move as the platform writes it.
fn written(turn: Coordinates) -> String {
    turn.numbers().map(|number| number.to_string()).join(" ")
}

/// The requests and own responses of a player, in turn.
fn seen_by(colour: Player, moves: &[Coordinates]) -> Vec<Coordinates> {
    let opening = (colour == Player::Black).then_some(Coordinates::NONE);
    opening.into_iter().chain(moves.iter().copied()).collect()
}

fn cost(turn: &TurnReport) -> TurnCost {
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

/// Writes what the bots of a game said on standard error, those that said something.
fn keep_words(folder: &Path, game: &GameRecord, words: &[Utterances; 2]) -> Result<(), ToolError> {
    for (colour, words) in ["black", "white"].into_iter().zip(words) {
        if !words.is_empty() {
            let path = folder.join(format!("game_{:05}_{colour}.txt", game.game));
            Target::new(&path)?.write(&words.all())?;
        }
    }
    Ok(())
}

/// Writes the log of a game in the platform's shape.
fn export(
    folder: &Path,
    names: &[String],
    game: &GameRecord,
    log: &[LogEntry],
) -> Result<(), ToolError> {
    let path = folder.join(format!("game_{:05}.json", game.game));
    let entries: Vec<_> = log.iter().map(write_entry).collect();
    let players: serde_json::Map<_, _> = [Player::Black, Player::White]
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
