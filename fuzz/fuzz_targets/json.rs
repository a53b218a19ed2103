//! Sends arbitrary bytes as a line of the JSON protocol, to a new bot and to a bot that was kept running.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let line = [b"{", bytes].concat();
    amazons_fuzz::check_arbitrary_input(&line);
    amazons_fuzz::check_arbitrary_input(&[b"-1 -1 -1 -1 -1 -1\n", &line[..]].concat());
});
