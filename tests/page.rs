//! Tests of the page in a browser with real input: playing, studying, opening files, saving and restoring.

mod access;
mod appearance;
mod editor;
mod engine;
mod files;
mod firefox;
mod host;
mod layout;
mod learn;
mod lesson;
mod monkey;
mod play;
mod primer;
mod report;
mod safety;
mod storage;
mod study;
mod view;

use crate::common::browser::{Browser, Page, Window, address};
use crate::common::needs;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

/// Rust target of the page's engine.
const WASM: &str = "wasm32-unknown-unknown";

/// Starts Chromium; `None` if a prerequisite is missing and the test is skipped.
fn browser() -> Option<Arc<Browser>> {
    needs::target(WASM).then(Browser::start).flatten()
}

/// Opens the page in a desktop window; `None` if the test is skipped.
fn desktop() -> Option<Page> {
    let browser = browser()?;
    Some(browser.open(&address(built()), "", Window::DESKTOP))
}

/// Opens the page in a phone's window; `None` if the test is skipped.
fn phone() -> Option<Page> {
    let page = desktop()?;
    page.set_window(Window::PHONE);
    Some(page)
}

/// Builds the page with `scripts/page`, once for all tests; returns its path.
fn built() -> &'static Path {
    static PAGE: OnceLock<PathBuf> = OnceLock::new();
    PAGE.get_or_init(|| {
        // The same run writes the folder for a static host.
        let host = hosted();
        let _ = fs::remove_dir_all(&host);
        let target = file("page");
        let output = Command::new(source("scripts/page"))
            .args(["--host".as_ref(), host.as_os_str()])
            .args(["--address", "https://example.org/amazons/"])
            .arg(env!("CARGO_BIN_EXE_amazons"))
            .env("CARGO_TARGET_DIR", &target)
            .output()
            .expect("the script starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        target.join("page/amazons.html")
    })
}

/// Returns the folder for a static host, which [`built`] writes.
fn hosted() -> PathBuf {
    file("page_host")
}

/// Returns the path of a file in the repository.
fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Returns the path of a temporary file of this test run.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Reads a match log of `tests/logs`.
fn log(name: &str) -> String {
    fs::read_to_string(source(&format!("tests/logs/{name}.json"))).expect("the log is there")
}
