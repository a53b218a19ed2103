//! The engine of the page for the browser: questions and answers as JSON texts.
//!
//! The page's worker asks one question after the other (`tools/study/page/worker.js`). A search goes on in slices, so that
//! the worker can hear of a change in between.

#[cfg(target_arch = "wasm32")]
mod exports;
mod live;
mod question;
mod review;

use crate::bench;
use crate::board::{Board, Move};
use crate::botzone::options::Options;
use crate::tools::record::log;
use crate::tools::record::replayed::Replayed;
use crate::tools::thinking::level::{LEVELS, Method, glance};
use live::Live;
use question::{Question, WholeGame};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use review::Course;
use serde_json::{Value, json};

/// What the page's engine has at hand: the position that it thinks on, and the game that it reviews.
#[derive(Default)]
pub struct Desk {
    live: Option<Live>,
    course: Option<Course>,
}

impl Desk {
    /// Answers a question; where it can't, the answer's `error` says why.
    #[must_use]
    pub fn answer(&mut self, question: &str) -> String {
        let answer = serde_json::from_str(question)
            .map_err(|error| error.to_string())
            .and_then(|question| self.reply(question));
        answer
            .unwrap_or_else(|error| json!({ "error": error }))
            .to_string()
    }

    fn reply(&mut self, question: Question) -> Result<Value, String> {
        match question {
            Question::Bench { iterations } => Ok(measured(iterations)),
            Question::Level { level } => method_of(level),
            Question::Set(setting) => {
                let board = setting.board()?;
                let kept = self.live.take().filter(|_| !setting.afresh);
                self.live = Some(Live::on(board, setting.memory_mb, kept));
                Ok(json!({}))
            }
            Question::Search {
                ms,
                iterations,
                candidates,
            } => {
                let live = self.live.as_mut().ok_or("no position is set")?;
                live.spend(ms, iterations);
                live.findings(candidates)
            }
            Question::Glance { count, seed } => {
                let live = self.live.as_ref().ok_or("no position is set")?;
                Ok(json!({ "move": seen_at_a_glance(live.board(), count, seed) }))
            }
            Question::Read { text } => read(&text),
            Question::Write(game) => write(&game),
            Question::Review(task) => {
                self.course = Some(Course::of(task)?);
                Ok(json!({}))
            }
            Question::Next => self.course.as_mut().ok_or("no game is reviewed")?.next(),
            Question::Try { moves, effort } => review::tried(&moves, effort),
        }
    }
}

/// The signature and speed of the fixed search behind `amazons bench`.
fn measured(iterations: u64) -> Value {
    let summary = bench::run(iterations);
    json!({
        "signature": summary.signature,
        "iterations": summary.iterations,
        "evaluations": summary.evaluations,
        "ms": summary.elapsed.as_secs_f64() * 1000.0,
    })
}

/// How a level of `amazons play` chooses its moves.
fn method_of(level: usize) -> Result<Value, String> {
    let method = level.checked_sub(1).and_then(|at| LEVELS.get(at));
    let method = method.ok_or_else(|| format!("level {level}, expected 1 to {}", LEVELS.len()))?;
    let options = Options::default();
    Ok(match *method {
        Method::Glance(count) => json!({ "glance": count }),
        Method::Search(crate::budget::Budget::Iterations(most)) => json!({ "iterations": most }),
        Method::Search(crate::budget::Budget::Time(time)) => {
            json!({ "ms": time.as_millis() as u64 })
        }
        Method::Uploaded => json!({
            "ms": options.time.as_millis() as u64,
            "first_ms": options.first_time.as_millis() as u64,
        }),
    })
}

/// The best of some random moves; nothing where there is no move.
fn seen_at_a_glance(board: &Board, count: usize, seed: u64) -> Option<String> {
    // As in `amazons play` the choice depends on the position.
    let mut random = SmallRng::seed_from_u64(seed ^ board.empty());
    glance(board, count, &mut random).map(|turn| turn.to_string())
}

/// The moves, names and end of a match log in any form that the tools read.
fn read(text: &str) -> Result<Value, String> {
    let game = Replayed::read(text).map_err(|error| error.to_string())?;
    let moves = (0..game.plies()).filter_map(|ply| game.move_at(ply));
    let answers = game.answers().iter();
    let outcome = game.outcome();
    Ok(json!({
        "moves": moves.map(|turn| turn.to_string()).collect::<Vec<_>>(),
        "names": log::names(text),
        "ms": answers.map(|answer| answer.time).collect::<Vec<_>>(),
        "outcome": outcome.to_string(),
        "ending": crate::tools::analysis::game::ending(outcome),
        "winner": outcome.winner().map(|winner| winner.to_string()),
    }))
}

/// The match log of a game, with the page's own part under `play`.
fn write(game: &WholeGame) -> Result<Value, String> {
    let moves = moves(&game.moves)?;
    Replayed::of_moves(&moves)?;
    let [black, white] = &game.names;
    let text = json!({
        "players": { "0": black, "1": white },
        "play": game.play,
        "log": log::of_moves(&moves),
    });
    Ok(json!({ "text": text.to_string() + "\n" }))
}

/// Reads moves.
fn moves(words: &[String]) -> Result<Vec<Move>, String> {
    let read = |word: &String| {
        word.parse::<Move>()
            .map_err(|error| format!("{word}: {error}"))
    };
    words.iter().map(read).collect()
}
