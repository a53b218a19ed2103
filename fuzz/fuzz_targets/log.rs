//! Reads arbitrary text as a game record in any format. An accepted record must be consistent, and equal after writing it as
//! SGF and reading it again.
#![no_main]

use engine::movegen;
use record::checked_game::Outcome;
use record::formats::Format;
use record::log;
use record::tree::Record;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = log::player_names(text);
    let Ok(record) = Record::read(text) else {
        return;
    };
    let game = &record.game;
    assert!(game.plies() <= game.answers.len());
    let board = game.board_at(game.plies());
    assert_eq!(
        board.arrow_count(),
        game.start().arrow_count() + game.plies()
    );
    if let Outcome::NoMove { winner } = game.outcome() {
        assert!(board.to_move() != winner && movegen::count(&board) == 0);
    }
    let written = Format::Sgf.write(&record).expect("SGF holds every record");
    let reread = Record::read(&written).expect("the writer's output is valid");
    assert_eq!(reread.game.start(), game.start());
    assert_eq!(reread.game.moves, game.moves);
    let [before, after] =
        [&record, &reread].map(|record| record.nodes.iter().map(|node| (node.parent, node.turn)));
    assert!(before.eq(after));
});
