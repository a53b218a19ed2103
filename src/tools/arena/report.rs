//! Collects the finished games of an arena ([`Standings`]) and reports on them: scores, Elo differences, cross table,
//! causes of losses, time and memory.

use super::results::{ArenaHeader, Cause, GameRecord, HeaderLine};
use super::stats::{self, EloInterval, PairCounts, Sprt};
use base::append::AppendFile;
use base::error::Result;
use base::journal::{self, Content};
use engine::console::{escaped, print, with_noun};
use record::checked_game::player_at;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Finished games of one run of `amazons arena` or `amazons online match`, with the list of players. Scores, ratings
/// and reports are computed from these games.
pub struct Standings {
    /// List of the players, and what all games have in common, such as random seed and time limit; stored in the first
    /// line of the file of `amazons arena --out`.
    pub header: ArenaHeader,
    /// Finished games, keyed by their number among all games of the arena, from 0.
    pub games: BTreeMap<usize, GameRecord>,
}

/// Summary of the time and memory that one player used in all its turns of all finished games.
struct CostSummary {
    /// Number of turns that the player has played in all finished games.
    turns: usize,
    /// Longest time of any turn of the player, in milliseconds. Index 0: wall-clock time; index 1: CPU time. The two
    /// maxima may belong to different turns.
    longest_ms: [f64; 2],
    /// Time that 99 % of the player's turns do not exceed (99th percentile), in milliseconds. Index 0: wall-clock time;
    /// index 1: CPU time.
    percentile_99_ms: [f64; 2],
    /// Largest peak memory of the player in any turn, in MB (1,000,000 bytes).
    memory_mb: f64,
}

/// Reads files that `amazons arena --out` wrote for the parts (shards) of one arena, and merges their games. The files
/// may differ in the number of games between each two players; the result's `header.games` is the largest of these
/// numbers.
///
/// # Errors
/// - If `files` is empty.
/// - If a file can't be read or is no arena file.
/// - If the first line of a file differs from that of the first file in more than the number of games.
/// - If two files contain the same game.
pub fn merge_files(files: &[PathBuf]) -> Result<Standings> {
    let mut merged: Option<Standings> = None;
    // Path of the file in which each game was found, keyed by the number of the game.
    let mut paths_by_game = HashMap::new();
    for path in files {
        let name = path.display();
        let content: Content<HeaderLine> = journal::read(path)?;
        let header = &content.header.arena;
        let standings = merged.get_or_insert_with(|| Standings::new(header.clone()));
        let differences = header.differences(&standings.header);
        if !differences.is_empty() {
            let (first, differences) = (files[0].display(), differences.join("; "));
            let fault = format!("games of another schedule than in {first}: {differences}");
            return Err(format!("{name}: {fault}").into());
        }
        standings.header.games = standings.header.games.max(header.games);
        for game in content.into_records() {
            let number = game.game;
            if let Some(other) = paths_by_game.insert(number, path) {
                let what = match standings.games[&number] == game {
                    true => "the same record",
                    false => "different records",
                };
                let fault = format!("game {number}, {what}: expected every game once");
                let other = other.display();
                return Err(format!("{other} and {name} both hold {fault}").into());
            }
            standings.add(game);
        }
    }
    merged.ok_or_else(|| "expected files of games".into())
}

impl Standings {
    /// Returns standings without any finished games. `header` contains the players, and the conditions of the games
    /// that will be added.
    #[must_use]
    pub const fn new(header: ArenaHeader) -> Standings {
        Standings {
            header,
            games: BTreeMap::new(),
        }
    }

    /// Opens `file`, the file of `amazons arena --out`, for appending, or creates it with `header` as its first line.
    /// First result: `header` and the finished games that the file contains. Second result: the opened file. If `file`
    /// is `None`, there are no games and the second result is `None`.
    ///
    /// # Errors
    /// - If the file exists, but `resume` is false.
    /// - If the file can't be read or written, or another program is writing to it.
    /// - If the first line of the file has other players or conditions than `header`, or a larger number of games.
    pub fn open_file(
        header: ArenaHeader,
        file: Option<&Path>,
        resume: bool,
    ) -> Result<(Standings, Option<AppendFile>)> {
        let mut standings = Standings::new(header.clone());
        let Some(path) = file else {
            return Ok((standings, None));
        };
        let (file, content) = journal::open(path, &HeaderLine { arena: header }, resume)?;
        content.into_records().for_each(|game| standings.add(game));
        Ok((standings, Some(file)))
    }

