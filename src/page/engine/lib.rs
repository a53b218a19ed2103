//! Engine of the web page, compiled to WebAssembly: [`EngineService`] takes requests as JSON texts and returns
//! responses as JSON texts.
//!
//! The page's web worker (`web/worker.js`) sends one request at a time. It splits a search into requests of at most 120
//! ms: between two requests it can receive messages.

#[cfg(target_arch = "wasm32")]
mod exports;
mod request;
mod review;

use analysis::glossary::Language;
use analysis::level::{LEVELS, Method, sample_move};
use analysis::ownership::ownership;
use analysis::position::{SearchedPosition, analysis_settings};
use analysis::reasons::line::Line;
use analysis::reasons::reasons;
use analysis::rejection::RejectedAnswer;
use analysis::tree_parallel::TreeParallel;
use engine::bench;
use engine::board::{Move, Player};
use engine::botzone::options::Options;
use engine::budget::Budget;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use record::cells::Cells;
use record::charset::{self, Candidate};
use record::checked_game::CheckedGame;
use record::formats::Format;
use record::log;
use record::tree::Record;
use request::{Request, StartPosition, WriteTask};
use review::Review;
use serde_json::{Value, json};
use std::time::Duration;

/// State of the page's engine between requests: the search of the position that the page shows, and the review
/// (analysis of all positions of a game).
#[derive(Default)]
pub struct EngineService {
    /// Search of the position that the last [`Request::Set`] set; `None` before the first such request.
    search: Option<TreeParallel>,
    /// Review (analysis of all positions of a game) that was started last, complete or not. `None` until
    /// [`Request::Review`] starts one.
    review: Option<Review>,
}

impl EngineService {
    /// Answers `request`, the JSON text of a `Request`, with the text of a JSON object. If the request is invalid or
    /// fails, the object has the single field `error` with the reason.
    #[must_use]
    pub fn answer(&mut self, request: &str) -> String {
        let answer = serde_json::from_str(request)
            .map_err(|error| error.to_string())
            .and_then(|request| self.execute(request));
        answer
            .unwrap_or_else(|error| json!({ "error": error }))
            .to_string()
    }

    /// Executes a request of the page and returns the response, a JSON object.
    ///
    /// # Errors
    /// The text gives the reason.
    /// - If [`Request::Search`] or [`Request::SampleMove`] comes before a position is set, or [`Request::Next`] before
    ///   a review is started.
    /// - If a position, a move, the level or a bot's answer in the request is invalid.
    /// - If the format in which to write a game cannot express it.
    fn execute(&mut self, request: Request) -> Result<Value, String> {
        match request {
            Request::Bench { iterations } => Ok(run_bench(iterations)),
            Request::Level { level } => level_method(level),
            Request::Set {
                start,
                moves,
                memory_mb,
                afresh,
            } => {
                let game = start.game_with(&moves)?;
                let board = game.board_at(game.plies());
                let settings = analysis_settings(memory_mb << 20, 1);
                let known = self.search.take().filter(|_| !afresh);
                let mut search = known
                    .filter(|search| search.settings.memory == settings.memory)
                    .unwrap_or_else(|| TreeParallel::new(&board, &settings));
                search.set_board(&board);
                self.search = Some(search);
                Ok(json!({}))
            }
            Request::Search {
                ms,
                iterations,
                candidates,
            } => {
                let search = self.search.as_mut().ok_or("no position is set")?;
                search.search_for(Duration::from_millis(ms), iterations.unwrap_or(u64::MAX));
                Ok(search_results_json(search, candidates))
            }
            Request::SampleMove { count, seed } => {
                let search = self.search.as_ref().ok_or("no position is set")?;
                // XOR the bitboard of empty squares into the seed. With the page's seed alone, every position would
                // draw the same random numbers.
                let mut random = SmallRng::seed_from_u64(seed ^ search.board().empty());
                Ok(json!({ "move": sample_move(search.board(), count, &mut random) }))
            }
            Request::Fault { moves, answer } => explain_rejection(&moves, &answer),
            Request::Read { texts } => Ok(json!({ "games": read_games(texts) })),
            Request::Write(game) => write_game(game),
            Request::Review(task) => {
                self.review = Some(Review::new(task)?);
                Ok(json!({}))
            }
            Request::Next => self.review.as_mut().ok_or("no game is reviewed")?.advance(),
            Request::Try {
                start,
                moves,
                limits,
            } => review::analyse_last_move(start.as_ref(), &moves, limits),
            Request::Why { start, lines } => {
                let [best, other] = lines.each_ref().map(|texts| parse_line(&start, texts));
                Ok(json!({ "reasons": reasons(&best?, Some(&other?)) }))
            }
        }
    }
}

