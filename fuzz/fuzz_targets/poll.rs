//! Any text as the reply to a poll: it holds no more than it announces, and every request is one or none.
#![no_main]

use tools::online::poll;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(reply) = poll::parse_reply(text) else { return };
    let words = text.split_whitespace().take(2);
    let announced: Vec<usize> = words.filter_map(|word| word.parse().ok()).collect();
    let counts = [reply.requests.len(), reply.endings.len()];
    // A match that stands there twice has one request.
    assert!(counts == [0, 0] || counts[0] <= announced[0] && counts[1] == announced[1]);
    for text in reply.requests.values() {
        let _ = poll::parse_request(text);
    }
});