    /// Adds a finished game. An earlier game with the same number is replaced.
    pub fn add(&mut self, game: GameRecord) {
        self.games.insert(game.game, game);
    }

    /// Returns `[won, lost]`: the numbers of games that player `a` won and lost against player `b`. Both players are
    /// given by index in `self.header.players`; if they are equal, the result is `[0, 0]`.
    #[must_use]
    pub fn score(&self, a: usize, b: usize) -> [usize; 2] {
        let games = self.games.values();
        let met = games.filter(|game| sorted_pair(game.players) == sorted_pair([a, b]));
        met.fold([0, 0], |[won, lost], game| {
            let wins = usize::from(game.winning_player() == a);
            [won + wins, lost + 1 - wins]
        })
    }

    /// Counts the finished pairs of games between players `a` and `b`, separately by the mean score of `a` per game: 0,
    /// 0.5 or 1. A pair is two games with the same opening and exchanged colours; it is finished if both games are. The
    /// players are given by index in `self.header.players`.
    #[must_use]
    pub fn pairs(&self, a: usize, b: usize) -> PairCounts {
        let mut pairs = PairCounts::default();
        for (number, first) in &self.games {
            let have_met = sorted_pair(first.players) == sorted_pair([a, b]);
            let second = self.games.get(&(number + 1));
            if let Some(second) = second.filter(|_| number % 2 == 0 && have_met) {
                let wins = [first, second].map(|game| usize::from(game.winning_player() == a));
                pairs.counts[wins.iter().sum::<usize>()] += 1;
            }
        }
        pairs
    }

    /// Returns one line of text about the finished games, for the progress display. With more than two players, it is
    /// only the number of players, such as `4 players`. With two players, it is a text such as
    /// `12-8, Elo +70 [-60, +220]`: the games that player 0 won and lost against player 1, and the Elo difference with
    /// its 95 % confidence interval.
    #[must_use]
    pub fn summary_line(&self) -> String {
        if self.header.names.len() != 2 {
            return format!("{} players", self.header.names.len());
        }
        self.score_line(0, 1)
    }

    /// Returns one line of text, such as `12-8, Elo +70 [-60, +220]`: the games that player `a` won and lost against
    /// player `b`, and the Elo difference with its 95 % confidence interval. The players are given by index in
    /// `self.header.players`.
    #[must_use]
    pub fn score_line(&self, a: usize, b: usize) -> String {
        let [won, lost] = self.score(a, b);
        format!("{won}-{lost}, Elo {}", format_elo(self.pairs(a, b).elo()))
    }

    /// Prints the report (scores, Elo ratings, time and memory of the players) to standard output: as one line of JSON
    /// if `json` is true, else as text. If `sprt` is given, the report includes the result of this sequential
    /// probability ratio test.
    ///
    /// # Errors
    /// If standard output can't be written.
    pub fn print(&self, json: bool, sprt: Option<Sprt>) -> Result<()> {
        Ok(print(match json {
            true => self.json_line(sprt),
            false => self.text(sprt),
        })?)
    }

    /// Returns the report as lines of text. If there are exactly two players and `sprt` is given, the text includes the
    /// result of this sequential probability ratio test.
    #[must_use]
    pub fn text(&self, sprt: Option<Sprt>) -> String {
        // Escape control characters in the players' names, so that a name can't send commands to the terminal.
        let names = self.header.names.iter();
        let names: Vec<String> = names.map(|name| escaped(name).to_string()).collect();
        let width = names.iter().map(|name| name.chars().count()).max();
        let width = width.unwrap_or_default().max(8);
        let (games, conditions) = (self.games.len(), escaped(&self.header.conditions));
        let plies = self.header.plies;
        let games = with_noun(games as u64, "game", "games");
        let mut out = format!("{games}; {conditions}; openings of {plies} plies\n");
        if let [one, other] = &names[..] {
            let (pairs, [won, lost]) = (self.pairs(0, 1), self.score(0, 1));
            let (elo, total, counts) = (format_elo(pairs.elo()), pairs.total(), pairs.counts);
            out += &format!("{one} {won} : {lost} {other}\n");
            out += &format!("Elo {elo} from {total} pairs {counts:?}\n");
            out += &sprt.map_or(String::new(), |sprt| format_sprt(sprt, &pairs));
        } else {
            out += &self.cross_table(&names, width);
        }
        out += &format!("\n{:width$}  lost by\n", "");
        for (player, name) in names.iter().enumerate() {
            let causes = self.causes_of_loss(player).into_iter();
            let causes = causes.map(|(cause, count)| format!("{} {count}", cause.name()));
            let causes = causes.reduce(|causes, next| causes + ", " + &next);
            out += &format!("{name:width$}  {}\n", causes.as_deref().unwrap_or("-"));
        }
        out + &self.cost_table(&names, width)
    }

