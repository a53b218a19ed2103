//! `amazons selfplay merge`: merges files of self-play games of one run, for example from several machines, and lists
//! the missing games.

use super::games::{self, SelfPlayGame};
use base::error::Result;
use base::journal::differences;
use engine::console::{escaped, print};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// Maximum number of missing games whose numbers the error message of `amazons selfplay merge` lists.
const MAX_LISTED_GAMES: usize = 8;

/// Options of `amazons selfplay merge`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files of self-play games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// File to which the games are appended; games that it already holds stay unchanged
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of games of the whole schedule [default: the highest game number found, plus 1]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
}

/// Appends the games of all files to the output file, prints the number of games and plies, and returns the exit code
/// 0.
///
/// # Errors
/// - If a file can't be read or written, the files are of runs with different settings, a game number is not below
///   `--games`, or two files contain different games of the same number. In these cases nothing is appended.
/// - If games are missing: some number below `--games` (default: the highest number found, plus 1) has no game. In this
///   case, all games that were found have been appended.
pub fn run(args: &Args) -> Result<u8> {
    let limit = args.games.unwrap_or(u32::MAX);
    let (mut merged, mut settings) = (MergedGames::default(), None);
    for path in &args.files {
        let content = games::read(path)?;
        let differences =
            differences(&content.settings, settings.get_or_insert(content.settings)).join("; ");
        if !differences.is_empty() {
            let (name, first) = (path.display(), args.files[0].display());
            let fault = format!("games of another schedule than in {first}: {differences}");
            return Err(format!("{name}: {fault}").into());
        }
        merged.add(content.games, path, limit)?;
    }
    let settings = settings.ok_or("expected files of games")?;
    let (mut file, existing) = games::open(&args.out, settings)?;
    let stored: HashSet<u32> = existing.iter().map(|game| game.number).collect();
    merged.add(existing, &args.out, limit)?;
    for game in merged.games().filter(|game| !stored.contains(&game.number)) {
        file.append(&game.to_bytes())?;
    }
    let (name, count) = (args.out.display().to_string(), merged.0.len());
    let plies: usize = merged.games().map(|game| game.plies.len()).sum();
    let shown = escaped(&name);
    print(format_args!("{shown}: {count} games, {plies} plies\n"))?;
    match merged.missing(args.games) {
        Some(missing) => Err(format!("{name}: {missing}").into()),
        None => Ok(0),
    }
}

/// All games to merge, by game number. Each comes with the path of the first file in which it was found.
#[derive(Default)]
struct MergedGames<'a>(BTreeMap<u32, (SelfPlayGame, &'a Path)>);

impl<'a> MergedGames<'a> {
    /// Adds the games `games` of the file `path` to the merged games. Skips a game that is already there.
    ///
    /// # Errors
    /// If a game's number is not below `limit`, or a different game of the same number is already there.
    fn add(&mut self, games: Vec<SelfPlayGame>, path: &'a Path, limit: u32) -> Result<()> {
        let name = path.display();
        for game in games {
            let number = game.number;
            if number >= limit {
                let fault = format!("expected numbers below {limit}, as --games says");
                return Err(format!("{name}: game {number}: {fault}").into());
            }
            let (stored, other) = self.0.entry(number).or_insert((game.clone(), path));
            if *stored != game {
                let other = other.display();
                let fault = format!("hold game {number} differently: expected games of one engine");
                return Err(format!("{other} and {name} {fault}").into());
            }
        }
        Ok(())
    }

    /// Returns the merged games in ascending order of their numbers.
    fn games(&self) -> impl Iterator<Item = &SelfPlayGame> {
        self.0.values().map(|(game, _)| game)
    }

    /// Returns an error message that lists the missing games, or `None` if no game is missing. `games` is the number of
    /// games that the self-play run should have: all numbers below it must be there. If it is `None`, all numbers below
    /// the highest game number found must be there.
    fn missing(&self, games: Option<u32>) -> Option<String> {
        let last = self.0.keys().next_back();
        let games = games.unwrap_or_else(|| last.map_or(0, |last| last + 1));
        let missing = games as usize - self.0.len();
        let numbers = (0..games).filter(|number| !self.0.contains_key(number));
        let listed = numbers.take(MAX_LISTED_GAMES).map(|n| n.to_string());
        let listed: Vec<String> = listed.collect();
        let more = ["", ", …"][usize::from(missing > MAX_LISTED_GAMES)];
        let listed = listed.join(", ");
        (missing > 0).then(|| format!("{missing} of {games} games are missing: {listed}{more}"))
    }
}
