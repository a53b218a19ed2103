//! Functions that the WebAssembly module exports to `web/worker.js`. Requests and responses are UTF-8 JSON texts,
//! passed in one shared buffer in the module's memory.

#![allow(
    unsafe_code,
    reason = "the module's functions have names that are not mangled"
)]

use super::EngineService;
use record::charset;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Buffer for data between JavaScript and this module. JavaScript writes a request or a file into it before it calls
/// `answer` or `list_charsets`, and reads the response from it afterwards.
static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// The module's only engine service, created when the first request arrives.
static SERVICE: LazyLock<Mutex<EngineService>> = LazyLock::new(Mutex::default);

/// Locks `mutex` and ignores poisoning: the module has only one thread, and a panic aborts it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Resizes the buffer to `bytes` bytes, sets them all to 0 and returns the buffer's address. JavaScript writes its next
/// request or file to this address.
#[unsafe(no_mangle)]
extern "C" fn resize_buffer(bytes: usize) -> *mut u8 {
    let mut text = lock(&BUFFER);
    text.clear();
    text.resize(bytes, 0);
    text.as_mut_ptr()
}

/// Answers the JSON request in the buffer and replaces it by the JSON response. Returns the response's length in bytes.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    replace_buffer(|request| lock(&SERVICE).answer(&String::from_utf8_lossy(request)))
}

/// Replaces the file in the buffer by a JSON list of the character sets in which the file may be encoded, and returns
/// the list's length in bytes.
#[unsafe(no_mangle)]
extern "C" fn list_charsets() -> usize {
    replace_buffer(|file| serde_json::json!(charset::candidates(file)).to_string())
}

/// Calls `answer` with the buffer's content and stores the returned text in the buffer. Returns the text's length in
/// bytes.
fn replace_buffer(answer: impl FnOnce(&[u8]) -> String) -> usize {
    let mut text = lock(&BUFFER);
    *text = answer(&text).into_bytes();
    text.len()
}

/// Returns the address of the buffer, from which JavaScript reads a response.
#[unsafe(no_mangle)]
extern "C" fn buffer_address() -> *const u8 {
    lock(&BUFFER).as_ptr()
}
