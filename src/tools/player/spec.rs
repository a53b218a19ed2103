//! [`PlayerSpec`] describes a player of a match: an external bot with its command line, or `self:` (this program's
//! engine) with its settings.

use crate::platform::process::ProcessSpec;
use crate::system;
use analysis::level::{LEVELS, Strength};
use analysis::networks::NetworkFiles;
use analysis::tree_parallel::SearchSettings;
use engine::botzone::Protocol;
use engine::botzone::options::{DAY_MS, MAX_MEMORY_MIB, Options};
use engine::budget::Budget;
use engine::mcts::Params;
use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// Description of a player in matches on this machine, parsed from an argument of the command line such as `./bot
/// --fast` (external bot) or `self:level=5` (this program's engine).
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    /// The argument of the command line that describes the player, such as `@old,json ./bot --fast` or `self:level=5`.
    pub text: String,
    /// Name of the player in reports: the name after `@` on the command line, such as `old`. Without one, the file name
    /// of an external bot's program, or the text `self:…` of the engine.
    pub name: String,
    /// Source of the player's moves: an external bot or this program's engine, each with its settings.
    pub kind: Kind,
}

/// Source of the player's moves: an external bot or this program's engine, with its settings.
#[derive(Clone, Debug)]
pub enum Kind {
    /// External bot, run as a child process.
    Process(ProcessSpec),
    /// This program's engine, run within this process.
    Engine(EngineSpec),
}

/// Settings with which this program's engine plays.
#[derive(Clone, Debug)]
pub struct EngineSpec {
    /// How strong the engine plays: a level, or a fixed time or number of iterations for each turn.
    pub strength: Strength,
    /// Settings of the engine's search: threads, memory, networks, search parameters and random seed. In a game, the
    /// search uses a seed of its own: the seed in these settings XOR the argument `seed` of `BotPlayer::new`.
    pub search_settings: SearchSettings,
    /// Network files that replace the built-in networks, described for reports: each text has the setting, the path,
    /// and the file's CRC-32 checksum, such as `network=FILE (0a1b2c3d)`. Empty if the built-in networks are used.
    pub files: Vec<String>,
}

impl FromStr for PlayerSpec {
    type Err = String;

    /// Parses an argument of the command line in one of two forms (square brackets mark optional parts):
    ///
    /// - `[@NAME[,FLAG…] ]COMMAND…` is an external bot, such as `@old,json ./bot --fast`. The flag `json` or `simple`
    ///   says in which format the bot reads and writes turns; `fresh` starts a new process for every turn.
    /// - `[@NAME ]self:[KEY=VALUE,…]` is this program's engine with its settings, such as `self:level=5`.
    ///
    /// # Errors
    /// A message that names the part of `text` that is wrong.
    fn from_str(text: &str) -> Result<PlayerSpec, String> {
        let text = text.trim();
        let labelled = text.strip_prefix('@');
        let (label, rest) = match labelled.map(|text| text.split_once(char::is_whitespace)) {
            Some(Some((label, rest))) => (label, rest.trim()),
            Some(None) => {
                let expected = "expected a command or self: after the name";
                return Err(format!("\"{text}\": {expected}"));
            }
            None => ("", text),
        };
        let mut words = label.split(',');
        let name = words.next().filter(|name| !name.is_empty());
        let flags: Vec<&str> = words.collect();
        let (name, kind) = if let Some(settings) = rest.strip_prefix("self:") {
            if let Some(flag) = flags.first() {
                return Err(format!("\"{flag}\": self: takes no flags"));
            }
            let kind = Kind::Engine(EngineSpec::parse(settings)?);
            (name.unwrap_or(rest).to_owned(), kind)
        } else {
            let process = ProcessSpec::parse(rest, &flags)?;
            let program = Path::new(&process.command[0]).file_name();
            let program = program.and_then(OsStr::to_str);
            let name = name.or(program).unwrap_or_default().to_owned();
            (name, Kind::Process(process))
        };
        let text = text.to_owned();
        Ok(PlayerSpec { text, name, kind })
    }
}

impl ProcessSpec {
    fn parse(command: &str, flags: &[&str]) -> Result<ProcessSpec, String> {
        let command = system::split_command_line(command).ok_or_else(|| {
            let expected =
                "expected every quote to be closed, and a character after every backslash";
            format!("{command}: {expected}")
        })?;
        if command.is_empty() {
            return Err("expected a command line, or self: with search options".to_owned());
        }
        let mut spec = ProcessSpec {
            command,
            protocol: Protocol::Simple,
            restarts: false,
        };
        for &flag in flags {
            match flag {
                "fresh" => spec.restarts = true,
                _ => {
                    let protocol = Protocol::ALL.into_iter().find(|known| known.key() == flag);
                    let fault = || format!("\"{flag}\": expected json, simple or fresh");
                    spec.protocol = protocol.ok_or_else(fault)?;
                }
            }
        }
        Ok(spec)
    }
}

/// Maximum number of threads that a user may request for one search, of `self:` or of `amazons play`.
pub const MAX_THREADS: u64 = 1024;