/// Returns the results of a search as a JSON object:
///
/// - `iterations`: number of search iterations since the position was set
/// - `visits`: number of search iterations that chose the amazon move of the best move, with any arrow; iterations of
///   earlier searches count too if their results are still in the search tree
/// - `depth`: length of the longest path searched since the position was set, in plies; a ply is a whole move, with its
///   arrow
/// - `win_probability`: win probability of the side to move, from 0 to 1
/// - `proven`: true if the winner is proven
/// - `candidates`: list of the best moves, the best first; the parameter `candidates` is its maximum length
/// - `ownership`: estimated owner of the 64 squares, row by row from a1, from 1 (black) to −1 (white)
///
/// Each element of `candidates` is an object:
///
/// - `move`: text of the move, such as `c1 c6 f6`
/// - `visits`: number of search iterations that tried the move
/// - `win_probability`: win probability after the move for the player who makes it, from 0 to 1
/// - `proven`: true if the winner after the move is proven
/// - `principal_variation`: texts of this move and of the best moves that follow it
fn search_results_json(search: &TreeParallel, candidates: usize) -> Value {
    let found = SearchedPosition::new(search, candidates, None);
    json!({
        "iterations": search.iterations,
        "visits": found.report.visits,
        "depth": search.depth,
        "win_probability": found.report.win_probability,
        "proven": found.proven,
        "candidates": found.candidates,
        "ownership": ownership(search.board()).to_vec(),
    })
}

