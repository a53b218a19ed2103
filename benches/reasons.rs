//! Checks by a longer search whether the sentences by which the analysis explains mistakes are true, and counts them.
//!
//! `cargo bench --bench reasons -- ITERATIONS RECORD…` analyses the games of the records with ITERATIONS iterations per position
//! and checks every sentence on a mistake. A sentence is borne out if searches of twenty times the length still call the move a
//! mistake, if the reply that the sentence names is one of the best, and if its claim holds in their line and not in that of the
//! other move. `--all` prints each sentence.

use analysis::analysed::{Analysis, TitledGame};
use analysis::judgement::Judgement;
use analysis::ply::Ply;
use analysis::position::{Searcher, analysis_settings};
use analysis::reasons::claim::Effect;
use analysis::reasons::line::Line;
use analysis::reasons::{Reason, holds};
use engine::board::{Board, Move};
use engine::budget::Budget;
use record::checked_game::CheckedGame;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::{env, fs};

/// Memory of a search tree, in MiB.
const MEMORY_MB: usize = 64;

/// Iterations of the checking searches, as a multiple of those of the analysis.
const CHECK_FACTOR: u64 = 20;

/// Maximum win probability that a named reply may lose, compared with the best reply.
const MAX_REPLY_LOSS: f32 = 0.03;

static NEVER: AtomicBool = AtomicBool::new(false);

/// Number of sentences of one kind: all, and those that are borne out; then those that are not, by the first check that failed:
/// the move is no mistake, the reply is not one of the best, the claim does not hold, the claim holds for the other move as well.
#[derive(Default)]
struct Tally {
    stated: usize,
    borne_out: usize,
    failed: [usize; 4],
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
fn analysed(path: &str, searcher: &Searcher) -> (TitledGame, Analysis) {
    let text = fs::read_to_string(path).expect("a record");
    let game = CheckedGame::read(&text).expect("a sound record");
    let found = |at| searcher.search_position(&game.board_at(at), game.move_at(at));
    let positions = (0..=game.plies()).map(|at| found(at).expect("never aborted"));
    let positions = positions.collect();
    let source = TitledGame {
        title: path.to_owned(),
        game,
    };
    let analysis = Analysis::new(&source, 0, positions);
    (source, analysis)
}

/// Returns the line of `reason` with the replies of a longer search after the moves that the sentence names, and the win
/// probability that the named reply loses (0 if the sentence names none).
fn checked_line(board: &Board, reason: &Reason, deep: &Searcher) -> (Line, f32) {
    let after = |board: &Board, turn| deep.search_after(board, turn).expect("never aborted");
    let outlook = after(board, reason.turn);
    let (Some(&named), Some(&best)) = (reason.line.get(1), outlook.replies.first()) else {
        return (Line::new(board, reason.turn, &outlook.replies), 0.0);
    };
    if named == best {
        return (Line::new(board, reason.turn, &outlook.replies), 0.0);
    }
    let mut next = board.clone();
    next.play(reason.turn).expect("legal");
    let [named_outlook, best_outlook] = [named, best].map(|reply| after(&next, reply));
    let replies = [&[named], &named_outlook.replies[..]].concat();
    let loss = best_outlook.win_probability - named_outlook.win_probability;
    (Line::new(board, reason.turn, &replies), loss)
}

/// Returns the number of the first check that `reason` on the mistake in `ply` fails, as in [`Tally::failed`]; `None` if the
/// sentence is borne out.
fn failed_check(board: &Board, ply: &Ply, reason: &Reason, deep: &Searcher) -> Option<usize> {
    let [played, best] = moves(ply);
    let outlooks =
        [played, best].map(|turn| deep.search_after(board, turn).expect("never aborted"));
    let loss = outlooks[1].win_probability - outlooks[0].win_probability;
    if Judgement::from_loss(loss) < Some(Judgement::Mistake) {
        return Some(0);
    }
    let (line, reply_loss) = checked_line(board, reason, deep);
    if reply_loss > MAX_REPLY_LOSS {
        return Some(1);
    }
    let other = usize::from(reason.turn == played);
    let other = Line::new(board, [played, best][other], &outlooks[other].replies);
    if !holds(&reason.claim, &line, Some(&other)) {
        return Some(2);
    }
    holds(&reason.claim, &other, Some(&line)).then_some(3)
}

/// Returns the mistake and the best move of `ply`.
fn moves(ply: &Ply) -> [Move; 2] {
    let best = ply.principal_variation[0];
    [ply.turn.expect("a mistake"), best]
}

fn main() {
    let words: Vec<String> = env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let prints_all = words.iter().any(|word| word == "--all");
    let words: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let Some(iterations) = words.first().and_then(|word| word.parse::<u64>().ok()) else {
        // `cargo bench` without arguments of this program runs all benchmarks.
        return;
    };
    let (shallow, deep) = (searcher(iterations), searcher(CHECK_FACTOR * iterations));
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let (mut mistakes, mut named, mut sound, mut contradicting) = (0, 0, 0, 0);
    for path in &words[1..] {
        let (source, analysis) = analysed(path, &shallow);
        let is_mistake = |ply: &&Ply| ply.judgement >= Some(Judgement::Mistake);
        for ply in analysis.plies.iter().filter(is_mistake) {
            mistakes += 1;
            let board = source.game.board_at(ply.ply - 1);
            let reasons = ply.reasons.iter();
            let reasons: Vec<_> = reasons
                .filter(|reason| reason.claim.effect != Effect::Unexplained)
                .collect();
            named += usize::from(!reasons.is_empty());
            let mut all_hold = true;
            for reason in &reasons {
                let is_against = reason.turn == moves(ply)[0];
                contradicting += usize::from((reason.claim.player == ply.player) == is_against);
                let failed = failed_check(&board, ply, reason, &deep);
                let tally = tallies.entry(key(reason, is_against)).or_default();
                tally.stated += 1;
                match failed {
                    Some(check) => tally.failed[check] += 1,
                    None => tally.borne_out += 1,
                }
                all_hold &= failed.is_none();
                if prints_all {
                    println!("{path} {}: {} {failed:?}", ply.ply, reason.text.en);
                }
            }
            sound += usize::from(!reasons.is_empty() && all_hold);
        }
    }
    println!(
        "{mistakes} mistakes, {named} with a sentence that names squares, in {sound} all are borne out"
    );
    println!("{contradicting} sentences contradict the verdict");
    for (key, tally) in tallies {
        let Tally {
            stated,
            borne_out,
            failed,
        } = tally;
        println!("{key:20} {stated:4} stated, {borne_out:4} borne out, others by check {failed:?}");
    }
}

/// Returns the name under which a sentence is counted: the kind of its effect, and the move that it is about.
fn key(reason: &Reason, is_against: bool) -> String {
    let claim = serde_json::to_value(&reason.claim).expect("JSON");
    let of = ["better", "mistake"][usize::from(is_against)];
    format!("{} {of}", claim["kind"].as_str().expect("a kind"))
}
