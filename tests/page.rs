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
mod seen;
mod study;

use crate::common::browser::{Browser, Page, Window};
use crate::common::needs;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

/// What the engine of the page is built for.
const WASM: &str = "wasm32-unknown-unknown";

/// The page with the engine, and a browser for it.
struct Site {
    browser: Arc<Browser>,
    path: &'static Path,
}

impl Site {
    /// Nothing if the test is to be left out.
    fn start() -> Option<Site> {
        if !needs::target(WASM) {
            return None;
        }
        Some(Site {
            browser: Browser::start()?,
            path: built(),
        })
    }

    /// Opens the page with a storage of its own; `hash` is what follows its path.
    fn open(&self, hash: &str, window: Window) -> Page<'_> {
        self.browser.open(self.path, hash, window)
    }
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

/// What the program prints on some arguments.
fn told(args: &[&str]) -> String {
    let output = crate::common::output(args, "");
    let fault = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {fault}");
    String::from_utf8(output.stdout).expect("UTF-8")
}