/// Explains why Botzone's judge, the referee program of the platform, rejected a bot's answer. `answer` is the JSON
/// text of this answer in the log of the match. `move_texts` are the moves before it, such as `c1 c6 f6`.
///
/// Returns a JSON object:
///
/// - `text`: explanation in English (`en`) and Chinese (`zh`), each as an array of text lines
/// - `squares`: origin, destination and arrow square of the answer; null if the answer has none or one is off the board
/// - `wrong`: square on which the answer breaks a rule; null if there is no such square
///
/// # Errors
/// If a text in `move_texts` is not a legal move, or if `answer` is not the JSON of an answer.
fn explain_rejection(move_texts: &[String], answer: &str) -> Result<Value, String> {
    let game = CheckedGame::from_moves(&parse_moves(move_texts)?)?;
    let rejected = RejectedAnswer {
        moves: game.moves.clone(),
        answer: serde_json::from_str(answer).map_err(|error| error.to_string())?,
        ..RejectedAnswer::default()
    };
    let squares = rejected
        .squares()
        .map(|squares| squares.map(|at| at.to_string()));
    let lines = |language| {
        let text = rejected.headline(language) + &rejected.format_mistakes(language);
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    Ok(json!({
        "squares": squares,
        "wrong": rejected.faulty_square().map(|square| square.to_string()),
        "text": { "en": lines(Language::En), "zh": lines(Language::Zh) },
    }))
}

/// Runs the benchmark of `amazons bench` with `iterations` search iterations for each of its positions. Returns a JSON
/// object:
///
/// - `signature`: checksum of the search results
/// - `iterations`, `evaluations`: numbers of search iterations and of evaluated positions, summed over the benchmark
/// - `ms`: duration of the benchmark in milliseconds
fn run_bench(iterations: u64) -> Value {
    let summary = bench::run(iterations);
    json!({
        "signature": summary.signature,
        "iterations": summary.iterations,
        "evaluations": summary.evaluations,
        "ms": summary.elapsed.as_secs_f64() * 1000.0,
    })
}

/// Returns the method by which the bot chooses its moves at the strength `level` (from 1) of `amazons play`. The result
/// is a JSON object with one of these fields:
///
/// - `sample_move`: number of random legal moves to draw; the bot plays the one with the best static evaluation
/// - `iterations`: number of search iterations per move
/// - `ms`: search time per move in milliseconds; the highest level also has `first_ms`, the time for its first move
///
/// # Errors
/// If `level` is 0 or above the highest level.
fn level_method(level: usize) -> Result<Value, String> {
    let method = level.checked_sub(1).and_then(|at| LEVELS.get(at));
    let method = method.ok_or_else(|| format!("level {level}, expected 1 to {}", LEVELS.len()))?;
    let options = Options::default();
    Ok(match *method {
        Method::Sample(count) => json!({ "sample_move": count }),
        Method::Search(Budget::Iterations(most)) => json!({ "iterations": most }),
        Method::Search(Budget::Time(time)) => json!({ "ms": time.as_millis() as u64 }),
        Method::Botzone => json!({
            "ms": options.time.as_millis() as u64,
            "first_ms": options.first_time.as_millis() as u64,
        }),
    })
}

/// Parses all games of a file. `texts` contains the file's content, decoded once with each character set that the file
/// may have. Keeps only the decoded text in which the parser finds the most positions.
///
/// Returns a JSON object for each game: the game as in [`record_json`] or, if the game is invalid, the reason in the
/// field `error`.
fn read_games(texts: Vec<Candidate>) -> Vec<Value> {
    let games = charset::choose(texts).games.into_iter();
    games
        .map(|game| match game {
            Ok(record) => record_json(&record),
            Err(fault) => json!({ "error": fault.to_string() }),
        })
        .collect()
}

/// Returns a game record as a JSON object:
///
/// - `start`: start position
/// - `nodes`: nodes of the game tree (positions with the move that led to each), in depth-first order
/// - `names`: names of the two players, black first; null for an unknown name
/// - `winner`: `black`, `white`, or null if unknown
/// - `ending`: how the game ended, as a key of the page's table of texts, such as `resigned`
/// - `remark`: warnings of the parser about the file; null if there are none
fn record_json(record: &Record) -> Value {
    let game = &record.game;
    let (winner, ending) = winner_and_ending(record);
    json!({
        "start": Cells::from(game.start()),
        "nodes": record.nodes,
        "names": game.names,
        "ending": ending,
        "winner": winner,
        "remark": game.warning(),
    })
}

/// Parses the moves `move_texts`, such as `c1 c6 f6`, which are played one after another from the position `start`.
/// Returns them as a [`Line`]: the first move, which is to be explained, and the later moves, which are the replies to
/// it.
///
/// # Errors
/// If `move_texts` is empty, one of its texts is not a legal move, or `start` is not a valid position.
fn parse_line(start: &StartPosition, move_texts: &[String]) -> Result<Line, String> {
    let game = start.game_with(move_texts)?;
    let moves = game.turns();
    let (&turn, replies) = moves.split_first().ok_or("no move, expected one")?;
    Ok(Line::new(&game.board_at(0), turn, replies))
}

/// Returns the winner of a game (`None` if unknown), and how it ended, as a key of the page's texts such as `resigned`.
/// If the moves lead to the end of the game, they decide the winner. Otherwise the result that the game's file states
/// is used, such as `B+R` (black wins by resignation).
fn winner_and_ending(record: &Record) -> (Option<Player>, &'static str) {
    let outcome = record.game.outcome();
    let Some(winner) = record.winner().filter(|_| outcome.winner().is_none()) else {
        return (outcome.winner(), outcome.label());
    };
    let reason = record.result().and_then(|result| result.chars().nth(2));
    let ending = match reason {
        Some('R') => "resigned",
        Some('T') => "time",
        _ => "record",
    };
    (Some(winner), ending)
}

/// Returns a JSON object with the field `text`: the game as text in the format `game.format`.
///
/// # Errors
/// If the start position or a move is invalid, or the format cannot express the game.
fn write_game(game: WriteTask) -> Result<Value, String> {
    let record = Record::from_nodes(game.start.board()?, game.nodes);
    let mut record = record.map_err(|(_, fault)| fault)?;
    record.game.names = game.names;
    let text = match game.format {
        Format::Log => {
            record.game.check_start()?;
            log::write(&record.game.names, game.play, record.game.answers)
        }
        format => format.write(&record)?,
    };
    Ok(json!({ "text": text }))
}

/// Parses `move_texts`, moves such as `c1 c6 f6`. Does not check if they are legal.
///
/// # Errors
/// If a text in `move_texts` is not a move; the message quotes this text.
fn parse_moves(move_texts: &[String]) -> Result<Vec<Move>, String> {
    let read = |word: &String| {
        word.parse::<Move>()
            .map_err(|error| format!("{word}: {error}"))
    };
    move_texts.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "..b..b..........b......b................w......w..........w..w..";

    fn ask(service: &mut EngineService, request: &Value) -> Value {
        serde_json::from_str(&service.answer(&request.to_string())).expect("JSON")
    }

    fn setting(moves: &[&str]) -> Value {
        json!({ "ask": "set", "cells": START, "to_move": "black", "moves": moves, "memory_mb": 16 })
    }

    fn search(service: &mut EngineService, iterations: u64) -> Value {
        let request =
            json!({ "ask": "search", "ms": 600_000, "iterations": iterations, "candidates": 1 });
        ask(service, &request)
    }

    #[test]
    fn next_position_keeps_visits_unless_set_afresh() {
        let mut service = EngineService::default();
        ask(&mut service, &setting(&[]));
        let found = search(&mut service, 2000);
        let best = found["candidates"][0]["move"].as_str().expect("a move");
        let mut next = setting(&[best]);
        ask(&mut service, &next);
        let kept = search(&mut service, 1)["visits"].as_u64();
        next["afresh"] = json!(true);
        ask(&mut service, &next);
        let anew = search(&mut service, 1)["visits"].as_u64();
        assert!(kept > Some(10) && anew <= Some(1), "{kept:?} {anew:?}");
    }

    #[test]
    fn unfinished_games_take_the_records_result() {
        let mut service = EngineService::default();
        for (result, winner, ending) in [
            ("B+R", json!("black"), "resigned"),
            ("W+Time", json!("white"), "time"),
            ("W+3.5", json!("white"), "record"),
            ("?", Value::Null, "running"),
        ] {
            let text = format!("(;GM[18]SZ[8]RE[{result}];B[chccfc])");
            let utf8 = json!({ "label": "UTF-8", "origin": "assumed", "text": text });
            let answer = ask(&mut service, &json!({ "ask": "read", "texts": [utf8] }));
            let read = &answer["games"][0];
            assert_eq!(read["winner"], winner);
            assert_eq!(read["ending"], ending);
        }
    }

    /// Returns the nodes of a game tree, in the page's JSON format: the start position and the positions after each of
    /// `moves`, played one after another, without variations.
    fn nodes(moves: &[&str]) -> Value {
        let first = json!({ "parent": 0, "move": null, "properties": [] });
        let node = |(parent, turn)| json!({ "parent": parent, "move": turn, "properties": [] });
        let line = moves.iter().enumerate().map(node);
        std::iter::once(first).chain(line).collect()
    }

    #[test]
    fn tried_moves_are_judged_as_in_reviews() {
        let mut service = EngineService::default();
        let moves = ["c1 c6 f6", "a6 a4 h4"];
        let mut request = json!({ "ask": "review", "title": "t", "nodes": nodes(&moves),
            "iterations": 300, "candidates": 2, "memory_mb": 16, "nodes_to_solve": 9 });
        ask(&mut service, &request);
        let answers = [(); 3].map(|()| ask(&mut service, &json!({ "ask": "next" })));
        let count = |answer: &Value| answer["plies"].as_array().map(Vec::len);
        assert_eq!(answers.each_ref().map(count), [Some(0), Some(1), Some(3)]);
        request["ask"] = json!("try");
        for at in 1..=moves.len() {
            request["moves"] = json!(moves[..at]);
            let tried = ask(&mut service, &request);
            assert_eq!(tried, answers[2]["plies"][at - 1]);
        }
    }

    #[test]
    fn set_up_positions_are_judged_and_explained() {
        let mut service = EngineService::default();
        // Position for the explanation of a move that shuts an amazon in; its rows are listed from row 1 to row 8.
        // White's amazon on a1 can leave the area a1, a2, b1, b2 only across b3, and black can shoot an arrow at b3.
        let rows = "w.x....b ..x..... x.x..... ........ ....w... ......w. .......b .b..b.w.";
        let start = json!({ "cells": rows.replace(' ', ""), "to_move": "black" });
        let request = json!({ "ask": "try", "start": start, "moves": ["b8 b7 b3"], "iterations": 300,
            "candidates": 2, "memory_mb": 16 });
        let tried = ask(&mut service, &request);
        assert_eq!(tried["move"], "b8 b7 b3");
        assert!(tried["loss"].is_number());
        let lines = [["b8 b7 b3", "g8 h8 g8"], ["b8 b7 b4", "g8 h8 g8"]];
        let why = json!({ "ask": "why", "start": start, "lines": lines });
        let reasons = &ask(&mut service, &why)["reasons"];
        assert_eq!(reasons[0]["squares"], json!(["b1", "a2", "b2"]));
        for (other, fault) in [("b8 b8 b3", "b8 b8 b3"), ("", "0 squares")] {
            let lines = [["b8 b7 b3"], [other]];
            let why = json!({ "ask": "why", "start": start, "lines": lines });
            let error = ask(&mut service, &why)["error"].take();
            assert!(error.as_str().is_some_and(|error| error.contains(fault)));
        }
    }

    #[test]
    fn invalid_questions_are_rejected_with_the_cause() {
        let mut service = EngineService::default();
        let with = |key: &str, value: Value| {
            let mut request = setting(&[]);
            request[key] = value;
            request
        };
        let whole = |format: &str, cells: &str, turn: &str| {
            json!({ "ask": "write", "format": format, "names": ["", ""], "nodes": nodes(&[turn]),
                "start": { "cells": cells, "to_move": "black" } })
        };
        let search = json!({ "ask": "search", "ms": 1, "candidates": 1 });
        let board = START.replacen('.', "x", 1);
        for (request, complaint) in [
            (json!({ "ask": "dance" }), "dance"),
            (search, "no position"),
            (json!({ "ask": "next" }), "no game"),
            (json!({ "ask": "level", "level": 0 }), "level 0"),
            (whole("log", START, "c1 c1 c1"), "ply 1, c1 c1 c1"),
            (whole("sgf", START, "c1 c9"), "c1 c9"),
            (whole("dance", START, "c1 c6 f6"), "dance"),
            (whole("log", &board, "c1 c6 f6"), "set up"),
            (with("cells", json!("b")), "1 squares"),
            (with("cells", json!(START.replace('b', "z"))), "holds 'z'"),
            (with("cells", json!(START.replace('b', "."))), "amazons"),
            (with("to_move", json!("red")), "red"),
            (with("moves", json!(["c1 c9 c1"])), "c1 c9 c1"),
            (with("moves", json!(["a6 a5 a6"])), "a6 a5 a6"),
        ] {
            let answer = ask(&mut service, &request);
            let error = answer["error"].as_str().unwrap_or_default();
            assert!(error.contains(complaint), "{request}: {answer}");
        }
        assert!(service.answer("?").contains("error"));
    }
}
