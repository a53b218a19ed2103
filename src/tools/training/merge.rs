//! `amazons selfplay merge`: the games of several files of one schedule in one file, and which are missing.
//!
//! The files may be of different versions. Games are compared without shares if one of them has none, and the one with
//! shares is taken. A new file is of the newest version, an old one stays of its own.

use super::games::{self, SelfPlayGame, Writer};
use crate::console::{print, visible};
use crate::tools::support::error::ToolError;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// Most missing games that a message names.
const NAMED: usize = 8;

/// What to merge.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of self-play games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to which the games are appended; those that it already holds stay as they are
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of games of the whole schedule [default: up to the last one found]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
}

/// Merges the files and reports on standard output. Returns the exit code.
///
/// # Errors
/// If a file can't be read or written, or the files do not belong together: then nothing is appended. If games are
/// missing: then the others have been.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    let limit = args.games.unwrap_or(u32::MAX);
    let mut merged = Merged::default();
    let mut schedule = None;
    for path in &args.files {
        let name = path.display();
        let content = games::read(path)?;
        let found = content.known_schedule(path)?;
        let differences = found.differences(schedule.get_or_insert(found));
        if !differences.is_empty() {
            let first = args.files[0].display();
            let fault = format!("games of another schedule than in {first}: {differences}");
            return Err(format!("{name}: {fault}").into());
        }
        merged.add(content.games, path, limit)?;
    }
    let schedule = schedule.ok_or("expected files of games")?;
    let (mut file, there) = Writer::open(&args.out, schedule)?;
    let kept: HashSet<u32> = there.iter().map(|game| game.number).collect();
    merged.add(there, &args.out, limit)?;
    for game in merged.games().filter(|game| !kept.contains(&game.number)) {
        file.append(game)?;
    }
    let (name, count) = (args.out.display().to_string(), merged.0.len());
    let plies: usize = merged.games().map(|game| game.plies.len()).sum();
    print(format_args!(
        "{}: {count} games, {plies} plies\n",
        visible(&name)
    ))?;
    match merged.missing(args.games) {
        Some(missing) => Err(format!("{name}: {missing}").into()),
        None => Ok(0),
    }
}

/// Tests if two games are the same, apart from the shares where one does not have them.
fn is_same(one: &SelfPlayGame, other: &SelfPlayGame) -> bool {
    match one.has_shares() && other.has_shares() {
        true => one == other,
        false => one.clone().without_shares() == other.clone().without_shares(),
    }
}

/// Games by number, each with a file that holds it: one with shares, if there is one.
#[derive(Default)]
struct Merged<'a>(BTreeMap<u32, (SelfPlayGame, &'a Path)>);

impl<'a> Merged<'a> {
    /// Adds the games of a file.
    ///
    /// # Errors
    /// If a number is not below the limit, or another file holds another game of that number.
    fn add(
        &mut self,
        games: Vec<SelfPlayGame>,
        path: &'a Path,
        limit: u32,
    ) -> Result<(), ToolError> {
        let name = path.display();
        for game in games {
            let number = game.number;
            if number >= limit {
                let fault = format!("expected numbers below {limit}, as --games says");
                return Err(format!("{name}: game {number}: {fault}").into());
            }
            if let Some((old, other)) = self.0.get(&number) {
                if !is_same(old, &game) {
                    let other = other.display();
                    return Err(format!(
                        "{other} and {name} hold game {number} differently: expected games of one engine"
                    )
                    .into());
                }
                if old.has_shares() {
                    continue;
                }
            }
            self.0.insert(number, (game, path));
        }
        Ok(())
    }

    /// All games in order.
    fn games(&self) -> impl Iterator<Item = &SelfPlayGame> {
        self.0.values().map(|(game, _)| game)
    }

    /// Says which games of so many are missing, if any; by default of all up to the last one.
    fn missing(&self, games: Option<u32>) -> Option<String> {
        let last = self.0.keys().next_back();
        let games = games.unwrap_or_else(|| last.map_or(0, |last| last + 1));
        let missing = games as usize - self.0.len();
        let numbers = (0..games).filter(|number| !self.0.contains_key(number));
        let named: Vec<String> = numbers.take(NAMED).map(|n| n.to_string()).collect();
        let more = if missing > NAMED { ", …" } else { "" };
        let named = named.join(", ");
        (missing > 0).then(|| format!("{missing} of {games} games are missing: {named}{more}"))
    }
}
