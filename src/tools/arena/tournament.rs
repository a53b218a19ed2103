//! Plays all games of `amazons arena` ([`Tournament`]), as many in parallel as the machine allows. Writes the games to
//! files and shows the progress.

use super::args::Args;
use super::export::{write_match_log, write_stderr};
use super::referee::{FinishedGame, MatchConditions};
use super::report::Standings;
use super::results::ArenaHeader;
use super::stats::Sprt;
use crate::player::spec::{Kind, PlayerSpec};
use crate::system;
use analysis::glossary::Language;
use analysis::rejection::RejectedAnswer;
use base::append::AppendFile;
use base::error::Result;
use base::progress;
use base::schedule;
use base::workers::{self, WorkerPool};
use engine::console::{escaped, indented, print, print_error};
use indicatif::ProgressBar;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Minimum time between two lines about the progress of the games. These lines replace the progress bar if standard
/// error is not a terminal; with `--json` there are none.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(30);

/// One run of `amazons arena`: its command-line arguments, the bots, the games finished so far, the output file and the
/// progress display.
pub struct Tournament {
    args: Args,
    specs: Vec<PlayerSpec>,
    standings: Standings,
    file: Option<AppendFile>,
    progress: ProgressBar,
    last_report: Instant,
    /// Flag that is true after Ctrl-C. Running games are then aborted, and no further games start.
    interrupted: &'static AtomicBool,
}

