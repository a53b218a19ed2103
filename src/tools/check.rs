//! `amazons check`: [`run`] tests a bot under Botzone's conditions and reports what would go wrong there.
//!
//! A test case is a sequence of turns that the bot plays from a given opening (`case.rs`). The first cases find out
//! which of Botzone's two protocols the bot understands: simple (lines of numbers) or JSON. The remaining cases use
//! only the protocols that the bot understands. The cases that reveal most bugs come first, because the time of a check
//! is limited.

mod bot;
mod case;
mod failed_cases;
mod missing_moves;
mod plan;
mod positions;
mod repeat;
mod report;
mod summary_table;
mod symptom;
mod texts;
mod trace;

use crate::platform::process::{LaunchArgs, Limits};
use analysis::glossary::Language;
use base::error::Result;
use base::progress;
use base::workers::{self, WorkerPool};
use bot::{Bot, source_extension};
use case::{Case, CaseRunner};
use clap::error::ErrorKind;
use clap::{Arg, Args as _, Command};
use engine::botzone::Protocol;
use engine::console::{escaped, print, print_error};
use plan::Extent;
use report::Report;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use trace::Trace;

/// Test a bot under Botzone's conditions, and report what would go wrong there
///
/// The bot is a source file or a program: C++ is compiled as on Botzone; Python, Java and JavaScript are run. Put
/// options of check before the bot, or after a source file. All words after a program or after `--` are arguments of the bot.
/// The exit code is 0 if the bot is ready for Botzone, and 1 if it is not.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The bot: a source file (.cpp, .py, .java, .jar, .js), or a program with its arguments
    #[arg(required = true, value_name = "BOT", trailing_var_arg = true)]
    bot: Vec<String>,
    /// True if the word `--` directly precedes the bot on the command line, as in `amazons check -- bot.py --level 3`.
    /// Then all words after the bot are arguments of the bot, not options of `check`.
    #[arg(skip)]
    is_after_dashes: bool,
    /// Run for ten seconds instead of a minute
    #[arg(long, conflicts_with = "long")]
    quick: bool,
    /// Run for up to ten minutes, with more positions and games
    #[arg(long)]
    long: bool,
    /// Play only the test case with this name, and show all input and output of the bot
    #[arg(long, value_name = "CASE")]
    repeat: Option<String>,
    /// Seed of the random positions and games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Slow the bot down by this factor, from 1 to 20, to imitate a slower machine (not on Windows)
    #[arg(long, value_name = "TIMES", default_value_t = 1.0, value_parser = parse_slowdown)]
    slower: f64,
    /// Folder for the match logs of failed test cases, with the bot's input, output and standard error
    #[arg(long, value_name = "DIR", default_value = "amazons-check")]
    out: PathBuf,
    /// Number of test cases played in parallel [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    launch: LaunchArgs,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Language [default: the user's own]
    #[arg(long, value_enum)]
    lang: Option<Language>,
}

/// Parses the value of `--slower`. Returns an error message if `word` is no number from 1 to 20.
fn parse_slowdown(word: &str) -> Result<f64, String> {
    let number = word.parse().ok();
    let number = number.filter(|number| (1.0..=20.0).contains(number));
    number.ok_or_else(|| "expected a number from 1 to 20".to_owned())
}

impl Args {
    /// Tests if the words after the bot on the command line are options of `check`, not arguments of the bot, as in
    /// `amazons check bot.py --quick`. This is so if three conditions hold: at least one word follows the bot, the bot
    /// is a source file, and no `--` directly precedes the bot.
    ///
    /// `words` is the whole command line. It must end with the words of `self.bot`: the bot, then all words after it.
    /// The function also sets `is_after_dashes`: to true if `--` directly precedes the bot, else to false.
    pub fn have_options_after(&mut self, words: &[OsString]) -> bool {
        let before = &words[..words.len() - self.bot.len()];
        self.is_after_dashes = before.last().is_some_and(|word| word == "--");
        !self.is_after_dashes && self.bot.len() > 1 && source_extension(&self.bot[0]).is_some()
    }