    /// Returns a table with one line per player: name, number of turns, longest time of a turn, 99th percentile of the
    /// times of the turns, and peak memory in MB. Both times are given as wall-clock time and CPU time in milliseconds.
    /// The names in `names` are padded to `width` characters. Returns an empty text if all wall-clock times and memory
    /// sizes are 0, which means unknown.
    fn cost_table(&self, names: &[String], width: usize) -> String {
        let mut turns = self.games.values().flat_map(|game| &game.turns);
        if turns.all(|turn| turn.wall_ms == 0.0 && turn.memory_mb == 0.0) {
            return String::new();
        }
        let titles = "turns  slowest ms wall/CPU  99 % ms wall/CPU  memory MB";
        let mut out = format!("\n{:width$}  {titles}\n", "");
        for (player, name) in names.iter().enumerate() {
            let cost = self.cost_summary(player);
            let (turns, memory) = (cost.turns, cost.memory_mb);
            let [slowest, percentile_99] = [cost.longest_ms, cost.percentile_99_ms]
                .map(|[wall, cpu]| format!("{wall:.0}/{cpu:.0}"));
            out += &format!(
                "{name:width$}  {turns:5}  {slowest:>19}  {percentile_99:>16}  {memory:9.0}\n"
            );
        }
        out
    }

