//! The page for the browser: one file that plays, studies and shows reports.
//!
//! Its three sides meet here:
//!
//! - [`engine`] runs in the browser, as a WebAssembly module. A [`Desk`](engine::Desk) answers questions.
//! - `web/` is what the browser shows: `page.html`, `style.css`, the scripts, and `worker.js`, which holds the module.
//! - [`packer`] runs on one's own machine. It puts both, and the games of a report, into one file.
//!
//! Who calls whom: the scripts post messages to the worker (`web/engine.js`). The worker writes a question into the module's
//! memory and calls it (`engine/exports.rs`). A question is a JSON object whose name stands under `ask`
//! (`engine/question.rs`); the answer is a JSON object, with `error` where there is none. A search is a row of questions, a
//! slice each, so that the worker can hear of a change in between.
//!
//! What ends where: `scripts/page` builds the module twice, with `simd128` and without, and calls `amazons page`, which
//! writes `target/page/amazons.html`. `amazons analyze --html` writes the same page with games in it. In the file stand, in
//! this order, the style, the worker's text, the glossary, the engine, the games, and all scripts as one.
//!
//! From a host: `scripts/page --host DIR` also writes a folder for a static host (`packer/host.rs`). The page in it differs in its
//! head alone. It can be installed, works offline (`web/offline.js`) and has a picture beside links. Its engine has one thread, too.
//! More would need WebAssembly with shared memory: a standard library built with atomics, which stable Rust does not have, and
//! from the host the headers `Cross-Origin-Opener-Policy: same-origin` and `Cross-Origin-Embedder-Policy: require-corp`.
//!
//! What is let in: the page's policy names its style and its script by their checksums, so no other runs
//! (`packer.rs`). The page reads what the browser has kept only as far as it makes sense (`web/store.js`). The packer writes
//! over a file only if that is a page of ours that nobody has changed (`packer/seal.rs`).

pub mod engine;
#[cfg(feature = "tools")]
pub mod packer;