impl EngineSpec {
    fn parse(settings: &str) -> Result<EngineSpec, String> {
        let mut search_settings = SearchSettings::new(0, 1, 0);
        let mut files = NetworkFiles::default();
        let [mut level, mut iterations, mut time_ms, mut memory_mb] = [None; 4];
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            let fault = |expected: &str| format!("\"{setting}\": expected {expected}");
            let (key, value) = setting.split_once('=').ok_or_else(|| fault("KEY=VALUE"))?;
            let number = |range: RangeInclusive<u64>| {
                let number = value.parse().ok().filter(|number| range.contains(number));
                let (low, high) = range.into_inner();
                number.ok_or_else(|| fault(&format!("a whole number from {low} to {high}")))
            };
            match key {
                "level" => level = Some(number(1..=LEVELS.len() as u64)?),
                "iterations" => iterations = Some(number(1..=u64::MAX)?),
                "time-ms" => time_ms = Some(number(1..=DAY_MS)?),
                "memory-mb" => memory_mb = Some(number(1..=MAX_MEMORY_MIB as u64)?),
                "threads" => search_settings.threads = number(1..=MAX_THREADS)? as usize,
                "network" => files.network = Some(value.into()),
                "policy" => files.policy = Some(value.into()),
                "seed" => search_settings.seed = number(0..=u64::MAX)?,
                _ => {
                    let value = value.parse().map_err(|_| fault("a number"))?;
                    let known =
                        "level, iterations, time-ms, memory-mb, threads, seed, network, policy";
                    let fault = |error| format!("{error}; known: {known} and {}", Params::names());
                    search_settings.params.set(key, value).map_err(fault)?;
                }
            }
        }
        // Without the setting `memory-mb`, an engine with a level gets as much memory as the bot on Botzone (176 MiB).
        // An engine without a level gets 64 MiB.
        search_settings.memory = match (memory_mb, level) {
            (Some(mb), _) => (mb as usize) << 20,
            (None, Some(_)) => Options::default().memory,
            (None, None) => 64 << 20,
        };
        let chosen = files.read().map_err(|error| error.to_string())?;
        search_settings.networks = chosen.networks.clone();
        Ok(EngineSpec {
            strength: strength([level, iterations, time_ms])?,
            search_settings,
            files: chosen.descriptions().collect(),
        })
    }
}

/// Returns the strength at which the engine is to play:
/// - if `level` is given, this level (1 for beginners, 15 the strongest);
/// - else, if `iterations` is given, this number of search iterations for each turn;
/// - otherwise `time_ms` milliseconds for each turn, by default 100.
///
/// # Errors
/// If a level is combined with iterations or a time.
fn strength([level, iterations, time_ms]: [Option<u64>; 3]) -> Result<Strength, String> {
    let budget = match (level, iterations, time_ms) {
        (Some(level), None, None) => return Ok(Strength::Level(level as u8)),
        (Some(level), ..) => {
            let expected = "expected neither iterations nor time-ms with it";
            return Err(format!("\"level={level}\": {expected}"));
        }
        // `iterations` takes precedence: if both are given, `time-ms` has no effect.
        (None, Some(iterations), _) => Budget::Iterations(iterations),
        (None, None, ms) => Budget::Time(Duration::from_millis(ms.unwrap_or(100))),
    };
    Ok(Strength::Budget(budget))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(text: &str) -> EngineSpec {
        match text.parse::<PlayerSpec>().expect("a spec").kind {
            Kind::Engine(engine) => engine,
            Kind::Process(_) => panic!("an engine"),
        }
    }

    #[test]
    fn command_line_sets_name_and_interaction() {
        let text = "@old,json,fresh 'my bot' --seed \"1 2\"";
        let spec: PlayerSpec = text.parse().expect("a spec");
        assert_eq!(spec.name, "old");
        let Kind::Process(process) = spec.kind else {
            panic!("a process")
        };
        assert_eq!(process.command, ["my bot", "--seed", "1 2"]);
        assert_eq!((process.protocol, process.restarts), (Protocol::Json, true));
        for (text, name) in [
            ("/some/where/bot -x", "bot"),
            ("self:seed=2", "self:seed=2"),
        ] {
            assert_eq!(text.parse::<PlayerSpec>().expect("a spec").name, name);
        }
    }

    #[test]
    fn iterations_override_time_and_level_sets_memory() {
        let ms = |ms| Strength::Budget(Budget::Time(Duration::from_millis(ms)));
        let five = Strength::Budget(Budget::Iterations(5));
        let uploaded = Options::default().memory;
        for (text, strength, memory) in [
            ("self:", ms(100), 64 << 20),
            ("self:time-ms=7", ms(7), 64 << 20),
            ("self:iterations=5,time-ms=7", five, 64 << 20),
            ("self:time-ms=7,iterations=5", five, 64 << 20),
            ("self:level=3,seed=4", Strength::Level(3), uploaded),
            ("self:memory-mb=2,level=3", Strength::Level(3), 2 << 20),
        ] {
            let engine = engine(text);
            let found = (engine.strength, engine.search_settings.memory);
            assert_eq!(found, (strength, memory));
        }
        let settings = engine("self:seed=4,explore_amazon=0.6").search_settings;
        assert_eq!((settings.threads, settings.seed), (1, 4));
        assert_eq!(settings.params.explore_amazon, 0.6);
    }

    #[test]
    fn errors_name_the_faulty_word() {
        for (text, complaint) in [
            ("", "expected a command line"),
            ("@name", "after the name"),
            ("@a,slow bot", "\"slow\""),
            ("self:fast", "\"fast\": expected KEY=VALUE"),
            ("self:iterations=many", "iterations=many"),
            ("self:iterations=0", "from 1 to"),
            ("self:time-ms=86400001", "from 1 to 86400000"),
            ("self:memory-mb=18446744073709551615", "from 1 to 32768"),
            ("self:level=0", "from 1 to 15"),
            ("self:level=16", "from 1 to 15"),
            ("self:level=3,iterations=9", "neither iterations nor"),
            ("self:time-ms=9,level=3", "neither iterations nor"),
            ("self:speed=1", "no parameter \"speed\""),
            ("self:network=/none", "/none: "),
            ("self:policy=/none", "/none: "),
            ("bot 'x", "expected every quote to be closed"),
        ] {
            let error = text.parse::<PlayerSpec>().expect_err(text);
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }
}