impl Tournament {
    /// Prepares to play the games: checks the sandbox, creates or reopens the file of `--out`, creates the folders of
    /// `--export` and `--stderr`, and installs the Ctrl-C handler. With `--resume`, the games that the file already
    /// contains count as finished.
    ///
    /// # Errors
    /// - If the file of `--out` exists without `--resume`, belongs to an arena with other settings, or can't be
    ///   written.
    /// - If a folder can't be created.
    /// - If the sandbox does not work, or a bot's program is missing in it.
    /// - If a Ctrl-C handler is already installed.
    pub fn new(args: Args, specs: Vec<PlayerSpec>) -> Result<Tournament> {
        let mut conditions = format!("{}{}", args.limits, args.launch);
        for spec in &specs {
            match &spec.kind {
                Kind::Process(bot) => args.launch.check(bot)?,
                Kind::Engine(engine) => {
                    conditions.extend(engine.files.iter().map(|file| format!("; {file}")));
                }
            }
        }
        let header = ArenaHeader {
            players: specs.iter().map(|spec| spec.text.clone()).collect(),
            names: unique_names(&specs),
            gauntlet: args.gauntlet,
            games: args.games as usize,
            plies: args.plies.into(),
            seed: args.seed,
            conditions,
        };
        let (standings, file) = Standings::open_file(header, args.out.as_deref(), args.resume)?;
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

    /// Plays the planned games, except those that the file of `--out` already contains, then prints the report on all
    /// finished games. With `--sprt`, stops playing as soon as the test accepts one of its hypotheses. Returns the exit
    /// code: 0, or 130 after Ctrl-C.
    ///
    /// # Errors
    /// - If a bot can't be started, or the operating system fails to run it.
    /// - If a file or standard output can't be written.
    pub fn run(mut self) -> Result<u8> {
        let (players, games) = (self.specs.len(), self.args.games as usize);
        let (gauntlet, shard) = (self.args.gauntlet, self.args.shard);
        let mut games = schedule::games_of_shard(players, gauntlet, games, shard);
        let total = games.len();
        games.retain(|game| !self.standings.games.contains_key(&game.number));
        self.start_progress(total, total - games.len());
        let (specs, args) = (self.specs.clone(), self.args.clone());
        let (interrupted, is_over) = (self.interrupted, AtomicBool::new(false));
        let conditions = MatchConditions {
            specs: &specs,
            args: &args,
            is_cancelled: &|| interrupted.load(Ordering::SeqCst) || is_over.load(Ordering::SeqCst),
        };
        let pool = self.create_pool(games.len())?;
        let result = pool.run(
            &games,
            |game| conditions.play(game).transpose(),
            |played| {
                let result = played.and_then(|played| self.record_game(played));
                is_over.fetch_or(result.is_err() || self.is_decided(), Ordering::SeqCst);
                result
            },
        );
        self.progress.finish_and_clear();
        result?;
        self.standings.print(self.args.json, self.args.sprt)?;
        if !self.interrupted.load(Ordering::SeqCst) {
            return Ok(0);
        }
        let hint = resume_hint(self.args.out.is_some(), std::env::args());
        print_error(format_args!("amazons: interrupted; {hint}"));
        Ok(workers::EXIT_INTERRUPTED)
    }

    /// Creates a pool of threads for a list of `games` games; each thread plays one game at a time. If there are more
    /// threads than cores, and one of the bots is an external program, prints a warning: bots that share a core take
    /// longer for their turns.
    ///
    /// # Errors
    /// If the operating system does not report the number of cores.
    fn create_pool(&self, games: usize) -> Result<WorkerPool> {
        let threads = |spec: &PlayerSpec| match &spec.kind {
            Kind::Process(_) => 1,
            Kind::Engine(engine) => engine.search_settings.threads,
        };
        let threads = self.specs.iter().map(threads).max().unwrap_or(1);
        let pool = WorkerPool::for_tasks(self.args.concurrency.map(usize::from), games, threads)?;
        let is_process = |spec: &PlayerSpec| matches!(spec.kind, Kind::Process(_));
        if pool.unpinned_threads() > 0 && self.specs.iter().any(is_process) {
            print_error(format_args!(
                "amazons: {} of the simultaneous games have no core of their own: their turns may take longer",
                pool.unpinned_threads()
            ));
        }
        Ok(pool)
    }

    /// Writes the finished game `played` to the files of `--out`, `--export` and `--stderr` (those that are given),
    /// adds it to the standings and updates the progress display. If a bot lost because the judge rejected its answer,
    /// prints the reason to standard error.
    ///
    /// # Errors
    /// If an output file or standard output can't be written.
    fn record_game(&mut self, played: FinishedGame) -> Result<()> {
        let game = &played.game;
        if let Some(file) = &mut self.file {
            file.append_line(game)?;
        }
        if let Some(folder) = &self.args.export {
            write_match_log(folder, &self.standings.header.names, game, &played.log)?;
        }
        if let Some(folder) = &self.args.stderr {
            write_stderr(folder, &played)?;
        }
        if let Some(rejection) = &played.rejection {
            let text = self.loss_message(&played, rejection);
            self.progress.suspend(|| print_error(text));
        }
        if self.args.json {
            print(serde_json::to_string(game)? + "\n")?;
        }
        self.standings.add(played.game);
        self.show_progress();
        Ok(())
    }

    /// Returns a message for the user about the game `played`, which ended because the judge rejected the loser's
    /// answer `rejection`. The message contains the reason and the last lines of the loser's standard error.
    fn loss_message(&self, played: &FinishedGame, rejection: &RejectedAnswer) -> String {
        let game = &played.game;
        let loser = 1 - game.winner;
        let name = escaped(&self.standings.header.names[game.players[loser]]);
        let (colour, stderr) = (["black", "white"][loser], &played.stderr[loser]);
        let (number, cause) = (game.game, game.cause.name());
        let reason = indented(&rejection.explanation(Language::En));
        let mut text = format!("game {number}: {name} ({colour}) lost by {cause}\n{reason}");
        if !stderr.is_empty() {
            text += &format!("  the end of its standard error:{stderr}");
        }
        text.trim_end().to_owned()
    }

    /// Tests if the sequential probability ratio test of `--sprt` has accepted one of its hypotheses, so that no more
    /// games are needed. Always false without `--sprt`.
    fn is_decided(&self) -> bool {
        let decision = |sprt: Sprt| sprt.decision(&self.standings.pairs(0, 1));
        self.args.sprt.and_then(decision).is_some()
    }

    fn start_progress(&mut self, total: usize, done: usize) {
        if io::stderr().is_terminal() && !self.args.json {
            self.progress =
                progress::bar(total as u64, "games, {msg}, {eta} to go").with_position(done as u64);
            self.progress.reset_eta();
            self.progress.set_message(self.standings.summary_line());
            self.progress.enable_steady_tick(Duration::from_secs(1));
        }
    }

    fn show_progress(&mut self) {
        self.progress.inc(1);
        let (games, line) = (self.standings.games.len(), self.standings.summary_line());
        self.progress.set_message(line.clone());
        let quiet = self.progress.is_hidden() && !self.args.json;
        if quiet && self.last_report.elapsed() >= PROGRESS_INTERVAL {
            print_error(format_args!("{games} games, {line}"));
            self.last_report = Instant::now();
        }
    }
}

/// Returns the advice to print after Ctrl-C. `is_saved` tells whether the games are in the file of `--out`. If they
/// are, the advice is a command line that continues the games: the words of the user's command line (`words`), then
/// `--resume`. Otherwise the advice is to use `--out`, which saves the games.
fn resume_hint(is_saved: bool, words: impl Iterator<Item = String>) -> String {
    if !is_saved {
        return "the games were not saved; --out FILE saves them".to_owned();
    }
    let resume = "--resume".to_owned();
    let words = words.filter(|word| *word != resume);
    let words: Vec<String> = words.chain([resume.clone()]).collect();
    format!("to resume: {}", escaped(&system::join_command_line(&words)))
}

/// Returns a unique name for each player, in the order of `specs`. Players with the same name get numbers from 1, as in
/// `bot (1)` and `bot (2)`.
fn unique_names(specs: &[PlayerSpec]) -> Vec<String> {
    let name = |at: usize| {
        let spec: &PlayerSpec = &specs[at];
        let same =
            |specs: &[PlayerSpec]| specs.iter().filter(|other| other.name == spec.name).count();
        match same(specs) {
            1 => spec.name.clone(),
            _ => format!("{} ({})", spec.name, same(&specs[..=at])),
        }
    };
    (0..specs.len()).map(name).collect()
}
