//! The program: without arguments the Botzone bot, with a subcommand a tool.

use amazons::board::Board;
use amazons::botzone::Session;
use amazons::console::complain;
use amazons::options::{self, Command};
#[cfg(feature = "tools")]
use amazons::tools;
use amazons::{bench, movegen};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(run())
}

/// Does what the command line asks for and returns the exit code.
pub fn run() -> u8 {
    let args: Vec<String> = std::env::args().skip(1).collect();
    #[cfg(feature = "tools")]
    if args
        .first()
        .is_some_and(|word| tools::NAMES.contains(&word.as_str()))
    {
        return tools::run(&args);
    }
    let command = match options::parse(args) {
        Ok(command) => command,
        Err(error) => {
            complain(format_args!("amazons: {error}"));
            return 2;
        }
    };
    match command {
        Command::Bot(options) => {
            if io::stdin().is_terminal() {
                complain(
                    "Waiting for a turn of Botzone, for example the two lines \"1\" and \"-1 -1 -1 -1 -1 -1\".",
                );
            }
            let session = Session::new(options);
            if let Err(error) = session.run(io::stdin().lock(), io::stdout(), io::stderr()) {
                complain(format_args!("amazons: {error}"));
                return 1;
            }
        }
        Command::Bench { iterations } => show(&bench::run(iterations).to_string()),
        Command::Perft { depth } => {
            for depth in 0..=depth {
                show(&format!(
                    "{depth} {}\n",
                    movegen::perft(&mut Board::start(), depth)
                ));
            }
        }
        Command::Help => {
            show(options::HELP);
            #[cfg(feature = "tools")]
            show(tools::HELP);
        }
        Command::Version => show(concat!("amazons ", env!("CARGO_PKG_VERSION"), "\n")),
    }
    0
}

/// Prints a text. Whoever closes the pipe early, as `head` does, has seen enough.
fn show(text: &str) {
    let _ = io::stdout().write_all(text.as_bytes());
}
