//! Functions that the WebAssembly module exports. Texts in both directions are UTF-8 in one shared buffer.

#![allow(
    unsafe_code,
    reason = "the module's functions have names that are not mangled"
)]

use super::EngineService;
use record::charset;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Buffer that first holds a question or a file, then the answer.
static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

static SERVICE: LazyLock<Mutex<EngineService>> = LazyLock::new(Mutex::default);

/// Locks a mutex and ignores poisoning: there is only one thread, and a panic ends the module.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Resizes the buffer to `bytes` bytes, for a question or a file. Returns the address of the buffer.
#[unsafe(no_mangle)]
extern "C" fn resize_buffer(bytes: usize) -> *mut u8 {
    let mut text = lock(&BUFFER);
    text.clear();
    text.resize(bytes, 0);
    text.as_mut_ptr()
}

/// Replaces the question in the buffer by its answer. Returns the length of the answer in bytes.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    replace(|question| lock(&SERVICE).answer(&String::from_utf8_lossy(question)))
}

/// Replaces the file in the buffer by a JSON list of the character sets in which it may be written. Returns the length of the
/// list in bytes.
#[unsafe(no_mangle)]
extern "C" fn list_charsets() -> usize {
    replace(|file| serde_json::json!(charset::candidates(file)).to_string())
}

/// Replaces the content of the buffer by the result of `answer`. Returns the length of the result in bytes.
fn replace(answer: impl FnOnce(&[u8]) -> String) -> usize {
    let mut text = lock(&BUFFER);
    *text = answer(&text).into_bytes();
    text.len()
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
extern "C" fn buffer_address() -> *const u8 {
    lock(&BUFFER).as_ptr()
}
