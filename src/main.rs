//! The program: without arguments the Botzone bot, with a subcommand one of the tools.

use engine::board::Board;
use engine::botzone::Session;
use engine::botzone::options::Options;
use engine::cli::{self, Command};
use engine::console::{complain, print};
use engine::{bench, movegen};
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal};
use std::process::{self, ExitCode};
use std::{env, panic};

fn main() -> ExitCode {
    end_at_panics();
    ExitCode::from(run())
}

/// Makes a panic in any thread end the program, also in test builds, where panics unwind. Release builds abort anyway.
fn end_at_panics() {
    if cfg!(panic = "unwind") {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            tell(info);
            process::abort();
        }));
    }
}

/// Runs the command line and returns the exit code.
#[cfg(feature = "tools")]
pub fn run() -> u8 {
    tools::cli::run(env::args_os(), run_command_line)
}

/// Runs the command line and returns the exit code.
#[cfg(not(feature = "tools"))]
pub fn run() -> u8 {
    let words = env::args_os().skip(1);
    match cli::parse(words.map(|word| word.to_string_lossy().into_owned())) {
        Ok(command) => run_command_line(command),
        Err(error) => failed(error, 2),
    }
}

/// Prints an error and returns `code`.
fn failed(error: impl Display, code: u8) -> u8 {
    complain(format_args!("amazons: {error}"));
    code
}

/// Runs a command of the engine and returns the exit code.
fn run_command_line(command: Command) -> u8 {
    let done = match command {
        Command::Bot(options) => return play(options),
        Command::Bench { iterations } => print(bench::run(iterations)),
        Command::Perft { depth } => perft(depth),
        Command::Help => print(cli::help()),
        Command::Version => print(cli::version(env!("AMAZONS_BUILD"))),
    };
    match done {
        // A closed pipe is no error: readers such as `head` stop reading early.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => failed(error, 2),
        _ => 0,
    }
}

/// Prints the number of move sequences for each depth up to `depth`, as soon as each is known.
fn perft(depth: u64) -> io::Result<()> {
    let mut board = Board::start();
    for depth in 0..=depth {
        let count = movegen::perft(&mut board, depth as u32);
        print(format_args!("{depth} {count}\n"))?;
    }
    Ok(())
}

/// Plays a session with Botzone until the end of the input, and returns the exit code.
fn play(options: Options) -> u8 {
    if io::stdin().is_terminal() {
        greet();
    }
    let session = Session::new(options);
    match session.run(io::stdin().lock(), io::stdout(), io::stderr()) {
        Ok(()) => 0,
        Err(error) => failed(error, 1),
    }
}

/// Tells a user at a terminal what input the bot expects, and suggests `amazons play`.
fn greet() {
    complain(
        "Waiting for a turn of Botzone, for example the two lines \"1\" and \"-1 -1 -1 -1 -1 -1\".",
    );
    if cfg!(feature = "tools") {
        complain("To play against the bot: amazons play. All it can do: amazons --help.");
    }
    complain("Ctrl-D ends it, on Windows Ctrl-Z and Enter.");
}
