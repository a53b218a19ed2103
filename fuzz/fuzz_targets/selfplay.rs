//! Any bytes as a file of self-play games: accepted games follow the rules, and are read back as they were written.
#![no_main]

use amazons::board::Board;
use amazons::movegen;
use amazons::tools::training::games;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(content) = games::parse(bytes) else {
        return;
    };
    assert!(content.length <= bytes.len());
    for game in &content.games {
        let mut board = Board::start();
        for &(turn, _) in &game.moves {
            assert_eq!(board.play(turn), Ok(()));
        }
        assert_eq!(movegen::count(&board), 0);
        assert_eq!(!board.to_move() as u8, game.winner);
    }
    if let Some(schedule) = content.schedule {
        let mut again = schedule.to_bytes();
        for game in &content.games {
            again.extend(game.to_bytes());
        }
        assert_eq!(games::parse(&again), Ok(content));
    }
});
