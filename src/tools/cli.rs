//! Command line of the program `amazons`: [`Cli`] parses the arguments and runs a subcommand such as `play`. Without a
//! subcommand, the Botzone bot runs.

use crate::platform::judge_log;
use crate::study::{analyze, convert, puzzles, replay, review, solve};
use crate::system::{SUPERVISOR_SUBCOMMAND, supervisor, was_double_clicked};
use crate::{arena, check, online, play};
use analysis::glossary::{Language, Term};
use base::error::{Result, ToolError};
use clap::error::ErrorKind;
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use engine::botzone::options::Options;
use engine::cli::{self, BENCH_ITERATIONS, BOT_OPTIONS, MAX_PERFT_DEPTH, parse_number};
use engine::console::{escaped, print, print_error};
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use training::{selfplay, spsa, train, tune};

/// Text at the end of `amazons --help`. It says what the program does without a subcommand, and which command starts a
/// game between the user and the bot.
const AFTER_HELP: &str = "\
Without a command the program is the bot: it reads turns from standard input and writes moves to standard output.
To play against it: amazons play";

/// A Botzone bot for the Game of the Amazons on 8x8, with tools for its author
#[derive(Debug, Parser)]
#[command(name = "amazons", bin_name = "amazons", version, after_help = AFTER_HELP, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Options of the Botzone bot, such as its memory; used if the command line has no subcommand. The attribute `skip`
    /// keeps clap's derive macro from declaring them, because [`Cli::definition`] declares them from [`BOT_OPTIONS`].
    #[arg(skip)]
    bot: Options,
}

#[derive(Debug, Subcommand)]
enum Command {
    Play(play::Args),
    Rules(play::RulesArgs),
    /// Read a match log on standard input and print what the platform's judge outputs for it
    Judge,
    /// Check match logs and report on them, or show one of their positions
    Replay(Box<replay::Args>),
    /// Search every position of games: show win probabilities and best moves, write a report for the browser
    Analyze(analyze::Args),
    /// Summarise games: turning points, mistakes, accuracy
    Review(review::Args),
    Puzzles(puzzles::Args),
    Solve(solve::Args),
    Check(Box<check::Args>),
    /// Convert game records to another format: match log, SGF, contest record, moves, FEN
    Convert(convert::Args),
    Arena(Box<arena::Args>),
    Online(online::Args),
    #[command(name = "selfplay")]
    SelfPlay(selfplay::Args),
    Tune(tune::Args),
    Train(train::Args),
    Spsa(spsa::Args),
    /// Print a completion script for a shell, for example for ~/.bashrc
    Completions {
        /// Shell for which the script is written
        shell: Shell,
    },
    /// Build the page for the browser (used by scripts/page)
    #[command(hide = true)]
    Page(page_packer::Args),
    /// Start a bot, and end all its processes when the bot or the calling program ends (used by the arena itself)
    #[command(name = SUPERVISOR_SUBCOMMAND, hide = true)]
    KeepBot {
        /// The bot's command line
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        command: Vec<String>,
    },
    /// Search fixed positions, and print a checksum of the results (signature) and the speed
    Bench {
        /// Number of iterations for each position
        #[arg(default_value_t = BENCH_ITERATIONS, value_parser = |word: &str| parse_number(word, 1, u64::MAX))]
        iterations: u64,
    },
    /// Count all legal games of DEPTH plies from the start position (perft)
    Perft {
        /// Depth in plies; a ply is one turn of one player
        #[arg(allow_negative_numbers = true, value_parser = |word: &str| parse_number(word, 0, MAX_PERFT_DEPTH))]
        depth: u64,
    },
}

/// Prompt printed when `amazons` has ended its work, if it was started by a double click. The program then waits for
/// Enter, because the terminal window closes when the program exits.
const PRESS_ENTER: Term = Term::new("Press Enter to close this window.", "按回车键关闭窗口。");

/// Runs the command line `args`, whose first word is the program's name, and returns the exit code of the command; 2
/// after an error. If the program was started by a double click, without arguments, runs `amazons play`.
///
/// `run_engine` has to run the commands that need only the bot's engine (the Botzone bot itself, `bench`, `perft` and
/// `--version`) and to return their exit code. It is not called for other commands.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    run_engine: impl FnOnce(cli::Command) -> u8,
) -> u8 {
    let mut args: Vec<OsString> = args.into_iter().collect();
    if args.len() > 1 || !io::stdin().is_terminal() || !was_double_clicked() {
        return dispatch(args, run_engine);
    }
    args.push("play".into());
    let code = dispatch(args, run_engine);
    print_error(PRESS_ENTER.text(Language::of_system()));
    // Waits until the user presses Enter. If reading fails, no user can press Enter, so the error is ignored.
    let _ = io::stdin().read_line(&mut String::new());
    code
}

/// Parses and runs the command line `args`, whose first word is the program's name. Prints errors on standard error.
/// Returns the exit code of the subcommand; 2 after an error; 0 for `--help`, or if the reader of the output has closed
/// the pipe.
///
/// `run_engine` has to run the commands that need only the bot's engine (the bot itself, `bench`, `perft` and
/// `--version`) and to return their exit code. It is not called for other commands.
fn dispatch(args: Vec<OsString>, run_engine: impl FnOnce(cli::Command) -> u8) -> u8 {
    let result = match Cli::parse_words(args) {
        Ok(line) => line.run(run_engine),
        Err(request) if request.kind() == ErrorKind::DisplayVersion => {
            Ok(run_engine(cli::Command::Version))
        }
        Err(error) => report_parse_error(&error),
    };
    match result {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => 0,
        Err(error) => {
            for line in error.to_string().lines() {
                print_error(format_args!("amazons: {}", escaped(line)));
            }
            2
        }
    }
}

