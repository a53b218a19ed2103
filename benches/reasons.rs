//! Checks by a deeper search whether the sentences by which the analysis explains moves are true, and counts them.
//!
//! A sentence holds if the best line after the move, by the deeper search, ends with what the sentence claims.
//!
//! `cargo bench --bench reasons -- ITERATIONS TIMES RECORD…` analyses the games of the records with ITERATIONS iterations per
//! position, and checks every sentence with TIMES · ITERATIONS iterations. `--all` prints each sentence.

use analysis::analysed::{Analysis, Source};
use analysis::position::{Searcher, analysis_settings};
use analysis::reasons::line::Line;
use analysis::reasons::{Reason, holds};
use engine::budget::Budget;
use record::checked_game::CheckedGame;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::{env, fs};

/// Memory of a search tree, in MiB.
const MEMORY_MB: usize = 64;

static NEVER: AtomicBool = AtomicBool::new(false);

/// Counts for one kind of sentence: sentences in all, sentences that hold after their own move in the deeper search, and
/// sentences that hold after the other move, too, and so explain no difference between the moves.
#[derive(Default)]
struct Tally {
    stated: usize,
    held: usize,
    held_after_other: usize,
}

fn searcher(iterations: u64) -> Searcher<'static> {
    Searcher {
        budget: Budget::Iterations(iterations),
        settings: analysis_settings(MEMORY_MB << 20, 1),
        multipv: 1,
        stop: &NEVER,
    }
}

/// Reads a game record from a file and analyses every position of the game.
fn analysed(path: &str, searcher: &Searcher) -> (Source, Analysis) {
    let text = fs::read_to_string(path).expect("a record");
    let game = CheckedGame::read(&text).expect("a sound record");
    let found = |at| searcher.position(&game.board_at(at), game.move_at(at));
    let positions = (0..=game.plies()).map(|at| found(at).expect("never aborted"));
    let positions = positions.collect();
    let source = Source {
        title: path.to_owned(),
        game,
    };
    let analysis = Analysis::new(&source, 0, positions);
    (source, analysis)
}

fn main() {
    let words: Vec<String> = env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let prints_all = words.iter().any(|word| word == "--all");
    let words: Vec<&String> = words.iter().filter(|word| *word != "--all").collect();
    if words.is_empty() {
        // `cargo bench` without arguments runs all benchmarks, and must not fail here.
        println!("reasons: nothing measured without ITERATIONS TIMES RECORD…");
        return;
    }
    let [iterations, times] = [0, 1].map(|at| words[at].parse::<u64>().expect("a number"));
    let (shallow, deep) = (searcher(iterations), searcher(times * iterations));
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let (mut mistakes, mut explained, mut better_explained) = (0, 0, 0);
    let (mut other_moves, mut best_explained) = (0, 0);
    for path in &words[2..] {
        let (source, analysis) = analysed(path, &shallow);
        for (at, ply) in analysis.plies.iter().enumerate() {
            let (Some(played), Some(&best)) = (ply.turn, ply.principal_variation.first()) else {
                continue;
            };
            let has_reason_for = |turn| ply.reasons.iter().any(|reason| reason.turn == turn);
            let is_mistake = ply.judgement.is_some();
            if is_mistake {
                mistakes += 1;
                explained += usize::from(has_reason_for(played));
                better_explained += usize::from(has_reason_for(best));
            } else {
                other_moves += 1;
                best_explained += usize::from(has_reason_for(best));
            }
            if ply.reasons.is_empty() {
                continue;
            }
            let board = source.game.board_at(at);
            let line = |turn| {
                let outlook = deep.after(&board, turn).expect("never aborted");
                Line::new(&board, turn, &outlook.line, outlook.expected_ownership)
            };
            let (mistake, best) = (is_mistake.then(|| line(played)), line(best));
            for reason in &ply.reasons {
                let (own, other, of) = match &mistake {
                    Some(mistake) if reason.turn == played => (mistake, Some(&best), "mistake"),
                    Some(mistake) => (&best, Some(mistake), "better"),
                    None => (&best, None, "best"),
                };
                let held = holds(&reason.claim, own, other);
                let after_other = other.is_some_and(|other| holds(&reason.claim, other, Some(own)));
                let tally = tallies.entry(key(reason, of)).or_default();
                tally.stated += 1;
                tally.held += usize::from(held);
                tally.held_after_other += usize::from(after_other);
                if prints_all {
                    println!(
                        "{path} {}: {} [{held} {after_other}]",
                        ply.ply, reason.text.en
                    );
                }
            }
        }
    }
    println!("{mistakes} mistakes, {explained} explained, the better move in {better_explained}");
    println!("{other_moves} other moves, the best one explained in {best_explained}");
    for (key, tally) in tallies {
        let (stated, held, after_other) = (tally.stated, tally.held, tally.held_after_other);
        println!(
            "{key:24} {stated:4} stated, {held:4} hold, {after_other:4} after the other move as well"
        );
    }
}

/// Returns the name under which a sentence is counted: the kind of its claim, and the role `of` its move, which is "mistake",
/// "better" (the better move after a mistake) or "best" (the best move if no mistake was made).
fn key(reason: &Reason, of: &str) -> String {
    let claim = serde_json::to_value(&reason.claim).expect("JSON");
    let word = |name: &str| claim[name].as_str();
    let measure = word("by").filter(|_| word("kind") == Some("balance"));
    format!("{} {of}", measure.or(word("kind")).expect("a kind"))
}
