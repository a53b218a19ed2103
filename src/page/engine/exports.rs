//! Functions that the WebAssembly module exports to `web/worker.js`. Requests and responses are UTF-8 JSON texts,
//! passed in one shared buffer in the module's memory.

#![allow(
    unsafe_code,
    reason = "the module's functions have names that are not mangled"
)]

use super::EngineService;
use record::charset;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Buffer through which JavaScript and this WebAssembly module exchange data. JavaScript writes a JSON request into it
/// and calls `answer`, or writes a game file into it and calls `list_charsets`. Both functions replace the content by a
/// JSON text, their response.
static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Engine service that answers all requests of the page. It is created when the first request arrives.
static SERVICE: LazyLock<Mutex<EngineService>> = LazyLock::new(Mutex::default);

/// Locks `mutex`. Ignores poisoning: the WebAssembly module has only one thread, and a panic would abort the module.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Resizes the buffer for requests and responses to `bytes` bytes and sets them all to 0. Returns the buffer's address,
/// to which JavaScript then writes a request or a game file.
#[unsafe(no_mangle)]
extern "C" fn resize_buffer(bytes: usize) -> *mut u8 {
    let mut text = lock(&BUFFER);
    text.clear();
    text.resize(bytes, 0);
    text.as_mut_ptr()
}

/// Replaces the JSON request, which fills the whole buffer, by the JSON response to it. Returns the response's length
/// in bytes.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    replace_buffer(|request| lock(&SERVICE).answer(&String::from_utf8_lossy(request)))
}

/// Replaces the game file in the buffer by a JSON list of the character sets in which the file may be encoded. Returns
/// the list's length in bytes.
#[unsafe(no_mangle)]
extern "C" fn list_charsets() -> usize {
    replace_buffer(|file| serde_json::json!(charset::candidates(file)).to_string())
}

/// Passes all bytes of the buffer for requests and responses to `convert`, and replaces them by the text that it
/// returns. Resizes the buffer to the length of this text, and returns this length in bytes.
fn replace_buffer(convert: impl FnOnce(&[u8]) -> String) -> usize {
    let mut text = lock(&BUFFER);
    *text = convert(&text).into_bytes();
    text.len()
}

/// Returns the address of the buffer for requests and responses. JavaScript reads a response from this address.
#[unsafe(no_mangle)]
extern "C" fn buffer_address() -> *const u8 {
    lock(&BUFFER).as_ptr()
}