    fn cross_table(&self, names: &[String], width: usize) -> String {
        let ratings = self.ratings();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| ratings[b].total_cmp(&ratings[a]));
        let ranks = (1..=names.len()).map(|rank| format!("  {rank:>7}"));
        let ranks: String = ranks.collect();
        let mut out = format!("\n{:width$}  rating    score{ranks}\n", "");
        for &player in &order {
            let (name, rating) = (&names[player], ratings[player]);
            let (mut wins, mut losses, mut cells) = (0, 0, String::new());
            for &other in &order {
                let [won, lost] = self.score(player, other);
                (wins, losses) = (wins + won, losses + lost);
                let cell = match other == player {
                    true => "·".to_owned(),
                    false => format!("{won}-{lost}"),
                };
                cells += &format!("  {cell:>7}");
            }
            let score = format!("{wins}-{losses}");
            out += &format!("{name:width$}  {rating:+6.0}  {score:>7}{cells}\n");
        }
        out
    }

    /// Estimates each player's Elo rating from all finished games by maximum likelihood. Returns the ratings in the
    /// order of `self.header.players`; their mean is 0.
    fn ratings(&self) -> Vec<f64> {
        let players = 0..self.header.names.len();
        let wins = |a| players.clone().map(move |b| self.score(a, b)[0] as f64);
        let table = players.clone().map(|a| wins(a).collect());
        stats::ratings(&table.collect::<Vec<_>>())
    }

    /// Counts the games that a player has lost, separately for each cause of a loss, such as TLE (time limit exceeded).
    /// `player` is the player's index in `self.header.players`. Causes that did not occur are missing from the result.
    fn causes_of_loss(&self, player: usize) -> BTreeMap<Cause, usize> {
        let mut causes = BTreeMap::new();
        for game in self.games.values() {
            if game.players.contains(&player) && game.winning_player() != player {
                *causes.entry(game.cause).or_insert(0) += 1;
            }
        }
        causes
    }

    fn cost_summary(&self, player: usize) -> CostSummary {
        let (mut wall, mut cpu, mut memory) = (Vec::new(), Vec::new(), 0_f64);
        for game in self.games.values() {
            for (number, turn) in game.turns.iter().enumerate() {
                if game.players[player_at(game.opening + number) as usize] == player {
                    wall.push(turn.wall_ms);
                    cpu.push(turn.cpu_ms);
                    memory = memory.max(turn.memory_mb);
                }
            }
        }
        let turns = wall.len();
        let mut times = [wall, cpu];
        for times in &mut times {
            times.sort_by(f64::total_cmp);
        }
        let at = |quantile: f64| {
            let index = ((turns as f64 * quantile).ceil() as usize).saturating_sub(1);
            [0, 1].map(|clock: usize| times[clock].get(index).copied().unwrap_or(0.0))
        };
        CostSummary {
            turns,
            longest_ms: at(1.0),
            percentile_99_ms: at(0.99),
            memory_mb: memory,
        }
    }

    /// Returns the report as one line of JSON that ends with a newline. Its key `players` has the rating, causes of
    /// losses, time and memory of each player; its key `pairings` has the score and Elo difference of each two players
    /// that have met. If `sprt` is given, each pairing also has the result of this sequential probability ratio test.
    #[must_use]
    pub fn json_line(&self, sprt: Option<Sprt>) -> String {
        let names = &self.header.names;
        let players = (0..names.len()).map(|player| self.json_player(player));
        let games = self.games.values();
        let met: BTreeSet<[usize; 2]> = games.map(|game| sorted_pair(game.players)).collect();
        let pairings = met.iter().map(|&[a, b]| self.json_pairing(a, b, sprt));
        let (players, pairings): (Vec<_>, Vec<_>) = (players.collect(), pairings.collect());
        let report = json!({ "result": { "games": self.games.len(), "players": players, "pairings": pairings } });
        format!("{report}\n")
    }

    fn json_player(&self, player: usize) -> Value {
        let cost = self.cost_summary(player);
        json!({
            "name": self.header.names[player],
            "rating": self.ratings()[player],
            "lost_by": self.causes_of_loss(player),
            "turns": cost.turns,
            "slowest_ms": { "wall": cost.longest_ms[0], "cpu": cost.longest_ms[1] },
            "percentile_99_ms": { "wall": cost.percentile_99_ms[0], "cpu": cost.percentile_99_ms[1] },
            "memory_mb": cost.memory_mb,
        })
    }

    fn json_pairing(&self, a: usize, b: usize, sprt: Option<Sprt>) -> Value {
        let pairs = self.pairs(a, b);
        let [won, lost] = self.score(a, b);
        let mut value = json!({
            "a": self.header.names[a],
            "b": self.header.names[b],
            "won": won,
            "lost": lost,
            "pairs": pairs.counts,
            "elo": pairs.elo(),
        });
        if let Some(sprt) = sprt {
            value["sprt"] = json!({
                "elo0": sprt.elo0,
                "elo1": sprt.elo1,
                "log_likelihood_ratio": pairs.log_likelihood_ratio(sprt.elo0, sprt.elo1),
                "bound": Sprt::bound(),
                "accepted": sprt.decision(&pairs).map(|accepted| if accepted { "elo1" } else { "elo0" }),
            });
        }
        value
    }
}

fn sorted_pair([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// Formats an Elo difference with its 95 % confidence interval, as in `+35 [+10, +60]`.
fn format_elo(elo: EloInterval) -> String {
    format!("{:+.0} [{:+.0}, {:+.0}]", elo.value, elo.low, elo.high)
}

fn format_sprt(sprt: Sprt, pairs: &PairCounts) -> String {
    let ratio = pairs.log_likelihood_ratio(sprt.elo0, sprt.elo1);
    let verdict = match sprt.decision(pairs) {
        Some(true) => format!("{:+} Elo accepted", sprt.elo1),
        Some(false) => format!("{:+} Elo accepted, {:+} refuted", sprt.elo0, sprt.elo1),
        None => "open".to_owned(),
    };
    let (Sprt { elo0, elo1 }, bound) = (sprt, Sprt::bound());
    format!(
        "SPRT [{elo0:+}, {elo1:+}]: log-likelihood ratio {ratio:.2} (bounds ±{bound:.2}), {verdict}\n"
    )
}