    /// Checks that all arguments of a bot that is a source file come after `--`, as in
    /// `amazons check bot.py --quick -- --level 3`. `words` is the whole command line, and `self` the result of parsing
    /// it with options of `check` allowed after the bot. The caller parses it in this way only if `have_options_after`
    /// has returned true.
    ///
    /// Also sets `is_after_dashes` to true, so that `warn_of_options` prints no warning about the bot's arguments.
    ///
    /// # Errors
    /// If an argument of the bot comes before `--`, as in `amazons check bot.py extra`.
    pub fn check_dashes(&mut self, words: &[OsString]) -> Result<(), clap::Error> {
        self.is_after_dashes = true;
        let dashes = words.iter().position(|word| word == "--");
        let arguments = dashes.map_or(0, |at| words.len() - at - 1);
        let (file, Some(word)) = (&self.bot[0], self.bot.get(1)) else {
            return Ok(());
        };
        if self.bot.len() == 1 + arguments {
            return Ok(());
        }
        let message = format!(
            "unexpected argument '{word}' found after {file}; the bot's own arguments go after `--`: amazons check -- {file} {word}"
        );
        Err(Command::new("amazons check").error(ErrorKind::UnknownArgument, message))
    }

    /// Prints a warning to standard error if an argument of the bot has the name of an option of `check`, such as
    /// `--seed`, because the user may have meant that option. Prints nothing if the bot was given after `--`.
    fn warn_of_options(&self, language: Language) {
        let check = Args::augment_args(Command::new("check"));
        let names: Vec<&str> = check.get_arguments().filter_map(Arg::get_long).collect();
        let is_option = |word: &&String| {
            let option = word.split('=').next();
            let name = option.and_then(|word| word.strip_prefix("--"));
            name.is_some_and(|name| names.contains(&name))
        };
        let mut after = self.bot.iter().skip(1).filter(|_| !self.is_after_dashes);
        if let Some(option) = after.find(is_option) {
            let parts: [&dyn Display; 2] = [&escaped(option), &escaped(&self.bot[0])];
            let warning = texts::PASSED_TO_BOT.fill(language, &parts);
            print_error(format_args!("amazons: {warning}"));
        }
    }
}

/// Checks the bot of `args` and prints a report; with `--repeat`, plays and prints one test case instead. Returns the
/// exit code. In these lists, a fault is a symptom that makes the bot lose a game.
///
/// Without `--repeat`:
/// - 0: The bot understands at least one of Botzone's protocols (simple, JSON) and has no fault.
/// - 1: The bot has a fault or understands none of the protocols.
/// - 130: The user has pressed Ctrl-C.
///
/// With `--repeat`; Ctrl-C only ends the test case, and the turns played until then count:
/// - 0: The bot has no fault in the test case.
/// - 1: The bot has a fault in the test case.
///
/// # Errors
/// - If the bot can't be compiled or started, or does not work in the sandbox.
/// - If `--slower` is used on Windows, or `--repeat` names no existing case.
/// - If a file or standard output can't be written, or the operating system fails to run the bot.
pub fn run(args: &Args) -> Result<u8> {
    if cfg!(windows) && args.slower > 1.0 {
        return Err("--slower: a bot can't be slowed down on Windows".into());
    }
    let language = args.lang.unwrap_or_else(Language::of_system);
    let stop = workers::stop_on_interrupt()?;
    args.warn_of_options(language);
    let bot = &Bot::prepare(&args.bot)?;
    for remark in bot.remarks(language) {
        print_error(remark);
    }
    args.launch.check(&bot.spec(Protocol::Simple))?;
    let runner = CaseRunner { bot, args, stop };
    let check = Check {
        args,
        runner,
        language,
        extent: match (args.quick, args.long) {
            (true, _) => Extent::Quick,
            (_, true) => Extent::Long,
            _ => Extent::Usual,
        },
    };
    check.run()
}

/// One call of `amazons check`: its options, the bot, the language of the report, and the amount of testing.
struct Check<'a> {
    args: &'a Args,
    runner: CaseRunner<'a>,
    language: Language,
    extent: Extent,
}

