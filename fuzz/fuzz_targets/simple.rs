//! Sends arbitrary bytes in the simple protocol. The bot reads lines that begin with a brace as JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| amazons_fuzz::check_arbitrary_input(bytes));
