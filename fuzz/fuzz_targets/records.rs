//! Parses arbitrary bytes as a file of arena games. Accepted games must follow the rules, and the report must not panic.
#![no_main]

use base::journal::{self, Content};
use tools::arena::report::Standings;
use tools::arena::results::HeaderLine;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(content): Result<Content<HeaderLine>, _> = journal::parse(bytes) else {
        return;
    };
    let mut standings = Standings::new(content.header.arena.clone());
    for game in content.into_records() {
        let [black, white] = game.players;
        assert!(black != white && black.max(white) < standings.header.names.len());
        assert!(game.winner < 2);
        standings.add(game);
    }
    assert!(!standings.text(None).is_empty());
    assert!(!standings.json_line(None).is_empty());
});
