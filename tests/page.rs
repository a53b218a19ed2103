//! The page for the browser with its engine, used as a person does: every way of playing, studying, opening and keeping.

mod access;
mod editor;
mod engine;
mod files;
mod firefox;
mod host;
mod kept;
mod layout;
mod learn;
mod lesson;
mod looks;
mod monkey;
mod play;
mod primer;
mod report;
mod safety;
mod seen;
mod study;

use crate::common::browser::{Browser, Page, Window, address};
use crate::common::needs;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

/// What the engine of the page is built for.
const WASM: &str = "wasm32-unknown-unknown";

/// A browser for the page with the engine; nothing if the test is to be left out.
fn browser() -> Option<Arc<Browser>> {
    needs::target(WASM).then(Browser::start).flatten()
}

/// The page on a desktop; nothing if the test is to be left out.
fn desktop() -> Option<Page> {
    let browser = browser()?;
    Some(browser.open(&address(built()), "", Window::DESKTOP))
}

/// The page on a telephone; nothing if the test is to be left out.
fn phone() -> Option<Page> {
    let page = desktop()?;
    page.set_window(Window::PHONE);
    Some(page)
}

/// The page as `scripts/page` makes it, once for all tests.
fn built() -> &'static Path {
    static PAGE: OnceLock<PathBuf> = OnceLock::new();
    PAGE.get_or_init(|| {
        // The folder for a host is made along with it.
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
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
        target.join("page/amazons.html")
    })
}

/// The folder for a host, once the page is [`built`].
fn hosted() -> PathBuf {
    file("page_host")
}

/// A file of this crate.
fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Where a file of this test run lies.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The text of a match log.
fn log(name: &str) -> String {
    fs::read_to_string(source(&format!("tests/logs/{name}.json"))).expect("the log is there")
}
