//! Any text as the answer to a poll: what is taken of it is as long as it says, and every request is one or none.
#![no_main]

use amazons::tools::online::{poll, request};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(reply) = poll::parse(text) else { return };
    let words = text.split_whitespace().take(2);
    let announced: Vec<usize> = words.filter_map(|word| word.parse().ok()).collect();
    let counts = [reply.requests.len(), reply.endings.len()];
    assert!(counts == [0, 0] || announced == counts);
    for (_, text) in &reply.requests {
        let _ = request::read(text);
    }
});
