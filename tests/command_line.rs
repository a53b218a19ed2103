//! Tests the command line: the bot's options are parsed alike with and without the tools, and everything has a description.
//! As unit tests, these would compile the whole program once more.

use clap::ValueEnum;
use clap_complete::Shell;
use engine::botzone::options::Options;
use engine::cli::{self, BOT_OPTIONS};
use std::ffi::OsString;
use tools::cli::Cli;

/// Parses the words after the program's name with clap. Returns the engine's command, if they are one.
fn parse_with_tools(words: &[&str]) -> Option<cli::Command> {
    let args = std::iter::once(&"amazons").chain(words);
    let line = Cli::parse_words(args.map(OsString::from).collect()).ok()?;
    let mut parsed = None;
    line.run(|command| {
        parsed = Some(command);
        0
    })
    .expect("no tool runs");
    parsed
}

#[test]
fn bot_options_are_equal_with_and_without_tools() {
    for line in [
        "",
        "--time-ms 5 --first-time-ms=6 --memory-mb 7 --seed 8 --iterations 9",
        "--seed 1 --seed 2",
        "--seed",
        "--seed -1",
        "--time-ms 0",
        "--time-ms 86400000",
        "--time-ms 86400001",
        "--time-ms=",
        "--memory-mb 32768",
        "--memory-mb 32769",
        "--memory-mb 99999999999999999999",
        "-seed 1",
        "--fast",
        "bench",
        "bench 7",
        "bench 0",
        "bench 1 2",
        "perft",
        "perft 10",
        "perft 11",
        "perft -1",
        "--seed 1 bench",
    ] {
        let words: Vec<&str> = line.split_whitespace().collect();
        let without_tools = cli::parse(words.iter().map(|&word| word.to_owned()));
        assert_eq!(parse_with_tools(&words), without_tools.ok(), "{line}");
    }
}

#[test]
fn defaults_in_help_match_the_options() {
    for flag in &BOT_OPTIONS {
        let mut options = Options::default();
        if let Ok(number) = flag.default.parse() {
            (flag.store)(&mut options, number);
        }
        assert_eq!(options, Options::default(), "{}", flag.name);
    }
}

#[test]
fn every_command_and_argument_has_a_description() {
    let mut cli = Cli::definition();
    cli.build();
    let mut commands = vec![&cli];
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands());
        let about = command.get_about().map(ToString::to_string);
        let about = about.unwrap_or_default();
        let internal = about.is_empty() || about.contains("arguments of");
        assert!(!internal, "{}: \"{about}\"", command.get_name());
        for argument in command.get_arguments() {
            let (name, id) = (command.get_name(), argument.get_id());
            assert!(argument.get_help().is_some(), "{name}: {id}");
        }
    }
}

#[test]
fn completions_contain_commands_and_options() {
    for shell in Shell::value_variants() {
        let mut script = Vec::new();
        clap_complete::generate(*shell, &mut Cli::definition(), "amazons", &mut script);
        let script = String::from_utf8(script).expect("text");
        for word in ["analyze", "multipv", "bench", "first-time-ms"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}
