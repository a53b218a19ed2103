//! Writes a file for each test case in which the bot has a fault: a match log with the bot's input, output and standard
//! error.

use super::case::Case;
use super::report::Report;
use super::trace::Trace;
use analysis::glossary::Language;
use base::error::Result;
use base::files::OutputFile;
use engine::board::Player;
use record::log::write_entry;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// First bytes of every match log that `amazons check` writes. An existing file is overwritten only if it begins with
/// these bytes.
const FILE_START: &str = "{\"check\":";

/// Writes each failed case of `report` to a file `<name of the case>.json` in `folder`. Overwrites files of earlier
/// checks, but no other files. Returns true if any case failed. `seed` is the value of `--seed`.
///
/// # Errors
/// - If the folder can't be created, or a file can't be written.
/// - If a file of that name exists that `amazons check` did not write.
pub fn write(folder: &Path, report: &Report, seed: u64) -> Result<bool> {
    let failed: Vec<&Trace> = report.failed().collect();
    if !failed.is_empty() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    for trace in &failed {
        let path: PathBuf = folder.join(format!("{}.json", trace.case.name));
        let is_ours = |old: &[u8]| old.starts_with(FILE_START.as_bytes());
        let target = OutputFile::replacing_if(&path, "the log of a check", is_ours)?;
        let log = to_match_log(trace, &report.runner.bot.name, seed);
        target.write(format!("{log}\n").as_bytes())?;
    }
    Ok(!failed.is_empty())
}

/// Returns the match log of the played case `trace`, in Botzone's JSON format. An additional key `check` contains the
/// name of the case, `seed` (the value of `--seed`), the symptoms, and the bot's input, output and standard error.
/// `bot` is the bot's name.
#[must_use]
pub fn to_match_log(trace: &Trace, bot: &str, seed: u64) -> Value {
    let Case { name, opponent, .. } = trace.case;
    let turns = trace.turns.iter().map(
        |turn| json!({ "input": turn.input, "output": turn.report.output, "why": turn.report.exit_reason }),
    );
    let turns: Vec<Value> = turns.collect();
    let symptoms = trace.symptoms().map(|found| found.symptom.info().key);
    let symptoms: Vec<&str> = symptoms.collect();
    let stderr = String::from_utf8_lossy(&trace.stderr.to_bytes()).into_owned();
    let mut players = [opponent.name(Language::En), bot.to_owned()];
    if trace.case.colour() == Player::Black {
        players.reverse();
    }
    let entries: Vec<Value> = trace.log.iter().map(write_entry).collect();
    json!({
        "check": { "case": name, "seed": seed, "symptoms": symptoms, "turns": turns, "stderr": stderr },
        "players": { "0": players[0], "1": players[1] },
        "log": entries,
    })
}
