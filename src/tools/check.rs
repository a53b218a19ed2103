//! `amazons check`: puts somebody's bot through what the platform does, and says what would go wrong there.
//!
//! A case is a stretch of a game under the platform's conditions. Which interactions a bot understands is found out by trying.
//! The cases that tell most come first, for as long as there is time.

mod bot;
mod case;
mod folder;
mod never;
mod plan;
mod positions;
mod repeat;
mod report;
mod symptom;
mod table;
mod trace;
mod words;

use crate::platform::process::{LaunchArgs, Limits};
use analysis::glossary::Language;
use base::error::ToolError;
use base::progress;
use base::workers::{self, Team};
use bot::{Bot, kind_of_source};
use case::{Case, Conditions};
use clap::error::ErrorKind;
use clap::{Arg, Args as _, Command};
use engine::botzone::Form;
use engine::console::{complain, print, visible};
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

/// Put a bot through what Botzone does, and say what would go wrong there
///
/// The bot is a source file, options before or after it, or a program, the words after it being its own: C++ is compiled as the
/// platform does, Python, Java and JavaScript are run. After `--` all words are the bot's. The exit code is 0 for a bot that is
/// ready, 1 for one that is not.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The bot: a source file (.cpp, .py, .java, .jar, .js), or a program with its arguments
    #[arg(required = true, value_name = "BOT", trailing_var_arg = true)]
    bot: Vec<String>,
    /// Whether `--` stands before the bot.
    #[arg(skip)]
    is_after_dashes: bool,
    /// Take ten seconds instead of a minute
    #[arg(long, conflicts_with = "long")]
    quick: bool,
    /// Take up to ten minutes, with more positions and games
    #[arg(long)]
    long: bool,
    /// Play one case again, and show everything that is said
    #[arg(long, value_name = "CASE")]
    repeat: Option<String>,
    /// Seed of positions and games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Slow the bot down, as on a machine that is so many times slower, from 1 to 20 (not on Windows)
    #[arg(long, value_name = "TIMES", default_value_t = 1.0, value_parser = times)]
    slower: f64,
    /// Folder for what failed: a match log of each case, with the bot's input and last words
    #[arg(long, value_name = "DIR", default_value = "amazons-check")]
    out: PathBuf,
    /// Cases at a time, each on a core of its own while there are free ones [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    launch: LaunchArgs,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Language; the environment's by default
    #[arg(long, value_enum)]
    lang: Option<Language>,
}

/// Reads how many times slower a bot is to be.
fn times(word: &str) -> Result<f64, String> {
    let number = word.parse().ok();
    number
        .filter(|number| (1.0..=20.0).contains(number))
        .ok_or_else(|| "expected a number from 1 to 20".to_owned())
}

impl Args {
    /// Tests if the words after the bot are options of `check`: it is a source file, and no `--` stands before it. `words`: the
    /// command line up to the bot's last word.
    pub fn have_options_after(&mut self, words: &[OsString]) -> bool {
        let before = &words[..words.len() - self.bot.len()];
        self.is_after_dashes = before.last().is_some_and(|word| word == "--");
        !self.is_after_dashes && self.bot.len() > 1 && kind_of_source(&self.bot[0]).is_some()
    }

    /// Checks that no word after a source file is meant for the bot but those after `--`.
    ///
    /// # Errors
    /// If there is one.
    pub fn check_words(&mut self, words: &[OsString]) -> Result<(), clap::Error> {
        self.is_after_dashes = true;
        let dashes = words.iter().position(|word| word == "--");
        let arguments = dashes.map_or(0, |at| words.len() - at - 1);
        let (file, Some(word)) = (&self.bot[0], self.bot.get(1)) else {
            return Ok(());
        };
        if self.bot.len() == 1 + arguments {
            return Ok(());
        }
        let said = format!(
            "unexpected argument '{word}' found after {file}; the bot's own arguments go after `--`: amazons check -- {file} {word}"
        );
        Err(Command::new("amazons check").error(ErrorKind::UnknownArgument, said))
    }

    /// Says on standard error that options of `check` are handed to a program.
    fn warn_of_options(&self, language: Language) {
        let check = Args::augment_args(Command::new("check"));
        let names: Vec<&str> = check.get_arguments().filter_map(Arg::get_long).collect();
        let is_option = |word: &&String| {
            let name = word
                .split('=')
                .next()
                .and_then(|word| word.strip_prefix("--"));
            name.is_some_and(|name| names.contains(&name))
        };
        let mut after = self.bot.iter().skip(1).filter(|_| !self.is_after_dashes);
        if let Some(option) = after.find(is_option) {
            let parts: [&dyn Display; 2] = [&visible(option), &visible(&self.bot[0])];
            complain(format_args!(
                "amazons: {}",
                words::HANDED_ON.of(language, &parts)
            ));
        }
    }
}

