//! The report of an arena: score, cross table, causes of loss, time and memory.

use super::results::{self, Cause, GameRecord, MatchHeader};
use super::stats::{self, Interval, Pairs, Sprt};
use crate::console::{print, visible};
use crate::tools::support::error::ToolError;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::path::PathBuf;

/// All games of an arena so far.
pub struct Standings {
    header: MatchHeader,
    games: BTreeMap<usize, GameRecord>,
}

/// Time and memory of one player's turns.
struct Cost {
    /// Number of turns.
    turns: usize,
    /// Slowest and 99th-percentile turn: wall and CPU time in milliseconds.
    slowest: [f64; 2],
    percentile: [f64; 2],
    /// Peak memory in MB.
    memory: f64,
}

/// Prints the report on the games of some files.
///
/// # Errors
/// If a file can't be read, they do not belong together, or standard output can't be written.
pub fn run(files: &[PathBuf], json: bool) -> Result<(), ToolError> {
    let standings = merge(files)?;
    let text = if json {
        standings.json_line(None)?
    } else {
        standings.text(None)
    };
    Ok(print(text)?)
}

/// Merges files of one schedule. The schedule is as long as in the longest of them.
///
/// # Errors
/// If a file can't be read, belongs to another schedule than the first, or has a game that another one has.
pub fn merge(files: &[PathBuf]) -> Result<Standings, ToolError> {
    let mut merged: Option<Standings> = None;
    // The file that a game is in, by the game's number.
    let mut origins = HashMap::new();
    for path in files {
        let name = path.display();
        let (header, games) = results::read(path)?;
        let standings = merged.get_or_insert_with(|| Standings::new(header.clone()));
        let differences = header.differences(&standings.header);
        if !differences.is_empty() {
            let (first, differences) = (files[0].display(), differences.join("; "));
            return Err(format!(
                "{name}: games of another schedule than in {first}: {differences}"
            )
            .into());
        }
        standings.header.games = standings.header.games.max(header.games);
        for game in games {
            if let Some(other) = origins.insert(game.game, name.to_string()) {
                let first = &standings.games[&game.game];
                return Err(twice(first, &game, &other, &name.to_string()).into());
            }
            standings.add(game);
        }
    }
    merged.ok_or_else(|| "expected files of games".into())
}

/// The error about two files that hold the same game.
fn twice(first: &GameRecord, second: &GameRecord, file: &str, other: &str) -> String {
    let what = if first == second {
        "the same record"
    } else {
        "different records"
    };
    let number = first.game;
    format!("{file} and {other} both hold game {number}, {what}: expected every game once")
}

impl Standings {
    /// No games yet.
    #[must_use]
    pub const fn new(header: MatchHeader) -> Standings {
        Standings {
            header,
            games: BTreeMap::new(),
        }
    }

    /// What is played.
    #[must_use]
    pub const fn header(&self) -> &MatchHeader {
        &self.header
    }

    /// The games by number.
    #[must_use]
    pub const fn games(&self) -> &BTreeMap<usize, GameRecord> {
        &self.games
    }

    /// Counts a game.
    pub fn add(&mut self, game: GameRecord) {
        self.games.insert(game.game, game);
    }

    /// Tests if a game has been played.
    #[must_use]
    pub fn has(&self, number: usize) -> bool {
        self.games.contains_key(&number)
    }

    /// Games that `a` won and lost against `b`: none against itself.
    #[must_use]
    pub fn score(&self, a: usize, b: usize) -> [usize; 2] {
        let games = self.games.values();
        let met = games.filter(|game| sorted_pair(game.players) == sorted_pair([a, b]));
        met.fold([0, 0], |[won, lost], game| {
            let wins = usize::from(game.winning_player() == a);
            [won + wins, lost + 1 - wins]
        })
    }

    /// The finished pairs of games of `a` against `b`, scored for `a`.
    #[must_use]
    pub fn pairs(&self, a: usize, b: usize) -> Pairs {
        let mut pairs = Pairs::default();
        for (number, first) in &self.games {
            let have_met = sorted_pair(first.players) == sorted_pair([a, b]);
            let second = self.games.get(&(number + 1));
            if let Some(second) = second.filter(|_| number % 2 == 0 && have_met) {
                let wins = [first, second].map(|game| usize::from(game.winning_player() == a));
                pairs.add(wins.iter().sum());
            }
        }
        pairs
    }

