//! Any text as a match log or another record: an accepted one must be consistent, and the same when it is written as SGF.
#![no_main]

use engine::movegen;
use record::formats::Format;
use record::log;
use record::checked_game::Outcome;
use record::tree::Record;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = log::names(text);
    let Ok(record) = Record::read(text) else {
        return;
    };
    let game = &record.game;
    assert!(game.plies() <= game.answers.len());
    let board = game.board_at(game.plies());
    assert_eq!(board.arrow_count(), game.start().arrow_count() + game.plies());
    if let Outcome::NoMove { winner } = game.outcome() {
        assert!(board.to_move() != winner && movegen::count(&board) == 0);
    }
    let written = Format::Sgf.write(&record).expect("SGF holds every record");
    let again = Record::read(&written).expect("what is written is read");
    assert_eq!(again.game.start(), game.start());
    assert_eq!(again.game.moves, game.moves);
    let [before, after] = [&record, &again].map(|record| record.nodes.iter().map(|node| (node.parent, node.turn)));
    assert!(before.eq(after));
});