/// Checks the bot. Returns the exit code: 0 if it is ready, 1 if not.
///
/// # Errors
/// If the bot can't be built or started, or this machine fails.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    if cfg!(windows) && args.slower > 1.0 {
        return Err("--slower: a bot can't be slowed down on Windows".into());
    }
    let language = args.lang.unwrap_or_else(Language::of_user);
    let interrupted = workers::stop_on_interrupt()?;
    args.warn_of_options(language);
    let bot = Bot::prepare(&args.bot)?;
    for remark in bot.remarks(language) {
        complain(remark);
    }
    args.launch.check(&bot.spec(Form::Simple))?;
    let conditions = Conditions {
        bot: &bot,
        args,
        stop: interrupted,
    };
    let check = Check {
        args,
        conditions,
        language,
        extent: Extent::of(args.quick, args.long),
    };
    check.run()
}

/// A check under way.
struct Check<'a> {
    args: &'a Args,
    conditions: Conditions<'a>,
    language: Language,
    extent: Extent,
}

impl Check<'_> {
    fn run(&self) -> Result<u8, ToolError> {
        let files = bot::files();
        let begun = Instant::now();
        let openings = plan::first_questions(self.args.seed);
        if let Some(name) = &self.args.repeat {
            return self.repeat(name, &openings);
        }
        let mut traces = self.play(&openings, begun)?;
        let forms = report::understood(&traces);
        let cases: Vec<Case> = plan::cases(&forms, self.args.seed, self.extent).collect();
        traces.extend(self.play(&cases, begun)?);
        if self.conditions.stop.load(Ordering::SeqCst) {
            return Ok(workers::INTERRUPTED);
        }
        let planned = openings.len() + cases.len();
        let written = bot::changed_files(&files);
        let report = Report::new(&self.conditions, traces, planned, written);
        let is_kept = folder::keep(&self.args.out, &report, self.args.seed)?;
        if self.args.json {
            print(format_args!("{}\n", report.json(self.language)))?;
        } else {
            let folder = self.args.out.to_string_lossy();
            let kept = is_kept.then_some(&*folder);
            print(report.text(self.language, &|name| self.again(name), kept))?;
        }
        Ok(u8::from(!report.is_ready()))
    }

    /// Plays cases in order, several at a time, as long as there is time.
    fn play<'c>(&self, cases: &'c [Case], begun: Instant) -> Result<Vec<Trace<'c>>, ToolError> {
        let bar = match io::stderr().is_terminal() && !self.args.json {
            true => progress::bar(cases.len() as u64, "{msg}"),
            false => indicatif::ProgressBar::hidden(),
        };
        let over = AtomicBool::new(false);
        let limit: Duration = self.extent.time();
        let out_of_time = || {
            let late = begun.elapsed() > limit;
            late || over.load(Ordering::SeqCst) || self.conditions.stop.load(Ordering::SeqCst)
        };
        // Cases end in any order; the report names the first of the plan.
        let mut traces = BTreeMap::new();
        let cases: Vec<(usize, &Case)> = cases.iter().enumerate().collect();
        let team = Team::of_many(self.args.concurrency.map(usize::from), cases.len(), 1)?;
        let result = team.run(
            &cases,
            |(number, case)| {
                let trace = (!out_of_time()).then(|| self.conditions.play(case, &out_of_time))?;
                Some((number, trace))
            },
            |(number, trace)| {
                let taken = trace.map(|trace| {
                    bar.set_message(trace.case.name.clone());
                    bar.inc(1);
                    traces.insert(number, trace);
                });
                over.fetch_or(taken.is_err(), Ordering::SeqCst);
                taken
            },
        );
        bar.finish_and_clear();
        result?;
        Ok(traces.into_values().collect())
    }

    /// Plays one case again and shows everything.
    fn repeat(&self, name: &str, openings: &[Case]) -> Result<u8, ToolError> {
        // A name stands for the same case whatever interactions a bot understands.
        let understood = [&Form::ALL[..], &Form::ALL[..1], &Form::ALL[1..]];
        let all = || {
            let cases = |forms| plan::cases(forms, self.args.seed, Extent::Long);
            openings
                .iter()
                .cloned()
                .chain(understood.into_iter().flat_map(cases))
        };
        let Some(case) = all().find(|case| case.name == name) else {
            let groups: Vec<String> = all().take(8).map(|case| case.name).collect();
            return Err(format!(
                "--repeat {name}: expected the name of a case, such as {}",
                groups.join(", ")
            )
            .into());
        };
        let trace = self
            .conditions
            .play(&case, &|| self.conditions.stop.load(Ordering::SeqCst))?;
        if self.args.json {
            let bot = &self.conditions.bot.name;
            print(format_args!(
                "{}\n",
                folder::log(&trace, bot, self.args.seed)
            ))?;
        } else {
            print(repeat::shown(&trace, self.language))?;
        }
        Ok(u8::from(trace.has_failed()))
    }

    /// The command line that plays a case again.
    fn again(&self, case: &str) -> String {
        let seed = match self.args.seed {
            1 => String::new(),
            seed => format!(" --seed {seed}"),
        };
        format!(
            "amazons check{seed} --repeat {case} -- {}",
            self.args.bot.join(" ")
        )
    }
}
