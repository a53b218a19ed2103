//! Any bytes as the simple interaction. Lines that begin with a brace are JSON here, too.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| amazons_fuzz::babble(bytes));
