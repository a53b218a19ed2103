//! The functions of the WebAssembly module. Texts are UTF-8 in a buffer that both sides use.

#![allow(
    unsafe_code,
    reason = "the module's functions have names that are not mangled"
)]

use super::Desk;
use record::charset;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// The buffer for a question or a file, then for its answer.
static TEXT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

static DESK: LazyLock<Mutex<Desk>> = LazyLock::new(Mutex::default);

/// What is locked; there is one thread, and a panic ends it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a question or a file of so many bytes. Returns where it belongs.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *mut u8 {
    let mut text = lock(&TEXT);
    text.clear();
    text.resize(bytes, 0);
    text.as_mut_ptr()
}

/// Answers the question in the buffer. Returns the number of bytes of the answer.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    replace(|question| lock(&DESK).answer(&String::from_utf8_lossy(question)))
}

/// Names the character sets in which the file in the buffer may be written. Returns the number of bytes of the answer.
#[unsafe(no_mangle)]
extern "C" fn charsets() -> usize {
    replace(|file| serde_json::json!(charset::candidates(file)).to_string())
}

/// Replaces the content of the buffer by an answer to it. Returns the answer's number of bytes.
fn replace(answer: impl FnOnce(&[u8]) -> String) -> usize {
    let mut text = lock(&TEXT);
    *text = answer(&text).into_bytes();
    text.len()
}

/// Where the answer stands.
#[unsafe(no_mangle)]
extern "C" fn text() -> *const u8 {
    lock(&TEXT).as_ptr()
}