    /// The state in one line.
    #[must_use]
    pub fn line(&self) -> String {
        if self.header.names.len() != 2 {
            return format!("{} players", self.header.names.len());
        }
        self.score_line(0, 1)
    }

    /// The score of `a` against `b` in one line.
    #[must_use]
    pub fn score_line(&self, a: usize, b: usize) -> String {
        let [won, lost] = self.score(a, b);
        format!("{won}-{lost}, Elo {}", show(self.pairs(a, b).elo()))
    }

    /// The whole report for people.
    #[must_use]
    pub fn text(&self, sprt: Option<Sprt>) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = self.write_text(&mut out, sprt);
        out
    }

    fn write_text(&self, out: &mut String, sprt: Option<Sprt>) -> std::fmt::Result {
        let names = self.shown_names();
        let width = names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0)
            .max(8);
        writeln!(
            out,
            "{} games; {}; openings of {} plies",
            self.games.len(),
            visible(&self.header.conditions),
            self.header.plies
        )?;
        if names.len() == 2 {
            let (pairs, [won, lost]) = (self.pairs(0, 1), self.score(0, 1));
            writeln!(out, "{} {won} : {lost} {}", names[0], names[1])?;
            writeln!(
                out,
                "Elo {} from {} pairs {:?}",
                show(pairs.elo()),
                pairs.total(),
                pairs.counts
            )?;
            if let Some(sprt) = sprt {
                writeln!(out, "{}", show_sprt(sprt, &pairs))?;
            }
        } else {
            self.write_cross_table(out, width)?;
        }
        writeln!(out, "\n{:width$}  lost by", "")?;
        for (player, name) in names.iter().enumerate() {
            let mut causes: Vec<String> = self
                .causes_of_loss(player)
                .iter()
                .map(|(cause, count)| format!("{} {count}", cause.name()))
                .collect();
            if causes.is_empty() {
                causes.push("-".to_owned());
            }
            writeln!(out, "{name:width$}  {}", causes.join(", "))?;
        }
        self.write_costs(out, width)
    }

    /// Writes what the turns took. The real platform does not tell it of a local AI's turns.
    fn write_costs(&self, out: &mut String, width: usize) -> std::fmt::Result {
        let mut turns = self.games.values().flat_map(|game| &game.turns);
        if turns.all(|turn| turn.wall_ms == 0.0 && turn.memory_mb == 0.0) {
            return Ok(());
        }
        writeln!(
            out,
            "\n{:width$}  turns  slowest ms wall/CPU  99 % ms wall/CPU  memory MB",
            ""
        )?;
        for (player, name) in self.shown_names().iter().enumerate() {
            let cost = self.cost(player);
            let pair = |[wall, cpu]: [f64; 2]| format!("{wall:.0}/{cpu:.0}");
            let (slowest, percentile) = (pair(cost.slowest), pair(cost.percentile));
            writeln!(
                out,
                "{name:width$}  {:5}  {slowest:>19}  {percentile:>16}  {:9.0}",
                cost.turns, cost.memory
            )?;
        }
        Ok(())
    }

    /// The names, with control characters escaped.
    fn shown_names(&self) -> Vec<String> {
        let names = self.header.names.iter();
        names.map(|name| visible(name).to_string()).collect()
    }

    fn write_cross_table(&self, out: &mut String, width: usize) -> std::fmt::Result {
        let names = self.shown_names();
        let ratings = self.ratings();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| ratings[b].total_cmp(&ratings[a]));
        write!(out, "\n{:width$}  {:>6}  {:>7}", "", "rating", "score")?;
        (1..=names.len()).try_for_each(|rank| write!(out, "  {rank:>7}"))?;
        writeln!(out)?;
        for &player in &order {
            let scores: Vec<[usize; 2]> = order
                .iter()
                .map(|&other| self.score(player, other))
                .collect();
            let [won, lost] = [0, 1].map(|at| scores.iter().map(|score| score[at]).sum::<usize>());
            write!(
                out,
                "{:width$}  {:+6.0}  {:>7}",
                names[player],
                ratings[player],
                format!("{won}-{lost}")
            )?;
            for (&other, [won, lost]) in order.iter().zip(&scores) {
                let cell = if other == player {
                    "·".to_owned()
                } else {
                    format!("{won}-{lost}")
                };
                write!(out, "  {cell:>7}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// Ratings of all players.
    #[must_use]
    pub fn ratings(&self) -> Vec<f64> {
        let players = 0..self.header.names.len();
        let wins = |a| players.clone().map(move |b| self.score(a, b)[0] as f64);
        let table = players.clone().map(|a| wins(a).collect());
        stats::ratings(&table.collect::<Vec<_>>())
    }

    /// The causes of a player's losses, with their numbers.
    #[must_use]
    pub fn causes_of_loss(&self, player: usize) -> BTreeMap<Cause, usize> {
        let mut causes = BTreeMap::new();
        for game in self.games.values() {
            if game.players.contains(&player) && game.winning_player() != player {
                *causes.entry(game.cause).or_insert(0) += 1;
            }
        }
        causes
    }

    fn cost(&self, player: usize) -> Cost {
        let (mut wall, mut cpu, mut memory) = (Vec::new(), Vec::new(), 0_f64);
        for game in self.games.values() {
            for (number, turn) in game.turns.iter().enumerate() {
                if game.players[game.mover(number) as usize] == player {
                    wall.push(turn.wall_ms);
                    cpu.push(turn.cpu_ms);
                    memory = memory.max(turn.memory_mb);
                }
            }
        }
        let [wall, cpu] = [wall, cpu].map(sorted);
        let at = |times: &[f64], share: f64| {
            let index = ((times.len() as f64 * share).ceil() as usize).saturating_sub(1);
            times.get(index).copied().unwrap_or(0.0)
        };
        Cost {
            turns: wall.len(),
            slowest: [at(&wall, 1.0), at(&cpu, 1.0)],
            percentile: [at(&wall, 0.99), at(&cpu, 0.99)],
            memory,
        }
    }

    /// The whole report for programs, as one line.
    ///
    /// # Errors
    /// Never in practice: numbers and names are JSON.
    pub fn json_line(&self, sprt: Option<Sprt>) -> Result<String, ToolError> {
        let names = &self.header.names;
        let players = (0..names.len()).map(|player| self.json_player(player));
        let games = self.games.values();
        let met: BTreeSet<[usize; 2]> = games.map(|game| sorted_pair(game.players)).collect();
        let pairings = met.iter().map(|&[a, b]| self.json_pairing(a, b, sprt));
        let (players, pairings): (Vec<_>, Vec<_>) = (players.collect(), pairings.collect());
        let report = json!({ "result": { "games": self.games.len(), "players": players, "pairings": pairings } });
        Ok(serde_json::to_string(&report)? + "\n")
    }

    fn json_player(&self, player: usize) -> Value {
        let cost = self.cost(player);
        let causes = self.causes_of_loss(player).into_iter();
        let causes = causes.map(|(cause, count)| (cause.name().to_owned(), count.into()));
        json!({
            "name": self.header.names[player],
            "rating": self.ratings()[player],
            "lost_by": causes.collect::<serde_json::Map<_, _>>(),
            "turns": cost.turns,
            "slowest_ms": { "wall": cost.slowest[0], "cpu": cost.slowest[1] },
            "percentile_99_ms": { "wall": cost.percentile[0], "cpu": cost.percentile[1] },
            "memory_mb": cost.memory,
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

fn sorted(mut times: Vec<f64>) -> Vec<f64> {
    times.sort_by(f64::total_cmp);
    times
}

fn sorted_pair([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// An Elo difference with its interval.
fn show(elo: Interval) -> String {
    format!("{:+.0} [{:+.0}, {:+.0}]", elo.value, elo.low, elo.high)
}

fn show_sprt(sprt: Sprt, pairs: &Pairs) -> String {
    let ratio = pairs.log_likelihood_ratio(sprt.elo0, sprt.elo1);
    let verdict = match sprt.decision(pairs) {
        Some(true) => format!("{:+} Elo accepted", sprt.elo1),
        Some(false) => format!("{:+} Elo accepted, {:+} refuted", sprt.elo0, sprt.elo1),
        None => "open".to_owned(),
    };
    let bound = Sprt::bound();
    format!(
        "SPRT [{:+}, {:+}]: log-likelihood ratio {ratio:.2} (bounds ±{bound:.2}), {verdict}",
        sprt.elo0, sprt.elo1
    )
}
