//! Runs whole sessions with the bot, in which the fuzzer's input decides how each turn is damaged. A reference model checks
//! every answer.
#![no_main]

use amazons_fuzz::{Bytes, conversation};
use libfuzzer_sys::arbitrary::Unstructured;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    conversation::run(Bytes(Unstructured::new(bytes)), 1 + bytes.len() / 16);
});
