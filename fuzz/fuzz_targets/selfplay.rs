//! Any bytes as a file of self-play games: accepted games follow the rules, and are read back as they were written.
#![no_main]

use engine::board::Board;
use engine::movegen;
use training::games;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(content) = games::parse(bytes) else {
        return;
    };
    assert!(content.length <= bytes.len());
    for game in &content.games {
        let mut board = Board::start();
        for ply in &game.plies {
            assert_eq!(board.play(ply.turn), Ok(()));
        }
        assert_eq!(movegen::count(&board), 0);
        assert_eq!(!board.to_move() as u8, game.winner);
    }
    let mut again = content.plan.to_bytes();
    again.extend(content.games.iter().flat_map(|game| game.to_bytes()));
    let read = games::parse(&again).expect("it was just written");
    assert_eq!((read.plan, read.games), (content.plan, content.games));
});
