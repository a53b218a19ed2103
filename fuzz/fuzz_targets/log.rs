//! Any text as a match log: an accepted log must be consistent.
#![no_main]

use amazons::movegen;
use amazons::tools::record::log;
use amazons::tools::record::replayed::{Outcome, Replayed};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = log::names(text);
    let entries = log::read(text);
    let Ok(game) = Replayed::read(text) else {
        return;
    };
    assert!(entries.is_ok_and(|entries| entries.len() >= game.plies()));
    assert!(game.plies() <= game.answers.len());
    let board = game.board_at(game.plies());
    assert_eq!(board.arrow_count(), game.plies());
    if let Outcome::NoMove { winner } = game.outcome() {
        assert!(board.to_move() != winner && movegen::count(&board) == 0);
    }
});
