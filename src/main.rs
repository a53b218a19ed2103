//! The program: without arguments the Botzone bot, with a subcommand a tool.

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

/// Lets a panic in any thread end the program where it would unwind: in a build for tests. A release does so by itself.
fn end_at_panics() {
    if cfg!(panic = "unwind") {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            tell(info);
            process::abort();
        }));
    }
}

/// Does what the command line asks for and returns the exit code.
#[cfg(feature = "tools")]
pub fn run() -> u8 {
    tools::cli::run(env::args_os(), obey)
}

/// Does what the command line asks for and returns the exit code.
#[cfg(not(feature = "tools"))]
pub fn run() -> u8 {
    let words = env::args_os().skip(1);
    match cli::parse(words.map(|word| word.to_string_lossy().into_owned())) {
        Ok(command) => obey(command),
        Err(error) => failed(error, 2),
    }
}

/// Says what went wrong and returns the exit code.
fn failed(error: impl Display, code: u8) -> u8 {
    complain(format_args!("amazons: {error}"));
    code
}

/// Runs a command of the engine and returns the exit code.
fn obey(command: Command) -> u8 {
    let done = match command {
        Command::Bot(options) => return play(options),
        Command::Bench { iterations } => print(bench::run(iterations)),
        Command::Perft { depth } => perft(depth),
        Command::Help => print(cli::help()),
        Command::Version => print(cli::version(env!("AMAZONS_BUILD"))),
    };
    match done {
        // A reader that closes the pipe early, as `head` does, has seen enough.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => failed(error, 2),
        _ => 0,
    }
}

/// Prints the numbers of sequences of moves up to a depth, each as soon as it is known.
fn perft(depth: u64) -> io::Result<()> {
    let mut board = Board::start();
    for depth in 0..=depth {
        let count = movegen::perft(&mut board, depth as u32);
        print(format_args!("{depth} {count}\n"))?;
    }
    Ok(())
}

/// Plays on Botzone's terms to the end of the input.
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

/// Tells a person at a terminal what the bot waits for, and suggests `amazons play`.
fn greet() {
    complain(
        "Waiting for a turn of Botzone, for example the two lines \"1\" and \"-1 -1 -1 -1 -1 -1\".",
    );
    if cfg!(feature = "tools") {
        complain("To play against the bot: amazons play. All it can do: amazons --help.");
    }
    complain("Ctrl-D ends it, on Windows Ctrl-Z and Enter.");
}
