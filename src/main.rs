//! Entry point of the program: without a subcommand it runs the Botzone bot, with a subcommand one of the tools.

use engine::board::Board;
use engine::botzone::Session;
use engine::botzone::options::Options;
use engine::cli::{self, Command};
use engine::console::{print, print_error};
use engine::{bench, movegen};
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal};
use std::process::{self, ExitCode};
use std::{env, panic};

fn main() -> ExitCode {
    abort_on_panic();
    ExitCode::from(run())
}

/// Installs a panic hook that aborts the program if any thread panics. The hook is needed only in builds where panics
/// unwind, such as tests; release builds abort anyway.
fn abort_on_panic() {
    if cfg!(panic = "unwind") {
        let default_hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            default_hook(info);
            process::abort();
        }));
    }
}

/// Parses and runs the command line of the full program (with the feature `tools`). Returns the program's exit code.
#[cfg(feature = "tools")]
pub fn run() -> u8 {
    tools::cli::run(env::args_os(), run_command)
}

/// Parses and runs the command line of the bot alone (the build without the feature `tools`). Returns the program's
/// exit code: that of the command, or 2 if the arguments are invalid.
#[cfg(not(feature = "tools"))]
pub fn run() -> u8 {
    let words = env::args_os().skip(1);
    match cli::parse(words.map(|word| word.to_string_lossy().into_owned())) {
        Ok(command) => run_command(command),
        Err(error) => report_error(error, 2),
    }
}

/// Prints `error` on standard error and returns `code`, the exit code to end with.
fn report_error(error: impl Display, code: u8) -> u8 {
    print_error(format_args!("amazons: {error}"));
    code
}

/// Runs a command of the bot: a game with Botzone (no command given), `bench`, `perft`, `--help` or `--version`.
/// Returns the exit code: 0 on success, 1 if the input or output of a game fails, 2 if another command can't write its
/// output.
fn run_command(command: Command) -> u8 {
    let done = match command {
        Command::Bot(options) => return play(options),
        Command::Bench { iterations } => print(bench::run(iterations)),
        Command::Perft { depth } => perft(depth),
        Command::Help => print(cli::help()),
        Command::Version => print(cli::version(env!("AMAZONS_BUILD"))),
    };
    match done {
        // A closed pipe is no error: readers such as `head` stop reading before the end.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => report_error(error, 2),
        _ => 0,
    }
}

/// Prints the number of sequences of legal moves from the start position, for each length from 0 to `depth` plies.
/// Prints each number as soon as it is computed.
///
/// # Errors
/// If standard output cannot be written.
fn perft(depth: u64) -> io::Result<()> {
    let mut board = Board::start();
    for depth in 0..=depth {
        let count = movegen::perft(&mut board, depth as u32);
        print(format_args!("{depth} {count}\n"))?;
    }
    Ok(())
}

/// Plays one game with Botzone until the end of standard input. Returns the exit code: 0, or 1 if the input cannot be
/// read or the output cannot be written.
fn play(options: Options) -> u8 {
    if io::stdin().is_terminal() {
        print_usage_hint();
    }
    let session = Session::new(options);
    match session.run(io::stdin().lock(), io::stdout(), io::stderr()) {
        Ok(()) => 0,
        Err(error) => report_error(error, 1),
    }
}

/// Tells a user who started the bot in a terminal which input the bot expects, and how to play against it instead
/// (`amazons play`).
fn print_usage_hint() {
    print_error(
        "Waiting for a turn of Botzone, for example the two lines \"1\" and \"-1 -1 -1 -1 -1 -1\".",
    );
    if cfg!(feature = "tools") {
        print_error("To play against the bot: amazons play. All it can do: amazons --help.");
    }
    print_error("Ctrl-D ends it, on Windows Ctrl-Z and Enter.");
}
