//! Parses arbitrary bytes as a file of self-play games. Accepted games must follow the rules, and be equal after writing and
//! parsing them again.
#![no_main]

use engine::board::Board;
use engine::movegen;
use training::games;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(content) = games::parse(bytes) else {
        return;
    };
    assert!(content.complete_bytes <= bytes.len());
    for game in &content.games {
        let mut board = Board::start();
        for ply in &game.plies {
            assert_eq!(board.play(ply.turn), Ok(()));
        }
        assert_eq!(movegen::count(&board), 0);
        assert_eq!(!board.to_move() as u8, game.winner);
    }
    let mut written = content.settings.to_bytes();
    written.extend(content.games.iter().flat_map(|game| game.to_bytes()));
    let reread = games::parse(&written).expect("the writer's output is valid");
    assert_eq!((reread.settings, reread.games), (content.settings, content.games));
});