/// Tests if `error` only means that the reader of the output has closed the pipe, as `head` does in `amazons … | head`.
/// The program then exits with code 0, because nothing has failed.
fn is_broken_pipe(error: &ToolError) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints clap's `error`, and returns the exit code: 0 for the help that the user asked for, which goes to standard
/// output; 2 for an error in the command line, which goes to standard error.
///
/// # Errors
/// If standard output can't be written.
fn report_parse_error(error: &clap::Error) -> Result<u8> {
    if !error.use_stderr() {
        error.print()?;
        return Ok(0);
    }
    // `escaped` replaces control characters, which the quoted arguments of the user may contain.
    for line in error.render().to_string().lines() {
        print_error(escaped(line));
    }
    Ok(2)
}

impl Cli {
    /// Returns clap's definition of the whole command line, including the bot's options from [`BOT_OPTIONS`]. If an
    /// option of the bot is repeated, its last value applies.
    #[must_use]
    pub fn definition() -> clap::Command {
        Cli::command().args(BOT_OPTIONS.iter().map(|flag| {
            Arg::new(flag.name)
                .long(flag.name)
                .value_name("N")
                .help(flag.to_string())
                .overrides_with(flag.name)
                .value_parser(|word: &str| parse_number(word, flag.min, flag.max))
        }))
    }

    /// Parses the command line `words`, whose first word is the program's name. `definition` is clap's description of
    /// the command line.
    ///
    /// # Errors
    /// If `words` don't match `definition`, or if they ask for the help or the version.
    fn parse_with(definition: clap::Command, words: &[OsString]) -> Result<Cli, clap::Error> {
        let matches = definition.try_get_matches_from(words)?;
        let mut line = Cli::from_arg_matches(&matches)?;
        for flag in &BOT_OPTIONS {
            if let Some(&number) = matches.get_one(flag.name) {
                (flag.store)(&mut line.bot, number);
            }
        }
        Ok(line)
    }

    /// Parses the command line `words`, whose first word is the program's name. If the bot that `amazons check` is to
    /// check is a source file, the words after the file's name are options of `check`, not arguments of the bot.
    ///
    /// # Errors
    /// If `words` are no valid command line, or if they ask for the help or the version.
    pub fn parse_words(words: Vec<OsString>) -> Result<Cli, clap::Error> {
        let mut line = Cli::parse_with(Cli::definition(), &words)?;
        if let Some(Command::Check(args)) = &mut line.command
            && args.have_options_after(&words)
        {
            let anywhere = Cli::definition().mut_subcommand("check", |check| {
                check.mut_arg("bot", |bot| bot.trailing_var_arg(false))
            });
            line = Cli::parse_with(anywhere, &words)?;
            if let Some(Command::Check(args)) = &mut line.command {
                args.check_dashes(&words)?;
            }
        }
        Ok(line)
    }

    /// Runs the parsed command and returns its exit code.
    ///
    /// `run_engine` has to run the commands that need only the bot's engine (the bot itself, `bench` and `perft`) and
    /// to return their exit code. It is not called for other commands.
    ///
    /// # Errors
    /// The error of the command that fails.
    pub fn run(self, run_engine: impl FnOnce(cli::Command) -> u8) -> Result<u8> {
        let Some(command) = self.command else {
            return Ok(run_engine(cli::Command::Bot(self.bot)));
        };
        match command {
            Command::Bench { iterations } => Ok(run_engine(cli::Command::Bench { iterations })),
            Command::Perft { depth } => Ok(run_engine(cli::Command::Perft { depth })),
            Command::Play(args) => play::run(&args),
            Command::Rules(args) => play::teach(&args),
            Command::Judge => judge_log::run(),
            Command::Replay(args) => replay::run(&args),
            Command::Analyze(args) => analyze::run(&args),
            Command::Review(args) => review::run(&args),
            Command::Puzzles(args) => puzzles::run(&args),
            Command::Solve(args) => solve::run(&args),
            Command::Check(args) => check::run(&args),
            Command::Convert(args) => convert::run(&args),
            Command::Arena(args) => arena::run(*args),
            Command::Online(args) => online::run(args),
            Command::SelfPlay(args) => selfplay::run(&args),
            Command::Tune(args) => tune::run(&args),
            Command::Train(args) => train::run(&args),
            Command::Spsa(args) => spsa::run(&args),
            Command::Completions { shell } => completions(shell),
            Command::Page(args) => page_packer::run(&args),
            Command::KeepBot { command } => Ok(supervisor::run(&command)),
        }
    }
}

/// Prints a script for `shell` that completes command lines of `amazons` when the user presses Tab. Returns exit code
/// 0.
///
/// # Errors
/// If standard output can't be written.
fn completions(shell: Shell) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::definition(), "amazons", &mut script);
    print(String::from_utf8(script)?)?;
    Ok(0)
}