impl Check<'_> {
    fn run(&self) -> Result<u8> {
        let files = bot::file_snapshot();
        let start = Instant::now();
        let openings = plan::first_turn_cases(self.args.seed);
        if let Some(name) = &self.args.repeat {
            return self.repeat(name, &openings);
        }
        let mut traces = self.play(&openings, start)?;
        let protocols = report::understood_protocols(&traces);
        let cases: Vec<Case> = plan::cases(&protocols, self.args.seed, self.extent).collect();
        traces.extend(self.play(&cases, start)?);
        if self.runner.stop.load(Ordering::SeqCst) {
            return Ok(workers::EXIT_INTERRUPTED);
        }
        let planned = openings.len() + cases.len();
        let written = bot::changed_files(&files);
        let report = Report::new(&self.runner, traces, planned, written);
        let has_failures = failed_cases::write(&self.args.out, &report, self.args.seed)?;
        if self.args.json {
            print(format_args!("{}\n", report.json(self.language)))?;
        } else {
            let folder = self.args.out.to_string_lossy();
            let folder = has_failures.then_some(&*folder);
            print(report.text(self.language, &|name| self.repeat_command(name), folder))?;
        }
        Ok(u8::from(!report.is_ready()))
    }

    /// Plays the test cases `cases`, several in parallel. Returns a record of each played case (the bot's turns, output
    /// and measurements), in the order of `cases`. Cases start in this order. When the time limit of the check, counted
    /// from `start`, has passed, no further case starts, and each case in progress ends after its current turn.
    ///
    /// # Errors
    /// - If the bot can't be started, or the operating system fails to run it.
    /// - If the operating system does not report the number of cores, or can't start a thread.
    fn play<'c>(&self, cases: &'c [Case], start: Instant) -> Result<Vec<Trace<'c>>> {
        let bar = match io::stderr().is_terminal() && !self.args.json {
            true => progress::bar(cases.len() as u64, "{msg}"),
            false => indicatif::ProgressBar::hidden(),
        };
        let has_failed = AtomicBool::new(false);
        let limit: Duration = self.extent.time_limit();
        let is_time_up = || {
            let is_late = start.elapsed() > limit;
            is_late || has_failed.load(Ordering::SeqCst) || self.runner.stop.load(Ordering::SeqCst)
        };
        // Parallel cases end in any order. Sort their records back into the order of `cases`, because the report shows
        // each problem by the first case in which it occurred.
        let mut traces = BTreeMap::new();
        let cases: Vec<(usize, &Case)> = cases.iter().enumerate().collect();
        let pool = WorkerPool::for_tasks(self.args.concurrency.map(usize::from), cases.len(), 1)?;
        let result = pool.run(
            &cases,
            |(number, case)| {
                let trace = (!is_time_up()).then(|| self.runner.play(case, &is_time_up))?;
                Some((number, trace))
            },
            |(number, trace)| {
                let inserted = trace.map(|trace| {
                    bar.set_message(trace.case.name.clone());
                    bar.inc(1);
                    traces.insert(number, trace);
                });
                has_failed.fetch_or(inserted.is_err(), Ordering::SeqCst);
                inserted
            },
        );
        bar.finish_and_clear();
        result?;
        Ok(traces.into_values().collect())
    }

    /// Plays only the test case called `name`, for `--repeat`, and prints all input and output of the bot. Returns the
    /// exit code: 1 if the bot has a fault in this case (a symptom that costs it a game), else 0. The case is searched
    /// for in `openings`, the cases with the first two turns of a game, and in all other cases that any check can play.
    ///
    /// # Errors
    /// - If there is no case called `name`; the message lists some names.
    /// - If the bot can't be started, or the operating system fails to run it.
    /// - If standard output can't be written.
    fn repeat(&self, name: &str, openings: &[Case]) -> Result<u8> {
        // The list of cases depends on the protocols that the bot understands, and these are unknown here. Therefore
        // search three lists: for a bot that understands both protocols, only the simple one, or only JSON. If a name
        // is in several lists, it stands for the same case in each, so take the first.
        let protocol_sets = [&Protocol::ALL[..], &Protocol::ALL[..1], &Protocol::ALL[1..]];
        let all = || {
            let cases = |protocols| plan::cases(protocols, self.args.seed, Extent::Long);
            let later = protocol_sets.into_iter().flat_map(cases);
            openings.iter().cloned().chain(later)
        };
        let Some(case) = all().find(|case| case.name == name) else {
            let examples: Vec<String> = all().take(8).map(|case| case.name).collect();
            let expected = "expected the name of a case, such as";
            let examples = examples.join(", ");
            return Err(format!("--repeat {name}: {expected} {examples}").into());
        };
        let is_stopped = || self.runner.stop.load(Ordering::SeqCst);
        let trace = self.runner.play(&case, &is_stopped)?;
        if self.args.json {
            let log = failed_cases::to_match_log(&trace, &self.runner.bot.name, self.args.seed);
            print(format_args!("{log}\n"))?;
        } else {
            print(repeat::to_text(&trace, self.language))?;
        }
        Ok(u8::from(trace.has_failed()))
    }

    /// Returns a command line for the user that plays the case called `case` again, such as
    /// `amazons check --repeat json-first-black -- bot.py`.
    fn repeat_command(&self, case: &str) -> String {
        let seed = match self.args.seed {
            1 => String::new(),
            seed => format!(" --seed {seed}"),
        };
        let bot = self.args.bot.join(" ");
        format!("amazons check{seed} --repeat {case} -- {bot}")
    }
}
