//! Parses arbitrary text as the reply to a poll. The reply must not hold more entries than its first line announces, and
//! parsing its requests must not panic.
#![no_main]

use tools::online::poll;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(reply) = poll::parse_reply(text) else {
        return;
    };
    let words = text.split_whitespace().take(2);
    let announced: Vec<usize> = words.filter_map(|word| word.parse().ok()).collect();
    let counts = [reply.requests.len(), reply.results.len()];
    // If a match is listed twice, only one of its requests is kept.
    assert!(counts == [0, 0] || counts[0] <= announced[0] && counts[1] == announced[1]);
    for text in reply.requests.values() {
        let _ = poll::parse_request(text);
    }
});
