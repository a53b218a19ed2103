//! Any bytes as a line of the JSON interaction, for a fresh bot and for one that was kept running.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let line = [b"{", bytes].concat();
    amazons_fuzz::babble(&line);
    amazons_fuzz::babble(&[b"-1 -1 -1 -1 -1 -1\n", &line[..]].concat());
});
